/*
 * counters: what the hardware counted for one launch, asked of Nsight Compute
 * (ncu), which runs this program once more as `gemmviz-gpu --launch FILE`.
 *
 * The unoptimized build is the one whose accesses are the source's; what the
 * compiler merges, the optimized one, which is the one that is timed, has
 * merged.
 */
#ifndef GPU_COUNTERS_H
#define GPU_COUNTERS_H

#include <jansson.h>

#include "runner/job.h"
#include "gpu/device.h"

/*
 * Members: global_load_requests, global_load_sectors, global_store_requests,
 * global_store_sectors, shared_load_instructions, shared_load_wavefronts,
 * shared_store_instructions, shared_store_wavefronts, dram_bytes, seconds.
 * NULL with e when they cannot be read: no ncu, no permission (EXIT_RUNNER).
 */
json_t *counters_read(const struct job *job, struct error *e);

/* The program that ncu watches: does the job in the file,
 * once. Its exit status. */
int counters_launch(const char *path);

#endif
