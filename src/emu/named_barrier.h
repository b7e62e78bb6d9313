/*
 * named_barrier: barriers for some of a block's warps (PTX ISA, bar.sync a, b),
 * and the barrier of a cluster.
 */
#ifndef EMU_NAMED_BARRIER_H
#define EMU_NAMED_BARRIER_H

#include "emu/hooks.h"

/* A place where so many threads come together; the last ends it for all. */
struct named_barrier {
	uint32_t number;		/* 0: of a wgmma */
	uint32_t need, come, round;
	struct thread *threads[BLOCK_THREADS_MAX];
};

/* The running thread comes to it; `finish` is called once, when all have
 * come. */
void named_barrier_arrive(struct named_barrier *g,
			  void (*finish)(struct named_barrier *g));

#endif
