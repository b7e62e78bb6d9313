/* advice_run: adjacent accesses of the lanes of a warp, one after the other:
 * each lane continues where it was. A full run has 16 bytes for each lane and
 * begins at a multiple of 16: one access could do the same. */
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

/* Adds a request if it continues the run. Returns whether it did. */
bool run_extend(struct advice_run *run, const struct trace_site *site,
		const struct trace_request *r);
/* Starts a new run with a request. Returns false if its lanes are not at
 * multiples of 16 bytes; there is no run then. */
bool run_begin(struct advice_run *run, const struct trace_site *site,
	       const struct trace_array *array,
	       const struct trace_request *r);
bool run_full(const struct advice_run *run);

#endif
