/*
 * gpu_scope_order: what happens before what between blocks. No barrier orders
 * them, atomics in global memory do. A thread's fence (__threadfence())
 * releases what the thread has done and has acquired; after it an atomic of
 * the thread, or of one of its block that was at a barrier with it since,
 * leaves the release at its address, where each thread that reads with an
 * atomic acquires it. At the next barrier the whole block does. (CUDA
 * programming guide, memory fence functions; PTX ISA, causality order. No
 * fence is asked for behind the atomic that reads, since the guide's own
 * example has none.)
 *
 * Blocks are gone through one after the other: an atomic reads what all blocks
 * before have left. (A GPU runs them otherwise; see src/gpu/replay.c.)
 */
#ifndef RECORD_GPU_SCOPE_ORDER_H
#define RECORD_GPU_SCOPE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/*
 * A vector clock for each block (or cluster) that something is known of: each
 * thread's and async proxy's first epoch (see shadow.h) that is not known.
 * Never changed, but shared; NULL: of no block.
 */
struct release;

/* What a thread has acquired and released by itself since its block's last
 * barrier, or what its whole block has. */
struct acquired {
	struct release *known;		/* acquired, by atomics */
	struct release *shown;		/* released, by fences */
};

/* The addresses at which releases were left. All 0 is none. */
struct sync_variables {
	struct map addresses;
	struct release **releases;	/* by number of an address */
	size_t capacity;
};

/* A thread's fence: of its own block it knows `clock`, of so many agents. */
void scope_order_fence(struct acquired *thread, const struct acquired *block,
		       uint32_t number, const uint32_t *clock, uint32_t agents);
/* It is at a barrier of its block. */
void scope_order_barrier(struct acquired *block, struct acquired *thread);
void scope_order_read(const struct sync_variables *b, uint64_t address,
		      struct acquired *thread);
/* The release of before stays, too, if the atomic has read it. */
void scope_order_write(struct sync_variables *b, uint64_t address,
		       const struct acquired *thread,
		       const struct acquired *block, bool was_read);
/* The clock that was acquired of a block, or NULL. */
const uint32_t *scope_order_acquired(const struct release *known,
				     uint32_t number);

/* Whether the thread has acquired what an agent did in this epoch. */
static inline bool scope_order_happened_before(const struct acquired *thread,
					       const struct acquired *block,
					       uint32_t number, uint32_t agent,
					       uint32_t epoch)
{
	const uint32_t *own = scope_order_acquired(thread->known, number);
	const uint32_t *all = scope_order_acquired(block->known, number);

	return (own && epoch < own[agent]) || (all && epoch < all[agent]);
}

/* Forget all. */
void acquired_done(struct acquired *h);
void sync_variables_done(struct sync_variables *b);

#endif
