/*
 * load_text: in which order C++17 has a text's expressions evaluated. Each byte
 * of the text has a rank: of two loads of one expression, the one whose place,
 * as g++ gives it, has the lower rank comes first.
 */
#ifndef EMU_LOAD_TEXT_H
#define EMU_LOAD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpp_words.h"

struct load_text {
	char *text;
	size_t length;
	size_t *line;		/* where each line begins */
	size_t line_count, line_capacity;
	struct cpp_word *words;
	uint32_t *pair;		/* of a bracket: the other one, or 0 */
	size_t count;
	uint32_t *rank;		/* by byte */
	bool *updated;		/* it is on the left of +=, -=, ... */
	uint32_t last;		/* rank */
};

/* Keeps a copy of the text. */
void load_text_init(struct load_text *t, const char *text);
void load_text_done(struct load_text *t);
/* The byte at a line and column, both from 1; false: none. */
bool load_text_at(const struct load_text *t, uint32_t line, uint32_t column,
		  size_t *at);

/* An argument of a call. */
struct load_argument {
	const char *last;	/* its last character */
	uint32_t rank;		/* of its value */
	/* g++ may give its load the place of the call: it surely does so, if
	 * at all, where the argument is an element without a cast. */
	bool may, is_element;
};
/* The arguments of the call whose '(' is this byte, from the left; at most
 * `most` of them. 0: there is no call. */
size_t load_text_arguments(const struct load_text *t, size_t at,
			   struct load_argument *to, size_t most);

#endif
