/*
 * finding_text: a recorder's finding in words.
 */
#ifndef ANALYSIS_FINDING_TEXT_H
#define ANALYSIS_FINDING_TEXT_H

#include "trace/finding.h"

/* Returns the finding as one clean line in the reader's language; the caller
 * frees it. */
char *finding_text(const struct trace_info *info,
		   const struct trace_finding *f);

/* Computes the indices of the element at a byte offset. The first index may be
 * out of bounds; the others are in range. */
void finding_element(const struct trace_array *a, int64_t offset,
		     int64_t index[TRACE_MAX_RANK]);

/* Returns the name of a kind of finding, one of finding_name() or of a report's
 * own ("bank-conflict"), in the language in use; NULL where that is the kind
 * itself. */
const char *finding_title(const char *kind);
/* Returns the kind with its name, as a report prints it: "race" in English, and
 * "NAME (race)" else; heap. */
char *finding_heading(const char *kind);

#endif
