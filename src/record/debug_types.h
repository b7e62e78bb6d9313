/*
 * debug_types: types, as DWARF has them; for debug*.c alone.
 */
#ifndef RECORD_DEBUG_TYPES_H
#define RECORD_DEBUG_TYPES_H

#include <elfutils/libdw.h>

#include "record/debug.h"

/* The type of a variable, member or function; false: it has none. */
bool debug_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Looks through typedefs and qualifiers; false for void. */
bool debug_type_peel(Dwarf_Die *type);
/* The attribute `name` as a number, or `none`. */
Dwarf_Word debug_type_number(Dwarf_Die *die, unsigned name, Dwarf_Word none);
/* depth: how many types it is nested in. False: there is no telling. */
bool debug_type_read(Dwarf_Die *type, struct debug_type *t, int depth);

#endif
