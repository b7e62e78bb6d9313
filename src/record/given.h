/*
 * given: what a reader says of a kernel's parameters with --arg, --array and
 * --values.
 */
#ifndef RECORD_GIVEN_H
#define RECORD_GIVEN_H

#include "record/arguments.h"

/* Each element of a real, or of a vector of reals, becomes v. */
void argument_reals(struct argument *a, double v);
/* A vector of reals, such as a half2 or a float4. */
bool argument_is_vector(const struct debug_type *t);

/* --arg's value of a parameter that is no array; -1 with e. */
int given_value(struct argument *a, const char *value, struct error *e);
/* All that was said of the parameters; the plan is then held to no problem.
 * -1 with e (EXIT_USAGE): of one that there is none of, or nonsense. */
int given_read(struct plan *p, const struct debug_function *entry,
	       struct argument *arguments, int count, struct error *e);

#endif
