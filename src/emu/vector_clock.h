/*
 * vector_clock: which actions of other threads happened before a thread's next
 * one, beyond what barriers of the whole block order. A vector clock has, for
 * each actor of the cluster (a thread or its async proxy, record/shadow.h), the
 * first epoch that did not happen before. A release joins a thread's clock into
 * that of a sync variable, such as an mbarrier; an acquire joins that one into
 * a thread's (PTX ISA, "Memory Consistency Model").
 *
 * An actor of another block that writes into this block's shared memory, as
 * multicast does, counts as this block's thread of the same number.
 */
#ifndef EMU_VECTOR_CLOCK_H
#define EMU_VECTOR_CLOCK_H

#include "emu/hooks.h"

/* Makes a clock, all 0; to be free()d. */
uint32_t *vector_clock_new(void);
void vector_clock_clear(uint32_t *c);
/* Sets each actor's epoch in `to` to the later of both. */
void vector_clock_join(uint32_t *to, const uint32_t *from);
/* Sets each actor's epoch in `to` to the earlier of both. */
void vector_clock_meet(uint32_t *to, const uint32_t *from);
/* Joins t's clock and all that t has done itself into `to`. t's next actions
 * are in another epoch. */
void vector_clock_release(struct thread *t, uint32_t *to);
/* Joins the clocks of several threads likewise. */
void vector_clock_release_all(struct thread *const *threads, size_t count,
			      uint32_t *to);
/* Sets the actor's epoch in `c` to the one after this, if it is earlier. */
void vector_clock_acquired_actor(uint32_t *c, uint32_t rank, uint32_t actor,
				 uint32_t epoch);
/* Makes a clock of all threads of the cluster's block together; to be
 * free()d. */
uint32_t *vector_clock_of_block(uint32_t rank);
/* Joins `from` into t's clock. */
void vector_clock_acquire(struct thread *t, const uint32_t *from);
/* Lets each of the threads acquire what all of them release. */
void vector_clock_join_all(struct thread *const *threads, size_t count);
/* Lets t acquire what the actor of block `rank` did, this epoch included. */
void vector_clock_acquire_actor(struct thread *t, uint32_t rank, uint32_t actor,
				uint32_t epoch);
/* What an atomic does, and what it orders: see record/gpu_scope_order.h. What
 * is `near` orders the threads of a block alone. */
struct atomic_order { bool reads, writes, acquires, releases, near; };
/* Performs a fence of t: it releases t's clock, to other blocks, too, and
 * acquires what relaxed atomics have read. */
void vector_clock_fence(struct thread *t, struct atomic_order how);
/* Performs the order of an atomic of t at the address. */
void vector_clock_atomic(struct thread *t, uintptr_t address, bool global,
			 struct atomic_order how);
/* Returns whether an access happened before the thread's next by fences and
 * atomics. */
bool vector_clock_happened_before(const void *thread,
				  const struct shadow_access *o);
/* Returns the part of a clock for the actors of block `rank`; NULL for NULL. */
static inline uint32_t *vector_clock_part(uint32_t *c, uint32_t rank)
{
	return c ? c + rank * SHADOW_ACTORS : NULL;
}

#endif
