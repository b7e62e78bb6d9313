/*
 * input: what A and B hold in a recording.
 */
#ifndef KERNELS_INPUT_H
#define KERNELS_INPUT_H

#include "base/base.h"

/* Element n, counted row after row, of A (matrix 0) or B (1): -9 to 9 without
 * 0, which is legible, and of which every sum of products is exact. */
int input_at(uint64_t seed, int matrix, uint64_t n);

#endif
