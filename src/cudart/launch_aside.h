/*
 * launch_aside: a launch whose threads wait for what the host does after the
 * call that makes it. A launch runs on a stack of its own. Where none of its
 * threads can go on, and some spin, it is put aside, and the host goes on until
 * it has changed what they wait for, or waits for the launch itself. Work that
 * its stream is given meanwhile waits for the launch, on a stack of its own.
 */
#ifndef CUDART_LAUNCH_ASIDE_H
#define CUDART_LAUNCH_ASIDE_H

#include "cudart/stream_order.h"
#include "cudart/device_memory.h"

/* Calls f with a copy of `bytes` at `with`, as the stream's next work: at once,
 * or when all work that is put aside has been done. Within such work f is
 * called at once, as a part of it. `never` says why this work cannot be put
 * aside; NULL: it can. */
void aside_do(cudaStream_t s, struct place at, void (*f)(void *with),
	      const void *with, size_t bytes, const char *never);
/* Puts the stream's next work off if it comes after work that is put aside;
 * with `waits` the host waits for that first. False: the caller is to do it
 * now. */
bool aside_later(cudaStream_t s, bool waits, struct place at,
		 void (*f)(void *with), const void *with, size_t bytes);
/* Refuses, by ending the program, if the stream's next work comes after a
 * launch that is put aside: the caller does its work at once and cannot
 * wait. */
void aside_refuse(cudaStream_t s);
/* Waits until all work is done that this clock, a stream, or any stream has
 * come to. */
void aside_await(const struct stream_clock *until);
void aside_await_stream(cudaStream_t s);
void aside_await_all(void);
/* Yields to the host's other threads; returns whether all work that this clock
 * has come to is done. */
bool aside_ready(const struct stream_clock *until);
/* Forces the first work that is put aside to go on, since all of it waits for
 * others and none can. False: none is put aside, or the first was forced
 * before. */
bool aside_force(void);

/* ---- within work that is put aside ---- */

/* Gets the stream's work that aside_do() has begun. False: none runs, or it was
 * asked for before. */
bool aside_begun(struct stream_work *w);
/* Lets the host go on until can_go(), for which the launch's threads wait.
 * False: it never will be, for the host waits for them in *line (0: not
 * known). */
bool aside_wait(bool (*can_go)(void), uint32_t *line);

#endif
