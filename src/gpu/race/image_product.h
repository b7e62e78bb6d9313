/*
 * image_product: finds out whether a launch computed a product of matrices that
 * cuBLAS can compute, too. It looks at the contents of the arrays, not at
 * names.
 */
#ifndef GPU_RACE_IMAGE_PRODUCT_H
#define GPU_RACE_IMAGE_PRODUCT_H

#include "gpu/race/image.h"

struct image_product {
	/* C = A B, of m x k and k x n, by rows; A or B by columns. */
	const struct image_array *a, *b, *c;
	int m, n, k;
	bool a_by_columns, b_by_columns;
	CUdeviceptr result;	/* where cuBLAS's goes */
	double error;		/* the launch's relative to cuBLAS's */
	cublasHandle_t blas;
};

/* Tests, after the launch, whether it was a product. fd is the image's file. */
bool image_product_find(struct image_product *p, const struct image *i,
			int fd);
void image_product_done(struct image_product *p);
/* Launches the same product with cuBLAS; does not wait. */
int image_product_launch(const struct image_product *p, struct error *e);
/* Returns the name of the cuBLAS baseline, such as "cublas-fp32". */
const char *image_product_baseline(const struct image_product *p);

#endif
