/*
 * scheduler: the state of a run that scheduler.c, budget.c and crash.c share.
 */
#ifndef EMU_SCHEDULER_H
#define EMU_SCHEDULER_H

#include <signal.h>

#include "emu/hooks.h"
#include "emu/launch.h"

/* Between two words to the interface of how far a run is. */
#define PROGRESS_SECONDS 0.2

/* A run of the launch. */
struct run {
	struct launch *launch;
	double deadline, report_at;
	uint64_t steps, steps_left;
	uint64_t blocks;
	uint32_t order[BLOCK_THREADS_MAX];
	uint64_t shuffle;
	const struct thread *stopped_in;
	bool stopped_alone;	/* it made most of the events */
	/* A crash or an idle loop, told by the signal handlers. */
	volatile sig_atomic_t crashed;
	uintptr_t crash_pc, crash_address;
	/* How far it was when last looked at. */
	uint64_t seen_steps, seen_events;
};
extern struct run run;

/* Events that have been recorded. */
uint64_t events_done(void);
/* No thread goes on. */
void run_stop(enum launch_stop why);
/* Called now and then: looks at what is left. */
void run_tick(void);

/* The fibre of a thread of the block in turn. */
size_t fibre_of(const struct thread *t);
/* A signal handler has taken the thread from the kernel. */
void thread_lost(struct thread *t);
/* Every so many seconds of processor time, looks whether the kernel does
 * anything; 0: no more. */
void idle_watch(int seconds);

#endif
