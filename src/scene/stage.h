/*
 * stage: what has been computed from a trace so far, for the scene at a cursor.
 * Each scene_NAME.c has one function that fills its part of the scene.
 * stage_scene() calls those that every step needs; what only one picture needs
 * is filled in when that picture is on the screen, by a part of the stage that
 * the picture brings (struct stage_part).
 */
#ifndef SCENE_STAGE_H
#define SCENE_STAGE_H

#include "scene/scene.h"

struct boxes { struct box block, thread; };

/* The first request of each iteration of a loop; see beat.h. */
struct starts { uint32_t *at; size_t count, capacity; };

/* Kinds of sites, for stage_next(). */
enum site_kind {
	SITE_OWNS = 1,			/* fills shared memory on stage */
	SITE_GLOBAL = 2, SITE_RESULT = 4,	/* a store to global memory */
	SITE_REGISTER = 8,
	SITE_READ = 16,			/* reads elements that are counted */
	SITE_BOX = 32,			/* TMA brings a box */
	SITE_BOX_LEAVES = 64,
	SITE_PRODUCT = 128,		/* wgmma */
};

/* What a picture keeps in the stage from step to step. */
struct stage_part {
	size_t bytes;
	/* Frees what the bytes point to; NULL: nothing. */
	void (*done)(void *state);
	/* Removes from the scene what holds for the last cursor only; NULL:
	 * nothing does. */
	void (*forget)(struct scene *sc);
};

#define STAGE_PARTS 16

struct stage {
	struct trace *trace;
	const struct trace_info *info;
	struct source *source;
	struct scene scene;
	char *verdict;			/* the scene's, in words */
	uint8_t *kinds;			/* of each site: of enum site_kind */
	struct { const struct stage_part *part; void *state; }
		parts[STAGE_PARTS];
	size_t part_count;
	/* Index in scene.arrays by trace array, or -1. */
	int on_stage[64];
	/* The warp, phase, lane and request that the boxes were computed
	 * for. */
	bool boxed;
	size_t box_warp;
	uint32_t box_phase, box_lane, box_request;
	/* A site stores results by TMA, of more than one tile. */
	bool boxes_leave;
	struct boxes phase_box[STAGE_MAX_ARRAYS], result_box[STAGE_MAX_ARRAYS];
	/* Owners of the shared elements at the start of a phase of a block. */
	bool owned;
	/* A bit for each array on stage of which, in a recording on the CPU,
	 * threads read unwritten elements. */
	uint32_t unwritten;
	uint32_t owner_block, owner_phase;
	int32_t *owner_start[STAGE_MAX_ARRAYS];
	/* what the arrays' `coming` holds is that of this warp and phase */
	bool coming;
	size_t coming_warp;
	uint32_t coming_phase;
	/* scene.visits is of this warp and phase. */
	uint8_t *visits;
	bool visited;
	size_t visit_warp;
	uint32_t visit_phase;
	/* The lane's registers are valid as they are before request
	 * reg_next. */
	bool reg_valid;
	size_t reg_warp;
	uint32_t reg_lane, reg_next;
	/* scene.home is that of home_warp at these requests. */
	bool homed;
	size_t home_warp;
	uint32_t home_first, home_last;
	struct locals *locals;	/* one thread's; NULL: none received yet */
	/* Of the warp beat_warp; empty: not computed yet. */
	size_t beat_warp;
	struct starts iterations, tiles;
	/* ord_count is the number of ord_lane's accesses before request
	 * ord_next. */
	size_t ord_warp;
	uint32_t ord_lane, ord_next, ord_count;
	struct defects *defects;	/* scene_defect.c; NULL: none yet */
	struct stage_pipeline *pipeline;	/* of one block; or NULL */
	struct fragments *fragments;	/* what scene.fragments shows */
	struct order *order;		/* of the whole trace; or NULL */
	struct stage_devices *devices;	/* likewise */
	struct stage_road *road;	/* of one cluster; or NULL */
	struct brought *brought;	/* by warp: scene_bulk.c; or NULL */
	struct machine_launch *machine;		/* NULL: none */
};

/* Returns what a picture keeps in the stage: part->bytes bytes, all 0 when a part
 * is first asked for. The stage owns them. */
void *stage_state(struct stage *s, const struct stage_part *part);
/* Returns the stage's entry for an array of the trace, or NULL. */
struct stage_array *stage_array_at(struct stage *s, uint32_t array);
static inline const struct trace_site *stage_site(const struct stage *s,
						  uint32_t site)
{
	return &s->info->sites[site];
}
/* Returns the part of a tile that lies in a matrix of rows x cols. The tile
 * begins with the matrix's element `first` (without rows it is that element
 * alone). */
struct box stage_tile_box(const struct trace_tile *t, uint64_t first,
			  uint32_t rows, uint32_t cols);
/* Returns the first request of this kind in from..end of a warp, or end. */
static inline uint32_t stage_next(const struct stage *s, size_t warp,
				  uint32_t from, uint32_t end,
				  enum site_kind kind)
{
	return trace_next(s->trace, warp, from, end, s->kinds, (uint8_t)kind);
}
/* Returns how many adjacent elements one lane of this site accesses at once;
 * for a bulk copy only the first counts. */
uint32_t stage_site_elements(const struct trace_site *site,
			     const struct trace_array *a);
/* Returns the type of an array's elements as shown: in a matrix product, a
 * register array that holds two 16-bit elements in each register shows
 * those. */
enum elem stage_elem(const struct trace_info *info,
		     const struct trace_array *a);
void stage_mark(struct stage_array *sa, uint64_t element, uint32_t lane,
		uint8_t age, bool other);
/* Finds the other of the two requests that describe the same TMA box or wgmma
 * product. */
bool stage_other_half(const struct stage *s, size_t warp, uint32_t request,
		      struct trace_request *r);
/* Marks where in A and B an operand of a wgmma comes from. */
void stage_mark_origin(struct stage *s, const struct trace_request *r);

/* Fills in the request's cost, sectors, words and elements. */
void scene_costs(struct scene *sc);
/* Finds out which arrays hold the inputs; for all of the trace. */
void scene_input(struct stage *s);
/* Fills in what the sectors hold. */
void scene_sectors(struct scene *sc);
uint32_t scene_focus(const struct scene *sc);
/* Fills in the value that the focused lane moves. */
void scene_value(struct scene *sc);
void scene_marks(struct stage *s);
void scene_boxes(struct stage *s);
void scene_owners(struct stage *s);
void scene_registers(struct stage *s);
void scene_numbers(struct stage *s);
/* Works out scene.carriers. */
struct turns;
void scene_carriers(struct stage *s, const struct turns *t);
void scene_defect(struct stage *s);
void scene_defect_done(struct stage *s);
void scene_barrier(struct stage *s);
void scene_home(struct stage *s);
void stage_pipeline_free(struct stage_pipeline *p);

#endif
