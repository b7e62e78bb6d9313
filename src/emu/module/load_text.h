/*
 * load_text: the order in which C++17 evaluates the expressions of a text. Each
 * byte of the text has a rank: of two loads of one expression the one at the
 * place (as g++ gives it) with the lower rank comes first.
 */
#ifndef EMU_MODULE_LOAD_TEXT_H
#define EMU_MODULE_LOAD_TEXT_H

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

/* Ranks the bytes of a text, of which it keeps a copy. */
void load_text_init(struct load_text *t, const char *text);
void load_text_done(struct load_text *t);
/* Finds the byte at a line and column, both from 1; false: there is none. */
bool load_text_at(const struct load_text *t, uint32_t line, uint32_t column,
		  size_t *at);

/* An argument of a call. */
struct load_argument {
	const char *last;	/* its last character */
	uint32_t rank;		/* of its value */
	/* g++ may place its load at the call; if it does so at all, it surely
	 * does where the argument is an element without a cast. */
	bool may, is_element;
};
/* Lists the arguments of the call whose '(' is this byte, from the left, at
 * most `most` of them. Returns how many; 0: there is no call. */
size_t load_text_arguments(const struct load_text *t, size_t at,
			   struct load_argument *to, size_t most);

#endif
