/*
 * fresh: see fresh.h.
 */
#include "emu/fresh.h"

#include "emu/device_heap.h"
#include "emu/hooks.h"
#include "emu/place_name.h"
#include "emu/program.h"
#include "emu/recording.h"

/* Of one allocation, from its beginning; and of all together. */
#define EACH_MOST (32ull << 20)
#define ALL_MOST (256ull << 20)
/* A number that comes by chance is none in few words; in more, one is not
 * believed by itself. */
#define FEW_BYTES 65536
/* Structures have fewer bytes between their members. */
#define NO_GAP 16

static uint64_t left = ALL_MOST;

static void mark(uintptr_t from, uint64_t bytes)
{
	for (uintptr_t at = from; at < from + bytes; at += 4)
		*(uint32_t *)at = fresh_word(at);
}

void fresh_begin(struct allocation *a)
{
	uint64_t bytes = MIN((a->bytes + 3) / 4 * 4, EACH_MOST);

	/* A GPU is given what memory holds as it is. */
	if (bytes > left || program.job.kernel.program.images)
		return;
	left -= bytes;
	a->fresh = bytes;
	mark(a->lo, bytes);
}

void fresh_again(uintptr_t from, uint64_t bytes)
{
	const struct allocation *a = device_at(from);

	if (from + bytes - a->lo <= a->fresh)
		mark(from, bytes);
}

/* The bytes of words there that were so, in runs of `least` or more. */
static uint64_t clean(uintptr_t from, uint64_t bytes, uint64_t least)
{
	uint64_t all = 0, run = 0;

	for (uintptr_t at = from & ~(uintptr_t)3; at < from + bytes; at += 4) {
		if (fresh_at(at)) {
			*(uint32_t *)at = 0;
			run += 4;
			continue;
		}
		all += run >= least ? run : 0;
		run = 0;
	}
	return all + (run >= least ? run : 0);
}

static uint64_t clean_row(uintptr_t from, uint64_t bytes)
{
	const struct allocation *a = bytes ? device_at(from) : NULL;
	uint64_t off = a ? from - a->lo : 0;

	return a && a->live && off < a->fresh ?
	       clean(from, MIN(bytes, a->fresh - off), NO_GAP) : 0;
}

uint64_t fresh_read(uintptr_t from, uint64_t pitch, uint64_t width,
		    uint64_t height)
{
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < height; i++)
		bytes += clean_row(from + i * pitch, width);
	return bytes;
}

void fresh_written(uintptr_t from, uint64_t pitch, uint64_t width,
		   uint64_t height)
{
	for (uint64_t i = 0; width && i < height; i++, from += pitch) {
		clean_row(from, 1);
		clean_row(from + width - 1, 1);
	}
}

void fresh_end(struct allocation *a)
{
	if (a->live)
		clean(a->lo, a->fresh, 4);
	a->fresh = 0;
}

void fresh_end_of(struct slot *s)
{
	struct allocation *a = device_at(s->lo);

	if (a)
		fresh_end(a);
	s->fresh = false;
	s->array->fresh = 0;
}

void fresh_end_all(void)
{
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->fresh)
			fresh_end(device_memory.list[i]);
}

/* Timings are often of arrays that nobody sets, and so are first launches that
 * only warm up: this is no fault by itself. */
static bool is_all_fresh(struct allocation *a)
{
	uint64_t off = 0;

	if (a->is_fresh == FRESH_UNKNOWN) {
		while (off < a->fresh && fresh_at(a->lo + off))
			off += 4;
		a->is_fresh = off < a->fresh ? FRESH_SOME : FRESH_ALL;
	}
	return a->is_fresh == FRESH_ALL;
}

static void tell(const struct thread *t, const struct slot *s,
		 uintptr_t address, bool all)
{
	struct array *a = s->array;
	struct trace_finding f = {
		.cause = all && s->manner != EXCHANGE ? CAUSE_NEVER_SET :
							CAUSE_NEVER_WRITTEN,
		.access = emu_finding_at(t),
		.offset = (int64_t)(address - s->lo), .number = { a->made },
	}, *first = &a->fresh_read;
	uint64_t freed;

	/* What a kernel has freed is the device's still. */
	if (a->heap && device_heap_lines(address, &f.number[0], &freed) &&
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
}

/* Whether it is one element that is read, or more, or written where it may have
 * been freed. Of structures and of what memcpy() moves some bytes need not be
 * set; an exchange need not be read. */
static bool is_told(const struct slot *s)
{
	return (s->op == OP_LD || s->array->heap) && s->manner < STRUCTURE &&
	       s->bytes >= MIN(s->array->info.elem_bytes, 4) &&
	       !(s->manner == EXCHANGE && place_word(s->line, "atomicExch"));
}

void fresh_access(const struct thread *t, const struct slot *s,
		  uintptr_t address, uint64_t bytes, bool one)
{
	uint64_t off = address - s->lo;
	struct allocation *a;
	bool all;

	if (off >= s->array->fresh)
		return;
	a = fresh_at(address) ? device_at(s->lo) : NULL;
	all = a && is_all_fresh(a);
	bytes = MIN(bytes, s->array->fresh - off);
	if (clean(address, bytes, 4) >= bytes && one && is_told(s) &&
	    !rec.tainted)
		tell(t, s, address, all);
}
