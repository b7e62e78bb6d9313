/*
 * cublas_v2: cuBLAS's handles and matrix products, done on the CPU by
 * runtime_blas.c; gemmviz_cublas.h has the rest. Columns come first, as in
 * Fortran.
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
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER,
			CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED,
			   CUBLAS_ATOMICS_ALLOWED };
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

#define GEMMVIZ_GOOD(name, ...) \
	GEMMVIZ_HOST cublasStatus_t name(__VA_ARGS__) \
	{ return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t cublasCreate(cublasHandle_t *h)
{ *h = (cublasHandle_t)gemmviz_cublas_new(); return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_GOOD(cublasSetMathMode, cublasHandle_t, cublasMath_t)
GEMMVIZ_GOOD(cublasSetAtomicsMode, cublasHandle_t, cublasAtomicsMode_t)
GEMMVIZ_GOOD(cublasSetWorkspace, cublasHandle_t, void *, size_t)
#undef GEMMVIZ_GOOD
GEMMVIZ_HOST cublasStatus_t cublasDestroy(cublasHandle_t h)
{ return (cublasStatus_t)gemmviz_cublas_free(h); }
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
GEMMVIZ_HOST cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s)
{ return (cublasStatus_t)gemmviz_cublas_stream(h, s, 0); }
GEMMVIZ_HOST cublasStatus_t cublasGetStream(cublasHandle_t h, cudaStream_t *s)
{ return (cublasStatus_t)gemmviz_cublas_stream(h, 0, (void **)s); }
GEMMVIZ_HOST cublasStatus_t cublasSetPointerMode(cublasHandle_t h,
						 cublasPointerMode_t mode)
{ return (cublasStatus_t)gemmviz_cublas_mode(h, mode, 0); }
GEMMVIZ_HOST cublasStatus_t cublasGetPointerMode(cublasHandle_t h,
						 cublasPointerMode_t *mode)
{
	int is = 0, status = gemmviz_cublas_mode(h, 0, &is);

	*mode = (cublasPointerMode_t)is;
	return (cublasStatus_t)status;
}
GEMMVIZ_HOST cublasStatus_t cublasGetVersion(cublasHandle_t, int *v)
{ *v = 120400; return CUBLAS_STATUS_SUCCESS; }
#define GEMMVIZ_STATUSES(X) \
	X(CUBLAS_STATUS_SUCCESS, "success") \
	X(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized") \
	X(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed") \
	X(CUBLAS_STATUS_INVALID_VALUE, \
	  "an invalid numerical value was used as an argument") \
	X(CUBLAS_STATUS_ARCH_MISMATCH, \
	  "an absent device architectural feature is required") \
	X(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed") \
	X(CUBLAS_STATUS_EXECUTION_FAILED, \
	  "the GPU program failed to execute") \
	X(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed") \
	X(CUBLAS_STATUS_NOT_SUPPORTED, \
	  "the functionality requested is not supported") \
	X(CUBLAS_STATUS_LICENSE_ERROR, "the license could not be checked")
GEMMVIZ_HOST const char *cublasGetStatusString(cublasStatus_t s)
{
	switch (s) {
#define GEMMVIZ_STATUS(name, words) case name: return words;
	GEMMVIZ_STATUSES(GEMMVIZ_STATUS)
#undef GEMMVIZ_STATUS
	}
	return "unrecognized cublas status";
}
GEMMVIZ_HOST const char *cublasGetStatusName(cublasStatus_t s)
{
	switch (s) {
#define GEMMVIZ_STATUS(name, words) case name: return #name;
	GEMMVIZ_STATUSES(GEMMVIZ_STATUS)
#undef GEMMVIZ_STATUS
	}
	return "unrecognized cublas status";
}
#undef GEMMVIZ_STATUSES

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
	GEMMVIZ_HOST cublasStatus_t name##Batched( \
		cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
		int m, int n, int k, const T *alpha, const T *const a[], \
		int lda, const T *const b[], int ldb, const T *beta, \
		T *const c[], int ldc, int count, GEMMVIZ_AT) \
	{ \
		gemmviz_gemm g = { { ta, tb }, m, n, k, count, alpha, beta, \
				   0, 0, 0, type, type, type, type, lda, ldb, \
				   ldc, 0, 0, 0, #name "Batched", h }; \
		return (cublasStatus_t)gemmviz_gemm_batched( \
			&g, (const void *const *)a, (const void *const *)b, \
			(void *const *)c, GEMMVIZ_LINE); \
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

/* ---- copies ---- */

#define GEMMVIZ_MOVE(name, kind, s, async, ...) \
	GEMMVIZ_HOST cublasStatus_t name( \
		int rows, int columns, int bytes, const void *from, int lda, \
		void *to, int ldb __VA_ARGS__, GEMMVIZ_AT) \
	{ \
		if (rows < 0 || columns < 0 || bytes <= 0 || lda <= 0 || \
		    ldb <= 0) \
			return CUBLAS_STATUS_INVALID_VALUE; \
		return gemmviz_copy_rows(to, (size_t)ldb * bytes, from, \
					 (size_t)lda * bytes, \
					 (size_t)rows * bytes, columns, kind, \
					 s, async, #name, GEMMVIZ_LINE) ? \
		       CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS; \
	}
GEMMVIZ_MOVE(cublasSetMatrix, cudaMemcpyHostToDevice, 0, 0)
GEMMVIZ_MOVE(cublasGetMatrix, cudaMemcpyDeviceToHost, 0, 0)
GEMMVIZ_MOVE(cublasSetMatrixAsync, cudaMemcpyHostToDevice, s, 1,
	     GEMMVIZ_COMMA cudaStream_t s)
GEMMVIZ_MOVE(cublasGetMatrixAsync, cudaMemcpyDeviceToHost, s, 1,
	     GEMMVIZ_COMMA cudaStream_t s)
#undef GEMMVIZ_MOVE
#define GEMMVIZ_MOVE(name, kind, s, async, ...) \
	GEMMVIZ_HOST cublasStatus_t name( \
		int n, int bytes, const void *from, int stride_from, \
		void *to, int stride_to __VA_ARGS__, GEMMVIZ_AT) \
	{ \
		if (n < 0 || bytes <= 0 || stride_from <= 0 || stride_to <= 0) \
			return CUBLAS_STATUS_INVALID_VALUE; \
		return gemmviz_copy_rows(to, (size_t)stride_to * bytes, from, \
					 (size_t)stride_from * bytes, bytes, \
					 n, kind, s, async, #name, \
					 GEMMVIZ_LINE) ? \
		       CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS; \
	}
GEMMVIZ_MOVE(cublasSetVector, cudaMemcpyHostToDevice, 0, 0)
GEMMVIZ_MOVE(cublasGetVector, cudaMemcpyDeviceToHost, 0, 0)
GEMMVIZ_MOVE(cublasSetVectorAsync, cudaMemcpyHostToDevice, s, 1,
	     GEMMVIZ_COMMA cudaStream_t s)
GEMMVIZ_MOVE(cublasGetVectorAsync, cudaMemcpyDeviceToHost, s, 1,
	     GEMMVIZ_COMMA cudaStream_t s)
#undef GEMMVIZ_MOVE

#include "gemmviz_cublas.h"

#endif
