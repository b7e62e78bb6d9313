/* judge_input: see judge_input.h. */
#include "practice/judge_input.h"

#include <math.h>
#include <string.h>

#include "kernels/input.h"

/* Each call and each argument has inputs of its own. */
#define SEED_STEP 0x9e3779b97f4a7c15u

/* Returns a number of the rung's own range. */
static double ranged_value(const struct rung *r, uint64_t seed, size_t a,
			   uint64_t n)
{
	uint64_t count = (uint64_t)floor((r->high - r->low) / r->step) + 1;

	return r->low +
	       r->step * (double)(random_at(seed + a * SEED_STEP, n) % count);
}

/* Returns a number of at most 4, in steps of 1/1024, and never 0: in half or
 * TF32 it loses bits. */
static double fine_fraction(uint64_t seed, int array, uint64_t n)
{
	uint64_t r = random_at(seed * 3 + (uint64_t)array, n) % 8190;

	return (r < 4095 ? (double)r - 4095 : (double)r - 4094) / 1024;
}

double judge_input(const struct rung *r, uint64_t seed, size_t call, size_t a,
		   uint64_t n)
{
	const struct rung_argument *of = &r->arguments[a];
	int array = of->array < 0 ? (int)a : of->array;

	seed += (call + 1) * SEED_STEP;
	if (r->has_values)
		return ranged_value(r, seed, a, n);
	if (!elem_is_real(of->elem))
		return input_at(seed, array, n);
	if ((!r->problem || r->problem->fraction == input_fraction_at) &&
	    elem_size(of->elem) >= sizeof(float))
		return fine_fraction(seed, array, n);
	return r->problem ? r->problem->fraction(seed, array, n) :
			    input_fraction_at(seed, array, n);
}

/* Returns the bits of a real of `mantissa` bits and an exponent of `exponent`
 * bits that holds v; what does not fit is cut off. */
static uint64_t real_bits(double v, int mantissa, int exponent)
{
	uint64_t sign = signbit(v) != 0;
	int bias = (1 << (exponent - 1)) - 1, e;
	double fraction = frexp(fabs(v), &e);

	if (v == 0)
		return sign << (mantissa + exponent);
	return sign << (mantissa + exponent) |
	       (uint64_t)(e - 1 + bias) << mantissa |
	       (uint64_t)ldexp(2 * fraction - 1, mantissa);
}

size_t judge_encode(enum elem elem, double v, unsigned char *to)
{
	float single = (float)v;
	int32_t whole = (int32_t)v;
	uint16_t bits;

	switch (elem) {
	case ELEM_F64:
		memcpy(to, &v, sizeof(v));
		break;
	case ELEM_F32:
		memcpy(to, &single, sizeof(single));
		break;
	case ELEM_F16: case ELEM_BF16:
		bits = (uint16_t)(elem == ELEM_F16 ? real_bits(v, 10, 5) :
						     real_bits(v, 7, 8));
		memcpy(to, &bits, sizeof(bits));
		break;
	default:
		memcpy(to, &whole, sizeof(whole));
	}
	return elem_size(elem);
}

double judge_unit(enum elem elem)
{
	return elem == ELEM_F16 ? 0x1p-11 : elem == ELEM_BF16 ? 0x1p-8 :
	       elem == ELEM_F64 ? 0x1p-53 : 0x1p-24;
}
