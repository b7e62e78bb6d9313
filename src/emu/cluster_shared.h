/*
 * cluster_shared: shared memory of other blocks of the cluster, which a thread
 * reaches through pointers that map_shared_rank() gives it (CUDA C++ Programming
 * Guide, "Distributed Shared Memory").
 */
#ifndef EMU_CLUSTER_SHARED_H
#define EMU_CLUSTER_SHARED_H

#include "emu/hooks.h"

/* The running thread accesses so many bytes of the slot's array in block `rank`:
 * there, it is as if somebody else had done it, whom the thread waits for.
 * Barriers of the cluster order that, and what they do not is a finding. */
void cluster_shared_check(struct thread *t, const struct slot *s, uint32_t rank,
			  uint64_t off, uint64_t bytes);

#endif
