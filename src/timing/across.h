/*
 * across: what several GPUs achieved with products that the program across_gpus
 * divides among them, compared with one GPU and with the link between two
 * (data/across-*.json, from bench/across.cu).
 */
#ifndef TIMING_ACROSS_H
#define TIMING_ACROSS_H

#include "base/base.h"

/* What was timed of a product: see the file's `by` in data/README.md. */
enum across_by { ACROSS_CUBLAS, ACROSS_SGEMM, ACROSS_ALL, ACROSS_FIRST,
		 ACROSS_PRODUCTS, ACROSS_PANELS, ACROSS_BYS };
int across_by_from(const char *word);	/* or -1 */

/* A product of n x n x n. On one GPU there are no panels. */
struct across_run {
	enum across_by by;
	int n, gpus, rows, columns;	/* of the grid of GPUs */
	int panel;
	double seconds;		/* the median */
	double spread;		/* by how much of it the samples differ */
};

struct across {
	char *gpu, *date;
	struct across_run *runs;
	size_t count, capacity;
	/* Bytes a second from one GPU to another, of the most bytes sent, by
	 * a copy and by NCCL's broadcast; NA: not measured. */
	double copied, broadcast;
};

/* Reads the text of such a file; NULL with e. */
struct across *across_parse(const char *text, size_t len, struct error *e);
void across_free(struct across *a);
/* Returns the newest file for this GPU (NULL: any), or else the newest of all,
 * read once; NULL when there is none. */
const struct across *across_measured(const char *gpu);

/*
 * Finds the fastest run of this kind, size and number of GPUs; for products and
 * panels alone, the one with the panels of the fastest ACROSS_ALL. NULL when
 * not measured.
 */
const struct across_run *across_find(const struct across *a, enum across_by by,
				     int n, int gpus);
/* Returns the least seconds in which a run's GPUs can receive the parts of A
 * and of B that they lack, each at the speed of a copy, all at once. NA when
 * not known. */
double across_limit(const struct across *a, const struct across_run *r);

#endif
