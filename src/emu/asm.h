/*
 * asm: PTX that a reader's kernel has in asm statements. Before a text is
 * compiled, each statement becomes a call (asm_text.c); the call reads the PTX
 * (asm.c) and does what it says (asm_do.c), with the accesses of the
 * statement's line. Known are copies to shared memory, ldmatrix, mma, loads
 * and stores, barriers, and what computes registers (asm_alu.def).
 */
#ifndef EMU_ASM_H
#define EMU_ASM_H

#include "base/base.h"

/* A copy of the text, line for line, with calls for its asm statements. */
char *asm_calls(const char *text);

#endif
