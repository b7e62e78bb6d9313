/*
 * cluster_shared: checks accesses to shared memory of other blocks of the
 * cluster, through pointers that map_shared_rank() returns (CUDA C++
 * Programming Guide, "Distributed Shared Memory").
 */
#ifndef EMU_HOPPER_CLUSTER_SHARED_H
#define EMU_HOPPER_CLUSTER_SHARED_H

#include "emu/hooks.h"

/* Checks an access by the running thread to `bytes` bytes at offset `off` of
 * the slot's array in the cluster's block `rank`. In that block it counts as an
 * access by a separate actor that the thread waits for. Adds a finding if no
 * barrier of the cluster orders it. */
void cluster_shared_check(struct thread *t, const struct access_site *s, uint32_t rank,
			  uint64_t off, uint64_t bytes);

#endif
