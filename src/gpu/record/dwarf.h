/*
 * dwarf: reads the debug sections of a kernel's PTX with libdw.
 *
 * Nothing in PTX has an address. Each symbol that the sections refer to gets an
 * address of its own here, so that a variable's location, as libdw reports it,
 * determines the symbol and the offset in it.
 */
#ifndef GPU_RECORD_DWARF_H
#define GPU_RECORD_DWARF_H

#include "record/debug.h"
#include "gpu/ptx/ptx.h"

struct dwarf {
	struct debug *debug;
	const char **symbols;		/* the ptx's */
	size_t symbol_count, symbol_capacity;
};

/* Reads the debug sections. -1 with e when there are none, or they are
 * unreadable. */
int dwarf_read(struct dwarf *d, const struct ptx *p, struct error *e);
void dwarf_done(struct dwarf *d);

/* Returns the symbol that contains a variable (home DEBUG_DATA), and sets
 * *offset to its offset there; NULL when there is none. */
const char *dwarf_symbol(const struct dwarf *d, const struct debug_var *v,
			 uint64_t *offset);

#endif
