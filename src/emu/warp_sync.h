/*
 * warp_sync: functions of CUDA that lanes of a warp execute together, such as
 * __shfl_sync(). A lane that calls one waits until all lanes of its mask have
 * called it or ended; then the results of all of them are computed at once.
 */
#ifndef EMU_WARP_SYNC_H
#define EMU_WARP_SYNC_H

#include "emu/hooks.h"

/* A lane's part in it; on the lane's own stack. */
struct warp_sync {
	const char *word;	/* "__shfl_sync": of all that take part */
	uint32_t mask;		/* who is waited for */
	bool whoever;		/* no mask: who comes here, is there */
	/* Works out what each lane gets; there: the lanes that are. */
	void (*finish)(struct thread *const *lanes, uint32_t there);
	void *part;
};

/* The running thread waits; m.finish has been called when it returns. */
void warp_sync(struct warp_sync *m, void *here);
/* The running thread calls a function that all lanes of its warp must call, and
 * goes on: `word` is one constant for each such function. */
void warp_sync_later(const char *word, void *here);
/* In finish(): that not all lanes are there is a finding. */
void warp_sync_whole(struct thread *const *lanes, uint32_t there);

/* Lane `lane`'s part where that lane takes part, else NULL. */
static inline void *warp_sync_part(struct thread *const *lanes, uint32_t there,
				   uint32_t lane)
{
	return lane < WARP_LANES && there >> lane & 1 ?
	       lanes[lane]->warp_sync->part : NULL;
}

#endif
