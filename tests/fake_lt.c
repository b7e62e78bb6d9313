/*
 * fake_lt: cublasLt where there is no GPU (fake_cuda.c): four algorithms, of
 * which the last cannot compute the product, the third is the fastest, and the
 * first, which the heuristic prefers, the slowest.
 */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <stdlib.h>

#include "fake_calibrate.h"

enum { ALGORITHMS = 4 };
static const double takes[ALGORITHMS] = { 12e-3, 8e-3, 4e-3, 0 };

struct layout {
	cudaDataType type;
	int rows, columns;
};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *h)
{
	*h = (cublasLtHandle_t)&takes;
	return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusString(cublasStatus_t s)
{
	return s ? "failed" : "success";
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d,
					cublasComputeType_t computing,
					cudaDataType_t scale)
{
	(void)computing, (void)scale;
	*d = malloc(1);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{
	free(d);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *to,
					  cudaDataType type, uint64_t rows,
					  uint64_t columns, int64_t pitch)
{
	struct layout *l = malloc(sizeof(*l));

	if ((uint64_t)pitch != rows)
		abort();
	*l = (struct layout){ type, (int)rows, (int)columns };
	*to = (cublasLtMatrixLayout_t)l;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{
	free(l);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
	*p = malloc(1);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{
	free(p);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
				     cublasLtMatmulPreferenceAttributes_t what,
				     const void *value, size_t bytes)
{
	(void)p, (void)value;
	return what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES &&
			       bytes == sizeof(size_t) ?
		       CUBLAS_STATUS_SUCCESS :
		       CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
	cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a,
	cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
	cublasLtMatrixLayout_t to, cublasLtMatmulPreference_t limits, int most,
	cublasLtMatmulHeuristicResult_t found[], int *count)
{
	(void)h, (void)d, (void)a, (void)b, (void)c, (void)to, (void)limits;
	for (*count = 0; *count < most && *count < ALGORITHMS; ++*count)
		found[*count].algo.data[0] = (uint64_t)*count;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha,
	       const void *a, cublasLtMatrixLayout_t of_a, const void *b,
	       cublasLtMatrixLayout_t of_b, const void *beta, const void *c,
	       cublasLtMatrixLayout_t of_c, void *to,
	       cublasLtMatrixLayout_t of_to, const cublasLtMatmulAlgo_t *algo,
	       void *workspace, size_t bytes, cudaStream_t stream)
{
	const struct layout *x = (void *)of_a, *y = (void *)of_b;

	(void)h, (void)d, (void)c, (void)of_c, (void)of_to, (void)stream;
	if (!workspace || !bytes || algo->data[0] == ALGORITHMS - 1)
		return CUBLAS_STATUS_NOT_SUPPORTED;
	fake_spend(takes[algo->data[0]]);
	return cublasGemmEx(NULL, CUBLAS_OP_N, CUBLAS_OP_N, x->rows,
			    y->columns, x->columns, alpha, a, x->type, x->rows,
			    b, y->type, y->rows, beta, to, x->type, x->rows,
			    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
