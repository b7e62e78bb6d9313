/*
 * kernel_resources: the resources that a block of one of the table's kernels
 * takes, according to the newest recorded benchmark (data/races); no GPU and no
 * compiler is needed.
 */
#ifndef TIMING_KERNEL_RESOURCES_H
#define TIMING_KERNEL_RESOURCES_H

#include "kernels/kernels.h"
#include "protocol/job.h"

struct kernel_resources {
	int threads;		/* threads of a block */
	int registers;		/* registers of a thread */
	int shared;		/* shared memory of a block, bytes */
	char *arch;		/* compiled for: "sm_90" */
	char *label, *date;	/* "tiled TILE=32", "2026-11-21" */
};

/*
 * Finds the resources of a kernel such as "tiled:TILE=32", spelled as for
 * benchmark_add(). -1 with e: there is no such kernel (EXIT_USAGE), or no
 * benchmark has it, or the newest that has it timed another text (EXIT_INPUT).
 */
int kernel_resources_find(struct kernel_resources *out, const char *kernel,
			  struct error *e);
void kernel_resources_done(struct kernel_resources *r);

/* Returns the threads of a block of a kernel that is built with these
 * defines. */
int kernel_block_threads(const struct kernel *k,
			 const struct job_defines *defines);

#endif
