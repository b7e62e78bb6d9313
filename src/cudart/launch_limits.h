/*
 * launch_limits: what a launch may ask for.
 */
#ifndef CUDART_LAUNCH_LIMITS_H
#define CUDART_LAUNCH_LIMITS_H

#include "cudart/program.h"

/* Checks a launch's dimensions and its shared memory. Returns CUDA's error after
 * reporting which limit was passed, with what was asked for; 0: all fits. */
int launch_limits(const struct launch_config *c,
		  const struct program_kernel *k);
/* Returns the bytes of dynamic shared memory that a launch of the kernel may
 * have. */
uint64_t launch_shared_most(const struct program_kernel *k);

#endif
