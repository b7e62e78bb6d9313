/*
 * asm_operand: what an instruction of the compiler's assembly text accesses.
 */
#ifndef EMU_MODULE_ASM_OPERAND_H
#define EMU_MODULE_ASM_OPERAND_H

#include "emu/module/asm_lines.h"

#define FRAME_MOST 65536 /* bytes of a frame that are followed */

/* Returns the number of "%xmmN"; -1: it is something else. */
int asm_register(struct asm_part p);
/* Returns N of "-N(%rbp)", a place in the frame, below FRAME_MOST; 0: it is
 * something else. */
int32_t asm_place(struct asm_part p);
/* Returns the number of the label ".LN"; -1: it is something else. */
long asm_label_number(struct asm_part p);
/* Returns how many bytes of memory an instruction accesses, at most 16. */
int32_t asm_bytes(const struct asm_line *l);
/* Tests whether an instruction reads its last operand, besides writing it. */
bool asm_reads_last(const struct asm_line *l);
/* Tests whether an instruction writes its last operand. */
bool asm_writes_last(const struct asm_line *l);
/* Tests whether a line ends a basic block. What the check of a conversion's
 * range jumps over is not the reader's. */
bool asm_ends_block(const struct asm_lines *lines, size_t i);

#endif
