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

#endif
