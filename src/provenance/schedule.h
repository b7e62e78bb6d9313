/*
 * schedule: the requests of the blocks of a cluster in an order in which they
 * may have been done.
 *
 * Warps take turns, and a warp's turn goes to the next place where it waits.
 * At a barrier it waits for the other warps of its block; at an mbarrier until
 * all arrivals that are recorded for the phase have been made, in any block of
 * the cluster. What it waits for at an OP_SYNC the trace does not tell: it is
 * taken to wait for the other warps of its block that come to the same line as
 * often. Where no warp could go on so, the first that waits does.
 */
#ifndef PROVENANCE_SCHEDULE_H
#define PROVENANCE_SCHEDULE_H

#include "trace/trace.h"

struct schedule_step {
	size_t warp;			/* of the trace */
	const struct trace_warp *of;	/* the same */
	uint32_t request;		/* of that warp; counts from 0 */
	const struct trace_request *r;
	/* How many requests come before this one; and how many of them the
	 * warp has acquired, by what it last waited for. */
	uint64_t time, acquired;
};

/*
 * Of a trace with values; visit() ends it with another value than 0. -1 with
 * e (EXIT_INPUT) when the trace is bad.
 */
int schedule_visit(struct trace *t, uint32_t block, uint32_t blocks,
		   int (*visit)(void *ctx, const struct schedule_step *step),
		   void *ctx, struct error *e);

#endif
