/* benchmark_library: cuBLAS and cublasLt. See benchmark_library.h. */
#include "gpu/race/benchmark_library.h"

#include <stdlib.h>

/* The bytes of workspace that cuBLAS has by default: "32 MiB" on Hopper and
 * newer, "4 MiB" elsewhere (cuBLAS's manual, cublasSetWorkspace()). */
#define WORKSPACE_HOPPER (32u << 20)
#define WORKSPACE_OTHERS (4u << 20)
#define HOPPER 9	/* major compute capability */

static const cublasComputeType_t computing[] = {
	[PRECISION_FP32] = CUBLAS_COMPUTE_32F_PEDANTIC,
	[PRECISION_TF32] = CUBLAS_COMPUTE_32F_FAST_TF32,
	[PRECISION_16] = CUBLAS_COMPUTE_32F,
};
static const cudaDataType types[REALS] = {
	[REAL_F32] = CUDA_R_32F,
	[REAL_F16] = CUDA_R_16F,
	[REAL_BF16] = CUDA_R_16BF,
};

static void *library_pointer(CUdeviceptr p)
{
	return (void *)(uintptr_t)p;
}

/* ---- cuBLAS ---- */

int library_blas(cublasHandle_t *handle, struct error *e)
{
	static cublasHandle_t made;

	if (!made && (blas_open(e) < 0 || BLAS_TRY(e, Create, &made) < 0)) {
		made = NULL;
		return -1;
	}
	*handle = made;
	return 0;
}

/* Launches cuBLAS. It is column-major: its B A gives C by rows. */
int library_launch(const struct matrices *x, enum real type,
		   enum precision precision, struct error *e)
{
	const float one = 1, zero = 0;
	cublasHandle_t handle;

	if (library_blas(&handle, e) < 0)
		return -1;
	return BLAS_TRY(e, GemmEx, handle, CUBLAS_OP_N, CUBLAS_OP_N, x->size.n,
			x->size.m, x->size.k, &one,
			library_pointer(x->array[1][type]), types[type],
			x->size.n, library_pointer(x->array[0][type]),
			types[type], x->size.k, &zero,
			library_pointer(x->array[2][type]), types[type],
			x->size.n, computing[precision], CUBLAS_GEMM_DEFAULT);
}

/* ---- cublasLt ---- */

enum { MATRICES = 3 };

struct lt_product {
	enum real type;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t layout[MATRICES];	/* of A, B and C */
	cublasLtMatmulHeuristicResult_t found[LT_TRIED];
	int count;
};

/* What all products share; made at the first one. */
static struct {
	cublasLtHandle_t handle;
	CUdeviceptr workspace;
	size_t bytes;
} lt;

static int lt_start(const struct device *d, struct error *e)
{
	if (lt.handle)
		return 0;
	if (blas_lt_open(e) < 0)
		return -1;
	lt.bytes = d->major >= HOPPER ? WORKSPACE_HOPPER : WORKSPACE_OTHERS;
	if (CUDA_TRY(e, MemAlloc, &lt.workspace, lt.bytes) < 0)
		return -1;
	return LT_TRY(e, Create, &lt.handle);
}

/* Describes the product. It is column-major, like cuBLAS: the layouts are those
 * of the transposed matrices. */
static int lt_describe(struct lt_product *p, const struct problem_sizes *size,
		       enum precision precision, struct error *e)
{
	const int rows[MATRICES] = { size->k, size->n, size->n };
	const int columns[MATRICES] = { size->m, size->k, size->m };

	if (LT_TRY(e, MatmulDescCreate, &p->operation, computing[precision],
		   CUDA_R_32F) < 0)
		return -1;
	for (int i = 0; i < MATRICES; i++)
		if (LT_TRY(e, MatrixLayoutCreate, &p->layout[i], types[p->type],
			   (uint64_t)rows[i], (uint64_t)columns[i],
			   rows[i]) < 0)
			return -1;
	return 0;
}

static int lt_rank(struct lt_product *p, struct error *e)
{
	cublasLtMatmulPreference_t limits;
	int rc;

	if (LT_TRY(e, MatmulPreferenceCreate, &limits) < 0)
		return -1;
	rc = LT_TRY(e, MatmulPreferenceSetAttribute, limits,
		    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &lt.bytes,
		    sizeof(lt.bytes));
	if (rc == 0)
		rc = LT_TRY(e, MatmulAlgoGetHeuristic, lt.handle, p->operation,
			    p->layout[1], p->layout[0], p->layout[2],
			    p->layout[2], limits, LT_TRIED, p->found,
			    &p->count);
	blas_lt.MatmulPreferenceDestroy(limits);
	if (rc == 0 && p->count == 0)
		return error_set(e, EXIT_USAGE, "cublasLt has no algorithm for "
				 "this size");
	return rc;
}

struct lt_product *lt_product_make(const struct device *d,
				   const struct problem_sizes *size,
				   enum real type, enum precision precision,
				   struct error *e)
{
	struct lt_product *p;

	if (lt_start(d, e) < 0)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->type = type;
	if (lt_describe(p, size, precision, e) == 0 && lt_rank(p, e) == 0)
		return p;
	lt_product_free(p);
	return NULL;
}

void lt_product_free(struct lt_product *p)
{
	if (!p)
		return;
	for (int i = 0; i < MATRICES; i++)
		if (p->layout[i])
			blas_lt.MatrixLayoutDestroy(p->layout[i]);
	if (p->operation)
		blas_lt.MatmulDescDestroy(p->operation);
	free(p);
}

size_t lt_product_count(const struct lt_product *p)
{
	return (size_t)p->count;
}

int lt_product_launch(const struct lt_product *p, size_t which,
		      const struct matrices *x, struct error *e)
{
	const float one = 1, zero = 0;
	void *c = library_pointer(x->array[2][p->type]);

	return LT_TRY(e, Matmul, lt.handle, p->operation, &one,
		      library_pointer(x->array[1][p->type]), p->layout[1],
		      library_pointer(x->array[0][p->type]), p->layout[0],
		      &zero, c, p->layout[2], c, p->layout[2],
		      &p->found[which].algo, library_pointer(lt.workspace),
		      lt.bytes, NULL);
}
