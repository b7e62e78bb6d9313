/*
 * input: the contents of A and B in a recording.
 */
#ifndef KERNELS_INPUT_H
#define KERNELS_INPUT_H

#include "base/base.h"

/*
 * Returns element n, in row-major order, of A (matrix 0) or B (matrix 1): an
 * integer from -9 to 9 but not 0, so that values are legible and every sum of
 * products is exact.
 */
int input_at(uint64_t seed, int matrix, uint64_t n);
/*
 * Returns that element in a recording of a reader's kernel: a fraction with
 * seven bits, from -127/32 to 127/32 but not 0. Every real type holds it, also
 * those that tensor cores round to; but a sum of products needs more bits than
 * a half has.
 */
double input_fraction_at(uint64_t seed, int matrix, uint64_t n);

#endif
