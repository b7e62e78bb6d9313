/*
 * launches: times the launches that a reader's program makes. The recorder on
 * the CPU beside this program runs it, confined as always, and writes down what
 * each launch works on; each kernel is then compiled and timed in a process of
 * its own (image_time.h).
 */
#ifndef GPU_LAUNCHES_H
#define GPU_LAUNCHES_H

#include <jansson.h>

#include "runner/job.h"

/* Runs the job's program; what there is to time is then in the file *fd. The
 * members "program" and "launches" of the answer; NULL with e. */
json_t *launches_prepare(const struct job *job, int *fd,
			 bool (*heard)(uint64_t done, uint64_t of),
			 struct error *e);
/* Times them, one after the other: the figures of each are added to it. `heard`
 * is told now and then how many are done, of how many; false from it ends
 * either. */
int launches_measure(json_t *answer, const struct job *job, int fd,
		  bool (*heard)(uint64_t done, uint64_t of), struct error *e);

#endif
