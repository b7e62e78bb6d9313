/*
 * timing_parts: what the files of src/timing share.
 */
#ifndef TIMING_TIMING_PARTS_H
#define TIMING_TIMING_PARTS_H

#include "timing/timing.h"

/* The names of the states, such as "timed", indexed by enum timing_state. */
extern const char *const timing_state_names[];

/* Makes a timing with room for `cases` and `sizes`, and a result for each
 * pair. */
struct timing *timing_empty(size_t cases, size_t sizes);
/* Adds a case, after the sizes are set; `what` is taken over. */
void timing_add_case(struct timing *t, struct job_kernel *what);
struct timing_result *timing_result_at(const struct timing *t, size_t size,
				       size_t case_at);
void timing_copy_machine(struct timing_machine *to,
			 const struct timing_machine *from);
/* Copies a result of another benchmark, with its samples, and says whose it
 * is. */
void timing_copy_result(struct timing_result *to, const struct timing *from,
			size_t size, size_t case_at);
/* Names in a merged timing's `date` and `from` those of its results. */
void timing_provenance(struct timing *t);
/* Records which result the newest sample belongs to, an index of results. */
void timing_sampled(struct timing *t, size_t result);

#endif
