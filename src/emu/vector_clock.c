/*
 * vector_clock: releases and acquires. See vector_clock.h.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/parallel_record.h"
#include "emu/vector_clock.h"
#include "emu/unit.h"

/* Counts all changes of clocks that are no thread's. */
static uint64_t changes;

static size_t clock_bytes(void)
{
	return (size_t)rec.cluster * SHADOW_ACTORS * sizeof(uint32_t);
}

uint32_t *vector_clock_new(void)
{
	changes++;
	return xcalloc(1, clock_bytes());
}

void vector_clock_clear(uint32_t *c)
{
	changes++;
	memset(c, 0, clock_bytes());
}

/* Loops over actors go in steps of a known length, which the compiler makes
 * vectors of; those past the last thread are nobody. */
#define STEP 8

static void part_join(uint32_t *restrict to, const uint32_t *restrict from)
{
	uint32_t count = rec.thread_count;

	for (uint32_t i = 0; i < count; i += STEP)
		for (uint32_t j = 0; j < STEP; j++)
			to[i + j] = MAX(to[i + j], from[i + j]);
}

static void part_meet(uint32_t *restrict to, const uint32_t *restrict from)
{
	uint32_t count = rec.thread_count;

	for (uint32_t i = 0; i < count; i += STEP)
		for (uint32_t j = 0; j < STEP; j++)
			to[i + j] = MIN(to[i + j], from[i + j]);
}

static void join_parts(uint32_t *to, const uint32_t *from)
{
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t at = r * SHADOW_ACTORS;

		part_join(to + at, from + at);
		part_join(to + at + SHADOW_ASYNC, from + at + SHADOW_ASYNC);
	}
}

void vector_clock_join(uint32_t *to, const uint32_t *from)
{
	changes++;
	join_parts(to, from);
}

uint32_t *vector_clock_of_block(uint32_t rank)
{
	uint32_t *all = vector_clock_new();

	for (uint32_t i = 0; i < rec.thread_count; i++)
		if (rec.blocks[rank].threads[i].clock)
			vector_clock_join(all,
					  rec.blocks[rank].threads[i].clock);
	return all;
}

void vector_clock_meet(uint32_t *to, const uint32_t *from)
{
	changes++;
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t at = r * SHADOW_ACTORS;

		part_meet(to + at, from + at);
		part_meet(to + at + SHADOW_ASYNC, from + at + SHADOW_ASYNC);
	}
}

/* Joins the block's last barrier, which came after all its threads' accesses
 * before it. */
static void barrier_join(uint32_t *mine)
{
	uint32_t interval = rec.interval, count = rec.thread_count;

	for (uint32_t i = 0; i < count; i += STEP)
		for (uint32_t j = 0; j < STEP; j++)
			mine[i + j] = MAX(mine[i + j], interval);
}

/* Joins the warp's last barrier, which came after the accesses of the lanes
 * that came to it. */
static void warp_barrier_join(const struct thread *t, uint32_t *mine)
{
	uint32_t first = t->number / WARP_LANES * WARP_LANES;

	for (uint32_t left = t->warp_epoch ? t->warp_lanes : 0; left;
	     left &= left - 1) {
		uint32_t i = first + (uint32_t)__builtin_ctz(left);

		mine[i] = MAX(mine[i], t->warp_epoch);
	}
}

void vector_clock_release_all(struct thread *const *threads, size_t count,
			      uint32_t *to)
{
	uint32_t *mine = vector_clock_part(to, rec.rank);
	const uint32_t *joined = NULL;

	changes++;
	barrier_join(mine);
	for (size_t i = 0; i < count; i++) {
		const struct thread *t = threads[i];

		if (t->clock && t->clock != joined) {
			join_parts(to, t->clock);
			joined = t->clock;
		}
		warp_barrier_join(t, mine);
		mine[t->number] = ++rec.epoch;
	}
}

void vector_clock_release(struct thread *t, uint32_t *to)
{
	vector_clock_release_all(&t, 1, to);
}

void vector_clock_acquired_actor(uint32_t *c, uint32_t rank, uint32_t actor,
				 uint32_t epoch)
{
	uint32_t *part = vector_clock_part(c, rank);

	changes++;
	part[actor] = MAX(part[actor], epoch + 1);
}

/* ---- threads' clocks ---- */

/*
 * A thread's clock never changes: what it acquires makes it another one. Threads
 * acquire the same one after the other, those of a warpgroup 128 times, so that
 * most have one clock in common.
 */
struct shared {
	uint32_t users;
	uint32_t clock[];
};

/*
 * What some threads' clock became when they acquired something: a clock, as it
 * was after so many changes, or, where that is NULL, an epoch of an actor. The
 * last ones are kept, in a ring. Threads do the same one after the other, so
 * that the next one is likely the one after that which was needed last.
 */
static struct {
	struct acquisition {
		uint32_t *before, *after;
		const uint32_t *from;
		uint64_t what;
	} ring[64];
	size_t added, next;
} acquisitions;

static struct shared *shared_of(uint32_t *clock)
{
	return (struct shared *)((char *)clock -
				 offsetof(struct shared, clock));
}

static uint32_t *clock_use(uint32_t *clock)
{
	if (clock)
		shared_of(clock)->users++;
	return clock;
}

static void release_clock(uint32_t *clock)
{
	if (clock && --shared_of(clock)->users == 0)
		free(shared_of(clock));
}

/* Makes a copy of the clock, or one of zeros; it has no user yet. */
static uint32_t *clock_copy(const uint32_t *of)
{
	struct shared *s = xcalloc(1, sizeof(*s) + clock_bytes());

	if (of)
		memcpy(s->clock, of, clock_bytes());
	return s->clock;
}

static void clock_set(struct thread *t, uint32_t *clock)
{
	clock_use(clock);
	release_clock(t->clock);
	t->clock = clock;
}

/* Finds what t's clock becomes; NULL: not known. */
static uint32_t *acquisition_find(const struct thread *t, const uint32_t *from,
				  uint64_t what)
{
	for (size_t i = 0; i < LENGTH(acquisitions.ring); i++) {
		const struct acquisition *a =
			&acquisitions.ring[acquisitions.next++ %
					   LENGTH(acquisitions.ring)];

		if (a->what == what && a->before == t->clock &&
		    a->from == from && a->after)
			return a->after;
	}
	return NULL;
}

static void acquisition_add(const struct thread *t, const uint32_t *from,
			    uint64_t what, uint32_t *after)
{
	struct acquisition *a =
		&acquisitions.ring[acquisitions.added++ %
				   LENGTH(acquisitions.ring)];

	release_clock(a->before);
	release_clock(a->after);
	*a = (struct acquisition){ clock_use(t->clock), clock_use(after), from,
				   what };
	acquisitions.next = acquisitions.added;
}

static void acquisitions_forget(void)
{
	for (size_t i = 0; i < LENGTH(acquisitions.ring); i++) {
		release_clock(acquisitions.ring[i].before);
		release_clock(acquisitions.ring[i].after);
	}
	memset(&acquisitions, 0, sizeof(acquisitions));
}

void vector_clock_acquire(struct thread *t, const uint32_t *from)
{
	uint32_t *after = acquisition_find(t, from, changes);

	if (!after) {
		after = clock_copy(t->clock);
		join_parts(after, from);
		acquisition_add(t, from, changes, after);
	}
	clock_set(t, after);
}

void vector_clock_join_all(struct thread *const *threads, size_t count)
{
	uint32_t *all = clock_copy(NULL);

	vector_clock_release_all(threads, count, all);
	for (size_t i = 0; i < count; i++)
		clock_set(threads[i], all);
}

void vector_clock_acquire_actor(struct thread *t, uint32_t rank, uint32_t actor,
				uint32_t epoch)
{
	uint64_t what = (uint64_t)epoch << 32 | (rank * SHADOW_ACTORS + actor);
	uint32_t *after = acquisition_find(t, NULL, what);

	if (!after) {
		uint32_t *part;

		after = clock_copy(t->clock);
		part = vector_clock_part(after, rank);
		part[actor] = MAX(part[actor], epoch + 1);
		acquisition_add(t, NULL, what, after);
	}
	clock_set(t, after);
}

static struct acquired *all_of(uint32_t rank)
{
	return &rec.blocks[rank].acquired;
}

/* What barriers of the block have ordered is known without this. */
static const struct acquired nothing;

/* Makes the clock of all that t has done, for a release; to be freed. */
static uint32_t *clock_released(struct thread *t, bool near)
{
	uint32_t *mine = vector_clock_new();

	vector_clock_release(t, mine);
	rec.near_fences = true;
	if (!near) {
		rec.tells = true;
		units_publish(mine);
	}
	return mine;
}

static uint32_t cluster_number(void)
{
	return rec.block_number / rec.cluster;
}

void vector_clock_fence(struct thread *t, struct atomic_order how)
{
	uint32_t agents = rec.cluster * SHADOW_ACTORS, *mine;

	if (how.acquires)
		scope_order_acquire(&t->near);
	if (how.acquires && !how.near)
		scope_order_acquire(&t->remote);
	if (!how.releases)
		return;
	mine = clock_released(t, how.near);
	scope_order_fence(&t->near, &nothing, cluster_number(), mine, agents);
	if (!how.near)
		scope_order_fence(&t->remote, all_of(rec.rank),
				  cluster_number(), mine, agents);
	free(mine);
}

/* Orders an atomic at a sync variable. `clock`: what a release releases; else
 * NULL. */
static void order_atomic(struct sync_variables *at, uintptr_t address,
			 struct acquired *t, const struct acquired *block,
			 struct atomic_order how, const uint32_t *clock)
{
	if (how.reads && how.acquires)
		scope_order_read(at, address, t);
	else if (how.reads)
		scope_order_see(at, address, t);
	if (how.writes && clock)
		scope_order_release(at, address, t, block, cluster_number(),
				    clock, rec.cluster * SHADOW_ACTORS,
				    how.reads);
	else if (how.writes)
		scope_order_write(at, address, t, block, how.reads);
}

void vector_clock_atomic(struct thread *t, uintptr_t address, bool global,
			 struct atomic_order how)
{
	uint32_t *clock = how.writes && how.releases ?
				  clock_released(t, how.near) : NULL;

	if (rec.near_fences)
		order_atomic(&rec.near_variables, address, &t->near, &nothing,
			     how, clock);
	if (global) {
		rec.signals = true;
		parallel_in_order();
	}
	/* What is for the block alone orders nothing for others. */
	if (global && how.near && how.writes)
		scope_order_write(&rec.sync_variables, address, &nothing,
				  &nothing, how.reads);
	else if (global && !how.near)
		order_atomic(&rec.sync_variables, address, &t->remote,
			     all_of(rec.rank), how, clock);
	free(clock);
}

/* Returns whether an access that the thread's own block made before others had
 * their turns came before, as if they had had none. */
static bool own_before(const struct thread *t, const struct shadow_access *o)
{
	struct shadow_access me = { rec.epoch, t->number };
	struct shadow_order order = {
		.interval = rec.interval, .block = rec.block_epoch,
		.warp = t->warp_epoch, .lanes = t->warp_lanes,
		.acquired = vector_clock_part(t->clock, rec.rank),
	};

	return o->epoch >= rec.block_epoch &&
	       emu_finding_epoch_block(o->epoch) == rec.block_number &&
	       !shadow_access_unordered(o, &me, &order);
}

bool vector_clock_happened_before(const void *thread,
				  const struct shadow_access *o)
{
	const struct thread *t = thread;
	const struct acquired *all = all_of(rec.rank);
	uint32_t block, actor;

	if (o->epoch < rec.grid_epoch)
		return true;
	if (rec.turn > rec.block_epoch && own_before(t, o))
		return true;
	if (!t->remote.known && !t->near.known && !all->known &&
	    !(t->clock && rec.cluster > 1))
		return false;
	block = emu_finding_epoch_block(o->epoch);
	actor = block % rec.cluster * SHADOW_ACTORS + shadow_access_agent(o);
	if (block == rec.block_number &&
	    scope_order_happened_before(&t->near, &nothing,
					block / rec.cluster, actor, o->epoch))
		return true;
	if (block != rec.block_number && t->clock &&
	    o->epoch >= rec.blocks[0].epoch && o->epoch < t->clock[actor])
		return true;
	return scope_order_happened_before(&t->remote, all, block / rec.cluster,
					   actor, o->epoch);
}

/* ---- the unit ---- */

static void launch_begin(void)
{
	sync_variables_done(&rec.sync_variables);
	sync_variables_done(&rec.near_variables);
	rec.signals = rec.tells = rec.near_fences = false;
}

/* Drops what is kept of clocks: the next cluster may have another size. */
static void cluster_begin(void)
{
	acquisitions_forget();
	sync_variables_done(&rec.near_variables);
}

static void block_begin(struct block *b)
{
	acquired_done(&b->acquired);
}

static void thread_drop(struct thread *t)
{
	clock_set(t, NULL);
	acquired_done(&t->remote);
	acquired_done(&t->near);
}

/* Lets each thread acquire at the barrier what the others have acquired. */
static void interval_end(void)
{
	uint32_t *all = NULL;
	const uint32_t *joined = NULL;

	for (uint32_t i = 0; i < rec.thread_count; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_BARRIER || !t->clock)
			continue;
		all = all ? all : vector_clock_new();
		if (t->clock != joined)
			vector_clock_join(all, t->clock);
		joined = t->clock;
	}
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_BARRIER)
			continue;
		if (all)
			vector_clock_acquire(t, all);
		scope_order_barrier(all_of(rec.rank), &t->remote);
		acquired_done(&t->near);
	}
	free(all);
}

/* Keeps what the block's own fences and atomics order. */
static void *block_suspend(void)
{
	struct sync_variables *kept = xmalloc(sizeof(*kept));

	*kept = rec.near_variables;
	rec.near_variables = (struct sync_variables){ .capacity = 0 };
	return kept;
}

static void block_resume(void *kept)
{
	sync_variables_done(&rec.near_variables);
	rec.near_variables = *(struct sync_variables *)kept;
	free(kept);
}

const struct emu_unit vector_clock_unit = {
	.block_suspend = block_suspend,
	.block_resume = block_resume,
	.launch_begin = launch_begin,
	.cluster_begin = cluster_begin,
	.block_begin = block_begin,
	.thread_begin = thread_drop,
	.thread_free = thread_drop,
	.interval_end = interval_end,
};
