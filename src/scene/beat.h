/*
 * beat: how far one step of the reader goes.
 *
 *	request		one request of the warp
 *	row		the same, shown with the block's other warps at the same
 *			request
 *	k		an iteration of the loop over k: of the outermost loop
 *			between two barriers
 *	phase		from barrier to barrier
 *	tile		an iteration of the warp's outermost loop, over tiles
 *
 * Loops are found in the trace. The sites of the outermost loop in a range of
 * requests are those that are visited over the longest stretch of it (or at
 * least half as long). An iteration goes from their first line in the source to
 * the last visit of their last line; the next one begins after it.
 */
#ifndef SCENE_BEAT_H
#define SCENE_BEAT_H

#include "scene/scene.h"

enum beat { BEAT_REQUEST, BEAT_ROW, BEAT_K, BEAT_PHASE, BEAT_TILE,
	    BEAT_COUNT };

/* Returns the name that a lesson's `beat` and the screen use (not translated),
 * and the reverse; -1: there is no such beat. */
const char *beat_name(enum beat b);
int beat_from(const char *name);

/* Returns the request at which the nth beat after (before, if n < 0) the
 * cursor's begins; the warp's first or last request if there are fewer. */
uint32_t stage_beat(struct stage *s, const struct cursor *p, enum beat b,
		    long n);
/* Returns how many beats of this size the cursor's warp has. */
uint32_t stage_beats(struct stage *s, const struct cursor *p, enum beat b);

/*
 * Returns the cursor in another recording that is at the same point as p in s:
 * the same block and warp (as far as it has them), tile, iteration over k, and,
 * within that, the same access to an array of the same name, or else the
 * request with the same number.
 */
struct cursor stage_match(struct stage *s, const struct cursor *p,
			  struct stage *other);

#endif
