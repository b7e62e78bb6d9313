/*
 * contents: what a problem's arrays hold before the launch, element by element
 * of whatever type.
 */
#ifndef RECORD_CONTENTS_H
#define RECORD_CONTENTS_H

#include "record/arguments.h"

/* An array as one of a trace: two dimensions, base 0. -1 with e when it is too
 * large to be recorded. */
int contents_array(const struct plan *p, const struct argument *a,
		   struct trace_array *array, struct error *e);
/* Inputs: small whole numbers, legible, of which every sum of products is
 * exact, and 0 where a matrix is padded. Outputs: all bits set, NaN in every
 * real type; 0 for a reader's own kernel, which may add to it. */
void contents_fill(const struct plan *p, const struct argument *a,
		   const struct trace_array *array, void *to);

/* Element n as a number; false: it is of a type that is none. */
bool contents_value(enum elem elem, const void *from, uint64_t n, double *v);
/* v as such an element holds it: rounded to a real of at most 32 bits. */
double contents_rounded(enum elem elem, double v);
/* Element n becomes this number. */
void contents_set(enum elem elem, uint32_t bytes, void *to, uint64_t n,
		  double v);
bool elem_is_real(enum elem e);
/* The bits of a real of 16 bits, to nearest even; what is too large becomes
 * infinity. */
uint16_t real16_round(enum elem elem, double v);

#endif
