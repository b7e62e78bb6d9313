/*
 * hooks: the recording itself. See hooks.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/fibre.h"
#include "emu/resolve.h"
#include "emu/tma.h"
#include "emu/wgmma.h"

/* What an access is; COPY and above: by an asynchronous copy, each number
 * another instruction. */
enum manner { PLAIN, ATOMIC, MATRIX, COPY };

#define TICK (1u << 16)
/* How far a loop without accesses is looked for, and how many events of
 * control in a row are kept of it in any case; see control_again(). */
#define LOOP_BLOCKS 8
#define CONTROLS_KEPT 4096
/* What a thread has room for before it is asked again. */
#define EVENTS_SPARE 4
#define WORDS_SPARE 16

struct recorder rec;

/* Names that the kernel's text knows; the scheduler keeps them. */
struct index3 { unsigned int x, y, z; };
struct index3 threadIdx, blockIdx, blockDim, gridDim;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* ---- events ---- */

/* A block whose events take all the memory there is for them is stopped. */
static void memory_take(uint64_t bytes)
{
	if (bytes < rec.memory_left) {
		rec.memory_left -= bytes;
		return;
	}
	rec.memory_left = 0;
	rec.events_aside += rec.events_left;
	rec.events_left = 0;
	rec.stop = true;
	rec.ticks = 1;
}

/* Sets full and words_full. */
void thread_limit(struct thread *t)
{
	bool plain = t->record && !rec.watched && !t->products &&
		     t->capacity > 0;

	t->full = plain ? t->capacity - EVENTS_SPARE : 0;
	t->words_full = plain ? t->word_capacity - WORDS_SPARE : 0;
}

static __attribute__((noinline)) void thread_grow(struct thread *t)
{
	size_t was = t->capacity, words = t->word_capacity, same = was;

	grow(&t->id, &same, t->count + 256, sizeof(*t->id));
	grow(&t->offset, &t->capacity, t->count + 256, sizeof(*t->offset));
	grow(&t->value, &t->word_capacity, t->words + 256,
	     sizeof(*t->value));
	memory_take((t->capacity - was) * 8 + (t->word_capacity - words) * 4);
	thread_limit(t);
}

static ALWAYS_INLINE void push(struct thread *t, uint32_t id, uint32_t offset)
{
	if (unlikely(t->count + EVENTS_SPARE > t->capacity ||
		     t->words + WORDS_SPARE > t->word_capacity))
		thread_grow(t);
	t->id[t->count] = id;
	t->offset[t->count] = offset;
	t->count++;
}

/*
 * A basic block entered. Rounds of a loop count, even those in which a lane
 * accesses nothing: lanes meet in the round that they are in. But of a loop
 * that goes round and round without an access earlier rounds are dropped, so
 * that memory stays bounded.
 */
static ALWAYS_INLINE bool control_again(struct thread *t, uint32_t id)
{
	uint32_t back = MIN(t->controls, (uint32_t)LOOP_BLOCKS);

	if (t->controls < CONTROLS_KEPT)
		return false;
	for (uint32_t i = 1; i <= back; i++) {
		if (t->id[t->count - i] == id) {
			t->count -= i - 1;
			t->controls -= i - 1;
			return true;
		}
	}
	return false;
}

static ALWAYS_INLINE void push_control(struct thread *t, uint32_t id)
{
	if (control_again(t, id))
		return;
	push(t, id, 0);
	t->controls++;
}

static ALWAYS_INLINE void value_read(uint32_t *to, uintptr_t from,
				     uint32_t bytes)
{
	switch (bytes) {
	case 4:
		memcpy(to, (const void *)from, 4);
		break;
	case 16:
		memcpy(to, (const void *)from, 16);
		break;
	case 8:
		memcpy(to, (const void *)from, 8);
		break;
	default:
		to[(bytes - 1) / 4] = 0;
		memcpy(to, (const void *)from, bytes);
	}
}

void thread_settle(struct thread *t)
{
	const struct slot *s = t->store_slot;
	uint32_t *to = t->value + t->store_word;
	uintptr_t from = t->store_address;

	if (!t->store_bytes)
		return;
	for (size_t i = 0; rec.values && i < t->store_events; i++) {
		value_read(to, from, s->bytes);
		to += s->words;
		from += s->bytes;
	}
	t->store_bytes = 0;
}

static ALWAYS_INLINE void settle(struct thread *t)
{
	if (t->store_bytes)
		thread_settle(t);
}

/* Does it for the most usual store, of one word; false when there is more. */
static ALWAYS_INLINE bool settle_plain(struct thread *t)
{
	if (!t->store_bytes)
		return true;
	if (t->store_bytes != 4 || t->store_events != 1 || !rec.values)
		return false;
	value_read(t->value + t->store_word, t->store_address, 4);
	t->store_bytes = 0;
	return true;
}

_Noreturn void thread_stop(void)
{
	struct thread *t = rec.thread;

	settle(t);
	t->state = THREAD_STOPPED;
	rec.tainted = true;
	fibre_yield();
	abort();
}

/* ---- races and reads of what was never written ---- */

static ALWAYS_INLINE struct shadow_access
shadow_access_by(const struct thread *t, const struct slot *s)
{
	return (struct shadow_access){
		rec.epoch, shadow_access_who(t->number, s->index) |
				   (s->atomic ? SHADOW_ATOMIC : 0)
	};
}

static void cells_check(const struct thread *t, const struct slot *s,
			uint64_t off)
{
	struct shadow_access me = shadow_access_by(t, s), with;
	struct shadow_order order = { rec.interval,
				      rec.block_epoch,
				      s->global,
				      t->warp_epoch,
				      t->warp_lanes,
				      vector_clock_part(t->heard, rec.rank),
				      vector_clock_happened_before,
				      t };
	uint64_t end = off + s->bytes;

	for (; off < end; off += 1u << s->cell_shift) {
		struct shadow *c = &s->cells[off >> s->cell_shift];
		enum shadow_found found =
			s->op == OP_LD ? shadow_read(c, &me, &order, &with) :
					 shadow_write(c, &me, &order, &with);

		if (found == SHADOW_RACE)
			emu_finding_race(t, s, &with, off);
		else if (found == SHADOW_EARLY)
			emu_finding_early(t, s, &with, off);
		else if (found == SHADOW_UNWRITTEN && !rec.tainted)
			emu_finding_unwritten(t, s, off);
	}
}

static ALWAYS_INLINE bool is_unset(const void *p, size_t bytes)
{
	const unsigned char *at = p;

	return unlikely(at[0] == REGISTER_PATTERN) && !memcmp(at, at + 1, bytes - 1);
}

bool registers_unset(const struct slot *s, const void *p, size_t bytes)
{
	struct thread *t = rec.thread;

	if (rec.tainted || !is_unset(p, bytes))
		return false;
	if (!t->unset)
		t->unset = s;
	return t->unset->line == s->line && t->unset->array == s->array;
}

/* Whole numbers of few bytes may be so by themselves. */
static void registers_check(const struct thread *t, const struct slot *s,
			    uintptr_t address, uint64_t off)
{
	enum elem elem = s->array->info.elem;

	if ((s->bytes >= 4 || elem == ELEM_F16 || elem == ELEM_BF16) &&
	    registers_unset(s, (const void *)address, s->bytes))
		emu_finding_unwritten(t, s, off);
}

/*
 * shadow_read() of what was written earlier in this block, which is no finding;
 * done a second time it changes nothing. False, and nothing done, when there
 * is more to look at. Where other is of this interval, so is read, and it is
 * another thread's.
 */
static ALWAYS_INLINE bool
cell_read_plain(struct shadow *c, const struct thread *t, const struct slot *s)
{
	uint32_t now = rec.epoch;

	if (c->write.epoch >= rec.interval || now != rec.interval ||
	    c->write.epoch < rec.block_epoch ||
	    (c->write.who | c->read.who | c->other.who) & SHADOW_ASYNC)
		return false;
	if (c->other.epoch == now &&
	    shadow_access_thread(&c->other) != t->number)
		return true;
	if (c->read.epoch != now) {
		if (c->read.epoch < rec.block_epoch)
			return false;
		c->read = shadow_access_by(t, s);
	} else if (shadow_access_thread(&c->read) != t->number) {
		if (s->global)
			return false;
		c->other = shadow_access_by(t, s);
	}
	return true;
}

/* ---- accesses ---- */

/* One more event; the budget is looked at here, exactly. */
static ALWAYS_INLINE void account(struct thread *t)
{
	if (unlikely(rec.events_left == 0)) {
		rec.stop = true;
		thread_stop();
	}
	rec.events_left--;
	t->controls = 0;
}

/*
 * A copy of a structure: the store is announced right before the load, both
 * from one place. A store of the same width and place with nothing between
 * it and the load is taken for that.
 */
static ALWAYS_INLINE bool copy_begun(const struct thread *t,
				     const struct slot *s, size_t events)
{
	const struct slot *w = t->store_slot;

	return !t->store_copied && w->line == s->line &&
	       w->raw_column == s->raw_column && w->bytes == s->bytes &&
	       t->store_events == events && s->pc - w->pc <= 128;
}

/* Puts the load's events before those of the pending store. */
static void push_before_store(struct thread *t, const struct slot *s,
			      uintptr_t address, uint64_t off, size_t events)
{
	size_t at = t->store_event;

	for (size_t i = 0; i < events; i++) {
		push(t, t->id[at + i], t->offset[at + i]);
		t->id[at + i] = s->id;
		t->offset[at + i] = (uint32_t)(off + i * s->bytes);
		if (!rec.values)
			continue;
		value_read(t->value + t->store_word, address + i * s->bytes,
			   s->bytes);
		t->store_word += s->words;
		t->words += s->words;
	}
	t->store_event += events;
}

static ALWAYS_INLINE void push_access(struct thread *t, const struct slot *s,
				      uintptr_t address, uint64_t off)
{
	push(t, s->id, (uint32_t)off);
	if (!rec.values)
		return;
	if (s->op == OP_LD)
		value_read(t->value + t->words, address, s->bytes);
	t->words += s->words;
}

/* Its events come next. */
static ALWAYS_INLINE void store_announce(struct thread *t,
					 const struct slot *s,
					 uintptr_t address, size_t events)
{
	t->store_copied = false;
	t->store_bytes = s->bytes;
	t->store_address = address;
	t->store_event = t->count;
	t->store_events = events;
	t->store_word = t->words;
	t->store_slot = s;
}

static void watch(struct thread *t, const struct slot *s)
{
	if (rec.watched == t)
		rec.watch(t, s);
}

/* `events` accesses side by side, of s->bytes each. */
static ALWAYS_INLINE void access_events(struct thread *t, struct slot *s,
					uintptr_t address, uint64_t off,
					size_t events)
{
	bool copy = false;

	t->at = s;
	if (unlikely(t->products != NULL))
		products_check(t, s, address, events * s->bytes);
	if (t->store_bytes) {
		copy = s->op == OP_LD && copy_begun(t, s, events);
		if (!copy)
			thread_settle(t);
		t->store_copied = copy;
	}
	if (s->cells)
		for (size_t i = 0; i < events; i++)
			cells_check(t, s, off + i * s->bytes);
	if (s->stack && s->array && s->op == OP_LD)
		for (size_t i = 0; i < events; i++)
			registers_check(t, s, address + i * s->bytes,
					off + i * s->bytes);
	if (s->silent | !t->record)
		return;
	for (size_t i = 0; i < events; i++) {
		account(t);
		if (unlikely(rec.watched != NULL))
			watch(t, s);
	}
	if (copy) {
		push_before_store(t, s, address, off, events);
		return;
	}
	if (s->op == OP_ST)
		store_announce(t, s, address, events);
	for (size_t i = 0; i < events; i++)
		push_access(t, s, address + i * s->bytes,
			    off + i * s->bytes);
}

static ALWAYS_INLINE bool slot_holds(const struct slot *s,
				     const struct thread *t,
				     uintptr_t address, uint64_t *off)
{
	*off = address - s->lo - (t->stack & s->stack);
	return *off <= s->room && !(address & s->align) &&
	       (s->any_path || s->path == t->path);
}

static __attribute__((noinline)) void access_any(uintptr_t pc,
						 uintptr_t address,
						 uint32_t bytes, enum op op)
{
	struct thread *t = rec.thread;
	struct slot *s = rec.slots[pc];
	uint64_t off;

	if (!s || !slot_holds(s, t, address, &off)) {
		s = resolve_access(t, (uint32_t)pc, address, bytes, bytes, op,
				   true, PLAIN);
		off = address - s->lo - (t->stack & s->stack);
	}
	access_events(t, s, address, off, 1);
}

/*
 * Can the access be written down at once? Not when it needs access_any(): it
 * has no slot yet, a store is pending, it is not recorded, something ends, or
 * the race detector has more to do.
 */
static ALWAYS_INLINE bool access_plain(const struct thread *t,
				       const struct slot *s,
				       uintptr_t address, uint32_t bytes,
				       enum op op, uint64_t *off)
{
	if (!s || !slot_holds(s, t, address, off) || t->store_bytes ||
	    s->silent)
		return false;
	if (op == OP_LD && s->stack && is_unset((const void *)address, bytes))
		return false;
	if (s->cells && (op != OP_LD || bytes != 4 || s->cell_shift != 2 ||
			 !cell_read_plain(&s->cells[*off >> 2], t, s)))
		return false;
	return t->count < t->full && t->words < t->words_full &&
	       rec.events_left > 0;
}

static ALWAYS_INLINE void hook_access(uintptr_t pc, uintptr_t address,
				      uint32_t bytes, enum op op)
{
	struct thread *t = rec.thread;
	struct slot *s;
	uint64_t off;

	if (unlikely(!t))
		return;
	pc -= rec.text;
	s = rec.slots[pc];
	if (unlikely(!access_plain(t, s, address, bytes, op, &off))) {
		access_any(pc, address, bytes, op);
		return;
	}
	t->at = s;
	rec.events_left--;
	t->controls = 0;
	if (op == OP_ST)
		store_announce(t, s, address, 1);
	t->id[t->count] = s->id;
	t->offset[t->count] = (uint32_t)off;
	t->count++;
	if (!rec.values)
		return;
	if (op == OP_LD)
		value_read(t->value + t->words, address, bytes);
	t->words += (bytes + 3) / 4;
}

/* ---- atomics ---- */

/* A loop that has read the same so often, and done nothing else, waits. */
#define SPIN_ROUNDS 1024

static uint64_t spin_value(const struct spin *s)
{
	uint64_t v = 0;

	memcpy(&v, (const void *)s->at, MIN(s->slot->bytes, sizeof(v)));
	return v;
}

static bool spin_over(struct thread *t, void *on)
{
	const struct spin *s = on;

	(void)t;
	return spin_value(s) != s->value;
}

static void spin_never(const struct thread *t, const void *on)
{
	const struct spin *s = on;

	if (!rec.spoiled)
		emu_finding_spin(t, s->slot, s->at);
}

/* An atomic of so many events comes: other threads run first when it has
 * waited for what they may write. */
static void spin_look(struct thread *t, const struct slot *slot, uintptr_t at,
		      uint32_t events)
{
	struct spin *s = &t->spin;
	struct wait w = { spin_over, spin_never, s };

	if (s->slot != slot || s->at != at || spin_over(t, s) ||
	    s->events_left - rec.events_left > events)
		*s = (struct spin) { .slot = slot, .at = at };
	s->value = spin_value(s);
	if (++s->rounds > SPIN_ROUNDS) {
		thread_settle(t);
		thread_wait(&w);
		*s = (struct spin) { 0 };
	}
	s->events_left = rec.events_left;
}

/* In global memory, volatile accesses are as atomic as atomics (PTX ISA,
 * memory consistency model: volatile is relaxed). */
static __attribute__((noinline)) void hook_volatile(uintptr_t pc,
						    uintptr_t address,
						    uint32_t bytes,
						    enum op op)
{
	struct thread *t = rec.thread;
	struct slot *s;

	if (!t)
		return;
	pc -= rec.text;
	s = resolve_access(t, (uint32_t)pc, address, bytes, bytes, op, true,
			   PLAIN);
	s->atomic = s->array && s->array->info.space == SPACE_GLOBAL;
	if (s->atomic && op == OP_LD)
		spin_look(t, s, address, 1);
	access_events(t, s, address, address - s->lo - (t->stack & s->stack),
		      1);
	if (s->atomic)
		vector_clock_atomic(t, address, op == OP_LD, op == OP_ST);
}

/*
 * A whole structure or array at once: as accesses of its elements, for that
 * is what a machine would do.
 */
static void hook_range(uintptr_t pc, uintptr_t address, uint64_t bytes,
		       enum op op)
{
	struct thread *t = rec.thread;
	struct slot *s;
	uint32_t unit;

	if (!t || bytes == 0)
		return;
	pc -= rec.text;
	unit = resolve_unit(t, (uint32_t)pc, address, bytes);
	s = resolve_access(t, (uint32_t)pc, address, unit, bytes, op, true,
			   PLAIN);
	access_events(t, s, address, address - s->lo - (t->stack & s->stack),
		      bytes / unit);
}

#define HOOKS(bytes) \
	void __tsan_read##bytes(void *p); \
	void __tsan_read##bytes(void *p) \
	{ hook_access(CALLER, (uintptr_t)p, bytes, OP_LD); } \
	void __tsan_write##bytes(void *p); \
	void __tsan_write##bytes(void *p) \
	{ hook_access(CALLER, (uintptr_t)p, bytes, OP_ST); } \
	void __tsan_volatile_read##bytes(void *p); \
	void __tsan_volatile_read##bytes(void *p) \
	{ hook_volatile(CALLER, (uintptr_t)p, bytes, OP_LD); } \
	void __tsan_volatile_write##bytes(void *p); \
	void __tsan_volatile_write##bytes(void *p) \
	{ hook_volatile(CALLER, (uintptr_t)p, bytes, OP_ST); }
#define UNALIGNED_HOOKS(bytes) \
	void __tsan_unaligned_read##bytes(void *p); \
	void __tsan_unaligned_read##bytes(void *p) \
	{ hook_access(CALLER, (uintptr_t)p, bytes, OP_LD); } \
	void __tsan_unaligned_write##bytes(void *p); \
	void __tsan_unaligned_write##bytes(void *p) \
	{ hook_access(CALLER, (uintptr_t)p, bytes, OP_ST); }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
UNALIGNED_HOOKS(2)
UNALIGNED_HOOKS(4)
UNALIGNED_HOOKS(8)
UNALIGNED_HOOKS(16)

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
	hook_range(CALLER, (uintptr_t)p, bytes, OP_LD);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
	hook_range(CALLER, (uintptr_t)p, bytes, OP_ST);
}

/*
 * What the words of CUDA do for the kernel, as accesses of the line that they
 * return to. Loads come before stores: a call is longer than one byte, so the
 * place before the one that is returned to is theirs.
 */
static struct slot *units_access(void *here, const void *p, size_t bytes,
				 size_t unit, enum op op, uint32_t manner)
{
	struct thread *t = rec.thread;
	uintptr_t address = (uintptr_t)p;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text);
	struct slot *s;

	if (!t)
		return NULL;
	pc -= op == OP_LD;
	if (unit > 16 || unit & (unit - 1))
		unit = resolve_unit(t, pc, address, bytes);
	s = resolve_access(t, pc, address, (uint32_t)unit, bytes, op, false,
			   manner);
	s->atomic = manner == ATOMIC;
	s->matrix = manner == MATRIX;
	access_events(t, s, address, address - s->lo - (t->stack & s->stack),
		      bytes / unit);
	return s;
}

static struct slot *word_access(void *here, const void *p, size_t bytes,
				enum op op, uint32_t manner)
{
	return units_access(here, p, bytes, bytes, op, manner);
}

static const struct slot *access_data(void *here, const void *p, size_t bytes,
				      enum op op, const void *data,
				      uint32_t manner)
{
	const struct slot *s = word_access(here, p, bytes, op, manner);
	struct thread *t = rec.thread;

	if (s && data && t->store_bytes) {
		if (rec.values)
			value_read(t->value + t->store_word, (uintptr_t)data,
				   (uint32_t)bytes);
		t->store_bytes = 0;
	}
	return s;
}

const struct slot *thread_access(void *here, const void *p, size_t bytes,
				 enum op op, const void *data)
{
	return access_data(here, p, bytes, op, data, PLAIN);
}

const struct slot *thread_access_copy(void *here, const void *p, size_t bytes,
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

const struct slot *thread_access_row(void *here, const void *row, enum op op,
				     const void *data)
{
	return access_data(here, row, MATRIX_ROW_BYTES, op, data, MATRIX);
}

const struct slot *thread_signal(void *here, const void *p, enum op op,
				 const uint32_t words[2])
{
	struct thread *t = rec.thread;
	size_t at;
	const struct slot *s;

	thread_settle(t);
	at = t->words;
	s = word_access(here, p, 2 * sizeof(*words), op, ATOMIC);
	if (t->words > at)
		memcpy(&t->value[at], words, 2 * sizeof(*words));
	return s;
}

/* A number for each tile that there is: lanes whose tiles differ, of a box at
 * a matrix's edge, do not move them together. */
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

const struct slot *thread_bulk(void *here, const void *p, uint32_t bytes,
			       enum op op, const struct trace_tile *tile)
{
	struct thread *t = rec.thread;
	uintptr_t address = (uintptr_t)p;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text);
	uint32_t unit = resolve_unit(t, pc, address, bytes);
	struct slot *s = resolve_access(t, pc, address, unit, unit, op, false,
					COPY + tile_number(tile));

	s->moved = bytes;
	s->tile = *tile;
	access_events(t, s, address, address - s->lo - (t->stack & s->stack),
		      1);
	return s;
}

void gemmviz_load(const void *from, size_t bytes, void *here);
void gemmviz_load(const void *from, size_t bytes, void *here)
{
	word_access(here, from, bytes, OP_LD, PLAIN);
}

void gemmviz_store(void *to, size_t bytes, void *here);
void gemmviz_store(void *to, size_t bytes, void *here)
{
	word_access(here, to, bytes, OP_ST, PLAIN);
}

void gemmviz_copy(void *to, const void *from, size_t bytes, void *here);
void gemmviz_copy(void *to, const void *from, size_t bytes, void *here)
{
	word_access(here, from, bytes, OP_LD, PLAIN);
	word_access(here, to, bytes, OP_ST, PLAIN);
	memcpy(to, from, bytes);
}

void gemmviz_atomic(void *at, size_t bytes, void *here);
void gemmviz_atomic(void *at, size_t bytes, void *here)
{
	struct thread *t = rec.thread;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text) - 1;
	const struct slot *s;

	if (!t)
		return;
	s = resolve_access(t, pc, (uintptr_t)at, (uint32_t)bytes, bytes, OP_LD,
			   false, ATOMIC);
	spin_look(t, s, (uintptr_t)at, 2);
	word_access(here, at, bytes, OP_LD, ATOMIC);
	word_access(here, at, bytes, OP_ST, ATOMIC);
	if (s->array && s->array->info.space == SPACE_GLOBAL)
		vector_clock_atomic(t, (uintptr_t)at, true, true);
}

void __threadfence(void);
void __threadfence(void)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	settle(t);
	vector_clock_fence(t);
}

/* Modules call it when they are loaded. */
void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_vptr_update(void **p, void *to);
void __tsan_vptr_update(void **p, void *to)
{
	(void)p;
	(void)to;
}

void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
	(void)p;
}

/* ---- control ---- */

static __attribute__((noinline)) void tick(void)
{
	rec.ticks = TICK;
	rec.tick();
	if (rec.stop)
		thread_stop();
}

static ALWAYS_INLINE struct slot *control_slot(uintptr_t pc,
					       enum warp_event_kind kind)
{
	struct slot *s = rec.slots[pc - rec.text];

	return likely(s) ? s : resolve_control((uint32_t)(pc - rec.text), kind);
}

void thread_at(struct thread *t, void *here)
{
	settle(t);
	t->at = control_slot((uintptr_t)here, WARP_BLOCK);
}

static __attribute__((noinline)) void block_any(uintptr_t pc)
{
	struct thread *t = rec.thread;
	struct slot *s;

	settle(t);
	s = control_slot(pc, WARP_BLOCK);
	t->at = s;
	if (--rec.ticks == 0)
		tick();
	if (t->record)
		push_control(t, s->id);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	struct thread *t = rec.thread;
	struct slot *s;

	if (unlikely(!t))
		return;
	s = rec.slots[CALLER - rec.text];
	if (unlikely(!s || !settle_plain(t) || t->count >= t->full ||
		     rec.ticks == 1)) {
		block_any(CALLER);
		return;
	}
	rec.ticks--;
	t->at = s;
	if (t->controls && control_again(t, s->id))
		return;
	t->id[t->count++] = s->id;
	t->controls++;
}

/* `call` returns to the caller; the frame is found from the hook's own. */
void __tsan_func_entry(void *call);
void __tsan_func_entry(void *call)
{
	struct thread *t = rec.thread;
	uintptr_t fp = *(uintptr_t *)__builtin_frame_address(0);

	if (!t)
		return;
	settle(t);
	resolve_enter(t, CALLER, (uintptr_t)call, fp);
	if (t->depth > 1 && t->record) {
		push(t, control_slot((uintptr_t)call, WARP_ENTER)->id, 0);
		t->controls = 0;
	}
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	struct thread *t = rec.thread;

	if (!t || t->depth == 0)
		return;
	settle(t);
	if (t->depth > 1 && t->record) {
		push(t, control_slot(CALLER, WARP_LEAVE)->id, 0);
		t->controls = 0;
	}
	t->depth--;
	t->path = t->frames[t->depth].path;
}

static void push_sync(struct thread *t, struct slot *s)
{
	t->at = s;
	if (!t->record)
		return;
	account(t);
	if (unlikely(rec.watched != NULL))
		watch(t, s);
	push(t, s->id, 0);
}

void gemmviz_syncthreads(void *here);
void gemmviz_syncthreads(void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	settle(t);
	push_sync(t, control_slot((uintptr_t)here, WARP_ACCESS));
	t->state = THREAD_WAITS;
	fibre_yield();
}

void __syncthreads(void);
void __syncthreads(void)
{
	gemmviz_syncthreads(__builtin_return_address(0));
}

void thread_sync(void *here)
{
	struct thread *t = rec.thread;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text);
	struct slot *s = rec.slots[pc];

	settle(t);
	push_sync(t, s ? s : resolve_sync(pc));
}

void thread_wait(struct wait *w)
{
	struct thread *t = rec.thread;

	if (w->over(t, w->on))
		return;
	t->wait = w;
	t->state = THREAD_AWAITS;
	fibre_yield();
}

/*
 * Where a __shared__ variable is: modules are linked so that they ask this
 * in place of the thread-local storage that the compiler has in mind. What is
 * no variable of the text guards one whose constructor, the compiler thinks,
 * must be called once: the first byte of a module, which is not 0, tells it
 * that this was done.
 */
struct tls_index { unsigned long module, offset; };
void *__wrap___tls_get_addr(const struct tls_index *i);
void *__wrap___tls_get_addr(const struct tls_index *i)
{
	uintptr_t at = i->offset < rec.tls_bytes ? rec.tls[i->offset] : 0;

	/* Not in this module or any other: see module.c. */
	if (i->module == 0)
		return (void *)rec.given;
	return (void *)(at ? at : rec.load);
}

/* ---- the whole ---- */

static void paths_free(struct call_path *p)
{
	while (p) {
		struct call_path *next = p->sibling;

		paths_free(p->child);
		free(p);
		p = next;
	}
}

void recorder_reset(void)
{
	for (size_t i = 0; i < rec.slot_count; i++)
		free(rec.slot[i]);
	rec.slot_count = rec.point_count = rec.began_count = 0;
	if (rec.slots)
		memset(rec.slots, 0, rec.text_bytes * sizeof(*rec.slots));
	paths_free(rec.paths);
	rec.paths = NULL;
	rec.thread = NULL;
	rec.watched = NULL;
	rec.stop = rec.tainted = rec.spoiled = rec.signals = false;
	rec.epoch = rec.interval = rec.block_epoch = 0;
	rec.ticks = TICK;
	for (size_t r = 0; r < CLUSTER_MOST; r++)
		for (size_t i = 0; rec.blocks[r].threads &&
				   i < BLOCK_THREADS_MAX; i++)
			rec.blocks[r].threads[i].copy_count = 0;
	sync_variables_done(&rec.board);
	findings_done(&rec.findings);
	memory_done(&rec.memory);
}

void thread_reset(struct thread *t)
{
	t->count = t->words = 0;
	t->controls = 0;
	t->state = THREAD_READY;
	t->at = NULL;
	t->path = NULL;
	t->depth = 0;
	t->store_bytes = 0;
	t->seen = 0;
	t->calls = 0;
	t->warp_epoch = 0;
	t->unset = NULL;
	free(t->heard);
	t->heard = NULL;
	acquired_done(&t->afar);
	t->spin = (struct spin) { 0 };
	t->fenced = 0;
	t->cluster_round = 0;
	copies_drop(t);
	bulks_drop(t);
	products_drop(t);
	thread_limit(t);
}
