/*
 * asm_statement: an instruction of PTX with its operands, between asm.c, which
 * reads it, and asm_do.c, which does it.
 */
#ifndef EMU_ASM_STATEMENT_H
#define EMU_ASM_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_GROUPS 6
#define ASM_SCALARS 16
#define ASM_NAME_BYTES 80

/* An operand of the asm statement, as cuda/cuda_words.h has it. */
struct asm_operand {
	void *at;
	unsigned int bytes;
	unsigned long long value;
};

/* A register that the PTX declares. */
struct asm_register {
	char name[24];
	uint64_t value;
	bool predicate;
	uint32_t bits;
};

/* An operand of the asm statement, a register that the PTX declares, or a
 * number: the first that is there. */
struct asm_scalar {
	const struct asm_operand *operand;
	struct asm_register *reg;
	uint64_t number;
};

/* An operand of the instruction: one alone, {a, b, ..}, or [a + number]. */
struct asm_group {
	struct asm_scalar of[ASM_SCALARS];
	size_t count;
	char open;			/* '{', '[' or 0 */
	int64_t displacement;
};

struct asm_statement {
	char name[ASM_NAME_BYTES];	/* "ld.shared.v4.f32" */
	struct asm_group groups[ASM_GROUPS];
	size_t count;
	const char *text;		/* from the name on */
	void *here;
};

/* Does it, or refuses. */
void asm_do(const struct asm_statement *st);
/* Ends the launch: the recorder cannot do this instruction. */
_Noreturn void asm_refuse(const struct asm_statement *st);

/* Reads or writes it, as accesses where it is an operand of the statement. */
uint64_t asm_get(const struct asm_statement *st, const struct asm_scalar *x);
void asm_put(const struct asm_statement *st, const struct asm_scalar *x,
	     uint64_t v);

#endif
