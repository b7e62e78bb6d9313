/*
 * report_parts: what the files that print a report share.
 */
#ifndef ANALYSIS_REPORT_PARTS_H
#define ANALYSIS_REPORT_PARTS_H

#include "analysis/report.h"

/* A name, cut to the width of a column. */
char *report_name_cell(const char *name);
/* Prints words in lines of at most 80 columns; all but the first are
 * indented. */
void report_wrapped(const char *s, int indent, FILE *out);
json_t *report_site_json(const struct report_site *s);
json_t *report_totals_json(const struct report *r);
/* Prints the section on the launch's arguments; nothing if they are not
 * known. */
void report_arguments_print(const struct report *r, FILE *out);

#endif
