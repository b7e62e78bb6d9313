/*
 * signature: what a kernel's parameters are, read from its text. Debug
 * information says the same, but of another build than the one that is timed.
 */
#ifndef GPU_SIGNATURE_H
#define GPU_SIGNATURE_H

#include "record/debug.h"

/*
 * The __global__ function `entry`, "mm" or of a template "mm<float, 16>", or
 * the only one when entry is NULL: its name and parameters, with names and
 * types as far as they can be told. NULL with e (EXIT_USAGE). Free with
 * signature_free().
 */
struct debug_function *signature_read(const char *text, const char *entry,
				      struct error *e);
/* Takes the types from what the linker calls it: in the text they may be
 * made of macros, or of names of its own. */
void signature_resolve(struct debug_function *f, const char *linkage);
void signature_free(struct debug_function *f);

#endif
