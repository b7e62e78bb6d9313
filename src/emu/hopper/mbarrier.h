/*
 * mbarrier: barriers in shared memory. A phase of an mbarrier completes when
 * all arrivals and all bytes that TMA is to bring have come. Their state is
 * kept here and not in their 8 bytes, which are opaque to a kernel (PTX ISA,
 * mbarrier).
 */
#ifndef EMU_HOPPER_MBARRIER_H
#define EMU_HOPPER_MBARRIER_H

#include "emu/hooks.h"

/* Bytes that TMA copies into a block's shared memory. */
struct delivery {
	char *to;		/* destination, always valid: from array_at() */
	unsigned char *bytes;	/* the bytes to copy; owned */
	uint32_t count;
	uint32_t actor, epoch;	/* the async proxy that copies, and its epoch */
};

/*
 * Sends a delivery that completes on the mbarrier at address b of block `rank`
 * of the cluster. It arrives as late as possible: when a thread waits for the
 * phase that it belongs to. Takes d.bytes over. Ends the running thread if
 * there is no such mbarrier.
 */
void mbarrier_deliver(uint32_t rank, const void *b, struct delivery d,
		      void *here);

#endif
