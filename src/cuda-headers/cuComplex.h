/*
 * cuComplex: CUDA's complex numbers, in the order of operations that its own
 * header has.
 */
#ifndef CUCOMPLEX_H
#define CUCOMPLEX_H
/* The guard of CUDA's own header, whose name programs ask for. */
#define CU_COMPLEX_H_

#include "cuda_words.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* (name, complex, real, one letter, absolute value, square root) */
#define GEMMVIZ_COMPLEX(Full, C, R, f, fabs_of, sqrt_of) \
	GEMMVIZ_QUIET R cuCreal##f(C x) { return x.x; } \
	GEMMVIZ_QUIET R cuCimag##f(C x) { return x.y; } \
	GEMMVIZ_QUIET C make_cu##Full##Complex(R re, R im) \
	{ C c; c.x = re; c.y = im; return c; } \
	GEMMVIZ_QUIET C cuConj##f(C x) \
	{ return make_cu##Full##Complex(x.x, -x.y); } \
	GEMMVIZ_QUIET C cuCadd##f(C x, C y) \
	{ return make_cu##Full##Complex(x.x + y.x, x.y + y.y); } \
	GEMMVIZ_QUIET C cuCsub##f(C x, C y) \
	{ return make_cu##Full##Complex(x.x - y.x, x.y - y.y); } \
	GEMMVIZ_QUIET C cuCmul##f(C x, C y) \
	{ \
		return make_cu##Full##Complex(x.x * y.x - x.y * y.y, \
					      x.x * y.y + x.y * y.x); \
	} \
	GEMMVIZ_QUIET C cuCdiv##f(C x, C y) \
	{ \
		R s = 1 / (fabs_of(y.x) + fabs_of(y.y)); \
		R a = x.x * s, b = x.y * s, c = y.x * s, d = y.y * s; \
		R over = 1 / (c * c + d * d); \
		return make_cu##Full##Complex((a * c + b * d) * over, \
					      (b * c - a * d) * over); \
	} \
	GEMMVIZ_QUIET R cuCabs##f(C x) \
	{ \
		R a = fabs_of(x.x), b = fabs_of(x.y); \
		R v = a > b ? a : b, w = a > b ? b : a, t; \
		if (v == 0 || v > __DBL_MAX__ || w > __DBL_MAX__) \
			return v + w; \
		t = w / v; \
		return v * sqrt_of(1 + t * t); \
	} \
	GEMMVIZ_QUIET C cuCfma##f(C x, C y, C d) \
	{ \
		R re = x.x * y.x + d.x, im = x.x * y.y + d.y; \
		return make_cu##Full##Complex(re - x.y * y.y, \
					      im + x.y * y.x); \
	}
GEMMVIZ_COMPLEX(Float, cuFloatComplex, float, f, fabsf, sqrtf)
GEMMVIZ_COMPLEX(Double, cuDoubleComplex, double, , fabs, sqrt)
#undef GEMMVIZ_COMPLEX

GEMMVIZ_QUIET cuComplex make_cuComplex(float re, float im)
{ return make_cuFloatComplex(re, im); }
GEMMVIZ_QUIET cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{ return make_cuDoubleComplex(c.x, c.y); }
GEMMVIZ_QUIET cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{ return make_cuFloatComplex((float)c.x, (float)c.y); }

#endif
