/*
 * debug_pointers: the pointers that can be reached from a parameter: in a
 * structure that is passed, or in what a pointer points to. See debug.h.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "record/debug_types.h"

#define DEPTH_MOST 4
#define POINTERS_MOST 64

static void pointers_of_type(Dwarf_Die *type, const char *name, uint64_t at,
			     struct debug_var *v, int depth);

static void pointer_add(Dwarf_Die *type, const char *name, uint64_t at,
			struct debug_var *v)
{
	struct debug_pointer p = { .at = at };

	if (v->pointer_count == POINTERS_MOST ||
	    !debug_type_read(type, &p.type, 0))
		return;
	p.name = xstrdup(name);
	v->pointers = xrealloc(v->pointers, v->pointer_count + 1,
			       sizeof(*v->pointers));
	v->pointers[v->pointer_count++] = p;
}

static void pointer_members_read(Dwarf_Die *type, const char *name, uint64_t at,
				 struct debug_var *v, int depth)
{
	Dwarf_Die child, of;

	if (dwarf_child(type, &child) != 0)
		return;
	do {
		const char *own = dwarf_diename(&child);
		int tag = dwarf_tag(&child);
		char *whole;

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_hasattr(&child, DW_AT_external) ||
		    !debug_type_of(&child, &of))
			continue;
		/* What a lambda captures has the variable's name. */
		own = tag == DW_TAG_inheritance || !own ? "" :
		      !strncmp(own, "__", 2) ? own + 2 : own;
		whole = xasprintf("%s%s%s", name, *own ? "." : "", own);
		pointers_of_type(
			&of, whole,
			at + debug_type_number(&child,
					       DW_AT_data_member_location, 0),
			v, depth + 1);
		free(whole);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void elements_read(Dwarf_Die *type, const char *name, uint64_t at,
			  struct debug_var *v, int depth)
{
	struct debug_type whole, each;
	Dwarf_Die of;

	if (!debug_type_read(type, &whole, 0) || !debug_type_of(type, &of) ||
	    !debug_type_read(&of, &each, 0) || !each.bytes)
		return;
	for (uint64_t i = 0; i < MIN(whole.bytes / each.bytes, POINTERS_MOST);
	     i++) {
		char *element = xasprintf("%s[%llu]", name,
					  (unsigned long long)i);

		pointers_of_type(&of, element, at + i * each.bytes, v,
				 depth + 1);
		free(element);
	}
}

static void pointers_of_type(Dwarf_Die *type, const char *name, uint64_t at,
			     struct debug_var *v, int depth)
{
	if (depth > DEPTH_MOST || !debug_type_peel(type))
		return;
	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
		pointer_add(type, name, at, v);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		pointer_members_read(type, name, at, v, depth);
		break;
	case DW_TAG_array_type:
		elements_read(type, name, at, v, depth);
		break;
	default:
		break;
	}
}

void debug_pointers_read(Dwarf_Die *type, struct debug_var *v)
{
	struct debug_type pointee;
	Dwarf_Die of = *type;

	if (!debug_type_peel(&of))
		return;
	if (v->type.kind != DEBUG_POINTER) {
		pointers_of_type(&of, "", 0, v, 0);
	} else if (debug_type_of(&of, type) &&
		   debug_type_read(type, &pointee, 0)) {
		pointers_of_type(type, "", 0, v, 0);
		v->pointer_stride = v->pointer_count ? pointee.bytes : 0;
	}
}
