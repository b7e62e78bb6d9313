/* fake_calibrate: a GPU that is calibrated, without one. See
 * fake_calibrate.c. */
#ifndef FAKE_CALIBRATE_H
#define FAKE_CALIBRATE_H

#include <stdbool.h>

/* Does what a kernel of calibrate.cu leaves, and says what it takes; false:
 * the kernel is none of them. */
bool fake_calibrate(const char *name, unsigned grid, unsigned block, void **a,
		    double *seconds);

/* Lets seconds pass on the GPU's clock: what a launch would have taken. Defined
 * in fake_cuda.c. */
void fake_spend(double seconds);

#endif
