/*
 * devices: the GPUs that a program is told of, which of them is the current one,
 * and whose kernels may use whose memory (CUDA C++ Programming Guide,
 * "Multi-Device System").
 */
#ifndef EMU_DEVICES_H
#define EMU_DEVICES_H

#include "emu/device_memory.h"
#include "runner/job.h"

struct devices {
	uint32_t count;
	/* Of the host, which has one thread; while a kernel runs, its own. */
	uint32_t current;
	/* [a][b]: what runs on a may use b's memory. */
	bool enabled[DEVICES_MOST][DEVICES_MOST];
};
extern struct devices devices;

/* Whether the program has a device of this number. */
bool device_is(int device);
/* Makes it the current one, with its own copies of the program's __device__ and
 * __constant__ variables. */
void device_use(uint32_t device);
/* Whether what runs on a device may use an allocation. */
bool device_may_use(uint32_t device, const struct allocation *a);
/* Whether kernels of a device may use another's memory. */
bool device_has_peers(uint32_t device);

/* device_variables.c: finds the variables, before the program begins; whether one
 * is at an address; puts those of another device where the program has them. */
void device_variables_keep(void);
bool device_has_variable(const void *p);
void device_variables_swap(uint32_t from, uint32_t to);

#endif
