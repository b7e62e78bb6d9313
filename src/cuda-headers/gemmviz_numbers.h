/*
 * gemmviz_numbers: CUDA's functions of numbers that C++ has no name for. The
 * fast ones, whose last bits differ from GPU to GPU, are the exact ones.
 */
#ifndef GEMMVIZ_NUMBERS_H
#define GEMMVIZ_NUMBERS_H

/* glibc has functions of these names, and shows them. */
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __tanhf(x) tanhf(x)
#define __powf(x, y) powf(x, y)
#define __exp10f(x) exp10f(x)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define sinpif(x) gemmviz_sinpif(x)
#define cospif(x) gemmviz_cospif(x)

GEMMVIZ_QUIET float __saturatef(float x)
{ return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }
GEMMVIZ_QUIET float __frsqrt_rn(float x) { return (float)(1 / sqrt((double)x)); }
GEMMVIZ_QUIET float fdividef(float a, float b) { return a / b; }
GEMMVIZ_QUIET float rcbrtf(float x) { return 1 / cbrtf(x); }
GEMMVIZ_QUIET float norm3df(float a, float b, float c)
{ return (float)sqrt((double)a * a + (double)b * b + (double)c * c); }
GEMMVIZ_QUIET float rnorm3df(float a, float b, float c)
{ return 1 / norm3df(a, b, c); }
GEMMVIZ_QUIET float gemmviz_sinpif(float x)
{ return (float)sin(M_PI * remainder((double)x, 2.0)); }
GEMMVIZ_QUIET float gemmviz_cospif(float x)
{ return (float)cos(M_PI * remainder((double)x, 2.0)); }
GEMMVIZ_QUIET double __dsub_rn(double a, double b) { return a - b; }
GEMMVIZ_QUIET double __ddiv_rn(double a, double b) { return a / b; }
GEMMVIZ_QUIET double __drcp_rn(double a) { return 1 / a; }
GEMMVIZ_QUIET double __dsqrt_rn(double a) { return sqrt(a); }

/* Converts x to the range from `least` to `most`; NaN becomes `none` (PTX ISA,
 * cvt: 0 from 32 bits to at most 32, else the type's highest bit). */
template <class T>
GEMMVIZ_QUIET T gemmviz_whole(double x, T least, T most, T none)
{
	return !(x == x) ? none : x <= (double)least ? least :
	       x >= (double)most ? most : (T)x;
}
#define GEMMVIZ_WHOLE(name, from, type, least, most, none) \
	GEMMVIZ_QUIET type name##_rn(from x) \
	{ return gemmviz_whole<type>(rint((double)x), least, most, none); } \
	GEMMVIZ_QUIET type name##_rz(from x) \
	{ return gemmviz_whole<type>(trunc((double)x), least, most, none); } \
	GEMMVIZ_QUIET type name##_rd(from x) \
	{ return gemmviz_whole<type>(floor((double)x), least, most, none); } \
	GEMMVIZ_QUIET type name##_ru(from x) \
	{ return gemmviz_whole<type>(ceil((double)x), least, most, none); }
#define GEMMVIZ_WHOLES(name, type, least, most, high) \
	GEMMVIZ_WHOLE(__float2##name, float, type, least, most, 0) \
	GEMMVIZ_WHOLE(__double2##name, double, type, least, most, high)
#define GEMMVIZ_LONGS(name, type, least, most, high) \
	GEMMVIZ_WHOLE(__float2##name, float, type, least, most, high) \
	GEMMVIZ_WHOLE(__double2##name, double, type, least, most, high)
GEMMVIZ_WHOLES(int, int, -0x7fffffff - 1, 0x7fffffff, -0x7fffffff - 1)
GEMMVIZ_WHOLES(uint, unsigned int, 0, 0xffffffffu, 0x80000000u)
GEMMVIZ_LONGS(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
	      -0x7fffffffffffffffll - 1)
GEMMVIZ_LONGS(ull, unsigned long long, 0, 0xffffffffffffffffull,
	      0x8000000000000000ull)
#undef GEMMVIZ_LONGS
#undef GEMMVIZ_WHOLES
#undef GEMMVIZ_WHOLE
GEMMVIZ_QUIET float __int2float_rn(int x) { return (float)x; }
GEMMVIZ_QUIET float __uint2float_rn(unsigned int x) { return (float)x; }
GEMMVIZ_QUIET float __ll2float_rn(long long x) { return (float)x; }
GEMMVIZ_QUIET double __int2double_rn(int x) { return x; }
GEMMVIZ_QUIET float __double2float_rn(double x) { return (float)x; }
GEMMVIZ_QUIET long long __double_as_longlong(double x)
{ long long v; memcpy(&v, &x, sizeof(v)); return v; }
GEMMVIZ_QUIET double __longlong_as_double(long long x)
{ double v; memcpy(&v, &x, sizeof(v)); return v; }
GEMMVIZ_QUIET double __hiloint2double(int high, int low)
{
	return __longlong_as_double((long long)
		((unsigned long long)(unsigned int)high << 32 |
		 (unsigned int)low));
}
GEMMVIZ_QUIET int __double2hiint(double x)
{ return (int)(__double_as_longlong(x) >> 32); }
GEMMVIZ_QUIET int __double2loint(double x)
{ return (int)__double_as_longlong(x); }

GEMMVIZ_QUIET unsigned int umin(unsigned int a, unsigned int b)
{ return a < b ? a : b; }
GEMMVIZ_QUIET unsigned int umax(unsigned int a, unsigned int b)
{ return a > b ? a : b; }
GEMMVIZ_QUIET unsigned int __brev(unsigned int x)
{
	unsigned int y = 0;

	for (int i = 0; i < 32; i++)
		y |= (x >> i & 1) << (31 - i);
	return y;
}
GEMMVIZ_QUIET unsigned long long __brevll(unsigned long long x)
{
	return (unsigned long long)__brev((unsigned int)x) << 32 |
	       __brev((unsigned int)(x >> 32));
}
/* Each digit of the selector picks one of eight bytes; 8 more: its sign. */
GEMMVIZ_QUIET unsigned int __byte_perm(unsigned int x, unsigned int y,
				       unsigned int selector)
{
	unsigned long long both = (unsigned long long)y << 32 | x;
	unsigned int result = 0;

	for (int i = 0; i < 4; i++)
		result |= (unsigned int)(both >> 8 * (selector >> 4 * i & 7) &
					 255) << 8 * i;
	return result;
}
GEMMVIZ_QUIET unsigned int __funnelshift_l(unsigned int low, unsigned int high,
					   unsigned int by)
{
	return (unsigned int)((((unsigned long long)high << 32 | low) <<
			       (by & 31)) >> 32);
}
GEMMVIZ_QUIET unsigned int __funnelshift_r(unsigned int low, unsigned int high,
					   unsigned int by)
{
	return (unsigned int)(((unsigned long long)high << 32 | low) >>
			      (by & 31));
}
GEMMVIZ_QUIET unsigned int __sad(int a, int b, unsigned int c)
{ return (a > b ? (unsigned int)a - b : (unsigned int)b - a) + c; }
GEMMVIZ_QUIET unsigned int __usad(unsigned int a, unsigned int b,
				  unsigned int c)
{ return (a > b ? a - b : b - a) + c; }
GEMMVIZ_QUIET unsigned long long __umul64hi(unsigned long long a,
					    unsigned long long b)
{ return (unsigned long long)((unsigned __int128)a * b >> 64); }
GEMMVIZ_QUIET long long __mul64hi(long long a, long long b)
{ return (long long)((__int128)a * b >> 64); }
GEMMVIZ_QUIET unsigned int __vadd4(unsigned int a, unsigned int b)
{
	return ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
}

/* Nothing here depends on these. */
GEMMVIZ_QUIET void __prof_trigger(int) {}
GEMMVIZ_QUIET void __brkpt(void) {}

#endif
