/*
 * race_check: compares an access with the last accesses of its bytes, which
 * shadow memory holds. See record/shadow.h.
 */
#include "emu/recording.h"
#include "emu/vector_clock.h"

static void race_look(const struct thread *t, const struct slot *s,
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

void race_check(const struct thread *t, const struct slot *s, uint64_t off)
{
	uint64_t end = off + s->bytes;

	if (!s->atomic)
		off += shadows_plain(t, s, off, s->bytes);
	if (off < end)
		race_look(t, s, off, end);
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

/* Checks whether what is read was never written. Integers of few bytes may have
 * such a value by themselves. */
void unset_check(const struct thread *t, const struct slot *s,
		 uintptr_t address, uint64_t off)
{
	enum elem elem = s->array->info.elem;

	if ((s->bytes >= 4 || elem == ELEM_F16 || elem == ELEM_BF16) &&
	    registers_unset(s, (const void *)address, s->bytes))
		emu_finding_unwritten(t, s, off);
}
