/*
 * scheduler: the state of a run that scheduler.c, budget.c and crash.c share.
 */
#ifndef EMU_SCHEDULER_H
#define EMU_SCHEDULER_H

#include <signal.h>

#include "emu/hooks.h"
#include "emu/launch.h"

/* The time between two progress reports to the interface. */
#define PROGRESS_SECONDS 0.2
/* Bytes that the events of one block may take. */
#define BLOCK_MEMORY_MOST (1ull << 30)

/* A run of the launch. */
struct launch_run {
	struct launch *launch;
	double deadline, report_at;
	uint64_t steps, steps_left;
	uint64_t blocks;
	uint32_t order[BLOCK_THREADS_MAX];
	uint64_t shuffle;
	/* Where a thread was when it was first seen that all have to stop; the
	 * thread itself may be gone since. */
	bool stopped;
	struct finding_access stopped_at;
	/* A crash or an idle loop, reported by the signal handlers. */
	volatile sig_atomic_t crashed;
	uintptr_t crash_pc, crash_address;
	/* steps and events when last checked */
	uint64_t seen_steps, seen_events;
};
extern struct launch_run run;

/* Returns how many events have been recorded. */
uint64_t events_done(void);
/* Stops the run: no thread goes on. */
void run_stop(enum launch_stop why);
/* Checks what is left of the limits; called now and then. */
void run_tick(void);

/* Returns the fibre of a thread of the current block. */
size_t fibre_of(const struct thread *t);
/* Marks a thread that a signal handler has taken away from its kernel. */
void thread_lost(struct thread *t);
/* Checks after every so many seconds of processor time whether the kernel makes
 * progress; 0: stops checking. */
void idle_watch(int seconds);

/* Tests whether an address is in threadIdx, blockIdx, blockDim or gridDim, which
 * the text may refer to by reference. */
bool is_index_word(uintptr_t address);
/* Returns whether threadIdx, blockIdx, blockDim or gridDim is at this address:
 * they are no memory. */
bool is_own_index(uintptr_t address);

/* ---- for blocks that take turns (parked_blocks.c), in clusters of one ---- */

/* Starts a block, runs it until it has ended (false: it waits for others), and
 * ends it. */
void scheduler_begin(uint32_t block, bool record);
bool scheduler_go(void);
void scheduler_end(void);
/* Makes rec.blocks[0], which has been put back, the current block; starts its
 * turn; lets its threads pass a barrier. */
void scheduler_use(void);
void scheduler_turn(void);
void scheduler_barrier(void);
/* Returns whether a thread that spins has gone on. */
bool scheduler_spins(void);
/* Frees the threads of a block. */
void threads_drop(struct thread *list, uint32_t count);

#endif
