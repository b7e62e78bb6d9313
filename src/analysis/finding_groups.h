/*
 * finding_groups: the findings of a trace as they are told: those of one
 * missing barrier as one finding, and a race of a loop's iterations with the
 * iterations of both accesses.
 */
#ifndef ANALYSIS_FINDING_GROUPS_H
#define ANALYSIS_FINDING_GROUPS_H

#include "trace/finding.h"

struct told_finding {
	const struct trace_finding *of;	/* the one that stands for the group */
	char *text;			/* one clean line */
	uint64_t count;			/* occurrences, of all of the group */
};

/* Tells the findings, in the order of the trace. `t` may be NULL: then
 * iterations have no numbers. To be freed with findings_told_done(). */
struct told_finding *findings_tell(const struct trace_info *info,
				   struct trace *t, size_t *count);
void findings_told_done(struct told_finding *list, size_t count);

#endif
