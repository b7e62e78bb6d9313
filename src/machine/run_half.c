/* run_half: pairs of half precision or bfloat16. See run_parts.h. */
#include <math.h>

#include "machine/run_parts.h"

enum { HALF_BF16 = 1, HALF_F32 = 2, HALF_SAT = 4, HALF_RELU = 8,
       HALF_COMPARE = 4 /* bits from here on */ };

bool prepare_half(struct step *s)
{
	bool compares = !strcmp(s->of->opcode, "HSETP2");
	int compare = compares ? compare_kind(s) : 0;

	if (compare < 0)
		return false;
	s->kind = (sass_has(s->of, "BF16_V2") || sass_has(s->of, "BF16") ?
			   HALF_BF16 : 0) |
		  (sass_has(s->of, "F32") ? HALF_F32 : 0) |
		  (sass_has(s->of, "SAT") ? HALF_SAT : 0) |
		  (sass_has(s->of, "RELU") ? HALF_RELU : 0) |
		  (uint32_t)compare << HALF_COMPARE;
	return s->sources >= 2;
}

/* Reads one half of a source: its sign and its absolute value are of both. */
static double get_half(const struct step *s, const struct step_source *from,
		       uint32_t bits, bool upper)
{
	bool high = from->low ? false : from->high ? true : upper;
	uint16_t h = (uint16_t)(high ? bits >> 16 : bits);

	if (!strcmp(from->word, "F32"))
		return as_float(bits);
	if (from->change & CHANGE_ABSOLUTE)
		h &= 0x7fff;
	if (from->change & CHANGE_SIGN)
		h ^= 0x8000;
	return s->kind & HALF_BF16 ? (double)bfloat_real(h) :
				     (double)half_real(h);
}

static uint32_t half_bits(const struct step *s, double x)
{
	if (s->kind & HALF_SAT)
		x = x > 0 ? fmin(x, 1) : 0;
	if (s->kind & HALF_RELU)
		x = x > 0 ? x : 0;
	return s->kind & HALF_BF16 ? bfloat_of(x) : half_of(x);
}

typedef double half_function(double a, double b, double c, bool first);

/* Applies a function to both halves of each lane. */
static void each_half(struct warp *w, const struct step *s, uint32_t mask,
		      half_function *f)
{
	struct lanes none, out;
	const uint32_t *v[3] = { 0 };
	uint32_t first = s->ins ? get_predicate(w, s->in[0]) : FULL;

	for (int n = 0; n < 3 && n < s->sources; n++) {
		struct step_source plain = s->source[n];

		plain.change = 0;
		v[n] = source_get(w, &plain, 0, &none);
	}
	EACH_LANE(l) {
		double x[2];

		for (int h = 0; h < 2; h++)
			x[h] = f(get_half(s, &s->source[0], v[0][l], h),
				 get_half(s, &s->source[1], v[1][l], h),
				 v[2] ? get_half(s, &s->source[2], v[2][l],
						 h) : 0, IS_IN(first, l));
		out.v[l] = s->kind & HALF_F32 ? float_bits((float)x[0]) :
			   half_bits(s, x[1]) << 16 | half_bits(s, x[0]);
	}
	put_row(w, s->to, out.v, mask);
}

static double half_add(double a, double b, double c, bool first)
{
	(void)c;
	(void)first;
	return a + b;
}

static double half_multiply(double a, double b, double c, bool first)
{
	(void)c;
	(void)first;
	return a * b;
}

static double half_fma(double a, double b, double c, bool first)
{
	(void)first;
	return fma(a, b, c);
}

static double half_extreme(double a, double b, double c, bool first)
{
	(void)c;
	return first ? fmin(a, b) : fmax(a, b);
}

void step_hadd2(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	(void)r;
	each_half(w, s, mask, half_add);
}

void step_hmul2(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	(void)r;
	each_half(w, s, mask, half_multiply);
}

void step_hfma2(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	if (s->sources < 3) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	each_half(w, s, mask, half_fma);
}

void step_hmnmx2(struct machine_run *r, struct warp *w, const struct step *s,
		 uint32_t mask)
{
	(void)r;
	each_half(w, s, mask, half_extreme);
}

/* Compares the lower halves for the first predicate, the upper ones for the
 * second. */
void step_hsetp2(struct machine_run *r, struct warp *w, const struct step *s,
		 uint32_t mask)
{
	uint32_t kind = s->kind >> HALF_COMPARE, result[2] = { 0 };
	struct step_source a = s->source[0], b = s->source[1];
	struct lanes none;
	const uint32_t *x, *y;

	(void)r;
	a.change = b.change = 0;
	x = source_get(w, &a, 0, &none);
	y = source_get(w, &b, 0, &none);
	EACH_LANE(l)
		for (int h = 0; h < 2; h++) {
			double p = get_half(s, &s->source[0], x[l], h);
			double q = get_half(s, &s->source[1], y[l], h);
			uint32_t is = isnan(p) || isnan(q) ? COMPARE_NAN :
				      p < q ? COMPARE_LT :
				      p > q ? COMPARE_GT : COMPARE_EQ;

			result[h] |= (uint32_t)((kind & is) != 0) << l;
		}
	for (int h = 0; h < 2 && h < s->outs; h++) {
		uint32_t with = s->ins ? get_predicate(w, s->in[0]) : FULL;

		put_predicate(w, s->out[h], sass_has(s->of, "OR") ?
			      result[h] | with : result[h] & with, mask);
	}
}
