/*
 * gemmviz_real16: one of CUDA's 16-bit reals for the host. Included once for
 * each, with REAL and REAL2 its names, WORD(before, after) a function's name with
 * its short name in it, FRACTION the bits of its fraction and BIAS that of its
 * exponent.
 *
 * Every operation is done in double and rounded once, to nearest even, as the
 * hardware does: 53 bits are more than twice those of the operands, so that
 * rounding twice gives what rounding once does; sums of a product that do not
 * fit are rounded to odd first.
 *
 * Copying is a function here, which tells the recorder of the load and the
 * store in the name of the kernel's line that it returns to.
 */
struct REAL_RAW { unsigned short x; };

struct REAL {
	unsigned short __x;

	REAL() = default;
	GEMMVIZ_BARE REAL(const REAL_RAW &raw) : __x(raw.x) {}
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
	GEMMVIZ_BARE operator REAL_RAW() const
	{
		gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE);
		return { __x };
	}
	GEMMVIZ_BARE operator bool() const
	{
		gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE);
		return (__x & 0x7fff) != 0;
	}
#define WHOLE(type, least, most, none) \
	GEMMVIZ_BARE operator type() const \
	{ \
		gemmviz_load(this, sizeof(*this), GEMMVIZ_HERE); \
		return gemmviz_whole<type>( \
			gemmviz_of_real16(__x, FRACTION, BIAS), least, most, \
			none); \
	}
	WHOLE(char, -128, 127, 0)
	WHOLE(signed char, -128, 127, 0)
	WHOLE(unsigned char, 0, 255, 0)
	WHOLE(short, -32768, 32767, 0)
	WHOLE(unsigned short, 0, 65535, 0)
	WHOLE(int, -0x7fffffff - 1, 0x7fffffff, 0)
	WHOLE(unsigned int, 0, 0xffffffffu, 0)
	WHOLE(long, -0x7fffffffffffffffl - 1, 0x7fffffffffffffffl,
	      -0x7fffffffffffffffl - 1)
	WHOLE(unsigned long, 0, 0xfffffffffffffffful, 0x8000000000000000ul)
	WHOLE(long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
	      -0x7fffffffffffffffll - 1)
	WHOLE(unsigned long long, 0, 0xffffffffffffffffull,
	      0x8000000000000000ull)
#undef WHOLE
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
#define UNARY(name, name2, result) \
	GEMMVIZ_QUIET REAL name(const REAL &a) \
	{ \
		GET(a, 0); \
		double x = gemmviz_value(a); \
		return REAL(result); \
	} \
	GEMMVIZ_QUIET REAL2 name2(const REAL2 &a) \
	{ \
		GET(a, 0); \
		double x = gemmviz_value(a.x); \
		REAL low(result); \
		x = gemmviz_value(a.y); \
		return REAL2(low, REAL(result)); \
	}
#define OPERANDS(a, b) double x = gemmviz_value(a), y = gemmviz_value(b)
#define OF_TWO(type, name, result) \
	GEMMVIZ_QUIET type name(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		OPERANDS(a, b); \
		return type(result); \
	}
#define OF_PAIRS(name, result) \
	GEMMVIZ_QUIET REAL2 name(const REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		OPERANDS(a.x, b.x); \
		REAL low(result); \
		x = gemmviz_value(a.y); \
		y = gemmviz_value(b.y); \
		return REAL2(low, REAL(result)); \
	}
#define BINARY(name, name2, result) \
	OF_TWO(REAL, name, result) \
	OF_PAIRS(name2, result)
/* An operation by its sign and its function, which gets both operands and the
 * number of the half. */
#define OPERATED(name, name2, of) \
	GEMMVIZ_QUIET REAL name(const REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		return of(a, b, 0, __builtin_frame_address(1)); \
	} \
	GEMMVIZ_QUIET REAL2 name2(const REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		REAL low = of(a.x, b.x, 0, __builtin_frame_address(1)); \
		return REAL2(low, of(a.y, b.y, 1, \
				     __builtin_frame_address(1))); \
	}
#define OPERATOR(sign, name, of) \
	OPERATED(name, name##2, of) \
	OPERATED(operator sign, operator sign, of) \
	BINARY(name##_rn, name##2_rn, x sign y) \
	GEMMVIZ_QUIET REAL &operator sign##=(REAL &a, const REAL &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		REAL x = of(a, b, 0, __builtin_frame_address(1)); \
		gemmviz_store(&a, sizeof(a), GEMMVIZ_HERE); \
		a.__x = x.__x; \
		return a; \
	} \
	GEMMVIZ_QUIET REAL2 &operator sign##=(REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		REAL x = of(a.x, b.x, 0, __builtin_frame_address(1)); \
		REAL y = of(a.y, b.y, 1, __builtin_frame_address(1)); \
		gemmviz_store(&a, sizeof(a), GEMMVIZ_HERE); \
		a.x.__x = x.__x; \
		a.y.__x = y.__x; \
		return a; \
	}
/* Nothing in these is recorded. */
GEMMVIZ_QUIET REAL gemmviz_real_of(double v, const REAL &)
{
	REAL_RAW raw = { gemmviz_to_real16(v, FRACTION, BIAS) };

	return raw;
}
GEMMVIZ_QUIET REAL gemmviz_plus(const REAL &a, const REAL &b, int half,
				void *frame)
{
	return gemmviz_real_of(gemmviz_sum16(
		{ a.__x, gemmviz_value(a) }, { b.__x, gemmviz_value(b) }, 1,
		FRACTION, half, frame), a);
}
GEMMVIZ_QUIET REAL gemmviz_minus(const REAL &a, const REAL &b, int half,
				 void *frame)
{
	return gemmviz_real_of(gemmviz_sum16(
		{ a.__x, gemmviz_value(a) }, { b.__x, gemmviz_value(b) }, -1,
		FRACTION, half, frame), a);
}
GEMMVIZ_QUIET REAL gemmviz_times(const REAL &a, const REAL &b, int half,
				 void *frame)
{
	double exact = gemmviz_value(a) * gemmviz_value(b);
	REAL_RAW raw = { gemmviz_to_real16(exact, FRACTION, BIAS) };

	gemmviz_keep_product({ raw.x, exact }, FRACTION, half, frame);
	return raw;
}
GEMMVIZ_QUIET REAL gemmviz_over(const REAL &a, const REAL &b, int, void *)
{ return gemmviz_real_of(gemmviz_value(a) / gemmviz_value(b), a); }
/* Of pairs: 1 or 0 for each half, or whether both are so. */
#define COMPARED(name, name2, both, result) \
	OF_TWO(bool, name, result) \
	OF_PAIRS(name2, result) \
	GEMMVIZ_QUIET bool both(const REAL2 &a, const REAL2 &b) \
	{ \
		GET(a, 1); \
		GET(b, 0); \
		OPERANDS(a.x, b.x); \
		bool low = result; \
		x = gemmviz_value(a.y); \
		y = gemmviz_value(b.y); \
		return low && (result); \
	}
#define COMPARE(sign, name) \
	COMPARED(__h##name, __h##name##2, __hb##name##2, \
		 x == x && y == y && x sign y) \
	COMPARED(__h##name##u, __h##name##u2, __hb##name##u2, \
		 x != x || y != y || x sign y) \
	OF_TWO(bool, operator sign, x sign y)

UNARY(__hneg, __hneg2, -x)
UNARY(__habs, __habs2, fabs(x))
UNARY(hsqrt, h2sqrt, sqrt(x))
UNARY(hrsqrt, h2rsqrt, 1 / sqrt(x))
UNARY(hrcp, h2rcp, 1 / x)
UNARY(hexp, h2exp, exp(x))
UNARY(hexp2, h2exp2, exp2(x))
UNARY(hexp10, h2exp10, exp10(x))
UNARY(hlog, h2log, log(x))
UNARY(hlog2, h2log2, log2(x))
UNARY(hlog10, h2log10, log10(x))
UNARY(hsin, h2sin, sin(x))
UNARY(hcos, h2cos, cos(x))
UNARY(htanh, h2tanh, tanh(x))
UNARY(hfloor, h2floor, floor(x))
UNARY(hceil, h2ceil, ceil(x))
UNARY(htrunc, h2trunc, trunc(x))
UNARY(hrint, h2rint, rint(x))
BINARY(__hmax, __hmax2, fmax(x, y))
BINARY(__hmin, __hmin2, fmin(x, y))
/* NaN wins; what is saturated is in 0 .. 1, and NaN is 0. */
BINARY(__hmax_nan, __hmax2_nan, x != x ? x : y != y ? y : fmax(x, y))
BINARY(__hmin_nan, __hmin2_nan, x != x ? x : y != y ? y : fmin(x, y))
BINARY(__hadd_sat, __hadd2_sat, fmin(fmax(x + y, 0), 1))
BINARY(__hsub_sat, __hsub2_sat, fmin(fmax(x - y, 0), 1))
BINARY(__hmul_sat, __hmul2_sat, fmin(fmax(x * y, 0), 1))
OPERATOR(+, __hadd, gemmviz_plus)
OPERATOR(-, __hsub, gemmviz_minus)
OPERATOR(*, __hmul, gemmviz_times)
OPERATOR(/, __hdiv, gemmviz_over)
COMPARE(==, eq)
COMPARE(!=, ne)
COMPARE(<, lt)
COMPARE(<=, le)
COMPARE(>, gt)
COMPARE(>=, ge)
#undef UNARY
#undef OPERANDS
#undef OF_TWO
#undef OF_PAIRS
#undef BINARY
#undef OPERATOR
#undef OPERATED
#undef COMPARED
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

/* The nearest one is one too far, or is not. */
#define ROUNDED(name, too_far, back) \
	GEMMVIZ_QUIET REAL name(double v) \
	{ \
		REAL a(v); \
		double r = gemmviz_value(a); \
		if (too_far) \
			a.__x += back; \
		return a; \
	}
ROUNDED(WORD(__float2, _rz), fabs(r) > fabs(v), -1)
ROUNDED(WORD(__float2, _rd), r > v, a.__x & 0x8000 ? 1 : -1)
ROUNDED(WORD(__float2, _ru), r < v, a.__x & 0x8000 ? -1 : 1)
#undef ROUNDED

/* To whole numbers and from them; what is out of range is kept in it. */
#define WHOLE(name, type, least, most, none, result) \
	GEMMVIZ_QUIET type name(const REAL &a) \
	{ \
		float x = gemmviz_get(a, GEMMVIZ_HERE); \
		return gemmviz_whole<type>(result, least, most, none); \
	}
#define WHOLES(name, type, least, most, none) \
	WHOLE(WORD(__, 2##name##_rn), type, least, most, none, rint(x)) \
	WHOLE(WORD(__, 2##name##_rz), type, least, most, none, x) \
	WHOLE(WORD(__, 2##name##_rd), type, least, most, none, floor(x)) \
	WHOLE(WORD(__, 2##name##_ru), type, least, most, none, ceil(x)) \
	GEMMVIZ_QUIET REAL WORD(__##name##2, _rn)(type v) { return REAL(v); }
WHOLES(short, short, -32768, 32767, 0)
WHOLES(ushort, unsigned short, 0, 65535, 0)
WHOLES(int, int, -0x7fffffff - 1, 0x7fffffff, 0)
WHOLES(uint, unsigned int, 0, 0xffffffffu, 0)
WHOLES(ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll,
       -0x7fffffffffffffffll - 1)
WHOLES(ull, unsigned long long, 0, 0xffffffffffffffffull,
       0x8000000000000000ull)
#undef WHOLE
#undef WHOLES

/* Halves that change places. */
#define HALVES(name, low, high) \
	GEMMVIZ_QUIET REAL2 name(const REAL2 &a) \
	{ \
		GET(a, 0); \
		REAL2 to; \
		to.x.__x = a.low.__x; \
		to.y.__x = a.high.__x; \
		return to; \
	}
HALVES(WORD(__low2, 2), x, x)
HALVES(WORD(__high2, 2), y, y)
HALVES(__lowhigh2highlow, y, x)
#undef HALVES
GEMMVIZ_QUIET REAL2 WORD(__lows2, 2)(const REAL2 &a, const REAL2 &b)
{ return REAL2(a.x, b.x); }
GEMMVIZ_QUIET REAL2 WORD(__highs2, 2)(const REAL2 &a, const REAL2 &b)
{ return REAL2(a.y, b.y); }

GEMMVIZ_QUIET REAL atomicAdd(REAL *at, const REAL &v)
{
	REAL old;

	GET(v, 1);
	gemmviz_atomic(at, sizeof(*at), GEMMVIZ_HERE);
	old.__x = at->__x;
	at->__x = REAL(gemmviz_value(old) + gemmviz_value(v)).__x;
	return old;
}
GEMMVIZ_QUIET REAL2 atomicAdd(REAL2 *at, const REAL2 &v)
{
	REAL2 old;

	GET(v, 1);
	gemmviz_atomic(at, sizeof(*at), GEMMVIZ_HERE);
	old.x.__x = at->x.__x;
	old.y.__x = at->y.__x;
	at->x.__x = REAL(gemmviz_value(old.x) + gemmviz_value(v.x)).__x;
	at->y.__x = REAL(gemmviz_value(old.y) + gemmviz_value(v.y)).__x;
	return old;
}
#undef GET
