/*
 * recording: one launch of one kernel on the GPU, from the job to the
 * trace: the kernel's PTX with recording code in it, run as often as the
 * events need, since they are kept in the GPU's memory. A first run counts
 * them, so that each thread gets the room that it needs.
 */
#ifndef GPU_RECORDING_H
#define GPU_RECORDING_H

#include "runner/job.h"
#include "gpu/device.h"

/*
 * Takes the job over. The GPU is d, whose context is current. Trace to
 * fd. -1 with e; *lost is set when the process can use the
 * GPU no more (a fault, a kernel that hangs).
 */
int recording_make(struct job *job, const struct device *d, int fd,
		   bool *lost, struct error *e);
/* One launch without recording code: of the unoptimized build, or with
 * "optimized" of the one that is timed. */
int recording_plain(struct job *job, const struct device *d,
		    struct error *e);

#endif
