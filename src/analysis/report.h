/*
 * report: the counts of a whole trace, per access site and in total.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <jansson.h>

#include "analysis/advice.h"
#include "analysis/verdict.h"
#include "hardware/access.h"
#include "kernels/problem.h"

/* The counts of one site, summed over the recorded requests; NA where a count
 * does not apply. */
struct report_site {
	uint32_t line, column;
	char array[64];			/* name, clean, cut to fit */
	enum space space;
	enum op op;
	const char *word;		/* trace_site_word() */
	uint32_t bytes;
	int64_t requests;
	uint32_t warps;			/* bit w: warp w of a block made
					   requests */
	int64_t sectors, ideal_sectors;			/* global */
	int64_t wavefronts, ideal_wavefronts;		/* shared */
	int max_way;					/* shared */
	int64_t passes;			/* constant; ideal: one a request */
};

/*
 * One finding of the recorder or of the cost model ("misaligned",
 * "bank-conflict", "uncoalesced", "serialized", "divergent"), in the order of
 * report_list.h.
 */
struct report_finding {
	const char *kind;
	uint32_t line;			/* 0: no line */
	char *text;
	const struct trace_finding *of;	/* NULL: found by the cost model, */
	const struct report_site *site;	/* at this site; else NULL */
	/* The launch that `of` is of: another than the report's, if it was found
	 * at the second size; NULL: the report's. */
	const struct trace_info *second;
	bool not_meant;	/* at a size that is not meant: a note */
	double share;	/* of the kernel's cost that it adds; < 0: n/a */
};

/* The elements of an array from the first to the last that was accessed. */
struct report_range {
	uint64_t first, end;	/* end 0: none was */
	bool known;	/* false: boxes of TMA have more than is listed */
};

/* The blocks of the launch, how many of them were recorded, and the first of
 * these. */
struct report_blocks {
	uint64_t of, count;
	uint32_t first[4];
};

struct machine_launch;

struct report {
	const struct trace_info *info;	/* borrowed */
	struct report_blocks blocks;
	struct report_range *ranges;	/* one for each array of the trace */
	const struct problem *problem;	/* what the kernel computes */
	bool checked;			/* its result was compared, and right */
	char *answer;			/* how, or why not; translated */
	struct verdict verdict;		/* at all sizes */
	struct sizes_tried tried;	/* borrowed */
	struct report_site *sites;	/* sorted by line, column, op, array */
	size_t site_count;
	struct report_finding *findings;
	size_t finding_count;
	/* Totals; NA when the space was not recorded. */
	int64_t global_load_requests, global_load_sectors;
	int64_t global_store_requests, global_store_sectors;
	int64_t shared_load_wavefronts, shared_store_wavefronts;
	int64_t constant_load_requests, constant_load_passes;
	int64_t flops;			/* FLOP of the problem; for a partial
					   recording, of the elements stored */
	int64_t bytes_global;		/* 32 * sectors of loads and stores,
					   plus TMA boxes */
	double intensity;		/* arithmetic intensity, flops /
					   bytes_global; < 0: n/a */
	/* The hardware's counters, with members as in src/gpu/race/counters.h, or
	 * NULL; borrowed. */
	const json_t *counters;
	const struct advice_list *advice;	/* or NULL; borrowed */
	/* What the compiler made of it, or why that is not known (both NULL: it
	 * was not asked); borrowed. */
	const struct machine_launch *machine;
	const char *machine_missing;
};

int report_build(struct trace *t, struct report *r, struct error *e);
/* Builds the report of a launch that was tried at these sizes. */
int report_build_tried(struct trace *t, const struct sizes_tried *s,
		       struct report *r, struct error *e);
void report_done(struct report *r);
json_t *report_json(const struct report *r);
/* Prints a verdict as a line, or several of 80 columns. */
void report_verdict_print(const struct verdict *v, FILE *out);
/* Prints the report for people, 80 columns wide; first its verdict. */
void report_print(const struct report *r, FILE *out);

#endif
