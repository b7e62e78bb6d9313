/*
 * named_barrier: where threads of a block meet that are not all of it, and where
 * those of a cluster do.
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
