/* judge_input: what the arrays of a call hold. */
#ifndef PRACTICE_JUDGE_INPUT_H
#define PRACTICE_JUDGE_INPUT_H

#include "practice/rung.h"

/* Returns element n of the input that argument `a` of the call with this number
 * gets; each type of elements holds it exactly. */
double judge_input(const struct rung *r, uint64_t seed, size_t call, size_t a,
		   uint64_t n);
/* Writes a value as an element of a type; returns its bytes. */
size_t judge_encode(enum elem elem, double v, unsigned char *to);
/* Returns the relative error of one operation in this type. */
double judge_unit(enum elem elem);

#endif
