/*
 * cublasLt: products of matrices whose layouts are described, with what is done
 * to their elements before they are stored, on the CPU by runtime_blas.c.
 */
#ifndef CUBLASLT_H
#define CUBLASLT_H

#include <stdio.h>
#include <string.h>

#include "cublas_v2.h"

typedef struct gemmviz_cublas *cublasLtHandle_t;

enum cublasLtOrder_t { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW,
		       CUBLASLT_ORDER_COL32, CUBLASLT_ORDER_COL4_4R2_8C,
		       CUBLASLT_ORDER_COL32_2R_4R4 };
enum cublasLtPointerMode_t {
	CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE,
	CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
	CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO,
	CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST
};
enum cublasLtEpilogue_t {
	CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2,
	CUBLASLT_EPILOGUE_RELU_AUX = 130, CUBLASLT_EPILOGUE_BIAS = 4,
	CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
	CUBLASLT_EPILOGUE_DRELU = 136, CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
	CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_AUX = 160,
	CUBLASLT_EPILOGUE_GELU_BIAS = 36, CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
	CUBLASLT_EPILOGUE_DGELU = 192, CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
	CUBLASLT_EPILOGUE_BGRADA = 256, CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatrixLayoutAttribute_t {
	CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER,
	CUBLASLT_MATRIX_LAYOUT_ROWS, CUBLASLT_MATRIX_LAYOUT_COLS,
	CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
	CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
	CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET
};
enum cublasLtMatmulDescAttributes_t {
	CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE,
	CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA,
	CUBLASLT_MATMUL_DESC_TRANSB, CUBLASLT_MATMUL_DESC_TRANSC,
	CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE,
	CUBLASLT_MATMUL_DESC_BIAS_POINTER,
	CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
	CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE,
	CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET,
	CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
	CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
	CUBLASLT_MATMUL_DESC_C_SCALE_POINTER,
	CUBLASLT_MATMUL_DESC_D_SCALE_POINTER,
	CUBLASLT_MATMUL_DESC_AMAX_D_POINTER,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER,
	CUBLASLT_MATMUL_DESC_FAST_ACCUM, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE
};
enum cublasLtMatmulPreferenceAttributes_t {
	CUBLASLT_MATMUL_PREF_SEARCH_MODE,
	CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
	CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
	CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT,
	CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
};

struct cublasLtMatrixLayoutOpaque_t {
	cudaDataType type;
	int order;
	unsigned long long rows, cols;
	long long ld, next;
	int count;
};
struct cublasLtMatmulDescOpaque_t {
	cublasComputeType_t compute;
	cudaDataType scale;
	int mode, of[3];
	gemmviz_epilogue after;		/* types of -1: D's */
};
struct cublasLtMatmulPreferenceOpaque_t { char none; };
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t { unsigned long long data[8]; };
struct cublasLtMatmulHeuristicResult_t {
	cublasLtMatmulAlgo_t algo;
	size_t workspaceSize;
	cublasStatus_t state;
	float wavesCount;
	int reserved[4];
};

GEMMVIZ_HOST cublasStatus_t cublasLtCreate(cublasLtHandle_t *h)
{ return cublasCreate(h); }
GEMMVIZ_HOST cublasStatus_t cublasLtDestroy(cublasLtHandle_t h)
{ return cublasDestroy(h); }
GEMMVIZ_HOST size_t cublasLtGetVersion()
{ return 120400; }

/* ---- layouts ---- */

GEMMVIZ_HOST cublasStatus_t
cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t l, cudaDataType type,
			 unsigned long long rows, unsigned long long cols,
			 long long ld)
{
	*l = cublasLtMatrixLayoutOpaque_t { type, CUBLASLT_ORDER_COL, rows,
					    cols, ld, 0, 1 };
	return CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type,
			   unsigned long long rows, unsigned long long cols,
			   long long ld)
{
	*l = new cublasLtMatrixLayoutOpaque_t;
	return cublasLtMatrixLayoutInit(*l, type, rows, cols, ld);
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{ delete l; return CUBLAS_STATUS_SUCCESS; }

/* Where an attribute is, and how large; NULL: what the choice of an algorithm
 * looks at, which changes no result. */
struct gemmviz_attribute { void *at; size_t bytes; };
#define GEMMVIZ_ATTRIBUTE(number, member) \
	case number: return { &of->member, sizeof(of->member) };
GEMMVIZ_HOST gemmviz_attribute
gemmviz_attribute_of(cublasLtMatrixLayout_t of,
		     cublasLtMatrixLayoutAttribute_t number)
{
	switch (number) {
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, type)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, order)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, rows)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, cols)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, ld)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, next)
	default:
		gemmviz_unplayed("this attribute of a cublasLtMatrixLayout_t");
		return { 0, 0 };
	}
}
GEMMVIZ_HOST gemmviz_attribute
gemmviz_attribute_of(cublasLtMatmulDesc_t of,
		     cublasLtMatmulDescAttributes_t number)
{
	switch (number) {
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, mode)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, of[0])
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, of[1])
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, of[2])
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, after.what)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, after.bias)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, after.bias_type)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, after.aux)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, after.aux_ld)
	GEMMVIZ_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE,
			  after.aux_type)
	case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
	case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
		return { 0, 0 };
	default:
		gemmviz_unplayed("this attribute of a cublasLtMatmulDesc_t");
		return { 0, 0 };
	}
}
#undef GEMMVIZ_ATTRIBUTE
template <class Of, class Number> GEMMVIZ_HOST cublasStatus_t
gemmviz_attribute_set(Of *of, Number number, const void *from, size_t bytes)
{
	gemmviz_attribute a = gemmviz_attribute_of(of, number);

	if (!a.at)
		return CUBLAS_STATUS_SUCCESS;
	if (!from || bytes < a.bytes)
		return CUBLAS_STATUS_INVALID_VALUE;
	memcpy(a.at, from, a.bytes);
	return CUBLAS_STATUS_SUCCESS;
}
template <class Of, class Number> GEMMVIZ_HOST cublasStatus_t
gemmviz_attribute_get(Of *of, Number number, void *to, size_t bytes,
		      size_t *written)
{
	gemmviz_attribute a = gemmviz_attribute_of(of, number);

	if (!a.at)
		gemmviz_unplayed("reading a hint of cublasLt");
	if (written)
		*written = a.bytes;
	if (!bytes && written)
		return CUBLAS_STATUS_SUCCESS;
	if (!to || bytes < a.bytes)
		return CUBLAS_STATUS_INVALID_VALUE;
	memcpy(to, a.at, a.bytes);
	return CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l,
				 cublasLtMatrixLayoutAttribute_t number,
				 const void *from, size_t bytes)
{ return gemmviz_attribute_set(l, number, from, bytes); }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t l,
				 cublasLtMatrixLayoutAttribute_t number,
				 void *to, size_t bytes, size_t *written)
{ return gemmviz_attribute_get(l, number, to, bytes, written); }

/* ---- what is computed ---- */

GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute,
		       cudaDataType scale)
{
	*d = cublasLtMatmulDescOpaque_t();
	d->compute = compute;
	d->scale = scale;
	d->after.what = CUBLASLT_EPILOGUE_DEFAULT;
	d->after.bias_type = d->after.aux_type = -1;
	return CUBLAS_STATUS_SUCCESS;
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute,
			 cudaDataType scale)
{
	*d = new cublasLtMatmulDescOpaque_t;
	return cublasLtMatmulDescInit(*d, compute, scale);
}
GEMMVIZ_HOST cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{ delete d; return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d,
			       cublasLtMatmulDescAttributes_t number,
			       const void *from, size_t bytes)
{ return gemmviz_attribute_set(d, number, from, bytes); }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t d,
			       cublasLtMatmulDescAttributes_t number, void *to,
			       size_t bytes, size_t *written)
{ return gemmviz_attribute_get(d, number, to, bytes, written); }

/* ---- which algorithm: there is one ---- */

GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t)
{ return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{ *p = new cublasLtMatmulPreferenceOpaque_t; return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{ delete p; return CUBLAS_STATUS_SUCCESS; }
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
				     cublasLtMatmulPreferenceAttributes_t,
				     const void *, size_t)
{ return CUBLAS_STATUS_SUCCESS; }

/* ---- products ---- */

/* Rows that lie one behind the other are the columns of the transposed. */
GEMMVIZ_HOST bool gemmviz_by_rows(cublasLtMatrixLayout_t l)
{
	if (l->order > CUBLASLT_ORDER_ROW)
		gemmviz_unplayed("this order of matrices in cublasLtMatmul");
	return l->order == CUBLASLT_ORDER_ROW;
}
/* K: what both have in common; 0: the sizes do not fit. */
GEMMVIZ_HOST unsigned long long
gemmviz_depth(cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a,
	      cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
	      cublasLtMatrixLayout_t to)
{
	unsigned long long m = d->of[0] ? a->cols : a->rows;
	unsigned long long k = d->of[0] ? a->rows : a->cols;
	unsigned long long n = d->of[1] ? b->rows : b->cols;

	return k == (d->of[1] ? b->cols : b->rows) && to->rows == m &&
	       to->cols == n && c->rows == m && c->cols == n &&
	       c->type == to->type && c->order == to->order &&
	       a->count == to->count && b->count == to->count &&
	       c->count == to->count ? k : 0;
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha,
	       const void *a, cublasLtMatrixLayout_t la, const void *b,
	       cublasLtMatrixLayout_t lb, const void *beta, const void *c,
	       cublasLtMatrixLayout_t lc, void *to, cublasLtMatrixLayout_t lto,
	       const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t s,
	       GEMMVIZ_AT)
{
	gemmviz_gemm g = gemmviz_gemm();
	cudaStream_t stream;
	int mode, status;

	g.k = (int)gemmviz_depth(d, la, lb, lc, lto);
	if (!g.k)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (d->mode > CUBLASLT_POINTER_MODE_DEVICE || d->of[2])
		gemmviz_unplayed("this mode of cublasLtMatmul");
	if (cublasGetStream(h, &stream) ||
	    gemmviz_cublas_mode(h, 0, &mode))
		return CUBLAS_STATUS_NOT_INITIALIZED;
	/* By rows D is the transposed product of the transposed, in turn. */
	bool rows = gemmviz_by_rows(lto);
	cublasLtMatrixLayout_t x = rows ? lb : la, y = rows ? la : lb;
	g.transposed[0] = (d->of[rows] != 0) != (gemmviz_by_rows(x) != rows);
	g.transposed[1] = (d->of[!rows] != 0) != (gemmviz_by_rows(y) != rows);
	if (rows && d->after.what != CUBLASLT_EPILOGUE_DEFAULT)
		gemmviz_unplayed("an epilogue of cublasLtMatmul in row order");
	g.m = (int)(rows ? lto->cols : lto->rows);
	g.n = (int)(rows ? lto->rows : lto->cols);
	g.count = lto->count;
	g.alpha = alpha;
	g.beta = beta;
	g.a = rows ? b : a;
	g.b = rows ? a : b;
	g.c = to;
	g.from = c && c != to ? c : 0;
	g.a_type = x->type;
	g.b_type = y->type;
	g.c_type = lto->type;
	g.scale = d->scale;
	g.lda = (int)x->ld;
	g.ldb = (int)y->ld;
	g.ldc = (int)lto->ld;
	g.from_ld = (int)lc->ld;
	g.next_a = x->next;
	g.next_b = y->next;
	g.next_c = lto->next;
	g.next_from = lc->next;
	g.name = "cublasLtMatmul";
	g.handle = h;
	g.after = d->after;
	if (g.after.bias_type < 0)
		g.after.bias_type = lto->type;
	if (g.after.aux_type < 0)
		g.after.aux_type = lto->type;
	/* A handle of cuBLAS may be one of these. */
	gemmviz_cublas_stream(h, s, 0);
	gemmviz_cublas_mode(h, d->mode, 0);
	status = gemmviz_gemm_run(&g, GEMMVIZ_LINE);
	gemmviz_cublas_stream(h, stream, 0);
	gemmviz_cublas_mode(h, mode, 0);
	return (cublasStatus_t)status;
}
GEMMVIZ_HOST cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t d,
			       cublasLtMatrixLayout_t a,
			       cublasLtMatrixLayout_t b,
			       cublasLtMatrixLayout_t c,
			       cublasLtMatrixLayout_t to,
			       cublasLtMatmulPreference_t, int wanted,
			       cublasLtMatmulHeuristicResult_t *list,
			       int *count)
{
	*count = 0;
	if (wanted < 1)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (!gemmviz_depth(d, a, b, c, to))
		return CUBLAS_STATUS_NOT_SUPPORTED;
	list[0] = cublasLtMatmulHeuristicResult_t();
	list[0].wavesCount = 1;
	*count = 1;
	return CUBLAS_STATUS_SUCCESS;
}

GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatrixTransform)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoGetIds)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoInit)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoCheck)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoCapGetAttribute)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoConfigSetAttribute)
GEMMVIZ_UNPLAYED(cublasStatus_t, cublasLtMatmulAlgoConfigGetAttribute)

#endif
