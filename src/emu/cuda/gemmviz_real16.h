/*
 * gemmviz_real16: one of CUDA's 16-bit reals for the host. Included once for
 * each, with REAL and REAL2 its names, FRACTION the bits of its fraction and
 * BIAS that of its exponent.
 *
 * Every operation is done in double and rounded once, to nearest even, as the
 * hardware does: 53 bits are more than twice those of the operands, so that
 * rounding twice gives what rounding once does; sums of a product that do not
 * fit are rounded to odd first.
 *
 * The compiler does not tell of structures that are passed or returned by
 * value. So copying is a function here, which tells the recorder of the load
 * and the store in the name of the kernel's line that it returns to.
 */
struct REAL {
	unsigned short __x;

	REAL() = default;
	GEMMVIZ_BARE REAL(const REAL &o)
	{ gemmviz_copy(this, &o, sizeof(*this), GEMMVIZ_HERE); }
	GEMMVIZ_BARE REAL &operator=(const REAL &o)
	{
		gemmviz_copy(this, &o, sizeof(*this), GEMMVIZ_HERE);
		return *this;
	}
	GEMMVIZ_BARE REAL(double v)
		: __x(gemmviz_to_real16(v, FRACTION, BIAS)) {}
	GEMMVIZ_BARE REAL(float v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(int v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(unsigned int v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(short v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(unsigned short v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(long v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(unsigned long v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(long long v) : REAL((double)v) {}
	GEMMVIZ_BARE REAL(unsigned long long v) : REAL((double)v) {}
	GEMMVIZ_BARE operator float() const
	{
		gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE);
		return (float)gemmviz_of_real16(__x, FRACTION, BIAS);
	}
};

struct alignas(4) REAL2 {
	REAL x, y;

	REAL2() = default;
	GEMMVIZ_BARE REAL2(const REAL2 &o)
	{ gemmviz_copy(this, &o, sizeof(*this), GEMMVIZ_HERE); }
	GEMMVIZ_BARE REAL2 &operator=(const REAL2 &o)
	{
		gemmviz_copy(this, &o, sizeof(*this), GEMMVIZ_HERE);
		return *this;
	}
	GEMMVIZ_BARE REAL2(REAL a, REAL b) { x.__x = a.__x; y.__x = b.__x; }
};

GEMMVIZ_QUIET double gemmviz_value(const REAL &a)
{ return gemmviz_of_real16(a.__x, FRACTION, BIAS); }

/* Operands are read from left to right, each from a place of its own within
 * the call: `back` many come behind it. */
#define GET(a, back) \
	gemmviz_load(&a, sizeof(a), (char *)GEMMVIZ_HERE - (back))
#define UNARY(name, result) \
	GEMMVIZ_QUIET REAL name(const REAL &a) \
	{ \
		GET(a, 0); \
		double x = gemmviz_value(a); \
		return REAL(result); \
	} \
	GEMMVIZ_QUIET REAL2 name##2(const REAL2 &a) \
	{ \
		GET(a, 0); \
		double x = gemmviz_value(a.x); \
		REAL low(result); \
		x = gemmviz_value(a.y); \
		return REAL2(low, REAL(result)); \
	}
#define OPERANDS(a, b) double x = gemmviz_value(a), y = gemmviz_value(b)
#define BINARY(name, result) \
	GEMMVIZ_QUIET REAL name(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		OPERANDS(a, b); \
		return REAL(result); \
	} \
	GEMMVIZ_QUIET REAL2 name##2(const REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		OPERANDS(a.x, b.x); \
		REAL low(result); \
		x = gemmviz_value(a.y); \
		y = gemmviz_value(b.y); \
		return REAL2(low, REAL(result)); \
	}
#define OPERATOR(sign, name) \
	BINARY(name, x sign y) \
	GEMMVIZ_QUIET REAL operator sign(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		return REAL(gemmviz_value(a) sign gemmviz_value(b)); \
	} \
	GEMMVIZ_QUIET REAL2 operator sign(const REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		return REAL2(REAL(gemmviz_value(a.x) sign \
				  gemmviz_value(b.x)), \
			     REAL(gemmviz_value(a.y) sign \
				  gemmviz_value(b.y))); \
	} \
	GEMMVIZ_QUIET REAL &operator sign##=(REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		REAL x(gemmviz_value(a) sign gemmviz_value(b)); \
		gemmviz_store(&a, sizeof(a), GEMMVIZ_HERE); \
		a.__x = x.__x; \
		return a; \
	} \
	GEMMVIZ_QUIET REAL2 &operator sign##=(REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		REAL x(gemmviz_value(a.x) sign gemmviz_value(b.x)); \
		REAL y(gemmviz_value(a.y) sign gemmviz_value(b.y)); \
		gemmviz_store(&a, sizeof(a), GEMMVIZ_HERE); \
		a.x.__x = x.__x; \
		a.y.__x = y.__x; \
		return a; \
	}
#define COMPARE(sign, name) \
	GEMMVIZ_QUIET bool name(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		return gemmviz_value(a) sign gemmviz_value(b); \
	} \
	GEMMVIZ_QUIET bool operator sign(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		return gemmviz_value(a) sign gemmviz_value(b); \
	}

UNARY(__hneg, -x)
UNARY(__habs, fabs(x))
UNARY(hsqrt, sqrt(x))
BINARY(__hmax, fmax(x, y))
BINARY(__hmin, fmin(x, y))
OPERATOR(+, __hadd)
OPERATOR(-, __hsub)
OPERATOR(*, __hmul)
OPERATOR(/, __hdiv)
COMPARE(==, __heq)
COMPARE(!=, __hne)
COMPARE(<, __hlt)
COMPARE(<=, __hle)
COMPARE(>, __hgt)
COMPARE(>=, __hge)
#undef UNARY
#undef OPERANDS
#undef BINARY
#undef OPERATOR
#undef COMPARE

GEMMVIZ_QUIET REAL operator-(const REAL &a)
{ GET(a, 0); return REAL(-gemmviz_value(a)); }
GEMMVIZ_QUIET REAL2 operator-(const REAL2 &a)
{
	GET(a, 0);
	return REAL2(REAL(-gemmviz_value(a.x)), REAL(-gemmviz_value(a.y)));
}
GEMMVIZ_QUIET bool __hisnan(const REAL &a)
{ GET(a, 0); return __builtin_isnan(gemmviz_value(a)); }
GEMMVIZ_QUIET REAL __hfma(const REAL &a, const REAL &b, const REAL &c)
{
	GET(a, 2);
	GET(b, 1);
	GET(c, 0);
	return REAL(gemmviz_sum_to_odd(gemmviz_value(a) * gemmviz_value(b),
				       gemmviz_value(c)));
}
GEMMVIZ_QUIET REAL2 __hfma2(const REAL2 &a, const REAL2 &b, const REAL2 &c)
{
	GET(a, 2);
	GET(b, 1);
	GET(c, 0);
	return REAL2(REAL(gemmviz_sum_to_odd(gemmviz_value(a.x) *
					     gemmviz_value(b.x),
					     gemmviz_value(c.x))),
		     REAL(gemmviz_sum_to_odd(gemmviz_value(a.y) *
					     gemmviz_value(b.y),
					     gemmviz_value(c.y))));
}
GEMMVIZ_QUIET float gemmviz_get(const REAL &a, void *here)
{
	gemmviz_load(&a, sizeof(a), here);
	return (float)gemmviz_value(a);
}
GEMMVIZ_QUIET float __low2float(const REAL2 &a)
{ GET(a, 0); return (float)gemmviz_value(a.x); }
GEMMVIZ_QUIET float __high2float(const REAL2 &a)
{ GET(a, 0); return (float)gemmviz_value(a.y); }
#undef GET
