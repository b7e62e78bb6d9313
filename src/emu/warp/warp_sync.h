/*
 * warp_sync: functions of CUDA that lanes of a warp execute together, such as
 * __shfl_sync(). A lane that calls one waits until all lanes of its mask have
 * called it or ended; then the results of all of them are computed at once.
 */
#ifndef EMU_WARP_WARP_SYNC_H
#define EMU_WARP_WARP_SYNC_H

#include "emu/hooks.h"

/* A lane's part in such a call; on the lane's own stack. */
struct warp_sync {
	const char *word;	/* the same for all lanes that take part */
	uint32_t mask;		/* lanes that are waited for */
	bool whoever;	/* no mask: the lanes that come here take part */
	/* Computes each lane's result; there: the lanes that take part. */
	void (*finish)(struct thread *const *lanes, uint32_t there);
	void *part;
};

/* Which lane a shuffle reads from; cuda_words.h has the numbers, too. */
enum shuffle { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR };

/* Waits, in the running thread, for the lanes of its mask; m->finish has been
 * called on return. */
void warp_sync(struct warp_sync *m, void *here);
/* Records that the running thread calls a function that all lanes of its warp
 * must call; the thread goes on. `word` must be one constant per such
 * function. */
void warp_sync_later(const char *word, void *here);
/* Adds a finding if not all lanes are there; for finish(). */
void warp_sync_whole(struct thread *const *lanes, uint32_t there);

/* Returns lane `lane`'s part where that lane takes part, else NULL. */
static inline void *warp_sync_part(struct thread *const *lanes, uint32_t there,
				   uint32_t lane)
{
	return lane < WARP_LANES && there >> lane & 1 ?
	       lanes[lane]->warp_sync->part : NULL;
}

#endif
