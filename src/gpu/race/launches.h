/*
 * launches: times the launches of a user's program. The recorder on the CPU
 * that is installed with this program runs it, confined as always, and stores
 * the data of each launch; each kernel is then compiled and timed in a process
 * of its own (snapshot_time.h).
 */
#ifndef GPU_RACE_LAUNCHES_H
#define GPU_RACE_LAUNCHES_H

#include <jansson.h>

#include "protocol/job.h"

/* Runs the job's program; what there is to time is then in the file *fd. The
 * members "program" and "launches" of the answer; NULL with e. */
json_t *launches_prepare(const struct job *job, int *fd,
			 bool (*heard)(uint64_t done, uint64_t of),
			 struct error *e);
/* Times the launches one after the other, and adds the figures of each to it.
 * Calls `heard` repeatedly with the number done, and of how many; when it
 * returns false, both functions stop. */
int launches_measure(json_t *answer, const struct job *job, int fd,
		  bool (*heard)(uint64_t done, uint64_t of), struct error *e);

#endif
