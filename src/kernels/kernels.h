/*
 * kernels: the one table that lists the kernels, and what a launch of each
 * needs. Their text is src/kernels/NAME.cu: ordinary CUDA C that includes
 * nothing of ours but ptx.h. Each computes its problem, in the first of its
 * forms; buggy kernels try to.
 */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include "base/base.h"
#include "kernels/problem.h"
#include "trace/trace.h"

#define KERNEL_PARAMS 8

/* A macro that the text leaves open; the first value is the default, there
 * as here. */
struct kernel_param {
	const char *name;
	int values[8];		/* built beforehand; 0 ends the list */
	int lowest, highest;	/* what a run-time build may take */
};

struct kernel {
	const char *name;	/* also the text's file name, without .cu */
	const char *entry;	/* the __global__ function */
	const char *idea;	/* one sentence, N_() for translation */
	const struct problem *problem;	/* what it computes */
	struct kernel_param params[KERNEL_PARAMS];
	/* Launch shape for M, N, K with the parameters' values p. */
	struct trace_dim (*block)(const int *p);
	struct trace_dim (*grid)(const int *p, int m, int n, int k);
	/* Bytes of its extern __shared__ array; NULL: it has none. */
	uint32_t (*shared)(const int *p);
	/* NULL, or the sentence that says why it cannot take this size. */
	const char *(*refuses)(const int *p, int m, int n, int k);
	int align;		/* bytes that A, B and C must be aligned to */
	/* NULL, or what M, N and K are rounded up to multiples of, and A and
	 * B filled up with zeros, before it is launched. */
	struct problem_sizes (*pad)(const int *p);
	/* Blocks of a cluster, along x; NULL: it has none. The grid's x is
	 * rounded up to whole clusters. */
	uint32_t (*cluster)(const int *p);
	/* Each block works on one tile after the other: the grid, one block a
	 * tile, is cut down to the blocks that run at once. */
	bool persistent;
	/* The lowest architecture that it can be compiled for, as 80; 0: all.
	 * With arch_only, its instructions are that one's alone. */
	int arch;
	bool arch_only;
	/* The cuBLAS of its types; NULL: cublas-fp32. */
	const char *(*baseline)(const int *p);
	/* What the tuner tries: a value of each parameter a line. */
	const int (*tune)[KERNEL_PARAMS];
	size_t tune_count;
	/* NULL, or what is wrong with it, one sentence, N_(): a piece of the
	 * museum of bugs, which is recorded like all others but never raced. */
	const char *bug;
};

extern const struct kernel kernels[];
extern const size_t kernel_count;
/* Whether a word names a file with a kernel (.cu, .cuh). */
bool kernel_is_file(const char *word);
const struct kernel *kernel_find(const char *name);
/* What a trace's kernel computes. Traces that do not say it are of products
 * where they are of a kernel of the table. */
const struct problem *kernel_problem(const struct trace_info *info);
/* A parameter of this name, or NULL. */
const struct kernel_param *kernel_param(const struct kernel *k,
					const char *name);
/* How many it has. */
size_t kernel_params(const struct kernel *k);
/* The first of their values, KERNEL_PARAMS numbers; 0 where there is none. */
void kernel_defaults(const struct kernel *k, int *p);
/* Their values: `value_of` says what one was defined as, or NULL; else the
 * default. */
void kernel_values(const struct kernel *k, int *p,
		   const char *(*value_of)(const void *from, const char *name),
		   const void *from);

#endif
