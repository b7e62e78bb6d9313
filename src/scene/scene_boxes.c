/* Boxes: the elements that the block and the thread access in a phase. */
#include "scene/stage.h"

#include <string.h>

/* Requests looked at for the boxes of a phase; beyond, the warp's own only. */
#define BOX_BUDGET 60000
/* Phases back that a tile may have been loaded in. */
#define EARLIER 2
/* How far from a warp's end its stores of results are looked for. */
#define TAIL 4096

static void cover_element(struct box *b, uint32_t row, uint32_t col)
{
	if (!b->known)
		*b = (struct box){ true, row, col, row, col };
	b->row0 = MIN(b->row0, row);
	b->col0 = MIN(b->col0, col);
	b->row1 = MAX(b->row1, row);
	b->col1 = MAX(b->col1, col);
}

struct box stage_tile_box(const struct trace_tile *t, uint64_t first,
			  uint32_t rows, uint32_t cols)
{
	uint32_t row = (uint32_t)(first / cols);
	uint32_t col = (uint32_t)(first % cols);

	return (struct box){ true, row, col,
			     MIN(row + MAX(t->rows, 1), rows) - 1,
			     MIN(col + MAX(t->columns, 1), cols) - 1 };
}

/* Adds the box of a bulk copy, which begins with element `first`. */
static void box_bulk(const struct stage_array *sa, struct boxes *b,
		     const struct trace_tile *tile, uint64_t first, bool own)
{
	struct box in = stage_tile_box(tile, first, sa->rows, sa->cols);

	cover_element(&b->block, in.row0, in.col0);
	cover_element(&b->block, in.row1, in.col1);
	if (own) {
		cover_element(&b->thread, in.row0, in.col0);
		cover_element(&b->thread, in.row1, in.col1);
	}
}

static void box_request(struct stage *s, struct boxes *boxes,
			const struct trace_request *r, bool own)
{
	const struct trace_site *site = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, site->array);
	struct boxes *b;
	uint32_t elements;

	if (!sa)
		return;
	b = &boxes[sa - s->scene.arrays];
	elements = stage_site_elements(site, sa->array);
	for (uint32_t m = r->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);
		uint64_t first = r->offset[lane] / sa->array->elem_bytes;
		bool focus = own && lane == s->scene.cursor.lane;

		if (op_is_bulk(site->op)) {
			box_bulk(sa, b, &site->tile, first, focus);
			continue;
		}
		for (uint64_t e = first; e < first + elements; e++) {
			uint32_t row = (uint32_t)(e / sa->cols);
			uint32_t col = (uint32_t)(e % sa->cols);

			cover_element(&b->block, row, col);
			if (focus)
				cover_element(&b->thread, row, col);
		}
	}
}

static void box_range(struct stage *s, struct boxes *boxes, size_t warp,
		      uint32_t first, uint32_t end, enum site_kind kind)
{
	bool own = warp == s->scene.cursor.warp;
	struct trace_request r;
	uint32_t i = first;

	while ((i = stage_next(s, warp, i, end, kind)) < end)
		if (!trace_get(s->trace, warp, i++, &r, NULL))
			box_request(s, boxes, &r, own);
}

/* Adds the accesses of one warp in a phase, as long as the budget (requests
 * left for other warps) lasts. */
static void box_phase_of(struct stage *s, struct boxes *boxes, size_t warp,
			 uint32_t phase, uint32_t *budget)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	uint32_t first, end;

	if (phase >= tw->phases)
		return;
	first = trace_phase_start(s->trace, warp, phase);
	end = phase + 1 < tw->phases ?
	      trace_phase_start(s->trace, warp, phase + 1) : tw->requests;
	if (warp != s->scene.cursor.warp && end - first > *budget)
		return;
	box_range(s, boxes, warp, first, end, SITE_GLOBAL);
	*budget -= MIN(*budget, end - first);
}

static void box_block(struct stage *s, struct boxes *boxes, uint32_t phase,
		      uint32_t *budget)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->block == s->scene.warp.block)
			box_phase_of(s, boxes, w, phase, budget);
}

/* Finds the requests that store results by TMA from the cursor on, up to the
 * next product. */
static void find_next_results(const struct stage *s, size_t warp,
			      uint32_t *first, uint32_t *end)
{
	uint32_t i = stage_next(s, warp, s->scene.cursor.request, *end,
				SITE_BOX_LEAVES);

	if (i >= *end)
		return;
	*first = i;
	*end = stage_next(s, warp, i, *end, SITE_PRODUCT);
}

static void box_results(struct stage *s)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		uint32_t end = tw->requests;
		uint32_t first = end > TAIL ? end - TAIL : 0;

		if (tw->block != s->scene.warp.block)
			continue;
		if (s->boxes_leave)
			find_next_results(s, w, &first, &end);
		box_range(s, s->result_box, w, first, end, SITE_RESULT);
	}
}

/* Returns whether this phase accesses nothing in some matrix that holds no
 * results either. */
static bool box_missing(const struct stage *s)
{
	for (size_t i = 0; i < s->scene.array_count; i++)
		if (s->scene.arrays[i].array->space == SPACE_GLOBAL &&
		    !s->phase_box[i].block.known &&
		    !s->result_box[i].block.known)
			return true;
	return false;
}

/* Takes, for arrays that this phase does not access, the boxes of the last
 * phase that did: that of the tile in shared memory. */
static void box_earlier(struct stage *s, uint32_t *budget)
{
	struct boxes earlier[STAGE_MAX_ARRAYS];

	for (uint32_t back = 1; back <= EARLIER && back <= s->scene.phase &&
	     box_missing(s); back++) {
		memset(earlier, 0, sizeof(earlier));
		box_block(s, earlier, s->scene.phase - back, budget);
		for (size_t i = 0; i < s->scene.array_count; i++)
			if (!s->phase_box[i].block.known)
				s->phase_box[i] = earlier[i];
	}
}

void scene_boxes(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t budget = BOX_BUDGET;
	bool moved = !s->boxed || s->box_warp != sc->cursor.warp ||
		     s->box_lane != sc->cursor.lane;

	/* Results do not depend on the phase. */
	if (moved || (s->boxes_leave &&
		      s->box_request != sc->cursor.request)) {
		memset(s->result_box, 0, sizeof(s->result_box));
		box_results(s);
		s->box_request = sc->cursor.request;
	}
	if (moved || s->box_phase != sc->phase) {
		memset(s->phase_box, 0, sizeof(s->phase_box));
		box_block(s, s->phase_box, sc->phase, &budget);
		box_earlier(s, &budget);
		s->boxed = true;
		s->box_warp = sc->cursor.warp;
		s->box_phase = sc->phase;
		s->box_lane = sc->cursor.lane;
	}
	for (size_t i = 0; i < sc->array_count; i++) {
		struct boxes *b = &s->phase_box[i];

		/* Results are where the block works, whatever the phase. */
		if (s->result_box[i].block.known)
			b = &s->result_box[i];
		sc->arrays[i].block = b->block;
		sc->arrays[i].thread = b->thread;
	}
}
