/*
 * cell: who touched an element last, to find races within a barrier interval
 * and reads of shared memory that nothing wrote. The accesses of a block come
 * interval by interval; within one, the order of the threads does not matter.
 */
#ifndef RECORD_CELL_H
#define RECORD_CELL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * When and by whom a cell was touched. An epoch is one barrier interval of
 * one block; epochs count up over the whole launch, from 1; 0 is never.
 */
struct touch {
	uint32_t epoch;
	uint32_t who;			/* see touch_who() */
};

/* Atomic accesses have no races with each other; or it in. */
#define TOUCH_ATOMIC (1u << 31)
/*
 * What a thread has begun (a TMA copy, a wgmma) is done meanwhile by an agent
 * of its own. Threads are agents, too; or TOUCH_ASYNC in: the agent of this
 * thread.
 */
#define TOUCH_ASYNC (1u << 10)
#define TOUCH_AGENTS (2 * TOUCH_ASYNC)

/* Agent (11 bits) and access (a number of the recorder's) in one word. */
static inline uint32_t touch_who(uint32_t agent, uint32_t access)
{
	return (access * TOUCH_AGENTS | agent) & ~TOUCH_ATOMIC;
}

/* The epoch of a write that may happen at any time: an asynchronous copy that
 * has not been waited for. */
#define TOUCH_IN_FLIGHT UINT32_MAX

static inline uint32_t touch_agent(const struct touch *t)
{
	return t->who % TOUCH_AGENTS;
}

static inline uint32_t touch_thread(const struct touch *t)
{
	return t->who % TOUCH_ASYNC;
}

static inline uint32_t touch_access(const struct touch *t)
{
	return (t->who & ~TOUCH_ATOMIC) / TOUCH_AGENTS;
}

/*
 * What puts earlier touches before one of now: a barrier, by the first epoch
 * of this interval; in shared memory the block's own beginning, by its first
 * epoch; among lanes of the toucher's warp, the last __syncwarp() that it
 * came to (epochs count up at each), by the first epoch after it; and what
 * the toucher has heard of each agent, by the first epoch of which it has
 * not: from agents by waiting for them, from threads by waiting for what they
 * arrive at. Agents that copy or multiply are ordered by what is heard alone.
 * In global memory, which all blocks share, `knows` says whether who touches
 * has heard of what was done in another one.
 */
struct cell_order {
	uint32_t interval, block;
	bool global;
	uint32_t warp;		/* 0: no __syncwarp() */
	uint32_t lanes;		/* that came to it */
	const uint32_t *heard;		/* by agent; NULL: nothing */
	bool (*knows)(const void *toucher, const struct touch *o);
	const void *toucher;
};

/*
 * One element (or 4 bytes of a wider one): its last write, its last read,
 * and another thread's read that may conflict as well.
 */
struct cell {
	struct touch write, read, other;
};

/* CELL_EARLY: an asynchronous copy may come before or after it. */
enum cell_found { CELL_FINE, CELL_RACE, CELL_UNWRITTEN, CELL_EARLY };

/* Whether nothing in the block orders o, an earlier touch, and me. */
static inline bool touch_unordered(const struct touch *o,
				   const struct touch *me,
				   const struct cell_order *order)
{
	uint32_t other = touch_agent(o), mine = touch_agent(me);

	if (o->who & me->who & TOUCH_ATOMIC)
		return false;
	if (o->epoch < order->block)
		return order->global && o->epoch;
	if (order->heard && o->epoch < order->heard[other])
		return false;
	if (other & TOUCH_ASYNC)
		return true;
	if (o->epoch < order->interval)
		return false;
	if (other / 32 == mine / 32 && o->epoch < order->warp &&
	    order->lanes >> other % 32 & 1)
		return false;
	return other != mine;
}

/* Whether nothing does. */
static inline bool touch_conflicts(const struct touch *o,
				   const struct touch *me,
				   const struct cell_order *order)
{
	return touch_unordered(o, me, order) &&
	       !(order->global && order->knows(order->toucher, o));
}

/* *with: whom a race is with. */
static inline enum cell_found cell_read(struct cell *c,
					const struct touch *me,
					const struct cell_order *order,
					struct touch *with)
{
	enum cell_found found = CELL_FINE;

	*with = c->write;
	if (c->write.epoch == TOUCH_IN_FLIGHT)
		found = CELL_EARLY;
	else if (touch_conflicts(&c->write, me, order))
		found = CELL_RACE;
	else if (!order->global && c->write.epoch < order->block)
		found = CELL_UNWRITTEN;
	if (me->who & TOUCH_ASYNC && touch_agent(&c->read) == touch_agent(me)) {
		c->read = *me;
		return found;
	}
	if (c->read.epoch == me->epoch ||
	    (c->read.epoch >= order->block &&
	     touch_conflicts(&c->read, me, order))) {
		/* Two readers conflict with any writer, and one of another
		 * block does. */
		if (touch_agent(&c->read) != touch_agent(me) &&
		    (touch_agent(&c->other) == touch_agent(me) ||
		     !touch_conflicts(&c->other, me, order)))
			c->other = *me;
		return found;
	}
	if (c->read.epoch < order->block)
		c->other = c->read;
	c->read = *me;
	return found;
}

static inline enum cell_found cell_write(struct cell *c,
					 const struct touch *me,
					 const struct cell_order *order,
					 struct touch *with)
{
	const struct touch *all[] = { &c->write, &c->read, &c->other };
	enum cell_found found = CELL_FINE;

	if (c->write.epoch == TOUCH_IN_FLIGHT) {
		*with = c->write;
		found = CELL_EARLY;
	}
	for (int i = 0; i < 3 && found == CELL_FINE; i++) {
		if (!touch_conflicts(all[i], me, order))
			continue;
		*with = *all[i];
		found = CELL_RACE;
	}
	c->write = *me;
	return found;
}

#endif
