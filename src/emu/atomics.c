/*
 * atomics: atomic and volatile accesses, fences, and loops that spin on what
 * another thread writes (PTX ISA, "Memory Consistency Model").
 */
#include <string.h>

#include "emu/recording.h"
#include "emu/unit.h"
#include "emu/vector_clock.h"

/* A loop that has read the same so often, and done nothing else, waits. */
#define SPIN_ROUNDS 1024

uint64_t spin_value(const struct spin *s)
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
	struct wait w = { .over = spin_over, .never = spin_never, .on = s,
			  .spins = true };

	if (s->slot != slot || s->at != at || spin_over(t, s) ||
	    s->events_left - rec.events_left > events)
		*s = (struct spin) { .slot = slot, .at = at };
	s->value = spin_value(s);
	if (++s->rounds > SPIN_ROUNDS && !rec.proving) {
		thread_settle(t);
		thread_wait(&w);
		*s = (struct spin) { 0 };
	}
	s->events_left = rec.events_left;
}

/* A variable of the block that is no array. Those that are old programs have
 * volatile, too, in place of barriers of the warp. */
static bool is_flag(const struct slot *s)
{
	return s->array && s->array->info.space == SPACE_SHARED &&
	       s->array->bytes == s->array->info.elem_bytes;
}

/* Volatile accesses are as atomic as atomics (PTX ISA, memory consistency
 * model: volatile is relaxed), in global memory and of flags. */
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
	s->may_move = false;
	s->atomic = s->global || is_flag(s);
	rec.tells |= s->global;
	if (op == OP_LD && s->array)
		spin_look(t, s, address, 1);
	access_record(t, s, address, 1);
	if (s->atomic)
		vector_clock_atomic(t, address, s->global, op == OP_LD,
				    op == OP_ST);
}

#define VOLATILE_HOOKS(bytes) \
	void __tsan_volatile_read##bytes(void *p); \
	void __tsan_volatile_read##bytes(void *p) \
	{ hook_volatile(CALLER, (uintptr_t)p, bytes, OP_LD); } \
	void __tsan_volatile_write##bytes(void *p); \
	void __tsan_volatile_write##bytes(void *p) \
	{ hook_volatile(CALLER, (uintptr_t)p, bytes, OP_ST); }

VOLATILE_HOOKS(1)
VOLATILE_HOOKS(2)
VOLATILE_HOOKS(4)
VOLATILE_HOOKS(8)
VOLATILE_HOOKS(16)

/* The thread's own plain read of what it now compares with. */
static void expected_note(const struct thread *t, const struct slot *s,
			  uintptr_t at)
{
	const struct shadow *c = &s->shadow[(at - s->lo) >> s->shadow_shift];
	struct shadow_access me = shadow_access_by(t, s);
	uint32_t access[2];
	size_t n = shadow_expectations(c, &me, rec.block_epoch, access);

	for (size_t i = 0; i < n; i++)
		rec.slot[access[i]]->expects = true;
}

/* `compare`: what an atomicCAS() compares with; else NULL. */
static void atomic(void *at, const void *compare, size_t bytes, void *here)
{
	struct thread *t = rec.thread;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text) - 1;
	const struct slot *s;

	if (!t || rec.fast)
		return;
	s = resolve_access(t, pc, (uintptr_t)at, (uint32_t)bytes, bytes, OP_LD,
			   false, EXCHANGE);
	spin_look(t, s, (uintptr_t)at, 2);
	word_access(here, at, bytes, OP_LD, EXCHANGE);
	if (compare && s->shadow && !memcmp(at, compare, bytes))
		expected_note(t, s, (uintptr_t)at);
	word_access(here, at, bytes, OP_ST, EXCHANGE);
	if (s->array)
		vector_clock_atomic(t, (uintptr_t)at, s->global, true, true);
}

void gemmviz_atomic(void *at, size_t bytes, void *here);
void gemmviz_atomic(void *at, size_t bytes, void *here)
{
	atomic(at, NULL, bytes, here);
}

void gemmviz_atomic_cas(void *at, const void *compare, size_t bytes,
			void *here);
void gemmviz_atomic_cas(void *at, const void *compare, size_t bytes,
			void *here)
{
	atomic(at, compare, bytes, here);
}

static void fence(bool near)
{
	struct thread *t = rec.thread;

	if (!t || rec.fast)
		return;
	settle(t);
	vector_clock_fence(t, near);
}

void __threadfence(void);
void __threadfence(void)
{
	fence(false);
}

void __threadfence_block(void);
void __threadfence_block(void)
{
	fence(true);
}

static void thread_begin(struct thread *t)
{
	t->spin = (struct spin) { 0 };
}

const struct emu_unit atomics_unit = { .thread_begin = thread_begin };
