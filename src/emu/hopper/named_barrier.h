/*
 * named_barrier: barriers for some of a block's warps (PTX ISA, bar.sync a, b),
 * and the barrier of a cluster.
 */
#ifndef EMU_HOPPER_NAMED_BARRIER_H
#define EMU_HOPPER_NAMED_BARRIER_H

#include "emu/hooks.h"

/* A barrier at which `need` threads come together; the last one to arrive
 * releases all. */
struct named_barrier {
	uint32_t number;		/* 0: a wgmma's */
	uint32_t need, come, round;
	struct thread *threads[BLOCK_THREADS_MAX];
};

/* Lets the running thread arrive and wait; `finish` is called once, when all
 * have arrived. */
void named_barrier_arrive(struct named_barrier *g,
			  void (*finish)(struct named_barrier *g));

/* Puts those of `count` barriers aside at which somebody waits, and puts them
 * back; NULL: there are none. */
void *named_barriers_keep(struct named_barrier *g, size_t count);
void named_barriers_put_back(struct named_barrier *g, size_t count,
			     void *kept);

#endif
