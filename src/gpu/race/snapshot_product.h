/*
 * snapshot_product: finds out whether a launch computed a product of matrices that
 * cuBLAS can compute, too. It looks at the contents of the arrays, not at
 * names.
 */
#ifndef GPU_RACE_SNAPSHOT_PRODUCT_H
#define GPU_RACE_SNAPSHOT_PRODUCT_H

#include "gpu/race/snapshot.h"

struct snapshot_product {
	/* C = A B, of m x k and k x n, by rows; A or B by columns. */
	const struct snapshot_array *a, *b, *c;
	int m, n, k;
	bool a_by_columns, b_by_columns;
	CUdeviceptr result;	/* where cuBLAS's goes */
	double error;		/* the launch's relative to cuBLAS's */
	cublasHandle_t blas;
};

/* Tests, after the launch, whether it was a product. fd is the image's file. */
bool snapshot_product_find(struct snapshot_product *p, const struct snapshot *i,
			int fd);
void snapshot_product_done(struct snapshot_product *p);
/* Launches the same product with cuBLAS; does not wait. */
int snapshot_product_launch(const struct snapshot_product *p, struct error *e);
/* Returns the name of the cuBLAS baseline, such as "cublas-fp32". */
const char *snapshot_product_baseline(const struct snapshot_product *p);

#endif
