/*
 * report_machine: what the compiler made of the accesses, in a report.
 */
#ifndef ANALYSIS_REPORT_MACHINE_H
#define ANALYSIS_REPORT_MACHINE_H

#include "analysis/report.h"
#include "machine/machine.h"

/* Returns what the code's accesses come to that stand for a row of the report;
 * sum.name is heap. */
struct machine_sum report_machine_sum(const struct report *r,
				      const struct report_site *s);
/* Tests whether the row's counts as compiled are known and differ. */
bool report_machine_differs(const struct report_site *s,
			    const struct machine_sum *sum);
/* Prints which compiler it was, what it needs, and what merging changed; or why
 * that is not known. */
void report_machine_print(const struct report *r, FILE *out);
/* Returns the machine code as JSON; and the accesses of a row, null where they
 * are not known. */
json_t *report_machine_json(const struct report *r);
json_t *report_compiled_json(const struct report *r,
			     const struct report_site *s);
/* Returns the accesses of all instructions. */
json_t *report_accesses_json(const struct report *r);

#endif
