/*
 * kernel_resources: what a block of one of our kernels takes, as the newest
 * recorded race has it (data/races); no GPU and no compiler is asked.
 */
#ifndef TIMING_KERNEL_RESOURCES_H
#define TIMING_KERNEL_RESOURCES_H

#include "base/base.h"

struct kernel_resources {
	int threads;		/* a block */
	int registers;		/* a thread */
	int shared;		/* bytes a block */
	char *arch;		/* it was compiled for: "sm_90" */
	char *label, *date;	/* "tiled TILE=32", "2026-11-21" */
};

/*
 * "tiled:TILE=32", as benchmark_add() takes it. -1 with e: no such kernel
 * (EXIT_USAGE); no race has it, or had another text of it (EXIT_INPUT).
 */
int kernel_resources_find(struct kernel_resources *out, const char *kernel,
			  struct error *e);
void kernel_resources_done(struct kernel_resources *r);

#endif
