/*
 * findings: what a recorder found, each thing once. The same finding from many
 * threads is counted; the first thread in the launch's order stands for all of
 * them.
 */
#ifndef RECORD_FINDINGS_H
#define RECORD_FINDINGS_H

#include "trace/finding.h"

struct findings {
	struct finding *list;
	size_t count, capacity;
	uint32_t interval;	/* the epoch of the one that races are in now */
};

/*
 * Takes a copy of f, of which kind, array and count need not be set, and of
 * the array, or NULL. Two findings are one when cause, line, words, the other
 * access's line (or, without one, the column) and the array's name are the
 * same; an mbarrier's name does not count. There may be millions.
 */
void finding_add(struct findings *f, const struct trace_finding *found,
		 const struct trace_array *array);

/* A race of access and other, or that nothing orders their blocks. */
enum finding_cause finding_race(const struct finding_access *access,
				const struct finding_access *other);
/* An access of no array: address 0 to 4095 is taken for a null pointer. */
enum finding_cause finding_wild(uint64_t address);

/*
 * Copies all of them to info, whose table gets their arrays; nothing is added
 * afterwards. Code that trusts the lanes of a warp to be in step has a race for
 * every two of its lines: these become one, CAUSE_UNORDERED_LANES, where array
 * and barrier interval are the same, their lines overlap, and no race across
 * warps is there, too.
 */
void findings_take(struct findings *f, struct trace_info *info);
void findings_done(struct findings *f);

#endif
