/* Tiles: what shared memory holds, where it came from, how often it is read. */
#include "viz/pictures/tiles/scene_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "viz/pictures/tiles/scene_tiles_book.h"

/* Requests of each warp from which it is learned what its stores carry. */
#define LEARN 2048
/* Phases back in which a tile, or a value in a register, may have come. */
#define EARLIER 4

/* A lane's last load at a slot of value_flow.h. */
struct last_load {
	bool known, used;	/* used: it was stored since */
	uint32_t request;
	int32_t array;
	uint64_t element;
	double value;
};

/* ---- what is carried ---- */

/* Returns whether the accesses of a site are followed. */
static bool is_followed_site(const struct stage *s, const struct tiles_book *b,
			     const struct trace_site *ts)
{
	enum space space;

	if (ts->array == TRACE_NO_ARRAY)
		return false;
	space = s->info->arrays[ts->array].space;
	return (ts->op == OP_LD && space == SPACE_GLOBAL && b->flow) ||
	       (ts->op == OP_ST && space == SPACE_SHARED) ||
	       (space == SPACE_REGISTER && b->carry &&
		carry_follows(b->carry, ts));
}

static void learn_block_flow(struct stage *s, struct tiles_book *b)
{
	const struct scene *sc = &s->scene;
	struct error e;

	if (b->flow_tried && b->flow_block == sc->warp.block)
		return;
	value_flow_free(b->flow);
	b->flow = NULL;
	free(b->last);
	b->last = NULL;
	carry_free(b->carry);
	b->carry = NULL;
	b->flow_tried = true;
	b->flow_block = sc->warp.block;
	if (!s->info->values || sc->a < 0)
		return;
	b->flow = value_flow_learn_copies(s->trace, sc->warp.block,
					  sc->arrays[sc->a].array, LEARN, &e);
	if (b->flow)
		b->last = xcalloc(value_flow_slot_count(b->flow) * WARP_LANES,
				  sizeof(*b->last));
	b->carry = carry_learn(s, sc->cursor.warp, sc->arrays[sc->a].array,
			       LEARN);
}

/* Returns whether the source line of a store has an asynchronous copy, which
 * the trace shows as a load and a store. */
static bool is_async(const struct stage *s, const struct trace_site *ts)
{
	const struct source *text = s->scene.source;

	return ts->op == OP_ST && ts->line && ts->line <= text->count &&
	       strstr(text->lines[ts->line - 1].text, "async");
}

static void find_way(const struct stage *s, struct tiles_book *b)
{
	if (!b->way)
		b->way = xcalloc(s->info->site_count, 1);
	for (size_t i = 0; i < s->info->site_count; i++)
		b->way[i] = is_followed_site(s, b, stage_site(s, (uint32_t)i));
}

static struct last_load *last_at(const struct tiles_book *b, size_t slot,
				 uint32_t lane)
{
	return &b->last[slot * WARP_LANES + lane];
}

/* Writes down what the lanes load. */
static void note_load(struct stage *s, struct tiles_book *b, uint32_t request,
		      const struct trace_request *r)
{
	const struct trace_site *ts = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, ts->array);
	struct value_flow_unit unit = value_flow_unit(b->flow, ts->array);
	size_t slot = value_flow_slot(b->flow, r->site);

	for (uint32_t u = 0; sa && u < value_flow_units(b->flow, r->site); u++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			struct last_load *l = last_at(b, slot + u, lane);

			if (!(r->mask >> lane & 1))
				continue;
			l->request = request;
			l->array = (int32_t)(sa - s->scene.arrays);
			l->element = (r->offset[lane] + u * unit.bytes) /
				     sa->array->elem_bytes;
			l->used = false;
			l->known = element_value(unit.elem,
						 &r->value[lane * 4],
						 u * unit.bytes, &l->value);
		}
}

/* Returns the load that a stored unit comes from, or NULL. */
static struct last_load *find_carried_load(const struct tiles_book *b,
					   uint32_t site, uint32_t u,
					   uint32_t lane, double value)
{
	size_t count;
	const uint32_t *slots = value_flow_sources(b->flow, site, u, &count);
	struct last_load *best = NULL;

	for (size_t i = 0; i < count; i++) {
		struct last_load *l = last_at(b, slots[i], lane);

		if (l->known && !l->used && l->value == value &&
		    (!best || l->request > best->request))
			best = l;
	}
	return best;
}

static void set_origin(const struct stage *s, struct tile_value *v,
		       int32_t array, uint64_t element, uint32_t request)
{
	v->array = array;
	v->row = (uint32_t)(element / s->scene.arrays[array].cols);
	v->col = (uint32_t)(element % s->scene.arrays[array].cols);
	v->loaded = request;
}

/* Returns what one unit of a store puts into an element. */
static struct tile_value stored_value(struct stage *s, struct tiles_book *b,
				      const struct trace_request *r,
				      uint32_t u, uint32_t lane)
{
	const struct trace_site *ts = stage_site(s, r->site);
	struct tile_value v = { .by = -1, .array = -1, .box = ROAD_NONE,
				.loaded = UINT32_MAX, .stored = UINT32_MAX };
	const struct carry_held *h;
	struct value_flow_unit unit;
	struct last_load *l;

	if (!b->flow)
		return v;
	unit = value_flow_unit(b->flow, ts->array);
	if (u >= value_flow_units(b->flow, r->site) ||
	    !element_value(unit.elem, &r->value[lane * 4], u * unit.bytes,
			   &v.number))
		return v;
	v.known = true;
	v.async = is_async(s, ts);
	l = find_carried_load(b, r->site, u, lane, v.number);
	h = l || !b->carry ? NULL : carry_take(b->carry, s, r, lane, u);
	v.zero = !l && !h && v.number == 0;
	if (l)
		l->used = true;
	if (l)
		set_origin(s, &v, l->array, l->element, l->request);
	else if (h && stage_array_at(s, h->array))
		set_origin(s, &v, (int32_t)(stage_array_at(s, h->array) -
					    s->scene.arrays),
			   h->element, h->request);
	return v;
}

/* ---- what is stored ---- */

/* A warp's requests that are looked through, and where what they store is
 * written down. */
struct phase_walk {
	size_t warp;
	uint32_t first, end;
	bool now;
};

static void put_value(struct tiles_book *b, const struct phase_walk *w,
		      const struct stage_array *sa, size_t at, uint64_t element,
		      const struct tile_value *v)
{
	struct tile_cell *cell = b->view.cell[at];
	struct tile_value to = *v;

	if (!cell || element >= (uint64_t)sa->rows * sa->cols)
		return;
	b->stored[at] = true;
	to.stored = w->now ? v->stored - w->first + 1 : 0;
	if (v->loaded != UINT32_MAX)
		to.loaded = v->loaded >= w->first ? v->loaded - w->first + 1 : 0;
	if (w->now)
		cell[element].now = to;
	else
		cell[element].before = to;
}

static void note_store(struct stage *s, struct tiles_book *b,
		       const struct phase_walk *w, uint32_t request,
		       const struct trace_request *r)
{
	const struct trace_site *ts = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, ts->array);
	uint32_t linear = trace_warp(s->trace, w->warp)->warp * WARP_LANES;

	for (uint32_t lane = 0; sa && lane < WARP_LANES; lane++) {
		uint64_t first = r->offset[lane] / sa->array->elem_bytes;

		for (uint32_t u = 0; r->mask >> lane & 1 &&
		     u < stage_site_elements(ts, sa->array); u++) {
			struct tile_value v = stored_value(s, b, r, u, lane);

			v.by = (int32_t)(linear + lane);
			v.stored = request;
			put_value(b, w, sa, (size_t)(sa - s->scene.arrays),
				  first + u, &v);
		}
	}
}

static void walk_phase(struct stage *s, struct tiles_book *b,
		       const struct phase_walk *w)
{
	struct trace_request r;
	uint32_t i = w->first;

	for (; (i = trace_next(s->trace, w->warp, i, w->end, b->way, 1)) <
	     w->end; i++) {
		const struct trace_site *ts;
		enum space space;

		if (trace_get(s->trace, w->warp, i, &r, NULL))
			return;
		ts = stage_site(s, r.site);
		space = s->info->arrays[ts->array].space;
		if (b->carry && space != SPACE_SHARED)
			carry_note(b->carry, s, i, &r);
		if (space == SPACE_REGISTER)
			continue;
		if (ts->op == OP_LD)
			note_load(s, b, i, &r);
		else
			note_store(s, b, w, i, &r);
	}
}

static void walk_warp_phases(struct stage *s, struct tiles_book *b, size_t warp)
{
	uint32_t phase = s->scene.phase;
	uint32_t from = phase > EARLIER ? phase - EARLIER : 0;

	if (phase >= trace_warp(s->trace, warp)->phases)
		return;
	if (b->last)
		memset(b->last, 0, value_flow_slot_count(b->flow) *
					   WARP_LANES * sizeof(*b->last));
	if (b->carry)
		carry_clear(b->carry);
	for (uint32_t p = from; p <= phase; p++)
		walk_phase(
			s, b,
			&(struct phase_walk){
				.warp = warp,
				.now = p == phase,
				.first = trace_phase_start(s->trace, warp, p),
				.end = tiles_phase_end(s, warp, p) });
}

/* ---- the tiles ---- */

static void cover_origin(struct box *b, const struct tile_value *v)
{
	if (!b->known)
		*b = (struct box){ true, v->row, v->col, v->row, v->col };
	b->row0 = MIN(b->row0, v->row);
	b->col0 = MIN(b->col0, v->col);
	b->row1 = MAX(b->row1, v->row);
	b->col1 = MAX(b->col1, v->col);
}

/* Finds which parts of the matrices are in shared memory, and the matrix that
 * most of a shared array's elements come from. */
static void find_origins(const struct scene *sc, struct tiles_book *b)
{
	struct tiles *t = &b->view;

	memset(t->now, 0, sizeof(t->now));
	memset(t->before, 0, sizeof(t->before));
	t->fills = false;
	for (size_t i = 0; i < sc->array_count; i++) {
		uint32_t n = sc->arrays[i].rows * sc->arrays[i].cols;
		bool of_a = false, of_b = false;

		for (uint32_t e = 0; b->stored[i] && e < n; e++) {
			const struct tile_cell *c = &t->cell[i][e];
			int32_t now = c->now.array, before = c->before.array;

			t->fills |= c->now.by >= 0;
			if (now >= 0)
				cover_origin(&t->now[now], &c->now);
			if (before >= 0)
				cover_origin(&t->before[before], &c->before);
			of_a |= sc->a >= 0 && (now == sc->a ||
					       before == sc->a);
			of_b |= sc->b >= 0 && (now == sc->b ||
					       before == sc->b);
		}
		t->origin[i] = of_a == of_b ? -1 : of_b;
	}
}

#define NO_VALUE { .by = -1, .array = -1, .box = ROAD_NONE, \
		   .loaded = UINT32_MAX, .stored = UINT32_MAX }
const struct tile_cell tiles_no_cell = { NO_VALUE, NO_VALUE };

static void clear_cells(const struct scene *sc, struct tiles_book *b)
{
	struct tiles *t = &b->view;

	memset(b->stored, 0, sizeof(b->stored));
	for (size_t i = 0; i < sc->array_count; i++) {
		uint32_t n = sc->arrays[i].rows * sc->arrays[i].cols;

		if (!sc->arrays[i].owner)
			continue;
		if (!t->cell[i]) {
			t->cell[i] = xcalloc(n, sizeof(*t->cell[i]));
			t->read[i] = xcalloc(n, sizeof(*t->read[i]));
		}
		for (uint32_t e = 0; e < n; e++)
			t->cell[i][e] = tiles_no_cell;
	}
}

/* ---- the part of the scene ---- */

static void free_tiles(void *state)
{
	struct tiles_book *b = state;

	for (size_t i = 0; i < STAGE_MAX_ARRAYS; i++) {
		free(b->view.cell[i]);
		free(b->view.read[i]);
	}
	value_flow_free(b->flow);
	carry_free(b->carry);
	free(b->last);
	free(b->reads);
	free(b->way);
}

static const struct stage_part tiles_part = {
	.bytes = sizeof(struct tiles_book), .done = free_tiles,
};

void scene_tiles(struct stage *s, const struct turns *t)
{
	struct scene *sc = &s->scene;
	struct tiles_book *b;

	(void)t;
	if (!sc->site)
		return;
	b = stage_state(s, &tiles_part);
	sc->tiles = &b->view;
	if (!b->valid || b->view.block != sc->warp.block ||
	    b->view.phase != sc->phase) {
		learn_block_flow(s, b);
		find_way(s, b);
		clear_cells(sc, b);
		for (size_t w = 0; w < trace_warp_count(s->trace); w++)
			if (trace_warp(s->trace, w)->block == sc->warp.block)
				walk_warp_phases(s, b, w);
		find_origins(sc, b);
		tiles_count_block(s, b);
		b->view.block = sc->warp.block;
		b->view.phase = sc->phase;
		b->valid = true;
		b->ring_of = NULL;
	}
	b->view.ring = tiles_ring(s, b);
	if (!b->read_valid || b->read_warp != sc->cursor.warp ||
	    b->read_lane != sc->cursor.lane || b->read_phase != sc->phase) {
		tiles_find_reads(s, b);
		b->read_valid = true;
		b->read_warp = sc->cursor.warp;
		b->read_lane = sc->cursor.lane;
		b->read_phase = sc->phase;
	}
	b->view.at_barrier = sc->site->op == OP_BARRIER;
	tiles_sum_reads(s, b);
}

/* Returns where a box is that is in flight for as long as its stage is. */
static enum tile_state box_state(const struct scene *sc,
				 const struct tile_value *v)
{
	const struct road_box *b = &sc->road->boxes[v->box];
	uint64_t when = sc->road_now.when;

	if (sc->tiles->turn[v->stage] != TURN_IN_FLIGHT)
		return TILE_STORED;
	return b->ordered < when ? TILE_LOADED :
	       b->ordered == when ? TILE_LOADING : TILE_WAITING;
}

enum tile_state tile_state(const struct scene *sc, const struct tile_cell *cell,
			   const struct tile_value **v)
{
	const struct tile_value *now = &cell->now;
	bool own = now->by >= 0 &&
		   (uint32_t)now->by / WARP_LANES == sc->warp.warp;
	uint32_t here = sc->cursor.request - sc->phase_first + 1;

	*v = now->by >= 0 ? now : &cell->before;
	if (now->box != ROAD_NONE && sc->road)
		return box_state(sc, now);
	if (now->by < 0)
		return cell->before.by >= 0 ? TILE_STORED : TILE_EMPTY;
	/* Requests of other warps are compared with this one's in step. */
	if (!own && !sc->cursor.all_warps)
		return TILE_COMING;
	if (now->stored < here)
		return TILE_STORED;
	if (now->stored == here)
		return TILE_STORING;
	if (now->loaded == UINT32_MAX || now->loaded > here)
		return TILE_WAITING;
	return now->loaded == here ? TILE_LOADING : TILE_LOADED;
}
