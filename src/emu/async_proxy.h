/*
 * async_proxy: the async proxy (PTX ISA, "Async proxy"), through which TMA
 * copies and wgmma multiplies while the thread that started it goes on. An
 * access of the proxy happens after all that its thread had acquired when it
 * started it, and before what a thread does after waiting for its completion.
 */
#ifndef EMU_ASYNC_PROXY_H
#define EMU_ASYNC_PROXY_H

#include "emu/hooks.h"

struct async_proxy {
	struct thread *thread;		/* the thread that started it */
	uint32_t number, epoch;		/* its actor; the epoch it began in */
	uint32_t *clock;		/* what happens before it */
};

/* The running thread's async proxy begins an access, in an epoch of its own,
 * and ends it once all its bytes have been given. */
struct async_proxy async_proxy_begin(void);
void async_proxy_end(struct async_proxy *a);
/* The async proxy reads or writes bytes of the slot's array, in shared memory
 * of block `rank`. A data race is a finding; so is reading or overwriting what
 * threads have stored without a proxy fence. True: there was no finding. */
bool async_proxy_reads(const struct async_proxy *a, const struct slot *s,
		       uint64_t off, uint64_t bytes);
bool async_proxy_writes(const struct async_proxy *a, const struct slot *s,
			uint32_t rank, uint64_t off, uint64_t bytes);

#endif
