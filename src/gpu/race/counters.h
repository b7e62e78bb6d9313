/*
 * counters: the hardware counters of one launch, measured with Nsight Compute
 * (ncu), which runs this program once more as `gemmviz-gpu --launch FILE`.
 *
 * In the unoptimized build the accesses are those of the source; in the
 * optimized build, which is the one that is timed, the compiler may have merged
 * some.
 */
#ifndef GPU_RACE_COUNTERS_H
#define GPU_RACE_COUNTERS_H

#include <jansson.h>

#include "protocol/job.h"
#include "gpu/device/device.h"

/*
 * Members: global_load_requests, global_load_sectors, global_store_requests,
 * global_store_sectors, shared_load_instructions, shared_load_wavefronts,
 * shared_store_instructions, shared_store_wavefronts; l1_wavefronts, those of
 * the data path of L1 and shared memory, whoever uses it; l2_read_bytes and
 * l2_write_bytes, between L1 and L2; dram_bytes; issue_busy, fma_busy,
 * tensor_busy, l1_busy, l2_busy, dram_busy, which part of what the unit could
 * have done in the time it did; seconds. cuBLAS's are of all that it launches.
 * NULL with e when they cannot be read: no ncu, no permission (EXIT_RUNNER).
 */
json_t *counters_read(const struct job *job, struct error *e);

/* Runs the job in the file once, under ncu. Returns the exit status. */
int counters_launch(const char *path);

#endif
