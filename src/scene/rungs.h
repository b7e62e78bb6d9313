/* rungs: where a recorded kernel stands on the measured ladder: the rung below
 * it, the first, the fastest. */
#ifndef SCENE_RUNGS_H
#define SCENE_RUNGS_H

#include "timing/timing.h"
#include "trace/trace.h"

struct rungs {
	const struct timing *t;	/* all that was measured; NULL: nothing */
	size_t size;		/* the size of which most is known */
	/* Cases of t, of those that were timed and counted at that size; -1:
	 * there is none. */
	long own, below, first, best;
};
/* Returns the label and the FLOP/s of a kernel at that size, and what was counted
 * there, with these parameters or, if they were not measured, with its own; label
 * NULL: it was not measured. Label and counts live as long as the program. */
struct rungs_speed {
	const char *label;
	double flops;
	const struct timing_counts *counts;
	double products;	/* multiply-adds of the size */
};
struct rungs_speed rungs_speed(const struct job_kernel *what);
/* Writes that size and the GPU: "4096 x 4096 x 4096, NVIDIA H200"; "": nothing
 * was measured. */
void rungs_measured(char *buf, size_t size);
/* Returns whether the kernel is one of the ladder. */
bool rungs_has(const struct trace_info *info);
/* Finds the ladder around the recorded kernel's case, or around the rung `by`
 * rungs further on, counting only those that have a rung below. */
struct rungs rungs_find(const struct trace_info *info, int by);
/* Moves r->own by that many rungs, and finds what is below it. */
void rungs_step(struct rungs *r, int by);
/* Returns the case that a race names so ("tiled:TILE=32"), or -1; and that of
 * the library, which computes the same as case `at`. */
long rungs_case(const struct rungs *r, const char *word);
long rungs_library(const struct rungs *r, long at);
/* Returns the counted case `by` cases after `from` in its group, wrapping
 * around. */
long rungs_other(const struct rungs *r, long from, int by);
const struct timing_counts *rungs_counts(const struct rungs *r, long at);
double rungs_seconds(const struct rungs *r, long at);

/* Returns the name that races give kernel k, with the parameters that it shares
 * with the recorded kernel, which must be in the table, too; NULL: k is never
 * timed. The caller frees it. */
struct kernel;
char *race_word(const struct trace_info *info, const struct kernel *k);

#endif
