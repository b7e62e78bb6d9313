/*
 * vector_clock: what a thread has heard of the others, where barriers of the whole
 * block do not say it: of each agent (see record/cell.h) of the cluster, the
 * first epoch of which it has not. Whoever arrives somewhere leaves what he
 * knows there; whoever waits there takes it up.
 *
 * An agent of another block that writes into this block's shared memory, as
 * multicast does, counts as that of this block's thread of the same number.
 */
#ifndef EMU_VECTOR_CLOCK_H
#define EMU_VECTOR_CLOCK_H

#include "emu/hooks.h"

/* One that knows nothing; free() it. */
uint32_t *vector_clock_new(void);
void vector_clock_clear(uint32_t *c);
/* to also knows what from knows. */
void vector_clock_join(uint32_t *to, const uint32_t *from);
/* All that t knows, and has done itself, into `to`. What it does next is of
 * another epoch. */
void vector_clock_release(const struct thread *t, uint32_t *to);
/* t hears it; from now on. */
void vector_clock_acquire(struct thread *t, const uint32_t *from);
/* Those meet: each hears of all. */
void vector_clock_join_all(struct thread *const *threads, size_t count);
/* t hears that the agent of block `rank` is done up to and with this epoch. */
void vector_clock_learn(struct thread *t, uint32_t rank, uint32_t agent,
			uint32_t epoch);
/* t's fence shows to other blocks what it knows and has done. */
void vector_clock_fence(struct thread *t);
/* Its atomic reads and writes, or does one of both, at the address: see
 * record/order.h. */
void vector_clock_atomic(struct thread *t, uintptr_t address, bool reads,
			 bool writes);
/* Whether the thread has heard of what another block did. */
bool vector_clock_happened_before(const void *thread,
				  const struct shadow_access *o);
/* Where the part of a clock begins that is of the agents of block `rank`. */
static inline uint32_t *vector_clock_part(uint32_t *c, uint32_t rank)
{
	return c ? c + rank * SHADOW_ACTORS : NULL;
}

#endif
