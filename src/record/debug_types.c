/*
 * debug_types: reads DWARF types into what a trace can express. See
 * debug_types.h.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "record/debug_types.h"

bool debug_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute at;

	return dwarf_attr_integrate(die, DW_AT_type, &at) &&
	       dwarf_formref_die(&at, type);
}

/*
 * A text's own debug information may lead in a circle, and a structure of
 * structures of structures has more members than anybody counts: of a type so
 * many steps are looked at, and the rest is not known.
 */
#define STEPS_MOST 20000
static int steps;

static bool is_far(int depth)
{
	if (depth == 0)
		steps = 0;
	return depth > 16 || steps++ > STEPS_MOST;
}

/* Looks through typedefs and qualifiers; false for void. */
bool debug_type_peel(Dwarf_Die *type)
{
	for (int n = 0; n < STEPS_MOST; n++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!debug_type_of(type, type))
				return false;
			continue;
		default:
			return true;
		}
	}
	return false;
}

Dwarf_Word debug_type_number(Dwarf_Die *die, unsigned name, Dwarf_Word none)
{
	Dwarf_Attribute at;
	Dwarf_Word v;

	if (!dwarf_attr_integrate(die, name, &at) || dwarf_formudata(&at, &v))
		return none;
	return v;
}

/* Returns the largest alignment of a structure's members. */
static uint32_t structure_align(Dwarf_Die *type, int depth)
{
	uint32_t most = 1;
	Dwarf_Die child, of;

	if (dwarf_child(type, &child) != 0)
		return most;
	do {
		if ((dwarf_tag(&child) == DW_TAG_member ||
		     dwarf_tag(&child) == DW_TAG_inheritance) &&
		    !dwarf_hasattr(&child, DW_AT_external) &&
		    debug_type_of(&child, &of)) {
			uint32_t own = (uint32_t)debug_type_number(&child,
						DW_AT_alignment, 1);

			own = MAX(own, debug_type_align(&of, depth + 1));
			most = MAX(most, own);
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return most;
}

uint32_t debug_type_align(Dwarf_Die *type, int depth)
{
	Dwarf_Word own = debug_type_number(type, DW_AT_alignment, 0);
	Dwarf_Die of;

	if (is_far(depth) || own)
		return MAX((uint32_t)own, 1);
	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return structure_align(type, depth);
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_array_type:
		return debug_type_of(type, &of) ?
			       debug_type_align(&of, depth + 1) : 1;
	default:
		return (uint32_t)debug_type_number(type, DW_AT_byte_size,
						   sizeof(void *));
	}
}

static enum elem type_integer_elem(uint64_t bytes, bool is_signed)
{
	switch (bytes) {
	case 1:
		return is_signed ? ELEM_I8 : ELEM_U8;
	case 2:
		return is_signed ? ELEM_I16 : ELEM_U16;
	case 4:
		return is_signed ? ELEM_I32 : ELEM_U32;
	case 8:
		return is_signed ? ELEM_I64 : ELEM_U64;
	default:
		return ELEM_RAW;
	}
}

static void type_base(Dwarf_Die *die, struct debug_type *t)
{
	Dwarf_Word encoding = debug_type_number(die, DW_AT_encoding, 0);

	if (encoding == DW_ATE_float) {
		t->kind = DEBUG_REAL;
		t->elem = t->bytes == 4 ? ELEM_F32 :
			  t->bytes == 8 ? ELEM_F64 :
			  t->bytes == 2 ? ELEM_F16 : ELEM_RAW;
		return;
	}
	t->kind = DEBUG_INTEGER;
	t->is_signed = encoding == DW_ATE_signed ||
		       encoding == DW_ATE_signed_char;
	t->is_bool = encoding == DW_ATE_boolean;
	t->elem = type_integer_elem(t->bytes, t->is_signed);
}


/* Puts a dimension before those that the element has. */
static void type_prepend(struct debug_type *t, const uint64_t *dims,
			 uint32_t rank)
{
	uint64_t all[2 * TRACE_MAX_RANK];
	uint32_t n = 0;

	for (uint32_t i = 0; i < rank; i++)
		all[n++] = dims[i];
	for (uint32_t i = 0; i < t->rank; i++)
		all[n++] = t->dims[i];
	/* More than a trace can say: the outermost ones become one. */
	while (n > TRACE_MAX_RANK) {
		all[1] *= all[0];
		memmove(all, all + 1, --n * sizeof(*all));
	}
	memcpy(t->dims, all, n * sizeof(*all));
	t->rank = n;
}

static void type_array(Dwarf_Die *die, struct debug_type *t, int depth)
{
	uint64_t dims[TRACE_MAX_RANK], bytes;
	uint32_t rank = 0;
	Dwarf_Die child, of;
	struct debug_type elem = { 0 };

	if (!debug_type_of(die, &of) || !debug_type_read(&of, &elem, depth + 1))
		return;
	bytes = elem.bytes;
	if (dwarf_child(die, &child) == 0) {
		do {
			Dwarf_Word n;

			if (dwarf_tag(&child) != DW_TAG_subrange_type)
				continue;
			n = debug_type_number(&child, DW_AT_upper_bound,
					(Dwarf_Word)-2) + 1;
			n = debug_type_number(&child, DW_AT_count, n);
			if (n == (Dwarf_Word)-1)
				n = 0;
			if (rank < TRACE_MAX_RANK)
				dims[rank++] = n;
			else
				dims[rank - 1] *= n;
			bytes *= n;
		} while (dwarf_siblingof(&child, &child) == 0);
	}
	*t = elem;
	t->kind = DEBUG_AGGREGATE;
	t->flat = false;
	t->bytes = bytes;
	type_prepend(t, dims, rank);
}

/* Reads CUDA's 16-bit reals, which are structures that hide a number; false for
 * other types. */
static bool type_real16(Dwarf_Die *die, struct debug_type *t)
{
	const char *name = dwarf_diename(die);

	if (!name || t->bytes != 2)
		return false;
	if (!strcmp(name, "__half"))
		t->elem = ELEM_F16;
	else if (!strcmp(name, "__nv_bfloat16"))
		t->elem = ELEM_BF16;
	else
		return false;
	t->kind = DEBUG_REAL;
	return true;
}

/* Reads tensor_map<T, Rows, Columns, Swizzle> from its template arguments;
 * false for other types. */
static bool type_tensor_map(Dwarf_Die *die, struct debug_type *t, int depth)
{
	const char *name = dwarf_diename(die);
	struct debug_type of = { 0 };
	Dwarf_Word number[3] = { 0 };
	size_t count = 0;
	Dwarf_Die child, type;

	if (!name || strncmp(name, "tensor_map<", strlen("tensor_map<")) ||
	    dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter &&
		    debug_type_of(&child, &type))
			debug_type_read(&type, &of, depth + 1);
		if (dwarf_tag(&child) == DW_TAG_template_value_parameter &&
		    count < LENGTH(number))
			number[count++] = debug_type_number(&child,
						      DW_AT_const_value, 0);
	} while (dwarf_siblingof(&child, &child) == 0);
	t->kind = DEBUG_TENSOR_MAP;
	t->elem = of.elem;
	t->elem_bytes = of.elem_bytes;
	t->rank = 2;
	t->dims[0] = number[0];
	t->dims[1] = number[1];
	t->swizzle = (uint32_t)number[2];
	return of.elem_bytes > 0;
}

/* Stores the name of a structure, or of the typedef of an unnamed one. */
static void type_word(Dwarf_Die *die, Dwarf_Die written, struct debug_type *t)
{
	const char *name = dwarf_diename(die);

	for (int n = 0; !name && n < STEPS_MOST; n++) {
		if (dwarf_tag(&written) == DW_TAG_typedef)
			name = dwarf_diename(&written);
		else if (written.addr == die->addr)
			return;
		if (!debug_type_of(&written, &written))
			break;
	}
	if (name && strlen(name) < sizeof(t->word))
		strcpy(t->word, name);
}

/* Reads a structure. Adjacent members of one type are an array of it. */
static void type_structure(Dwarf_Die *die, struct debug_type *t, int depth)
{
	struct debug_type first = { 0 }, m;
	uint64_t count = 0;
	Dwarf_Die child, of;
	bool same = true, flat = true;

	if (type_real16(die, t) || type_tensor_map(die, t, depth))
		return;
	if (dwarf_child(die, &child) == 0) {
		do {
			memset(&m, 0, sizeof(m));
			if (dwarf_tag(&child) != DW_TAG_member)
				continue;
			if (!debug_type_of(&child, &of) ||
			    !debug_type_read(&of, &m, depth + 1))
				same = false;
			flat = flat && (m.flat || m.kind != DEBUG_AGGREGATE);
			t->holds_pointers |= m.holds_pointers;
			if (count++ == 0)
				first = m;
			same = same && m.elem == first.elem &&
			       m.bytes == first.bytes;
		} while (dwarf_siblingof(&child, &child) == 0);
	}
	t->kind = DEBUG_AGGREGATE;
	t->flat = flat;
	t->elem = ELEM_RAW;
	t->elem_bytes = (uint32_t)t->bytes;
	if (!same || count == 0 || count * first.bytes != t->bytes ||
	    first.elem_bytes == 0)
		return;
	t->elem = first.elem;
	t->elem_bytes = first.elem_bytes;
	memcpy(t->dims, first.dims, sizeof(t->dims));
	t->rank = first.rank;
	if (count > 1)
		type_prepend(t, &count, 1);
}

static void type_pointer(Dwarf_Die *die, struct debug_type *t, int depth)
{
	struct debug_type to = { 0 };
	Dwarf_Die of;

	t->kind = DEBUG_POINTER;
	t->bytes = sizeof(void *);
	t->elem = ELEM_RAW;
	/* Within an array or a structure it is an element itself. */
	t->elem_bytes = depth > 0 ? sizeof(void *) : 1;
	t->holds_pointers = depth > 0;
	if (depth > 0 || !debug_type_of(die, &of))
		return;
	t->to_const = dwarf_tag(&of) == DW_TAG_const_type;
	if (!debug_type_read(&of, &to, 1))
		return;
	t->to_pointer = to.kind == DEBUG_POINTER;
	memcpy(t->word, to.word, sizeof(t->word));
	if (to.elem_bytes > 0) {
		t->elem = to.elem;
		t->elem_bytes = to.elem_bytes;
	}
}

bool debug_type_read(Dwarf_Die *type, struct debug_type *t, int depth)
{
	const Dwarf_Die written = *type;

	memset(t, 0, sizeof(*t));
	if (is_far(depth) || !debug_type_peel(type))
		return false;
	t->bytes = debug_type_number(type, DW_AT_byte_size, 0);
	t->elem_bytes = (uint32_t)t->bytes;
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		type_base(type, t);
		break;
	case DW_TAG_enumeration_type:
		t->kind = DEBUG_INTEGER;
		t->elem = type_integer_elem(t->bytes, false);
		break;
	case DW_TAG_array_type:
		type_array(type, t, depth);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		type_structure(type, t, depth);
		type_word(type, written, t);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		type_pointer(type, t, depth);
		break;
	default:
		break;
	}
	return true;
}
