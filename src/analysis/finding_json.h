/*
 * finding_json: a recorder's finding as JSON, for programs.
 */
#ifndef ANALYSIS_FINDING_JSON_H
#define ANALYSIS_FINDING_JSON_H

#include <jansson.h>

#include "trace/finding.h"

/*
 * Adds a finding's members to an object; a member that the finding does not
 * have is null:
 *
 *	cause		as a word, see finding.h
 *	column, count	of the access; of threads and times
 *	array, element	the array's name; the element's indices, of which the
 *			first may be out of bounds
 *	access, other	op ("ld", "st"; null for other than memory accesses),
 *			bytes, line, column, block and thread, [x, y, z] each
 *	word, other_word	the operation of each ("__syncwarp")
 *	numbers		under the names that finding.h gives them
 *	expected, got	values of a wrong result
 *
 * Nothing is added for a finding that only has text (TOLD).
 */
void finding_json_add(json_t *to, const struct trace_info *info,
		      const struct trace_finding *f);

#endif
