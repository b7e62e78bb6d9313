/*
 * mbarrier: their phases. See mbarrier.h.
 *
 * An arrival leaves what its thread knows, and a wait takes up what all those
 * knew that arrived until the phase ended.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "launch.h"
#include "mbarrier.h"

struct mbarrier {
	uint32_t rank;			/* of its block */
	uintptr_t at;
	uint32_t arrivals, pending;	/* of a phase; still to come */
	uint32_t phase;			/* the one that has not ended */
	int64_t bytes, expected;	/* still to come; of this phase */
	uint32_t *now, *past;		/* what arrivals knew: clocks */
	uint32_t maker, made;		/* thread and epoch of init */
	/* What threads of other blocks did here, of each the last: its epoch
	 * and 1, as clocks count; and where. NULL: none did. */
	uint32_t *others;
	const struct slot *others_at;
	struct delivery *deliveries;
	size_t count, capacity;
};

/* Those of the cluster that runs. */
static struct {
	struct mbarrier **list;
	size_t count, capacity;
} all;

void mbarriers_begin(void)
{
	for (size_t i = 0; i < all.count; i++) {
		struct mbarrier *b = all.list[i];

		for (size_t d = 0; d < b->count; d++)
			free(b->deliveries[d].bytes);
		free(b->deliveries);
		free(b->now);
		free(b->past);
		free(b->others);
		free(b);
	}
	all.count = 0;
}

/* "full[1]", or where in a structure; and of which block where it is
 * another's. */
static const char *name_of(uint32_t rank, const void *p)
{
	static char text[160];
	uint64_t off;
	const struct array *a = memory_at(&rec.memory, (uintptr_t)p, 1);
	size_t n = 0;

	if (!a)
		return "that is nowhere";
	n = (size_t)snprintf(text, sizeof(text), "%.60s", a->info.name);
	off = (uintptr_t)p - a->lo;
	if (a->info.elem == ELEM_RAW)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " at byte %"
				      PRIu64, off);
	else if (a->bytes > sizeof(uint64_t))
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "[%" PRIu64 "]",
				      off / a->info.elem_bytes);
	if (rank != rec.rank && rank < rec.cluster)
		snprintf(text + n, sizeof(text) - n, " of block %s",
			 fault_block(rec.blocks[rank].number));
	return text;
}

/* TMA brings what nobody has waited for. */
static void late_check(const struct mbarrier *b)
{
	if (b->count == 0)
		return;
	block_use(b->rank);
	fault_deed(&rec.threads[b->maker], FINDING_RACE, "mbarrier",
		   "has ended, as all have, while TMA still brings what nobody "
		   "has waited for to the mbarrier %s in phase %" PRIu32,
		   name_of(b->rank, (const void *)b->at), b->phase);
}

/* What the threads of a block have heard, those together that ended last. */
static uint32_t *heard_by(uint32_t rank)
{
	uint32_t *all = clock_new();

	for (uint32_t i = 0; i < rec.thread_count; i++)
		if (rec.blocks[rank].threads[i].heard)
			clock_join(all, rec.blocks[rank].threads[i].heard);
	return all;
}

/* A block lives on until it has heard of what others do to its mbarriers. */
static void outlived_check(const struct mbarrier *b)
{
	uint32_t *heard = b->others ? heard_by(b->rank) : NULL;

	for (uint32_t i = 0; heard && i < rec.cluster * TOUCH_AGENTS; i++) {
		struct thread *t;

		if (b->others[i] <= heard[i])
			continue;
		block_use(i / TOUCH_AGENTS);
		t = &rec.threads[i % TOUCH_AGENTS];
		t->at = b->others_at;
		fault_deed(t, FINDING_RACE, "ended", "uses the mbarrier %s, "
			   "which may have ended by then: nothing lets it wait",
			   name_of(b->rank, (const void *)b->at));
	}
	free(heard);
}

void mbarriers_end(void)
{
	for (size_t i = 0; i < all.count; i++) {
		late_check(all.list[i]);
		outlived_check(all.list[i]);
	}
}

static struct mbarrier *find(uint32_t rank, const void *p)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->at == (uintptr_t)p &&
		    all.list[i]->rank == rank)
			return all.list[i];
	return NULL;
}

static _Noreturn void refuse(const struct thread *t, uint32_t rank,
			     const void *p, const char *what)
{
	fault_deed(t, FINDING_CRASH, what, "uses the mbarrier %s, %s",
		   name_of(rank, p), what);
	thread_stop();
}

/* The mbarrier that the running thread means. One of another block must be
 * known to be there. */
static struct mbarrier *meant(uint32_t rank, const void *p)
{
	const struct thread *t = rec.thread;
	struct mbarrier *b = find(rank, p);
	const uint32_t *heard;

	if (rank >= rec.cluster)
		refuse(t, rank, p, "of a block that its cluster has not");
	if (!b)
		refuse(t, rank, p, "which nobody has initialized");
	heard = clock_part(t->heard, rank);
	if (rank != rec.rank && (!heard || heard[b->maker] <= b->made) &&
	    !rec.tainted)
		fault_deed(t, FINDING_RACE, "mbarrier", "uses the mbarrier %s, "
			   "which thread %u there may not have initialized "
			   "yet: nothing puts the one after the other",
			   name_of(rank, p), b->maker);
	return b;
}

/* ---- phases ---- */

static void phase_end(struct mbarrier *b)
{
	clock_join(b->past, b->now);
	clock_clear(b->now);
	b->phase++;
	b->pending = b->arrivals;
	b->expected = 0;
}

static void deliver(struct mbarrier *b)
{
	struct delivery *d = &b->deliveries[0];
	uint32_t *knows = clock_part(b->now, b->rank);

	memcpy(d->to, d->bytes, d->count);
	knows[d->agent] = MAX(knows[d->agent], d->epoch + 1);
	b->bytes -= d->count;
	free(d->bytes);
	memmove(d, d + 1, --b->count * sizeof(*d));
}

/* Ends the phase if all that it waits for has come or now comes. */
static void phase_try(struct mbarrier *b)
{
	while (b->pending == 0 && b->bytes > 0 && b->count)
		deliver(b);
	if (b->pending == 0 && b->bytes == 0)
		phase_end(b);
}

/* ---- arriving ---- */

void gemmviz_mbarrier_init(void *p, uint32_t arrivals, void *here);
void gemmviz_mbarrier_init(void *p, uint32_t arrivals, void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { arrivals, 0 };
	struct mbarrier *b;

	if (!t)
		return;
	thread_access(here, p, sizeof(words), OP_ST, words);
	memcpy(p, words, sizeof(words));
	if (arrivals == 0)
		refuse(t, rec.rank, p, "which is to wait for no arrivals");
	b = find(rec.rank, p);
	if (!b) {
		b = xcalloc(1, sizeof(*b));
		grow(&all.list, &all.capacity, all.count + 1,
		     sizeof(*all.list));
		all.list[all.count++] = b;
		b->now = clock_new();
		b->past = clock_new();
	}
	b->rank = rec.rank;
	b->at = (uintptr_t)p;
	b->arrivals = b->pending = arrivals;
	b->phase = 0;
	b->bytes = b->expected = 0;
	b->maker = t->number;
	b->made = rec.epoch;
}

/* The running thread does, of another block. */
static void other_uses(struct mbarrier *b)
{
	if (!b->others)
		b->others = clock_new();
	clock_part(b->others, rec.rank)[rec.thread->number] = rec.epoch + 1;
	b->others_at = rec.thread->at;
}

/* rank: UINT32_MAX is this block's. */
void gemmviz_mbarrier_arrive(void *p, uint32_t rank, uint32_t bytes,
			     void *here);
void gemmviz_mbarrier_arrive(void *p, uint32_t rank, uint32_t bytes,
			     void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { 0, bytes };
	struct mbarrier *b;

	if (!t)
		return;
	thread_at(t, here);
	rank = rank == UINT32_MAX ? rec.rank : rank;
	b = meant(rank, p);
	if (b->pending == 0)
		phase_try(b);
	words[0] = b->phase;
	thread_signal(here, p, OP_MBAR_ARRIVE, words);
	if (b->pending == 0)
		refuse(t, rank, p, "at which more arrive in a phase than it "
		       "was initialized for");
	if (rank != rec.rank)
		other_uses(b);
	clock_release(t, b->now);
	b->pending--;
	b->bytes += bytes;
	b->expected += bytes;
	if (b->pending == 0 && b->bytes == 0)
		phase_end(b);
}

void mbarrier_deliver(uint32_t rank, const void *p, struct delivery d,
		      void *here)
{
	struct mbarrier *b;

	thread_at(rec.thread, here);
	b = meant(rank, p);
	grow(&b->deliveries, &b->capacity, b->count + 1,
	     sizeof(*b->deliveries));
	b->deliveries[b->count++] = d;
}

/* ---- waiting ---- */

struct waited { struct mbarrier *b; uint32_t parity; };

static bool over(struct thread *t, void *on)
{
	struct waited *w = on;

	(void)t;
	if (w->b->phase % 2 == w->parity)
		phase_try(w->b);
	return w->b->phase % 2 != w->parity;
}

/* Bytes that are under way count as those that came. */
static void never(const struct thread *t, const void *on)
{
	const struct mbarrier *b = ((const struct waited *)on)->b;
	int64_t come = b->expected - b->bytes;

	for (size_t i = 0; i < b->count; i++)
		come += b->deliveries[i].count;
	fault_deed(t, FINDING_BARRIER, "mbarrier", "waits for phase %" PRIu32
		   " of the mbarrier %s, which never ends: %" PRIu32 " of %"
		   PRIu32 " arrivals, %" PRId64 " of %" PRId64 " bytes",
		   b->phase, name_of(b->rank, (const void *)b->at),
		   b->arrivals - b->pending, b->arrivals, come, b->expected);
}

void gemmviz_mbarrier_wait(void *p, uint32_t parity, void *here);
void gemmviz_mbarrier_wait(void *p, uint32_t parity, void *here)
{
	struct thread *t = rec.thread;
	uint32_t words[2] = { 0, 0 };
	struct waited on;
	struct wait w = { over, never, &on };

	if (!t)
		return;
	thread_at(t, here);
	on = (struct waited) { meant(rec.rank, p), parity % 2 };
	words[0] = on.b->phase - (on.b->phase % 2 != on.parity);
	thread_signal(here, p, OP_MBAR_WAIT, words);
	thread_wait(&w);
	clock_acquire(t, on.b->past);
}
