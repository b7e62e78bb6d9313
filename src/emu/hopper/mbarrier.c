/*
 * mbarrier: the phases of mbarriers. See mbarrier.h.
 *
 * An arrival releases the vector clock of its thread, and a wait acquires the
 * clocks of all arrivals up to the phase that it waits for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/launch.h"
#include "emu/hopper/mbarrier.h"
#include "emu/unit.h"

struct mbarrier_state {
	uint32_t rank;			/* of its block */
	uintptr_t at;
	uint32_t arrivals, pending;	/* of a phase; still to come */
	uint32_t phase;			/* the one that has not ended */
	int64_t bytes, expected;	/* still to come; of this phase */
	/* Vector clocks of arrivals: of this phase, of those completed. */
	uint32_t *arriving, *completed;
	uint32_t maker, made;		/* thread and epoch of init */
	const struct access_site *made_at;
	bool shown;			/* init is, to other blocks */
	struct mbarrier_use *uses;
	size_t use_count, use_capacity;
	struct delivery *deliveries;
	size_t count, capacity;
};

/*
 * Something that the block must not end before: an arrival from another block,
 * or a box that TMA brings; for each thread and line the last one. The block
 * has acquired it when its clock for actor `actor` of block `part` is beyond
 * `epoch`.
 */
struct mbarrier_use {
	uint32_t rank, thread;		/* whose */
	const struct access_site *at;
	bool box;
	uint32_t part, actor, epoch;
};

/* The mbarriers of the cluster that runs. */
static struct mbarriers {
	struct mbarrier_state **list;
	size_t count, capacity;
} all;

/* Drops the mbarriers of the cluster before. */
static void cluster_begin(void)
{
	for (size_t i = 0; i < all.count; i++) {
		struct mbarrier_state *b = all.list[i];

		for (size_t d = 0; d < b->count; d++)
			free(b->deliveries[d].bytes);
		free(b->deliveries);
		free(b->arriving);
		free(b->completed);
		free(b->uses);
		free(b);
	}
	all.count = 0;
}

/* Reports a finding of thread t about the mbarrier at p of block `rank`. */
static void report_mbarrier(const struct thread *t, uint32_t rank,
			    const void *p, struct trace_finding f)
{
	const struct array *a = memory_at(&rec.memory, (uintptr_t)p, 1);

	f.other.block = rec.blocks[rank < rec.cluster ? rank :
				   rec.rank].number;
	f.offset = a ? (int64_t)((uintptr_t)p - a->lo) : 0;
	emu_finding_add(t, t->at, f, a ? &a->info : NULL);
}

static void report_late_use(const struct mbarrier_state *b,
			    const struct mbarrier_use *u)
{
	struct thread *t = &rec.blocks[u->rank].threads[u->thread];
	const struct access_site *last = rec.blocks[b->rank].threads[0].at;
	const struct access_site *was = t->at;

	block_use(u->rank);
	t->at = u->at;
	report_mbarrier(t, b->rank, (const void *)b->at, (struct trace_finding) {
		.cause = u->box ? CAUSE_BOX_OUTLIVES : CAUSE_ARRIVAL_OUTLIVES,
		.other = { .line = last->line, .column = last->raw_column },
	});
	t->at = was;
}

/* Checks that a block that may have ended has acquired all that is done to its
 * mbarrier; each use that it has not is a finding. */
static void outlived_check(const struct mbarrier_state *b, uint32_t *clock)
{
	for (size_t i = 0; i < b->use_count; i++) {
		const struct mbarrier_use *u = &b->uses[i];

		if (vector_clock_part(clock, u->part)[u->actor] <= u->epoch)
			report_late_use(b, u);
	}
}

/* Checks the mbarriers of all blocks that have ended: what comes to one of them
 * is a finding. */
static void stuck(void)
{
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t *clock = block_ended(r) ? vector_clock_of_block(r) :
						   NULL;

		for (size_t i = 0; clock && i < all.count; i++)
			if (all.list[i]->rank == r)
				outlived_check(all.list[i], clock);
		free(clock);
	}
}

static struct mbarrier_state *find_mbarrier(uint32_t rank, const void *p)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->at == (uintptr_t)p &&
		    all.list[i]->rank == rank)
			return all.list[i];
	return NULL;
}

static _Noreturn void stop_with_finding(const struct thread *t, uint32_t rank,
					const void *p, enum finding_cause cause)
{
	report_mbarrier(t, rank, p, (struct trace_finding){ .cause = cause });
	thread_stop();
}

/* Returns whether its init comes before what the running thread does. */
static bool is_init_ordered(const struct mbarrier_state *b)
{
	const struct thread *t = rec.thread;
	const uint32_t *clock = vector_clock_part(t->clock, b->rank);
	const struct shadow_order order = {
		.interval = rec.interval,
		.block = rec.block_epoch,
		.warp = t->warp_epoch,
		.lanes = t->warp_lanes,
		.acquired = clock,
	};
	const struct shadow_access init = { b->made, b->maker };
	const struct shadow_access me = { rec.epoch, t->number };

	if (b->rank != rec.rank)
		return clock && clock[b->maker] > b->made;
	return !shadow_access_unordered(&init, &me, &order);
}

/*
 * Checks that the running thread sees the init of the mbarrier. An arrival from
 * another block does not show what was written before it (PTX ISA,
 * mbarrier.arrive: its scope is the block): to be seen by way of one, an init
 * takes a fence. The barrier of the cluster needs none, and TMA accesses
 * mbarriers as threads do (PTX ISA, cp.async.bulk.tensor).
 */
static void made_check(const struct mbarrier_state *b)
{
	const bool own = b->rank == rec.rank, made = is_init_ordered(b);

	if (rec.tainted || (made && (own || b->shown)))
		return;
	report_mbarrier(rec.thread, b->rank, (const void *)b->at,
			(struct trace_finding) {
		.cause = made ? CAUSE_MBARRIER_UNFENCED :
				CAUSE_MBARRIER_UNORDERED,
		.other = { .thread = b->maker, .op = OP_ST,
			   .line = b->made_at->line,
			   .column = b->made_at->raw_column },
	});
}

/* Returns the mbarrier at p of block `rank` for the running thread, which stops
 * if there is none. */
static struct mbarrier_state *require_mbarrier(uint32_t rank, const void *p,
					       void *here)
{
	static const uint32_t none[2];
	struct mbarrier_state *b = find_mbarrier(rank, p);

	if (rank >= rec.cluster)
		stop_with_finding(rec.thread, rank, p, CAUSE_MBARRIER_RANK);
	if (b) {
		made_check(b);
		return b;
	}
	/* It may be in no array. */
	thread_signal(here, p, OP_MBAR_WAIT, none);
	stop_with_finding(rec.thread, rank, p,
			  rank != rec.rank && block_ended(rank) ?
				  CAUSE_MBARRIER_ENDED :
				  CAUSE_MBARRIER_NONE);
}

/* ---- visibility of inits ---- */

static void publish(const uint32_t *clock)
{
	for (size_t i = 0; i < all.count; i++) {
		struct mbarrier_state *b = all.list[i];

		b->shown |= clock[b->rank * SHADOW_ACTORS + b->maker] >
			    b->made;
	}
}

void gemmviz_fence_mbarriers(void);
void gemmviz_fence_mbarriers(void)
{
	for (size_t i = 0; rec.thread && i < all.count; i++)
		all.list[i]->shown |= all.list[i]->rank == rec.rank &&
				      all.list[i]->maker == rec.thread->number;
}

/* ---- phases ---- */

static void finish_phase(struct mbarrier_state *b)
{
	vector_clock_join(b->completed, b->arriving);
	vector_clock_clear(b->arriving);
	b->phase++;
	b->pending = b->arrivals;
	b->expected = 0;
}

static void complete_delivery(struct mbarrier_state *b)
{
	struct delivery *d = &b->deliveries[0];

	memcpy(d->to, d->bytes, d->count);
	vector_clock_acquired_actor(b->arriving, b->rank, d->actor, d->epoch);
	b->bytes -= d->count;
	free(d->bytes);
	memmove(d, d + 1, --b->count * sizeof(*d));
}

/* Ends the phase if all that it waits for has come or now comes. */
static void phase_try(struct mbarrier_state *b)
{
	while (b->pending == 0 && b->bytes > 0 && b->count)
		complete_delivery(b);
	if (b->pending == 0 && b->bytes == 0)
		finish_phase(b);
}

/* ---- arriving ---- */

void gemmviz_mbarrier_init(void *p, uint32_t arrivals, void *here);
void gemmviz_mbarrier_init(void *p, uint32_t arrivals, void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { arrivals, 0 };
	const struct access_site *s;
	struct mbarrier_state *b;

	if (!t)
		return;
	s = thread_access(here, p, sizeof(words), OP_ST, words);
	memcpy(p, words, sizeof(words));
	if (arrivals == 0)
		stop_with_finding(t, rec.rank, p, CAUSE_MBARRIER_NO_ARRIVALS);
	b = find_mbarrier(rec.rank, p);
	if (!b) {
		b = xcalloc(1, sizeof(*b));
		grow(&all.list, &all.capacity, all.count + 1,
		     sizeof(*all.list));
		all.list[all.count++] = b;
		b->arriving = vector_clock_new();
		b->completed = vector_clock_new();
	}
	b->rank = rec.rank;
	b->at = (uintptr_t)p;
	b->arrivals = b->pending = arrivals;
	b->phase = 0;
	b->bytes = b->expected = 0;
	b->maker = t->number;
	b->made = rec.epoch;
	b->made_at = s;
	b->shown = false;
}

/* Adds a use by the running thread, at the place where it is. */
static void use_add(struct mbarrier_state *b, struct mbarrier_use u)
{
	size_t i = 0;

	u.rank = rec.rank;
	u.thread = rec.thread->number;
	u.at = rec.thread->at;
	while (i < b->use_count && (b->uses[i].rank != u.rank ||
				    b->uses[i].thread != u.thread ||
				    b->uses[i].at != u.at))
		i++;
	if (i == b->use_count)
		grow(&b->uses, &b->use_capacity, ++b->use_count,
		     sizeof(*b->uses));
	b->uses[i] = u;
}

/* Lets the running thread arrive at the mbarrier at p of block `rank`
 * (UINT32_MAX: its own), with `bytes` more to come. */
uint32_t gemmviz_mbarrier_arrive(void *p, uint32_t rank, uint32_t bytes,
				 void *here);
/* Returns the phase that it arrives at. */
uint32_t gemmviz_mbarrier_arrive(void *p, uint32_t rank, uint32_t bytes,
				 void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { 0, bytes };
	struct mbarrier_state *b;

	if (!t)
		return 0;
	thread_at(t, here);
	rank = rank == UINT32_MAX ? rec.rank : rank;
	b = require_mbarrier(rank, p, here);
	if (b->pending == 0)
		phase_try(b);
	words[0] = b->phase;
	thread_signal(here, p, OP_MBAR_ARRIVE, words);
	if (b->pending == 0)
		stop_with_finding(t, rank, p, CAUSE_MBARRIER_OVERRUN);
	if (rank != rec.rank)
		use_add(b, (struct mbarrier_use) {
			.part = rec.rank, .actor = t->number,
			.epoch = rec.epoch });
	vector_clock_release(t, b->arriving);
	b->pending--;
	b->bytes += bytes;
	b->expected += bytes;
	if (b->pending == 0 && b->bytes == 0)
		finish_phase(b);
	return words[0];
}

void mbarrier_deliver(uint32_t rank, const void *p, struct delivery d,
		      void *here)
{
	struct mbarrier_state *b;

	thread_at(rec.thread, here);
	b = require_mbarrier(rank, p, here);
	grow(&b->deliveries, &b->capacity, b->count + 1,
	     sizeof(*b->deliveries));
	b->deliveries[b->count++] = d;
	use_add(b, (struct mbarrier_use) { .box = true, .part = rank,
					   .actor = d.actor, .epoch = d.epoch });
}

/* ---- waiting ---- */

struct waited {
	struct mbarrier_state *b;
	uint32_t parity;
};

static bool over(struct thread *t, void *on)
{
	struct waited *w = on;

	(void)t;
	if (w->b->phase % 2 == w->parity)
		phase_try(w->b);
	return w->b->phase % 2 != w->parity;
}

/* Adds the finding of a wait that never ends. Bytes that are under way count as
 * those that came. */
static void never(const struct thread *t, const void *on)
{
	const struct mbarrier_state *b = ((const struct waited *)on)->b;
	int64_t come = b->expected - b->bytes;

	for (size_t i = 0; i < b->count; i++)
		come += b->deliveries[i].count;
	report_mbarrier(t, b->rank, (const void *)b->at, (struct trace_finding) {
		.cause = CAUSE_MBARRIER_WAIT,
		.number = { b->phase, b->arrivals - b->pending, b->arrivals,
			    (uint64_t)come, (uint64_t)b->expected },
	});
}

void gemmviz_mbarrier_wait(void *p, uint32_t parity, void *here);
void gemmviz_mbarrier_wait(void *p, uint32_t parity, void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { 0, 0 };
	struct waited on;
	struct wait w = { .over = over, .never = never, .on = &on };

	if (!t)
		return;
	thread_at(t, here);
	on = (struct waited){ require_mbarrier(rec.rank, p, here), parity % 2 };
	words[0] = on.b->phase - (on.b->phase % 2 != on.parity);
	thread_signal(here, p, OP_MBAR_WAIT, words);
	thread_wait(&w);
	vector_clock_acquire(t, on.b->completed);
}

static void *block_suspend(void)
{
	struct mbarriers *kept = xmalloc(sizeof(*kept));

	*kept = all;
	all = (struct mbarriers){ .count = 0 };
	return kept;
}

static void block_resume(void *kept)
{
	cluster_begin();
	free(all.list);
	all = *(struct mbarriers *)kept;
	free(kept);
}

const struct emu_unit mbarrier_unit = {
	.block_suspend = block_suspend,
	.block_resume = block_resume,
	.cluster_begin = cluster_begin,
	.stuck = stuck,
	.publish = publish,
};
