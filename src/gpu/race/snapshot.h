/*
 * snapshot: the data of a launch of a user's program, as stored by the recorder on
 * the CPU (protocol.h, "images"), copied to the GPU: the same bytes, with
 * pointers to their new addresses.
 */
#ifndef GPU_RACE_SNAPSHOT_H
#define GPU_RACE_SNAPSHOT_H

#include <jansson.h>
#include <sys/types.h>

#include "gpu/device/cuda.h"
#include "kernels/problem.h"
#include "trace/trace.h"

#define IMAGE_ARRAYS 1024
#define IMAGE_PARAMETERS 256

/* An array, or a variable of the device. */
struct snapshot_array {
	CUdeviceptr at;		/* what the kernel works on; 0: the module has
				   no such variable */
	CUdeviceptr first;	/* a copy of what it begins with; 0: nothing
				   changes it */
	uint64_t bytes;
	enum elem elem;
	bool variable, changed;
	bool pointers;		/* it holds some */
	off_t before, after;	/* in the file; `after` only if it changed */
};

struct snapshot {
	struct snapshot_array *arrays;	/* variables behind the arrays */
	size_t array_count, variable_count;
	void *parameters[IMAGE_PARAMETERS];	/* as cuLaunchKernel has them */
	size_t parameter_count;
	struct trace_dim grid, block, cluster;	/* cluster.x 0: as the kernel
						   says */
	uint32_t shared;
	bool cooperative;
};

/* Reads the header of an image that is in the file, and makes its arrays and,
 * in the module, its variables. -1 with e; snapshot_done() is due in any case. */
int snapshot_load(struct snapshot *i, const json_t *header, int fd, CUmodule module,
	       struct error *e);
void snapshot_done(struct snapshot *i);
/* Restores all that a launch changes; does not wait. */
int snapshot_restore(const struct snapshot *i, struct error *e);
/* Returns the current contents of an array; heap, NULL with e. */
void *snapshot_fetch(const struct snapshot_array *a, struct error *e);
/* Reads n bytes at `at` from the file; heap, NULL with e. */
void *snapshot_read(int fd, off_t at, uint64_t n, struct error *e);

#endif
