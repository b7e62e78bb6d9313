/*
 * cuda_bf16: __nv_bfloat16 for the host; see gemmviz_real16.h.
 */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#include "gemmviz_reals.h"

#define REAL __nv_bfloat16
#define REAL_RAW __nv_bfloat16_raw
#define WORD(before, after) before##bfloat16##after
#define REAL2 __nv_bfloat162
#define FRACTION 7
#define BIAS 127
#include "gemmviz_real16.h"
#undef REAL
#undef REAL2
#undef REAL_RAW
#undef WORD
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
