/*
 * resolve: what instructions mean. See resolve.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "emu/fibre.h"
#include "emu/address_owner.h"
#include "emu/load_order.h"
#include "emu/place_name.h"
#include "emu/recording.h"
#include "emu/resolve.h"
#include "record/atomic_result.h"

/* ---- lines of the kernel's text ---- */

/*
 * Finds a hook's line and column. Code in a header has those of the kernel's
 * call of it.
 */
static void find_hook_place(const struct thread *t, uint32_t pc, uint32_t *line,
			    uint32_t *column)
{
	const struct debug_line *l;
	size_t depth = t ? t->depth : 0;
	uint64_t at = pc;

	for (;;) {
		l = debug_line_at(rec.debug, at + rec.text - rec.load - 1);
		if (!l || l->ours || depth < 2)
			break;
		at = t->frames[--depth].call;
	}
	*line = l && l->ours ? l->line : 0;
	*column = l && l->ours ? l->column : 0;
}

uint32_t resolve_line(uintptr_t address)
{
	uint32_t line, column;

	if (address - rec.text > rec.text_bytes)
		return 0;
	find_hook_place(rec.thread, (uint32_t)(address - rec.text), &line,
			&column);
	return line;
}

/* ---- slots ---- */

static uint32_t point_new(enum warp_event_kind kind, uint32_t order,
			  struct access_site *s)
{
	uint32_t id = (uint32_t)rec.point_count;

	grow(&rec.points, &rec.point_capacity, rec.point_count + 1,
	     sizeof(*rec.points));
	grow(&rec.point_slot, &rec.point_slot_capacity, rec.point_count + 1,
	     sizeof(*rec.point_slot));
	rec.points[id] = (struct warp_point) { kind, order, NO_SITE };
	rec.point_slot[id] = s;
	rec.point_count++;
	return id;
}

static struct access_site *slot_new(uint32_t pc)
{
	struct access_site *s = xcalloc(1, sizeof(*s));

	s->index = (uint32_t)rec.slot_count;
	s->pc = pc;
	find_hook_place(rec.thread, pc, &s->line, &s->raw_column);
	s->column = s->raw_column;
	grow(&rec.slot, &rec.slot_capacity, rec.slot_count + 1,
	     sizeof(*rec.slot));
	rec.slot[rec.slot_count++] = s;
	return s;
}

/*
 * Returns whether a basic block is one of the function that the thread is in:
 * not of one without hooks, in which g++ 11 leaves the hooks of blocks, nor of
 * one that copies a structure, nor after the end of one that it has just left
 * for another, where there is no more than a return.
 */
static bool block_counts(const struct thread *t, uint32_t pc)
{
	const struct debug_function *f, *in;
	uint64_t left = t->left + rec.text - rec.load;

	if (t->copy.calls)
		return false;
	if (t->depth == 0)
		return true;
	in = t->frames[t->depth - 1].function;
	f = debug_function_at(rec.debug, pc + rec.text - rec.load - 1);
	if (!f || (in && f != in))
		return !f;
	return pc <= t->left || left <= f->low || left > f->high;
}

/* Finds the control's slot at pc: a builtin may access memory, wait and pass a
 * barrier at one place. */
static struct access_site *control_find(uint32_t pc, enum op op, bool barrier)
{
	struct access_site *s = rec.slots[pc];

	while (s && (s->op != op || s->barrier != barrier))
		s = s->next;
	return s;
}

static struct access_site *control_new(uint32_t pc, enum op op,
				enum warp_event_kind kind)
{
	struct access_site *s = slot_new(pc);

	s->op = op;
	s->barrier = kind == WARP_ACCESS;
	s->silent = true;
	s->id = NO_EVENT;
	/* What a word stores comes before the barrier that it then waits at. */
	if (kind != WARP_BLOCK || !rec.thread || block_counts(rec.thread, pc))
		s->id = point_new(kind, pc + (s->barrier && op == OP_BARRIER),
				  s->barrier ? s : NULL);
	s->next = rec.slots[pc];
	rec.slots[pc] = s;
	return s;
}

struct access_site *resolve_control(uint32_t pc, enum warp_event_kind kind)
{
	struct access_site *s = control_find(pc, OP_BARRIER, kind == WARP_ACCESS);
	uint32_t word;

	if (s)
		return s;
	s = control_new(pc, OP_BARRIER, kind);
	word = s->barrier ? place_word(s->line, "__syncthreads") : 0;
	s->column = word ? word : s->column;
	return s;
}

struct access_site *resolve_sync(uint32_t pc)
{
	struct access_site *s = control_find(pc, OP_SYNC, true);

	return s ? s : control_new(pc, OP_SYNC, WARP_ACCESS);
}

/* ---- what the text means ---- */

/* Finds the variable of this name in the function that the thread is in; NULL:
 * there is none. */
static const struct debug_var *variable_named(const struct thread *t,
					      const struct access_site *s,
					      const char *name, size_t length)
{
	const struct debug_function *f = t->frames[t->depth - 1].function;
	const struct debug_var *found = NULL;

	for (size_t i = 0; f && i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];

		if (strlen(v->name) == length &&
		    !memcmp(v->name, name, length) &&
		    debug_in_scope(v, owner_frame(t, t->depth - 1, s->pc)))
			found = v;
	}
	return found;
}

/* Returns whether an access whose text names the variable may be of an element
 * of it, and not of what a pointer in it leads to. */
static bool means_elements(const struct access_site *s, const struct debug_var *v)
{
	const char *name;
	size_t length;
	uint32_t n = place_subscripts(s->line, s->raw_column, &name, &length);

	return !v->type.holds_pointers || (n > 0 && n <= v->type.rank);
}

/*
 * Finds the thread's own array that the text names at an access: an index that
 * is out of its range leads to some other variable of the thread, or to none.
 * Only where an element is accessed; copies of structures have no place of
 * their own in the text, and what is read where the array is declared is its
 * initializer's.
 */
static const struct debug_var *named_array(const struct thread *t,
					   const struct access_site *s)
{
	const struct debug_var *found;
	const char *name;
	size_t length;
	uint32_t start;

	if (t->depth == 0 ||
	    !place_name(s->line, s->raw_column, &name, &length, &start))
		return NULL;
	found = variable_named(t, s, name, length);
	if (!found || found->home != DEBUG_FRAME ||
	    found->type.kind != DEBUG_AGGREGATE ||
	    s->bytes > found->type.elem_bytes || !means_elements(s, found) ||
	    (s->op == OP_LD && s->line == found->line &&
	     start == found->column))
		return NULL;
	return found;
}

/* Further from an array than this, an address is not meant for it. */
#define NEAR (1ull << 32)
/* Up to so many bytes before or behind a variable an address is taken for one of
 * it if all that is known is that the line names it. */
#define CLOSE 256

/* Returns whether the column of an access is that of an element or a member, so
 * that the name before it is that of what is accessed; g++ gives an operator for
 * the load of an operand. */
static bool is_at_element(const struct access_site *s)
{
	const char *text;
	uint32_t column = s->raw_column;

	if (s->line == 0 || s->line > rec.line_count || column == 0)
		return false;
	text = rec.lines[s->line - 1];
	return column <= strlen(text) &&
	       (text[column - 1] == ']' || cpp_word_char(text[column - 1]));
}

/* Returns whether an access that is in no variable, or in another, may be of
 * this one: the text accesses it, or has its name in the line, and the address is
 * close to it or in a variable that the line does not name. */
static bool may_mean(const struct access_site *s, const struct address_owner *h,
		     const struct debug_var *v, uint64_t beyond,
		     const char *name, size_t length)
{
	if (name)
		return strlen(v->name) == length &&
		       !memcmp(v->name, name, length);
	return place_word(s->line, v->name) && (h->var || beyond < CLOSE);
}

/* Finds the __device__ array that the text accesses likewise, where the address
 * is in another or in none. What else the line names tells nothing: the address
 * may be a string's. */
static const struct debug_var *named_variable(const struct thread *t,
					      const struct access_site *s,
					      const struct address_owner *h,
					      uintptr_t address)
{
	const struct debug_var *found = NULL;
	uint64_t distance = NEAR;
	const char *name = NULL;
	size_t length = 0;
	uint32_t start;

	if (is_at_element(s) &&
	    !place_name(s->line, s->raw_column, &name, &length, &start))
		name = NULL;
	if (name && t->depth && variable_named(t, s, name, length))
		return NULL;
	for (size_t i = 0; i < rec.debug->var_count; i++) {
		const struct debug_var *v = &rec.debug->vars[i];
		uintptr_t lo = rec.load + (uintptr_t)v->at;
		uint64_t d = address < lo ? lo - address : address - lo;
		uint64_t beyond = address < lo ? d : d - v->type.bytes;

		if (v->home != DEBUG_DATA)
			continue;
		if (v == h->var && place_word(s->line, v->name))
			return NULL;
		if (v != h->var && may_mean(s, h, v, beyond, name, length) &&
		    v->type.kind == DEBUG_AGGREGATE && means_elements(s, v) &&
		    d < distance) {
			found = v;
			distance = d;
		}
	}
	return found;
}

static void variable_check(struct thread *t, const struct access_site *s,
			   const struct address_owner *h, uintptr_t address)
{
	const struct debug_var *named = named_variable(t, s, h, address);
	uintptr_t lo = named ? rec.load + (uintptr_t)named->at : 0;

	if (!named)
		return;
	emu_finding_bounds(t, s, memory_variable(&rec.memory, named, lo),
			   (int64_t)(address - lo));
	thread_stop();
}

/* Reads the pointer that the text subscripts, a variable of the function that
 * the thread is in. False: it is none, or one to pointers or structures, for
 * which the text alone does not tell what is meant. */
static bool pointer_to(const struct thread *t, const struct debug_var *v,
		       uintptr_t *to)
{
	if (v->home != DEBUG_FRAME || v->type.kind != DEBUG_POINTER ||
	    v->type.elem == ELEM_RAW)
		return false;
	memcpy(to, (char *)t->frames[t->depth - 1].cfa + v->at, sizeof(*to));
	return true;
}

/*
 * Checks an access by subscripts of a pointer, a variable or a parameter of the
 * function, into a thread's own array: what it leads to must be in that array.
 * A pointer to an array's first element may also be one to the end of what lies
 * before it, and go down.
 */
static void pointer_check(struct thread *t, const struct access_site *s,
			  uintptr_t address, uint64_t total)
{
	const struct debug_var *v;
	const char *name;
	size_t length;
	struct address_owner h = { 0 };
	uintptr_t to, lo;

	if (t->depth == 0 ||
	    !place_subscripts(s->line, s->raw_column, &name, &length))
		return;
	v = variable_named(t, s, name, length);
	if (!v || !pointer_to(t, v, &to) || to - t->stack >= FIBRE_STACK)
		return;
	owner_stack(t, s->pc, to, &h);
	lo = h.lo + t->stack;
	if (!h.array || (address < lo && to == lo) ||
	    (address >= lo && address + total <= lo + h.bytes))
		return;
	emu_finding_bounds(t, s, h.array, (int64_t)(address - lo));
	thread_stop();
}

/* Finds a __shared__ array that the thread's function sees by its name, with at
 * least `subscripts` dimensions; NULL: there is none. */
static const struct array *shared_named(const struct thread *t, uint32_t pc,
					const char *name, size_t length,
					uint32_t subscripts)
{
	uint64_t at = owner_frame(t, t->depth - 1, pc);

	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (a->var && a->info.space == SPACE_SHARED &&
		    debug_in_scope(a->var, at) &&
		    subscripts <= a->info.rank &&
		    strlen(a->info.name) == length &&
		    !memcmp(a->info.name, name, length))
			return a;
	}
	return NULL;
}

/*
 * Finds the array that the text subscripts at an access, be it through a
 * pointer of the function, which leads `to` there; NULL: the text does not
 * tell. (An unsigned index below 0 leads so far away that the address tells
 * nothing, or leads to another array.)
 */
static const struct array *find_subscripted(const struct thread *t,
					    const struct access_site *s, uintptr_t *to)
{
	const struct debug_var *v;
	const char *name;
	size_t length;
	struct address_owner h;
	uint32_t n;

	n = place_subscripts(s->line, s->raw_column, &name, &length);
	if (t->depth == 0 || n == 0)
		return NULL;
	v = variable_named(t, s, name, length);
	if (!v)
		return shared_named(t, s->pc, name, length, n);
	return pointer_to(t, v, to) && owner_find(t, s->pc, *to, 1, &h) &&
	       !h.stack ? h.array : NULL;
}

/* Stops the thread if the text means another array than the one that the
 * address is in. It is asked where the address is in no array, beyond the end
 * of one, or in one of the module's, which lie side by side. */
static void meant_check(struct thread *t, const struct access_site *s,
			const struct address_owner *h, uintptr_t address, uint64_t total)
{
	const struct array *a;
	uintptr_t to = 0;

	if (h->stack || (h->array && !h->module &&
			 address - h->lo <= h->bytes - total))
		return;
	a = find_subscripted(t, s, &to);
	/* What follows one array's end may begin another. */
	if (!a || a == h->array || (h->module && to == a->lo && address < to))
		return;
	t->at = s;
	emu_finding_bounds(t, s, a, (int64_t)(address - a->lo));
	thread_stop();
}

/* Stops the thread when the access must not happen. */
static void owner_check(struct thread *t, const struct access_site *s,
		       const struct address_owner *h, uintptr_t address,
		       uint64_t total, bool in_text)
{
	/* A function's result is read from where it was copied to. */
	bool right = s->op == OP_LD &&
		     place_right_side(s->line, s->raw_column,
				      h->var ? h->var->name : NULL);
	bool elsewhere = in_text && h->stack && address != t->copied && !right;
	const struct debug_var *named = elsewhere ? named_array(t, s) : NULL;
	int64_t off = (int64_t)(address - h->lo - (h->stack ? t->stack : 0));

	t->at = s;
	if (named && named != h->var) {
		const struct frame *f = &t->frames[t->depth - 1];
		struct array *a = memory_variable(&rec.memory, named, 0);

		emu_finding_bounds(t, s, a,
				   (int64_t)(address - f->cfa) - named->at);
		thread_stop();
	}
	if (elsewhere)
		pointer_check(t, s, address, total);
	if (h->module)
		variable_check(t, s, h, address);
	if (!h->array)
		return;
	if (off < 0 || (uint64_t)off + total > h->bytes) {
		emu_finding_bounds(t, s, h->array, off);
		thread_stop();
	}
	if (!h->stack && address % s->bytes != 0) {
		emu_finding_misaligned(t, s, off);
		thread_stop();
	}
}

/* Finds the extern __shared__ array that the text names at an access to dynamic
 * shared memory, if there are several; NULL: there are not, or the text names
 * none. */
static const struct debug_var *find_dynamic(const struct access_site *s,
					    const struct address_owner *h)
{
	const char *name;
	size_t length;
	uint32_t start;

	if (!rec.dynamic_shared_several || !h->array ||
	    h->lo != rec.dynamic_shared ||
	    !place_name(s->line, s->raw_column, &name, &length, &start))
		return NULL;
	for (size_t i = 0; i < rec.debug->var_count; i++) {
		const struct debug_var *v = &rec.debug->vars[i];

		if (v->home == DEBUG_LAUNCH && strlen(v->name) == length &&
		    !memcmp(v->name, name, length))
			return v;
	}
	return NULL;
}

/* Returns whether an access is to all of a scalar of the thread's, of so many
 * bytes that it does not hold REGISTER_PATTERN by chance. */
static bool is_checked_scalar(const struct access_site *s, const struct address_owner *h)
{
	const struct debug_var *v = h->var;

	return h->stack && v && !h->array &&
	       !v->parameter && v->home == DEBUG_FRAME &&
	       (v->type.kind == DEBUG_INTEGER || v->type.kind == DEBUG_REAL) &&
	       v->type.bytes >= 4 && s->bytes == v->type.bytes;
}

static void slot_fill(struct access_site *s, const struct thread *t,
		      const struct address_owner *h, bool in_text)
{
	struct array *a = h->array;

	s->lo = h->lo;
	s->stack = h->stack ? UINTPTR_MAX : 0;
	s->any_path = !h->stack;
	s->path = t->path;
	s->room = h->bytes >= s->bytes ? h->bytes - s->bytes : 0;
	s->array = a;
	s->scalar = is_checked_scalar(s, h) ? h->var : NULL;
	s->dynamic = find_dynamic(s, h);
	s->silent = !a || !(rec.spaces & 1u << a->info.space) ||
		    (h->stack && h->var->type.flat &&
		     (in_text || s->manner >= STRUCTURE));
	if (!a)
		return;
	s->words = op_is_bulk(s->op) ? 0 : (s->bytes + 3) / 4;
	s->column = place_array_column(s->line, s->raw_column, a->info.name);
	s->uninit = a->uninit > 0;
	s->padded = a->pitch > a->width;
	s->remote = h->remote;
	if (s->remote)
		s->tile = trace_tile_remote(s->bytes, s->remote - 1);
	s->align = h->stack ? 0 : s->bytes - 1;
	if (a->shadow && a->info.space != SPACE_CONSTANT &&
	    !manner_remote(s->manner) && !s->remote &&
	    s->bytes >> a->shadow_shift && !op_is_bulk(s->op)) {
		s->shadow = a->shadow;
		s->global = a->info.space == SPACE_GLOBAL;
		s->shadow_shift = a->shadow_shift;
	}
}

/* Finds the slot in the chain at pc: a builtin may access memory in several
 * widths and ways at one place. */
static struct access_site *chain_find(const struct thread *t, uint32_t pc,
			       uintptr_t address, uint32_t bytes,
			       uint64_t extra, enum op op, uint32_t manner)
{
	for (struct access_site *s = rec.slots[pc]; s; s = s->next) {
		uint64_t off = address - s->lo - (t->stack & s->stack);

		if (s->manner == manner && s->bytes == bytes && s->op == op &&
		    off + extra <= s->room && off <= s->room &&
		    !(address & s->align) &&
		    (s->any_path || s->path == t->path))
			return s;
	}
	return NULL;
}

/* Returns the event of a slot: an instruction's slots for one array share
 * it. */
static uint32_t slot_id(struct access_site *s)
{
	for (struct access_site *o = rec.slots[s->pc]; o; o = o->next)
		if (o->array == s->array && o->manner == s->manner &&
		    o->remote == s->remote && o->bytes == s->bytes &&
		    o->op == s->op && !o->silent)
			return o->id;
	return point_new(WARP_ACCESS, s->pc, s);
}

struct access_site *resolve_access(struct thread *t, uint32_t pc, uintptr_t address,
			    uint32_t bytes, uint64_t total, enum op op,
			    bool in_text, uint32_t manner)
{
	struct access_site *s = chain_find(t, pc, address, bytes, total - bytes, op,
				    manner);
	struct address_owner h;
	bool found;

	if (s)
		return s;
	s = slot_new(pc);
	s->op = op;
	s->bytes = s->moved = bytes;
	s->manner = manner;
	s->may_move = in_text && op == OP_LD && manner == PLAIN;
	s->result_used = manner == EXCHANGE &&
			 atomic_result_used(rec.source, s->line);
	found = owner_find(t, pc, address, total, &h);
	if (in_text && (!found || h.array || op == OP_ST))
		meant_check(t, s, &h, address, total);
	if (!found) {
		t->at = s;
		variable_check(t, s, &h, address);
		emu_finding_wild(t, s, address);
		thread_stop();
	}
	s->array = h.array;
	owner_check(t, s, &h, address, total, in_text);
	slot_fill(s, t, &h, in_text);
	s->silent = s->silent || load_order_again(s);
	s->special = s->silent || s->uninit || s->padded || s->remote ||
		     s->dynamic || (s->array && s->array->heap);
	if (!s->silent)
		s->id = slot_id(s);
	s->next = rec.slots[pc];
	rec.slots[pc] = s;
	return s;
}

uint32_t resolve_unit(struct thread *t, uint32_t pc, uintptr_t address,
		      uint64_t bytes)
{
	static const uint32_t units[] = { 16, 8, 4, 2, 1 };
	struct address_owner h;
	uint32_t elem = 16;

	if (owner_find(t, pc, address, bytes, &h) && h.array)
		elem = h.array->info.elem_bytes;
	for (size_t i = 0; i < LENGTH(units); i++)
		if (elem % units[i] == 0 && bytes % units[i] == 0)
			return units[i];
	return 1;
}
