/* advice_source: places in a kernel's text that advice is about. It works on
 * words and knows no types: what it cannot find, it leaves as it is. */
#ifndef ANALYSIS_ADVICE_SOURCE_H
#define ANALYSIS_ADVICE_SOURCE_H

#include "base/base.h"

/* Where a shared array's last dimension stands, as offsets into the text. */
struct source_rows {
	uint32_t line, column;		/* of the array's name */
	size_t name, open, close;	/* of the name, the last [ and its ] */
};

/* Finds the declaration of a __shared__ array of at least two dimensions; of
 * several, the last before `line`. */
bool source_rows_find(const char *text, const char *name, uint32_t line,
		      struct source_rows *out);
/* Tests whether the text declares the array as extern __shared__, so that the
 * kernel itself divides it. */
bool source_is_dynamic(const char *text, const char *name);
/* Returns whether a line is in a loop's braces. */
bool source_in_loop(const char *text, uint32_t line);

struct source_place { uint32_t line; size_t at; };

/* Finds where a barrier orders accesses at two lines: before the statement that
 * contains the lower one; or, if there already is one between the lines, at the
 * end of the loop around them. Returns false if there is no such place. */
bool source_barrier_find(const char *text, uint32_t line, uint32_t other,
			 struct source_place *out);
/* Returns whether one of these words is in the line; 0: anywhere. */
bool source_has_word(const char *text, uint32_t line,
		     const char *const *words, size_t count);

/* Return changed copies of the text: with `elements` more in each row; with
 * threadIdx.x and threadIdx.y exchanged, and blockDim's as well; with a
 * barrier. The caller frees them. */
char *source_pad(const char *text, const struct source_rows *rows,
		 long elements);
char *source_exchange(const char *text);
char *source_barrier(const char *text, const struct source_place *p);

#endif
