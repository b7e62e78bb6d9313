/*
 * shadow: shadow memory, which stores the thread that last accessed each
 * element. It finds data races within a barrier interval, and reads of shared
 * memory that was never written. A block's accesses are checked interval by
 * interval; within an interval, the order of the threads does not matter.
 */
#ifndef RECORD_SHADOW_H
#define RECORD_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When and by whom an element was accessed. An epoch is one barrier interval of
 * one block; epochs count up over the whole launch, from 1; 0 means never. */
struct shadow_access {
	uint32_t epoch;
	uint32_t who;			/* see shadow_access_who() */
};

/* Or'ed into `who` for an atomic access: atomic accesses do not race with each
 * other. */
#define SHADOW_ATOMIC (1u << 31)
/*
 * Asynchronous operations that a thread has started (a TMA copy, a wgmma) are
 * performed by an agent of their own, the thread's async proxy. Threads are
 * agents, too; SHADOW_ASYNC or'ed into a thread's number gives the thread's
 * async proxy.
 */
#define SHADOW_ASYNC (1u << 10)
#define SHADOW_ACTORS (2 * SHADOW_ASYNC)

/* Packs an agent (11 bits) and an access (the recorder's number for it). */
static inline uint32_t shadow_access_who(uint32_t agent, uint32_t access)
{
	return (access * SHADOW_ACTORS | agent) & ~SHADOW_ATOMIC;
}

/* The epoch of a write that may happen at any time: of an asynchronous copy
 * that has not been waited for. */
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
 * Decides which earlier accesses happened before the current one, by the
 * current accessor's view:
 *
 * - a barrier orders all accesses of epochs before `interval`, the first epoch
 *   of the current barrier interval;
 * - in shared memory, the block's start orders all of epochs before `block`,
 *   its first epoch;
 * - among the lanes of the accessor's warp, its last __syncwarp() (epochs count
 *   up at each) orders those of epochs before `warp`, the first epoch after it;
 * - `acquired` has, for each agent, the first epoch that the accessor has not
 *   acquired: from an async proxy by waiting for it, from a thread by waiting
 *   for what that thread arrives at. Async proxies are ordered by `acquired`
 *   alone.
 *
 * In global memory, which all blocks share, `happened_before` decides for
 * accesses of other blocks, and for those of the block that only fences and
 * atomics order. In shared memory it does if `fenced` is set.
 */
struct shadow_order {
	uint32_t interval, block;
	bool global, fenced;
	uint32_t warp;		/* 0: no __syncwarp() */
	uint32_t lanes;		/* lanes that took part in that __syncwarp() */
	const uint32_t *acquired;	/* by agent; NULL: nothing acquired */
	bool (*happened_before)(const void *accessor,
				const struct shadow_access *o);
	const void *accessor;
	/* The access is part of one atomic operation; if the kernel uses its
	 * result, earlier atomics on the same location are known to happen
	 * before it (PTX ISA, memory consistency model: coherence). */
	bool exchange, result_used;
	/* Not NULL where threads are checked in another order than they ran
	 * in, as those of a GPU are: which of a block's atomics came first is
	 * not known. By access: whether the kernel uses an atomic's result. */
	const bool *results_used;
};

/* The shadow of one element (or of 4 bytes of a wider one): its last write, its
 * last read, and a read by another thread that may conflict as well. Of the epoch
 * `quiet` are both reads, and no write: what other threads read then needs no
 * look. */
struct shadow {
	struct shadow_access write, read, other;
	uint32_t quiet;
};

/* What an atomic write has replaced in the shadow: the last non-atomic write
 * before it, and an atomic write of another thread that nothing orders. While
 * the shadow's write is not atomic, `atomic` is an atomic of the same thread
 * before it, kept where threads are checked in any order. */
struct shadow_history {
	struct shadow_access plain, atomic;
};

/* Returns the cells of an array's shadow. It consists of its `struct shadow`
 * cells and, after them, their histories, which take no memory as long as there
 * are no atomics: the memory must come from mmap(), zeroed. */
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

/* The result of a check. SHADOW_EARLY: the access may come before or after an
 * asynchronous copy. */
enum shadow_found { SHADOW_FINE, SHADOW_RACE, SHADOW_UNWRITTEN, SHADOW_EARLY };

/* Tests whether nothing in the block orders the earlier access o before
 * `me`. */
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

/* Tests whether nothing orders o before `me`, in the block or between
 * blocks. */
static inline bool shadow_access_conflicts(const struct shadow_access *o,
					   const struct shadow_access *me,
					   const struct shadow_order *order)
{
	return shadow_access_unordered(o, me, order) &&
	       !((order->global || order->fenced) &&
		 order->happened_before(order->accessor, o));
}

/*
 * Collects the plain reads of an atomicCAS() loop. Such a loop begins with a
 * plain read, as the CUDA guide writes it: whatever value that read returns,
 * the atomicCAS() fails if it has changed. For the element that the thread of
 * `me` now compares, stores the numbers of its own plain reads in its block in
 * access[], and returns how many there are (0 to 2).
 */
static inline size_t shadow_expectations(const struct shadow *c,
					 const struct shadow_access *me,
					 uint32_t block, uint32_t access[2])
{
	const struct shadow_access *reads[] = { &c->read, &c->other };
	size_t n = 0;

	for (size_t i = 0; i < 2; i++)
		if (reads[i]->epoch >= block &&
		    !(reads[i]->who & SHADOW_ATOMIC) &&
		    shadow_access_agent(reads[i]) == shadow_access_agent(me))
			access[n++] = shadow_access_access(reads[i]);
	return n;
}

/* Tests whether two accesses do not race because one is the plain read of an
 * atomicCAS() loop and the other is atomic. */
static inline bool shadow_expected(const struct shadow_access *me,
				   bool me_expects,
				   const struct shadow_access *with,
				   bool with_expects)
{
	return me_expects ? with->who & SHADOW_ATOMIC :
			    with_expects && me->who & SHADOW_ATOMIC;
}

/* Tests whether the read is of the same block as the access, an atomic whose
 * thread knew its place among the others, while the recorder does not. */
static inline bool shadow_place_unknown(const struct shadow_access *read,
					const struct shadow_order *order)
{
	return order->results_used && order->exchange && order->result_used &&
	       read->epoch >= order->block;
}

/* Tests whether the access is an atomic that may have come before the cell's
 * plain write: that write is of the same block, and follows an atomic of its
 * own thread whose result told which others came before. */
static inline bool shadow_may_precede(const struct shadow *c,
				      const struct shadow_history *h,
				      const struct shadow_order *order)
{
	return order->results_used && order->exchange &&
	       !(c->write.who & SHADOW_ATOMIC) &&
	       c->write.epoch >= order->block && h->atomic.epoch;
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

	if (shadow_may_precede(c, h, order))
		return false;
	for (int i = 0; i < count; i++)
		if (shadow_access_conflicts(all[i], me, order)) {
			*with = *all[i];
			return true;
		}
	return false;
}

/* Checks and notes a read; *with: the access that a race is with. */
static inline enum shadow_found shadow_read(struct shadow *c,
					    const struct shadow_history *h,
					    const struct shadow_access *me,
					    const struct shadow_order *order,
					    struct shadow_access *with)
{
	enum shadow_found found = SHADOW_FINE;

	c->quiet = 0;
	*with = c->write;
	if (c->write.epoch == SHADOW_IN_FLIGHT)
		found = SHADOW_EARLY;
	else if (shadow_write_conflicts(c, h, me, order, with))
		found = SHADOW_RACE;
	else if (!order->global && c->write.epoch < order->block)
		found = SHADOW_UNWRITTEN;
	if (order->exchange)	/* the following store counts for both */
		return found;
	if (me->who & SHADOW_ASYNC &&
	    shadow_access_agent(&c->read) == shadow_access_agent(me)) {
		c->read = *me;
		return found;
	}
	if (c->read.epoch == me->epoch ||
	    (c->read.epoch >= order->block &&
	     shadow_access_conflicts(&c->read, me, order))) {
		/* Of two readers, one conflicts with any writer; so does a
		 * reader of another block. */
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
	if (shadow_may_precede(c, h, order))
		*h = (struct shadow_history){ .plain = { 0, 0 } };
	else if (!(c->write.who & SHADOW_ATOMIC))
		*h = (struct shadow_history){ .plain = c->write };
	else if (order->result_used)
		h->atomic = (struct shadow_access){ 0 };
	else if (shadow_access_agent(&c->write) != shadow_access_agent(me) ||
		 c->write.epoch < order->block)
		h->atomic = c->write;
}

/* Stores, before a write that is not atomic, the atomic by the same thread that
 * precedes it, if that atomic's result is used. */
static inline void shadow_history_follow(struct shadow_history *h,
					 const struct shadow *c,
					 const struct shadow_access *me,
					 const struct shadow_order *order)
{
	bool own = c->write.epoch >= order->interval &&
		   shadow_access_agent(&c->write) == shadow_access_agent(me);
	struct shadow_access behind = { 0, 0 };

	if (!order->results_used)
		return;
	if (own && !(c->write.who & SHADOW_ATOMIC))
		behind = h->atomic;
	else if (own && order->results_used[shadow_access_access(&c->write)])
		behind = c->write;
	if (behind.epoch || h->atomic.epoch)
		h->atomic = behind;
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
		if (shadow_place_unknown(reads[i], order) ||
		    !shadow_access_conflicts(reads[i], me, order))
			continue;
		*with = *reads[i];
		found = SHADOW_RACE;
	}
	if (me->who & SHADOW_ATOMIC)
		shadow_history_keep(h, c, me, order);
	else
		shadow_history_follow(h, c, me, order);
	c->write = *me;
	c->quiet = 0;
	return found;
}

#endif
