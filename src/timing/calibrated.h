/*
 * calibrated: the figures of the user's own calibration.h that other parts use.
 * Figures that belong to no GPU in particular (bandwidths, the limits of an SM)
 * are those of the GPU that the user calibrated last; what was measured on some
 * GPU stays with that GPU.
 */
#ifndef TIMING_CALIBRATED_H
#define TIMING_CALIBRATED_H

#include "hardware/occupancy.h"

struct calibrated {
	char *gpu, *date;
	struct occupancy_arch arch;	/* its limits where they were asked */
};
/* Returns the newest calibration; NULL when the user has made none. */
const struct calibrated *calibrated_last(void);
/* Gives an architecture the limits of the GPU that was calibrated last, if it
 * is of that architecture: then that GPU, else NULL. */
const struct calibrated *calibrated_arch(struct occupancy_arch *a);

#endif
