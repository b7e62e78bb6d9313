/*
 * scalar_text: lets the compiler's hooks see variables that a kernel declares
 * without a value, as in "float acc;". The compiler announces accesses only to
 * variables whose address the text takes, so a statement that takes it, and does
 * nothing else, is added at the end of the line.
 */
#ifndef EMU_MODULE_SCALAR_TEXT_H
#define EMU_MODULE_SCALAR_TEXT_H

#include "base/base.h"

/* Adds "(void)&acc;" to the lines that declare such scalars, where a statement
 * may follow; lines and columns of all other words stay. Takes `text` (heap) and
 * returns the changed text (heap). */
char *hook_scalars(char *text);

#endif
