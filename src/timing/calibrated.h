/*
 * calibrated: what of the reader's own calibration.h others go by. What is of no
 * GPU in particular (what memory gives, what an SM holds) is of the GPU that the
 * reader has calibrated last; what was measured on some GPU stays with that.
 */
#ifndef TIMING_CALIBRATED_H
#define TIMING_CALIBRATED_H

#include "hardware/occupancy.h"

struct calibrated {
	char *gpu, *date;
	struct occupancy_arch arch;	/* its limits where they were asked */
};
/* Of the newest date; NULL: the reader has calibrated none. */
const struct calibrated *calibrated_last(void);
/* Gives an architecture the limits of the GPU that was calibrated last, if it
 * is of that architecture: then that GPU, else NULL. */
const struct calibrated *calibrated_arch(struct occupancy_arch *a);

#endif
