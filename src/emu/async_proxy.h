/*
 * async_proxy: who does what a thread has begun, a TMA copy or a product of
 * wgmma, while the thread goes on. It begins with all that the thread knows;
 * what it touches is ordered before those alone who have heard that it is
 * done.
 */
#ifndef EMU_ASYNC_PROXY_H
#define EMU_ASYNC_PROXY_H

#include "emu/hooks.h"

struct async_proxy {
	struct thread *of;
	uint32_t number, epoch;
	uint32_t *knows;		/* a clock */
};

/* The running thread's, with an epoch of its own; end it when all that it
 * touches was said. */
struct async_proxy async_proxy_begin(void);
void async_proxy_end(struct async_proxy *a);
/*
 * It reads or writes bytes of the slot's array, in shared memory of block
 * `rank`: a conflict with what others did there is a finding, and so is
 * reading, or writing over, what threads have stored without a fence. True:
 * all was well.
 */
bool async_proxy_reads(const struct async_proxy *a, const struct slot *s,
		       uint64_t off, uint64_t bytes);
bool async_proxy_writes(const struct async_proxy *a, const struct slot *s,
			uint32_t rank, uint64_t off, uint64_t bytes);

#endif
