/*
 * cuda_fp8: CUDA's reals of 8 bits for the host. e4m3 has no infinity and one
 * NaN; e5m2 is the upper half of a half. The classes saturate, as CUDA's do.
 */
#ifndef CUDA_FP8_H
#define CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/* To nearest even. */
GEMMVIZ_QUIET __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double v, __nv_saturation_t saturate,
		       __nv_fp8_interpretation_t as)
{
	int fraction = as == __NV_E4M3 ? 3 : 2, bias = as == __NV_E4M3 ? 7 : 15;
	unsigned int sign = __builtin_signbit(v) ? 0x80 : 0;
	unsigned int most = as == __NV_E4M3 ? 0x7e : 0x7b, bits = most + 1;
	int exponent = 0;

	if (__builtin_isnan(v))
		return as == __NV_E4M3 ? 0x7f : 0x7e;
	if (fabs(v) < 65536) {
		frexp(v, &exponent);
		exponent = v == 0 ? 1 - bias : max(exponent - 1, 1 - bias);
		bits = ((unsigned int)(exponent + bias - 1) << fraction) +
		       (unsigned int)rint(ldexp(fabs(v), fraction - exponent));
	}
	if (bits > most)
		bits = saturate == __NV_SATFINITE ? most : most + 1;
	return (__nv_fp8_storage_t)(sign | bits);
}

GEMMVIZ_QUIET double gemmviz_of_fp8(unsigned int x,
				    __nv_fp8_interpretation_t as)
{
	double v;

	if (as == __NV_E5M2)
		return gemmviz_of_real16((unsigned short)(x << 8), 10, 15);
	if ((x & 0x7f) == 0x7f)
		return NAN;
	v = x & 0x78 ? ldexp((x & 7) + 8, (int)(x >> 3 & 15) - 10) :
		       ldexp(x & 7, -9);
	return x & 0x80 ? -v : v;
}

GEMMVIZ_QUIET __nv_fp8_storage_t
__nv_cvt_float_to_fp8(float v, __nv_saturation_t saturate,
		      __nv_fp8_interpretation_t as)
{ return v != v ? 0x7f : __nv_cvt_double_to_fp8(v, saturate, as); }
GEMMVIZ_QUIET __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturate,
			__nv_fp8_interpretation_t as)
{
	return __nv_cvt_float_to_fp8((float)gemmviz_of_real16(v.x, 10, 15),
				     saturate, as);
}
GEMMVIZ_QUIET __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t saturate,
			    __nv_fp8_interpretation_t as)
{
	return __nv_cvt_float_to_fp8((float)gemmviz_of_real16(v.x, 7, 127),
				     saturate, as);
}
GEMMVIZ_QUIET __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturate,
			 __nv_fp8_interpretation_t as)
{
	return (__nv_fp8x2_storage_t)(
		__nv_cvt_float_to_fp8(v.x, saturate, as) |
		__nv_cvt_float_to_fp8(v.y, saturate, as) << 8);
}
GEMMVIZ_QUIET __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
						 __nv_fp8_interpretation_t as)
{
	__half_raw raw;

	raw.x = gemmviz_to_real16(gemmviz_of_fp8(x, as), 10, 15);
	return raw;
}

#define GEMMVIZ_FP8(name, as) \
	struct name { \
		__nv_fp8_storage_t __x; \
		\
		name() = default; \
		GEMMVIZ_BARE explicit name(double v) \
			: __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, as)) {} \
		GEMMVIZ_BARE explicit name(float v) \
			: __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, as)) {} \
		GEMMVIZ_BARE explicit name(int v) : name((double)v) {} \
		GEMMVIZ_BARE explicit name(unsigned int v) : name((double)v) {} \
		GEMMVIZ_BARE explicit name(long v) : name((double)v) {} \
		GEMMVIZ_BARE explicit name(unsigned long v) \
			: name((double)v) {} \
		GEMMVIZ_BARE explicit name(const __half &v) \
			: name((float)gemmviz_value(v)) \
		{ gemmviz_load(&v, sizeof(v), GEMMVIZ_HERE); } \
		GEMMVIZ_BARE explicit name(const __nv_bfloat16 &v) \
			: name((float)gemmviz_value(v)) \
		{ gemmviz_load(&v, sizeof(v), GEMMVIZ_HERE); } \
		GEMMVIZ_BARE explicit operator float() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return (float)gemmviz_of_fp8(__x, as); \
		} \
		GEMMVIZ_BARE explicit operator double() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return gemmviz_of_fp8(__x, as); \
		} \
		GEMMVIZ_BARE explicit operator __half() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return __half(gemmviz_of_fp8(__x, as)); \
		} \
		GEMMVIZ_BARE explicit operator __nv_bfloat16() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return __nv_bfloat16(gemmviz_of_fp8(__x, as)); \
		} \
	};
GEMMVIZ_FP8(__nv_fp8_e4m3, __NV_E4M3)
GEMMVIZ_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef GEMMVIZ_FP8

/* Two and four of them, the first in the lowest byte. */
#define GEMMVIZ_FP8S(pair, four, as) \
	struct pair { \
		__nv_fp8x2_storage_t __x; \
		\
		pair() = default; \
		GEMMVIZ_BARE explicit pair(float2 v) \
			: __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, as)) \
		{} \
		GEMMVIZ_BARE explicit operator float2() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return { (float)gemmviz_of_fp8(__x & 0xff, as), \
				 (float)gemmviz_of_fp8(__x >> 8, as) }; \
		} \
	}; \
	struct four { \
		__nv_fp8x4_storage_t __x; \
		\
		four() = default; \
		GEMMVIZ_BARE explicit four(float4 v) \
			: __x(__nv_cvt_float2_to_fp8x2({ v.x, v.y }, \
						       __NV_SATFINITE, as) | \
			      (__nv_fp8x4_storage_t)__nv_cvt_float2_to_fp8x2( \
				      { v.z, v.w }, __NV_SATFINITE, as) << 16) \
		{} \
		GEMMVIZ_BARE explicit operator float4() const \
		{ \
			gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
			return { (float)gemmviz_of_fp8(__x & 0xff, as), \
				 (float)gemmviz_of_fp8(__x >> 8 & 0xff, as), \
				 (float)gemmviz_of_fp8(__x >> 16 & 0xff, as), \
				 (float)gemmviz_of_fp8(__x >> 24, as) }; \
		} \
	};
GEMMVIZ_FP8S(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
GEMMVIZ_FP8S(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef GEMMVIZ_FP8S

#endif
