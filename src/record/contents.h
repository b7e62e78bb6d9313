/*
 * contents: what a problem's arrays hold before the launch, for elements of any
 * type.
 */
#ifndef RECORD_CONTENTS_H
#define RECORD_CONTENTS_H

#include "record/arguments.h"

/* Describes an argument's array as a trace does: two dimensions, base 0. -1
 * with e if it is too large to be recorded. */
int contents_array(const struct plan *p, const struct argument *a,
		   struct trace_array *array, struct error *e);
/*
 * Fills an array. Inputs: small integers, easy to read, for which every sum of
 * products is exact, and 0 where a matrix is padded; fractions in a reader's
 * arrays of reals. Outputs: all bits set, which is NaN in every real type (a
 * pattern in a reader's whole numbers); numbers if the plan says so; 0 for a
 * reader's kernel that is held to no problem, which may add to it.
 */
void contents_fill(const struct plan *p, const struct argument *a,
		   const struct trace_array *array, void *to);

/* Stores in the argument the range of values in an array that was filled. */
void contents_range(const struct plan *p, struct argument *a,
		    const struct trace_array *array, const void *from);

/* Reads element n as a number; false: its type is not numeric. */
bool contents_value(enum elem elem, const void *from, uint64_t n, double *v);
/* Rounds v to an element of this type: a real of at most 32 bits. */
double contents_rounded(enum elem elem, double v);
/* Sets element n to v. */
void contents_set(enum elem elem, uint32_t bytes, void *to, uint64_t n,
		  double v);
/* Returns the bits of v as a 16-bit real, rounded to nearest even; infinity for
 * too large a value. */
uint16_t real16_round(enum elem elem, double v);

#endif
