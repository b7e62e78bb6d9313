/*
 * kernels: the table of all kernels, and what a launch of each needs. The text
 * of a kernel is src/kernels/NAME.cu, ordinary CUDA C that includes no header
 * of this project but ptx.h. Each kernel computes its problem, in the first of
 * the problem's forms; the buggy kernels try to.
 */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include "base/base.h"
#include "kernels/problem.h"
#include "trace/trace.h"

#define KERNEL_PARAMS 11

/* A macro that the kernel's text lets the build define; values[0] is the
 * default, here and in the text. */
struct kernel_param {
	const char *name;
	int values[8];		/* values built in advance; 0 ends the list */
	int lowest, highest;	/* range allowed for builds at run time */
};

struct choices;

struct kernel {
	const char *name;	/* also the name of its file, without .cu */
	/* The kernel that it is a step from: the rung below it. NULL: it is the
	 * first. */
	const char *after;
	const char *entry;	/* the __global__ function */
	const char *idea;	/* one sentence, N_() for translation */
	const struct problem *problem;	/* what the kernel computes */
	struct kernel_param params[KERNEL_PARAMS];
	/* Launch shape for M, N and K, where p holds the parameters' values. */
	struct trace_dim (*block)(const int *p);
	struct trace_dim (*grid)(const int *p, int m, int n, int k);
	/* Bytes of dynamic shared memory (the extern __shared__ array); NULL:
	 * the kernel uses none. */
	uint32_t (*shared)(const int *p);
	/* NULL, or a function that returns the sentence that says why the
	 * kernel cannot run at this size, or NULL if it can. */
	const char *(*refuses)(const int *p, int m, int n, int k);
	int align;		/* required alignment of A, B and C, bytes */
	/* NULL, or the sizes that M, N and K are rounded up to before the
	 * launch, where A and B are padded with zeros. */
	struct problem_sizes (*pad)(const int *p);
	/* Blocks per thread block cluster, along x; NULL: the kernel has no
	 * clusters. The grid's x is rounded up to whole clusters. */
	uint32_t (*cluster)(const int *p);
	/* In a persistent kernel each block computes one tile after another:
	 * the grid, one block per tile, is cut down to the blocks that are
	 * resident at once. */
	bool persistent;
	/* It touches no array before it has waited for the launches before it
	 * (griddepcontrol_wait() of ptx.h), and may be started while they
	 * end. */
	bool starts_early;
	/*
	 * The lowest architecture that the kernel compiles for, such as 80; 0:
	 * all. With arch_only its instructions exist on that architecture only.
	 */
	int arch;
	bool arch_only;
	/* The cuBLAS baseline for the kernel's types; NULL: cublas-fp32. */
	const char *(*baseline)(const int *p);
	/* The shapes that one is chosen of by size (choice.h); NULL: one suits
	 * all. */
	const struct choices *choices;
	/* The variants that the tuner tries besides, one per line, with a
	 * value for each parameter. */
	const int (*tune)[KERNEL_PARAMS];
	size_t tune_count;
	/*
	 * NULL, or one sentence, N_(), that says what is wrong with a buggy
	 * kernel. Buggy kernels (the museum of bugs) are recorded like all
	 * others but never timed.
	 */
	const char *bug;
	/* The sizes M, N and K at which its bug shows, each at most 64; NULL:
	 * it shows at any. */
	struct problem_sizes (*bites)(const int *p);
};

extern const struct kernel kernels[];
extern const size_t kernel_count;
/* Tests whether a word names a text with kernels: a CUDA source (.cu, .cuh), a
 * Python file or notebook (.py, .ipynb), or "-", the standard input. The next
 * two functions test for one of these. */
bool kernel_is_file(const char *word);
bool kernel_is_python(const char *word);
bool kernel_is_input(const char *word);
const struct kernel *kernel_find(const char *name);
/* Returns what element n, counted by rows, of A (matrix 0) or B (1) of a product
 * held before the recorded launch: fractions, if the arguments say so. */
double recorded_input(const struct trace_info *info, int matrix, uint64_t n);
/* Tests whether arrays of the launch held fractions. */
bool recorded_fractions(const struct trace_info *info);
/* Returns the problem that a trace's kernel solves. A trace that does not state
 * it is taken to be of a matrix product if its kernel is in the table. */
const struct problem *kernel_problem(const struct trace_info *info);
/* Finds a parameter by name among KERNEL_PARAMS or fewer; NULL when there is
 * none. */
const struct kernel_param *param_find(const struct kernel_param *params,
				      const char *name);
/* Finds the kernel's parameter of this name; NULL when it has none. */
const struct kernel_param *kernel_param(const struct kernel *k,
					const char *name);
/* Returns the number of the kernel's parameters. */
size_t kernel_params(const struct kernel *k);
/* Fills p, KERNEL_PARAMS numbers, with the default values of the parameters,
 * and with 0 beyond the last parameter. */
void kernel_defaults(const struct kernel *k, int *p);
/* Returns the smallest size at which to look at the kernel: M, N and K of 64
 * each, or as many times 64 as it needs. */
struct problem_sizes kernel_size(const struct kernel *k, const int *p);
/* Returns the size at which to step through the kernel. Pipelines need more
 * tiles along K than they have stages, and those of tensor cores have more. TMA
 * copies whole tiles, with zeros outside the matrix, so M and N are the largest
 * that take the same number of blocks. A buggy kernel is shown where its bug
 * shows. */
struct problem_sizes kernel_shown(const struct kernel *k, const int *p);
/* Fills p with the values of the parameters: what value_of() returns for a
 * parameter's name, or the default where it returns NULL. */
void kernel_values(const struct kernel *k, int *p,
		   const char *(*value_of)(const void *from, const char *name),
		   const void *from);

#endif
