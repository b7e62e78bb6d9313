/*
 * host_wrap: what a program's host calls of the C library, and gets from here:
 * its own calls are wrapped when it is linked.
 */
#ifndef EMU_HOST_WRAP_H
#define EMU_HOST_WRAP_H

#include <time.h>

#include "emu/host_thread.h"

#define WRAP(type, name, ...) \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

/* The C++ library calls these by their own names. */
#define WRAP_FOR_LIBRARY(type, name, parameters, arguments) \
	type name parameters \
	{ \
		return __wrap_##name arguments; \
	}

/* The moment of seconds_now() that a time of the clock is. */
double host_moment(clockid_t clock, const struct timespec *t);

#endif
