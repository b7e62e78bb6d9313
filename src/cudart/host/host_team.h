/*
 * host_team: teams of OpenMP threads. See host_team.c.
 */
#ifndef CUDART_HOST_HOST_TEAM_H
#define CUDART_HOST_HOST_TEAM_H

#include "cudart/host_thread.h"

/* The number of processors that OpenMP programs see, on any machine. */
#define HOST_PROCESSORS 4
#define HOST_TEAM_MOST 1024

struct work;

struct team {
	struct team *outer;
	uint32_t outer_number, outer_work;
	uint32_t count, level, active;	/* regions around; those of several */
	uint32_t come, round;		/* at its barrier */
	struct work *works;
	size_t work_count, work_capacity;
	void (*body)(void *);
	void *data;
};

/* OpenMP settings, as the program has set them. */
extern struct host_omp {
	uint32_t threads;		/* of the next team */
	bool dynamic;
	uint32_t levels;		/* of teams of several */
	int schedule, chunk;
} host_omp;

struct critical { bool taken; };
/* Waits until a critical section or lock is free, and takes it. */
void host_critical_enter(struct critical *c);

#endif
