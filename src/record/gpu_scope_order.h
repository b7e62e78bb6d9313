/*
 * gpu_scope_order: what comes before what between blocks, which no barrier orders:
 * atomics in global memory do. What a thread has done, and has heard of, is
 * shown to all by its fence (__threadfence()); after that, an atomic of it
 * (or of a thread of its block that has met it at a barrier) tells of it
 * whoever reads there with an atomic. What that one has heard, all threads of
 * its block have after their next barrier. (CUDA programming guide, memory
 * fence functions; PTX ISA, causality order. A fence behind the reading
 * atomic is not asked for, since the guide's own example has none.)
 *
 * Blocks are gone through one after the other: an atomic reads what all before
 * have left. (A GPU runs them otherwise; see src/gpu/replay.c.)
 */
#ifndef RECORD_GPU_SCOPE_ORDER_H
#define RECORD_GPU_SCOPE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/*
 * Of blocks (or clusters), each agent's first epoch that nothing is known of
 * (see cell.h). Never changed, but shared; NULL: of none.
 */
struct release;

/* What a thread has by its own since its block's last barrier, or all of the
 * block have. */
struct acquired {
	struct release *known;		/* by atomics */
	struct release *shown;		/* by fences */
};

/* What was left at addresses. All 0 is none. */
struct sync_variables {
	struct map addresses;
	struct release **news;		/* by number of an address */
	size_t capacity;
};

/* A thread's fence: of its own block it knows `clock`, of so many agents. */
void scope_order_fence(struct acquired *thread, const struct acquired *block,
		 uint32_t number, const uint32_t *clock, uint32_t agents);
/* It is at a barrier of its block. */
void scope_order_barrier(struct acquired *block, struct acquired *thread);
void scope_order_read(const struct sync_variables *b, uint64_t address,
		struct acquired *thread);
/* It also tells what was told before if that was read at once. */
void scope_order_write(struct sync_variables *b, uint64_t address,
		 const struct acquired *thread, const struct acquired *block,
		 bool was_read);
/* The clock that was heard of a block, or NULL. */
const uint32_t *scope_order_acquired(const struct release *known, uint32_t number);

/* Whether the thread has heard of what an agent did in this epoch. */
static inline bool scope_order_happened_before(const struct acquired *thread,
			       const struct acquired *block, uint32_t number,
			       uint32_t agent, uint32_t epoch)
{
	const uint32_t *own = scope_order_acquired(thread->known, number);
	const uint32_t *all = scope_order_acquired(block->known, number);

	return (own && epoch < own[agent]) || (all && epoch < all[agent]);
}

/* Forget all. */
void acquired_done(struct acquired *h);
void sync_variables_done(struct sync_variables *b);

#endif
