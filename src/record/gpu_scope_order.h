/*
 * gpu_scope_order: which accesses of different blocks are ordered. No barrier
 * orders blocks, but atomics in global memory do. A thread's fence
 * (__threadfence()) releases what the thread has done and has acquired. After
 * the fence, an atomic by that thread, or by one of its block that has been at
 * a barrier with it since, stores the release at its address, and each thread
 * that reads there with an atomic acquires it. At the next barrier the whole
 * block acquires it. (CUDA programming guide, memory fence functions; PTX ISA,
 * causality order. No fence is required after the atomic that reads, since the
 * guide's own example has none; one that a program calls relaxed by name, as a
 * cuda::atomic's, does require one.)
 *
 * Blocks are processed one after the other: an atomic reads what all earlier
 * blocks have stored. (A GPU runs them otherwise; see src/gpu/record/replay.c.)
 */
#ifndef RECORD_GPU_SCOPE_ORDER_H
#define RECORD_GPU_SCOPE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* A vector clock for each block (or cluster) of which something has been
 * acquired: for each thread and async proxy, the first epoch (see shadow.h)
 * that has not been. Immutable, and shared; NULL: of no block. */
struct release;

/* What a thread by itself has acquired and released since its block's last
 * barrier, or what its whole block has. */
struct acquired {
	struct release *known;		/* acquired, by atomics */
	struct release *shown;		/* released, by fences */
	struct release *seen;	/* read, by relaxed atomics, before a fence */
};

/* The addresses at which releases are stored. All 0 means none. */
struct sync_variables {
	struct map addresses;
	struct release **releases;	/* by number of an address */
	size_t capacity;
};

/* Records a thread's fence: `clock` is its vector clock for the agents of its
 * own block, `agents` of them. */
void scope_order_fence(struct acquired *thread, const struct acquired *block,
		       uint32_t number, const uint32_t *clock, uint32_t agents);
/* Records that the thread is at a barrier of its block. */
void scope_order_barrier(struct acquired *block, struct acquired *thread);
/* Adds to `to` all that `from` has acquired and released: both were at a
 * barrier of a part of the block. */
void scope_order_join(struct acquired *to, const struct acquired *from);
void scope_order_read(const struct sync_variables *b, uint64_t address,
		      struct acquired *thread);
/* Records a read by a relaxed atomic: the next fence acquires what it has
 * seen. */
void scope_order_see(const struct sync_variables *b, uint64_t address,
		     struct acquired *thread);
void scope_order_acquire(struct acquired *thread);
/* Records a write by an atomic. The previous release also stays, if the atomic
 * has read it (was_read). */
void scope_order_write(struct sync_variables *b, uint64_t address,
		       const struct acquired *thread,
		       const struct acquired *block, bool was_read);
/* Records a write by an atomic that releases by itself, at its own address
 * only. */
void scope_order_release(struct sync_variables *b, uint64_t address,
			 const struct acquired *thread,
			 const struct acquired *block, uint32_t number,
			 const uint32_t *clock, uint32_t agents, bool was_read);
/* Returns the clock acquired for a block, or NULL. */
const uint32_t *scope_order_acquired(const struct release *known,
				     uint32_t number);

/* Tests whether the thread has acquired what an agent of another block did in
 * this epoch. */
static inline bool scope_order_happened_before(const struct acquired *thread,
					       const struct acquired *block,
					       uint32_t number, uint32_t agent,
					       uint32_t epoch)
{
	const uint32_t *own = scope_order_acquired(thread->known, number);
	const uint32_t *all = scope_order_acquired(block->known, number);

	return (own && epoch < own[agent]) || (all && epoch < all[agent]);
}

/* Free everything. */
void acquired_done(struct acquired *h);
void sync_variables_done(struct sync_variables *b);

#endif
