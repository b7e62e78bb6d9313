/*
 * cpp_launch: launches in CUDA text, k<<<grid, block>>>(arguments), in its
 * words without blanks (cpp_code()).
 */
#ifndef BASE_CPP_LAUNCH_H
#define BASE_CPP_LAUNCH_H

#include "base/cpp_words.h"

struct cpp_launch {
	size_t name;		/* the kernel's first word */
	size_t open, close;	/* the first of <<<, of >>> */
	size_t end;		/* the parenthesis that ends the arguments */
};

/* Whether three words of this kind begin at i. Editors write << < and >> >,
 * too, which CUDA takes. */
bool cpp_three(const struct cpp_word *w, size_t count, size_t i, int kind);
/* The bracket that closes the one at i; count: none does. */
size_t cpp_bracket_end(const struct cpp_word *w, size_t count, size_t i);
/* The launch whose <<< is at i; false: it is none. */
bool cpp_launch_read(const struct cpp_word *w, size_t count, size_t i,
		     struct cpp_launch *l);

#endif
