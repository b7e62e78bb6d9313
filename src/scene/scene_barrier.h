/* scene_barrier: which threads arrive at the barrier at the cursor. */
#ifndef SCENE_SCENE_BARRIER_H
#define SCENE_SCENE_BARRIER_H

#include "base/base.h"

#define GATE_WARPS 32		/* most warps of a block */

struct scene_barrier {
	uint32_t warps;		/* of the block; 0: not at such a barrier */
	/* By warp of the block, the lanes that it has, and those that come to
	 * this barrier. A warp that was not recorded counts as coming. */
	struct { uint32_t lanes, come; } warp[GATE_WARPS];
	uint32_t threads, missing;	/* of the block; that do not come */
};

#endif
