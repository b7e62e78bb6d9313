/*
 * cuda_fp16: half for the host; see gemmviz_real16.h.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include "gemmviz_reals.h"

#define REAL __half
#define REAL_RAW __half_raw
#define ROUND(how) __float2half##how
#define REAL2 __half2
#define FRACTION 10
#define BIAS 15
#include "gemmviz_real16.h"
#undef REAL
#undef REAL2
#undef REAL_RAW
#undef ROUND
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
/* To and from whole numbers; what is out of range is kept in it. */
#define GEMMVIZ_WHOLE(name, type, least, most) \
	GEMMVIZ_QUIET type __half2##name##_rn(const __half &a) \
	{ \
		return gemmviz_whole<type>(rint(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __half2##name##_rz(const __half &a) \
	{ \
		return gemmviz_whole<type>(gemmviz_get(a, GEMMVIZ_HERE), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __half2##name##_rd(const __half &a) \
	{ \
		return gemmviz_whole<type>(floor(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __half2##name##_ru(const __half &a) \
	{ \
		return gemmviz_whole<type>(ceil(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET __half __##name##2half_rn(type v) { return __half(v); }
GEMMVIZ_WHOLE(short, short, -32768, 32767)
GEMMVIZ_WHOLE(ushort, unsigned short, 0, 65535)
GEMMVIZ_WHOLE(int, int, -0x7fffffff - 1, 0x7fffffff)
GEMMVIZ_WHOLE(uint, unsigned int, 0, 0xffffffffu)
GEMMVIZ_WHOLE(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
GEMMVIZ_WHOLE(ull, unsigned long long, 0, 0xffffffffffffffffull)
#undef GEMMVIZ_WHOLE
/* Halves that change places. */
#define GEMMVIZ_HALVES(name, low, high) \
	GEMMVIZ_QUIET __half2 name(const __half2 &a) \
	{ \
		gemmviz_load(&a, sizeof(a), GEMMVIZ_HERE); \
		__half2 to; \
		to.x.__x = a.low.__x; \
		to.y.__x = a.high.__x; \
		return to; \
	}
GEMMVIZ_HALVES(__low2half2, x, x)
GEMMVIZ_HALVES(__high2half2, y, y)
GEMMVIZ_HALVES(__lowhigh2highlow, y, x)
#undef GEMMVIZ_HALVES
GEMMVIZ_QUIET __half2 __lows2half2(const __half2 &a, const __half2 &b)
{ return __half2(a.x, b.x); }
GEMMVIZ_QUIET __half2 __highs2half2(const __half2 &a, const __half2 &b)
{ return __half2(a.y, b.y); }
GEMMVIZ_QUIET short __half_as_short(__half a) { return (short)a.__x; }
GEMMVIZ_QUIET __half __short_as_half(short x)
{ return __ushort_as_half((unsigned short)x); }

#endif
