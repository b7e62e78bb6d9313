/* debug_types: types as DWARF describes them; for debug*.c only. */
#ifndef RECORD_DEBUG_TYPES_H
#define RECORD_DEBUG_TYPES_H

#include <elfutils/libdw.h>

#include "record/debug.h"

/* Finds the type of a variable, member or function; false: it has none. */
bool debug_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Skips typedefs and qualifiers; false for void. */
bool debug_type_peel(Dwarf_Die *type);
/* Returns the attribute `name` as a number, or `none`. */
Dwarf_Word debug_type_number(Dwarf_Die *die, unsigned name, Dwarf_Word none);
/* Returns the alignment in bytes of a type that is nested in `depth` others. */
uint32_t debug_type_align(Dwarf_Die *type, int depth);
/* Reads a type that is nested in `depth` others; false: it cannot be told. */
bool debug_type_read(Dwarf_Die *type, struct debug_type *t, int depth);
/* Reads what a parameter of this type leads to; debug_pointers.c. */
void debug_pointers_read(Dwarf_Die *type, struct debug_var *v);

#endif
