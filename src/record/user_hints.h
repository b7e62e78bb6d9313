/*
 * user_hints: the values that the user sets for a kernel's parameters with --arg,
 * --array and --values.
 */
#ifndef RECORD_USER_HINTS_H
#define RECORD_USER_HINTS_H

#include "record/arguments.h"

/* Sets each element of a real, or of a vector of reals, to v. */
void argument_reals(struct argument *a, double v);
/* Tests for a vector of reals, such as a half2 or a float4. */
bool argument_is_vector(const struct debug_type *t);

/* Reads --arg's value of a parameter that is not an array; -1 with e. */
int user_hints_value(struct argument *a, const char *value, struct error *e);
/* Applies all that was said about the parameters; the plan is then held to no
 * problem. -1 with e (EXIT_USAGE) for a parameter that does not exist, or a
 * malformed value. */
int user_hints_read(struct plan *p, const struct debug_function *entry,
	       struct argument *arguments, int count, struct error *e);

#endif
