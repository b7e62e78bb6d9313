/*
 * compiled: what the machine's accesses to shared memory come to in launches
 * that lessons compare with their source, as a compiler made them
 * (data/compiled.jsonl, bench/compiled_data.sh); no compiler is needed.
 */
#ifndef TIMING_COMPILED_H
#define TIMING_COMPILED_H

#include "trace/trace.h"

/* All accesses of one array and op. */
struct compiled_counts {
	char by[64];		/* "NVRTC 13.5, sm_90" */
	int bytes;		/* for each lane; of the widest access */
	int64_t requests, wavefronts;
};

/* Finds the counts of a launch, by its kernel, parameters and size. Returns
 * false if it is not among them. */
bool compiled_find(struct compiled_counts *c, const struct trace_info *i,
		   const char *array, enum op op);

#endif
