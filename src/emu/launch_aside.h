/*
 * launch_aside: a launch whose threads wait for what the host does after the
 * call that makes it. A launch runs on a stack of its own; where none of its threads
 * can go on, and some spin, it is put aside, and the host goes on until it has
 * changed what is waited for, or waits for the launch itself. What a stream is
 * given meanwhile behind the launch waits for it, with a stack of its own.
 */
#ifndef EMU_LAUNCH_ASIDE_H
#define EMU_LAUNCH_ASIDE_H

#include "emu/stream_order.h"
#include "emu/device_memory.h"

/* Does f with a copy of `bytes` at `with`, as the stream's next work: at once,
 * or when all that is put aside has been done; within what is done so, at once
 * as a part of it. never: why it cannot be put aside;
 * NULL: it can. */
void aside_do(cudaStream_t s, struct place at, void (*f)(void *with),
	      const void *with, size_t bytes, const char *never);
/* Puts the stream's next work off if it would be behind something that is put
 * aside, which the host waits for first where it `waits` for the work; false: it
 * is to be done now. */
bool aside_later(cudaStream_t s, bool waits, struct place at,
		 void (*f)(void *with), const void *with, size_t bytes);
/* Ends the program if it would be, since it is done at once. */
void aside_refuse(cudaStream_t s);
/* The host waits until all is done that this clock, a stream, or any has come
 * to. */
void aside_await(const struct stream_clock *until);
void aside_await_stream(cudaStream_t s);
void aside_await_all(void);
/* Others have their turns; whether all that this clock has come to is done. */
bool aside_ready(const struct stream_clock *until);
/* All of it waits for others, which have come to nothing: the first goes on
 * all the same. False: nothing is put aside. */
bool aside_force(void);

/* ---- in what is done so ---- */

/* The stream's work that it is, which was begun by aside_do(). False: it is
 * none, or has asked before. */
bool aside_begun(struct stream_work *w);
/* The launch's threads wait: the host goes on until they can_go(). False: it
 * waits for them, in this line (0: not known). */
bool aside_wait(bool (*can_go)(void), uint32_t *line);

#endif
