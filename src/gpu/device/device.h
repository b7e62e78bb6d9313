/*
 * device: the GPU that this process uses, the first that CUDA shows, and the
 * properties that the driver reports.
 */
#ifndef GPU_DEVICE_DEVICE_H
#define GPU_DEVICE_DEVICE_H

#include <jansson.h>

#include "kernels/kernels.h"
#include "gpu/device/cuda.h"

struct device {
	CUdevice device;
	CUcontext context;	/* NULL before device_begin() */
	char name[256];
	char uuid[64];		/* "GPU-..." */
	int major, minor;	/* compute capability */
};

/* Finds the GPU; makes no context. EXIT_GPU: there is none. */
int device_open(struct device *d, struct error *e);
/* Makes the primary context current. */
int device_begin(struct device *d, struct error *e);
/* Checks that the GPU can run a kernel of the table (NULL for other kernels);
 * -1 with e (EXIT_USAGE) when it is too old or too new. */
int device_suits(const struct device *d, const struct kernel *k,
		 struct error *e);
/* Returns an attribute's value, or NA. */
int device_attribute(const struct device *d, CUdevice_attribute a);
/* Returns the bandwidth of its memory in gigabytes (1e9) a second, or NA. */
double device_bandwidth(const struct device *d);
/* Return the members of "machine" and of "gauge" (protocol.h, timing.h). */
json_t *device_machine(const struct device *d);
json_t *device_gauge(const struct device *d);
/* Returns the clock of the SMs in MHz, now; NA when not known. */
double device_clock(const struct device *d);

#endif
