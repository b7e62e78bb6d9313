/*
 * advice_occupancy: how a block's threads, shared memory and registers limit
 * the warps that an SM holds. Advice is given only if a small change helps:
 * blocks so small that their number is the limit, or an eighth or less of
 * shared memory or registers. None if the registers are not known, for they may
 * be the limit, and none for kernels whose warps do not wait for memory:
 * asynchronous copies hide the latency there.
 */
#include "analysis/advice_finder.h"

static void add_occupancy_advice(struct advice_search *s, enum advice_kind kind,
				 int64_t from, int64_t to, int before,
				 int after)
{
	struct advice a = {
		.kind = kind, .array = TRACE_NO_ARRAY, .from = from, .to = to,
		.arch = s->machine->arch->name,
		.counts = { { ADVICE_WARPS, before, after } },
		.count = 1, .saves = after - before,
	};

	advice_add(s, &a);
}

/* Adds advice for a resource if a little less or more of it lets an SM hold
 * more warps. */
static void judge_resource(struct advice_search *s,
			   const struct occupancy_launch *l,
			   const struct occupancy *now,
			   enum occupancy_resource r)
{
	struct occupancy_launch b;
	struct occupancy then;

	if (!now->limits[r] || !now->active_blocks ||
	    !occupancy_better(s->machine->arch, l, r, &b, &then))
		return;
	if (r == OCCUPANCY_BLOCKS)
		add_occupancy_advice(s, ADVICE_BLOCK, l->threads, b.threads,
				     now->active_warps, then.active_warps);
	else if (r == OCCUPANCY_SHARED && b.shared >= l->shared / 8 * 7)
		add_occupancy_advice(s, ADVICE_SHARED, l->shared, b.shared,
				     now->active_warps, then.active_warps);
	else if (r == OCCUPANCY_REGISTERS &&
		 b.registers >= l->registers / 8 * 7)
		add_occupancy_advice(s, ADVICE_REGISTERS, l->registers,
				     b.registers, now->active_warps,
				     then.active_warps);
}

static void *start(struct advice_search *s)
{
	const struct trace_dim *b = &s->info->block;
	struct occupancy_launch l;
	struct occupancy now;

	if (!s->machine->arch || !s->machine->registers ||
	    advice_is_async(s->info))
		return NULL;
	l = (struct occupancy_launch){
		.threads = (int)(b->x * b->y * b->z),
		.registers = s->machine->registers,
		.shared = (int)MIN(advice_shared_bytes(s->info),
				   OCCUPANCY_MOST_SHARED),
	};
	l.dynamic = l.shared > s->machine->arch->block_shared;
	occupancy_of(s->machine->arch, &l, &now);
	for (enum occupancy_resource r = 0; r < OCCUPANCY_RESOURCES; r++)
		judge_resource(s, &l, &now, r);
	return NULL;
}

const struct advice_finder advice_occupancy = { .start = start };
