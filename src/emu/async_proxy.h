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

/* What the async proxy accesses of one array, in shared memory of one block. */
struct async_access {
	const struct async_proxy *proxy;
	const struct slot *slot;
	uint32_t rank;
	struct shadow_access me;
	struct shadow_order order;
	/* Most elements have the same history. Of the last that was accessed
	 * without a finding, its shadow before and after that: what is the same
	 * before needs no other look. */
	bool known;
	struct shadow before, after;
};

/* The running thread's async proxy begins an access, in an epoch of its own,
 * and ends it once all its bytes have been given. */
struct async_proxy async_proxy_begin(void);
void async_proxy_end(struct async_proxy *a);
struct async_access async_proxy_access(const struct async_proxy *a,
				       const struct slot *s, uint32_t rank);
/* The async proxy reads or writes bytes of the array. A data race is a finding;
 * so is reading or overwriting what threads have stored without a proxy fence.
 * True: there was no finding. */
bool async_proxy_reads(struct async_access *x, uint64_t off, uint64_t bytes);
bool async_proxy_writes(struct async_access *x, uint64_t off, uint64_t bytes);

#endif
