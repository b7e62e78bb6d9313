/*
 * asm_alu: implements the lines of asm_alu.def. See asm_alu.h.
 *
 * PTX ISA, "Integer Arithmetic Instructions", "Floating Point Instructions",
 * "Data Movement and Conversion Instructions: cvt". tests/asm_data.c compares
 * each line with values that a GPU gave.
 */
#include <math.h>
#include <string.h>

#include "record/contents.h"
#include "emu/warp/asm_alu.h"

/* ---- types: the values that a register's bits stand for ---- */

#define RESULT_TYPE(t, c) \
	static inline uint64_t to_##t(c value) { return (uint64_t)value; } \
	typedef c t##_type;
#define OPERAND_TYPE(t, c) \
	static inline c from_##t(uint64_t bits) { return (c)bits; } \
	typedef c t##_type;
#define WHOLE_TYPE(t, c) OPERAND_TYPE(t, c) RESULT_TYPE(t, c)
WHOLE_TYPE(b16, uint16_t)
WHOLE_TYPE(u16, uint16_t)
WHOLE_TYPE(s16, int16_t)
WHOLE_TYPE(f16, uint16_t)
WHOLE_TYPE(bf16, uint16_t)
WHOLE_TYPE(b32, uint32_t)
WHOLE_TYPE(u32, uint32_t)
WHOLE_TYPE(s32, int32_t)
RESULT_TYPE(tf32, uint32_t)
WHOLE_TYPE(f16x2, uint32_t)
RESULT_TYPE(bf16x2, uint32_t)
WHOLE_TYPE(b64, uint64_t)
WHOLE_TYPE(u64, uint64_t)
WHOLE_TYPE(s64, int64_t)
WHOLE_TYPE(pred, bool)
OPERAND_TYPE(bytes, uint32_t)
OPERAND_TYPE(shorts, uint32_t)
OPERAND_TYPE(words, uint32_t)

#define REAL_TYPE(t, c, w) \
	static inline c from_##t(uint64_t bits) \
	{ w word = (w)bits; c v; memcpy(&v, &word, sizeof(v)); return v; } \
	static inline uint64_t to_##t(c value) \
	{ w word; memcpy(&word, &value, sizeof(word)); return word; } \
	typedef c t##_type;
REAL_TYPE(f32, float, uint32_t)
REAL_TYPE(f64, double, uint64_t)

/* ---- whole numbers and bits ---- */

#define BITS(x) ((uint64_t)(x))
#define PAIR(low, high) (BITS(high) << 32 | (low))
/* The upper half of a product of twice the bits. */
#define HIGH(x, y) \
	((unsigned __int128)(__int128)(x) * (unsigned __int128)(__int128)(y) \
	 >> 8 * sizeof(x))

static uint64_t reverse_bits(uint64_t x)
{
	uint64_t to = 0;

	for (int i = 0; i < 64; i++)
		to |= (x >> i & 1) << (63 - i);
	return to;
}

/* Extracts `length` bits of x from bit `at` on (bfe). Result bits above the
 * field, and bits beyond the operand's `bits`, are copies of the field's sign
 * bit if has_sign, else 0. */
static uint64_t extract_bits(uint64_t x, uint32_t bits, bool has_sign,
			     uint32_t at, uint32_t length)
{
	uint32_t last = MIN(at + length - 1, bits - 1);
	uint64_t sign = has_sign && length ? x >> last & 1 : 0, to = 0;

	for (uint32_t i = 0; i < bits; i++)
		to |= (i < length && at + i < bits ? x >> (at + i) & 1 : sign)
		      << i;
	return to;
}

/* Picks four bytes of the pair high:low (prmt). Each digit of the selector
 * names one; a digit with bit 3 set gives eight copies of that byte's sign
 * bit. */
static uint32_t permute_bytes(uint32_t low, uint32_t high, uint32_t selector)
{
	uint32_t to = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t digit = selector >> 4 * i & 15;
		uint32_t byte = PAIR(low, high) >> 8 * (digit & 7) & 255;

		if (digit & 8)
			byte = byte & 128 ? 255 : 0;
		to |= byte << 8 * i;
	}
	return to;
}

/* Applies a truth table to each bit of a, b and c (lop3). */
static uint32_t look_up_bits(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t to = 0;

	for (int i = 0; i < 32; i++)
		to |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 |
				 (c >> i & 1)) & 1) << i;
	return to;
}

/* ---- bytes and halves of a word ---- */

enum part_op { PART_SUM, PART_DIFFERENCE, PART_MEAN, PART_DISTANCE, PART_LEAST,
	       PART_MOST, PART_EQUAL, PART_UNEQUAL, PART_LESS, PART_AT_MOST,
	       PART_MORE, PART_AT_LEAST };
enum part_end { MERGED, SATURATED, ADDED };
#define IS_u32 false
#define IS_s32 true

/* Returns the field of `bits` bits at bit `at` of x, sign-extended if
 * has_sign. */
static int32_t subword_at(uint32_t x, int at, int bits, bool has_sign)
{
	uint32_t v = x >> at & ((1u << bits) - 1);

	return (int32_t)v - (has_sign && v >> (bits - 1) ? 1 << bits : 0);
}

static int32_t combine_subwords(enum part_op op, int32_t x, int32_t y)
{
	switch (op) {
	case PART_SUM:
		return x + y;
	case PART_DIFFERENCE:
		return x - y;
	case PART_MEAN:		/* halves go away from zero, as 1.5 to 2 */
		return (x + y + (x + y >= 0)) >> 1;
	case PART_DISTANCE:
		return x > y ? x - y : y - x;
	case PART_LEAST:
		return MIN(x, y);
	case PART_MOST:
		return MAX(x, y);
	case PART_EQUAL:
		return x == y;
	case PART_UNEQUAL:
		return x != y;
	case PART_LESS:
		return x < y;
	case PART_AT_MOST:
		return x <= y;
	case PART_MORE:
		return x > y;
	case PART_AT_LEAST:
		return x >= y;
	}
	return 0;
}

/* Applies op to each pair of fields of `bits` bits of a and b (PTX ISA, "Video
 * Instructions"). Results are signed if to_sign, operands if of_sign. The
 * results are packed into a word, saturated before that, or added to c, as
 * `end` says. */
static uint32_t compute_subwords(enum part_op op, int bits, bool to_sign,
				 bool of_sign, enum part_end end, uint32_t a,
				 uint32_t b, uint32_t c)
{
	int32_t most = (1 << (bits - to_sign)) - 1;
	int32_t least = to_sign ? -most - 1 : 0;
	uint32_t to = end == ADDED ? c : 0;

	for (int at = 0; at < 32; at += bits) {
		int32_t x = subword_at(a, at, bits, of_sign);
		int32_t y = subword_at(b, at, bits, of_sign);
		int32_t v = combine_subwords(op, x, y);

		if (end == SATURATED)
			v = MAX(least, MIN(v, most));
		to = end == ADDED ? to + (uint32_t)v :
		     to | ((uint32_t)v & ((1u << bits) - 1)) << at;
	}
	return to;
}

/* ---- real numbers ---- */

#define NUMBERS(x, y) (!isunordered((double)(x), (double)(y)))
/* Returns the lesser; if one is NaN, the other. -0 is less than 0. */
#define LEAST(x, y) \
	(isnan(x) ? (y) : isnan(y) ? (x) : \
	 (x) < (y) || ((x) == (y) && signbit(x)) ? (x) : (y))
#define FMA(x, y, z) (sizeof(x) == sizeof(float) ? \
	fmaf((float)(x), (float)(y), (float)(z)) : fma(x, y, z))
#define ROOT(x) (sizeof(x) == sizeof(float) ? sqrtf((float)(x)) : sqrt(x))
#define ABSOLUTE(x) fabs(x)

static double decode_real16(enum elem elem, uint16_t x)
{
	uint32_t word = x;
	double v = 0;

	element_value(elem, &word, 0, &v);
	return v;
}

static uint32_t encode_real16_pair(enum elem elem, double high, double low)
{
	return (uint32_t)real16_round(elem, high) << 16 |
	       real16_round(elem, low);
}

static double half_at(uint32_t x, int bit)
{
	return decode_real16(ELEM_F16, (uint16_t)(x >> bit));
}

/* Computes one element of an f16x2 instruction. Sums and products of two halves
 * are exact in double precision. */
static double combine_halves(char op, double x, double y, double z)
{
	switch (op) {
	case '+':
		return x + y;
	case '-':
		return x - y;
	case '*':
		return x * y;
	default:
		return fma(x, y, z);
	}
}

/* Applies op to both halves of f16x2 registers: '+', '-', '*', or 'f' for x y +
 * z. */
static uint32_t compute_f16x2(char op, uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t to = 0;

	for (int i = 0; i < 32; i += 16)
		to |= (uint32_t)real16_round(ELEM_F16, combine_halves(
			op, half_at(x, i), half_at(y, i), half_at(z, i))) << i;
	return to;
}

/* Rounds to tf32: to the nearest fraction of 10 bits, ties away from zero. */
static uint32_t round_to_tf32(float x)
{
	uint32_t word = (uint32_t)to_f32(x);

	return isfinite(x) ? (word + 0x1000) & ~0x1fffu : word & ~0x1fffu;
}

/* ---- whole numbers from real ones ---- */

struct whole { int bits; bool has_sign; };

/* Converts v, already rounded to a whole number, to the type `to` and saturates
 * it (PTX ISA, cvt). NaN becomes 0, or the highest bit alone if the source or
 * the result has 64 bits. `from_bytes`: the size of the source type. */
static uint64_t convert_to_whole(struct whole to, size_t from_bytes, double v)
{
	double beyond = ldexp(1, to.bits - to.has_sign);
	uint64_t top = 1ull << (to.bits - 1);

	if (isnan(v))
		return to.bits == 64 || from_bytes == 8 ? top : 0;
	if (v >= beyond)
		return to.has_sign ? top - 1 : top | (top - 1);
	if (to.has_sign)
		return v <= -beyond ? top : (uint64_t)(int64_t)v;
	return v <= 0 ? 0 : (uint64_t)v;
}

#define WHOLE_u32 ((struct whole){ 32, false })
#define WHOLE_s32 ((struct whole){ 32, true })
#define WHOLE_u64 ((struct whole){ 64, false })
#define WHOLE_s64 ((struct whole){ 64, true })
#define NEAREST(to, from, v)                                                   \
	convert_to_whole(WHOLE_##to, sizeof(from##_type), v)

/* ---- the table ---- */

#define OP1(name, r, ta, meaning) \
	{ name, #r, { #ta, "", "" }, 1, false, 0 },
#define OP2(name, r, ta, tb, meaning) \
	{ name, #r, { #ta, #tb, "" }, 2, false, 0 },
#define OP3(name, r, ta, tb, tc, meaning) \
	{ name, #r, { #ta, #tb, #tc }, 3, false, 0 },
#define LOP3(table) \
	{ "lop3.b32", "b32", { "b32", "b32", "b32" }, 3, true, table },
const struct asm_alu asm_alus[] = {
#include "emu/warp/asm_alu.def"
};
const size_t asm_alu_count = LENGTH(asm_alus);
#undef OP1
#undef OP2
#undef OP3
#undef LOP3

bool asm_alu_is_predicate(const char *type)
{
	return !strcmp(type, "pred");
}

const struct asm_alu *asm_alu_find(const char *name)
{
	for (size_t i = 0; i < asm_alu_count; i++)
		if (!strcmp(asm_alus[i].name, name))
			return &asm_alus[i];
	return NULL;
}

/* A case for each line, in the table's order. */
#define OP1(name, r, ta, meaning) \
	case __COUNTER__ - first: { \
		ta##_type a = from_##ta(in[0]); \
		return to_##r((r##_type)(meaning)); \
	}
#define OP2(name, r, ta, tb, meaning) \
	case __COUNTER__ - first: { \
		ta##_type a = from_##ta(in[0]); \
		tb##_type b = from_##tb(in[1]); \
		return to_##r((r##_type)(meaning)); \
	}
#define OP3(name, r, ta, tb, tc, meaning) \
	case __COUNTER__ - first: { \
		ta##_type a = from_##ta(in[0]); \
		tb##_type b = from_##tb(in[1]); \
		tc##_type c = from_##tc(in[2]); \
		return to_##r((r##_type)(meaning)); \
	}
#define LOP3(lut)                                                              \
	case __COUNTER__ - first:                                              \
		return look_up_bits((uint32_t)in[0], (uint32_t)in[1],          \
				    (uint32_t)in[2], table);
uint64_t asm_alu_do(const struct asm_alu *alu,
		    const uint64_t in[ASM_ALU_OPERANDS], unsigned table)
{
	enum { first = __COUNTER__ + 1 };

	switch (alu - asm_alus) {
#include "emu/warp/asm_alu.def"
	default:
		return 0;
	}
}
