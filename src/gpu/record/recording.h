/*
 * recording: records one launch of one kernel on the GPU, from the job to the
 * trace: runs the kernel's PTX with recording code in it, as often as needed,
 * since events are kept in the GPU's memory. A first run counts them, so that
 * each thread gets the room that it needs.
 */
#ifndef GPU_RECORD_RECORDING_H
#define GPU_RECORD_RECORDING_H

#include "protocol/job.h"
#include "gpu/device/device.h"

/* Records the job, which it takes over, on GPU d, whose context must be
 * current; the trace goes to fd. -1 with e; *lost is set if the process can no
 * longer use the GPU (a fault, a kernel that hangs). */
int recording_make(struct job *job, const struct device *d, int fd,
		   bool *lost, struct error *e);
/* Launches once without recording code: the unoptimized build, or with
 * "optimized" the one that is timed. */
int recording_plain(struct job *job, const struct device *d,
		    struct error *e);

#endif
