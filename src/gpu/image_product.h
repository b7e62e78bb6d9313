/*
 * image_product: whether what a launch did is a product of matrices, which
 * cuBLAS can be asked for, too: found by what its arrays hold, not by names.
 */
#ifndef GPU_IMAGE_PRODUCT_H
#define GPU_IMAGE_PRODUCT_H

#include "gpu/image.h"

struct image_product {
	/* C = A B, of m x k and k x n, by rows; A or B by columns. */
	const struct image_array *a, *b, *c;
	int m, n, k;
	bool a_by_columns, b_by_columns;
	CUdeviceptr result;	/* where cuBLAS's goes */
	double error;		/* the launch's relative to cuBLAS's */
	cublasHandle_t blas;
};

/* After the launch: true if it is one. The file is the image's. */
bool image_product_find(struct image_product *p, const struct image *i,
			int fd);
void image_product_done(struct image_product *p);
/* Has cuBLAS do the same; does not wait. */
int image_product_launch(const struct image_product *p, struct error *e);
/* "cublas-fp32" */
const char *image_product_baseline(const struct image_product *p);

#endif
