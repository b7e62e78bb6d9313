/*
 * gemmviz_reals: rounding to reals of 16 bits, for gemmviz_real16.h. What C++
 * makes of isnan() and the like is recorded as a call; built-ins are not.
 */
#ifndef GEMMVIZ_REALS_H
#define GEMMVIZ_REALS_H

/* To nearest even; what is too large becomes infinity. */
GEMMVIZ_QUIET unsigned short gemmviz_to_real16(double v, int fraction,
					       int bias)
{
	unsigned int sign = __builtin_signbit(v) ? 0x8000 : 0;
	unsigned int infinity = 0x7fff >> fraction << fraction, bits;
	int exponent = 0;

	if (__builtin_isnan(v))
		return 0x7fff;
	if (__builtin_isinf(v))
		return (unsigned short)(sign | infinity);
	/* The exponent of the first bit; of subnormal ones, the lowest. */
	frexp(v, &exponent);
	exponent = v == 0 ? 1 - bias : max(exponent - 1, 1 - bias);
	if (exponent > bias)
		return (unsigned short)(sign | infinity);
	bits = ((unsigned int)(exponent + bias - 1) << fraction) +
	       (unsigned int)rint(ldexp(fabs(v), fraction - exponent));
	return (unsigned short)(sign | bits);
}

GEMMVIZ_QUIET double gemmviz_of_real16(unsigned short x, int fraction,
				       int bias)
{
	int exponent = (x & 0x7fff) >> fraction;
	int low = x & ((1 << fraction) - 1);
	double v = low;

	if (exponent == 0x7fff >> fraction)
		v = low ? NAN : INFINITY;
	else if (exponent)
		v = ldexp(low + (1 << fraction), exponent - bias - fraction);
	else
		v = ldexp(low, 1 - bias - fraction);
	return x & 0x8000 ? -v : v;
}

/* The sum; where it is inexact, that one of its neighbours whose last bit is
 * 1, so that rounding it once more is rounding the sum. */
GEMMVIZ_QUIET double gemmviz_sum_to_odd(double a, double b)
{
	double sum = a + b, part = sum - a;
	double rest = (a - (sum - part)) + (b - part);
	long long bits;

	if (!(rest != 0) || __builtin_isinf(sum) || __builtin_isnan(sum))
		return sum;
	__builtin_memcpy(&bits, &sum, sizeof(bits));
	if (!(bits & 1))
		bits += (rest > 0) == (sum > 0) ? 1 : -1;
	__builtin_memcpy(&sum, &bits, sizeof(sum));
	return sum;
}

/* A real of 16 bits, as bits and before it was rounded. */
struct gemmviz_rounded { unsigned short bits; double exact; };
#ifdef __SANITIZE_THREAD__
/* The last product of the running thread: in this function, of pairs both. */
struct gemmviz_last_product {
	gemmviz_rounded half[2];
	void *frame;
	int fraction;
};
extern "C" gemmviz_last_product *gemmviz_product(void);
GEMMVIZ_QUIET void gemmviz_keep_product(gemmviz_rounded product, int fraction,
					int half, void *frame)
{
	gemmviz_last_product *last = gemmviz_product();

	last->half[half].bits = product.bits;
	last->half[half].exact = product.exact;
	last->frame = frame;
	last->fraction = fraction;
}
GEMMVIZ_QUIET bool gemmviz_is_product(const gemmviz_rounded &a, int fraction,
				      int half, void *frame)
{
	const gemmviz_last_product *last = gemmviz_product();

	return last->frame == frame && last->fraction == fraction &&
	       last->half[half].bits == a.bits;
}
/* The sum of a and sign * b. The thread's last product is added as it was before
 * it was rounded, as nvcc fuses it. */
GEMMVIZ_QUIET double gemmviz_sum16(const gemmviz_rounded &a,
				   const gemmviz_rounded &b, int sign,
				   int fraction, int half, void *frame)
{
	double exact = gemmviz_product()->half[half].exact;

	if (gemmviz_is_product(a, fraction, half, frame))
		return gemmviz_sum_to_odd(exact, sign * b.exact);
	if (gemmviz_is_product(b, fraction, half, frame))
		return gemmviz_sum_to_odd(a.exact, sign * exact);
	return a.exact + sign * b.exact;
}
#else
GEMMVIZ_QUIET void gemmviz_keep_product(const gemmviz_rounded &, int, int,
					void *)
{}
GEMMVIZ_QUIET double gemmviz_sum16(const gemmviz_rounded &a,
				   const gemmviz_rounded &b, int sign, int,
				   int, void *)
{ return a.exact + sign * b.exact; }
#endif

#endif
