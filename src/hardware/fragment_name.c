#include "hardware/fragment.h"

#include <string.h>

/* The words between a name's dots, sorted by what they say. */
struct name_parts {
	const char *family;
	char shape[16], count[4];	/* "m16n8k16"; "x4" */
	char types[4][8], layouts[2];
	int type_count, layout_count;
	bool transposed;
};

static bool is_listed_word(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(word, *list))
			return true;
	return false;
}

static bool is_shape(const char *word)
{
	int m, n, k, end = 0;

	return sscanf(word, "m%dn%dk%d%n", &m, &n, &k, &end) == 3 &&
	       !word[end] &&
	       strlen(word) < sizeof(((struct name_parts *)0)->shape);
}

/* Tests whether PTX has this word and the layout does not depend on it. */
static bool is_without_layout(const char *word)
{
	static const char *const nothing[] = {
		"sync", "aligned", "mma_async", "mma", "load", "a", "b", "m8n8",
		"b16", "shared", "shared::cta", "satfinite", "rn", "xor", "and",
		"popc", "kind::f8f6f4", NULL
	};

	return is_listed_word(word, nothing);
}

static bool sort_word(struct name_parts *w, const char *word)
{
	static const char *const types[] = {
		"f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4",
		"b1", "e4m3", "e5m2", "s32", NULL
	};
	static const char *const counts[] = { "x1", "x2", "x4", NULL };

	if (is_shape(word) && !*w->shape)
		strcpy(w->shape, word);
	else if (is_listed_word(word, counts) && !*w->count)
		strcpy(w->count, word);
	else if (is_listed_word(word, types) && w->type_count < 4)
		strcpy(w->types[w->type_count++], word);
	else if ((!strcmp(word, "row") || !strcmp(word, "col")) &&
		 w->layout_count < 2)
		w->layouts[w->layout_count++] = *word;
	else if (!strcmp(word, "trans"))
		w->transposed = true;
	else
		return is_without_layout(word);
	return true;
}

/* Returns the family of instructions that has this shape. */
static const char *family_of(const char *shape)
{
	if (!strncmp(shape, "m64", 3))
		return "wgmma";
	return !strncmp(shape, "m16n16", 6) || !strncmp(shape, "m32n8", 5) ||
	       !strncmp(shape, "m8n32", 5) ? "wmma" : "mma";
}

static bool sort_words(struct name_parts *w, char *text)
{
	static const char *const families[] = {
		"mma", "wmma", "wgmma", "ldmatrix", "stmatrix", NULL
	};
	char *rest = text, *word = strsep(&rest, ".");

	if (is_listed_word(word, families))
		w->family = word;
	else if (!sort_word(w, word))
		return false;
	while ((word = strsep(&rest, ".")))
		if (!sort_word(w, word))
			return false;
	if (!w->family)
		w->family = family_of(w->shape);
	return true;
}

static bool is_matrix_family(const struct name_parts *w)
{
	return strstr(w->family, "matrix");
}

static bool is_whole(const struct name_parts *w)
{
	if (is_matrix_family(w))
		return *w->count && !*w->shape && !w->type_count;
	return *w->shape && !*w->count && !w->transposed && w->type_count &&
	       (w->type_count != 2 || !strcmp(w->family, "wmma"));
}

/* Returns the type of A or B. PTX names the types of D, A, B and C; wmma of
 * halves names only those of D and C. */
static const char *factor_type(const struct name_parts *w, char operand)
{
	if (w->type_count < 3)
		return w->type_count == 2 ? "f16" : w->types[0];
	return w->types[operand == 'B' ? 2 : 1];
}

static const char *sums_type(const struct name_parts *w, char operand)
{
	return w->types[operand == 'C' && w->type_count != 3 ?
			w->type_count - 1 : 0];
}

bool fragment_spelled(const char *text, struct fragment_wish *wish,
		      struct fragment_spelling *s)
{
	char copy[128];
	struct name_parts w = { 0 };

	if (strlen(text) >= sizeof(copy) ||
	    !sort_words(&w, strcpy(copy, text)) || !is_whole(&w))
		return false;
	if (is_matrix_family(&w))
		snprintf(s->name, sizeof(s->name), "%s.%s%s", w.family,
			 w.count, w.transposed ? ".trans" : "");
	else
		snprintf(s->name, sizeof(s->name), "%s.%s.%s", w.family,
			 w.shape, factor_type(&w, wish->operand));
	wish->name = s->name;
	if (!wish->accumulator && w.type_count > 1) {
		strcpy(s->sums, sums_type(&w, wish->operand));
		wish->accumulator = s->sums;
	}
	if (!wish->layout && w.layout_count)
		wish->layout = wish->operand == 'B' ?
			w.layouts[w.layout_count - 1] : w.layouts[0];
	return true;
}
