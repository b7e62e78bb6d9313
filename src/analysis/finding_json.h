/*
 * finding_json: a recorder's finding for programs.
 */
#ifndef ANALYSIS_FINDING_JSON_H
#define ANALYSIS_FINDING_JSON_H

#include <jansson.h>

#include "trace/finding.h"

/*
 * Adds to an object what the finding has, null where it has it not:
 *
 *	cause		finding.h has the words
 *	column, count	of threads and times
 *	array, element	name; indices by its dimensions, the first of which
 *			may be outside
 *	access, other	op ("ld", "st"; null where no memory is accessed),
 *			bytes, line, column, block and thread, [x, y, z] each
 *	word, other_word	what each is at ("__syncwarp")
 *	numbers		by the names that finding.h gives to them
 *	expected, got	of a result
 *
 * Of a trace that has the text alone nothing is added.
 */
void finding_json_add(json_t *to, const struct trace_info *info,
		      const struct trace_finding *f);

#endif
