/*
 * asm_alu: the PTX instructions that compute registers from registers
 * (asm_alu.def), as functions of the registers' bits.
 */
#ifndef EMU_WARP_ASM_ALU_H
#define EMU_WARP_ASM_ALU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ASM_ALU_OPERANDS 3

struct asm_alu {
	const char *name;	/* "add.s32" */
	const char *result, *operands[ASM_ALU_OPERANDS];	/* "s32" */
	size_t count;		/* operands */
	/* Whether it takes a truth table as a fourth operand (lop3). */
	bool has_table;
	unsigned table;	/* the truth table in this line of asm_alu.def */
};

extern const struct asm_alu asm_alus[];
extern const size_t asm_alu_count;

/* Returns whether a type is "pred", whose values are 0 and 1. */
bool asm_alu_is_predicate(const char *type);
/* Finds an instruction by its full name, as in "add.s32"; NULL: not found. */
const struct asm_alu *asm_alu_find(const char *name);
/* Computes the result of these operands and, for lop3, this truth table. If the
 * type is signed, the result is sign-extended, for a register wider than the
 * type. */
uint64_t asm_alu_do(const struct asm_alu *alu,
		    const uint64_t in[ASM_ALU_OPERANDS], unsigned table);

#endif
