/*
 * host_thread: threads of a program's host, which the sandbox does not let be
 * real: coroutines that take turns, each with its own stack and thread-local
 * variables. One runs until it waits or ends; now and then a timer gives
 * another a turn in the middle of the program's own code, which may spin.
 * host_pthread.c has POSIX's functions, host_team.c those of OpenMP.
 */
#ifndef CUDART_HOST_THREAD_H
#define CUDART_HOST_THREAD_H

#include "base/base.h"

struct team;

struct host_thread {
	void *(*start)(void *);
	void *with, *result;
	bool ended, detached, joined;
	/* The thread that waits for host_apart(); NULL: none does. */
	struct host_thread *caller;
	/* For OpenMP: its team, its number there, and the first work-sharing
	 * construct of the team that it has not reached. */
	struct team *team;
	uint32_t number, work;
	void **specific;	/* by pthread_key_t */
	void (*keys_ending)(void);	/* of those; NULL: there are none */
	struct host_state *state;
};

/* The running thread; at first main()'s. */
extern struct host_thread *host_now;

/* Creates a thread, which first runs when others wait; NULL: out of memory. */
struct host_thread *host_thread_new(void *(*start)(void *), void *with);
/* Switches to thread t at once. */
void host_thread_run(struct host_thread *t);
/* Calls f(with) on a stack of its own, as part of the calling thread. Returns
 * when f has returned, or has called host_aside(). */
void host_apart(void (*f)(void *with), void *with);
/* Returns from the host_apart() that the caller runs in, and continues here
 * when `over` returns true. */
void host_aside(bool (*over)(const void *on), const void *on);
/* Returns whether a thread (struct host_thread) has ended. */
bool host_has_ended(const void *thread);
/* Frees a thread that has ended. */
void host_thread_free(struct host_thread *t);
/* Return whether main()'s thread is running; whether all others have ended. */
bool host_thread_is_main(void);
bool host_all_ended(const void *nothing);
/* Ends the running thread. */
_Noreturn void host_thread_end(void *result);
/* Yields to other threads until `over` returns true; ends the program if it
 * never can. */
void host_wait(bool (*over)(const void *on), const void *on);
/* Waits as host_wait(), but at most until a time of seconds_now(); returns
 * over(on). */
bool host_wait_until(bool (*over)(const void *on), const void *on,
		     double until);
/* Yields to the next thread that can run. */
void host_yield(void);

/* Start and stop threads: before main(), when no more modules can be loaded,
 * and after it. */
void host_threads_begin(void);
void host_threads_end(void);
/* Calls the running thread's destructors: those of thread-local objects, then
 * host_keys_ending(). */
void host_thread_ending(void);
/* The end of the stack that this address is in; `other`: it is in none. */
uintptr_t host_stack_end(uintptr_t at, uintptr_t other);

/* Returns whether a signal with this context interrupted the program's own
 * code, and no function of the recorder or of a library is incomplete. */
bool host_is_between(const void *context);

#endif
