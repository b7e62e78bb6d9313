/*
 * mbarrier: barriers in shared memory whose phases complete when all arrivals
 * have come, and all bytes that TMA was to bring. Their state is kept here and
 * not in their 8 bytes, which are opaque to a kernel (PTX ISA, mbarrier).
 */
#ifndef EMU_MBARRIER_H
#define EMU_MBARRIER_H

#include "emu/hooks.h"

/* Bytes that TMA brings into a block's shared memory. */
struct delivery {
	char *to;		/* for good: array_at() */
	unsigned char *bytes;	/* what is to be there; owned */
	uint32_t count;
	uint32_t actor, epoch;	/* the async proxy that brings it; begun */
};

/*
 * It will come at the mbarrier that stands at this address in block `rank` of
 * the cluster, as late as it may: when somebody waits for the phase that ends
 * with it. Takes the bytes over. The running thread ends where there is no
 * such mbarrier.
 */
void mbarrier_deliver(uint32_t rank, const void *b, struct delivery d,
		      void *here);

#endif
