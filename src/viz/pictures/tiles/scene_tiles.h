/*
 * tiles: what the block's shared memory holds in a phase, and where each
 * element came from; and how much the block has read.
 *
 * An element has two values: the one when the phase began, and the one that a
 * thread stores in this phase, if one does. Both have their element of global
 * memory, if the trace's values tell it (value_flow.h).
 */
#ifndef VIZ_PICTURES_TILES_SCENE_TILES_H
#define VIZ_PICTURES_TILES_SCENE_TILES_H

#include "scene/scene.h"

struct tile_value {
	int32_t by;	/* the linear thread that stores it; -1: none */
	/* Index in scene.arrays of the array it is loaded from, row and column
	 * there; -1: not known. */
	int32_t array;
	uint32_t row, col;
	uint32_t box;	/* of scene.road, that TMA brings; or ROAD_NONE */
	uint32_t stage;	/* in which this box is */
	bool zero;	/* a zero that fills up: it is not loaded */
	bool async;	/* copied without a register */
	bool known;	/* number is the value itself */
	double number;
	/* Which requests of by's warp load and store it, counted from 1 in this
	 * phase; 0: before it; UINT32_MAX: not known. */
	uint32_t loaded, stored;
};

struct tile_cell { struct tile_value before, now; };

/* Where a shared element's value of this phase is, at the cursor. */
enum tile_state {
	TILE_EMPTY,	/* no thread has stored this element */
	TILE_STORED,
	TILE_COMING,	/* another warp's, on its way: see scene_owners.c */
	TILE_WAITING,	/* still in global memory */
	TILE_LOADING,	/* this request loads it, */
	TILE_LOADED,	/* it is in a register, */
	TILE_STORING,	/* and this request stores it */
};

/* Elements that a block has read so far: for sure, and when its round is over
 * (what other warps read in this phase is on its way). A round brings words to
 * shared memory and reads them: this phase or, where one of the two is missing,
 * with the next one or the one before. */
struct tile_reads { uint64_t sure, most, round; };

/* Where TMA brings tiles: the stages, and whose turn each is (uses of
 * scene.road; ROAD_NONE: of none yet). */
#define TILE_STAGES 16

/* in flight: ordered, but not completely landed; in use: some warp's wait for
 * it is over; used: all its readers have released it */
enum tile_turn { TURN_NONE, TURN_IN_FLIGHT, TURN_READY, TURN_IN_USE,
		 TURN_USED };

struct tiles {
	bool ring;
	uint32_t stages, stage[TILE_STAGES];
	enum tile_turn turn[TILE_STAGES];	/* at the cursor */
	uint32_t block, phase;
	/* By scene.arrays: rows * cols cells of a shared array, or NULL. */
	struct tile_cell *cell[STAGE_MAX_ARRAYS];
	/* By scene.arrays: the elements of a matrix that are loaded to shared
	 * memory in this phase, and those that were there when it began. */
	struct box now[STAGE_MAX_ARRAYS], before[STAGE_MAX_ARRAYS];
	/* By scene.arrays: where most of a shared array's elements come from:
	 * 0 A, 1 B, -1 neither, or both. */
	int origin[STAGE_MAX_ARRAYS];
	/* By scene.arrays, as cell: which request of this phase first reads the
	 * element for the focused thread, counted from 1; 0: none. */
	uint32_t *read[STAGE_MAX_ARRAYS];
	struct tile_reads global, shared;
	/* In this phase threads store in shared memory, and read it. */
	bool fills, reads;
	/* At the cursor: the barrier that ends the phase is reached by this
	 * request. */
	bool at_barrier;
	uint32_t warps;		/* of the block, as recorded */
};

/* Returns where the element's newest value is, and sets *v to it. */
enum tile_state tile_state(const struct scene *sc, const struct tile_cell *cell,
			   const struct tile_value **v);

struct turns;
/* Works out scene.tiles. */
void scene_tiles(struct stage *s, const struct turns *t);

#endif
