/*
 * calibrate: measures this GPU's memory, banks, launches and clocks with the
 * kernels of calibrate.cu, by their SM's clock and by events; no privilege is
 * needed. protocol.h, "calibrate", has the answer's members.
 */
#ifndef GPU_CALIBRATE_CALIBRATE_H
#define GPU_CALIBRATE_CALIBRATE_H

#include <jansson.h>

#include "protocol/job.h"
#include "gpu/device/device.h"

/* Measures; the members of the answer. `goes_on` is told how many steps of how
 * many are done, and says false to end it. NULL with e: it failed, was ended,
 * or the job's patterns are none (EXIT_USAGE). */
json_t *calibrate_run(const struct job *job, const struct device *device,
		      bool (*goes_on)(uint64_t done, uint64_t of),
		      struct error *e);

#endif
