/*
 * gemmviz_blas.h: what cuBLAS does to vectors, and to matrices besides products,
 * as gemmviz_cublas.h asks the recorder for it, in C and in C++. The
 * operations are those of the cuBLAS documentation ("cuBLAS Level-1", "Level-2"
 * and "BLAS-like Extension").
 */
#ifndef GEMMVIZ_BLAS_H
#define GEMMVIZ_BLAS_H

#ifdef __cplusplus
extern "C" {
#endif

enum gemmviz_blas_what {
	/* Vectors x and y of n elements; some give *result. */
	GEMMVIZ_AXPY, GEMMVIZ_SCAL, GEMMVIZ_COPY, GEMMVIZ_SWAP, GEMMVIZ_ROT,
	GEMMVIZ_DOT, GEMMVIZ_DOTC, GEMMVIZ_NRM2, GEMMVIZ_ASUM, GEMMVIZ_AMAX,
	GEMMVIZ_AMIN,
	/* A matrix of m x n, or a triangle of n x n, and vectors. */
	GEMMVIZ_GEMV, GEMMVIZ_GER, GEMMVIZ_GERC, GEMMVIZ_SYMV, GEMMVIZ_TRMV,
	GEMMVIZ_TRSV,
	/* C of m x n. */
	GEMMVIZ_GEAM, GEMMVIZ_DGMM, GEMMVIZ_TRSM, GEMMVIZ_GEMM
};

/* Its numbers are cuBLAS's. x and y stand for the vectors, or for the second
 * and the third matrix; their strides may be negative. */
struct gemmviz_blas {
	enum gemmviz_blas_what what;
	const char *name;	/* the call's */
	const void *handle;
	int type, scale;	/* of the elements; of alpha and beta */
	int op, op_x, side, upper, unit;
	int m, n, k;
	const void *alpha, *beta, *a;
	int lda;
	void *x;
	int stride_x;
	void *y;
	int stride_y;
	void *result;
};

/* Returns a cublasStatus_t. */
int gemmviz_blas_run(const struct gemmviz_blas *b, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
