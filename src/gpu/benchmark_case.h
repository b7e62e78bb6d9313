/*
 * benchmark_case: what takes part in a race: a kernel of the table, a reader's own
 * text, or cuBLAS. Prepared for one size at a time; what was compiled stays
 * from size to size.
 */
#ifndef GPU_BENCHMARK_CASE_H
#define GPU_BENCHMARK_CASE_H

#include "gpu/launch.h"
#include "gpu/matrices.h"
#include "gpu/benchmark_request.h"

struct benchmark_case {
	const json_t *what, *tuned;	/* of the request */
	json_t *defines;		/* as built, where it was tuned; NULL */
	bool baseline;			/* cuBLAS */
	enum precision precision;
	enum real in, out;		/* types of A and B, and of C */
	struct plan plan;
	char *key;			/* what the module was made from */
	CUmodule module;
	CUfunction function;
	struct debug_function *signature;
	struct argument arguments[ARGUMENTS_MOST];
	int argument_count;
	int registers, shared_bytes;	/* a thread, a block; or NA */
	struct matrices padded;		/* its m is 0: it takes them as they are */
	struct launch_arguments values;	/* after benchmark_case_place() */
};

/* `tuned`: tables as of tuned.h, or NULL; both stay the caller's. */
void benchmark_case_init(struct benchmark_case *t, const json_t *what, const json_t *tuned);
void benchmark_case_done(struct benchmark_case *t);

/*
 * Makes it ready for a size. -1 with e: EXIT_USAGE where it cannot take the
 * size or this GPU, EXIT_INPUT where its text is wrong, EXIT_RUNNER else.
 */
int benchmark_case_prepare(struct benchmark_case *t, const struct device *d,
		    const struct problem_sizes *size, struct error *e);
/* Makes it ready for the matrices: pads them, makes tensor maps of them. */
int benchmark_case_place(struct benchmark_case *t, const struct matrices *x,
		  struct error *e);
int benchmark_case_unpad(const struct benchmark_case *t, const struct matrices *x,
		  struct error *e);	/* its answer, to x */
void benchmark_case_release(struct benchmark_case *t);

/* Starts it once; does not wait. */
int benchmark_case_launch(const struct benchmark_case *t, const struct matrices *x,
		   struct error *e);

/* cuBLAS's handle, made when it is first needed. */
int benchmark_case_blas(cublasHandle_t *handle, struct error *e);

#endif
