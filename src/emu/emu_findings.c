/*
 * emu_findings: threads and slots as deeds. See fault.h.
 */
#include <stdlib.h>

#include "emu/emu_findings.h"
#include "emu/hooks.h"

const char *emu_finding_thread(const struct thread *t)
{
	return finding_index_text(t->number, &rec.block);
}

const char *emu_finding_block(uint32_t number)
{
	return finding_index_text(number, &rec.grid);
}

/* What it does to the memory that it is recorded for. */
static enum op slot_does(const struct slot *s)
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

static struct deed deed_of(const struct thread *t, const struct slot *s)
{
	return (struct deed) {
		.block = rec.block_number, .thread = t->number,
		.line = s ? s->line : 0, .column = s ? s->raw_column : 0,
		.op = s ? slot_does(s) : OP_LD, .bytes = s ? s->bytes : 0,
	};
}

void emu_finding_bounds(const struct thread *t, const struct slot *s,
			const struct trace_array *a, int64_t off)
{
	struct deed d = deed_of(t, s);

	finding_bounds(&rec.findings, &d, a, off);
}

void emu_finding_wild(const struct thread *t, const struct slot *s,
		      uintptr_t address)
{
	struct deed d = deed_of(t, s);

	finding_wild(&rec.findings, &d, address);
}

void emu_finding_misaligned(const struct thread *t, const struct slot *s,
			    int64_t off)
{
	struct deed d = deed_of(t, s);

	finding_misaligned(&rec.findings, &d, &s->array->info, off);
}

void emu_finding_unwritten(const struct thread *t, const struct slot *s,
			   uint64_t off)
{
	struct deed d = deed_of(t, s);

	finding_unwritten(&rec.findings, &d, &s->array->info, off);
}

void emu_finding_fragment(const struct thread *t, bool pitch)
{
	struct deed d = deed_of(t, t->at);

	finding_fragment(&rec.findings, &d, pitch);
}

uint32_t emu_finding_epoch_block(uint32_t epoch)
{
	size_t i = rec.began_count;

	while (i-- > 1)
		if (rec.began[i].epoch <= epoch)
			break;
	return rec.began[i].block;
}

static struct deed deed_before(const struct shadow_access *o)
{
	const struct slot *s = rec.slot[shadow_access_access(o)];

	return (struct deed){
		.block = emu_finding_epoch_block(o->epoch),
		.thread = shadow_access_thread(o),
		.line = s->line,
		.op = slot_does(s),
	};
}

/* Of blocks that atomics put in order: one was stopped before it could. */
static bool is_untold(const struct shadow_access *o)
{
	return (rec.tainted || rec.spoiled) && rec.signals &&
	       emu_finding_epoch_block(o->epoch) != rec.block_number;
}

void emu_finding_race(const struct thread *t, const struct slot *s,
		      const struct shadow_access *o, uint64_t off)
{
	struct deed d = deed_of(t, s), other = deed_before(o);

	if (is_untold(o))
		return;
	if (o->who & SHADOW_ASYNC)
		finding_early(&rec.findings, &d, &other, &s->array->info, off);
	else
		finding_race(&rec.findings, &d, &other, &s->array->info, off);
}

void emu_finding_early(const struct thread *t, const struct slot *s,
		       const struct shadow_access *o, uint64_t off)
{
	struct deed d = deed_of(t, s), other = deed_before(o);

	finding_early(&rec.findings, &d, &other, &s->array->info, off);
}

void emu_finding_unfenced(const struct thread *t, const struct slot *s,
			  const struct shadow_access *o, uint64_t off)
{
	struct deed d = deed_of(t, s), other = deed_before(o);

	finding_unfenced(&rec.findings, &d, &other, &s->array->info, off);
}

void emu_finding_barrier(const struct thread *waits, const struct thread *never,
			 uint32_t waiting, uint32_t others)
{
	struct deed d = deed_of(waits, waits->at);
	struct deed n = deed_of(never, never->at);

	finding_barrier(&rec.findings, &d, &n, never->state == THREAD_ENDED,
			waiting, others);
}

void emu_finding_crash(const struct thread *t, uint32_t line, const char *what)
{
	struct deed d = deed_of(t, NULL);

	d.line = line;
	finding_crash(&rec.findings, &d, what);
}

void emu_finding_meeting(const struct thread *t, const char *word,
			 const struct thread *never, const char *where,
			 uint32_t others)
{
	struct deed d = deed_of(t, t->at), n = deed_of(never, never->at);

	finding_meeting(&rec.findings, &d, word, &n, where, others);
}

void emu_finding_spin(const struct thread *t, const struct slot *s,
		      uintptr_t address)
{
	struct deed d = deed_of(t, s);

	finding_spin(&rec.findings, &d, &s->array->info, address - s->lo);
}

void emu_finding_lanes(const struct thread *t, const struct slot *s,
		       const char *word, uint32_t lanes)
{
	struct deed d = deed_of(t, s);

	finding_deed(&rec.findings, FINDING_BARRIER, &d, word, "calls %s, "
		     "which needs all 32 lanes of a warp: %d do", word,
		     __builtin_popcount(lanes));
}

void emu_finding_deed(const struct thread *t, enum finding_kind kind,
		      const char *what, const char *fmt, ...)
{
	struct deed d = deed_of(t, t->at);
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	finding_deed(&rec.findings, kind, &d, what, "%s", text);
}

void emu_finding_stops(const char *what)
{
	emu_finding_deed(rec.thread, FINDING_CRASH, what,
			 "%s: a GPU stops here", what);
	thread_stop();
}

void gemmviz_trap(const char *what, void *here);
void gemmviz_trap(const char *what, void *here)
{
	if (!rec.thread)
		return;
	thread_at(rec.thread, here);
	emu_finding_stops(what);
}

/* What the C library's assert() calls, in its place. */
void __assert_fail(const char *expression, const char *file,
		   unsigned int line, const char *function)
{
	char what[100];

	(void)function;
	if (!rec.thread) {
		fprintf(stderr, "%s:%u: %s\n", file, line, expression);
		abort();
	}
	snprintf(what, sizeof(what), "fails in assert(%s)", expression);
	gemmviz_trap(what, __builtin_return_address(0));
	abort();
}

void emu_finding_rule(const char *what)
{
	emu_finding_deed(rec.thread, FINDING_CRASH, what, "breaks a rule: %s",
			 what);
	thread_stop();
}
