/*
 * endless: whether a thread's loop is without an end, which no limit shows. It
 * is when the thread, while no other runs, comes to the same basic block with
 * the same stack and registers, and all that it has read in between holds what
 * it held: it then does the same for ever. Long loops are only slow.
 */
#ifndef EMU_ENDLESS_H
#define EMU_ENDLESS_H

#include "emu/hooks.h"
#include "emu/launch.h"

/* The running thread has come to a limit: it goes on, unrecorded, until it is
 * shown to be endless, yields, or has not been shown to be: the launch is
 * stopped then (`why`). False: nothing of this, since nothing can be shown. */
bool endless_limit(enum launch_stop why);
/* Whether it does that now. */
bool endless_limited(void);
/* Has the thread, which waits for what others may write, go on. True: it was
 * shown to be endless, and waits. False: it has gone on to something else, or
 * not been shown to be. */
bool endless_try(struct thread *t, void (*run)(struct thread *t));
/* Whether it waits because of that. */
bool endless_shown(const struct thread *t);
/* Whether what it last spun on has changed since. */
bool endless_over(const struct thread *t);

/* ---- while rec.proving is set ---- */

/* The running thread comes to a basic block, and calls this in place of
 * returning to it. */
void endless_block(void);
/* It reads. */
void endless_read(const struct thread *t, const void *at, size_t bytes);
/* It has yielded or ended, or was taken away: nothing is shown. */
void endless_end(struct thread *t);

/* What the thread does now depends on more than its stack and memory. */
static inline void endless_unsure(void)
{
	rec.unsure = true;
}

#endif
