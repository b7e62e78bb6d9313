/*
 * order: what comes before what between blocks, which no barrier orders:
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
#ifndef RECORD_ORDER_H
#define RECORD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Of blocks (or clusters), each agent's first epoch that nothing is known of
 * (see cell.h). Never changed, but shared; NULL: of none.
 */
struct news;

/* What a thread has by its own since its block's last barrier, or all of the
 * block have. */
struct heard {
	struct news *known;		/* by atomics */
	struct news *shown;		/* by fences */
};

/* What was left at addresses. All 0 is none. */
struct board {
	struct note { uint64_t address; struct news *news; } *notes;
	size_t count, size;		/* used; a power of two */
};

/* A thread's fence: of its own block it knows `clock`, of so many agents. */
void order_fence(struct heard *thread, const struct heard *block,
		 uint32_t number, const uint32_t *clock, uint32_t agents);
/* It is at a barrier of its block. */
void order_barrier(struct heard *block, struct heard *thread);
void order_read(const struct board *b, uint64_t address,
		struct heard *thread);
/* It also tells what was told before if that was read at once. */
void order_write(struct board *b, uint64_t address,
		 const struct heard *thread, const struct heard *block,
		 bool was_read);
/* The clock that was heard of a block, or NULL. */
const uint32_t *order_heard(const struct news *known, uint32_t number);

/* Whether the thread has heard of what an agent did in this epoch. */
static inline bool order_knows(const struct heard *thread,
			       const struct heard *block, uint32_t number,
			       uint32_t agent, uint32_t epoch)
{
	const uint32_t *own = order_heard(thread->known, number);
	const uint32_t *all = order_heard(block->known, number);

	return (own && epoch < own[agent]) || (all && epoch < all[agent]);
}

/* Forget all. */
void heard_done(struct heard *h);
void board_done(struct board *b);

#endif
