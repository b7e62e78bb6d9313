/*
 * advice_run: neighbouring accesses of the lanes of a warp, one after the other:
 * each lane goes on where it was. A full run has 16 bytes of each lane and
 * begins at a multiple of 16: one access could do the same.
 */
#ifndef ANALYSIS_ADVICE_RUN_H
#define ANALYSIS_ADVICE_RUN_H

#include "trace/trace.h"

#define RUN_BYTES 16

struct advice_run {
	enum op op;
	uint32_t bytes, count;
	struct trace_request first;
	uint64_t next[WARP_LANES];	/* where each lane would go on */
};

/* Adds a request if it goes on with the run. */
bool run_extend(struct advice_run *run, const struct trace_site *site,
		const struct trace_request *r);
/* Begins a new run with a request; false: its lanes are not at multiples of 16,
 * and there is no run. */
bool run_begin(struct advice_run *run, const struct trace_site *site,
	       const struct trace_array *array,
	       const struct trace_request *r);
bool run_full(const struct advice_run *run);

#endif
