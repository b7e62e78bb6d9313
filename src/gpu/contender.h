/*
 * entrant: what takes part in a race: a kernel of the table, a reader's own
 * text, or cuBLAS. Prepared for one size at a time; what was compiled stays
 * from size to size.
 */
#ifndef GPU_ENTRANT_H
#define GPU_ENTRANT_H

#include "gpu/launch.h"
#include "gpu/matrices.h"
#include "gpu/benchmark_request.h"

struct entrant {
	const json_t *what, *tuned;	/* of the request */
	json_t *defines;		/* as built, where it was tuned; NULL */
	bool rival;			/* cuBLAS */
	enum precision precision;
	enum real in, out;		/* types of A and B, and of C */
	struct plan plan;
	char *key;			/* what the module was made from */
	CUmodule module;
	CUfunction function;
	struct debug_function *signature;
	struct argument arguments[MATRIX_ARGUMENTS];
	int argument_count;
	int registers, shared_bytes;	/* a thread, a block; or NA */
	struct matrices padded;		/* m is 0: it takes them as they are */
	struct launch_arguments values;	/* after entrant_place() */
};

/* `tuned`: tables as of tuned.h, or NULL; both stay the caller's. */
void entrant_init(struct entrant *t, const json_t *what, const json_t *tuned);
void entrant_done(struct entrant *t);

/*
 * Makes it ready for a size. -1 with e: EXIT_USAGE where it cannot take the
 * size or this GPU, EXIT_INPUT where its text is wrong, EXIT_RUNNER else.
 */
int entrant_prepare(struct entrant *t, const struct device *d,
		    const struct trial_size *size, struct error *e);
/* Makes it ready for the matrices: pads them, makes tensor maps of them. */
int entrant_place(struct entrant *t, const struct matrices *x,
		  struct error *e);
int entrant_unpad(const struct entrant *t, const struct matrices *x,
		  struct error *e);	/* its answer, to x */
void entrant_release(struct entrant *t);

/* Starts it once; does not wait. */
int entrant_launch(const struct entrant *t, const struct matrices *x,
		   struct error *e);

/* cuBLAS's handle, made when it is first needed. */
int entrant_blas(cublasHandle_t *handle, struct error *e);

#endif
