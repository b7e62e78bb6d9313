/*
 * hooks: records the accesses that the compiler's hooks report. See hooks.h.
 */
#include "emu/emu.h"
#include "emu/hang_check.h"
#include "emu/uninit.h"
#include "emu/recording.h"
#include "emu/unit.h"

/* ---- events of an access ---- */

/*
 * Returns whether a load completes the copy of a structure. The compiler
 * announces the copy's store right before its load, from the same place: a
 * store of the same width and place, with nothing between it and the load.
 */
static ALWAYS_INLINE bool completes_copy(const struct thread *t,
					 const struct access_site *s, size_t events)
{
	const struct access_site *w = t->store_slot;

	return !t->store_copied && w->line == s->line &&
	       w->raw_column == s->raw_column && w->bytes == s->bytes &&
	       t->store_events == events && s->pc - w->pc + 1 <= 129;
}

/* Puts the load's events before those of the pending store. */
static void push_before_store(struct thread *t, const struct access_site *s,
			      uintptr_t address, uint64_t off, size_t events)
{
	size_t at = t->store_event;

	for (size_t i = 0; i < events; i++) {
		add_thread_event(t, t->id[at + i], t->offset[at + i]);
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

/* Appends one event of an access and, for a load, its value. */
static ALWAYS_INLINE void push_access(struct thread *t, const struct access_site *s,
				      uintptr_t address, uint64_t off)
{
	add_thread_event(t, s->id, (uint32_t)off);
	if (!rec.values)
		return;
	if (s->op == OP_LD)
		value_read(t->value + t->words, address, s->bytes);
	t->words += s->words;
}

/* Makes a store pending: its events are appended next, its value is read
 * later. */
static ALWAYS_INLINE void set_pending_store(struct thread *t,
					    const struct access_site *s,
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

/* Returns whether `events` accesses fit without the checks that each one needs
 * near a limit. */
static ALWAYS_INLINE bool has_range_room(const struct thread *t,
					 const struct access_site *s, size_t events)
{
	return t->count + events < t->full &&
	       t->words + events * s->words < t->words_full &&
	       rec.events_left >= events;
}

/* Appends `events` accesses to consecutive elements from offset `off`. */
static ALWAYS_INLINE void push_range(struct thread *t, const struct access_site *s,
				     uintptr_t address, uint64_t off,
				     size_t events)
{
	uint32_t *id = t->id + t->count, *offset = t->offset + t->count;
	uint32_t *value = t->value + t->words;
	/* Copies, which no store below can change. */
	uint32_t event = s->id, bytes = s->bytes, words = s->words;
	uint32_t at = (uint32_t)off;

	rec.events_left -= events;
	t->controls = 0;
	t->count += events;
	for (size_t i = 0; i < events; i++, at += bytes) {
		id[i] = event;
		offset[i] = at;
	}
	if (!rec.values)
		return;
	t->words += events * words;
	if (s->op == OP_LD)
		values_read(value, address, bytes, events);
}

/* Adds a note if an access is in the padding of a pitched row, which correct
 * programs may use. */
static void check_padding(const struct thread *t, const struct access_site *s,
			  uint64_t off)
{
	const struct array *a = s->array;
	uint64_t each = MAX(a->info.elem_bytes, 1);

	if (off % a->pitch >= a->width)
		emu_finding_add(t, s, (struct trace_finding) {
			.cause = CAUSE_PADDING, .offset = (int64_t)off,
			.number = { off / a->pitch, a->width / each, a->pitch,
				    a->made },
		}, &a->info);
}

/* Stops the thread if an access to the device's heap ends behind the memory that
 * a kernel allocated there. */
static void check_heap(const struct thread *t, const struct access_site *s,
		       uintptr_t address, uint64_t bytes)
{
	uint64_t past, room, made;

	if (!emu_program.heap_overrun ||
	    !emu_program.heap_overrun(address, bytes, &past, &room, &made))
		return;
	emu_finding_add(t, s, (struct trace_finding) {
		.cause = CAUSE_HEAP_OVERRUN, .number = { past, room, made },
	}, NULL);
	thread_stop();
}

/* Checks accesses to arrays and variables of special kinds, and those of threads
 * that are examined or guarded. */
static ALWAYS_INLINE void check_special(struct thread *t, const struct access_site *s,
					uintptr_t address, uint64_t off,
					size_t events)
{
	if (unlikely(s->padded))
		check_padding(t, s, off);
	if (unlikely(s->array && s->array->heap))
		check_heap(t, s, address, events * s->bytes);
	if (unlikely(s->uninit))
		uninit_access(t, s, address, events * s->bytes, events == 1);
	if (unlikely(rec.proving && s->op == OP_LD))
		hang_read(t, (const void *)address, events * s->bytes);
	if (unlikely(guarded(t, address, events * s->bytes)))
		units_before_access(t, s, address, events * s->bytes);
	if (unlikely(s->scalar && s->op == OP_ST))
		*scalar_given(t, address) = address;
	if (unlikely(s->dynamic && s->op == OP_LD))
		dynamic_check(t, s, off);
}

/* Checks and records accesses to `events` consecutive elements of s->bytes
 * each. */
static ALWAYS_INLINE void record_events(struct thread *t, struct access_site *s,
					uintptr_t address, uint64_t off,
					size_t events)
{
	bool copy = false;

	t->at = s;
	check_special(t, s, address, off, events);
	if (t->store_bytes) {
		copy = s->op == OP_LD && completes_copy(t, s, events);
		if (!copy)
			settle_store(t);
		t->store_copied = copy;
	}
	if (s->shadow)
		for (size_t i = 0; i < events; i++)
			race_check(t, s, off + i * s->bytes);
	if (unlikely(s->remote))
		units_remote_access(t, s, off, events * s->bytes);
	/* Of a structure not all that is copied need be set, or anything. */
	if (s->stack && (s->array || s->scalar) && s->op == OP_LD &&
	    s->manner < STRUCTURE)
		for (size_t i = 0; i < events; i++)
			if (is_unset((void *)(address + i * s->bytes),
				     s->bytes))
				unset_check(t, s, address + i * s->bytes,
					    off + i * s->bytes);
	if (s->silent | !t->record)
		return;
	if (has_range_room(t, s, events) && !copy) {
		if (s->op == OP_ST)
			set_pending_store(t, s, address, events);
		push_range(t, s, address, off, events);
		return;
	}
	for (size_t i = 0; i < events; i++) {
		if (!count_event(t))
			return;
		if (unlikely(rec.watched != NULL))
			call_watch(t, s);
	}
	if (copy) {
		push_before_store(t, s, address, off, events);
		return;
	}
	if (s->op == OP_ST)
		set_pending_store(t, s, address, events);
	for (size_t i = 0; i < events; i++)
		push_access(t, s, address + i * s->bytes,
			    off + i * s->bytes);
}

/* Records accesses to the thread's own variables, the most common case. Does
 * nothing and returns false if they need more than that. */
static bool record_own_variable(struct thread *t, const struct access_site *s,
				uintptr_t address, size_t events)
{
	if (!s->stack || s->special || t->store_bytes ||
	    guarded(t, address, events * s->bytes) ||
	    !has_range_room(t, s, events))
		return false;
	for (size_t i = 0; s->op == OP_LD && i < events; i++)
		if (is_unset((void *)(address + i * s->bytes), s->bytes))
			return false;
	t->at = s;
	if (s->op == OP_ST)
		set_pending_store(t, s, address, events);
	push_range(t, s, address, address - s->lo - t->stack, events);
	return true;
}

void access_record(struct thread *t, struct access_site *s, uintptr_t address,
		   size_t events)
{
	if (record_own_variable(t, s, address, events))
		return;
	record_events(t, s, address, address - s->lo - (t->stack & s->stack),
		      events);
}

/* ---- the compiler's hooks ---- */

static ALWAYS_INLINE bool slot_holds(const struct access_site *s,
				     const struct thread *t,
				     uintptr_t address, uint64_t *off)
{
	*off = address - s->lo - (t->stack & s->stack);
	return *off <= s->room && !(address & s->align) &&
	       (s->any_path || s->path == t->path);
}

static __attribute__((noinline)) void
record_any_access(uintptr_t pc, uintptr_t address, uint32_t bytes, enum op op)
{
	struct thread *t = rec.thread;
	struct access_site *s = rec.slots[pc];
	uint64_t off;

	if (unlikely(t->copy.calls)) {
		struct_copy_access(t, (uint32_t)pc, address, bytes, op);
		return;
	}
	if (!s || !slot_holds(s, t, address, &off)) {
		s = resolve_access(t, (uint32_t)pc, address, bytes, bytes, op,
				   true, PLAIN);
		off = address - s->lo - (t->stack & s->stack);
	}
	record_events(t, s, address, off, 1);
}

/* Returns whether one more event fits, or none is recorded. */
static ALWAYS_INLINE bool has_event_room(const struct thread *t)
{
	return (t->count < t->full && t->words < t->words_full &&
		rec.events_left > 0) || (!t->record && !rec.proving);
}

/*
 * Returns whether an access can be recorded at once. It needs
 * record_any_access() if it has no slot yet, a store is pending, it is not
 * recorded, a unit watches it, a limit is reached, or the race detector has
 * more to do.
 */
static ALWAYS_INLINE bool can_record_at_once(const struct thread *t,
					     const struct access_site *s,
					     uintptr_t address, uint32_t bytes,
					     enum op op, uint64_t *off)
{
	if (!s || !slot_holds(s, t, address, off) || t->store_bytes ||
	    s->silent || s->padded || s->remote || s->dynamic ||
	    s->array->heap || guarded(t, address, bytes))
		return false;
	if (op == OP_LD && s->stack && is_unset((const void *)address, bytes))
		return false;
	if (unlikely(s->uninit) &&
	    (op == OP_LD || bytes < 4 || s->array->heap) &&
	    uninit_at(address))
		return false;
	if (s->shadow && shadows_plain(t, s, *off, bytes) < bytes)
		return false;
	return has_event_room(t);
}

/* Records an access at once; see can_record_at_once(). */
static ALWAYS_INLINE void record_at_once(struct thread *t, const struct access_site *s,
					 uintptr_t address, uint64_t off,
					 uint32_t bytes, enum op op)
{
	t->at = s;
	if (unlikely(!t->record))
		return;
	rec.events_left--;
	t->controls = 0;
	if (op == OP_ST)
		set_pending_store(t, s, address, 1);
	t->id[t->count] = s->id;
	t->offset[t->count] = (uint32_t)off;
	t->count++;
	if (!rec.values)
		return;
	if (op == OP_LD)
		value_read(t->value + t->words, address, bytes);
	t->words += (bytes + 3) / 4;
}

/* Records an access by the instruction at pc; inlined with constant width and
 * op. */
static ALWAYS_INLINE void record_hooked_access(uintptr_t pc, uintptr_t address,
					       uint32_t bytes, enum op op)
{
	struct thread *t = rec.thread;
	struct access_site *s = rec.slots[pc];
	uint64_t off;

	if (can_record_at_once(t, s, address, bytes, op, &off))
		record_at_once(t, s, address, off, bytes, op);
	else
		record_any_access(pc, address, bytes, op);
}

/*
 * Decides as can_record_at_once(), in as few steps as possible, for the most
 * common accesses: those to the thread's own variables, and loads that two
 * other threads have made since the last barrier.
 */
static ALWAYS_INLINE bool can_record_common(const struct thread *t,
					    const struct access_site *s,
					    uintptr_t address, uint32_t bytes,
					    enum op op, uint64_t *off)
{
	if (!s || !slot_holds(s, t, address, off) || t->store_bytes ||
	    s->special || guarded(t, address, bytes))
		return false;
	if (!s->shadow) {
		if (op == OP_LD && s->stack &&
		    *(const unsigned char *)address == REGISTER_PATTERN)
			return false;
	} else if (op == OP_ST || bytes > 1u << s->shadow_shift ||
		   !shadow_read_again(&s->shadow[*off >> s->shadow_shift], t)) {
		return false;
	}
	return has_event_room(t);
}

#define HOOK(name, bytes, op)                                                  \
	static __attribute__((noinline)) void name##_look(uintptr_t pc,        \
							  uintptr_t address)   \
	{                                                                      \
		record_hooked_access(pc, address, bytes, op);                  \
	}                                                                      \
	void __tsan_##name(void *p);                                           \
	void __tsan_##name(void *p)                                            \
	{                                                                      \
		struct thread *t = rec.thread;                                 \
		uintptr_t pc = CALLER - rec.text;                              \
		uint64_t off;                                                  \
		if (unlikely(!t))                                              \
			return;                                                \
		if (likely(can_record_common(t, rec.slots[pc], (uintptr_t)p,   \
					     bytes, op, &off)))                \
			record_at_once(t, rec.slots[pc], (uintptr_t)p, off,    \
				       bytes, op);                             \
		else                                                           \
			name##_look(pc, (uintptr_t)p);                         \
	}
#define HOOKS(bytes) \
	HOOK(read##bytes, bytes, OP_LD) HOOK(write##bytes, bytes, OP_ST)
#define UNALIGNED_HOOKS(bytes) \
	HOOK(unaligned_read##bytes, bytes, OP_LD) \
	HOOK(unaligned_write##bytes, bytes, OP_ST)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
UNALIGNED_HOOKS(2)
UNALIGNED_HOOKS(4)
UNALIGNED_HOOKS(8)
UNALIGNED_HOOKS(16)

/*
 * Records an access to a whole structure or array as accesses to its elements,
 * as a GPU would make.
 */
static void hook_range(uintptr_t pc, uintptr_t address, uint64_t bytes,
		       enum op op)
{
	struct thread *t = rec.thread;
	struct access_site *s;
	uint32_t unit;

	if (!t || bytes == 0)
		return;
	pc -= rec.text;
	if (t->copy.calls) {
		struct_copy_access(t, (uint32_t)pc, address, bytes, op);
		return;
	}
	unit = resolve_unit(t, (uint32_t)pc, address, bytes);
	s = resolve_access(t, (uint32_t)pc, address, unit, bytes, op, true,
			   PLAIN);
	access_record(t, s, address, bytes / unit);
}

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

/* Modules call it when they are loaded. */
void __tsan_init(void);
void __tsan_init(void)
{
}

/* Records a constructor's store of the pointer to virtual functions. */
void __tsan_vptr_update(void **p, void *to);
void __tsan_vptr_update(void **p, void *to)
{
	(void)to;
	if (rec.thread)
		record_hooked_access(CALLER - rec.text, (uintptr_t)p,
				     sizeof(*p), OP_ST);
}

void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
	(void)p;
}

