/* scene_road_walk: see scene_road_walk.h. */
#include "scene/scene_road_walk.h"

#include <stdlib.h>

#include "provenance/provenance.h"
#include "provenance/schedule.h"
#include "scene/stage.h"

static struct road_use *use_at(struct road *r, uint32_t block, uint32_t array,
			       uint64_t at, uint32_t phase)
{
	uint32_t number = 0;

	for (size_t i = r->use_count; i-- > 0; ) {
		struct road_use *u = &r->uses[i];

		if (u->block != block)
			continue;
		if (u->full == array && u->full_at == at && u->phase == phase)
			return u;
		number = MAX(number, u->number + 1);
	}
	grow(&r->uses, &r->use_capacity, r->use_count + 1, sizeof(*r->uses));
	r->uses[r->use_count] = (struct road_use){
		.block = block, .number = number, .full = array,
		.full_at = at, .phase = phase, .empty = TRACE_NO_ARRAY,
		.before = ROAD_NONE, .next = ROAD_NONE };
	return &r->uses[r->use_count++];
}

static struct road_event *add_step_event(struct road_walk *w,
					 const struct road_warp *warp,
					 enum road_kind kind, uint32_t use,
					 const struct schedule_step *step)
{
	struct road *r = w->road;

	grow(&r->events, &r->event_capacity, r->event_count + 1,
	     sizeof(*r->events));
	r->events[r->event_count] = (struct road_event){
		.kind = kind, .use = use, .box = ROAD_NONE,
		.warp = warp->index, .block = warp->block,
		.number = warp->number, .request = step->request,
		.mask = step->r->mask, .site = step->r->site,
		.comes = 2 * step->time, .when = 2 * step->time };
	return &r->events[r->event_count++];
}

static struct road_meet meet_of(const struct road_walk *w,
				const struct road_warp *warp,
				const struct schedule_step *step)
{
	uint32_t lane = (uint32_t)__builtin_ctz(step->r->mask);

	return (struct road_meet){
		.array = stage_site(w->stage, step->r->site)->array,
		.phase = step->r->value[4 * lane], .block = warp->block,
		.request = step->request, .mask = step->r->mask,
		.at = step->r->offset[lane], .comes = 2 * step->time,
		.when = 2 * step->time, .warp = warp->index,
		.number = warp->number };
}

/* ---- mbarriers ---- */

/* The wait before the first box of a use is for the stage to be free, if it is
 * at another mbarrier. */
static void wait_was_for(struct road_walk *w, struct road_warp *warp,
			 struct road_use *u)
{
	const struct road_meet *m;
	struct road *r = w->road;

	if (!warp->wait || u->empty != TRACE_NO_ARRAY)
		return;
	m = &w->waits[warp->wait - 1];
	warp->wait = 0;
	if (m->array == u->full && m->at == u->full_at)
		return;
	u->empty = m->array;
	u->empty_at = m->at;
	u->empty_phase = m->phase + 1;
	grow(&r->events, &r->event_capacity, r->event_count + 1,
	     sizeof(*r->events));
	r->events[r->event_count++] = (struct road_event){
		.kind = ROAD_FREE, .use = (uint32_t)(u - r->uses),
		.box = ROAD_NONE, .warp = m->warp, .block = m->block,
		.number = m->number, .request = m->request,
		.mask = m->mask, .comes = m->comes, .when = m->when };
}

static void add_arrival(struct road_walk *w, struct road_warp *warp,
			const struct schedule_step *step)
{
	struct road_meet m = meet_of(w, warp, step);
	uint64_t bytes = 0;
	struct road_use *u;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		bytes += step->r->value[4 * lane + 1];
	if (!bytes) {
		grow(&w->arrivals, &w->arrival_capacity, w->arrival_count + 1,
		     sizeof(m));
		w->arrivals[w->arrival_count++] = m;
		return;
	}
	u = use_at(w->road, warp->block, m.array, m.at, m.phase);
	u->expected += bytes;
	warp->expecting = (uint32_t)(u - w->road->uses);
	wait_was_for(w, warp, u);
	add_step_event(w, warp, ROAD_EXPECT, warp->expecting, step);
}

static void add_wait(struct road_walk *w, struct road_warp *warp,
		     const struct schedule_step *step)
{
	grow(&w->waits, &w->wait_capacity, w->wait_count + 1,
	     sizeof(*w->waits));
	w->waits[w->wait_count++] = meet_of(w, warp, step);
	warp->wait = w->wait_count;
	warp->waits = true;
}

/* Ends the warp's wait, which is over before this request. */
static void end_wait(struct road_walk *w, struct road_warp *warp, uint64_t time)
{
	struct road_meet *m;

	if (!warp->waits)
		return;
	m = &w->waits[warp->wait - 1];
	m->when = 2 * time - 1;
	warp->when[m->request] = m->when;
	warp->waits = false;
}

/* ---- boxes ---- */

static void order_box(struct road_walk *w, struct road_warp *warp,
		      const struct schedule_step *step)
{
	const struct trace_site *site = stage_site(w->stage, step->r->site);
	const struct trace_array *a = &w->stage->info->arrays[site->array];
	uint32_t lane = (uint32_t)__builtin_ctz(step->r->mask);
	uint64_t e = step->r->offset[lane] / a->elem_bytes;
	uint32_t across = (uint32_t)a->dims[a->rank - 1];
	uint32_t down = (uint32_t)(trace_array_bytes(a) / a->elem_bytes /
				   across);
	struct box in = stage_tile_box(&site->tile, e, down, across);
	struct road *r = w->road;

	if (warp->expecting == ROAD_NONE || !site->tile.rows)
		return;
	grow(&r->boxes, &r->box_capacity, r->box_count + 1, sizeof(*r->boxes));
	r->boxes[r->box_count] = (struct road_box){
		.block = warp->block, .warp = warp->number, .lane = lane,
		.from = site, .from_at = step->r->offset[lane],
		.row = in.row0, .col = in.col0,
		.rows = in.row1 - in.row0 + 1, .cols = in.col1 - in.col0 + 1,
		.ordered = 2 * step->time };
	warp->ordering = (uint32_t)r->box_count++;
	add_step_event(w, warp, ROAD_ORDER, warp->expecting, step)->box =
		warp->ordering;
}

/* Records that the box lands in each block: in the same stage and phase. */
static void land_box(struct road_walk *w, struct road_warp *warp,
		     const struct schedule_step *step)
{
	struct road *r = w->road;
	struct road_box *b;
	uint32_t lane = (uint32_t)__builtin_ctz(step->r->mask);

	if (warp->ordering == ROAD_NONE || !stage_site(w->stage,
			step->r->site)->tile.pitch)
		return;
	b = &r->boxes[warp->ordering];
	b->to = stage_site(w->stage, step->r->site);
	b->to_at = step->r->offset[lane];
	b->landed = 2 * step->time;
	b->blocks = b->to->tile.blocks ? b->to->tile.blocks :
		    1u << (warp->block - r->block);
	for (uint32_t i = 0; i < r->cluster && i < 32; i++) {
		struct road_use of = r->uses[warp->expecting], *u;

		if (!(b->blocks >> i & 1))
			continue;
		u = use_at(r, r->block + i, of.full, of.full_at, of.phase);
		grow(&u->boxes, &u->box_capacity, u->box_count + 1,
		     sizeof(*u->boxes));
		u->boxes[u->box_count++] = warp->ordering;
		add_step_event(w, warp, ROAD_LAND, (uint32_t)(u - r->uses),
			       step)
			->box = warp->ordering;
	}
	warp->ordering = ROAD_NONE;
}

/* Returns whether a read counts: a wgmma is two requests, one for each
 * operand. */
static bool counts_read(struct road_warp *warp,
			const struct schedule_step *step)
{
	if (warp->read_request != ROAD_NONE &&
	    step->request == warp->read_request + 1 &&
	    step->r->site != warp->read_site)
		return false;
	warp->read_request = step->request;
	warp->read_site = step->r->site;
	return true;
}

static void add_read(struct road_walk *w, struct road_warp *warp, uint32_t use,
		     uint32_t box, const struct schedule_step *step)
{
	bool wgmma = stage_site(w->stage, step->r->site)->op == OP_WGMMA;
	struct road_event *e;

	w->road->wgmma |= wgmma;
	if (wgmma || warp->reading != use) {
		e = add_step_event(w, warp, ROAD_READ, use, step);
		e->box = box;
		e->counts = !wgmma || counts_read(warp, step);
	}
	warp->reading = use;
}

static void read_box(struct road_walk *w, struct road_warp *warp,
		     const struct schedule_step *step)
{
	const struct trace_site *site = stage_site(w->stage, step->r->site);
	uint64_t at = step->r->offset[__builtin_ctz(step->r->mask)];
	struct road *r = w->road;

	for (size_t i = r->use_count; i-- > 0; ) {
		const struct road_use *u = &r->uses[i];

		if (u->block != warp->block)
			continue;
		for (size_t n = 0; n < u->box_count; n++) {
			if (!road_holds(&r->boxes[u->boxes[n]], site->array, at))
				continue;
			add_read(w, warp, (uint32_t)i, u->boxes[n], step);
			return;
		}
	}
}

/* Releases at a barrier what the block's warps have read, if no mbarrier
 * does. */
static void release_at_barrier(struct road_walk *w, struct road_warp *warp,
			       const struct schedule_step *step)
{
	uint32_t use = warp->reading;

	warp->reading = ROAD_NONE;
	if (use != ROAD_NONE && w->road->uses[use].empty == TRACE_NO_ARRAY)
		add_step_event(w, warp, ROAD_RELEASE, use, step);
}

/* ---- walking ---- */

static void count(struct road_walk *w, const struct road_warp *warp,
		  const struct schedule_step *step)
{
	uint32_t lane = (uint32_t)__builtin_ctz(step->r->mask);

	grow(&w->counts, &w->count_capacity, w->count_count + 1,
	     sizeof(*w->counts));
	w->counts[w->count_count++] = (struct road_count){
		.block = warp->block, .count = step->r->value[4 * lane],
		.array = stage_site(w->stage, step->r->site)->array,
		.at = step->r->offset[lane] };
}

/* Returns whether the array holds mbarriers: some site waits there. */
static bool is_mbarrier(const struct road_walk *w, uint32_t array)
{
	for (size_t i = 0; i < w->stage->info->site_count; i++)
		if (stage_site(w->stage, (uint32_t)i)->op == OP_MBAR_WAIT &&
		    stage_site(w->stage, (uint32_t)i)->array == array)
			return true;
	return false;
}

static void walk_step(struct road_walk *w, struct road_warp *warp,
		      const struct schedule_step *step)
{
	const struct trace_site *site = stage_site(w->stage, step->r->site);
	bool shared = w->stage->info->arrays[site->array].space ==
		      SPACE_SHARED;

	if (site->op == OP_TMA_LD && !shared)
		order_box(w, warp, step);
	else if (site->op == OP_TMA_LD)
		land_box(w, warp, step);
	else if (shared && (site->op == OP_WGMMA || site->op == OP_LD))
		read_box(w, warp, step);
	else if (shared && site->op == OP_ST && is_mbarrier(w, site->array))
		count(w, warp, step);
}

static int visit(void *ctx, const struct schedule_step *step)
{
	struct road_walk *w = ctx;
	struct road_warp *warp = NULL;
	enum op op = stage_site(w->stage, step->r->site)->op;

	for (size_t i = 0; i < w->warp_count; i++)
		if (w->warps[i].index == step->warp)
			warp = &w->warps[i];
	if (!warp || step->request >= warp->requests)
		return 0;
	end_wait(w, warp, step->time);
	warp->when[step->request] = 2 * step->time;
	if (op == OP_MBAR_ARRIVE)
		add_arrival(w, warp, step);
	else if (op == OP_MBAR_WAIT)
		add_wait(w, warp, step);
	else if (op == OP_BARRIER)
		release_at_barrier(w, warp, step);
	else if (op_is_access(op) || op_is_bulk(op))
		walk_step(w, warp, step);
	return 0;
}

void road_walk(struct road_walk *w, struct stage *s, struct road *road,
	       uint32_t block)
{
	struct error e;

	*w = (struct road_walk){ .stage = s, .road = road };
	road->cluster = provenance_cluster(s->info);
	road->block = block / road->cluster * road->cluster;
	for (size_t i = 0; i < trace_warp_count(s->trace); i++) {
		const struct trace_warp *tw = trace_warp(s->trace, i);

		if (tw->block - road->block >= road->cluster)
			continue;
		grow(&w->warps, &w->warp_capacity, w->warp_count + 1,
		     sizeof(*w->warps));
		w->warps[w->warp_count++] = (struct road_warp){
			.index = i, .block = tw->block, .number = tw->warp,
			.requests = tw->requests, .expecting = ROAD_NONE,
			.reading = ROAD_NONE, .read_request = ROAD_NONE,
			.ordering = ROAD_NONE,
			.when = xcalloc(tw->requests + 1,
					sizeof(*w->warps->when)) };
	}
	/* The sound part of a damaged trace is shown. */
	schedule_visit(s->trace, road->block, road->cluster, visit, w, &e);
}

void road_walk_done(struct road_walk *w)
{
	for (size_t i = 0; i < w->warp_count; i++)
		free(w->warps[i].when);
	free(w->warps);
	free(w->waits);
	free(w->arrivals);
	free(w->counts);
}
