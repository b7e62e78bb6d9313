/* timing_parts: what the files of timing share. */
#ifndef TIMING_TIMING_PARTS_H
#define TIMING_TIMING_PARTS_H

#include "timing/timing.h"

/* "timed", by enum timing_state. */
extern const char *const timing_state_names[];

/* One in which so many cases and sizes have room, with a result for each
 * pair of them. */
struct timing *timing_empty(size_t cases, size_t sizes);
/* Adds one, once the sizes are known; `what` is taken. */
void timing_add_case(struct timing *t, struct job_kernel *what);
struct timing_result *timing_result_at(const struct timing *t, size_t size,
				       size_t case_at);
/* Whose the newest sample is: an index of results. */
void timing_sampled(struct timing *t, size_t result);

#endif
