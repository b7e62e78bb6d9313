/*
 * cublas_v2: cuBLAS's matrix products and a few sums, done on the CPU by
 * runtime_blas.c. Columns come first, as in Fortran.
 */
#ifndef CUBLAS_V2_H
#define CUBLAS_V2_H
/* The guard of CUDA's own header, whose name programs ask for. */
#define CUBLAS_API_H_

#include "cuda_fp16.h"
#include "cuda_bf16.h"
#include "gemmviz_gemm.h"
#include "gemmviz_runtime.h"
#include "library_types.h"

typedef struct gemmviz_cublas *cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED,
		      CUBLAS_STATUS_ALLOC_FAILED = 3,
		      CUBLAS_STATUS_INVALID_VALUE = 7,
		      CUBLAS_STATUS_ARCH_MISMATCH = 8,
		      CUBLAS_STATUS_MAPPING_ERROR = 11,
		      CUBLAS_STATUS_EXECUTION_FAILED = 13,
		      CUBLAS_STATUS_INTERNAL_ERROR = 14,
		      CUBLAS_STATUS_NOT_SUPPORTED = 15,
		      CUBLAS_STATUS_LICENSE_ERROR = 16 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST,
			   CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH,
		    CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1,
			CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
			CUBLAS_GEMM_DFALT_TENSOR_OP = 99 };
enum cublasComputeType_t { CUBLAS_COMPUTE_16F = 64,
			   CUBLAS_COMPUTE_32F = 68,
			   CUBLAS_COMPUTE_32F_PEDANTIC = 69,
			   CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32I = 72,
			   CUBLAS_COMPUTE_32F_FAST_16F = 74,
			   CUBLAS_COMPUTE_32F_FAST_16BF = 75,
			   CUBLAS_COMPUTE_32F_FAST_TF32 = 77 };

extern "C" {
/* y = alpha x + y, x = alpha x, *y = sum of x y, *y = norm of x. */
int gemmviz_vector(char what, int n, const void *alpha, const void *x,
		   int stride_x, void *y, int stride_y, int type,
		   const char *file, int line);
}

#define GEMMVIZ_GOOD(name, ...) \
	GEMMVIZ_HOST cublasStatus_t name(__VA_ARGS__) \
	{ return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t cublasCreate(cublasHandle_t *h)
{ *h = (cublasHandle_t)gemmviz_cublas_new(); return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_GOOD(cublasDestroy, cublasHandle_t)
GEMMVIZ_GOOD(cublasSetMathMode, cublasHandle_t, cublasMath_t)
GEMMVIZ_GOOD(cublasSetPointerMode, cublasHandle_t, cublasPointerMode_t)
GEMMVIZ_GOOD(cublasSetWorkspace, cublasHandle_t, void *, size_t)
#undef GEMMVIZ_GOOD
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
GEMMVIZ_HOST cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s)
{ gemmviz_cublas_stream(h, s); return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t cublasGetVersion(cublasHandle_t, int *v)
{ *v = 120400; return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST const char *cublasGetStatusString(cublasStatus_t s)
{ return s ? "the call failed" : "success"; }
GEMMVIZ_HOST const char *cublasGetStatusName(cublasStatus_t s)
{ return s ? "CUBLAS_STATUS_EXECUTION_FAILED" : "CUBLAS_STATUS_SUCCESS"; }

#define GEMMVIZ_GEMM(name, T, type) \
	GEMMVIZ_HOST cublasStatus_t name##StridedBatched( \
		cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
		int m, int n, int k, const T *alpha, const T *a, int lda, \
		long long next_a, const T *b, int ldb, long long next_b, \
		const T *beta, T *c, int ldc, long long next_c, int count, \
		GEMMVIZ_AT) \
	{ \
		gemmviz_gemm g = { { ta, tb }, m, n, k, count, alpha, beta, \
				   a, b, c, type, type, type, type, lda, ldb, \
				   ldc, next_a, next_b, next_c, #name, h }; \
		return (cublasStatus_t)gemmviz_gemm_run(&g, GEMMVIZ_LINE); \
	} \
	GEMMVIZ_HOST cublasStatus_t name( \
		cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
		int m, int n, int k, const T *alpha, const T *a, int lda, \
		const T *b, int ldb, const T *beta, T *c, int ldc, \
		GEMMVIZ_AT) \
	{ \
		return name##StridedBatched(h, ta, tb, m, n, k, alpha, a, \
					    lda, 0, b, ldb, 0, beta, c, ldc, \
					    0, 1, GEMMVIZ_LINE); \
	}
GEMMVIZ_GEMM(cublasSgemm, float, CUDA_R_32F)
GEMMVIZ_GEMM(cublasDgemm, double, CUDA_R_64F)
GEMMVIZ_GEMM(cublasHgemm, __half, CUDA_R_16F)
#undef GEMMVIZ_GEMM

/* alpha and beta have the type that is computed in. */
GEMMVIZ_HOST int gemmviz_scale(cublasComputeType_t compute)
{
	return compute == CUBLAS_COMPUTE_16F ? CUDA_R_16F :
	       compute == CUBLAS_COMPUTE_64F ? CUDA_R_64F :
	       compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I : CUDA_R_32F;
}
GEMMVIZ_HOST int gemmviz_scale(cudaDataType type) { return type; }
template <class Compute, class Algorithm>
GEMMVIZ_HOST cublasStatus_t cublasGemmStridedBatchedEx(
	cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
	int n, int k, const void *alpha, const void *a, cudaDataType a_type,
	int lda, long long next_a, const void *b, cudaDataType b_type, int ldb,
	long long next_b, const void *beta, void *c, cudaDataType c_type,
	int ldc, long long next_c, int count, Compute compute, Algorithm,
	GEMMVIZ_AT)
{
	gemmviz_gemm g = { { ta, tb }, m, n, k, count, alpha, beta, a, b, c,
			   a_type, b_type, c_type, gemmviz_scale(compute),
			   lda, ldb, ldc, next_a, next_b, next_c,
			   "cublasGemmStridedBatchedEx", h };
	return (cublasStatus_t)gemmviz_gemm_run(&g, GEMMVIZ_LINE);
}
template <class Compute, class Algorithm>
GEMMVIZ_HOST cublasStatus_t cublasGemmEx(
	cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
	int n, int k, const void *alpha, const void *a, cudaDataType a_type,
	int lda, const void *b, cudaDataType b_type, int ldb, const void *beta,
	void *c, cudaDataType c_type, int ldc, Compute compute,
	Algorithm algorithm, GEMMVIZ_AT)
{
	return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, a_type,
					  lda, 0, b, b_type, ldb, 0, beta, c,
					  c_type, ldc, 0, 1, compute,
					  algorithm, GEMMVIZ_LINE);
}

#define GEMMVIZ_VECTORS(letter, T, type) \
	GEMMVIZ_HOST cublasStatus_t cublas##letter##axpy( \
		cublasHandle_t, int n, const T *alpha, const T *x, int sx, \
		T *y, int sy, GEMMVIZ_AT) \
	{ \
		return (cublasStatus_t)gemmviz_vector('a', n, alpha, x, sx, \
						      y, sy, type, \
						      GEMMVIZ_LINE); \
	} \
	GEMMVIZ_HOST cublasStatus_t cublas##letter##scal( \
		cublasHandle_t, int n, const T *alpha, T *x, int sx, \
		GEMMVIZ_AT) \
	{ \
		return (cublasStatus_t)gemmviz_vector('s', n, alpha, x, sx, \
						      x, sx, type, \
						      GEMMVIZ_LINE); \
	}
GEMMVIZ_VECTORS(S, float, CUDA_R_32F)
GEMMVIZ_VECTORS(D, double, CUDA_R_64F)
#undef GEMMVIZ_VECTORS

GEMMVIZ_HOST cublasStatus_t cublasSetVector(int n, int bytes, const void *from,
					    int stride_from, void *to,
					    int stride_to, GEMMVIZ_AT)
{
	return gemmviz_copy_rows(to, (size_t)stride_to * bytes, from,
				 (size_t)stride_from * bytes, bytes, n,
				 cudaMemcpyHostToDevice, 0, 0, "cublasSetVector",
				 GEMMVIZ_LINE) ?
	       CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t cublasGetVector(int n, int bytes, const void *from,
					    int stride_from, void *to,
					    int stride_to, GEMMVIZ_AT)
{
	return gemmviz_copy_rows(to, (size_t)stride_to * bytes, from,
				 (size_t)stride_from * bytes, bytes, n,
				 cudaMemcpyDeviceToHost, 0, 0, "cublasGetVector",
				 GEMMVIZ_LINE) ?
	       CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes,
					    const void *from, int lda,
					    void *to, int ldb, GEMMVIZ_AT)
{
	return gemmviz_copy_rows(to, (size_t)ldb * bytes, from,
				 (size_t)lda * bytes, (size_t)rows * bytes,
				 columns, cudaMemcpyHostToDevice, 0, 0,
				 "cublasSetMatrix", GEMMVIZ_LINE) ?
	       CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes,
					    const void *from, int lda,
					    void *to, int ldb, GEMMVIZ_AT)
{
	return gemmviz_copy_rows(to, (size_t)ldb * bytes, from,
				 (size_t)lda * bytes, (size_t)rows * bytes,
				 columns, cudaMemcpyDeviceToHost, 0, 0,
				 "cublasGetMatrix", GEMMVIZ_LINE) ?
	       CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

#endif
