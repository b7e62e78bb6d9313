/*
 * asm_text: the asm statements of a reader's kernel. Before a text is compiled,
 * each statement is replaced by a call, which parses the PTX (asm.c) and
 * executes it (asm_do.c), with accesses on the statement's line. Supported are
 * copies to shared memory, ldmatrix, mma, loads and stores, barriers, what
 * lanes of a warp tell each other (asm_warp.c), and instructions that compute
 * registers (asm_alu.def).
 */
#ifndef EMU_MODULE_ASM_TEXT_H
#define EMU_MODULE_ASM_TEXT_H

#include "base/base.h"

/* A copy of the text, line for line, with calls for its asm statements. */
char *asm_calls(const char *text);

#endif
