/*
 * benchmark_case: one case of a benchmark: a kernel of the table, a user's own
 * text, or cuBLAS. A case is prepared for one size at a time; compiled code is
 * kept from size to size.
 */
#ifndef GPU_RACE_BENCHMARK_CASE_H
#define GPU_RACE_BENCHMARK_CASE_H

#include "gpu/race/benchmark_library.h"
#include "gpu/race/benchmark_module.h"
#include "gpu/race/benchmark_request.h"
#include "gpu/device/matrices.h"

struct benchmark_case {
	const json_t *what, *tuned;	/* of the request */
	/* the definitions built with, if tuned or chosen; else NULL */
	json_t *defines;
	/* those that a model ranks first, in its order; if not chosen by one,
	 * NULL */
	json_t *candidates;
	/* of how many of them the one in use was the fastest; 0: none were
	 * tried */
	size_t tried;
	bool baseline;			/* cuBLAS or cublasLt */
	bool lt;			/* cublasLt */
	struct lt_product *product;	/* of cublasLt, after preparing */
	size_t algorithm;		/* of the product, in use */
	enum precision precision;
	enum real in, out;		/* types of A and B, and of C */
	struct plan plan;
	bool early;			/* launches start early */
	struct benchmark_modules modules;	/* for any of the sizes */
	CUfunction function;			/* of the one in use */
	const struct debug_function *signature;
	struct argument arguments[ARGUMENTS_MOST];
	int argument_count;
	int registers, shared_bytes;	/* per thread; per block; or NA */
	struct matrices padded;	/* copies; m is 0 if the case needs none */
	struct launch_arguments values;	/* after benchmark_case_place() */
};

/* Initialises a case. `tuned` has tables as in tuned.h, or is NULL; what and
 * tuned stay the caller's. */
void benchmark_case_init(struct benchmark_case *t, const json_t *what, const json_t *tuned);
void benchmark_case_done(struct benchmark_case *t);

/* Prepares the case for a size. -1 with e: EXIT_USAGE if it cannot run at this
 * size or on this GPU, EXIT_INPUT if its text has errors, else EXIT_RUNNER. */
int benchmark_case_prepare(struct benchmark_case *t, const struct device *d,
		    const struct problem_sizes *size, struct error *e);
/* Returns the number of shapes that the model ranks first, or of algorithms
 * that cublasLt does, of which one may be taken; 0 when neither was asked. */
size_t benchmark_case_candidates(const struct benchmark_case *t);
/* Prepares the case, which was prepared with the first of them, with that
 * one. */
int benchmark_case_take(struct benchmark_case *t, const struct device *d,
			const struct problem_sizes *size, size_t which,
			struct error *e);
/* Prepares the case for the matrices: pads them, makes tensor maps of them. */
int benchmark_case_place(struct benchmark_case *t, const struct matrices *x,
		  struct error *e);
int benchmark_case_unpad(const struct benchmark_case *t, const struct matrices *x,
		  /* Copies the case's output back to x. */
		  struct error *e);
void benchmark_case_release(struct benchmark_case *t);

/* Starts the case once; does not wait. */
int benchmark_case_launch(const struct benchmark_case *t, const struct matrices *x,
		   struct error *e);

#endif
