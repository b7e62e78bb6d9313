/* scene_tiles_book: what the files of scene_tiles.h share. */
#ifndef VIZ_PICTURES_TILES_SCENE_TILES_BOOK_H
#define VIZ_PICTURES_TILES_SCENE_TILES_BOOK_H

#include "provenance/value_flow.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "viz/pictures/tiles/tiles_carry.h"

struct last_load;

/* A phase's reads of a warp, in elements. */
struct phase_reads { uint64_t global, shared; };

struct tiles_book {
	struct tiles view;
	bool valid;
	struct value_flow *flow;
	uint32_t flow_block;
	bool flow_tried;
	struct last_load *last;		/* by slot, then lane */
	uint8_t *way;			/* by site: 1: values come by it */
	/* By scene.arrays: threads store in it, in the phases looked through. */
	bool stored[STAGE_MAX_ARRAYS];
	struct carry *carry;		/* what goes through registers, or NULL */
	/* whose reads view.read holds */
	size_t read_warp;
	uint32_t read_lane, read_phase;
	bool read_valid;
	/* The reads of a block by phase, of which the first few are counted. */
	struct phase_reads *reads;
	uint32_t reads_block, counted;
	uint32_t last_phase;		/* of the round */
	/* The ring is that of these roads. */
	const struct road *ring_of;
	uint32_t ring_block;
};

/* Returns the request after the last one of a phase. */
uint32_t tiles_phase_end(const struct stage *s, size_t warp, uint32_t phase);
/* A shared array's cell in which nothing is. */
extern const struct tile_cell tiles_no_cell;
/* Counts what the block has read, up to the end of the cursor's round, and up to
 * the cursor. view.fills is set. */
void tiles_count_block(struct stage *s, struct tiles_book *b);
void tiles_sum_reads(struct stage *s, struct tiles_book *b);
/* Finds what the focused thread reads from shared memory in this phase. */
void tiles_find_reads(struct stage *s, struct tiles_book *b);
/* Finds what each stage holds at the cursor if TMA copies the tiles, and where
 * that comes from. Returns false if TMA copies none. */
bool tiles_ring(struct stage *s, struct tiles_book *b);

#endif
