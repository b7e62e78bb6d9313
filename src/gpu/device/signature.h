/*
 * signature: reads a kernel's parameters from its text. Debug information has
 * them, too, but for another build than the one that is timed.
 */
#ifndef GPU_DEVICE_SIGNATURE_H
#define GPU_DEVICE_SIGNATURE_H

#include "record/debug.h"

/*
 * Reads the __global__ function `entry` ("mm", or "mm<float, 16>" of a
 * template), or the only one if entry is NULL: its name and its parameters,
 * with names and types as far as they can be told. NULL with e (EXIT_USAGE). To
 * be freed with signature_free().
 */
struct debug_function *signature_read(const char *text, const char *entry,
				      struct error *e);
/* Takes the parameters' types from the mangled name: in the text, they may be
 * macros or names that the text defines. */
void signature_resolve(struct debug_function *f, const char *linkage);
void signature_free(struct debug_function *f);

#endif
