/*
 * base: failures, memory, growing text, words, numbers. See base.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/lang.h"

void (*fatal_restore)(void);

int error_set(struct error *e, enum exit_status status, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	e->status = status;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), _(fmt), ap);
	va_end(ap);
	return -1;
}

void fatal(const char *fmt, ...)
{
	void (*restore)(void) = fatal_restore;
	static bool again;
	char text[600] = "gemmviz: ";
	const size_t begun = strlen(text);
	va_list ap;

	/* Not even that can be said. */
	if (again)
		_exit(EXIT_BUG);
	again = true;
	fatal_restore = NULL;
	if (restore)
		restore();
	va_start(ap, fmt);
	vsnprintf(text + begun, sizeof(text) - begun - 1, _(fmt), ap);
	va_end(ap);
	strcat(text, "\n");
	/* Not through stdio, which may want memory. */
	write_all(STDERR_FILENO, text, strlen(text));
	_exit(EXIT_BUG);
}

/* ---- memory ---- */

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		fatal("out of memory (%zu bytes)", size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		fatal("out of memory (%zu x %zu bytes)", count, size);
	return p;
}

void *xrealloc(void *p, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		fatal("out of memory (%zu x %zu bytes)", count, size);
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		fatal("out of memory (%zu bytes)", bytes);
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

static DIR *entries_or_end(DIR *d)
{
	if (!d && errno == ENOMEM)
		fatal("out of memory (the entries of a folder)");
	return d;
}

DIR *xopendir(const char *path)
{
	return entries_or_end(opendir(path));
}

DIR *xfdopendir(int fd)
{
	return entries_or_end(fdopendir(fd));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		fatal("out of memory");
	return s;
}

void grow(void *p, size_t *capacity, size_t need, size_t size)
{
	size_t next = *capacity;
	void *array;

	if (need <= next)
		return;
	next = next < SIZE_MAX / 2 ? next * 2 : need;
	if (next < 8)
		next = 8;
	if (next < need)
		next = need;
	/* p points to a pointer of any type, so it is copied as bytes. */
	memcpy(&array, p, sizeof(array));
	array = xrealloc(array, next, size);
	memcpy(p, &array, sizeof(array));
	*capacity = next;
}

/* ---- text that grows ---- */

void str_addn(struct str *s, const char *text, size_t n)
{
	grow(&s->data, &s->capacity, s->len + n + 1, 1);
	if (n)
		memcpy(s->data + s->len, text, n);
	s->len += n;
	s->data[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		fatal("a message could not be formatted");
	grow(&s->data, &s->capacity, s->len + n + 1, 1);
	vsnprintf(s->data + s->len, n + 1, fmt, again);
	va_end(again);
	s->len += n;
}

void str_clear(struct str *s)
{
	s->len = 0;
	if (s->data)
		s->data[0] = '\0';
}

char *str_take(struct str *s)
{
	char *data = s->data ? s->data : xstrdup("");

	*s = (struct str){ 0 };
	return data;
}

void str_done(struct str *s)
{
	free(s->data);
	*s = (struct str){ 0 };
}

/* ---- words and numbers ---- */

#define NAME_MAX_COMPARED 64

/* Counts the edits between a and b: insertions, deletions, substitutions, and
 * swaps of two adjacent characters. Returns SIZE_MAX when either is longer than
 * NAME_MAX_COMPARED. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t d[3][NAME_MAX_COMPARED + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > NAME_MAX_COMPARED || lb > NAME_MAX_COMPARED)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t *row = d[i % 3], *above = d[(i + 2) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);

			best = MIN(best, above[j] + 1);
			best = MIN(best, row[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = MIN(best, d[(i + 1) % 3][j - 2] + 1);
			row[j] = best;
		}
	}
	return d[la % 3][lb];
}

const char *nearest_name(const char *word, const char *const *names,
			 size_t count)
{
	size_t len = strlen(word), best = 1 + len / 4;
	const char *found = NULL;

	if (len < 2)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(word, names[i]);

		/* The beginning of a name is near, however long the rest. */
		if (len >= 3 && strncmp(word, names[i], len) == 0)
			distance = MIN(distance, 1);
		if (distance < best || (distance == best && !found)) {
			best = distance;
			found = names[i];
		}
	}
	return found;
}

char *join_names(const char *const *names, size_t count)
{
	struct str s = { 0 };

	str_add(&s, "");
	for (size_t i = 0; i < count; i++)
		str_addf(&s, "%s%s", i ? ", " : "", names[i]);
	return str_take(&s);
}

bool parse_int(const char *text, long lowest, long highest, long *value)
{
	long v = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, *text - '0', &v))
			return false;
	}
	if (v < lowest || v > highest)
		return false;
	*value = v;
	return true;
}

int double_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t hash_bytes(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

uint64_t random_at(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}
