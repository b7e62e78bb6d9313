/*
 * agent: who does what a thread has begun, a TMA copy or a product of
 * wgmma, while the thread goes on. It begins with all that the thread knows;
 * what it touches is ordered before those alone who have heard that it is
 * done.
 */
#ifndef EMU_AGENT_H
#define EMU_AGENT_H

#include "emu/hooks.h"

struct agent {
	struct thread *of;
	uint32_t number, epoch;
	uint32_t *knows;		/* a clock */
};

/* The running thread's, with an epoch of its own; end it when all that it
 * touches was said. */
struct agent agent_begin(void);
void agent_end(struct agent *a);
/*
 * It reads or writes bytes of the slot's array, in shared memory of block
 * `rank`: a conflict with what others did there is a finding, and so is
 * reading, or writing over, what threads have stored without a fence. True:
 * all was well.
 */
bool agent_reads(const struct agent *a, const struct slot *s, uint64_t off,
		 uint64_t bytes);
bool agent_writes(const struct agent *a, const struct slot *s, uint32_t rank,
		  uint64_t off, uint64_t bytes);

#endif
