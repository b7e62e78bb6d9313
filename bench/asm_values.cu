/*
 * asm_values: asks a GPU what PTX instructions make of edge values, and prints
 * lines of JSON; asm_values.sh beside this builds and runs it.
 *
 * First a line for each type, {"type": "f32", "values": "0 80000000 ..."}: the
 * bits of its edge values, in hex. Then one for each line of
 * src/emu/warp/asm_alu.def, {"instruction": "add.f32", "result": "f32", "operands":
 * ["f32", "f32"], "each": 18, "out": "0 ..."}: of the first `each` values of
 * each operand's type (or all, where they are fewer) all combinations, the first operand's changing fastest,
 * and what the instruction gave. lop3 has a "table", too.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call) check(call, #call)

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "asm_values: %s: %s\n", call,
		cudaGetErrorString(error));
	exit(1);
}

/* ---- types: of the operand in C++, and its letter ---- */

typedef uint16_t b16_type, u16_type, f16_type, bf16_type;
typedef int16_t s16_type;
typedef uint32_t b32_type, u32_type, f16x2_type, bf16x2_type, tf32_type,
	pred_type, bytes_type, shorts_type, words_type;
typedef int32_t s32_type;
typedef uint64_t b64_type, u64_type;
typedef int64_t s64_type;
typedef float f32_type;
typedef double f64_type;

#define IN_b16 "h"
#define IN_u16 "h"
#define IN_s16 "h"
#define IN_f16 "h"
#define IN_bf16 "h"
#define IN_b32 "r"
#define IN_u32 "r"
#define IN_s32 "r"
#define IN_f16x2 "r"
#define IN_bf16x2 "r"
#define IN_tf32 "r"
#define IN_pred "r"
#define IN_bytes "r"
#define IN_shorts "r"
#define IN_words "r"
#define IN_b64 "l"
#define IN_u64 "l"
#define IN_s64 "l"
#define IN_f32 "f"
#define IN_f64 "d"

/* For a predicate yes, else no. */
#define PROBE_pred ~, 1
#define SECOND(x, y, ...) y
#define IS_PRED_OF(...) SECOND(__VA_ARGS__, 0, 0)
#define IS_PRED(t) IS_PRED_OF(PROBE_##t)
#define PICK_0(yes, no) no
#define PICK_1(yes, no) yes
#define PICK_OF(n) PICK_##n
#define PICK_FOR(n) PICK_OF(n)
#define PICK(t, yes, no) PICK_FOR(IS_PRED(t))(yes, no)

/* An operand that is a predicate is made of one that is no zero. */
#define SOURCE(t, n) PICK(t, "q" #n, "%" #n)
#define BEFORE(t, n) PICK(t, "setp.ne.u32 q" #n ", %" #n ", 0; ", "")
#define TARGET(t) PICK(t, "p", "%0")
#define AFTER(t) PICK(t, "selp.u32 %0, 1, 0, p; ", "")
#define REGISTERS "{ .reg .pred p, q1, q2, q3; "

template <class T> __device__ T value_of(uint64_t bits)
{
	T value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

template <class T> __device__ uint64_t bits_of(T value)
{
	uint64_t bits = 0;

	memcpy(&bits, &value, sizeof(value));
	return bits;
}

/* ---- the instructions, in the order of asm_alu.def ---- */

#define GIVE(r, ...) { \
		r##_type d; \
		asm volatile(__VA_ARGS__); \
		return bits_of(d); \
	}
#define A(t) IN_##t(value_of<t##_type>(a))
#define B(t) IN_##t(value_of<t##_type>(b))
#define C(t) IN_##t(value_of<t##_type>(c))
#define OP1(name, r, ta, meaning) \
	case __COUNTER__ - first: \
		GIVE(r, REGISTERS BEFORE(ta, 1) name " " TARGET(r) ", " \
		     SOURCE(ta, 1) "; " AFTER(r) "}" : "=" IN_##r(d) : A(ta))
#define OP2(name, r, ta, tb, meaning) \
	case __COUNTER__ - first: \
		GIVE(r, REGISTERS BEFORE(ta, 1) name " " TARGET(r) ", " \
		     SOURCE(ta, 1) ", " SOURCE(tb, 2) "; " AFTER(r) "}" \
		     : "=" IN_##r(d) : A(ta), B(tb))
#define OP3(name, r, ta, tb, tc, meaning) \
	case __COUNTER__ - first: \
		GIVE(r, REGISTERS BEFORE(tc, 3) name " " TARGET(r) ", " \
		     SOURCE(ta, 1) ", " SOURCE(tb, 2) ", " SOURCE(tc, 3) \
		     "; " AFTER(r) "}" : "=" IN_##r(d) : A(ta), B(tb), C(tc))
#define LOP3(lut) \
	case __COUNTER__ - first: \
		GIVE(b32, "lop3.b32 %0, %1, %2, %3, " #lut ";" \
		     : "=r"(d) : A(b32), B(b32), C(b32))

static __device__ uint64_t give(int line, uint64_t a, uint64_t b, uint64_t c)
{
	enum { first = __COUNTER__ + 1 };

	switch (line) {
#include "emu/warp/asm_alu.def"
	}
	return 0;
}

#undef OP1
#undef OP2
#undef OP3
#undef LOP3
#define OP1(name, r, ta, meaning) { name, #r, { #ta }, 1, 0 },
#define OP2(name, r, ta, tb, meaning) { name, #r, { #ta, #tb }, 2, 0 },
#define OP3(name, r, ta, tb, tc, meaning) \
	{ name, #r, { #ta, #tb, #tc }, 3, 0 },
#define LOP3(lut) { "lop3.b32", "b32", { "b32", "b32", "b32" }, 3, lut },

static const struct line {
	const char *name, *result, *operands[3];
	int count, table;
} lines[] = {
#include "emu/warp/asm_alu.def"
};

/* ---- edge values: those that three operands take first ---- */

#define MOST 18
#define OF_THREE 7
#define WORDS 3

#define BITS16 0, 1, 0xffff, 0x8000, 0x7fff, 31, 0x1234, 2, 3, 0xfffe, 15, \
	16, 17, 0x00ff, 0x0100, 0x00f0, 0xaaaa, 0x8001
#define BITS32 0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 0x12345678, \
	32, 33, 0xfffffffe, 15, 16, 0x0000ffff, 0xffff0000, 0x00fedcba, \
	0xaaaaaaaa, 0x01000001, 0x80000001
#define BITS64 0, 1, 0xffffffffffffffff, 0x8000000000000000, \
	0x7fffffffffffffff, 63, 0x123456789abcdef0, 64, 65, 0xffffffff, \
	0x100000000, 0x80000000, 0x7fffffff, 0xffffffff80000000, \
	0xfffffffffffffffe, 0x0020000000000001, 0x8000000000000401, \
	0xaaaaaaaaaaaaaaaa

static const struct type {
	const char *name;
	uint64_t values[MOST];
} types[] = {
	{ "b16", { BITS16 } },
	{ "u16", { BITS16 } },
	{ "s16", { BITS16 } },
	{ "b32", { BITS32 } },
	{ "u32", { BITS32 } },
	{ "s32", { BITS32 } },
	{ "b64", { BITS64 } },
	{ "u64", { BITS64 } },
	{ "s64", { BITS64 } },
	/* 0, 1, -0, inf, nan, -1.5, the least denormal; -inf, the greatest,
	 * 0.5, 2.5, -1, halves' greatest and just beyond, 1 and a bit that
	 * tf32 and bfloat16 round, 2^31, 2^63, the greatest denormal */
	{ "f32", { 0, 0x3f800000, 0x80000000, 0x7f800000, 0x7fc00000,
		   0xbfc00000, 1, 0xff800000, 0x7f7fffff, 0x3f000000,
		   0x40200000, 0xbf800000, 0x477fe000, 0x477ff000, 0x3f809000,
		   0x4f000000, 0x5f000000, 0x007fffff } },
	{ "f64", { 0, 0x3ff0000000000000, 0x8000000000000000,
		   0x7ff0000000000000, 0x7ff8000000000000, 0xbff8000000000000,
		   1, 0xfff0000000000000, 0x7fefffffffffffff,
		   0x3fe0000000000000, 0x4004000000000000, 0xbff0000000000000,
		   0x41dfffffffc00000, 0x41e0000000000000, 0x43e0000000000000,
		   0x47efffffffffffff, 0x3690000000000001,
		   0x3ff0000010000000 } },
	{ "f16", { 0, 0x3c00, 0x8000, 0x7c00, 0x7e00, 0xbe00, 1, 0xfc00,
		   0x7bff, 0x3800, 0x4100, 0xbc00, 0x03ff, 0x0400, 0x3555,
		   0x3c01, 0x0200, 0x8001 } },
	{ "bf16", { 0, 0x3f80, 0x8000, 0x7f80, 0x7fc0, 0xbfc0, 1, 0xff80,
		    0x7f7f, 0x3f00, 0x4020, 0xbf80, 0x007f, 0x0080, 0x3eab,
		    0x3f81, 0x0040, 0x8001 } },
	{ "f16x2", { 0x00003c00, 0x80000001, 0x7c003555, 0x7e00bc01,
		     0x7bff0400, 0xbe003801, 0x03ff4100, 0xfc007bff,
		     0x8001fc00, 0x38008000, 0x04007e00, 0x3c010000,
		     0x02003c00, 0x64006401, 0x54800c00, 0x14001400,
		     0x0001f800, 0xc5006bff } },
	/* each part beside every edge of the other operand's */
	{ "bytes", { 0x00ff7f80, 0x807fff01, 0xffffffff, 0x80808080,
		     0x01807f7f, 0x0000007f, 0x7fff0102, 0, 0x12345678,
		     0x7f7f7f7f, 0x01010101, 0xff00ff00, 0x80ff0001,
		     0x0180ff7f, 0x8180fe7e, 0x40c03fbf, 0x00010203,
		     0xfdfcfbfa } },
	{ "shorts", { 0x0000ffff, 0x7fff8000, 0xffffffff, 0x80007fff,
		      0x00017fff, 0x80000001, 0xffff0002, 0, 0x12345678,
		      0x80008000, 0x7fff7fff, 0x00010001, 0xffff0000,
		      0x8001fffe, 0x4000c000, 0x3fffbfff, 0x00ff0100,
		      0xfffdfffc } },
	/* what they are added to, or replace parts of */
	{ "words", { 0, 0x12345678, 0xfffffff0 } },
	{ "pred", { 0, 1 } },
};

static const struct type *type_of(const char *name)
{
	for (const struct type &t : types)
		if (!strcmp(t.name, name))
			return &t;
	fprintf(stderr, "asm_values: %s has no values\n", name);
	exit(1);
}

static int values_of(const char *type, int each)
{
	return !strcmp(type, "pred") ? 2 :
	       !strcmp(type, "words") && each > WORDS ? WORDS : each;
}

/* ---- asking ---- */

struct question {
	uint64_t values[3][MOST];
	int counts[3];
};

__global__ void answer(int line, struct question q, uint64_t *out)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	int nb = q.counts[0], nc = nb * q.counts[1];

	if (i < nc * q.counts[2])
		out[i] = give(line, q.values[0][i % nb],
			      q.values[1][i / nb % q.counts[1]],
			      q.values[2][i / nc]);
}

static int ask(int number, const struct line *l, int each, uint64_t *out)
{
	struct question q = {};
	int count = 1;

	for (int i = 0; i < 3; i++) {
		q.counts[i] = 1;
		if (i >= l->count)
			continue;
		q.counts[i] = values_of(l->operands[i], each);
		memcpy(q.values[i], type_of(l->operands[i])->values,
		       sizeof(q.values[i]));
		count *= q.counts[i];
	}
	answer<<<(count + 127) / 128, 128>>>(number, q, out);
	CHECK(cudaDeviceSynchronize());
	return count;
}

static void print_type(const struct type *t)
{
	printf("{\"type\": \"%s\", \"values\": \"", t->name);
	for (int i = 0; i < values_of(t->name, MOST); i++)
		printf("%s%llx", i ? " " : "",
		       (unsigned long long)t->values[i]);
	printf("\"}\n");
}

static void print_line(const struct line *l, int each, const uint64_t *out,
		       int count)
{
	printf("{\"instruction\": \"%s\", ", l->name);
	if (l->table)
		printf("\"table\": %d, ", l->table);
	printf("\"result\": \"%s\", \"operands\": [", l->result);
	for (int i = 0; i < l->count; i++)
		printf("%s\"%s\"", i ? ", " : "", l->operands[i]);
	printf("], \"each\": %d, \"out\": \"", each);
	for (int i = 0; i < count; i++)
		printf("%s%llx", i ? " " : "", (unsigned long long)out[i]);
	printf("\"}\n");
}

int main()
{
	uint64_t *out;
	int number = 0;

	CHECK(cudaMallocManaged(&out, MOST * MOST * MOST * sizeof(*out)));
	for (const struct type &t : types)
		print_type(&t);
	for (const struct line &l : lines) {
		int each = l.count == 3 ? OF_THREE : MOST;
		int count = ask(number++, &l, each, out);

		print_line(&l, each, out, count);
	}
	CHECK(cudaFree(out));
	return 0;
}
