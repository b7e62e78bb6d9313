/*
 * asm_fuse: fuses products with sums in the compiler's assembly text, as nvcc's
 * default -fmad=true does: a product that one sum alone uses is rounded once,
 * with the sum.
 */
#ifndef EMU_MODULE_ASM_FUSE_H
#define EMU_MODULE_ASM_FUSE_H

#include "emu/module/asm_lines.h"

/*
 * Replaces sums and differences of float and double, one operand of which is a
 * product of the same basic block, also through local variables, that nothing
 * else uses. Products that reach another block or function are not fused. Does
 * nothing on a processor without FMA instructions.
 */
void asm_fuse(struct asm_lines *lines);

#endif
