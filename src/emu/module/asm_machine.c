/* asm_machine: see asm_machine.h. */
#include "emu/module/asm_machine.h"

#include <stdlib.h>
#include <string.h>

#define HANDLER "__ubsan_handle_float_cast_overflow"
#define COVERAGE "__sanitizer_cov_trace_pc"

static bool is_call_to(const struct asm_line *l, const char *function)
{
	return l->kind == ASM_CODE && asm_is(l->op, "call") &&
	       l->operands == 1 && asm_has(l->operand[0], function);
}

static bool is_label(const struct asm_lines *lines, size_t i)
{
	return i < lines->count && lines->list[i].kind == ASM_TARGET;
}

/* ---- conversions ---- */

/* Calls ours in place of the compiler's handler, whose name the recorder's own
 * sanitizer may have, and keeps the result, a value (%rax) and whether it is
 * one (%rdx), for the conversion that follows. No other thread of the kernel
 * runs in between. */
static void keep_result(struct asm_line *l)
{
	const char *name = memmem(l->text.at, l->text.length, HANDLER,
				  strlen(HANDLER));
	const char *rest = name + strlen(HANDLER);

	l->instead = xasprintf("%.*sgemmviz_converted%.*s\n"
			       "\tmovq\t%%rax, gemmviz_cast(%%rip)\n"
			       "\tmovb\t%%dl, gemmviz_cast+8(%%rip)\n",
			       (int)(name - l->text.at), l->text.at,
			       (int)(l->text.at + l->text.length - rest), rest);
}

/* Takes the kept value, if any, in place of the conversion's. */
static void take_result(struct asm_lines *lines, struct asm_line *l)
{
	uint32_t n = asm_label(lines);
	bool wide = l->op.at[l->op.length - 1] == 'q';

	l->instead = xasprintf("%.*s\n"
			       "\tcmpb\t$0, gemmviz_cast+8(%%rip)\n"
			       "\tje\t.Lgemmviz%u\n"
			       "\tmov%c\tgemmviz_cast(%%rip), %.*s\n"
			       "\tmovb\t$0, gemmviz_cast+8(%%rip)\n"
			       ".Lgemmviz%u:\n",
			       ASM_PART(l->text), n, wide ? 'q' : 'l',
			       ASM_PART(l->operand[1]), n);
}

static bool is_conversion(const struct asm_line *l)
{
	return l->operands == 2 && l->op.length >= 10 &&
	       (!memcmp(l->op.at, "cvttss2si", 9) ||
		!memcmp(l->op.at, "cvttsd2si", 9)) &&
	       strchr("lq", l->op.at[9]);
}

/* Tests whether the check of a conversion's range made a basic block here: the
 * one that calls the handler, or the one after it. The reader has no branch
 * there. */
static bool is_of_check(const struct asm_lines *lines, size_t i)
{
	size_t at = asm_before(lines, i);

	if (is_label(lines, at))
		at = asm_before(lines, at);
	if (at < lines->count && is_call_to(&lines->list[at], HANDLER))
		return true;
	for (int n = 0; n < 12; n++) {
		i = asm_next(lines, i);
		if (i == lines->count || lines->list[i].kind == ASM_TARGET)
			return false;
		if (asm_is(lines->list[i].op, "call"))
			return is_call_to(&lines->list[i], HANDLER);
	}
	return false;
}

/* ---- shifts ---- */

/* Returns the bits that a shift by %cl works on, as C++ has it: 32 or 64. 0: it
 * is no such shift. */
static int shift_bits(const struct asm_line *l)
{
	static const char *const ops[] = { "sal", "shl", "shr", "sar" };

	if (l->operands != 2 || l->op.length != 4 ||
	    !asm_is(l->operand[0], "%cl"))
		return 0;
	for (size_t i = 0; i < LENGTH(ops); i++)
		if (!memcmp(l->op.at, ops[i], 3))
			return l->op.at[3] == 'q'	  ? 64 :
			       strchr("bwl", l->op.at[3]) ? 32 :
							    0;
	return 0;
}

/* Tests whether a shift is one half of a shift of 128 bits, which tests bit 6
 * of the count itself. */
static bool is_of_pair(const struct asm_lines *lines, size_t i)
{
	size_t at = asm_before(lines, i);

	return at < lines->count && lines->list[at].op.length >= 4 &&
	       (!memcmp(lines->list[at].op.at, "shld", 4) ||
		!memcmp(lines->list[at].op.at, "shrd", 4));
}

/* Tests whether only the low byte of the count was loaded. */
static bool is_byte_count(const struct asm_lines *lines, size_t i)
{
	size_t at = asm_before(lines, i);

	for (int n = 0; n < 4 && at < lines->count; n++) {
		const struct asm_line *l = &lines->list[at];

		if (l->kind == ASM_TARGET)
			return false;
		if (l->operands == 2 && (asm_is(l->operand[1], "%ecx") ||
					 asm_is(l->operand[1], "%rcx")))
			return false;
		if (l->operands == 2 && asm_is(l->operand[1], "%cl"))
			return true;
		at = asm_before(lines, at);
	}
	return false;
}

/* Replaces shifts: those by the width and more give 0, or the sign. */
static void clamp_shift(struct asm_lines *lines, size_t i, int bits)
{
	struct asm_line *l = &lines->list[i];
	uint32_t n = asm_label(lines);
	char width = l->op.at[3];
	char *far = !memcmp(l->op.at, "sar", 3) ?
			    xasprintf("\tsar%c\t$%d, %.*s\n", width,
				      width == 'b' ? 7 :
				      width == 'w' ? 15 :
						     bits - 1,
				      ASM_PART(l->operand[1])) :
			    xasprintf("\tmov%c\t$0, %.*s\n", width,
				      ASM_PART(l->operand[1]));

	l->instead = xasprintf(
		"%s\tcmpl\t$%d, %%ecx\n"
		"\tjbe\t.Lgemmviz%u\n"
		"%s\tjmp\t.Lgemmviz%u_\n"
		".Lgemmviz%u:\n%.*s\n.Lgemmviz%u_:\n",
		is_byte_count(lines, i) ? "\tmovzbl\t%cl, %ecx\n" : "",
		bits - 1, n, far, n, n, ASM_PART(l->text), n);
	free(far);
}

/* ---- divisions ---- */

/* The registers of a division, by its suffix. */
static const struct divide {
	char suffix;
	const char *low, *high;
} divides[] = {
	{ 'w', "ax", "dx" },
	{ 'l', "eax", "edx" },
	{ 'q', "rax", "rdx" },
};

/* Returns the registers of a division; NULL: it is none. */
static const struct divide *find_divide(const struct asm_line *l, bool *sign)
{
	const char *op = l->op.at;

	*sign = l->op.length == 5 && !memcmp(op, "idiv", 4);
	if (l->operands != 1 ||
	    !(*sign || (l->op.length == 4 && !memcmp(op, "div", 3))))
		return NULL;
	for (size_t i = 0; i < LENGTH(divides); i++)
		if (divides[i].suffix == op[l->op.length - 1])
			return &divides[i];
	return NULL;
}

/* Returns the code for a quotient by zero: all ones, of 32 bits where the
 * dividend has no more, as an H200 gives; heap. The rest is the dividend. */
static char *divide_by_zero(const struct divide *d, uint32_t n)
{
	if (d->suffix != 'q')
		return xasprintf("\tmov%c\t%%%s, %%%s\n\tmov%c\t$-1, %%%s\n",
				 d->suffix, d->low, d->high, d->suffix, d->low);
	return xasprintf("\tmovq\t%%rax, %%rdx\n"
			 "\tshrq\t$32, %%rax\n"
			 "\tmovl\t$-1, %%eax\n"
			 "\tje\t.Lgemmviz%u_\n"
			 "\tmovq\t$-1, %%rax\n",
			 n);
}

/* Replaces a division by zero, and that of the lowest number by -1, which is
 * itself. */
static void guard_divide(struct asm_lines *lines, struct asm_line *l,
			 const struct divide *d, bool sign)
{
	uint32_t n = asm_label(lines);
	char *zero = divide_by_zero(d, n);
	char *minus =
		!sign ? xstrdup("") :
			xasprintf("\tcmp%c\t$-1, %.*s\n\tjne\t.Lgemmviz%un\n"
				  "\tneg%c\t%%%s\n\tmov%c\t$0, %%%s\n"
				  "\tjmp\t.Lgemmviz%u_\n.Lgemmviz%un:\n",
				  d->suffix, ASM_PART(l->operand[0]), n,
				  d->suffix, d->low, d->suffix, d->high, n, n);

	l->instead = xasprintf("\tcmp%c\t$0, %.*s\n"
			       "\tjne\t.Lgemmviz%u\n"
			       "\tleaq\t-128(%%rsp), %%rsp\n"
			       "\tcall\t.Lgemmviz_divided\n"
			       "\tleaq\t128(%%rsp), %%rsp\n"
			       "%s\tjmp\t.Lgemmviz%u_\n"
			       ".Lgemmviz%u:\n%s%.*s\n.Lgemmviz%u_:\n",
			       d->suffix, ASM_PART(l->operand[0]), n, zero, n,
			       n, minus, ASM_PART(l->text), n);
	free(zero);
	free(minus);
}

/* What the divisions of a text call. It keeps all registers: the compiler knows
 * of no call there. */
static const char divided[] =
	"\t.text\n"
	".Lgemmviz_divided:\n"
	"\tpushq\t%rbp\n"
	"\tmovq\t%rsp, %rbp\n"
	"\tpushq\t%rax\n\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n"
	"\tpushq\t%rdi\n\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n"
	"\tpushq\t%r11\n"
	"\tsubq\t$600, %rsp\n"
	"\tandq\t$-64, %rsp\n"
	"\tfxsave64\t(%rsp)\n"
	"\tmovq\t8(%rbp), %rdi\n"
	"\tcall\t*gemmviz_divided@GOTPCREL(%rip)\n"
	"\tfxrstor64\t(%rsp)\n"
	"\tleaq\t-72(%rbp), %rsp\n"
	"\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n"
	"\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n"
	"\tpopq\t%rax\n"
	"\tpopq\t%rbp\n"
	"\tret\n";
static const char cast[] = "\t.local\tgemmviz_cast\n"
			   "\t.comm\tgemmviz_cast,16,8\n";

/* Adds texts before the first line: what the replaced lines refer to. */
static void add_definitions(struct asm_lines *lines, bool casts, bool divides_)
{
	struct asm_line *first = &lines->list[0];

	if (!casts && !divides_)
		return;
	first->instead =
		xasprintf("%s%s%.*s\n", casts ? cast : "",
			  divides_ ? divided : "", ASM_PART(first->text));
}

void asm_machine(struct asm_lines *lines)
{
	bool casts = false, divided_ = false, sign;

	for (size_t i = 1; i < lines->count; i++) {
		struct asm_line *l = &lines->list[i];
		const struct divide *d;
		int bits;

		if (l->kind != ASM_CODE)
			continue;
		bits = shift_bits(l);
		d = find_divide(l, &sign);
		if (is_call_to(l, HANDLER)) {
			keep_result(l);
			casts = true;
		} else if (is_call_to(l, COVERAGE) && is_of_check(lines, i)) {
			l->instead = xstrdup("");
		} else if (is_conversion(l)) {
			take_result(lines, l);
			casts = true;
		} else if (bits && !is_of_pair(lines, i)) {
			clamp_shift(lines, i, bits);
		} else if (d) {
			guard_divide(lines, l, d, sign);
			divided_ = true;
		}
	}
	add_definitions(lines, casts, divided_);
}
