/*
 * vector_clock: releases and acquires. See vector_clock.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/unit.h"

uint32_t *vector_clock_new(void)
{
	return xcalloc((size_t)rec.cluster * SHADOW_ACTORS, sizeof(uint32_t));
}

void vector_clock_clear(uint32_t *c)
{
	memset(c, 0, (size_t)rec.cluster * SHADOW_ACTORS * sizeof(*c));
}

/* Actors are gone through in steps of a known length, which the compiler makes
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

void vector_clock_join(uint32_t *to, const uint32_t *from)
{
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t at = r * SHADOW_ACTORS;

		part_join(to + at, from + at);
		part_join(to + at + SHADOW_ASYNC, from + at + SHADOW_ASYNC);
	}
}

void vector_clock_meet(uint32_t *to, const uint32_t *from)
{
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t at = r * SHADOW_ACTORS;

		part_meet(to + at, from + at);
		part_meet(to + at + SHADOW_ASYNC, from + at + SHADOW_ASYNC);
	}
}

static bool clock_same(const uint32_t *a, const uint32_t *b)
{
	size_t bytes = rec.thread_count * sizeof(*a);

	for (uint32_t i = 0; i < rec.cluster * SHADOW_ACTORS; i += SHADOW_ASYNC)
		if (memcmp(a + i, b + i, bytes))
			return false;
	return true;
}

/* The last barrier of the block came after all its threads' accesses before
 * it. */
static void barrier_join(uint32_t *mine)
{
	uint32_t interval = rec.interval;

	for (uint32_t i = 0; i < rec.thread_count; i++)
		mine[i] = MAX(mine[i], interval);
}

/* The last barrier of the warp came after those of the lanes that came to
 * it. */
static void warp_barrier_join(const struct thread *t, uint32_t *mine)
{
	uint32_t first = t->number / WARP_LANES * WARP_LANES;

	for (uint32_t left = t->warp_epoch ? t->warp_lanes : 0; left;
	     left &= left - 1) {
		uint32_t i = first + (uint32_t)__builtin_ctz(left);

		mine[i] = MAX(mine[i], t->warp_epoch);
	}
}

/* Threads that have waited for the same have the same clock. */
void vector_clock_release_all(struct thread *const *threads, size_t count,
			      uint32_t *to)
{
	uint32_t *mine = vector_clock_part(to, rec.rank);
	const uint32_t *joined = NULL;

	barrier_join(mine);
	for (size_t i = 0; i < count; i++) {
		const struct thread *t = threads[i];

		if (t->clock && !(joined && clock_same(joined, t->clock))) {
			vector_clock_join(to, t->clock);
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

void vector_clock_acquire(struct thread *t, const uint32_t *from)
{
	if (!t->clock)
		t->clock = vector_clock_new();
	vector_clock_join(t->clock, from);
}

void vector_clock_join_all(struct thread *const *threads, size_t count)
{
	uint32_t *all = vector_clock_new();

	vector_clock_release_all(threads, count, all);
	for (size_t i = 0; i < count; i++)
		vector_clock_acquire(threads[i], all);
	free(all);
}

void vector_clock_acquire_actor(struct thread *t, uint32_t rank, uint32_t actor,
			uint32_t epoch)
{
	uint32_t *part;

	if (!t->clock)
		t->clock = vector_clock_new();
	part = vector_clock_part(t->clock, rank);
	part[actor] = MAX(part[actor], epoch + 1);
}

static struct acquired *all_of(uint32_t rank)
{
	return &rec.blocks[rank].acquired;
}

void vector_clock_fence(struct thread *t)
{
	uint32_t *mine = vector_clock_new();

	vector_clock_release(t, mine);
	units_publish(mine);
	scope_order_fence(&t->remote, all_of(rec.rank),
			  rec.block_number / rec.cluster, mine,
			  rec.cluster * SHADOW_ACTORS);
	free(mine);
}

void vector_clock_atomic(struct thread *t, uintptr_t address, bool reads,
			 bool writes)
{
	rec.signals = true;
	if (reads)
		scope_order_read(&rec.sync_variables, address, &t->remote);
	if (writes)
		scope_order_write(&rec.sync_variables, address, &t->remote,
				  all_of(rec.rank), reads);
}

bool vector_clock_happened_before(const void *thread,
				  const struct shadow_access *o)
{
	const struct thread *t = thread;
	const struct acquired *all = all_of(rec.rank);
	uint32_t block, actor;

	if (!t->remote.known && !all->known && !(t->clock && rec.cluster > 1))
		return false;
	block = emu_finding_epoch_block(o->epoch);
	actor = block % rec.cluster * SHADOW_ACTORS + shadow_access_agent(o);
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
	rec.signals = false;
}

static void block_begin(struct block *b)
{
	acquired_done(&b->acquired);
}

static void thread_drop(struct thread *t)
{
	free(t->clock);
	t->clock = NULL;
	acquired_done(&t->remote);
}

/* At the barrier, each thread acquires what the others have acquired. */
static void interval_end(void)
{
	uint32_t *all = NULL;

	for (uint32_t i = 0; i < rec.thread_count; i++) {
		const struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_BARRIER || !t->clock)
			continue;
		all = all ? all : vector_clock_new();
		vector_clock_join(all, t->clock);
	}
	for (uint32_t i = 0; i < rec.thread_count; i++) {
		struct thread *t = &rec.threads[i];

		if (t->state != THREAD_AT_BARRIER)
			continue;
		if (all)
			vector_clock_acquire(t, all);
		scope_order_barrier(all_of(rec.rank), &t->remote);
	}
	free(all);
}

const struct emu_unit vector_clock_unit = {
	.launch_begin = launch_begin,
	.block_begin = block_begin,
	.thread_begin = thread_drop,
	.thread_free = thread_drop,
	.interval_end = interval_end,
};
