/*
 * stage: what is worked out of a trace so far, for the scene at a cursor. Of
 * each scene_NAME.c one function fills its part of the scene; stage_scene()
 * calls them in order.
 */
#ifndef SCENE_STAGE_H
#define SCENE_STAGE_H

#include "scene/scene.h"

struct boxes { struct box block, thread; };

struct stage {
	struct trace *trace;
	const struct trace_info *info;
	struct source *source;
	struct scene scene;
	int on_stage[64];	/* trace array -> index in scene.arrays, or -1 */
	/* Where the boxes were worked out. */
	bool boxed;
	size_t box_warp;
	uint32_t box_phase, box_lane, box_request;
	bool boxes_leave;	/* TMA stores results: of more than one tile */
	struct boxes phase_box[STAGE_MAX_ARRAYS], result_box[STAGE_MAX_ARRAYS];
	/* Owners of the shared elements at the start of a phase. */
	bool owned;
	uint32_t owner_block, owner_phase;
	int32_t *owner_start[STAGE_MAX_ARRAYS];
	/* Registers of a lane, as they stand before request reg_next. */
	bool reg_valid;
	size_t reg_warp;
	uint32_t reg_lane, reg_next;
	struct locals *locals;	/* of one thread; NULL: none have come */
	/* Ordinals: accesses of ord_lane before request ord_next. */
	size_t ord_warp;
	uint32_t ord_lane, ord_next, ord_count;
};

/* Where an array of the trace is on stage, or NULL. */
struct stage_array *stage_array_at(struct stage *s, uint32_t array);
static inline const struct trace_site *stage_site(const struct stage *s,
						  uint32_t site)
{
	return &s->info->sites[site];
}
/* Elements that lie side by side which a lane of this site touches at once; of
 * what is moved in bulk, the first. */
uint32_t stage_site_elements(const struct trace_site *site,
			     const struct trace_array *a);
/* The elements of an array as they are on stage: of a product, two in each
 * register, if they are of 16 bits. */
enum elem stage_elem(const struct trace_info *info,
		     const struct trace_array *a);
void stage_mark(struct stage_array *sa, uint64_t element, uint32_t lane,
		uint8_t age, bool other);
/* The other one of the two requests that tell of the same box or product. */
bool stage_other_half(const struct stage *s, size_t warp, uint32_t request,
		      struct trace_request *r);
/* Marks where in A and B an operand of wgmma is from. */
void stage_mark_origin(struct stage *s, const struct trace_request *r);

/* Cost, sectors, words and elements of the request. */
void scene_costs(struct scene *sc);
uint32_t scene_focus(const struct scene *sc);
/* The value that the focused lane moves. */
void scene_value(struct scene *sc);
void scene_marks(struct stage *s);
void scene_boxes(struct stage *s);
void scene_owners(struct stage *s);
void scene_registers(struct stage *s);
void scene_numbers(struct stage *s);

#endif
