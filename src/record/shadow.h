/*
 * shadow: shadow memory, who accessed an element last, to find races within a
 * barrier interval and reads of shared memory that nothing wrote. The accesses
 * of a block come interval by interval; within one, the order of the threads
 * does not matter.
 */
#ifndef RECORD_SHADOW_H
#define RECORD_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * When and by whom an element was accessed. An epoch is one barrier interval of
 * one block; epochs count up over the whole launch, from 1; 0 is never.
 */
struct shadow_access {
	uint32_t epoch;
	uint32_t who;			/* see shadow_access_who() */
};

/* Atomic accesses have no races with each other; or it in. */
#define SHADOW_ATOMIC (1u << 31)
/*
 * What a thread has begun (a TMA copy, a wgmma) is done meanwhile by an agent
 * of its own. Threads are agents, too; or SHADOW_ASYNC in: the agent of this
 * thread.
 */
#define SHADOW_ASYNC (1u << 10)
#define SHADOW_ACTORS (2 * SHADOW_ASYNC)

/* Agent (11 bits) and access (a number of the recorder's) in one word. */
static inline uint32_t shadow_access_who(uint32_t agent, uint32_t access)
{
	return (access * SHADOW_ACTORS | agent) & ~SHADOW_ATOMIC;
}

/* The epoch of a write that may happen at any time: an asynchronous copy that
 * has not been waited for. */
#define SHADOW_IN_FLIGHT UINT32_MAX

static inline uint32_t shadow_access_agent(const struct shadow_access *t)
{
	return t->who % SHADOW_ACTORS;
}

static inline uint32_t shadow_access_thread(const struct shadow_access *t)
{
	return t->who % SHADOW_ASYNC;
}

static inline uint32_t shadow_access_access(const struct shadow_access *t)
{
	return (t->who & ~SHADOW_ATOMIC) / SHADOW_ACTORS;
}

/*
 * What earlier accesses happened before one of now (the accessor's): a barrier
 * orders them, by the first epoch of this interval; in shared memory the
 * block's own beginning does, by its first epoch; among lanes of the
 * accessor's warp the last __syncwarp() that it came to (epochs count up at
 * each), by the first epoch after it; and what the accessor has acquired of
 * each agent, by the first epoch that it has not: from agents by waiting for
 * them, from threads by waiting for what they arrive at. Agents that copy or
 * multiply are ordered by what is acquired alone. In global memory, which all
 * blocks share, `happened_before` answers for what was done in another block.
 */
struct shadow_order {
	uint32_t interval, block;
	bool global;
	uint32_t warp;		/* 0: no __syncwarp() */
	uint32_t lanes;		/* that came to it */
	const uint32_t *acquired;	/* by agent; NULL: nothing */
	bool (*happened_before)(const void *accessor,
				const struct shadow_access *o);
	const void *accessor;
	/* The access is a part of one atomic operation, and the kernel looks
	 * at what it gives: then the earlier atomics at this place are known
	 * to come before (PTX ISA, memory consistency model: coherence). */
	bool exchange, result_used;
};

/*
 * One element (or 4 bytes of a wider one): its last write, its last read,
 * and another thread's read that may conflict as well.
 */
struct shadow {
	struct shadow_access write, read, other;
};

/*
 * What an atomic write has hidden in the cell: the last write before it that
 * was not atomic, and an atomic of another thread's that nothing orders.
 * Means something only while the cell's write is an atomic one.
 */
struct shadow_history {
	struct shadow_access plain, atomic;
};

/* An array's cells and, behind them, their histories, which cost nothing as
 * long as there are no atomics: memory is to come from mmap(), zeroed. */
static inline size_t shadow_count(uint64_t bytes, uint32_t cell_shift)
{
	return (bytes >> cell_shift) + 1;
}

static inline size_t shadow_bytes(size_t count)
{
	return count *
	       (sizeof(struct shadow) + sizeof(struct shadow_history));
}

static inline struct shadow_history *shadow_history(struct shadow *cells,
						    size_t count, size_t index)
{
	return (struct shadow_history *)(cells + count) + index;
}

/* SHADOW_EARLY: an asynchronous copy may come before or after it. */
enum shadow_found { SHADOW_FINE, SHADOW_RACE, SHADOW_UNWRITTEN, SHADOW_EARLY };

/* Whether nothing in the block orders o, an earlier access, and me. */
static inline bool shadow_access_unordered(const struct shadow_access *o,
					   const struct shadow_access *me,
					   const struct shadow_order *order)
{
	uint32_t other = shadow_access_agent(o), mine = shadow_access_agent(me);

	if (o->who & me->who & SHADOW_ATOMIC)
		return false;
	if (o->epoch < order->block)
		return order->global && o->epoch;
	if (order->acquired && o->epoch < order->acquired[other])
		return false;
	if (other & SHADOW_ASYNC)
		return true;
	if (o->epoch < order->interval)
		return false;
	if (other / 32 == mine / 32 && o->epoch < order->warp &&
	    order->lanes >> other % 32 & 1)
		return false;
	return other != mine;
}

/* Whether nothing does. */
static inline bool shadow_access_conflicts(const struct shadow_access *o,
					   const struct shadow_access *me,
					   const struct shadow_order *order)
{
	return shadow_access_unordered(o, me, order) &&
	       !(order->global &&
		 order->happened_before(order->accessor, o));
}

static inline bool shadow_write_conflicts(const struct shadow *c,
					  const struct shadow_history *h,
					  const struct shadow_access *me,
					  const struct shadow_order *order,
					  struct shadow_access *with)
{
	const struct shadow_access *all[] = { &c->write, &h->plain,
					      &h->atomic };
	int count = c->write.who & SHADOW_ATOMIC ? 3 : 1;

	for (int i = 0; i < count; i++)
		if (shadow_access_conflicts(all[i], me, order)) {
			*with = *all[i];
			return true;
		}
	return false;
}

/* *with: whom a race is with. */
static inline enum shadow_found shadow_read(struct shadow *c,
					    const struct shadow_history *h,
					    const struct shadow_access *me,
					    const struct shadow_order *order,
					    struct shadow_access *with)
{
	enum shadow_found found = SHADOW_FINE;

	*with = c->write;
	if (c->write.epoch == SHADOW_IN_FLIGHT)
		found = SHADOW_EARLY;
	else if (shadow_write_conflicts(c, h, me, order, with))
		found = SHADOW_RACE;
	else if (!order->global && c->write.epoch < order->block)
		found = SHADOW_UNWRITTEN;
	if (order->exchange)	/* the store that follows stands for both */
		return found;
	if (me->who & SHADOW_ASYNC &&
	    shadow_access_agent(&c->read) == shadow_access_agent(me)) {
		c->read = *me;
		return found;
	}
	if (c->read.epoch == me->epoch ||
	    (c->read.epoch >= order->block &&
	     shadow_access_conflicts(&c->read, me, order))) {
		/* Two readers conflict with any writer, and one of another
		 * block does. */
		if (shadow_access_agent(&c->read) != shadow_access_agent(me) &&
		    (shadow_access_agent(&c->other) ==
			     shadow_access_agent(me) ||
		     !shadow_access_conflicts(&c->other, me, order)))
			c->other = *me;
		return found;
	}
	if (c->read.epoch < order->block)
		c->other = c->read;
	c->read = *me;
	return found;
}

static inline void shadow_history_keep(struct shadow_history *h,
				       const struct shadow *c,
				       const struct shadow_access *me,
				       const struct shadow_order *order)
{
	if (!(c->write.who & SHADOW_ATOMIC))
		*h = (struct shadow_history){ .plain = c->write };
	else if (order->result_used)
		h->atomic = (struct shadow_access){ 0 };
	else if (shadow_access_agent(&c->write) != shadow_access_agent(me) ||
		 c->write.epoch < order->block)
		h->atomic = c->write;
}

static inline enum shadow_found shadow_write(struct shadow *c,
					     struct shadow_history *h,
					     const struct shadow_access *me,
					     const struct shadow_order *order,
					     struct shadow_access *with)
{
	const struct shadow_access *reads[] = { &c->read, &c->other };
	enum shadow_found found = SHADOW_FINE;

	if (c->write.epoch == SHADOW_IN_FLIGHT) {
		*with = c->write;
		found = SHADOW_EARLY;
	} else if (shadow_write_conflicts(c, h, me, order, with)) {
		found = SHADOW_RACE;
	}
	for (int i = 0; i < 2 && found == SHADOW_FINE; i++) {
		if (!shadow_access_conflicts(reads[i], me, order))
			continue;
		*with = *reads[i];
		found = SHADOW_RACE;
	}
	if (me->who & SHADOW_ATOMIC)
		shadow_history_keep(h, c, me, order);
	c->write = *me;
	return found;
}

#endif
