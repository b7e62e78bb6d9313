/*
 * arithmetic: what a module's code calls where a GPU's arithmetic differs from
 * x86's: see emu/module/asm_machine.h.
 */
#include <string.h>

#include "emu/emu.h"
#include "emu/emu_findings.h"
#include "emu/recording.h"

/* ---- conversions of reals to integers ---- */

/* The compiler's descriptions: gcc/ubsan.c. */
struct ubsan_type {
	uint16_t kind; /* 0: an integer, 1: a real */
	uint16_t info; /* of an integer: 1 if signed, 2 * log2 of its bits;
			* of a real: its bits */
	char name[];
};
struct ubsan_cast {
	const struct ubsan_type *from, *to;
};
/* In %rax and %rdx. */
struct cast_result {
	uint64_t value;
	uint64_t given;
};

/* Returns the bits of x as a type of `bits` bits, saturated; NaN is `none`. */
static uint64_t saturate_integer(double x, bool is_signed, unsigned bits,
				 uint64_t none)
{
	const uint64_t high = (uint64_t)1 << (bits - 1);
	const uint64_t all = high | (high - 1);
	/* Both ends of the range, as far as a double has them. */
	double most = is_signed ? (double)high : 2 * (double)high;

	if (x != x)
		return none;
	if (x >= most)
		return is_signed ? all >> 1 : all;
	if (is_signed && x <= -most)
		return high;
	if (is_signed)
		return (uint64_t)(int64_t)x & all;
	return x <= 0 ? 0 : (uint64_t)x;
}

/* Tests whether a location stands before the types: a file's name. */
static const struct ubsan_cast *find_types(const void *data)
{
	struct with_place {
		const char *file;
		uint32_t line, column;
		struct ubsan_cast cast;
	};

	return &((const struct with_place *)data)->cast;
}

/*
 * Returns what a GPU gives for a real that is out of the range of an integer's
 * type (PTX ISA, cvt): below 32 bits as to 32, of which the low bits are kept;
 * NaN is 0 from float to 32 bits, else the highest bit. For unsigned 64 bits
 * the compiler adds 2^63 to what a conversion gives, from 2^63 on.
 */
struct cast_result gemmviz_converted(const void *data, uint64_t bits);
struct cast_result gemmviz_converted(const void *data, uint64_t bits)
{
	const struct ubsan_cast *c = find_types(data);
	unsigned width = MAX(1u << (c->to->info >> 1), 32u);
	bool is_signed = c->to->info & 1;
	uint64_t high = (uint64_t)1 << (width - 1), value;
	double x;
	float f;

	if (c->to->kind != 0 || c->from->kind != 1 || width > 64 ||
	    (c->from->info != 32 && c->from->info != 64))
		return (struct cast_result){ 0, 0 };
	if (c->from->info == 32) {
		memcpy(&f, &bits, sizeof(f));
		x = f;
	} else {
		memcpy(&x, &bits, sizeof(x));
	}
	value = saturate_integer(x, is_signed, width,
			 width == 32 && c->from->info == 32 ? 0 : high);
	if (width == 64 && !is_signed && x >= 0x1p63)
		value ^= high;
	return (struct cast_result){ value, 1 };
}

/* ---- divisions of integers ---- */

/* Records a division by zero in the line that returns to `here`. */
void gemmviz_divided(void *here);
void gemmviz_divided(void *here)
{
	if (!rec.thread || rec.fast)
		return;
	thread_at(rec.thread, here);
	emu_finding_cause(rec.thread, CAUSE_DIVISION_BY_ZERO);
}

/* ---- reals of 16 bits ---- */

/* Returns where the running thread keeps its last product. */
struct last_product *gemmviz_product(void);
struct last_product *gemmviz_product(void)
{
	static struct last_product of_none;

	return rec.thread ? &rec.thread->product : &of_none;
}
