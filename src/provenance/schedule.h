/*
 * schedule: the requests of a cluster's blocks in an order in which the GPU may
 * have executed them.
 *
 * The warps take turns; a warp's turn lasts until the next request at which the
 * warp waits. At a barrier it waits for the other warps of its block; at an
 * mbarrier it waits until all arrivals recorded for the phase have been made,
 * in any block of the cluster. What a warp waits for at an OP_SYNC the trace
 * does not say: the warp is assumed to wait for the other warps of its block
 * that reach the same line as often. Where no warp could continue by these
 * rules, the first that waits continues.
 */
#ifndef PROVENANCE_SCHEDULE_H
#define PROVENANCE_SCHEDULE_H

#include "trace/trace.h"

struct schedule_step {
	size_t warp;			/* the warp's index in the trace */
	const struct trace_warp *of;	/* the same warp */
	uint32_t request;		/* number in that warp, from 0 */
	const struct trace_request *r;
	/* The number of requests that come before this one, and how many of
	 * them the warp has acquired by its last wait. */
	uint64_t time, acquired;
};

/*
 * Visits the requests of a trace with values in that order; visit() ends it by
 * returning a value other than 0. -1 with e (EXIT_INPUT) when the trace is
 * damaged.
 */
int schedule_visit(struct trace *t, uint32_t block, uint32_t blocks,
		   int (*visit)(void *ctx, const struct schedule_step *step),
		   void *ctx, struct error *e);

#endif
