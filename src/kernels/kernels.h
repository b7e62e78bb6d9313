/*
 * kernels: the one table that lists the kernels, and what a launch of each
 * needs. Their text is src/kernels/NAME.cu: ordinary CUDA C that includes
 * nothing of ours. Each computes C = A B, row-major, A M x K, B K x N,
 * C M x N, pitch = columns; those of the museum try to.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "../base.h"
#include "../trace.h"

/* A macro that the text leaves open; the first value is the default. */
struct kernel_param {
	const char *name;
	int values[8];		/* built beforehand; 0 ends the list */
	int lowest, highest;	/* what a run-time build may take */
};

struct kernel {
	const char *name;	/* also the text's file name, without .cu */
	const char *entry;	/* the __global__ function */
	const char *idea;	/* one sentence, N_() for translation */
	struct kernel_param params[2];
	/* Launch shape for M, N, K with the parameters' values p. */
	struct trace_dim (*block)(const int *p);
	struct trace_dim (*grid)(const int *p, int m, int n, int k);
	/* Bytes of its extern __shared__ array; NULL: it has none. */
	uint32_t (*shared)(const int *p);
	/* NULL, or the sentence that says why it cannot take this size. */
	const char *(*refuses)(const int *p, int m, int n, int k);
	int align;		/* bytes that A, B and C must be aligned to */
	/* M, N and K are rounded up to multiples of its first parameter, and
	 * A and B filled up with zeros, before it is launched. */
	bool pad;
	/* NULL, or what is wrong with it, one sentence, N_(): a piece of the
	 * museum of bugs, which is recorded like all others but never raced. */
	const char *museum;
};

extern const struct kernel kernels[];
extern const size_t kernel_count;
const struct kernel *kernel_find(const char *name);

#endif
