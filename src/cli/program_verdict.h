/*
 * program_verdict: the verdict on a program: its launches, what its host does,
 * and how it ended.
 */
#ifndef CLI_PROGRAM_VERDICT_H
#define CLI_PROGRAM_VERDICT_H

#include <jansson.h>

#include "analysis/verdict.h"

/* Judges the host's code and the program's end; right without words if there is
 * nothing to say. */
struct verdict program_host_verdict(const json_t *summary);
/* Joins the verdicts on the recorded launches with one on the host's code,
 * from the program's summary (protocol.h). */
struct verdict program_verdict(const json_t *summary,
			       struct trace *const *traces, size_t count);
/* Returns the exit status of a command: EXIT_CHECK for wrong, and for not
 * judged if `required`. */
int verdict_status(const struct verdict *v, bool required);
/* Adds "verdict" and "verdict_why" to an object, which it returns. */
json_t *verdict_json_add(json_t *o, const struct verdict *v);

#endif
