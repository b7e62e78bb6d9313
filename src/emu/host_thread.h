/*
 * host_thread: the threads of a program's host, which the sandbox lets none be:
 * coroutines that take turns, each with its own stack and thread-local
 * variables. One goes on until it waits or ends; now and then another has its
 * turn in the midst of the program's own code, where that may spin.
 * host_pthread.c has POSIX's functions, host_team.c those of OpenMP.
 */
#ifndef EMU_HOST_THREAD_H
#define EMU_HOST_THREAD_H

#include "base/base.h"

struct team;

struct host_thread {
	void *(*start)(void *);
	void *with, *result;
	bool ended, detached, joined;
	/* Who waits for host_apart(); NULL: nobody does. */
	struct host_thread *caller;
	/* Of OpenMP: the team that it is in, its number there, and the first
	 * of the team's works that it has not come to. */
	struct team *team;
	uint32_t number, work;
	void **specific;	/* by pthread_key_t */
	void (*keys_ending)(void);	/* of those; NULL: there are none */
	struct host_state *state;
};

/* The thread that runs: at first main()'s. */
extern struct host_thread *host_now;

/* Makes a thread, which has its turn when others wait; NULL: no memory. */
struct host_thread *host_thread_new(void *(*start)(void *), void *with);
/* Has it run at once. */
void host_thread_run(struct host_thread *t);
/* Does f(with) on a stack of its own, as the thread that calls; returns when
 * that has ended, or was put aside. */
void host_apart(void (*f)(void *with), void *with);
/* Puts what runs so aside until it is over, while its caller goes on. */
void host_aside(bool (*over)(const void *on), const void *on);
/* Whether it has ended; frees one that has. */
bool host_has_ended(const void *thread);
void host_thread_free(struct host_thread *t);
/* Whether main()'s runs, and all others have ended. */
bool host_thread_is_main(void);
bool host_all_ended(const void *nothing);
/* Ends the one that runs. */
_Noreturn void host_thread_end(void *result);
/* Others have their turns until it is over; the program ends if it never
 * can be. */
void host_wait(bool (*over)(const void *on), const void *on);
/* The same until a moment of seconds_now(); false: it is not over then. */
bool host_wait_until(bool (*over)(const void *on), const void *on,
		     double until);
/* Others have their turns. */
void host_yield(void);

/* Before main(), when nothing more can be loaded; after it. */
void host_threads_begin(void);
void host_threads_end(void);
/* What is called when the thread that runs ends. */
void host_thread_ending(void);
/* The end of the stack that this address is in; `other`: it is in none. */
uintptr_t host_stack_end(uintptr_t at, uintptr_t other);

/* Whether a signal, whose context this is, came where nothing of the recorder's
 * or of a library's is half done: in the program's own code. */
bool host_is_between(const void *context);

#endif
