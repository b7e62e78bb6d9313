/*
 * emu_findings: describes threads and slots as accesses. See emu_findings.h.
 */
#include <stdlib.h>

#include "emu/recording.h"
#include "emu/emu.h"
#include "emu/emu_findings.h"
#include "emu/hooks.h"
#include "record/inferred_sizes.h"

/* Returns whether a slot's operation loads or stores in the slot's array: TMA
 * does one in shared and the other in global memory. */
static enum op slot_effect(const struct access_site *s)
{
	enum space space = s->array ? s->array->info.space : SPACE_COUNT;

	switch (s->op) {
	case OP_TMA_LD:
		return space == SPACE_SHARED ? OP_ST : OP_LD;
	case OP_TMA_ST:
		return space == SPACE_GLOBAL ? OP_ST : OP_LD;
	case OP_ST:
	case OP_MBAR_ARRIVE:
		return OP_ST;
	default:
		return OP_LD;
	}
}

static struct finding_access finding_access_of(const struct thread *t,
					       const struct access_site *s)
{
	return (struct finding_access){
		.block = rec.block_number,
		.thread = t->number,
		.line = s ? s->line : 0,
		.column = s ? s->raw_column : 0,
		.op = s ? slot_effect(s) : OP_LD,
		.bytes = s ? s->bytes : 0,
	};
}

struct finding_access emu_finding_at(const struct thread *t)
{
	return finding_access_of(t, t->at);
}

void emu_finding_add(const struct thread *t, const struct access_site *s,
		     struct trace_finding f, const struct trace_array *a)
{
	if (rec.fast)
		return;
	f.access = finding_access_of(t, s);
	finding_add(&rec.findings, &f, a);
}

static void add_at_slot(const struct thread *t, const struct access_site *s,
			enum finding_cause cause, const struct trace_array *a,
			int64_t off)
{
	emu_finding_add(t, s, (struct trace_finding) {
		.cause = cause, .offset = off,
	}, a);
}

/* The lowest negative index, in elements, that an unsigned 32-bit index is
 * taken for when it is 2^32 too large. */
#define BELOW_MOST (1 << 24)

/* Returns whether *off results from a negative index that became unsigned, in
 * one of the dimensions; *off becomes the offset that was meant. */
static bool is_negative_index(const struct trace_array *a, int64_t *off)
{
	int64_t stride = a->elem_bytes, end = (int64_t)trace_array_bytes(a);

	for (uint32_t d = a->rank; d-- > 0;) {
		int64_t meant = *off - stride * (INT64_C(1) << 32);

		if (meant < end && meant >= -stride * BELOW_MOST) {
			*off = meant;
			return true;
		}
		if (a->space == SPACE_GLOBAL)
			break;	/* for a kernel a pointer */
		stride *= (int64_t)a->dims[d];
	}
	return false;
}

void emu_finding_bounds(const struct thread *t, const struct access_site *s,
			const struct array *a, int64_t off)
{
	struct trace_finding f = { .access = finding_access_of(t, s),
				   .offset = off };

	if (is_negative_index(&a->info, &off))
		add_at_slot(t, s, CAUSE_BELOW_ZERO, &a->info, off);
	else if (inferred_outside(rec.assumed, a->parameter, &a->info, &f))
		finding_add(&rec.findings, &f, &a->info);
}

void emu_finding_wild(const struct thread *t, const struct access_site *s,
		      uintptr_t address)
{
	struct trace_finding f = { .cause = finding_wild(address) };

	if (rec.dynamic_shared_none &&
	    address - rec.dynamic_shared < SHARED_MOST)
		f = (struct trace_finding){ .cause = CAUSE_SHARED_NONE,
					    .word = rec.dynamic_shared_none };
	else if (f.cause == CAUSE_NO_ARRAY && emu_program.explain_wild)
		emu_program.explain_wild(address, &f);
	emu_finding_add(t, s, f, NULL);
}

void emu_finding_misaligned(const struct thread *t, const struct access_site *s,
			    int64_t off)
{
	add_at_slot(t, s, CAUSE_MISALIGNED, &s->array->info, off);
}

void emu_finding_unwritten(const struct thread *t, const struct access_site *s,
			   uint64_t off)
{
	const struct trace_array *a;

	if (s->scalar) {
		emu_finding_add(t, s, (struct trace_finding) {
			.cause = CAUSE_UNSET_VARIABLE,
			.number = { s->scalar->line },
		}, &memory_variable(&rec.memory, s->scalar, 0)->info);
		return;
	}
	a = &s->array->info;
	add_at_slot(t, s,
		    a->space == SPACE_REGISTER ? CAUSE_UNWRITTEN_REGISTER :
						 CAUSE_UNWRITTEN,
		    a, (int64_t)off);
}

void emu_finding_fragment(const struct thread *t, bool pitch)
{
	emu_finding_cause(t, pitch ? CAUSE_WMMA_PITCH : CAUSE_WMMA_ALIGN);
}

uint32_t emu_finding_epoch_block(uint32_t epoch)
{
	size_t low = 0, high = rec.began_count;

	while (high - low > 1) {
		size_t i = (low + high) / 2;

		if (rec.began[i].epoch <= epoch)
			low = i;
		else
			high = i;
	}
	return rec.began[low].block;
}

static struct finding_access access_before(const struct shadow_access *o)
{
	const struct access_site *s = rec.slot[shadow_access_access(o)];

	return (struct finding_access){
		.block = emu_finding_epoch_block(o->epoch),
		.thread = shadow_access_thread(o),
		.line = s->line,
		.column = s->raw_column,
		.op = slot_effect(s),
		.bytes = s->bytes,
	};
}

/* Returns whether the missing order may be the fault of an earlier finding:
 * atomics put blocks in order, and a block was stopped before it could. */
static bool lost_its_order(const struct shadow_access *o)
{
	return (rec.tainted || rec.spoiled) && rec.signals &&
	       emu_finding_epoch_block(o->epoch) != rec.block_number;
}

static void add_conflict(const struct thread *t, const struct access_site *s,
			 enum finding_cause cause,
			 const struct shadow_access *o, uint64_t off)
{
	emu_finding_add(t, s, (struct trace_finding) {
		.cause = cause, .other = access_before(o),
		.offset = (int64_t)off,
	}, &s->array->info);
}

static void add_race(const struct thread *t, const struct access_site *s,
		     const struct shadow_access *o, uint64_t off)
{
	const struct finding_access access = finding_access_of(t, s);
	const struct finding_access other = access_before(o);

	add_conflict(t, s, finding_race(&access, &other), o, off);
}

void emu_finding_race(const struct thread *t, const struct access_site *s,
		      const struct shadow_access *o, uint64_t off)
{
	const struct shadow_access me = shadow_access_by(t, s);

	if (lost_its_order(o) ||
	    shadow_expected(&me, s->expects, o,
			    rec.slot[shadow_access_access(o)]->expects))
		return;
	rec.findings.interval = rec.interval;
	if (o->who & SHADOW_ASYNC ||
	    rec.slot[shadow_access_access(o)]->late == o->epoch)
		emu_finding_early(t, s, o, off);
	else
		add_race(t, s, o, off);
}

void emu_finding_early(const struct thread *t, const struct access_site *s,
		       const struct shadow_access *o, uint64_t off)
{
	const struct access_site *was = rec.slot[shadow_access_access(o)];

	if (manner_remote(was->manner) || was->remote || s->remote)
		add_race(t, s, o, off);
	else
		add_conflict(t, s,
			     slot_effect(s) == OP_LD   ? CAUSE_READ_EARLY :
			     slot_effect(was) == OP_LD ? CAUSE_WRITTEN_EARLY :
							 CAUSE_WRITTEN_TWICE,
			     o, off);
}

void emu_finding_same_shared(const struct thread *t, const struct access_site *s,
			     const struct shadow_access *o)
{
	const struct access_site *was = rec.slot[shadow_access_access(o)];

	emu_finding_add(t, s, (struct trace_finding) {
		.cause = CAUSE_SHARED_SAME, .other = access_before(o),
		.word = s->dynamic->name, .other_word = was->dynamic->name,
	}, NULL);
}

void emu_finding_unfenced(const struct thread *t, const struct access_site *s,
			  const struct shadow_access *o, uint64_t off)
{
	add_conflict(t, s,
		     slot_effect(s) == OP_LD ? CAUSE_READ_UNFENCED :
					       CAUSE_WRITTEN_UNFENCED,
		     o, off);
}

void emu_finding_accumulators(const struct thread *t, const struct access_site *s,
			      uintptr_t address)
{
	add_at_slot(t, s, CAUSE_WGMMA_EARLY, s->array ? &s->array->info : NULL,
		    s->array ? (int64_t)(address - s->lo) : 0);
}

/* Returns the basic block whose event has this number, or NULL. */
static const struct access_site *block_of_event(uint32_t id)
{
	const struct access_site *s = rec.slots[rec.points[id].order];

	while (s && s->id != id)
		s = s->next;
	return s;
}

/* Returns the basic block that a thread entered before its last `back` ones, NULL:
 * it is not known, or the thread has accessed memory since. */
static const struct access_site *block_before(const struct thread *t,
					      size_t back)
{
	if (t->record)
		return back < t->controls ?
		       block_of_event(t->id[t->count - 1 - back]) : NULL;
	if (back >= MIN(t->block_count, BLOCKS_KEPT) ||
	    t->blocks[(t->block_count - 1) % BLOCKS_KEPT] != t->at)
		return NULL;
	return t->blocks[(t->block_count - 1 - back) % BLOCKS_KEPT];
}

/* Returns the slot at which a thread ended. A thread that returns leaves
 * through the function's last blocks, whose line is not the line of its
 * return. */
static const struct access_site *end_of_thread(const struct thread *t)
{
	const struct access_site *s;

	for (size_t i = 1; (s = block_before(t, i)); i++)
		if (s->line != t->at->line)
			return s;
	return t->at;
}

void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting)
{
	bool ended = never->state == THREAD_ENDED;

	emu_finding(waits, (struct trace_finding){
				   .cause = ended ? CAUSE_BARRIER_ENDED :
						    CAUSE_BARRIER_ELSEWHERE,
				   .other = finding_access_of(
					   never, ended ? end_of_thread(never) :
							  never->at),
				   .number = { waiting, rec.thread_count },
			   });
}

void emu_finding_spin(const struct thread *t, const struct access_site *s,
		      uintptr_t address)
{
	bool host = rec.host_waits && s->array->info.space == SPACE_GLOBAL;

	emu_finding_add(t, s, (struct trace_finding) {
		.cause = host ? CAUSE_SPIN_HOST : CAUSE_SPIN,
		.offset = (int64_t)(address - s->lo),
		.number = { rec.host_waits },
	}, &s->array->info);
}

void emu_finding(const struct thread *t, struct trace_finding f)
{
	emu_finding_add(t, t->at, f, NULL);
}

void emu_finding_cause(const struct thread *t, enum finding_cause cause)
{
	emu_finding(t, (struct trace_finding) { .cause = cause });
}

void emu_finding_stops(enum finding_cause cause)
{
	emu_finding_cause(rec.thread, cause);
	thread_stop();
}

void gemmviz_trap(void *here)
{
	if (!rec.thread)
		return;
	thread_at(rec.thread, here);
	emu_finding_stops(CAUSE_TRAP);
}

/* Replaces what assert() calls: adds a finding in a kernel, aborts
 * elsewhere. */
void __assert_fail(const char *expression, const char *file,
		   unsigned int line, const char *function)
{
	(void)function;
	if (!rec.thread) {
		fprintf(stderr, "%s:%u: %s\n", file, line, expression);
		abort();
	}
	thread_at(rec.thread, __builtin_return_address(0));
	emu_finding(rec.thread, (struct trace_finding) {
		.cause = CAUSE_ASSERT, .word = expression,
	});
	thread_stop();
}
