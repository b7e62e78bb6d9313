/* asm_operand: see asm_operand.h. */
#include "emu/module/asm_operand.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of "%xmmN"; -1: it is something else. */
int asm_register(struct asm_part p)
{
	return p.length > 4 && !memcmp(p.at, "%xmm", 4) ? atoi(p.at + 4) : -1;
}

/* Returns N of "-N(%rbp)", a place in the frame; 0: it is something else. */
int32_t asm_place(struct asm_part p)
{
	char *end;
	long n;

	if (p.length < 8 || *p.at != '-' ||
	    memcmp(p.at + p.length - 6, "(%rbp)", 6))
		return 0;
	n = strtol(p.at + 1, &end, 10);
	return end == p.at + p.length - 6 && n > 0 && n < FRAME_MOST ?
		       (int32_t)n :
		       0;
}

/* Returns how many bytes of memory an instruction accesses, at most 16. */
int32_t asm_bytes(const struct asm_line *l)
{
	size_t n = l->op.length;
	const char *op = l->op.at;

	if (n > 4 && !memcmp(op, "mov", 3) && (op[3] == 'z' || op[3] == 's') &&
	    n == 6)
		return op[4] == 'b' ? 1 : op[4] == 'w' ? 2 : 4;
	if (n > 2 && op[n - 2] == 's' && (op[n - 1] == 's' || op[n - 1] == 'd'))
		return op[n - 1] == 's' ? 4 : 8;
	switch (op[n - 1]) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'l':
		return 4;
	case 'q':
		return 8;
	default:
		return 16;
	}
}

/* Tests whether an instruction reads its last operand, besides writing it. */
bool asm_reads_last(const struct asm_line *l)
{
	static const char *const writes[] = { "mov", "lea", "set", "cvt",
					      "pop" };

	for (size_t i = 0; i < LENGTH(writes); i++)
		if (l->op.length >= 3 && !memcmp(l->op.at, writes[i], 3))
			return false;
	return !(l->operands == 2 && asm_has(l->op, "xor") &&
		 l->operand[0].length == l->operand[1].length &&
		 !memcmp(l->operand[0].at, l->operand[1].at,
			 l->operand[0].length));
}

bool asm_writes_last(const struct asm_line *l)
{
	static const char *const no[] = { "cmp", "tes", "com", "uco",
					  "pus", "cal", "idi", "div" };

	for (size_t i = 0; i < LENGTH(no); i++)
		if (l->op.length >= 3 && !memcmp(l->op.at, no[i], 3))
			return false;
	return l->operands > 0;
}

/* Tests whether a line ends a basic block. What the check of a conversion's
 * range jumps over is not the reader's. */
bool asm_ends_block(const struct asm_lines *lines, size_t i)
{
	const struct asm_line *l = &lines->list[i];
	size_t at = asm_before(lines, i);

	if (l->kind == ASM_TARGET)
		return !(at < lines->count &&
			 asm_is(lines->list[at].op, "call") &&
			 asm_has(lines->list[at].operand[0], "__ubsan_"));
	if (l->kind != ASM_CODE)
		return false;
	if (asm_is(l->op, "je"))
		for (int n = 0; n < 10 && i < lines->count; n++) {
			i = asm_next(lines, i);
			if (i < lines->count &&
			    asm_is(lines->list[i].op, "call") &&
			    asm_has(lines->list[i].operand[0], "__ubsan_"))
				return false;
		}
	return *l->op.at == 'j' || asm_is(l->op, "ret");
}

/* Returns the number of the label ".LN", or -1. */
long asm_label_number(struct asm_part p)
{
	return p.length > 2 && p.at[0] == '.' && p.at[1] == 'L' &&
			       p.at[2] >= '0' && p.at[2] <= '9' ?
		       atol(p.at + 2) :
		       -1;
}
