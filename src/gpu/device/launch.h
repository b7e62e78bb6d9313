/* launch: launches a kernel with the plan's grid, clusters and arguments. */
#ifndef GPU_DEVICE_LAUNCH_H
#define GPU_DEVICE_LAUNCH_H

#include "record/arguments.h"
#include "gpu/device/device.h"

/* A launch's arguments as the driver takes them: `list` points into the
 * others. */
struct launch_arguments {
	uint64_t values[ARGUMENTS_MOST][ARGUMENT_WORDS];
	CUtensorMap maps[ARGUMENTS_MOST];
	void *list[ARGUMENTS_MOST];
};

/* Set argument i: an array of rows x columns at `at`, or a value. EXIT_USAGE if
 * the array cannot be described by the tensor map that it should have. */
int launch_array(struct launch_arguments *to, int i, const struct argument *a,
		  CUdeviceptr at, int rows, int columns, struct error *e);
void launch_value(struct launch_arguments *to, int i,
		  const struct argument *a);

/* Lets the kernel's blocks have the shared memory that the plan gives them. */
int launch_shared(const struct plan *p, CUfunction f, struct error *e);
/* Gives a persistent kernel as many blocks as this GPU runs at once. */
int launch_spread(struct plan *p, const struct device *d, CUfunction f,
		  struct error *e);
/* Tests whether the kernel and this GPU can start a launch early: when the
 * blocks of the previous one have ended, not only when all that they wrote is
 * visible (programmatic dependent launch). */
bool launch_starts_early(const struct plan *p, const struct device *d);
/* Starts the kernel, early if so; does not wait. */
int launch_start(const struct plan *p, CUfunction f,
		 const struct launch_arguments *a, bool early,
		 struct error *e);

#endif
