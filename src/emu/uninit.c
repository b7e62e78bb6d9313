/*
 * uninit: see uninit.h.
 */
#include "emu/uninit.h"

#include "emu/emu.h"
#include "emu/hooks.h"
#include "emu/place_name.h"
#include "emu/recording.h"

/* A number that comes by chance is none in few words; in more, one is not
 * believed by itself. */
#define FEW_BYTES 65536

void emu_mark_unwritten(uintptr_t from, uint64_t bytes)
{
	for (uintptr_t at = from; at < from + bytes; at += 4)
		*(uint32_t *)at = uninit_word(at);
}

uint64_t emu_clear_unwritten(uintptr_t from, uint64_t bytes, uint64_t least)
{
	uint64_t all = 0, run = 0;

	for (uintptr_t at = from & ~(uintptr_t)3; at < from + bytes; at += 4) {
		if (uninit_at(at)) {
			*(uint32_t *)at = 0;
			run += 4;
			continue;
		}
		all += run >= least ? run : 0;
		run = 0;
	}
	return all + (run >= least ? run : 0);
}

uint64_t emu_count_unwritten(uintptr_t from, uint64_t bytes)
{
	uint64_t off = 0;

	while (off < bytes && uninit_at(from + off))
		off += 4;
	return off;
}

void uninit_end_of(struct access_site *s)
{
	emu_program.end_unwritten(s->lo);
	s->uninit = false;
	s->array->uninit = 0;
}

static void report_unwritten(const struct thread *t, const struct access_site *s,
		 uintptr_t address, bool all)
{
	struct array *a = s->array;
	struct trace_finding f = {
		.cause = all && s->manner != EXCHANGE &&
			 a->unset != UNSET_OUTPUT ? CAUSE_NEVER_SET :
						    CAUSE_NEVER_WRITTEN,
		.access = emu_finding_at(t),
		.offset = (int64_t)(address - s->lo), .number = { a->made },
	}, *first = &a->uninit_read;
	uint64_t freed;

	if (f.cause == CAUSE_NEVER_WRITTEN && a->copied &&
	    (uint64_t)f.offset >= a->copied) {
		f.cause = CAUSE_COPIED_SHORT;
		f.number[1] = a->copy;
		f.number[2] = a->copied;
		f.number[3] = a->bytes;
	}
	/* What a kernel has freed is the device's still. */
	if (a->heap && emu_program.heap_lines(address, &f.number[0], &freed) &&
	    freed) {
		f.cause = CAUSE_AFTER_FREE;
		f.number[1] = freed;
		finding_add(&rec.findings, &f, NULL);
		return;
	}
	if (s->op != OP_LD)
		return;
	if (a->bytes > FEW_BYTES && !first->cause) {
		*first = f;
		return;
	}
	if (first->number[0])
		finding_add(&rec.findings, first, &a->info);
	first->number[0] = 0;
	finding_add(&rec.findings, &f, &a->info);
	if (f.cause == CAUSE_NEVER_SET)
		a->unset = UNSET_READ;
}

/* Returns whether the launch has another array in global memory that was set. */
static bool is_another_set(const struct array *than)
{
	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (a != than && a->info.space == SPACE_GLOBAL &&
		    (a->made || a->uninit) &&
		    !uninit_at(a->lo))
			return true;
	}
	return false;
}

/* Makes faults of the notes on reads of an array that nothing had set: the kernel
 * stores to it, too, as in "C[i] += ...", so that they tell of no timing with
 * unset inputs. */
static void accuse_unset_output(struct array *a)
{
	if (!is_another_set(a))
		return;
	a->unset = UNSET_OUTPUT;
	finding_recast(&rec.findings, CAUSE_NEVER_SET, CAUSE_NEVER_WRITTEN,
		       &a->info);
}

/* Returns whether an access to unwritten words is reported: a read, or any access
 * to the heap, where the memory may have been freed. The result of an exchange
 * may be ignored. */
static bool is_reported(const struct access_site *s)
{
	return (s->op == OP_LD || s->array->heap) &&
	       !(s->manner == EXCHANGE && place_word(s->line, "atomicExch"));
}

void uninit_access(const struct thread *t, const struct access_site *s,
		  uintptr_t address, uint64_t bytes, bool one)
{
	uint64_t off = address - s->lo;
	bool all;

	if (unlikely(s->array->unset == UNSET_READ) && s->op == OP_ST)
		accuse_unset_output(s->array);
	if (off >= s->array->uninit)
		return;
	all = uninit_at(address) && emu_program.is_unwritten(s->lo);
	bytes = MIN(bytes, s->array->uninit - off);
	/* Copies of structures, and memcpy(), may include unset bytes. */
	if (emu_clear_unwritten(address, bytes, 4) >= bytes &&
	    (one || s->manner >= STRUCTURE) &&
	    is_reported(s) && !rec.tainted)
		report_unwritten(t, s, address, all);
}
