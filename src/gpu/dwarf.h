/*
 * dwarf: the debug sections of a kernel's PTX, read with libdw.
 *
 * Nothing in PTX has an address. Each symbol that the sections refer to gets an
 * address of its own here, so that a variable's location, as libdw gives it,
 * tells the symbol and the offset in it.
 */
#ifndef GPU_DWARF_H
#define GPU_DWARF_H

#include "record/debug.h"
#include "gpu/ptx/ptx.h"

struct dwarf {
	struct debug *debug;
	const char **symbols;		/* the ptx's */
	size_t symbol_count, symbol_capacity;
};

/* -1 with e when there are no such sections, or they are unreadable. */
int dwarf_read(struct dwarf *d, const struct ptx *p, struct error *e);
void dwarf_done(struct dwarf *d);

/* The symbol that a variable (home DEBUG_DATA) is in, and its offset there;
 * NULL: none. */
const char *dwarf_symbol(const struct dwarf *d, const struct debug_var *v,
			 uint64_t *offset);

#endif
