/*
 * gemmviz_cublas: what cuBLAS does besides matrix products: vectors, a matrix
 * and vectors, triangles, sums of matrices; and products of complex numbers.
 * blas.c does it.
 */
#ifndef GEMMVIZ_CUBLAS_H
#define GEMMVIZ_CUBLAS_H

#include "cuComplex.h"
#include "gemmviz_blas.h"

GEMMVIZ_HOST cublasStatus_t gemmviz_blas_does(const gemmviz_blas &b,
					      const char *file, int line)
{ return (cublasStatus_t)gemmviz_blas_run(&b, GEMMVIZ_LINE); }

GEMMVIZ_HOST gemmviz_blas gemmviz_vectors(gemmviz_blas_what what,
					  const char *name, const void *handle,
					  int type, int n, const void *x, int sx,
					  const void *y = 0, int sy = 0)
{
	gemmviz_blas b = gemmviz_blas();

	b.what = what;
	b.name = name;
	b.handle = handle;
	b.type = b.scale = type;
	b.n = n;
	b.x = (void *)x;
	b.stride_x = sx;
	b.y = (void *)y;
	b.stride_y = sy;
	return b;
}
GEMMVIZ_HOST gemmviz_blas gemmviz_matrix(gemmviz_blas b, int m, const void *a,
					 int lda, const void *alpha = 0,
					 const void *beta = 0)
{
	b.m = m;
	b.a = a;
	b.lda = lda;
	b.alpha = alpha;
	b.beta = beta;
	return b;
}

#define GEMMVIZ_CUBLAS(name, ...) \
	GEMMVIZ_HOST cublasStatus_t name(cublasHandle_t h, __VA_ARGS__, \
					 GEMMVIZ_AT)
#define GEMMVIZ_DOES(b) { return gemmviz_blas_does(b, GEMMVIZ_LINE); }

/* x = alpha x, where alpha may be real though x is not. */
#define GEMMVIZ_SCALE(name, T, type, A, scale_type) \
	GEMMVIZ_CUBLAS(name, int n, const A *alpha, T *x, int sx) \
	{ \
		gemmviz_blas b = gemmviz_vectors(GEMMVIZ_SCAL, #name, h, type, \
						 n, x, sx); \
		b.alpha = alpha; \
		b.scale = scale_type; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}
/* *to = something of x, or of x and y. */
#define GEMMVIZ_GIVES(what, name, T, type, R) \
	GEMMVIZ_CUBLAS(name, int n, const T *x, int sx, R *to) \
	{ \
		gemmviz_blas b = gemmviz_vectors(what, #name, h, type, n, x, \
						 sx); \
		b.result = to; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}
#define GEMMVIZ_DOTS(what, name, T, type) \
	GEMMVIZ_CUBLAS(name, int n, const T *x, int sx, const T *y, int sy, \
		       T *to) \
	{ \
		gemmviz_blas b = gemmviz_vectors(what, #name, h, type, n, x, \
						 sx, y, sy); \
		b.result = to; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}
/* A = alpha x y^T + A */
#define GEMMVIZ_OUTER(what, name, T, type) \
	GEMMVIZ_CUBLAS(name, int m, int n, const T *alpha, const T *x, \
		       int sx, const T *y, int sy, T *a, int lda) \
	GEMMVIZ_DOES(gemmviz_matrix(gemmviz_vectors(what, #name, h, type, n, \
						    x, sx, y, sy), \
				    m, a, lda, alpha))
/* x = op(A) x, or what solves op(A) x' = x. */
#define GEMMVIZ_TRIANGLE(what, name, T, type) \
	GEMMVIZ_CUBLAS(name, cublasFillMode_t fill, cublasOperation_t op, \
		       cublasDiagType_t diag, int n, const T *a, int lda, \
		       T *x, int sx) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(what, #name, h, type, n, x, sx), n, a, \
			lda); \
		b.op = op; \
		b.upper = fill == CUBLAS_FILL_MODE_UPPER; \
		b.unit = diag == CUBLAS_DIAG_UNIT; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}

/* What all four types have; R is T's real type, r that in names. */
#define GEMMVIZ_ALL(L, T, type, R, r) \
	GEMMVIZ_CUBLAS(cublas##L##axpy, int n, const T *alpha, const T *x, \
		       int sx, T *y, int sy) \
	GEMMVIZ_DOES(gemmviz_matrix(gemmviz_vectors(GEMMVIZ_AXPY, \
						    "cublas" #L "axpy", h, \
						    type, n, x, sx, y, sy), \
				    0, 0, 0, alpha)) \
	GEMMVIZ_CUBLAS(cublas##L##copy, int n, const T *x, int sx, T *y, \
		       int sy) \
	GEMMVIZ_DOES(gemmviz_vectors(GEMMVIZ_COPY, "cublas" #L "copy", h, \
				     type, n, x, sx, y, sy)) \
	GEMMVIZ_CUBLAS(cublas##L##swap, int n, T *x, int sx, T *y, int sy) \
	GEMMVIZ_DOES(gemmviz_vectors(GEMMVIZ_SWAP, "cublas" #L "swap", h, \
				     type, n, x, sx, y, sy)) \
	GEMMVIZ_SCALE(cublas##L##scal, T, type, T, type) \
	GEMMVIZ_GIVES(GEMMVIZ_NRM2, cublas##r##nrm2, T, type, R) \
	GEMMVIZ_GIVES(GEMMVIZ_ASUM, cublas##r##asum, T, type, R) \
	GEMMVIZ_TRIANGLE(GEMMVIZ_TRMV, cublas##L##trmv, T, type) \
	GEMMVIZ_TRIANGLE(GEMMVIZ_TRSV, cublas##L##trsv, T, type) \
	GEMMVIZ_CUBLAS(cublas##L##gemv, cublasOperation_t op, int m, int n, \
		       const T *alpha, const T *a, int lda, const T *x, \
		       int sx, const T *beta, T *y, int sy) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_GEMV, "cublas" #L "gemv", h, \
					type, n, x, sx, y, sy), \
			m, a, lda, alpha, beta); \
		b.op = op; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	} \
	GEMMVIZ_CUBLAS(cublas##L##symv, cublasFillMode_t fill, int n, \
		       const T *alpha, const T *a, int lda, const T *x, \
		       int sx, const T *beta, T *y, int sy) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_SYMV, "cublas" #L "symv", h, \
					type, n, x, sx, y, sy), \
			n, a, lda, alpha, beta); \
		b.upper = fill == CUBLAS_FILL_MODE_UPPER; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	} \
	GEMMVIZ_CUBLAS(cublas##L##geam, cublasOperation_t op_a, \
		       cublasOperation_t op_b, int m, int n, const T *alpha, \
		       const T *a, int lda, const T *beta, const T *x, \
		       int ldb, T *c, int ldc) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_GEAM, "cublas" #L "geam", h, \
					type, n, x, ldb, c, ldc), \
			m, a, lda, alpha, beta); \
		b.op = op_a; \
		b.op_x = op_b; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	} \
	GEMMVIZ_CUBLAS(cublas##L##dgmm, cublasSideMode_t side, int m, int n, \
		       const T *a, int lda, const T *x, int sx, T *c, \
		       int ldc) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_DGMM, "cublas" #L "dgmm", h, \
					type, n, x, sx, c, ldc), \
			m, a, lda); \
		b.side = side; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	} \
	GEMMVIZ_CUBLAS(cublas##L##trsm, cublasSideMode_t side, \
		       cublasFillMode_t fill, cublasOperation_t op, \
		       cublasDiagType_t diag, int m, int n, const T *alpha, \
		       const T *a, int lda, T *x, int ldb) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_TRSM, "cublas" #L "trsm", h, \
					type, n, x, ldb), \
			m, a, lda, alpha); \
		b.side = side; \
		b.op = op; \
		b.upper = fill == CUBLAS_FILL_MODE_UPPER; \
		b.unit = diag == CUBLAS_DIAG_UNIT; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}
GEMMVIZ_ALL(S, float, CUDA_R_32F, float, S)
GEMMVIZ_ALL(D, double, CUDA_R_64F, double, D)
GEMMVIZ_ALL(C, cuComplex, CUDA_C_32F, float, Sc)
GEMMVIZ_ALL(Z, cuDoubleComplex, CUDA_C_64F, double, Dz)
#undef GEMMVIZ_ALL

#define GEMMVIZ_EXTREMES(l, T, type) \
	GEMMVIZ_GIVES(GEMMVIZ_AMAX, cublasI##l##amax, T, type, int) \
	GEMMVIZ_GIVES(GEMMVIZ_AMIN, cublasI##l##amin, T, type, int)
GEMMVIZ_EXTREMES(s, float, CUDA_R_32F)
GEMMVIZ_EXTREMES(d, double, CUDA_R_64F)
GEMMVIZ_EXTREMES(c, cuComplex, CUDA_C_32F)
GEMMVIZ_EXTREMES(z, cuDoubleComplex, CUDA_C_64F)
#undef GEMMVIZ_EXTREMES

#define GEMMVIZ_REAL(L, T, type) \
	GEMMVIZ_DOTS(GEMMVIZ_DOT, cublas##L##dot, T, type) \
	GEMMVIZ_OUTER(GEMMVIZ_GER, cublas##L##ger, T, type) \
	GEMMVIZ_CUBLAS(cublas##L##rot, int n, T *x, int sx, T *y, int sy, \
		       const T *c, const T *s) \
	GEMMVIZ_DOES(gemmviz_matrix(gemmviz_vectors(GEMMVIZ_ROT, \
						    "cublas" #L "rot", h, \
						    type, n, x, sx, y, sy), \
				    0, 0, 0, c, s))
GEMMVIZ_REAL(S, float, CUDA_R_32F)
GEMMVIZ_REAL(D, double, CUDA_R_64F)
#undef GEMMVIZ_REAL

#define GEMMVIZ_COMPLEXES(L, T, type, real_scal, R, real) \
	GEMMVIZ_DOTS(GEMMVIZ_DOT, cublas##L##dotu, T, type) \
	GEMMVIZ_DOTS(GEMMVIZ_DOTC, cublas##L##dotc, T, type) \
	GEMMVIZ_OUTER(GEMMVIZ_GER, cublas##L##geru, T, type) \
	GEMMVIZ_OUTER(GEMMVIZ_GERC, cublas##L##gerc, T, type) \
	GEMMVIZ_SCALE(real_scal, T, type, R, real) \
	GEMMVIZ_CUBLAS(cublas##L##gemm, cublasOperation_t op_a, \
		       cublasOperation_t op_b, int m, int n, int k, \
		       const T *alpha, const T *a, int lda, const T *x, \
		       int ldb, const T *beta, T *c, int ldc) \
	{ \
		gemmviz_blas b = gemmviz_matrix( \
			gemmviz_vectors(GEMMVIZ_GEMM, "cublas" #L "gemm", h, \
					type, n, x, ldb, c, ldc), \
			m, a, lda, alpha, beta); \
		b.op = op_a; \
		b.op_x = op_b; \
		b.k = k; \
		return gemmviz_blas_does(b, GEMMVIZ_LINE); \
	}
GEMMVIZ_COMPLEXES(C, cuComplex, CUDA_C_32F, cublasCsscal, float, CUDA_R_32F)
GEMMVIZ_COMPLEXES(Z, cuDoubleComplex, CUDA_C_64F, cublasZdscal, double,
		  CUDA_R_64F)
#undef GEMMVIZ_COMPLEXES

#undef GEMMVIZ_CUBLAS
#undef GEMMVIZ_DOES
#undef GEMMVIZ_SCALE
#undef GEMMVIZ_GIVES
#undef GEMMVIZ_DOTS
#undef GEMMVIZ_OUTER
#undef GEMMVIZ_TRIANGLE

#endif
