/*
 * findings: what a recorder found, each finding once. When many threads cause
 * the same finding, they are counted, and the first thread in launch order
 * represents them.
 */
#ifndef RECORD_FINDINGS_H
#define RECORD_FINDINGS_H

#include "protocol/job.h"
#include "trace/finding.h"

struct findings {
	struct finding *list;
	size_t count, capacity;
	/* epoch of the barrier interval in which races are now looked for */
	uint32_t interval;
};

/*
 * Adds a copy of `found`, whose kind, array and count need not be set, and of
 * the array (or NULL). Two findings are the same if cause, line, words, the
 * other access's line (or, if there is none, the column) and the array's name
 * agree; an mbarrier's name does not count. There may be millions of calls.
 */
void finding_add(struct findings *f, const struct trace_finding *found,
		 const struct trace_array *array);

/* Gives the findings of one cause, of an array of this name, another cause. */
void finding_recast(struct findings *f, enum finding_cause from,
		    enum finding_cause to, const struct trace_array *array);
/* The cause for a race of two accesses: CAUSE_UNORDERED within a block,
 * CAUSE_UNORDERED_BLOCKS between blocks. */
enum finding_cause finding_race(const struct finding_access *access,
				const struct finding_access *other);
/* The cause for an access to no array: an address from 0 to 4095 counts as a
 * null pointer. */
enum finding_cause finding_wild(uint64_t address);

/* Adds a note on each header that was left out: its name, and the line that
 * includes it (0: unknown), or "!" and the error of one that has any. */
void findings_headers(struct findings *f, const struct job_defines *left_out);

/*
 * Copies all findings to info, notes last, and their arrays to info's table; no
 * finding may be added afterwards. Code without barriers has a race for every pair of its
 * lines: such findings become one if array and barrier interval are the same
 * and their lines overlap, CAUSE_UNORDERED_LINES, or CAUSE_UNORDERED_LANES where
 * it is only assumed that a warp's lanes run in lockstep.
 */
void findings_take(struct findings *f, struct trace_info *info);
void findings_done(struct findings *f);

#endif
