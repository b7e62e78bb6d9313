/* run_float: reals of 32 and 64 bits. See run_parts.h. */
#include <float.h>
#include <math.h>

#include "machine/run_parts.h"

/* Sets a number that is too small to be normal to 0, as FTZ does. */
static float flush_small(float x)
{
	return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* Sets the register to reals; SAT keeps them in 0 to 1. */
static void put_floats(struct warp *w, const struct step *s, struct lanes *x,
		       uint32_t mask)
{
	if (s->flushes)
		EACH_LANE(l)
			x->v[l] = float_bits(flush_small(as_float(x->v[l])));
	if (s->saturates)
		EACH_LANE(l) {
			float f = as_float(x->v[l]);

			x->v[l] = float_bits(f > 0 ? fminf(f, 1) : 0);
		}
	put_row(w, s->to, x->v, mask);
}

/* Computes in double, where the product of two floats is exact. */
void step_ffma(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1), *c = SOURCE(2);
	struct lanes out;
	float x[WARP_LANES], y[WARP_LANES], z[WARP_LANES];

	(void)r;
	memcpy(x, a, sizeof(x));
	memcpy(y, b, sizeof(y));
	memcpy(z, c, sizeof(z));
	EACH_LANE(l)
		x[l] = (float)((double)x[l] * y[l] + z[l]);
	memcpy(out.v, x, sizeof(x));
	put_floats(w, s, &out, mask);
}

void step_fadd(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	struct lanes out;

	(void)r;
	EACH_LANE(l)
		out.v[l] = float_bits(as_float(a[l]) + as_float(b[l]));
	put_floats(w, s, &out, mask);
}

void step_fmul(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	struct lanes out;

	(void)r;
	EACH_LANE(l)
		out.v[l] = float_bits(as_float(a[l]) * as_float(b[l]));
	put_floats(w, s, &out, mask);
}

static uint32_t compare_floats(struct warp *w, const struct step *s)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t result = 0;

	EACH_LANE(l) {
		float x = as_float(a[l]), y = as_float(b[l]);

		if (s->flushes) {
			x = flush_small(x);
			y = flush_small(y);
		}
		result |= BIT_IF(s->kind & compare_reals(x, y), l);
	}
	return result;
}

void step_fsetp(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	(void)r;
	put_comparison(w, s, compare_floats(w, s), mask);
}

/* Sets all bits, or with BF a real 1. */
void step_fset(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint32_t result = compare_floats(w, s);
	uint32_t one = sass_has(s->of, "BF") ? float_bits(1) : FULL;

	(void)r;
	result = join_result(w, s, result);
	PUT_EACH(IS_IN(result, l) ? one : 0);
}

void step_fmnmx(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t least = s->ins ? get_predicate(w, s->in[0]) : FULL;
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		float x = as_float(a[l]), y = as_float(b[l]);

		out.v[l] = float_bits(IS_IN(least, l) ? fminf(x, y) :
							fmaxf(x, y));
	}
	put_floats(w, s, &out, mask);
}

/* ---- functions ---- */

enum { MUFU_RCP, MUFU_RSQ, MUFU_SQRT, MUFU_EX2, MUFU_LG2, MUFU_SIN, MUFU_COS,
       MUFU_TANH, MUFU_RCP64H, MUFU_RSQ64H };

bool prepare_mufu(struct step *s)
{
	static const char *const names[] = {
		"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH",
		"RCP64H", "RSQ64H",
	};

	for (uint32_t i = 0; i < LENGTH(names); i++)
		if (sass_has(s->of, names[i])) {
			s->kind = i;
			return s->sources >= 1 && !sass_has(s->of, "F16");
		}
	return false;
}

/* Computes what the hardware approximates; sine and cosine of turns. */
static double function_of(uint32_t kind, double x)
{
	const double turn = 6.283185307179586;

	switch (kind) {
	case MUFU_RCP:
	case MUFU_RCP64H:
		return 1 / x;
	case MUFU_RSQ:
	case MUFU_RSQ64H:
		return 1 / sqrt(x);
	case MUFU_SQRT:
		return sqrt(x);
	case MUFU_EX2:
		return exp2(x);
	case MUFU_LG2:
		return log2(x);
	case MUFU_SIN:
		return sin(turn * x);
	case MUFU_COS:
		return cos(turn * x);
	default:
		return tanh(x);
	}
}

void step_mufu(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0);
	struct lanes out;

	(void)r;
	EACH_LANE(l) {
		if (s->kind >= MUFU_RCP64H) {
			double x = as_double((uint64_t)a[l] << 32);

			out.v[l] = (uint32_t)(bits_of_double(
				function_of(s->kind, x)) >> 32);
			continue;
		}
		out.v[l] = float_bits((float)function_of(
			s->kind, flush_small(as_float(a[l]))));
	}
	put_floats(w, s, &out, mask);
}

/* Tells whether a division must take the slow way: by exponents. */
void step_fchk(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	ROOM;
	const uint32_t *a = SOURCE(0), *b = SOURCE(1);
	uint32_t slow = 0;

	(void)r;
	EACH_LANE(l) {
		int x = (int)(a[l] >> 23 & 255), y = (int)(b[l] >> 23 & 255);

		slow |= BIT_IF(x == 255 || y == 255 || y == 0 || y > 252 ||
			       x < 25 || x - y > 125 || x - y < -124, l);
	}
	put_predicate(w, s->out[0], slow, mask);
}

/* ---- doubles ---- */

void step_dadd(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t a[WARP_LANES], b[WARP_LANES];

	(void)r;
	source_get64(w, &s->source[0], a);
	source_get64(w, &s->source[1], b);
	EACH_LANE(l)
		a[l] = bits_of_double(as_double(a[l]) + as_double(b[l]));
	put_row64(w, s->to, a, mask);
}

void step_dmul(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t a[WARP_LANES], b[WARP_LANES];

	(void)r;
	source_get64(w, &s->source[0], a);
	source_get64(w, &s->source[1], b);
	EACH_LANE(l)
		a[l] = bits_of_double(as_double(a[l]) * as_double(b[l]));
	put_row64(w, s->to, a, mask);
}

void step_dfma(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t a[WARP_LANES], b[WARP_LANES], c[WARP_LANES];

	(void)r;
	source_get64(w, &s->source[0], a);
	source_get64(w, &s->source[1], b);
	source_get64(w, &s->source[2], c);
	EACH_LANE(l)
		a[l] = bits_of_double(fma(as_double(a[l]), as_double(b[l]),
				       as_double(c[l])));
	put_row64(w, s->to, a, mask);
}

void step_dsetp(struct machine_run *r, struct warp *w, const struct step *s,
		uint32_t mask)
{
	uint64_t a[WARP_LANES], b[WARP_LANES];
	uint32_t result = 0;

	(void)r;
	source_get64(w, &s->source[0], a);
	source_get64(w, &s->source[1], b);
	EACH_LANE(l)
		result |= BIT_IF(s->kind & compare_reals(as_double(a[l]),
							 as_double(b[l])), l);
	put_comparison(w, s, result, mask);
}
