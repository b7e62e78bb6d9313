/*
 * pattern_lanes: what pattern.c and pattern_text.c share, a request as the
 * sequence of its active lanes' offsets.
 */
#ifndef ANALYSIS_PATTERN_LANES_H
#define ANALYSIS_PATTERN_LANES_H

#include "analysis/pattern.h"

struct lane_offsets {
	const struct trace_request *r;
	const struct trace_site *site;		/* NULL: not an access */
	const struct trace_array *array;
	int count;
	uint8_t lane[WARP_LANES];		/* active lanes, ascending */
	uint64_t at[WARP_LANES];		/* byte offset of each */
	uint64_t sorted[WARP_LANES];		/* distinct offsets */
	int distinct;
};

void find_lane_offsets(const struct trace_info *info,
		       const struct trace_request *r, struct lane_offsets *l);
/* Adds the sentence for a request that is not a memory access and so has no
 * access pattern. */
void pattern_sync_text(struct str *out, const struct trace_info *info,
		  const struct trace_request *r);
void lanes_find(const struct lane_offsets *l, struct pattern *p);

#endif
