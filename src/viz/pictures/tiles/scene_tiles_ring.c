/* scene_tiles_ring: what the stages that TMA fills hold. */
#include <string.h>

#include "scene/scene_pipeline.h"
#include "viz/pictures/tiles/scene_tiles_book.h"

/* Moves on to a tile's nth element; n must ascend between calls. Returns false
 * if that is outside its array. */
static bool move_to_element(struct trace_tile_walk *w, uint32_t nth)
{
	while (w->nth == UINT32_MAX || w->nth < nth)
		if (!trace_tile_next(w))
			return false;
	return w->nth == nth;
}

/* Fills the box's cells with their places in the matrix, or clears them if the
 * box is not `there`, in this stage. */
static void fill_box(struct stage *s, struct tiles_book *b, uint32_t number,
		     uint32_t stage, bool there)
{
	const struct road_box *box = &s->scene.road->boxes[number];
	struct stage_array *sa = stage_array_at(s, box->to->array);
	struct stage_array *ga = stage_array_at(s, box->from->array);
	struct tile_cell *cell = sa ? b->view.cell[sa - s->scene.arrays] :
				      NULL;
	struct trace_tile_walk n, in;

	if (!cell || !ga)
		return;
	trace_tile_begin(&n, s->info, box->to, box->to_at);
	trace_tile_begin(&in, s->info, box->from, box->from_at);
	while (trace_tile_next(&n)) {
		struct tile_cell c = tiles_no_cell;
		struct tile_value *v = &c.now;
		uint64_t e;
		uint32_t m;

		if (there) {
			v->by = (int32_t)(box->warp * WARP_LANES + box->lane);
			v->box = number;
			v->stage = stage;
			v->zero = !trace_tile_match(&box->to->tile,
						    &box->from->tile, n.nth,
						    &m) ||
				  !move_to_element(&in, m);
		}
		if (there && !v->zero) {
			e = in.at / ga->array->elem_bytes;
			v->array = (int32_t)(ga - s->scene.arrays);
			v->row = (uint32_t)(e / ga->cols);
			v->col = (uint32_t)(e % ga->cols);
		}
		cell[n.at / sa->array->elem_bytes] = c;
	}
}

/* Returns the use of the stage for which a box was ordered last, at or before
 * `when`. */
static uint32_t find_tenant(const struct road *r, uint32_t first, uint64_t when)
{
	uint32_t found = ROAD_NONE;

	for (uint32_t i = first; i != ROAD_NONE; i = r->uses[i].next)
		for (size_t n = 0; n < r->uses[i].box_count; n++)
			if (r->boxes[r->uses[i].boxes[n]].ordered <= when)
				found = i;
	return found;
}

static void cover_road_box(struct box *b, const struct road_box *box)
{
	struct box w = { true, box->row, box->col, box->row + box->rows - 1,
			 box->col + box->cols - 1 };

	if (b->known)
		w = (struct box){ true, MIN(w.row0, b->row0),
				  MIN(w.col0, b->col0), MAX(w.row1, b->row1),
				  MAX(w.col1, b->col1) };
	*b = w;
}

/* Finds which parts of the matrices are in the stages, and the matrix that each
 * shared array's elements come from. */
static void find_ring_origins(struct stage *s, struct tiles *t)
{
	const struct road *r = s->scene.road;

	memset(t->now, 0, sizeof(t->now));
	memset(t->before, 0, sizeof(t->before));
	for (uint32_t i = 0; i < t->stages; i++) {
		const struct road_use *u = t->stage[i] == ROAD_NONE ? NULL :
					   &r->uses[t->stage[i]];

		for (size_t n = 0; u && n < u->box_count; n++) {
			const struct road_box *b = &r->boxes[u->boxes[n]];
			struct stage_array *from =
				stage_array_at(s, b->from->array);
			struct stage_array *to =
				stage_array_at(s, b->to->array);
			ptrdiff_t at = from ? from - s->scene.arrays : -1;

			if (!from || !to)
				continue;
			cover_road_box(&t->now[at], b);
			t->origin[to - s->scene.arrays] =
				at == s->scene.a ? 0 : at == s->scene.b ? 1 :
				-1;
		}
	}
}

/* Returns whether one of the use's boxes lies where this one does. */
static bool covers_box(const struct road *r, uint32_t use,
		       const struct road_box *b)
{
	for (size_t n = 0; use != ROAD_NONE && n < r->uses[use].box_count;
	     n++) {
		const struct road_box *o = &r->boxes[r->uses[use].boxes[n]];

		if (o->to->array == b->to->array && o->to_at == b->to_at &&
		    !memcmp(&o->to->tile, &b->to->tile, sizeof(b->to->tile)))
			return true;
	}
	return false;
}

static bool change_stage(struct stage *s, struct tiles_book *b, uint32_t i,
			 uint32_t to)
{
	const struct road *r = s->scene.road;
	uint32_t from = b->view.stage[i];

	if (from == to)
		return false;
	for (size_t n = 0; from != ROAD_NONE && n < r->uses[from].box_count;
	     n++)
		if (!covers_box(r, to, &r->boxes[r->uses[from].boxes[n]]))
			fill_box(s, b, r->uses[from].boxes[n], i, false);
	for (size_t n = 0; to != ROAD_NONE && n < r->uses[to].box_count; n++)
		fill_box(s, b, r->uses[to].boxes[n], i, true);
	b->view.stage[i] = to;
	return true;
}

/* Returns the state of a use's stage by the order in which the warps took turns
 * in the recording. */
static enum tile_turn recorded_turn(const struct scene *sc,
				    const struct road_use *u)
{
	uint64_t when = sc->road_now.when;
	uint32_t releases;

	releases = road_released(sc->road, u, UINT64_MAX);
	if (releases && road_released(sc->road, u, when) == releases)
		return TURN_USED;
	for (uint32_t i = 0; i < u->party_count; i++)
		if (u->parties[i].block == u->block &&
		    road_progress(sc, u, &u->parties[i], true).waited)
			return TURN_IN_USE;
	return road_landed(sc->road, u, when) >= u->expected ? TURN_READY :
							       TURN_IN_FLIGHT;
}

/* Returns the state of a stage, as the picture of the pipeline shows it, if that
 * knows the tile. */
static enum tile_turn find_turn(const struct scene *sc, uint32_t use)
{
	static const enum tile_turn turns[] = {
		[PIPELINE_EMPTY] = TURN_USED,
		[PIPELINE_IN_FLIGHT] = TURN_IN_FLIGHT,
		[PIPELINE_READY] = TURN_READY,
		[PIPELINE_IN_USE] = TURN_IN_USE,
	};
	const struct pipeline_now *now = &sc->pipeline_now;
	const struct pipeline *p = sc->pipeline;
	const struct road_use *u;

	if (use == ROAD_NONE)
		return TURN_NONE;
	u = &sc->road->uses[use];
	if (!p || p->races || p->block != u->block ||
	    u->number >= p->tile_count)
		return recorded_turn(sc, u);
	return turns[pipeline_tile_state(&p->tiles[u->number],
					 now->step + now->part)];
}

bool tiles_ring(struct stage *s, struct tiles_book *b)
{
	const struct scene *sc = &s->scene;
	struct tiles *t = &b->view;
	uint32_t n = 0;
	bool any = false;

	scene_road(s);
	if (!sc->road)
		return false;
	if (b->ring_of != sc->road || b->ring_block != sc->warp.block) {
		b->ring_of = sc->road;
		b->ring_block = sc->warp.block;
		for (uint32_t i = 0; i < TILE_STAGES; i++)
			t->stage[i] = ROAD_NONE;
		any = true;
	}
	for (uint32_t i = 0; i < sc->road->use_count && n < TILE_STAGES; i++) {
		const struct road_use *u = &sc->road->uses[i];

		if (u->block != sc->warp.block || u->before != ROAD_NONE)
			continue;
		any |= change_stage(
			s, b, n++, find_tenant(sc->road, i, sc->road_now.when));
	}
	t->stages = n;
	scene_pipeline(s);
	for (uint32_t i = 0; i < n; i++)
		t->turn[i] = find_turn(sc, t->stage[i]);
	if (any)
		find_ring_origins(s, t);
	return true;
}
