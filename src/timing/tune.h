/*
 * tune: a race of one kernel against itself, with each of the values of its
 * parameters that the table says are worth trying.
 */
#ifndef TIMING_TUNE_H
#define TIMING_TUNE_H

#include "kernels/kernels.h"
#include "timing/benchmark.h"
#include "timing/tuned.h"

/* Adds them to a plan; `defines` holds for all. EXIT_USAGE: the kernel has
 * nothing to tune, or not that parameter. */
int tune_add(struct benchmark_plan *p, const struct kernel *k,
	     const struct job_defines *defines, struct error *e);
/* The fastest at each size; borrows from both. */
struct tuned_list tune_best(const struct timing *t, const struct kernel *k);

#endif
