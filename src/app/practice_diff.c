/* practice_diff: see practice_diff.h. */
#include "app/practice_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define LINES_MOST 3000

struct diff_lines {
	const char **at;
	size_t *length;
	size_t count, capacity, length_capacity;
};

static void split_diff_lines(struct diff_lines *l, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		grow(&l->at, &l->capacity, l->count + 1, sizeof(*l->at));
		grow(&l->length, &l->length_capacity, l->count + 1,
		     sizeof(*l->length));
		l->at[l->count] = text;
		l->length[l->count++] = n;
		text += n + (text[n] == '\n');
	}
}

static bool are_same_lines(const struct diff_lines *a, size_t i,
		      const struct diff_lines *b, size_t k)
{
	return a->length[i] == b->length[k] &&
	       !memcmp(a->at[i], b->at[k], a->length[i]);
}

static void add_diff_line(struct str *s, char sign,
			  const struct diff_lines *l, size_t i)
{
	str_addf(s, "%c %.*s\n", sign, (int)l->length[i], l->at[i]);
}

/* Fills in, for each pair of lines, the longest list of lines that both texts
 * have from there on. */
static unsigned short *measure_common(const struct diff_lines *a,
				      const struct diff_lines *b)
{
	size_t w = b->count + 1;
	unsigned short *most = xcalloc((a->count + 1) * w, sizeof(*most));

	for (size_t i = a->count; i-- > 0;)
		for (size_t k = b->count; k-- > 0;)
			most[i * w + k] = are_same_lines(a, i, b, k) ?
				(unsigned short)(most[(i + 1) * w + k + 1] +
						 1) :
				MAX(most[(i + 1) * w + k],
				    most[i * w + k + 1]);
	return most;
}

static void write_diff(struct str *s, const struct diff_lines *a,
		       const struct diff_lines *b,
		       const unsigned short *most)
{
	size_t i = 0, k = 0, w = b->count + 1;

	while (i < a->count || k < b->count) {
		if (i < a->count && k < b->count && are_same_lines(a, i, b, k)) {
			add_diff_line(s, ' ', b, k++);
			i++;
		} else if (k == b->count ||
			   (i < a->count && most[(i + 1) * w + k] >=
					    most[i * w + k + 1])) {
			add_diff_line(s, '-', a, i++);
		} else {
			add_diff_line(s, '+', b, k++);
		}
	}
}

char *practice_diff(const char *before, const char *now)
{
	struct diff_lines a = { 0 }, b = { 0 };
	struct str s = { 0 };
	unsigned short *most;

	split_diff_lines(&a, before);
	split_diff_lines(&b, now);
	if (a.count > LINES_MOST || b.count > LINES_MOST) {
		for (size_t i = 0; i < b.count; i++)
			add_diff_line(&s, ' ', &b, i);
	} else {
		most = measure_common(&a, &b);
		write_diff(&s, &a, &b, most);
		free(most);
	}
	free(a.at);
	free(a.length);
	free(b.at);
	free(b.length);
	return str_take(&s);
}
