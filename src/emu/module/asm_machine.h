/*
 * asm_machine: integer arithmetic as a GPU does it where x86 does otherwise, in
 * the compiler's assembly text. The PTX ISA clamps shifts (shl, shr) and
 * saturates conversions (cvt); division by zero is undefined there, and answers
 * as an H200 does.
 */
#ifndef EMU_MODULE_ASM_MACHINE_H
#define EMU_MODULE_ASM_MACHINE_H

#include "emu/module/asm_lines.h"

/*
 * Replaces the lines that shift by a register, divide integers or convert reals
 * to integers. A conversion takes what gemmviz_converted() returned just before
 * it, which -fsanitize=float-cast-overflow calls, by another name, for values out
 * of range. A division by zero calls gemmviz_divided(), which learns where.
 */
void asm_machine(struct asm_lines *lines);

#endif
