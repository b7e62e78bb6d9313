/* run_convert: from one type of number to another. See run_parts.h. */
#include <math.h>

#include "machine/run_parts.h"

/* The number types that modifiers name. A step's kind is those of its result
 * and its source, and how it is rounded. */
enum { TYPE_S32, TYPE_U32, TYPE_S64, TYPE_U64, TYPE_S16, TYPE_U16, TYPE_S8,
       TYPE_U8, TYPE_F32, TYPE_F64, TYPE_F16, TYPE_BF16, TYPES };
enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };
#define KIND(to, from, round) ((uint32_t)((to) | (from) << 8 | (round) << 16))
#define KIND_TO(s) ((s)->kind & 255)
#define KIND_FROM(s) ((s)->kind >> 8 & 255)
#define KIND_ROUND(s) ((s)->kind >> 16)

static const char *const type_names[TYPES] = {
	"S32", "U32", "S64", "U64", "S16", "U16", "S8", "U8", "F32", "F64",
	"F16", "BF16",
};

static int type_of(const char *word)
{
	for (int t = 0; t < TYPES; t++)
		if (!strcmp(word, type_names[t]))
			return t;
	return !strcmp(word, "BF16_V2") ? TYPE_BF16 : -1;
}

static bool is_real_type(uint32_t type)
{
	return type >= TYPE_F32;
}

static uint32_t rounding_of(const struct sass_instruction *i)
{
	if (sass_has(i, "TRUNC") || sass_has(i, "RZ"))
		return ROUND_ZERO;
	if (sass_has(i, "FLOOR") || sass_has(i, "RM"))
		return ROUND_DOWN;
	return sass_has(i, "CEIL") || sass_has(i, "RP") ? ROUND_UP :
							  ROUND_NEAREST;
}

/* Reads the types of F2I.S64.F64: what it makes stands first, and is left out
 * if it is usual, as is what it takes. */
bool prepare_convert(struct step *s)
{
	const char *op = s->of->opcode;
	int to = op[2] == 'I' || (op[1] == '2' && op[2] == 'I') ? TYPE_S32 :
								  TYPE_F32;
	int from = op[0] == 'I' ? TYPE_S32 : TYPE_F32;
	bool first = true;

	if (!strcmp(op, "F2FP"))
		to = TYPE_F16;
	for (uint32_t m = 0; m < s->of->modifier_count; m++) {
		int t = type_of(s->of->modifiers[m]);
		bool fits_to = is_real_type((uint32_t)t) == is_real_type((uint32_t)to);
		bool fits_from = is_real_type((uint32_t)t) ==
				 is_real_type((uint32_t)from);

		if (t < 0)
			continue;
		if (fits_to && (first || !fits_from))
			to = t;
		else if (fits_from)
			from = t;
		first = false;
	}
	if (!strcmp(op, "FRND"))
		from = to;
	s->kind = KIND(to, from, rounding_of(s->of));
	return s->sources >= 1;
}

/* ---- halves ---- */

uint16_t half_of(double x)
{
	uint64_t bits = bits_of_double(x), rest = bits & INT64_MAX;
	uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);

	if (isnan(x))
		return 0x7fff;
	if (fabs(x) >= 65520)
		return sign | 0x7c00;
	/* What is subnormal is a multiple of the last bit of this sum. */
	if (fabs(x) < 0x1p-14)
		return (uint16_t)(sign | (uint16_t)bits_of_double(fabs(x) +
								  0x1p28));
	/* What is rounded up to the next power of two carries over. */
	rest -= (uint64_t)(1023 - 15) << 52;
	rest += (((uint64_t)1 << 41) - 1) + (rest >> 42 & 1);
	return (uint16_t)(sign | rest >> 42);
}

uint16_t bfloat_of(double x)
{
	uint32_t bits = float_bits((float)x);

	if (isnan(x))
		return 0x7fff;
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- reading and setting ---- */

/* Reads a source of a type in each lane, as bits of 64. */
static void get_numbers(struct warp *w, const struct step *s, int n,
			uint32_t type, uint64_t to[WARP_LANES])
{
	const struct step_source *from = &s->source[n];
	struct lanes room;
	const uint32_t *v;
	int shift = 0;

	if (type == TYPE_S64 || type == TYPE_U64 || type == TYPE_F64) {
		source_get64(w, from, to);
		return;
	}
	v = source_get(w, from, 0, &room);
	if (from->high)
		shift = 16;
	else if (from->word[0] == 'B' && from->word[1] >= '0' &&
		 from->word[1] <= '3')
		shift = 8 * (from->word[1] - '0');
	EACH_LANE(l)
		to[l] = v[l] >> shift;
}

static double real_of_bits(uint32_t type, uint64_t bits)
{
	switch (type) {
	case TYPE_F64:
		return as_double(bits);
	case TYPE_F16:
		return half_real((uint16_t)bits);
	case TYPE_BF16:
		return bfloat_real((uint16_t)bits);
	default:
		return as_float((uint32_t)bits);
	}
}

static long double whole_of_bits(uint32_t type, uint64_t bits)
{
	switch (type) {
	case TYPE_U32:
		return (uint32_t)bits;
	case TYPE_S64:
		return (int64_t)bits;
	case TYPE_U64:
		return bits;
	case TYPE_S16:
		return (int16_t)bits;
	case TYPE_U16:
		return (uint16_t)bits;
	case TYPE_S8:
		return (int8_t)bits;
	case TYPE_U8:
		return (uint8_t)bits;
	default:
		return (int32_t)bits;
	}
}

/* Rounds to a float in a direction. */
static float float_rounded(long double x, uint32_t how)
{
	float f = (float)x;

	if ((how == ROUND_UP && f < x) ||
	    (how == ROUND_ZERO && x < 0 && f < x))
		return nextafterf(f, INFINITY);
	if ((how == ROUND_DOWN && f > x) ||
	    (how == ROUND_ZERO && x > 0 && f > x))
		return nextafterf(f, -INFINITY);
	return f;
}

static uint64_t format_bits(uint32_t type, long double x, uint32_t how)
{
	switch (type) {
	case TYPE_F64:
		return bits_of_double((double)x);
	case TYPE_F16:
		return half_of((double)x);
	case TYPE_BF16:
		return bfloat_of((double)x);
	default:
		return float_bits(float_rounded(x, how));
	}
}

static long double round_whole(long double x, uint32_t how)
{
	switch (how) {
	case ROUND_ZERO:
		return truncl(x);
	case ROUND_DOWN:
		return floorl(x);
	case ROUND_UP:
		return ceill(x);
	default:
		return rintl(x);
	}
}

static void put_numbers(struct warp *w, const struct step *s, uint32_t type,
			const uint64_t *from, uint32_t mask)
{

	if (type == TYPE_S64 || type == TYPE_U64 || type == TYPE_F64) {
		put_row64(w, s->to, from, mask);
		return;
	}
	PUT_EACH((uint32_t)from[l]);
}

/* ---- instructions ---- */

void step_i2f(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	uint64_t x[WARP_LANES];

	(void)r;
	get_numbers(w, s, 0, KIND_FROM(s), x);
	EACH_LANE(l)
		x[l] = format_bits(KIND_TO(s), whole_of_bits(KIND_FROM(s), x[l]),
				 KIND_ROUND(s));
	put_numbers(w, s, KIND_TO(s), x, mask);
}

/* Returns the bits of a whole number; what does not fit becomes the nearest
 * that does, NaN 0 or the lowest. */
static uint64_t whole_to_bits(const struct step *s, uint32_t type, double x)
{
	static const struct { long double low, high; } range[] = {
		[TYPE_S32] = { -2147483648.0L, 2147483647.0L },
		[TYPE_U32] = { 0, 4294967295.0L },
		[TYPE_S64] = { -9223372036854775808.0L,
			       9223372036854775807.0L },
		[TYPE_U64] = { 0, 18446744073709551615.0L },
		[TYPE_S16] = { -32768, 32767 }, [TYPE_U16] = { 0, 65535 },
		[TYPE_S8] = { -128, 127 }, [TYPE_U8] = { 0, 255 },
	};
	long double v = round_whole(x, KIND_ROUND(s));

	if (isnan(x))
		return sass_has(s->of, "NTZ") || range[type].low >= 0 ? 0 :
		       type == TYPE_S64 ? (uint64_t)1 << 63 : 0x80000000;
	v = v < range[type].low ? range[type].low :
	    v > range[type].high ? range[type].high : v;
	return v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v;
}

void step_f2i(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	uint64_t x[WARP_LANES];

	(void)r;
	get_numbers(w, s, 0, KIND_FROM(s), x);
	EACH_LANE(l)
		x[l] = whole_to_bits(s, KIND_TO(s), real_of_bits(KIND_FROM(s), x[l]));
	put_numbers(w, s, KIND_TO(s), x, mask);
}

void step_f2f(struct machine_run *r, struct warp *w, const struct step *s,
	      uint32_t mask)
{
	uint64_t x[WARP_LANES];

	(void)r;
	get_numbers(w, s, 0, KIND_FROM(s), x);
	EACH_LANE(l)
		x[l] = format_bits(KIND_TO(s), real_of_bits(KIND_FROM(s), x[l]),
				 KIND_ROUND(s));
	put_numbers(w, s, KIND_TO(s), x, mask);
}

void step_frnd(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t x[WARP_LANES];

	(void)r;
	get_numbers(w, s, 0, KIND_FROM(s), x);
	EACH_LANE(l)
		x[l] = format_bits(KIND_TO(s), round_whole(
			real_of_bits(KIND_FROM(s), x[l]), KIND_ROUND(s)),
			ROUND_NEAREST);
	put_numbers(w, s, KIND_TO(s), x, mask);
}

/* Packs two reals into one register, the first one above; one alone stands
 * below. */
void step_f2fp(struct machine_run *r, struct warp *w, const struct step *s,
	       uint32_t mask)
{
	uint64_t high[WARP_LANES], low[WARP_LANES];
	uint32_t to = KIND_TO(s);

	if (s->sources < 2 || KIND_FROM(s) != TYPE_F32 ||
	    (to != TYPE_F16 && to != TYPE_BF16)) {
		run_refuse(r, s, "%s", s->of->text);
		return;
	}
	get_numbers(w, s, 0, TYPE_F32, high);
	get_numbers(w, s, 1, TYPE_F32, low);
	PUT_EACH((uint32_t)(
			format_bits(to, real_of_bits(TYPE_F32, high[l]), 0) << 16 |
			format_bits(to, real_of_bits(TYPE_F32, low[l]), 0)));
}
