/*
 * tune: a benchmark of one kernel against itself, with each of the parameter
 * values that the table lists for tuning, and each shape that the model chooses
 * among (choice.h). The model then sets the split that suits the size.
 */
#ifndef TIMING_TUNE_H
#define TIMING_TUNE_H

#include "kernels/kernels.h"
#include "timing/benchmark.h"
#include "timing/tuned.h"

/* Tests whether a kernel has several variants. */
bool tune_any(const struct kernel *k);
/* Adds a kernel's variants to a plan; all have `defines`. EXIT_USAGE: the
 * kernel has nothing to tune, or no such parameter. */
int tune_add(struct benchmark_plan *p, const struct kernel *k,
	     const struct job_defines *defines, struct error *e);
/* Finds the fastest variant at each size; the list borrows from t and k. */
struct tuned_list tune_best(const struct timing *t, const struct kernel *k);

#endif
