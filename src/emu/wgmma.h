/*
 * wgmma: products by the four warps of a warpgroup, of operands in shared
 * memory. They are done by the agent of the group's last thread: its first
 * is more likely to have another, for TMA.
 */
#ifndef EMU_WGMMA_H
#define EMU_WGMMA_H

#include "emu/hooks.h"

/* The thread touches its own memory while it has products under way: the
 * accumulators of these are a finding. */
void products_check(const struct thread *t, const struct slot *s,
		    uintptr_t address, uint64_t bytes);
/* The thread ends: it must have waited for its products. */
void products_end(const struct thread *t);
/* Forgets who has come, before a cluster; and the products of a thread. */
void groups_begin(void);
void products_drop(struct thread *t);

#endif
