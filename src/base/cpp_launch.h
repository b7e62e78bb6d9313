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

/* Tests whether three words of this kind begin at i. Editors also write << <
 * and >> >, which CUDA accepts. */
bool cpp_three(const struct cpp_word *w, size_t count, size_t i, int kind);
/* Finds the bracket that closes the one at i; count when none does. */
size_t cpp_bracket_end(const struct cpp_word *w, size_t count, size_t i);
/* Reads the launch whose <<< is at i; false when there is none. */
bool cpp_launch_read(const struct cpp_word *w, size_t count, size_t i,
		     struct cpp_launch *l);

#endif
