/*
 * race_check: compares an access with the last accesses of its bytes, which
 * shadow memory holds. See record/shadow.h.
 */
#include <string.h>

#include "emu/recording.h"
#include "emu/vector_clock.h"

static void race_look(const struct thread *t, const struct access_site *s,
		      uint64_t off, uint64_t end)
{
	struct shadow_access me = shadow_access_by(t, s), with;
	struct shadow_order order = {
		.interval = rec.interval,
		.block = s->global ? rec.turn : rec.block_epoch,
		.global = s->global, .fenced = t->near.known != NULL,
		.warp = t->warp_epoch, .lanes = t->warp_lanes,
		.acquired = vector_clock_part(t->clock, rec.rank),
		.happened_before = vector_clock_happened_before, .accessor = t,
		.exchange = s->manner == EXCHANGE,
		.result_used = s->result_used,
	};
	size_t count = shadow_count(s->array->bytes, s->shadow_shift);

	for (; off < end; off += 1u << s->shadow_shift) {
		size_t i = off >> s->shadow_shift;
		struct shadow *c = &s->shadow[i];
		struct shadow_history *h = shadow_history(s->shadow, count, i);
		enum shadow_found found =
			s->op == OP_LD ?
				shadow_read(c, h, &me, &order, &with) :
				shadow_write(c, h, &me, &order, &with);

		if (found == SHADOW_RACE)
			emu_finding_race(t, s, &with, off);
		else if (found == SHADOW_EARLY)
			emu_finding_early(t, s, &with, off);
		else if (found == SHADOW_UNWRITTEN && !rec.tainted)
			emu_finding_unwritten(t, s, off);
	}
}

void race_check(const struct thread *t, const struct access_site *s, uint64_t off)
{
	uint64_t end = off + s->bytes;

	if (!s->atomic)
		off += shadows_plain(t, s, off, s->bytes);
	if (off < end)
		race_look(t, s, off, end);
}

/* Returns whether a value of one array may be meant for the other: arrays of
 * bytes and of vectors are views of others. */
static bool are_views(const struct debug_var *a, const struct debug_var *b)
{
	return a->type.elem_bytes == 1 || b->type.elem_bytes == 1 ||
	       a->type.elem == ELEM_RAW || b->type.elem == ELEM_RAW ||
	       a->type.rank != b->type.rank ||
	       a->type.elem_bytes != b->type.elem_bytes;
}

void dynamic_check(const struct thread *t, const struct access_site *s, uint64_t off)
{
	const struct shadow_access *w;
	const struct access_site *was;

	if (!s->shadow || rec.tainted)
		return;
	w = &s->shadow[off >> s->shadow_shift].write;
	if (w->epoch < rec.block_epoch || w->epoch == SHADOW_IN_FLIGHT)
		return;
	was = rec.slot[shadow_access_access(w)];
	if (!was->dynamic || !strcmp(was->dynamic->name, s->dynamic->name) ||
	    are_views(was->dynamic, s->dynamic))
		return;
	emu_finding_same_shared(t, s, w);
}

bool registers_unset(const struct access_site *s, const void *p, size_t bytes)
{
	struct thread *t = rec.thread;

	if (rec.tainted || !is_unset(p, bytes))
		return false;
	if (!t->unset)
		t->unset = s;
	return t->unset->line == s->line && t->unset->array == s->array &&
	       t->unset->scalar == s->scalar;
}

/* Checks whether what is read was never written. Integers of few bytes may have
 * such a value by themselves. */
/* Returns whether the thread has stored a value in the scalar, which then has
 * its unset value from another variable. */
static bool was_given(struct thread *t, const struct access_site *s, uintptr_t address)
{
	return s->scalar && *scalar_given(t, address) == address;
}

void unset_check(const struct thread *t, const struct access_site *s,
		 uintptr_t address, uint64_t off)
{
	enum elem elem = s->array ? s->array->info.elem : ELEM_RAW;

	if ((s->bytes >= 4 || elem == ELEM_F16 || elem == ELEM_BF16) &&
	    !was_given(rec.thread, s, address) &&
	    registers_unset(s, (const void *)address, s->bytes))
		emu_finding_unwritten(t, s, off);
}
