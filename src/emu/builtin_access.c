/*
 * builtin_access: accesses of CUDA's builtins. See hooks.h.
 */
#include <string.h>

#include "emu/emu_findings.h"
#include "emu/hang_check.h"
#include "emu/fibre.h"
#include "emu/uninit.h"
#include "emu/place_name.h"
#include "emu/recording.h"

/*
 * Records what a builtin does for the kernel, as an access of the line that it
 * returns to. Loads come before stores: a call is longer than one byte, so the
 * place before the one that is returned to is theirs.
 */
static struct access_site *units_access(void *here, const void *p, size_t bytes,
				 size_t unit, enum op op, uint32_t manner)
{
	struct thread *t = rec.thread;
	uintptr_t address = (uintptr_t)p;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text);
	struct access_site *s;

	if (!t || rec.fast)
		return NULL;
	pc -= op == OP_LD;
	if (unit > 16 || unit & (unit - 1))
		unit = resolve_unit(t, pc, address, bytes);
	s = resolve_access(t, pc, address, (uint32_t)unit, bytes, op, false,
			   manner);
	s->atomic = manner == ATOMIC || manner == EXCHANGE;
	s->matrix = manner == MATRIX;
	if (manner_remote(manner))
		s->tile = trace_tile_remote(s->bytes, manner - REMOTE);
	access_record(t, s, address, bytes / unit);
	return s;
}

struct access_site *builtin_access(void *here, const void *p, size_t bytes,
			 enum op op, uint32_t manner)
{
	return units_access(here, p, bytes, bytes, op, manner);
}

static const struct access_site *access_data(void *here, const void *p, size_t bytes,
				      enum op op, const void *data,
				      uint32_t manner)
{
	const struct access_site *s = builtin_access(here, p, bytes, op, manner);
	struct thread *t = rec.thread;

	if (s && data && t->store_bytes) {
		if (rec.values)
			value_read(t->value + t->store_word, (uintptr_t)data,
				   (uint32_t)bytes);
		t->store_bytes = 0;
	}
	return s;
}

const struct access_site *thread_access(void *here, const void *p, size_t bytes,
				 enum op op, const void *data)
{
	return access_data(here, p, bytes, op, data, PLAIN);
}

const struct access_site *thread_access_copy(void *here, const void *p, size_t bytes,
				      enum op op, const void *data,
				      uint32_t which)
{
	return access_data(here, p, bytes, op, data, COPY + which);
}

void thread_access_units(void *here, const void *p, size_t bytes, size_t unit,
			 enum op op)
{
	if (units_access(here, p, bytes, unit, op, PLAIN))
		thread_settle(rec.thread);
}

const struct access_site *thread_access_row(void *here, const void *row, enum op op,
				     const void *data)
{
	return access_data(here, row, MATRIX_ROW_BYTES, op, data, MATRIX);
}

const struct access_site *thread_access_remote(void *here, const void *p, size_t bytes,
					const void *data, uint32_t rank)
{
	return access_data(here, p, bytes, OP_ST, data, REMOTE + rank);
}

const struct access_site *thread_signal(void *here, const void *p, enum op op,
				 const uint32_t words[2])
{
	struct thread *t = rec.thread;
	size_t at;
	const struct access_site *s;

	hang_unsure();
	thread_settle(t);
	at = t->words;
	s = builtin_access(here, p, 2 * sizeof(*words), op, ATOMIC);
	if (t->words > at)
		memcpy(&t->value[at], words, 2 * sizeof(*words));
	return s;
}

/* Returns a number for each different tile: lanes whose tiles differ, of a box
 * at a matrix's edge, do not move them together. */
static uint32_t tile_number(const struct trace_tile *tile)
{
	static struct trace_tile *tiles;
	static size_t count, capacity;
	size_t i = 0;

	while (i < count && memcmp(&tiles[i], tile, sizeof(*tile)))
		i++;
	if (i == count) {
		grow(&tiles, &capacity, ++count, sizeof(*tiles));
		tiles[i] = *tile;
	}
	return (uint32_t)i;
}

const struct access_site *thread_bulk(void *here, const void *p, uint32_t bytes,
			       enum op op, const struct trace_tile *tile)
{
	struct thread *t = rec.thread;
	uintptr_t address = (uintptr_t)p;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text);
	uint32_t unit = resolve_unit(t, pc, address, bytes);
	struct access_site *s = resolve_access(t, pc, address, unit, unit, op, false,
					COPY + tile_number(tile));

	/* What of a box is unwritten is not looked for. */
	if (s->uninit)
		uninit_end_of(s);
	s->moved = bytes;
	s->tile = *tile;
	access_record(t, s, address, 1);
	return s;
}

void gemmviz_load(const void *from, size_t bytes, void *here);
void gemmviz_load(const void *from, size_t bytes, void *here)
{
	builtin_access(here, from, bytes, OP_LD, PLAIN);
}

void gemmviz_store(void *to, size_t bytes, void *here);
void gemmviz_store(void *to, size_t bytes, void *here)
{
	builtin_access(here, to, bytes, OP_ST, PLAIN);
}

void gemmviz_copy(void *to, const void *from, size_t bytes, void *here);
void gemmviz_copy(void *to, const void *from, size_t bytes, void *here)
{
	builtin_access(here, from, bytes, OP_LD, PLAIN);
	builtin_access(here, to, bytes, OP_ST, PLAIN);
	memcpy(to, from, bytes);
}

/* ---- the C library in a kernel ---- */

/* Records an access of one byte at p; `first` is that of the first byte, in
 * whose array p must be. */
static const struct access_site *access_byte(void *here, const char *p, enum op op,
				      const char *data,
				      const struct access_site *first)
{
	struct thread *t = rec.thread;

	if (first && first->array) {
		uint64_t off = (uintptr_t)p - first->lo -
			       (t->stack & first->stack);

		if (off > first->room) {
			t->at = first;
			emu_finding_bounds(t, first, first->array,
					   (int64_t)off);
			thread_stop();
		}
	}
	return thread_access(here, p, 1, op, data);
}

/* Checks an element for races: an array's shadow is of elements, and where all
 * `left` bytes from p on hold one, that is what was accessed. */
static void check_whole_element(const struct access_site *s, const char *p,
				size_t left)
{
	const struct array *a = s ? s->array : NULL;
	uint64_t off = s ? (uintptr_t)p - s->lo : 0;
	struct access_site element;

	if (!a || !a->shadow || s->shadow || s->stack ||
	    a->info.space == SPACE_CONSTANT ||
	    off % (1u << a->shadow_shift) || left < 1u << a->shadow_shift)
		return;
	element = *s;
	element.bytes = 1u << a->shadow_shift;
	element.shadow = a->shadow;
	element.shadow_shift = a->shadow_shift;
	element.global = a->info.space == SPACE_GLOBAL;
	race_check(rec.thread, &element, off);
}

/* Copies byte by byte, as nvcc's code does: it knows neither how many there are
 * nor how they are aligned. */
static void copy_bytes(void *here, char *to, const char *from, size_t step,
		       size_t bytes)
{
	const struct access_site *load = NULL, *store = NULL;

	for (size_t i = 0; i < bytes; i++, from += step) {
		if (step) {
			load = access_byte(here, from, OP_LD, NULL, load);
			check_whole_element(load, from, bytes - i);
		}
		store = access_byte(here, to + i, OP_ST, from, store);
		check_whole_element(store, to + i, bytes - i);
		to[i] = *from;
	}
}

void *gemmviz_memset(void *to, int byte, size_t bytes);
void *gemmviz_memset(void *to, int byte, size_t bytes)
{
	char value = (char)byte;

	if (!rec.thread)
		return memset(to, byte, bytes);
	copy_bytes(__builtin_return_address(0), to, &value, 0, bytes);
	return to;
}

void *gemmviz_memcpy(void *to, const void *from, size_t bytes);
void *gemmviz_memcpy(void *to, const void *from, size_t bytes)
{
	if (!rec.thread)
		return memcpy(to, from, bytes);
	copy_bytes(__builtin_return_address(0), to, from, 1, bytes);
	return to;
}

/* ---- addresses ---- */

int gemmviz_space(const void *p);
int gemmviz_space(const void *p)
{
	uintptr_t address = (uintptr_t)p;
	const struct array *a = memory_at(&rec.memory, address, 1);

	if (a)
		return a->info.space;
	if (address - rec.thread->stack < FIBRE_STACK)
		return SPACE_REGISTER;
	for (size_t i = 0; i < rec.debug->var_count; i++) {
		const struct debug_var *v = &rec.debug->vars[i];

		if (v->home == DEBUG_DATA && place_is_constant(v->name) &&
		    address - rec.load - (uintptr_t)v->at < v->type.bytes)
			return SPACE_CONSTANT;
	}
	return SPACE_GLOBAL;
}
