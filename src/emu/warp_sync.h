/*
 * warp_sync: what the lanes of a warp do together. A lane that comes to such a
 * word waits until all that the word names have come or ended; then what it
 * gives is worked out for all of them at once.
 */
#ifndef EMU_WARP_SYNC_H
#define EMU_WARP_SYNC_H

#include "emu/hooks.h"

/* A lane's part in it; on the lane's own stack. */
struct warp_sync {
	const char *word;	/* "__shfl_sync": those of one word meet */
	uint32_t mask;		/* who is waited for */
	bool whoever;		/* no mask: who comes here, is there */
	/* Works out what each lane gets; there: the lanes that are. */
	void (*finish)(struct thread *const *lanes, uint32_t there);
	void *part;
};

/* The running thread waits; m.finish has been called when it returns. */
void warp_sync(struct warp_sync *m, void *here);
/* The running thread calls what all lanes of a warp must call, and need not wait
 * for them: `word` is one constant for each such word. */
void warp_sync_later(const char *word, void *here);
/* In finish(): that not all lanes are there is a finding. */
void warp_sync_whole(struct thread *const *lanes, uint32_t there);

/* Lane `lane`'s part where that lane takes part, else NULL. */
static inline void *warp_sync_part(struct thread *const *lanes, uint32_t there,
				   uint32_t lane)
{
	return lane < WARP_LANES && there >> lane & 1 ?
	       lanes[lane]->meeting->part : NULL;
}

#endif
