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

/* Reads both halves of a source: its sign and its absolute value are of
 * both. */
static void lane_halves(struct warp *w, const struct step *s, int n,
		       double to[2][WARP_LANES])
{
	struct step_source from = s->source[n];
	uint16_t keep = from.change & CHANGE_ABSOLUTE ? 0x7fff : 0xffff;
	uint16_t flip = from.change & CHANGE_SIGN ? 0x8000 : 0;
	struct lanes none;
	const uint32_t *bits;

	from.change = 0;
	bits = source_get(w, &from, 0, &none);
	for (int h = 0; h < 2; h++) {
		int shift = from.low ? 0 : from.high || h ? 16 : 0;

		if (from.is_float)
			EACH_LANE(l)
				to[h][l] = as_float(bits[l]);
		else if (s->kind & HALF_BF16)
			EACH_LANE(l)
				to[h][l] = bfloat_real((uint16_t)(
					(bits[l] >> shift & keep) ^ flip));
		else
			EACH_LANE(l)
				to[h][l] = half_real((uint16_t)(
					(bits[l] >> shift & keep) ^ flip));
	}
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
	double v[3][2][WARP_LANES] = { 0 };
	uint32_t first = s->ins ? get_predicate(w, s->in[0]) : FULL;

	for (int n = 0; n < 3 && n < s->sources; n++)
		lane_halves(w, s, n, v[n]);
	for (int h = 0; h < 2; h++)
		EACH_LANE(l)
			v[0][h][l] = f(v[0][h][l], v[1][h][l], v[2][h][l],
				       IS_IN(first, l));
	if (s->kind & HALF_F32)
		PUT_EACH(float_bits((float)v[0][0][l]));
	else
		PUT_EACH(half_bits(s, v[0][1][l]) << 16 |
			 half_bits(s, v[0][0][l]));
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
	double a[2][WARP_LANES], b[2][WARP_LANES];

	(void)r;
	lane_halves(w, s, 0, a);
	lane_halves(w, s, 1, b);
	for (int h = 0; h < 2; h++) {
		EACH_LANE(l)
			result[h] |= BIT_IF(kind & compare_reals(a[h][l],
								 b[h][l]), l);
		result[h] = join_result(w, s, result[h]);
	}
	for (int h = 0; h < s->outs; h++)
		put_predicate(w, s->out[h], result[h], mask);
}
