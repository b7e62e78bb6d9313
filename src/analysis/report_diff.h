/*
 * report_diff: what has changed from one report to another, access by access.
 *
 * Two accesses are the same if their lines are equal (except for blanks) and
 * they access the same array in the same way. The remaining ones are paired in
 * order if they access the same array in the same way: such a line was edited.
 */
#ifndef ANALYSIS_REPORT_DIFF_H
#define ANALYSIS_REPORT_DIFF_H

#include "analysis/report.h"

/* An access then and now; NULL: there was, or is, none. */
struct report_pair { const struct report_site *before, *after; };

struct report_diff {
	const struct report *before, *after;	/* borrowed */
	/* In the order of the new text; accesses that are gone come last. */
	struct report_pair *pairs;
	size_t count;
	/* Findings of one kind on one array, without a counterpart. */
	const struct report_finding **gone, **come;
	size_t gone_count, come_count;
};
void report_diff_make(struct report_diff *d, const struct report *before,
		      const struct report *after);
void report_diff_done(struct report_diff *d);

/* Returns whether an access costs as much as before. */
bool report_pair_same(const struct report_pair *p);
/* Returns whether there is a fault that was not there before. */
bool report_diff_worse(const struct report_diff *d);
/* Prints what has changed, 80 columns wide. */
void report_diff_print(const struct report_diff *d, FILE *out);
/* "sites" [{"change", "before", "after"}], where change is "same", "changed",
 * "come" or "gone", each site as in a report; "findings_gone",
 * "findings_come" [{"kind", "line", "text"}]; "totals" [before, after]. */
json_t *report_diff_json(const struct report_diff *d);

#endif
