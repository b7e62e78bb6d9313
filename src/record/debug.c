/*
 * debug: reads DWARF with libdw. See debug.h.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "record/debug_types.h"

/* ---- variables ---- */

/* Finds where a variable is stored; false when it is optimized away or its
 * location has another form. */
static bool var_home(Dwarf_Die *die, struct debug_var *v)
{
	Dwarf_Attribute at;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, &at) ||
	    dwarf_getlocation(&at, &ops, &n) != 0 || n == 0)
		return false;
	if (n == 1 && ops[0].atom == DW_OP_fbreg) {
		v->home = DEBUG_FRAME;
		v->at = (int64_t)ops[0].number;
		return true;
	}
	if (n == 2 && ops[0].atom == DW_OP_fbreg &&
	    ops[1].atom == DW_OP_deref) {
		v->home = DEBUG_FRAME_ADDRESS;
		v->at = (int64_t)ops[0].number;
		return true;
	}
	if (n == 1 && ops[0].atom == DW_OP_addr) {
		v->home = DEBUG_DATA;
		v->at = (int64_t)ops[0].number;
		return true;
	}
	if (n == 2 && ops[0].atom == DW_OP_addr &&
	    ops[1].atom == DW_OP_plus_uconst) {
		v->home = DEBUG_DATA;
		v->at = (int64_t)(ops[0].number + ops[1].number);
		return true;
	}
	if (n == 2 && (ops[1].atom == DW_OP_form_tls_address ||
		       ops[1].atom == DW_OP_GNU_push_tls_address)) {
		v->home = DEBUG_TLS;
		v->at = (int64_t)ops[0].number;
		return true;
	}
	return false;
}

/* Tests for an extern __shared__ array: declared without a size and not
 * defined. The launch gives its size. */
static bool var_from_launch(Dwarf_Die *die, struct debug_var *v)
{
	Dwarf_Attribute at;
	bool declared;

	if (!dwarf_attr(die, DW_AT_declaration, &at) ||
	    dwarf_formflag(&at, &declared) != 0 || !declared ||
	    v->type.kind != DEBUG_AGGREGATE || v->type.rank == 0 ||
	    v->type.dims[0] != 0)
		return false;
	v->home = DEBUG_LAUNCH;
	return true;
}

/* Returns a member's offset in bytes from the structure's first byte; nvcc
 * writes it as an operation. */
static int64_t member_at(Dwarf_Die *member)
{
	Dwarf_Attribute at;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr(member, DW_AT_data_member_location, &at) &&
	    dwarf_getlocation(&at, &ops, &n) == 0 && n == 1 &&
	    ops[0].atom == DW_OP_plus_uconst)
		return (int64_t)ops[0].number;
	return (int64_t)debug_type_number(member, DW_AT_data_member_location,
					  0);
}

static void struct_members_read(Dwarf_Die *type, struct debug_var *v)
{
	size_t capacity = 0;
	Dwarf_Die child, of;

	/* The launch says how many there are of an array without a size. */
	if (v->type.kind == DEBUG_AGGREGATE && v->type.rank == 1 &&
	    v->type.dims[0] == 0 &&
	    (!debug_type_peel(type) || !debug_type_of(type, type)))
		return;
	if (!debug_type_peel(type) ||
	    dwarf_tag(type) != DW_TAG_structure_type ||
	    dwarf_child(type, &child) != 0)
		return;
	do {
		struct debug_var m = { .home = DEBUG_NOWHERE };
		const char *name = dwarf_diename(&child);

		if (dwarf_tag(&child) != DW_TAG_member || !name ||
		    !debug_type_of(&child, &of) ||
		    !debug_type_read(&of, &m.type, 0))
			continue;
		m.name = xasprintf("%s.%s", v->name, name);
		m.at = member_at(&child);
		grow(&v->members, &capacity, v->member_count + 1, sizeof(m));
		v->members[v->member_count++] = m;
	} while (dwarf_siblingof(&child, &child) == 0);
}

static bool var_read(Dwarf_Die *die, uint64_t low, uint64_t high,
		     struct debug_var *v)
{
	const char *name;
	Dwarf_Die type;
	int n;

	memset(v, 0, sizeof(*v));
	name = dwarf_diename(die);
	v->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	if (!name || !debug_type_of(die, &type) ||
	    !debug_type_read(&type, &v->type, 0))
		return false;
	/* A parameter is one of the call, used or not. */
	if (!var_home(die, v) && !v->parameter && !var_from_launch(die, v))
		return false;
	v->name = xstrdup(name);
	if (v->type.elem == ELEM_RAW &&
	    (v->home == DEBUG_TLS || v->home == DEBUG_LAUNCH ||
	     v->home == DEBUG_DATA))
		struct_members_read(&type, v);
	if (v->parameter)
		debug_pointers_read(&type, v);
	v->low = low;
	v->high = high;
	v->align = (uint32_t)debug_type_number(die, DW_AT_alignment, 0);
	v->line = dwarf_decl_line(die, &n) == 0 ? (uint32_t)n : 0;
	v->column = dwarf_decl_column(die, &n) == 0 ? (uint32_t)n : 0;
	return true;
}

static void vars_add(struct debug *d, struct debug_function *f,
		     Dwarf_Die *die, uint64_t low, uint64_t high)
{
	struct debug_var v;

	if (!var_read(die, low, high, &v))
		return;
	if (f && (v.home == DEBUG_FRAME || v.parameter)) {
		grow(&f->vars, &f->var_capacity, f->var_count + 1, sizeof(v));
		f->vars[f->var_count++] = v;
	} else if (v.home != DEBUG_FRAME) {
		grow(&d->vars, &d->var_capacity, d->var_count + 1, sizeof(v));
		d->vars[d->var_count++] = v;
	} else {
		free(v.name);
	}
}

/* Reads the variables of a scope and of the scopes within it. */
static void debug_scope_read(struct debug *d, struct debug_function *f,
			     Dwarf_Die *scope, uint64_t low, uint64_t high)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		Dwarf_Addr l = low, h = high, base;

		switch (dwarf_tag(&child)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable:
			vars_add(d, f, &child, low, high);
			break;
		case DW_TAG_lexical_block:
			if (dwarf_lowpc(&child, &l) != 0 ||
			    dwarf_highpc(&child, &h) != 0) {
				/* Scattered: its first range will do. */
				l = low;
				h = high;
				dwarf_ranges(&child, 0, &base, &l, &h);
			}
			debug_scope_read(d, f, &child, l, h);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* ---- functions ---- */

/* Returns the name that the linker uses. */
static const char *linkage_name(Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute at;
	const char *linkage = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &at) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &at))
		linkage = dwarf_formstring(&at);
	return linkage ? linkage : name;
}

/* Returns the alignment of the structure that an implicit copy function (a
 * member that the compiler generated) copies; 0 for other functions. */
static uint32_t function_copies(Dwarf_Die *die)
{
	Dwarf_Attribute at;
	Dwarf_Die child, type;
	uint32_t parameters = 0, align = 0;
	bool yes;

	if (!dwarf_attr_integrate(die, DW_AT_artificial, &at) ||
	    dwarf_formflag(&at, &yes) != 0 || !yes ||
	    dwarf_child(die, &child) != 0)
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    ++parameters == 2 && debug_type_of(&child, &type) &&
		    debug_type_peel(&type) && debug_type_of(&type, &type))
			align = debug_type_align(&type, 0);
	} while (dwarf_siblingof(&child, &child) == 0);
	return parameters == 2 ? align : 0;
}

static void debug_function_read(struct debug *d, Dwarf_Die *die)
{
	struct debug_function f = { 0 };
	Dwarf_Attribute at;
	Dwarf_Addr low, high;
	Dwarf_Die type;
	const char *name = dwarf_diename(die);
	Dwarf_Word alignment;
	bool yes;

	if (!name || dwarf_lowpc(die, &low) != 0 ||
	    dwarf_highpc(die, &high) != 0)
		return;
	f.name = xstrdup(name);
	f.linkage = xstrdup(linkage_name(die, name));
	f.low = low;
	f.high = high;
	f.external = dwarf_attr_integrate(die, DW_AT_external, &at) &&
		     dwarf_formflag(&at, &yes) == 0 && yes;
	f.returns = debug_type_of(die, &type);
	f.member = dwarf_hasattr_integrate(die, DW_AT_object_pointer);
	f.copies = f.member ? function_copies(die) : 0;
	if (dwarf_attr_integrate(die, DW_AT_alignment, &at) &&
	    dwarf_formudata(&at, &alignment) == 0)
		f.alignment = (uint32_t)alignment;
	debug_scope_read(d, &f, die, low, high);
	grow(&d->functions, &d->function_capacity, d->function_count + 1,
	     sizeof(f));
	d->functions[d->function_count++] = f;
}

static void unit_read(struct debug *d, Dwarf_Die *unit, int depth)
{
	Dwarf_Die child;

	if (depth > 16 || dwarf_child(unit, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			debug_function_read(d, &child);
			break;
		case DW_TAG_variable:
			vars_add(d, NULL, &child, 0, UINT64_MAX);
			break;
		case DW_TAG_namespace:
			unit_read(d, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* Returns the offset of the frame's CFA from the frame pointer, in the middle
 * of the function: at -O0 it is constant from prologue to epilogue. */
static int64_t function_cfa(Dwarf_CFI *cfi, const struct debug_function *f)
{
	uint64_t middle = f->low + (f->high - f->low) / 2;
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t n;
	int64_t cfa = 0;

	if (!cfi || dwarf_cfi_addrframe(cfi, middle, &frame) != 0)
		return 0;
	if (dwarf_frame_cfa(frame, &ops, &n) == 0 && n >= 1) {
		if (ops[0].atom == DW_OP_bregx)
			cfa = (int64_t)ops[0].number2;
		else if (ops[0].atom >= DW_OP_breg0 &&
			 ops[0].atom <= DW_OP_breg31)
			cfa = (int64_t)ops[0].number;
	}
	free(frame);
	return cfa;
}

/* ---- lines ---- */

static int line_order(const void *a, const void *b)
{
	const struct debug_line *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static const char *file_name(const char *path)
{
	return path ? file_base(path) : NULL;
}

/* Returns the path relative to the compiler's folder; each path is stored
 * once. */
static const char *file_keep(struct debug *d, Dwarf_Die *unit,
			     const char *path)
{
	Dwarf_Attribute at;
	const char *dir = dwarf_attr(unit, DW_AT_comp_dir, &at) ?
			  dwarf_formstring(&at) : NULL;
	size_t n = dir ? strlen(dir) : 0;

	if (!path)
		return NULL;
	if (n && !strncmp(path, dir, n) && path[n] == '/')
		path += n + 1;
	for (size_t i = d->file_count; i-- > 0;)
		if (!strcmp(d->files[i], path))
			return d->files[i];
	grow(&d->files, &d->file_capacity, d->file_count + 1,
	     sizeof(*d->files));
	return d->files[d->file_count++] = xstrdup(path);
}

void debug_own(struct debug *d, const char *file)
{
	for (size_t i = 0; i < d->line_count; i++)
		d->lines[i].ours = d->lines[i].file &&
				   !strcmp(d->lines[i].file, file);
}

static void lines_read(struct debug *d, Dwarf_Die *unit)
{
	const char *ours = file_name(dwarf_diename(unit));
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n) != 0)
		return;
	grow(&d->lines, &d->line_capacity, d->line_count + n,
	     sizeof(*d->lines));
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct debug_line *to = &d->lines[d->line_count];
		const char *path = dwarf_linesrc(l, NULL, NULL);
		const char *file = file_name(path);
		Dwarf_Addr address;
		int line = 0, column = 0;

		if (dwarf_lineaddr(l, &address) != 0)
			continue;
		dwarf_lineno(l, &line);
		dwarf_linecol(l, &column);
		*to = (struct debug_line) {
			.address = address,
			.line = (uint32_t)line,
			.column = (uint32_t)column,
			.row = (uint32_t)d->line_count,
			.ours = ours && file && !strcmp(ours, file),
			.file = file_keep(d, unit, path),
		};
		d->line_count++;
	}
}

/* ---- all of it ---- */

static int function_order(const void *a, const void *b)
{
	const struct debug_function *const *x = a, *const *y = b;

	return (*x)->low < (*y)->low ? -1 : (*x)->low > (*y)->low;
}

static void functions_sort(struct debug *d)
{
	d->by_address = xcalloc(d->function_count + 1,
				sizeof(struct debug_function *));
	for (size_t i = 0; i < d->function_count; i++)
		d->by_address[i] = &d->functions[i];
	qsort(d->by_address, d->function_count, sizeof(*d->by_address),
	      function_order);
}

static void debug_read(struct debug *d, Dwarf *dw, Elf *elf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die die, sub;
	uint8_t type;
	Dwarf_CFI *cfi;

	while (dwarf_get_units(dw, cu, &cu, &version, &type, &die, &sub) ==
	       0) {
		unit_read(d, &die, 0);
		lines_read(d, &die);
	}
	if (d->line_count)
		qsort(d->lines, d->line_count, sizeof(*d->lines), line_order);
	cfi = dwarf_getcfi_elf(elf);
	for (size_t i = 0; i < d->function_count; i++)
		d->functions[i].cfa = function_cfa(cfi, &d->functions[i]);
	if (cfi)
		dwarf_cfi_end(cfi);
	functions_sort(d);
}

struct debug *debug_open(int fd, struct error *e)
{
	struct debug *d;
	Dwarf *dw = dwarf_begin(fd, DWARF_C_READ);

	if (!dw) {
		error_set(e, EXIT_INPUT, "a module's debug information is "
			  "unreadable: %s", dwarf_errmsg(-1));
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	debug_read(d, dw, dwarf_getelf(dw));
	dwarf_end(dw);
	return d;
}

static void vars_free(struct debug_var *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		vars_free(v[i].members, v[i].member_count);
		for (size_t k = 0; k < v[i].pointer_count; k++)
			free(v[i].pointers[k].name);
		free(v[i].pointers);
		free(v[i].name);
	}
	free(v);
}

void debug_free(struct debug *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->function_count; i++) {
		free(d->functions[i].name);
		free(d->functions[i].linkage);
		vars_free(d->functions[i].vars, d->functions[i].var_count);
	}
	free(d->functions);
	free(d->by_address);
	vars_free(d->vars, d->var_count);
	free(d->lines);
	for (size_t i = 0; i < d->file_count; i++)
		free(d->files[i]);
	free(d->files);
	free(d);
}

const struct debug_function *debug_function_at(const struct debug *d,
					       uint64_t address)
{
	size_t low = 0, high = d->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->by_address[middle]->low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < d->by_address[low - 1]->high ?
		       d->by_address[low - 1] : NULL;
}

const struct debug_line *debug_line_at(const struct debug *d,
				       uint64_t address)
{
	size_t low = 0, high = d->line_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &d->lines[low - 1] : NULL;
}

bool debug_fits(const struct debug_var *member, uint64_t bytes)
{
	return member->type.bytes > 0 &&
	       (uint64_t)member->at + member->type.bytes <= bytes;
}

const char *debug_word(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

bool debug_in_scope(const struct debug_var *v, uint64_t address)
{
	return address >= v->low && address < v->high;
}

struct debug_type debug_sized(const struct debug_type *t, uint64_t bytes)
{
	struct debug_type sized = *t;
	uint64_t row = MAX(t->elem_bytes, 1);

	/* Of a structure, bytes: there need not be a whole one. */
	if (t->elem == ELEM_RAW) {
		sized.rank = 1;
		sized.elem_bytes = 1;
		sized.dims[0] = sized.bytes = bytes;
		return sized;
	}
	for (uint32_t d = 1; d < t->rank; d++)
		row *= MAX(t->dims[d], 1);
	sized.rank = MAX(t->rank, 1);
	/* The last row is not whole: what there is of it counts, too. */
	if (bytes % row >= MAX(t->elem_bytes, 1)) {
		row = MAX(t->elem_bytes, 1);
		sized.rank = 1;
	}
	sized.dims[0] = bytes / row;
	sized.bytes = bytes / row * row;
	return sized;
}
