/*
 * clock: who has heard of what. See clock.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/mbarrier.h"

uint32_t *clock_new(void)
{
	return xcalloc((size_t)rec.cluster * TOUCH_AGENTS, sizeof(uint32_t));
}

void clock_clear(uint32_t *c)
{
	memset(c, 0, (size_t)rec.cluster * TOUCH_AGENTS * sizeof(*c));
}

static void part_join(uint32_t *to, const uint32_t *from)
{
	for (uint32_t i = 0; i < rec.thread_count; i++)
		to[i] = MAX(to[i], from[i]);
}

void clock_join(uint32_t *to, const uint32_t *from)
{
	for (uint32_t r = 0; r < rec.cluster; r++) {
		uint32_t at = r * TOUCH_AGENTS;

		part_join(to + at, from + at);
		part_join(to + at + TOUCH_ASYNC, from + at + TOUCH_ASYNC);
	}
}

/* A barrier of the block has told of all its threads, and one of the warp of
 * those that came to it. */
static void barriers_join(const struct thread *t, uint32_t *mine)
{
	uint32_t first = t->number / WARP_LANES * WARP_LANES;

	for (uint32_t i = 0; i < rec.thread_count; i++)
		mine[i] = MAX(mine[i], rec.interval);
	for (uint32_t left = t->warp_epoch ? t->warp_lanes : 0; left;
	     left &= left - 1) {
		uint32_t i = first + (uint32_t)__builtin_ctz(left);

		mine[i] = MAX(mine[i], t->warp_epoch);
	}
}

void clock_release(const struct thread *t, uint32_t *to)
{
	uint32_t *mine = clock_part(to, rec.rank);

	if (t->heard)
		clock_join(to, t->heard);
	barriers_join(t, mine);
	mine[t->number] = ++rec.epoch;
}

void clock_acquire(struct thread *t, const uint32_t *from)
{
	if (!t->heard)
		t->heard = clock_new();
	clock_join(t->heard, from);
}

void clock_meet(struct thread *const *threads, size_t count)
{
	uint32_t *all = clock_new();

	for (size_t i = 0; i < count; i++)
		clock_release(threads[i], all);
	for (size_t i = 0; i < count; i++)
		clock_acquire(threads[i], all);
	free(all);
}

void clock_hear(struct thread *t, uint32_t rank, uint32_t agent,
		uint32_t epoch)
{
	uint32_t *part;

	if (!t->heard)
		t->heard = clock_new();
	part = clock_part(t->heard, rank);
	part[agent] = MAX(part[agent], epoch + 1);
}

static struct heard *all_of(uint32_t rank)
{
	return &rec.blocks[rank].heard;
}

void clock_fence(struct thread *t)
{
	uint32_t *mine = clock_new();

	clock_release(t, mine);
	mbarriers_show(mine);
	order_fence(&t->afar, all_of(rec.rank), rec.block_number / rec.cluster,
		    mine, rec.cluster * TOUCH_AGENTS);
	free(mine);
}

void clock_atomic(struct thread *t, uintptr_t address, bool reads,
		  bool writes)
{
	rec.signals = true;
	if (reads)
		order_read(&rec.board, address, &t->afar);
	if (writes)
		order_write(&rec.board, address, &t->afar, all_of(rec.rank),
			    reads);
}

bool clock_knows(const void *thread, const struct touch *o)
{
	const struct thread *t = thread;
	const struct heard *all = all_of(rec.rank);
	uint32_t block, agent;

	if (!t->afar.known && !all->known && !(t->heard && rec.cluster > 1))
		return false;
	block = fault_epoch_block(o->epoch);
	agent = block % rec.cluster * TOUCH_AGENTS + touch_agent(o);
	if (block != rec.block_number && t->heard &&
	    o->epoch >= rec.blocks[0].epoch && o->epoch < t->heard[agent])
		return true;
	return order_knows(&t->afar, all, block / rec.cluster, agent,
			   o->epoch);
}
