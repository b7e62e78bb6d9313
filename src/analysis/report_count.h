/*
 * report_count: a trace while it is counted: report.c counts, and
 * report_findings.c judges what was counted.
 */
#ifndef ANALYSIS_REPORT_COUNT_H
#define ANALYSIS_REPORT_COUNT_H

#include "analysis/report.h"

#define MEMO_SLOTS 4096

struct memo_key {
	uint32_t site, mask, alignment;
	uint32_t lane[WARP_LANES];	/* bytes from the first active lane */
};

struct memo_slot {
	struct memo_key key;		/* mask 0: empty */
	int status;			/* of access_cost() */
	struct access_cost cost;
};

/* What is known of one site while counting. */
struct tally {
	struct report_site *row;	/* several sites may share one */
	const struct trace_array *array;	/* NULL: barrier */
	int64_t misaligned, divergent;
	uint32_t idle;			/* the most lanes that sat out at once */
	struct trace_request *worst;	/* costs most over what would do */
	int excess;			/* by so much */
};

struct counter {
	struct trace *trace;
	const struct trace_info *info;
	struct tally *tallies;		/* per site of the trace */
	struct memo_slot *memo;
	uint8_t **stored;		/* per array: a bit per element */
	bool countable;			/* all of `stored` could be kept */
	struct memo_slot direct;	/* for a request without a key */
};

/* The recorder's findings, and the model's of each row of the report. */
void report_findings_make(const struct counter *c, struct report *r,
			  struct tally **rows);

#endif
