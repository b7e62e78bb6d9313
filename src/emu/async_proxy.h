/*
 * async_proxy: the async proxy (PTX ISA, "Async proxy"), by which TMA copies
 * and wgmma multiplies while the thread that began it goes on. An access of the
 * proxy comes after all that its thread had acquired when it began, and before
 * what a thread does that has waited for its end.
 */
#ifndef EMU_ASYNC_PROXY_H
#define EMU_ASYNC_PROXY_H

#include "emu/hooks.h"

struct async_proxy {
	struct thread *thread;		/* whose it is */
	uint32_t number, epoch;		/* its actor; when it began */
	uint32_t *clock;		/* what is ordered before it */
};

/* The async proxy of the running thread begins an access, in an epoch of its
 * own, and ends it when all its bytes were named. */
struct async_proxy async_proxy_begin(void);
void async_proxy_end(struct async_proxy *a);
/*
 * The async proxy reads or writes bytes of the slot's array, in shared memory
 * of block `rank`: a data race is a finding, and so is reading, or writing
 * over, what threads have stored without a proxy fence. True: there was none.
 */
bool async_proxy_reads(const struct async_proxy *a, const struct slot *s,
		       uint64_t off, uint64_t bytes);
bool async_proxy_writes(const struct async_proxy *a, const struct slot *s,
			uint32_t rank, uint64_t off, uint64_t bytes);

#endif
