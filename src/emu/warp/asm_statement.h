/*
 * asm_statement: a PTX instruction with its operands, between asm.c, which
 * parses it, and asm_do.c and asm_warp.c, which execute it.
 */
#ifndef EMU_WARP_ASM_STATEMENT_H
#define EMU_WARP_ASM_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_GROUPS 6
#define ASM_SCALARS 16
#define ASM_NAME_BYTES 80

/* An operand of the asm statement, as in cuda/cuda_words.h. */
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

/* A scalar: an operand of the asm statement, a register that the PTX declares,
 * or a number; the first of these that is set. */
struct asm_scalar {
	const struct asm_operand *operand;
	struct asm_register *reg;
	uint64_t number;
};

/* An operand of the instruction: a scalar, {a, b, ..}, [a + number], or a|b. */
struct asm_group {
	struct asm_scalar of[ASM_SCALARS];
	size_t count;
	char open;			/* '{', '[', '|' or 0 */
	int64_t displacement;
};

struct asm_statement {
	char name[ASM_NAME_BYTES];	/* "ld.shared.v4.f32" */
	struct asm_group groups[ASM_GROUPS];
	size_t count;
	const char *text;		/* the PTX, from the name on */
	void *here;
};

/* Executes an instruction; refuses it (asm_refuse()) if it is not supported. */
void asm_do(const struct asm_statement *st);
/* Executes an instruction that exchanges data between lanes of a warp
 * (shuffles, votes, matches, reductions). Returns false if it is none of
 * these. */
bool asm_warp_do(const struct asm_statement *st);
/* Ends the launch with the error that the recorder does not support this
 * instruction. */
_Noreturn void asm_refuse(const struct asm_statement *st);

/* Read or write a scalar, and record the access if it is an operand of the asm
 * statement. */
uint64_t asm_get(const struct asm_statement *st, const struct asm_scalar *x);
void asm_put(const struct asm_statement *st, const struct asm_scalar *x,
	     uint64_t v);

#endif
