/*
 * cuda_fp16: half for the host; see gemmviz_real16.h.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "gemmviz_reals.h"

#define REAL __half
#define REAL_RAW __half_raw
#define WORD(before, after) before##half##after
#define REAL2 __half2
#define FRACTION 10
#define BIAS 15
#include "gemmviz_real16.h"
#undef REAL
#undef REAL2
#undef REAL_RAW
#undef WORD
#undef FRACTION
#undef BIAS

typedef __half half;
typedef __half2 half2;

GEMMVIZ_QUIET __half __float2half(float v) { return __half(v); }
GEMMVIZ_QUIET __half __float2half_rn(float v) { return __half(v); }
GEMMVIZ_QUIET __half __double2half(double v) { return __half(v); }
GEMMVIZ_QUIET float __half2float(const __half &a)
{ return gemmviz_get(a, GEMMVIZ_HERE); }
GEMMVIZ_QUIET __half2 __float2half2_rn(float v)
{ return __half2(__half(v), __half(v)); }
GEMMVIZ_QUIET __half2 __floats2half2_rn(float x, float y)
{ return __half2(__half(x), __half(y)); }
GEMMVIZ_QUIET __half2 __float22half2_rn(float2 v)
{ return __half2(__half(v.x), __half(v.y)); }
GEMMVIZ_QUIET float2 __half22float2(__half2 a)
{ return { (float)gemmviz_value(a.x), (float)gemmviz_value(a.y) }; }
GEMMVIZ_QUIET __half2 __half2half2(__half a) { return __half2(a, a); }
GEMMVIZ_QUIET __half2 __halves2half2(__half x, __half y)
{ return __half2(x, y); }
GEMMVIZ_QUIET __half2 make_half2(__half x, __half y)
{ return __half2(x, y); }
GEMMVIZ_QUIET __half __low2half(__half2 a) { return a.x; }
GEMMVIZ_QUIET __half __high2half(__half2 a) { return a.y; }
GEMMVIZ_QUIET unsigned short __half_as_ushort(__half a) { return a.__x; }
GEMMVIZ_QUIET __half __ushort_as_half(unsigned short x)
{ __half a; a.__x = x; return a; }
GEMMVIZ_QUIET short __half_as_short(__half a) { return (short)a.__x; }
GEMMVIZ_QUIET __half __short_as_half(short x)
{ return __ushort_as_half((unsigned short)x); }

#endif
