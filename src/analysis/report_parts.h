/*
 * report_parts: what the files that print a report share.
 */
#ifndef ANALYSIS_REPORT_PARTS_H
#define ANALYSIS_REPORT_PARTS_H

#include "analysis/report.h"

/* A name, cut to the width of a column. */
char *report_name_cell(const char *name);
/* The section on the launch's arguments; nothing if they are not known. */
void report_arguments_print(const struct report *r, FILE *out);

#endif
