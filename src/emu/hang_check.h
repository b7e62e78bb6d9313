/*
 * hang_check: finds loops that never end, which a limit alone does not show. A
 * thread's loop is endless when the thread, while no other runs, reaches a
 * basic block twice with the same stack and registers, and all memory that it
 * read in between is unchanged: it then does the same forever. Other long loops
 * are only slow.
 */
#ifndef EMU_HANG_CHECK_H
#define EMU_HANG_CHECK_H

#include "emu/hooks.h"
#include "emu/launch.h"

/* Handles a limit (`why`) that the running thread has reached: it continues,
 * unrecorded, until its loop is shown to be endless, it yields, or nothing has
 * been shown, when the launch stops for `why`. Returns false if no loop can be
 * examined now. */
bool hang_limit(enum launch_stop why);
/* Returns whether the running thread continues after a limit. */
bool hang_limited(void);
/* Resumes a thread that waits for what others may write. Returns true if its
 * loop was shown to be endless (it waits again), false if it has left the loop
 * or nothing was shown. */
bool hang_try(struct thread *t, void (*run)(struct thread *t));
/* Returns whether the thread waits because its loop is endless. */
bool hang_shown(const struct thread *t);
/* Returns whether the memory that the thread last spun on has changed since. */
bool hang_over(const struct thread *t);

/* ---- while rec.proving is set ---- */

/* Compares the thread's state at a basic block with a stored one. A hook calls
 * this last, in place of returning to the block. */
void hang_block(void);
/* Notes that the thread reads `bytes` bytes. */
void hang_read(const struct thread *t, const void *at, size_t bytes);
/* Ends the examination without a result: the thread has yielded, ended or been
 * stopped. */
void hang_end(struct thread *t);

/* Notes that the thread's next step depends on more than its stack and memory,
 * so that earlier states no longer count. */
static inline void hang_unsure(void)
{
	rec.unsure = true;
}

#endif
