/* scene_pipeline_walk: the accesses of a cluster's warps to shared memory, in
 * the order of provenance/schedule.h and numbered by the steps of
 * scene_pipeline.h, which turns them into tiles and roles. */
#ifndef SCENE_SCENE_PIPELINE_WALK_H
#define SCENE_SCENE_PIPELINE_WALK_H

#include "scene/stage.h"

/* A request that copies a part of A or B, loaded at step `asked`, to shared
 * memory at step `stored`. */
struct pipeline_fill {
	size_t warp;			/* index in walk.warps */
	uint32_t asked, stored, lap, k;
	uint32_t array, request;	/* the request that loads it */
	uint64_t offset;		/* the lowest */
	bool of_a;
};

/* A warp reads what a fill brought, and says at step `released` (0: never)
 * that it is done with it. */
struct pipeline_use { size_t warp, fill; uint32_t step, released; };

struct pipeline_store { size_t warp; uint32_t step; };

/* A warp's requests from this one on belong to the step; from `work` on they
 * copy, use or bring out (UINT32_MAX: none does). */
struct pipeline_start { uint32_t request, step, work; };

/* A load from A or B that is not stored yet. */
struct pipeline_load { uint32_t k, lap, bytes, asked, request; bool of_a; };

/* A warp's loads from one matrix: which tile of C they are for, and the least
 * k of the last step. */
struct pipeline_lap { uint32_t lap, step, least; bool any; };

struct pipeline_warp {
	size_t index;			/* in the trace */
	uint32_t block, number, role;
	uint8_t does;
	struct pipeline_start *turns;
	size_t turn_count, turn_capacity;
	/* while walking: the step, whether something was done in it since the
	 * last gate, whether a tile was used in it, whether sums left, and
	 * whether the request does any of this */
	uint32_t step;
	bool worked, used, left, works;
	struct pipeline_load *loads;	/* a queue */
	size_t load_count, load_capacity, load_first;
	struct pipeline_lap laps[2];
	size_t next_release;		/* index in uses */
	uint32_t waits;			/* index of a gate + 1, or 0 */
};

/* Where warps wait for each other: a barrier of a block, the nth time; a sync
 * at a site, the nth time; a phase of an mbarrier. */
struct pipeline_gate {
	uint32_t kind, at, nth;
	uint64_t offset;
	uint32_t step;			/* the step after it */
};

struct pipeline_walk {
	const struct stage *stage;
	uint32_t block, cluster, k, steps, box_columns;
	bool mbarriers, wgmma;
	bool *barrier;			/* by step */
	size_t barrier_capacity;
	struct pipeline_warp *warps;
	size_t warp_count, warp_capacity;
	struct pipeline_fill *fills;
	size_t fill_count, fill_capacity;
	struct pipeline_use *uses;
	size_t use_count, use_capacity;
	struct pipeline_store *stores;
	size_t store_count, store_capacity;
	struct pipeline_gate *gates;
	size_t gate_count, gate_capacity;
	uint32_t *passed;		/* per warp and site */
	int32_t *filled[STAGE_MAX_ARRAYS];	/* per element: fill, or -1 */
};

/* Walks the block's cluster, for the block. */
void pipeline_walk(struct pipeline_walk *w, const struct stage *s,
		   uint32_t block);
void pipeline_walk_done(struct pipeline_walk *w);

#endif
