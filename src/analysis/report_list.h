/*
 * report_list: findings and advice as one list, by severity: wrong results,
 * races and bad accesses, other faults; then what costs, by its share of the
 * whole kernel's cost; then what an SM holds; notes last.
 */
#ifndef ANALYSIS_REPORT_LIST_H
#define ANALYSIS_REPORT_LIST_H

#include "analysis/report.h"

/* An entry: one of both is NULL. */
struct report_entry {
	const struct report_finding *finding;
	const struct advice *advice;
	int rank;		/* 0: the most severe */
	double share;		/* of the kernel's cost; < 0: n/a */
};

/* Returns the entries in their order; the caller frees them. */
struct report_entry *report_list(const struct report *r, size_t *count);
/* Puts the report's findings into that order, and sets their shares. */
void report_findings_sort(struct report *r);
/* Returns what an advice saves, as a share of the kernel's cost; < 0: n/a. */
double report_advice_share(const struct report *r, const struct advice *a);
/* Prints the list as a section. */
void report_list_print(const struct report *r, FILE *out);

#endif
