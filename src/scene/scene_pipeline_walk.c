/* scene_pipeline_walk: see scene_pipeline_walk.h. */
#include "scene/scene_pipeline_walk.h"

#include <stdlib.h>
#include <string.h>

#include "provenance/provenance.h"
#include "provenance/schedule.h"

/* ---- gates ---- */

enum gate_kind { GATE_BARRIER, GATE_SYNC, GATE_MBARRIER };

static uint32_t gate_at(struct pipeline_walk *w, enum gate_kind kind,
			uint32_t at, uint32_t nth, uint64_t offset)
{
	for (size_t i = w->gate_count; i-- > 0; ) {
		const struct pipeline_gate *g = &w->gates[i];

		if (g->kind == kind && g->at == at && g->nth == nth &&
		    g->offset == offset)
			return (uint32_t)i;
	}
	grow(&w->gates, &w->gate_capacity, w->gate_count + 1,
	     sizeof(*w->gates));
	w->gates[w->gate_count] = (struct pipeline_gate){
		.kind = kind, .at = at, .nth = nth, .offset = offset };
	return (uint32_t)w->gate_count++;
}

static void gate_later(struct pipeline_walk *w, uint32_t gate, uint32_t step)
{
	w->gates[gate].step = MAX(w->gates[gate].step, step);
}

/* Records that the warp comes to a barrier, or to a warp sync at its site. */
static void meet_gate(struct pipeline_walk *w, struct pipeline_warp *warp,
		      uint32_t site, bool barrier)
{
	uint32_t point = barrier ? 0 : site + 1;
	uint32_t *passed = &w->passed[(size_t)(warp - w->warps) *
			   (w->stage->info->site_count + 1) + point];
	uint32_t gate = gate_at(w, barrier ? GATE_BARRIER : GATE_SYNC, point,
				(*passed)++, warp->block);

	gate_later(w, gate, warp->step + (barrier && warp->worked));
	warp->waits = gate + 1;
	if (barrier)
		warp->worked = warp->used = warp->left = false;
}

/* Records an arrival at an mbarrier: what it announces, copies with their bytes
 * or free stages, is ready a step later. */
static void arrive_mbarrier(struct pipeline_walk *w, struct pipeline_warp *warp,
			    const struct trace_request *r)
{
	uint32_t array = stage_site(w->stage, r->site)->array;
	size_t self = (size_t)(warp - w->warps), i = warp->next_release;
	uint32_t step, lane = (uint32_t)__builtin_ctz(r->mask);

	w->mbarriers = true;
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (r->mask >> l & 1)
			gate_later(w, gate_at(w, GATE_MBARRIER, array,
					      r->value[l * 4], r->offset[l]),
				   warp->step + 1);
	if (r->value[lane * 4 + 1])
		return;
	while (i < w->use_count && w->uses[i].warp != self)
		i++;
	if (i == w->use_count)
		return;
	for (step = w->uses[i].step; i < w->use_count; i++) {
		if (w->uses[i].warp != self)
			continue;
		if (w->uses[i].step != step)
			break;
		w->uses[i].released = warp->step;
	}
	warp->next_release = i;
}

static void wait_mbarrier(struct pipeline_walk *w, struct pipeline_warp *warp,
			  const struct trace_request *r)
{
	uint32_t lane = (uint32_t)__builtin_ctz(r->mask);

	warp->waits = gate_at(w, GATE_MBARRIER,
			      stage_site(w->stage, r->site)->array,
			      r->value[lane * 4], r->offset[lane]) + 1;
	warp->step += warp->used || warp->left;
	warp->used = warp->worked = warp->left = false;
}

/* Makes sure that the block has a step of this number. */
static void reach_step(struct pipeline_walk *w, uint32_t step)
{
	uint32_t before = w->steps;

	if (step < w->steps)
		return;
	grow(&w->barrier, &w->barrier_capacity, step + 1, sizeof(bool));
	memset(w->barrier + before, 0, step + 1 - before);
	w->steps = step + 1;
}

static void pass_gate(struct pipeline_walk *w, struct pipeline_warp *warp)
{
	const struct pipeline_gate *g;

	if (!warp->waits)
		return;
	g = &w->gates[warp->waits - 1];
	warp->waits = 0;
	warp->step = MAX(warp->step, g->step);
	if (g->kind != GATE_BARRIER || warp->block != w->block)
		return;
	reach_step(w, warp->step);
	w->barrier[warp->step] = true;
}

/* ---- copies ---- */

static void queue_load(struct pipeline_walk *w, struct pipeline_warp *warp,
		       const struct trace_request *r, uint32_t request)
{
	const struct scene *sc = &w->stage->scene;
	const struct trace_site *site = stage_site(w->stage, r->site);
	bool of_a = site->array == sc->arrays[sc->a].id;
	const struct trace_array *a = &w->stage->info->arrays[site->array];
	uint64_t e = r->offset[__builtin_ctz(r->mask)] / a->elem_bytes;
	struct pipeline_load l = {
		.k = (uint32_t)(of_a ? e % a->dims[1] : e / a->dims[1]),
		.bytes = site->bytes, .asked = warp->step,
		.request = request, .of_a = of_a,
	};
	struct pipeline_lap *lap = &warp->laps[of_a];

	/* Back to an earlier k: for another tile of C. */
	if (site->op == OP_TMA_LD || warp->step != lap->step) {
		lap->lap += lap->any && l.k < lap->least;
		lap->least = l.k;
		lap->step = warp->step;
		lap->any = true;
	}
	lap->least = MIN(lap->least, l.k);
	l.lap = lap->lap;
	warp->works = true;
	if (site->op == OP_TMA_LD && of_a)
		w->box_columns = site->tile.columns;
	if (warp->load_first == warp->load_count)
		warp->load_first = warp->load_count = 0;
	grow(&warp->loads, &warp->load_capacity, warp->load_count + 1,
	     sizeof(l));
	warp->loads[warp->load_count++] = l;
}

/* Takes what was loaded first from the warp's queue. Returns false if it is
 * empty. */
static bool take_load(struct pipeline_warp *warp, uint32_t bytes,
		      struct pipeline_load *l)
{
	if (warp->load_first == warp->load_count)
		return false;
	*l = warp->loads[warp->load_first];
	while (bytes && warp->load_first < warp->load_count) {
		struct pipeline_load *at = &warp->loads[warp->load_first];
		uint32_t part = MIN(bytes, at->bytes);

		at->bytes -= part;
		bytes -= part;
		warp->load_first += !at->bytes;
	}
	return true;
}

static void fill_elements(struct pipeline_walk *w,
			  const struct trace_request *r, int32_t fill)
{
	const struct trace_site *site = stage_site(w->stage, r->site);
	int n = site->array < LENGTH(w->stage->on_stage) ?
		w->stage->on_stage[site->array] : -1;
	const struct stage_array *a = n < 0 ? NULL : &w->stage->scene.arrays[n];
	uint64_t bytes = op_is_bulk(site->op) ?
		(uint64_t)site->tile.rows * site->tile.pitch : site->bytes;

	if (!a || !w->filled[n])
		return;
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint64_t e = r->offset[l] / a->array->elem_bytes;
		uint64_t end = e + MAX(bytes / a->array->elem_bytes, 1);

		if (!(r->mask >> l & 1))
			continue;
		for (; e < end && e < (uint64_t)a->rows * a->cols; e++)
			w->filled[n][e] = fill;
	}
}

/* Records a store to shared memory. For a value that no load brought, such as a
 * zero or a sum, only the place counts. */
static void store_fill(struct pipeline_walk *w, struct pipeline_warp *warp,
		       const struct trace_request *r)
{
	const struct trace_site *site = stage_site(w->stage, r->site);
	bool here = trace_tile_comes(&site->tile, warp->block, w->block,
				     w->cluster);
	struct pipeline_fill f = { .warp = (size_t)(warp - w->warps),
				   .stored = warp->step,
				   .array = site->array,
				   .offset = UINT64_MAX };
	struct pipeline_load l;

	if (!take_load(warp, site->bytes, &l)) {
		if (here)
			fill_elements(w, r, -1);
		return;
	}
	warp->does |= PIPELINE_COPIES;
	warp->worked = true;
	if (!here)
		return;
	f.asked = l.asked;
	f.request = l.request;
	f.k = l.k;
	f.lap = l.lap;
	f.of_a = l.of_a;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (r->mask >> lane & 1)
			f.offset = MIN(f.offset, r->offset[lane]);
	grow(&w->fills, &w->fill_capacity, w->fill_count + 1, sizeof(f));
	w->fills[w->fill_count] = f;
	fill_elements(w, r, (int32_t)w->fill_count++);
}

/* ---- use ---- */

static void record_use(struct pipeline_walk *w, struct pipeline_warp *warp,
		       const struct trace_request *r)
{
	const struct trace_site *site = stage_site(w->stage, r->site);
	int n = site->array < LENGTH(w->stage->on_stage) ?
		w->stage->on_stage[site->array] : -1;
	const struct stage_array *a = n < 0 ? NULL : &w->stage->scene.arrays[n];
	size_t self = (size_t)(warp - w->warps);
	struct pipeline_use *last = w->use_count ?
				    &w->uses[w->use_count - 1] : NULL;
	int32_t fill;

	if (!a || !w->filled[n])
		return;
	fill = w->filled[n][r->offset[__builtin_ctz(r->mask)] /
			    a->array->elem_bytes];
	if (fill < 0)
		return;
	warp->does |= PIPELINE_USES;
	warp->worked = warp->used = warp->works = true;
	w->wgmma |= site->op == OP_WGMMA;
	if (last && last->warp == self && last->fill == (size_t)fill &&
	    last->step == warp->step)
		return;
	grow(&w->uses, &w->use_capacity, w->use_count + 1, sizeof(*w->uses));
	w->uses[w->use_count++] = (struct pipeline_use){
		.warp = self, .fill = (size_t)fill, .step = warp->step };
}

/* Records that results are stored to global memory, in a step of their own. */
static void store_results(struct pipeline_walk *w, struct pipeline_warp *warp)
{
	size_t self = (size_t)(warp - w->warps);

	warp->step += warp->used;
	warp->used = false;
	warp->left = warp->works = true;
	warp->does |= PIPELINE_STORES;
	if (w->store_count && w->stores[w->store_count - 1].warp == self &&
	    w->stores[w->store_count - 1].step == warp->step)
		return;
	grow(&w->stores, &w->store_capacity, w->store_count + 1,
	     sizeof(*w->stores));
	w->stores[w->store_count++] = (struct pipeline_store){ self,
							       warp->step };
}

/* ---- walking ---- */

static void walk_access(struct pipeline_walk *w, struct pipeline_warp *warp,
			const struct trace_request *r, uint32_t request)
{
	const struct trace_site *site = stage_site(w->stage, r->site);
	const struct scene *sc = &w->stage->scene;
	enum space space = w->stage->info->arrays[site->array].space;
	bool reads = site->op == OP_LD || site->op == OP_TMA_LD;

	if (space == SPACE_GLOBAL) {
		if (reads && (site->array == sc->arrays[sc->a].id ||
			      site->array == sc->arrays[sc->b].id))
			queue_load(w, warp, r, request);
		else if (!reads && warp->block == w->block)
			store_results(w, warp);
	} else if (space == SPACE_SHARED) {
		if (site->op == OP_ST || site->op == OP_TMA_LD)
			store_fill(w, warp, r);
		else if (site->op != OP_TMA_ST && warp->block == w->block)
			record_use(w, warp, r);
	}
}

static struct pipeline_warp *find_walk_warp(struct pipeline_walk *w,
					    size_t index)
{
	for (size_t i = 0; i < w->warp_count; i++)
		if (w->warps[i].index == index)
			return &w->warps[i];
	return NULL;
}

static void begin_step(struct pipeline_walk *w, struct pipeline_warp *warp,
		       uint32_t request)
{
	struct pipeline_start *last = warp->turn_count ?
				      &warp->turns[warp->turn_count - 1] :
				      NULL;

	if (last && last->step == warp->step) {
		if (warp->works)
			last->work = MIN(last->work, request);
		return;
	}
	grow(&warp->turns, &warp->turn_capacity, warp->turn_count + 1,
	     sizeof(*warp->turns));
	warp->turns[warp->turn_count++] = (struct pipeline_start){
		.request = request, .step = warp->step,
		.work = warp->works ? request : UINT32_MAX };
	if (warp->block == w->block)
		reach_step(w, warp->step);
}

static int visit(void *ctx, const struct schedule_step *step)
{
	struct pipeline_walk *w = ctx;
	struct pipeline_warp *warp = find_walk_warp(w, step->warp);
	const struct trace_site *site = stage_site(w->stage, step->r->site);

	if (!warp)
		return 0;
	pass_gate(w, warp);
	warp->works = false;
	if (op_is_access(site->op) || op_is_bulk(site->op))
		walk_access(w, warp, step->r, step->request);
	begin_step(w, warp, step->request);
	if (site->op == OP_MBAR_ARRIVE)
		arrive_mbarrier(w, warp, step->r);
	else if (site->op == OP_MBAR_WAIT)
		wait_mbarrier(w, warp, step->r);
	else if (site->op == OP_BARRIER || site->op == OP_SYNC)
		meet_gate(w, warp, step->r->site, site->op == OP_BARRIER);
	return 0;
}

void pipeline_walk(struct pipeline_walk *w, const struct stage *s,
		   uint32_t block)
{
	const struct scene *sc = &s->scene;
	struct error e;

	*w = (struct pipeline_walk){ .stage = s, .block = block,
				     .k = s->info->k,
				     .cluster = provenance_cluster(s->info) };
	for (size_t i = 0; i < trace_warp_count(s->trace); i++) {
		const struct trace_warp *tw = trace_warp(s->trace, i);

		if (tw->block / w->cluster != block / w->cluster)
			continue;
		grow(&w->warps, &w->warp_capacity, w->warp_count + 1,
		     sizeof(*w->warps));
		w->warps[w->warp_count++] = (struct pipeline_warp){
			.index = i, .block = tw->block, .number = tw->warp,
			.role = PIPELINE_NONE };
	}
	w->passed = xcalloc(w->warp_count * (s->info->site_count + 1),
			    sizeof(*w->passed));
	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];
		size_t n = (size_t)a->rows * a->cols;

		if (a->array->space != SPACE_SHARED || n > 1u << 20)
			continue;
		w->filled[i] = xcalloc(n, sizeof(**w->filled));
		memset(w->filled[i], 0xff, n * sizeof(**w->filled));
	}
	/* The sound part of a damaged trace is shown. */
	schedule_visit(s->trace, block / w->cluster * w->cluster, w->cluster,
		       visit, w, &e);
}

void pipeline_walk_done(struct pipeline_walk *w)
{
	for (size_t i = 0; i < w->warp_count; i++) {
		free(w->warps[i].turns);
		free(w->warps[i].loads);
	}
	for (size_t i = 0; i < STAGE_MAX_ARRAYS; i++)
		free(w->filled[i]);
	free(w->warps);
	free(w->fills);
	free(w->uses);
	free(w->stores);
	free(w->gates);
	free(w->passed);
	free(w->barrier);
}
