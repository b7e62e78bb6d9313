/*
 * host_wrap: functions of the C library that a program's host gets from here:
 * its calls are wrapped when it is linked.
 */
#ifndef CUDART_HOST_HOST_WRAP_H
#define CUDART_HOST_HOST_WRAP_H

#include <time.h>

#include "cudart/host_thread.h"

#define WRAP(type, name, ...) \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

/* The C++ library calls these by their own names. */
#define WRAP_FOR_LIBRARY(type, name, parameters, arguments) \
	type name parameters \
	{ \
		return __wrap_##name arguments; \
	}

/* Converts a time of a clock to a time of seconds_now(). */
double host_moment(clockid_t clock, const struct timespec *t);

#endif
