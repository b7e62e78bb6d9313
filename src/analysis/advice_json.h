/*
 * advice_json: advice as JSON, for programs.
 */
#ifndef ANALYSIS_ADVICE_JSON_H
#define ANALYSIS_ADVICE_JSON_H

#include <jansson.h>

#include "analysis/advice.h"

/* The list as JSON: "kind", "line", "column", "array", "from", "to",
 * "counts" [{"unit", "before", "after"}], "text", and "tried" {"after",
 * "answer"} or null, where an answer is "unchecked", "right", "wrong" or
 * "still-wrong". */
json_t *advice_json(const struct trace_info *info,
		    const struct advice_list *l);

#endif
