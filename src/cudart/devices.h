/*
 * devices: the GPUs that a program sees, which one is current, and which
 * device's kernels may use which device's memory (CUDA C++ Programming Guide,
 * "Multi-Device System").
 */
#ifndef CUDART_DEVICES_H
#define CUDART_DEVICES_H

#include "cudart/device_memory.h"
#include "protocol/job.h"

struct devices {
	uint32_t count;
	/* The host's current device; while a kernel runs, the kernel's. */
	uint32_t current;
	/* [a][b]: what runs on a may use b's memory. */
	bool enabled[DEVICES_MOST][DEVICES_MOST];
};
extern struct devices devices;

/* Returns whether the program has a device of this number. */
bool device_is(int device);
/* Makes a device current, with its own copies of the program's __device__ and
 * __constant__ variables. */
void device_use(uint32_t device);
/* Returns whether kernels and copies on a device may use an allocation. */
bool device_may_use(uint32_t device, const struct allocation *a);
/* Returns whether a device may use another device's memory (peer access). */
bool device_has_peers(uint32_t device);

/* Find the variables, before the program begins; return whether one is at an
 * address; swap the values of device `from` for those of `to`. In
 * device_variables.c. */
void device_variables_keep(void);
bool device_has_variable(const void *p);
/* Returns whether a __managed__ variable is at an address. */
bool device_has_managed(const void *p);
void device_variables_swap(uint32_t from, uint32_t to);

#endif
