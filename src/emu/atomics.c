/*
 * atomics: atomic and volatile accesses, fences, and loops that spin on what
 * another thread writes (PTX ISA, "Memory Consistency Model").
 */
#include <string.h>

#include "emu/recording.h"
#include "emu/unit.h"
#include "emu/vector_clock.h"

/* Reads of the same value in a row, with nothing else recorded in between,
 * after which a spinning thread waits. */
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

/* Counts an atomic access of `events` events as one round of a spin loop. A
 * thread that has read the same value SPIN_ROUNDS times in a row yields until
 * another thread may have changed it. */
static void count_spin_round(struct thread *t, const struct access_site *slot,
			     uintptr_t at, uint32_t events)
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

/* Returns whether an access is to a shared variable that is no array. Old
 * programs declare arrays volatile, too, in place of warp barriers. */
static bool is_flag(const struct access_site *s)
{
	return s->array && s->array->info.space == SPACE_SHARED &&
	       s->array->bytes == s->array->info.elem_bytes;
}

/* Records a volatile access. In global memory and for single shared variables
 * it is as strong as a relaxed atomic (PTX ISA, memory consistency model). */
static __attribute__((noinline)) void hook_volatile(uintptr_t pc,
						    uintptr_t address,
						    uint32_t bytes,
						    enum op op)
{
	struct thread *t = rec.thread;
	struct access_site *s;

	if (!t)
		return;
	pc -= rec.text;
	s = resolve_access(t, (uint32_t)pc, address, bytes, bytes, op, true,
			   PLAIN);
	s->may_move = false;
	s->atomic = s->global || is_flag(s);
	rec.tells |= s->global;
	if (op == OP_LD && s->array)
		count_spin_round(t, s, address, 1);
	access_record(t, s, address, 1);
	if (s->atomic)
		vector_clock_atomic(t, address, s->global,
				    (struct atomic_order) {
			.reads = op == OP_LD, .writes = op == OP_ST,
			.acquires = true });
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

/* Marks the thread's earlier plain reads of this element as expectations: the
 * value read there is what an atomicCAS() now compares with. */
static void mark_expectations(const struct thread *t, const struct access_site *s,
			      uintptr_t at)
{
	const struct shadow *c = &s->shadow[(at - s->lo) >> s->shadow_shift];
	struct shadow_access me = shadow_access_by(t, s);
	uint32_t access[2];
	size_t n = shadow_expectations(c, &me, rec.block_epoch, access);

	for (size_t i = 0; i < n; i++)
		rec.slot[access[i]]->expects = true;
}

/* Records an atomic read-modify-write of `bytes` bytes. `compare`: the value
 * that an atomicCAS() compares with; else NULL. */
static void record_atomic(void *at, const void *compare, size_t bytes,
			  void *here)
{
	struct thread *t = rec.thread;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text) - 1;
	const struct access_site *s;

	if (!t || rec.fast)
		return;
	s = resolve_access(t, pc, (uintptr_t)at, (uint32_t)bytes, bytes, OP_LD,
			   false, EXCHANGE);
	count_spin_round(t, s, (uintptr_t)at, 2);
	builtin_access(here, at, bytes, OP_LD, EXCHANGE);
	if (compare && s->shadow && !memcmp(at, compare, bytes))
		mark_expectations(t, s, (uintptr_t)at);
	builtin_access(here, at, bytes, OP_ST, EXCHANGE);
	if (s->array)
		vector_clock_atomic(t, (uintptr_t)at, s->global,
				    (struct atomic_order) {
			.reads = true, .writes = true, .acquires = true });
}

void gemmviz_atomic(void *at, size_t bytes, void *here);
void gemmviz_atomic(void *at, size_t bytes, void *here)
{
	record_atomic(at, NULL, bytes, here);
}

void gemmviz_atomic_cas(void *at, const void *compare, size_t bytes,
			void *here);
void gemmviz_atomic_cas(void *at, const void *compare, size_t bytes,
			void *here)
{
	record_atomic(at, compare, bytes, here);
}

/* ---- cuda::atomic ---- */

/* Bits of `how`, as cuda/gemmviz_atomic.h passes them. */
enum { READS = 1, WRITES = 2, ACQUIRES = 4, RELEASES = 8, NEAR = 16,
       SYSTEM = 32, ALONE = 64 };

void gemmviz_system_scope(void);
/* Notes that the launch tells the host by an atomic or a fence how far it is:
 * nobody knows here what that orders. */
void gemmviz_system_scope(void)
{
	rec.tells = rec.tells_host = true;
}

static struct atomic_order decode_order(unsigned int how)
{
	return (struct atomic_order) {
		.reads = how & READS, .writes = how & WRITES,
		.acquires = how & ACQUIRES, .releases = how & RELEASES,
		.near = how & NEAR,
	};
}

void gemmviz_ordered(void *at, size_t bytes, unsigned int how,
		     const void *compare, unsigned int fails, void *here);
/* Records an access of cuda::atomic with the order `how`. If `compare` is
 * given, the access writes only when the memory equals it; otherwise it reads,
 * with the order `fails`. */
void gemmviz_ordered(void *at, size_t bytes, unsigned int how,
		     const void *compare, unsigned int fails, void *here)
{
	struct thread *t = rec.thread;
	enum op first = how & READS ? OP_LD : OP_ST;
	uint32_t pc = (uint32_t)((uintptr_t)here - rec.text) - (first == OP_LD);
	uint32_t manner = how & ALONE ? PLAIN :
			  (how & READS && how & WRITES) ? EXCHANGE : ATOMIC;
	const struct access_site *s;
	bool same;

	if (!t || rec.fast)
		return;
	if (how & SYSTEM)
		gemmviz_system_scope();
	s = resolve_access(t, pc, (uintptr_t)at, (uint32_t)bytes, bytes, first,
			   false, manner);
	if (how & READS) {
		count_spin_round(t, s, (uintptr_t)at, how & WRITES ? 2 : 1);
		builtin_access(here, at, bytes, OP_LD, manner);
	}
	same = !compare || !memcmp(at, compare, bytes);
	if (compare && same && s->shadow)
		mark_expectations(t, s, (uintptr_t)at);
	if (how & WRITES)
		builtin_access(here, at, bytes, OP_ST, manner);
	if (s->array && !(how & ALONE))
		vector_clock_atomic(t, (uintptr_t)at, s->global,
				    decode_order(same ? how : fails));
}

/* ---- fences ---- */

void gemmviz_fence(unsigned int how);
void gemmviz_fence(unsigned int how)
{
	struct thread *t = rec.thread;

	if (!t || rec.fast || how & ALONE)
		return;
	if (how & SYSTEM)
		gemmviz_system_scope();
	settle_store(t);
	vector_clock_fence(t, decode_order(how));
}

void __threadfence(void);
void __threadfence(void)
{
	gemmviz_fence(ACQUIRES | RELEASES);
}

void __threadfence_block(void);
void __threadfence_block(void)
{
	gemmviz_fence(ACQUIRES | RELEASES | NEAR);
}

static void thread_begin(struct thread *t)
{
	t->spin = (struct spin) { 0 };
}

const struct emu_unit atomics_unit = { .thread_begin = thread_begin };
