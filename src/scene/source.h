/*
 * source: a kernel's text as the screen needs it: lines, tokens, and the index
 * expression of an access site.
 */
#ifndef SCENE_SOURCE_H
#define SCENE_SOURCE_H

#include "trace/trace.h"

enum token { TOKEN_PLAIN, TOKEN_WORD, TOKEN_NUMBER, TOKEN_COMMENT };

struct source_line {
	char *text;		/* cleaned (text.h), tabs expanded */
	uint8_t *token;		/* enum token, one a byte of text */
};

/* A part of one line; start and len in bytes, from 0. */
struct source_span { uint32_t line; size_t start, len; };

struct source {
	struct source_line *lines;	/* line n of the text is lines[n - 1] */
	size_t count;		/* at least one, if only an empty one */
	/* Constants from #define NAME NUMBER, const int NAME = NUMBER and
	 * -D. */
	struct trace_define *constants;
	size_t constant_count;
};

struct source *source_new(const struct trace_info *info);
void source_free(struct source *s);

/*
 * Finds the words for what a site accesses: NAME[...]([...]...), or the bare
 * NAME, on the site's line; else the subscript on the next line or on one of
 * the three before it. If there are several, a read takes one that is not
 * assigned to, and the nearest before the column; a write takes the one that is
 * assigned to. Returns false if there is none.
 */
bool source_subscript(const struct source *s, const struct trace_info *info,
		      const struct trace_site *site,
		      struct source_span *span);

/*
 * Returns the text of a span in which every name that `lookup` or a constant
 * knows is replaced by its number, such as "A[(0*64 + 9)*64 + 16 + 4]"; the
 * caller frees it. *values gets the values of the subscripts, *count their
 * number (at most TRACE_MAX_RANK), which is 0 if one could not be computed.
 */
char *source_numbers(const struct source *s, const struct source_span *span,
		     bool (*lookup)(void *ctx, const char *name, int64_t *v),
		     void *ctx, int64_t values[TRACE_MAX_RANK],
		     size_t *count);

#endif
