/*
 * program_text: a program's text as a compiler for the host takes it.
 */
#ifndef CUDART_PROGRAM_TEXT_H
#define CUDART_PROGRAM_TEXT_H

#include "base/base.h"

/*
 * Copies the text, line for line, with calls in place of launches:
 *
 *     k<T, 16><<<grid, block, bytes>>>(a, b)
 *
 * becomes
 *
 *     (gemmviz_configure(__FILE__, __LINE__, grid, block, bytes),
 *      k<T, 16>(a, b))
 *
 * on the same lines. Its asm statements are calls, too (asm_text.h).
 */
char *program_text(const char *text);

#endif
