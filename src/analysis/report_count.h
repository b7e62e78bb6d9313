/*
 * report_count: the state in which a trace is counted. report.c counts,
 * report_findings.c judges what was counted.
 */
#ifndef ANALYSIS_REPORT_COUNT_H
#define ANALYSIS_REPORT_COUNT_H

#include "analysis/cost_memo.h"
#include "analysis/report.h"

/* The counts of one site, while the trace is counted. */
struct site_tally {
	struct report_site *row;	/* several sites may share a row */
	const struct trace_array *array;	/* NULL: a barrier */
	int64_t misaligned, divergent;
	uint32_t idle;			/* most lanes inactive in a request */
	struct trace_request *worst;	/* furthest above its ideal cost */
	int excess;			/* its cost above the ideal */
};

struct report_counter {
	struct trace *trace;
	const struct trace_info *info;
	const struct trace_kind *kind;	/* of the blocks being counted */
	struct site_tally *tallies;		/* one per site of the trace */
	struct cost_memo *memo;
	struct report_range *ranges;	/* per array; the report's */
	uint8_t **stored;		/* per array, a bit per element */
	/* A fault has stopped threads: what requests that lack lanes cost is
	 * counted, and not judged. */
	bool stopped;
	bool countable;			/* `stored` has every element stored */
};

/* Fills in the report's findings: those of the recorder, then those of the cost
 * model for each row of the report. */
void report_findings_make(const struct report_counter *c, struct report *r,
			  struct site_tally **rows);

#endif
