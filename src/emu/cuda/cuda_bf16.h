/*
 * cuda_bf16: __nv_bfloat16 for the host; see gemmviz_real16.h.
 */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#include "gemmviz_reals.h"

#define REAL __nv_bfloat16
#define REAL_RAW __nv_bfloat16_raw
#define ROUND(how) __float2bfloat16##how
#define REAL2 __nv_bfloat162
#define FRACTION 7
#define BIAS 127
#include "gemmviz_real16.h"
#undef REAL
#undef REAL2
#undef REAL_RAW
#undef ROUND
#undef FRACTION
#undef BIAS

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

GEMMVIZ_QUIET __nv_bfloat16 __float2bfloat16(float v)
{ return __nv_bfloat16(v); }
GEMMVIZ_QUIET __nv_bfloat16 __float2bfloat16_rn(float v)
{ return __nv_bfloat16(v); }
GEMMVIZ_QUIET __nv_bfloat16 __double2bfloat16(double v)
{ return __nv_bfloat16(v); }
GEMMVIZ_QUIET float __bfloat162float(const __nv_bfloat16 &a)
{ return gemmviz_get(a, GEMMVIZ_HERE); }
GEMMVIZ_QUIET __nv_bfloat162 __float2bfloat162_rn(float v)
{ return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v)); }
GEMMVIZ_QUIET __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{ return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y)); }
GEMMVIZ_QUIET float2 __bfloat1622float2(__nv_bfloat162 a)
{ return { (float)gemmviz_value(a.x), (float)gemmviz_value(a.y) }; }
GEMMVIZ_QUIET __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{ return __nv_bfloat162(a, a); }
GEMMVIZ_QUIET __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x,
						__nv_bfloat16 y)
{ return __nv_bfloat162(x, y); }
GEMMVIZ_QUIET unsigned short __bfloat16_as_ushort(__nv_bfloat16 a)
{ return a.__x; }
GEMMVIZ_QUIET __nv_bfloat16 __ushort_as_bfloat16(unsigned short x)
{ __nv_bfloat16 a; a.__x = x; return a; }
/* To and from whole numbers; what is out of range is kept in it. */
#define GEMMVIZ_WHOLE(name, type, least, most) \
	GEMMVIZ_QUIET type __bfloat162##name##_rn(const __nv_bfloat16 &a) \
	{ \
		return gemmviz_whole<type>(rint(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __bfloat162##name##_rz(const __nv_bfloat16 &a) \
	{ \
		return gemmviz_whole<type>(gemmviz_get(a, GEMMVIZ_HERE), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __bfloat162##name##_rd(const __nv_bfloat16 &a) \
	{ \
		return gemmviz_whole<type>(floor(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET type __bfloat162##name##_ru(const __nv_bfloat16 &a) \
	{ \
		return gemmviz_whole<type>(ceil(gemmviz_get(a, GEMMVIZ_HERE)), \
					   least, most); \
	} \
	GEMMVIZ_QUIET __nv_bfloat16 __##name##2bfloat16_rn(type v) { return __nv_bfloat16(v); }
GEMMVIZ_WHOLE(short, short, -32768, 32767)
GEMMVIZ_WHOLE(ushort, unsigned short, 0, 65535)
GEMMVIZ_WHOLE(int, int, -0x7fffffff - 1, 0x7fffffff)
GEMMVIZ_WHOLE(uint, unsigned int, 0, 0xffffffffu)
GEMMVIZ_WHOLE(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
GEMMVIZ_WHOLE(ull, unsigned long long, 0, 0xffffffffffffffffull)
#undef GEMMVIZ_WHOLE
/* Halves that change places. */
#define GEMMVIZ_HALVES(name, low, high) \
	GEMMVIZ_QUIET __nv_bfloat162 name(const __nv_bfloat162 &a) \
	{ \
		gemmviz_load(&a, sizeof(a), GEMMVIZ_HERE); \
		__nv_bfloat162 to; \
		to.x.__x = a.low.__x; \
		to.y.__x = a.high.__x; \
		return to; \
	}
GEMMVIZ_HALVES(__low2bfloat162, x, x)
GEMMVIZ_HALVES(__high2bfloat162, y, y)
GEMMVIZ_HALVES(__lowhigh2highlow, y, x)
#undef GEMMVIZ_HALVES
GEMMVIZ_QUIET __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 &a, const __nv_bfloat162 &b)
{ return __nv_bfloat162(a.x, b.x); }
GEMMVIZ_QUIET __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 &a, const __nv_bfloat162 &b)
{ return __nv_bfloat162(a.y, b.y); }
GEMMVIZ_QUIET __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 &a)
{ return a.x; }
GEMMVIZ_QUIET __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 &a)
{ return a.y; }
GEMMVIZ_QUIET __nv_bfloat162 __float22bfloat162_rn(float2 v)
{ return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)); }
GEMMVIZ_QUIET __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{ return __nv_bfloat162(x, y); }
GEMMVIZ_QUIET short __bfloat16_as_short(__nv_bfloat16 a)
{ return (short)a.__x; }

#endif
