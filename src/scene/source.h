/*
 * source: a kernel's text as the screen needs it: lines, tokens, and the
 * index expression that an access site stands for.
 */
#ifndef SCENE_SOURCE_H
#define SCENE_SOURCE_H

#include "trace/trace.h"

enum token { TOKEN_PLAIN, TOKEN_WORD, TOKEN_NUMBER, TOKEN_COMMENT };

struct source_line {
	char *text;		/* clean, tabs expanded */
	uint8_t *token;		/* enum token, one a byte of text */
};

/* A part of one line, in bytes from 0. */
struct source_span { uint32_t line; size_t start, len; };

struct source {
	struct source_line *lines;	/* line n of the text is lines[n - 1] */
	size_t count;
	/* #define NAME NUMBER, const int NAME = NUMBER and the -D's. */
	struct trace_define *constants;
	size_t constant_count;
};

struct source *source_new(const struct trace_info *info);
void source_free(struct source *s);

/*
 * Where the text names what a site touches: NAME[...]([...]...), or the bare
 * NAME, on the site's line; else the subscript on the line behind it or on
 * one of three before it. Of several, reads prefer
 * one that is not assigned to and the nearest before the column; writes the
 * one that is. False: not found.
 */
bool source_subscript(const struct source *s, const struct trace_info *info,
		      const struct trace_site *site,
		      struct source_span *span);

/*
 * The text of a span with every name that `lookup` or a constant knows
 * replaced by its number, e.g. "A[(0*64 + 9)*64 + 16 + 4]". Heap. *values
 * gets the subscripts' values, *count their number (at most
 * TRACE_MAX_RANK); *count is 0 when one could not be worked out.
 */
char *source_numbers(const struct source *s, const struct source_span *span,
		     bool (*lookup)(void *ctx, const char *name, int64_t *v),
		     void *ctx, int64_t values[TRACE_MAX_RANK],
		     size_t *count);

#endif
