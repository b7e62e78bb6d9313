/*
 * async_proxy: accesses by the async proxy (PTX ISA, "Async proxy"), through
 * which TMA copies and wgmma multiplies while the thread that started them
 * continues. An access by the proxy happens after all that its thread had
 * acquired when it started the operation, and before all that a thread does
 * after waiting for its completion.
 */
#ifndef EMU_HOPPER_ASYNC_PROXY_H
#define EMU_HOPPER_ASYNC_PROXY_H

#include "emu/hooks.h"

struct async_proxy {
	struct thread *thread;		/* the thread that started it */
	uint32_t number, epoch;		/* its actor; the epoch it began in */
	uint32_t *clock;		/* what happens before it */
};

/* An access by the async proxy to one array, in shared memory of one block. */
struct async_access {
	const struct async_proxy *proxy;
	const struct access_site *slot;
	uint32_t rank;
	struct shadow_access me;
	struct shadow_order order;
	/* A cache, since most elements have the same history: the shadow of the
	 * last element that had no finding, before and after its access. An
	 * element with the same shadow before gets the same after. */
	bool known;
	struct shadow before, after;
};

/* Begins an operation of the running thread's async proxy, in an epoch of its
 * own. End it once all its accesses have been made. */
struct async_proxy async_proxy_begin(void);
void async_proxy_end(struct async_proxy *a);
/* Prepares an access of operation a to the array of slot s in the cluster's
 * block `rank`. */
struct async_access async_proxy_access(const struct async_proxy *a,
				       const struct access_site *s, uint32_t rank);
/* Reads or writes `bytes` bytes at offset `off` of the array. Adds a finding
 * for a data race, and for reading or overwriting what a thread has stored
 * without a proxy fence. Returns true if there was no finding. */
bool async_proxy_reads(struct async_access *x, uint64_t off, uint64_t bytes);
bool async_proxy_writes(struct async_access *x, uint64_t off, uint64_t bytes);

#endif
