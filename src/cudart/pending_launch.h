/*
 * pending_launch: a launch whose threads wait for what the host does after the
 * call that makes it. A launch runs on a stack of its own. Where none of its
 * threads can go on, and some spin, it is put aside, and the host goes on until
 * it has changed what they wait for, or waits for the launch itself. Work that
 * its stream is given meanwhile waits for the launch, on a stack of its own.
 */
#ifndef CUDART_PENDING_LAUNCH_H
#define CUDART_PENDING_LAUNCH_H

#include "cudart/stream_order.h"
#include "cudart/device_memory.h"

/* Calls f with a copy of `bytes` at `with`, as the stream's next work: at once,
 * or when all work that is put aside has been done. Within such work f is
 * called at once, as a part of it. `never` says why this work cannot be put
 * aside; NULL: it can. */
void pending_do(cudaStream_t s, struct place at, void (*f)(void *with),
	      const void *with, size_t bytes, const char *never);
/* Puts the stream's next work off if it comes after work that is put aside;
 * with `waits` the host waits for that first. False: the caller is to do it
 * now. */
bool pending_later(cudaStream_t s, bool waits, struct place at,
		 void (*f)(void *with), const void *with, size_t bytes);
/* Refuses, by ending the program, if the stream's next work comes after a
 * launch that is put aside: the caller does its work at once and cannot
 * wait. */
void pending_refuse(cudaStream_t s);
/* Waits until all work is done that this clock, a stream, or any stream has
 * come to. */
void pending_await(const struct stream_clock *until);
void pending_await_stream(cudaStream_t s);
void pending_await_all(void);
/* Yields to the host's other threads; returns whether all work that this clock
 * has come to is done. */
bool pending_ready(const struct stream_clock *until);
/* Forces the first work that is put aside to go on, since all of it waits for
 * others and none can. False: none is put aside, or the first was forced
 * before. */
bool pending_force(void);

/* ---- within work that is put aside ---- */

/* Gets the stream's work that pending_do() has begun. False: none runs, or it was
 * asked for before. */
bool pending_begun(struct stream_work *w);
/* Lets the host go on until can_go(), for which the launch's threads wait.
 * False: it never will be, for the host waits for them in *line (0: not
 * known). */
bool pending_launch_wait(bool (*can_go)(void), uint32_t *line);

#endif
