/*
 * blas_element: see blas_element.h.
 */
#include "cudart/libs/blas_element.h"

#include <math.h>

#include "base/base.h"
#include "record/contents.h"

/* ---- elements ---- */

static const struct { int type; enum elem elem; uint32_t bytes; } types[] = {
	{ 0, ELEM_F32, 4 }, { 1, ELEM_F64, 8 }, { 2, ELEM_F16, 2 },
	{ 3, ELEM_I8, 1 }, { 10, ELEM_I32, 4 }, { 14, ELEM_BF16, 2 },
};

/* Returns the index in `types`; LENGTH(types): unknown type. */
static size_t find_type(int type)
{
	size_t i = 0;

	while (i < LENGTH(types) && types[i].type != type)
		i++;
	return i;
}

uint32_t blas_element_bytes(int type)
{
	size_t i = find_type(type);

	return i < LENGTH(types) ? types[i].bytes : 0;
}

double blas_element_get(int type, const void *from, size_t n)
{
	double v = 0;

	contents_value(types[find_type(type)].elem, from, n, &v);
	return v;
}

void blas_element_put(int type, void *to, size_t n, double v)
{
	size_t i = find_type(type);

	contents_set(types[i].elem, types[i].bytes, to, n, v);
}

/* ---- epilogues ---- */

/* cublasLtEpilogue_t's values are sums of these. */
enum { KEPT = 1, RELU = 2, BIAS = 4, GELU = 32, GELU_SLOPE = 64, AUX = 128 };

bool blas_epilogue_known(const struct gemmviz_epilogue *e)
{
	switch (e->what) {
	case 0: case KEPT: case RELU: case BIAS: case RELU | BIAS:
	case GELU: case GELU | BIAS: case GELU | AUX: case GELU | AUX | BIAS:
	case GELU_SLOPE | AUX:
		return true;
	default:
		return false;
	}
}

bool blas_epilogue_has_bias(const struct gemmviz_epilogue *e)
{
	return e->what & BIAS;
}

bool blas_epilogue_has_aux(const struct gemmviz_epilogue *e)
{
	return e->what & AUX;
}

/* GELU in its tanh() form: x / 2 (1 + tanh u), and its derivative. */
static const double width = 0.79788456080286535588;	/* of sqrt(2 / pi) */
static const double cube = 0.044715;

static double gelu_value(double x)
{
	return x / 2 * (1 + tanh(width * (x + cube * x * x * x)));
}

static double gelu_slope(double x)
{
	double t = tanh(width * (x + cube * x * x * x));

	return (1 + t) / 2 +
	       x / 2 * (1 - t * t) * width * (1 + 3 * cube * x * x);
}

double blas_epilogue(const struct gemmviz_epilogue *e, size_t row,
		     size_t column, double v)
{
	size_t at = row + column * (size_t)e->aux_ld;

	if (e->what & BIAS)
		v += blas_element_get(e->bias_type, e->bias, row);
	if (e->what & GELU_SLOPE)
		return v * gelu_slope(blas_element_get(e->aux_type, e->aux,
						       at));
	if (e->what & AUX)
		blas_element_put(e->aux_type, e->aux, at, v);
	return e->what & RELU ? fmax(v, 0) : e->what & GELU ? gelu_value(v) : v;
}
