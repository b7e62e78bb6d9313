/*
 * pattern_lanes: what pattern.c and pattern_text.c share: a request seen as
 * the sequence of its active lanes' offsets.
 */
#ifndef ANALYSIS_PATTERN_LANES_H
#define ANALYSIS_PATTERN_LANES_H

#include "analysis/pattern.h"

struct lanes {
	const struct trace_request *r;
	const struct trace_site *site;		/* NULL: no access */
	const struct trace_array *array;
	int count;
	uint8_t lane[WARP_LANES];		/* ascending */
	uint64_t at[WARP_LANES];		/* each one's byte offset */
	uint64_t sorted[WARP_LANES];		/* the distinct ones */
	int distinct;
};

void lanes_of(const struct trace_info *info, const struct trace_request *r,
	      struct lanes *l);
/* The sentence of a request that is no access: its lanes have no shape. */
void pattern_sync_text(struct str *out, const struct trace_info *info,
		  const struct trace_request *r);
void lanes_find(const struct lanes *l, struct pattern *p);

#endif
