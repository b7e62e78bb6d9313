/*
 * report: a whole trace counted, per access site and in total.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <jansson.h>

#include "hardware/access.h"
#include "kernels/problem.h"

/* Counts are sums over the recorded requests; NA where not applicable. */
struct report_site {
	uint32_t line, column;
	char array[64];			/* cleaned, cut */
	enum space space;
	enum op op;
	const char *word;		/* trace_site_word() */
	uint32_t bytes;
	int64_t requests;
	uint32_t warps;			/* of a block, that made them: a bit
					   each */
	int64_t sectors, ideal_sectors;			/* global */
	int64_t wavefronts, ideal_wavefronts;		/* shared */
	int max_way;					/* shared */
};

/* recorder's findings, then the model's: "misaligned", "bank-conflict",
 * "uncoalesced", "divergent", each in the order of the sites. */
struct report_finding {
	const char *kind;
	uint32_t line;			/* 0: none */
	char *text;
	const struct trace_finding *of;	/* NULL: the model's */
};

struct report {
	const struct trace_info *info;	/* borrowed */
	const struct problem *problem;	/* what the kernel computes */
	bool checked;			/* its answer was compared */
	const char *check;		/* how, or why not; English, N_() */
	struct report_site *sites;	/* by line, column, op, array */
	size_t site_count;
	struct report_finding *findings;
	size_t finding_count;
	/* NA when the space was not recorded. */
	int64_t global_load_requests, global_load_sectors;
	int64_t global_store_requests, global_store_sectors;
	int64_t shared_load_wavefronts, shared_store_wavefronts;
	int64_t flops;			/* the problem's; of a partial launch
					   those of the elements stored */
	int64_t bytes_global;		/* 32 * sectors, loads and stores, and
					   boxes */
	double intensity;		/* flops / bytes_global; < 0: n/a */
	/* What the hardware counted, members as in src/gpu/counters.h, or
	 * NULL; borrowed. */
	const json_t *counters;
};

int report_build(struct trace *t, struct report *r, struct error *e);
void report_done(struct report *r);
json_t *report_json(const struct report *r);
/* For people, 80 columns. */
void report_print(const struct report *r, FILE *out);

#endif
