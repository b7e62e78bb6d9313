/*
 * program_failing: lets one call of a program fail that could fail on a GPU, to
 * see whether the program notices: an allocation, a copy or a launch.
 */
#ifndef CUDART_PROGRAM_FAILING_H
#define CUDART_PROGRAM_FAILING_H

#include "cudart/program.h"

/* Counts a call; returns whether it is the one that must fail (job_program.fail),
 * with this error. */
bool failing_call(const char *what, struct place at, int error);
/* Returns the summary's "failing": how many calls there were, and which one
 * failed. */
json_t *failing_json(void);

#endif
