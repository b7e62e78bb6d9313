/* scene_pipeline: steps, tiles and roles of a block. See scene_pipeline.h. */
#include "scene/scene_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provenance/provenance.h"
#include "provenance/schedule.h"
#include "scene/scene_pipeline_walk.h"
#include "scene/stage.h"
#include "timing/measured.h"
#include "trace/finding.h"

/* ---- steps ---- */

/* Returns how far in its step a request is, 0 to 1: from the first request that
 * does anything here to the last. Sets the step. */
static double find_step_part(struct trace *t, const struct pipeline_warp *w,
			     uint32_t request, uint32_t *step)
{
	uint32_t n = 0, first, next;

	*step = 0;
	if (!w->turn_count)
		return 0;
	while (n + 1 < w->turn_count && w->turns[n + 1].request <= request)
		n++;
	*step = w->turns[n].step;
	first = w->turns[n].work == UINT32_MAX ? w->turns[n].request :
						  w->turns[n].work;
	next = n + 1 < w->turn_count ? w->turns[n + 1].request :
	       trace_warp(t, w->index)->requests;
	return request > first ? (double)(request - first) / (next - first) :
				 0;
}

/* ---- tiles ---- */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Lists the first k of the loads from A of each step, ascending and without
 * repetition. Returns their number; the caller frees *ks. */
static uint32_t list_first_ks(const struct pipeline_walk *w, uint32_t **ks)
{
	uint32_t *first = xcalloc(w->steps + 1, sizeof(*first)), n = 0;

	*ks = xcalloc(w->steps + 1, sizeof(**ks));
	memset(first, 0xff, (w->steps + 1) * sizeof(*first));
	for (size_t i = 0; i < w->fill_count; i++)
		if (w->fills[i].of_a)
			first[w->fills[i].asked] =
				MIN(first[w->fills[i].asked], w->fills[i].k);
	qsort(first, w->steps, sizeof(*first), by_number);
	for (uint32_t i = 0; i < w->steps && first[i] != UINT32_MAX; i++)
		if (!i || first[i] != first[i - 1])
			(*ks)[n++] = first[i];
	free(first);
	return n;
}

/* Returns the extent of a tile along k: the most frequent distance of steps. */
static uint32_t find_tile_depth(const struct pipeline_walk *w,
				const uint32_t *ks, uint32_t n)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 1; i < n; i++) {
		uint32_t same = 0;

		for (uint32_t j = 1; j < n; j++)
			same += ks[j] - ks[j - 1] == ks[i] - ks[i - 1];
		if (same > most || (same == most && ks[i] - ks[i - 1] < best)) {
			best = ks[i] - ks[i - 1];
			most = same;
		}
	}
	if (w->box_columns && (!best || w->box_columns < best))
		return w->box_columns;
	return best ? best : w->k;
}

/* Sets begin[k] to the first k of the tile that k belongs to. */
static void find_tiles(const struct pipeline_walk *w, uint32_t *begin)
{
	uint32_t *ks, n = list_first_ks(w, &ks),
		      depth = find_tile_depth(w, ks, n), last;

	for (uint32_t i = 0; i < n; i++)
		begin[ks[i]] = 1;
	begin[0] = 1;
	/* Where a step asks for several, they are as deep as the others. */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = i + 1 < n ? ks[i + 1] : w->k;

		while (i + 1 < n && to > ks[i] + depth)
			begin[to -= depth] = 1;
		for (uint32_t k = ks[i] + depth; i + 1 == n && k < to;
		     k += depth)
			begin[k] = 1;
	}
	last = 0;
	for (uint32_t k = 0; k < w->k; k++)
		begin[k] = last = begin[k] ? k : last;
	free(ks);
}

static struct pipeline_tile *add_tile(struct pipeline *p, size_t *capacity,
				      uint32_t lap, uint32_t k)
{
	for (uint32_t i = p->tile_count; i-- > 0; )
		if (p->tiles[i].lap == lap && p->tiles[i].k == k)
			return &p->tiles[i];
	grow(&p->tiles, capacity, p->tile_count + 1, sizeof(*p->tiles));
	p->tiles[p->tile_count] = (struct pipeline_tile){
		.lap = lap, .k = k, .asked = UINT32_MAX, .stage = UINT32_MAX,
		.used = PIPELINE_NONE, .used_last = PIPELINE_NONE,
	};
	return &p->tiles[p->tile_count++];
}

/* Finds the tiles' stages by `where`: the lowest byte of each tile in the first
 * shared array filled. */
static void find_stages(struct pipeline *p, const uint64_t *where)
{
	uint64_t *places = xcalloc(p->tile_count + 1, sizeof(*places));

	for (uint32_t i = 0; i < p->tile_count; i++) {
		uint32_t s = 0;

		while (s < p->stages && places[s] != where[i])
			s++;
		p->tiles[i].stage = s;
		if (s == p->stages)
			places[p->stages++] = where[i];
	}
	free(places);
}

/* Turns fills into tiles; of[i] becomes the tile of fill i. */
static void gather_tiles(struct pipeline *p, const struct pipeline_walk *w,
			 uint32_t *of)
{
	uint32_t *begin = xcalloc(w->k + 1, sizeof(*begin));
	uint64_t *where = xcalloc(w->fill_count + 1, sizeof(*where));
	size_t capacity = 0;

	find_tiles(w, begin);
	for (size_t i = 0; i < w->fill_count; i++) {
		const struct pipeline_fill *f = &w->fills[i];
		struct pipeline_tile *t =
			add_tile(p, &capacity, f->lap, begin[f->k]);
		uint32_t n = of[i] = (uint32_t)(t - p->tiles), step;
		double part = find_step_part(
			w->stage->trace, &w->warps[f->warp], f->request, &step);

		if (t->asked == UINT32_MAX) {
			where[n] = UINT64_MAX;
			t->asked = f->asked;
			t->asked_last = f->stored;
			t->from = t->to = 1;
		}
		if (f->asked == t->asked)
			t->from = MIN(t->from, part);
		t->asked_last = MAX(t->asked_last, f->stored);
		if (f->array == w->fills[0].array)
			where[n] = MIN(where[n], f->offset);
	}
	find_stages(p, where);
	for (uint32_t i = 0; i < p->tile_count; i++)
		for (uint32_t j = 0; j < p->tile_count; j++)
			if (p->tiles[i].asked == p->tiles[j].asked &&
			    p->tiles[j].from > p->tiles[i].from)
				p->tiles[i].to = MIN(p->tiles[i].to,
						     p->tiles[j].from);
	free(where);
	free(begin);
}

/* ---- roles ---- */

/* Returns the role of a warp, shared with others that do the same. Computing
 * warps of a warpgroup have a role together. PIPELINE_NONE: it does nothing. */
static uint32_t assign_role(struct pipeline *p, const struct pipeline_walk *w,
			    const struct pipeline_warp *warp)
{
	uint8_t does = warp->does & (PIPELINE_COPIES | PIPELINE_USES);
	uint32_t i;

	if (!does)
		return PIPELINE_NONE;
	for (i = 0; i < p->role_count; i++) {
		struct pipeline_role *r = &p->roles[i];

		if (p->apart && (!(r->does & does) ||
				 (w->wgmma && r->first / 4 !=
					      warp->number / 4)))
			continue;
		r->first = MIN(r->first, warp->number);
		r->last = MAX(r->last, warp->number);
		r->does |= warp->does;
		return i;
	}
	if (i == PIPELINE_ROLES)
		return PIPELINE_NONE;
	p->roles[p->role_count++] = (struct pipeline_role){
		.first = warp->number, .last = warp->number,
		.does = warp->does,
		.turns = xcalloc(p->steps, sizeof(*p->roles->turns)),
	};
	for (uint32_t s = 0; s < p->steps; s++)
		p->roles[i].turns[s].tile = PIPELINE_NONE;
	return i;
}

static void turn_does(struct pipeline *p, uint32_t role, uint32_t step,
		      uint8_t does)
{
	if (role != PIPELINE_NONE && step < p->steps)
		p->roles[role].turns[step].does |= does;
}

static void count_role(struct pipeline *p, struct pipeline_role *r)
{
	bool any = false;

	for (uint32_t s = 0; s < p->steps; s++) {
		if (!(r->turns[s].does & PIPELINE_USES))
			continue;
		r->begins = any ? r->begins : s;
		r->ends = s;
		r->computes++;
		any = true;
	}
}

static void count_all(struct pipeline *p)
{
	bool any = false;

	for (uint32_t s = 0; s < p->steps; s++) {
		bool computes = false;

		for (uint32_t i = 0; i < p->role_count; i++)
			computes |= p->roles[i].turns[s].does & PIPELINE_USES;
		if (!computes)
			continue;
		p->begins = any ? p->begins : s;
		p->ends = s;
		p->computes++;
		any = true;
	}
}

/* Returns whether a warp that reads the tile has already used a later one
 * (`last`): it reads ahead of what has come, and computes with what it read
 * before. */
static bool is_past_tile(const struct pipeline *p, uint32_t tile, uint32_t last)
{
	return last != PIPELINE_NONE &&
	       p->tiles[tile].lap == p->tiles[last].lap &&
	       p->tiles[tile].k < p->tiles[last].k;
}

static void use_tile(struct pipeline_tile *t, const struct pipeline_use *u)
{
	if (t->used == PIPELINE_NONE)
		t->used = t->used_last = u->step;
	t->used = MIN(t->used, u->step);
	t->used_last = MAX(t->used_last, MAX(u->step, u->released));
}

static void add_uses(struct pipeline *p, const struct pipeline_walk *w,
		     const uint32_t *of)
{
	uint32_t *last = xmalloc(w->warp_count * sizeof(*last));

	for (size_t i = 0; i < w->warp_count; i++)
		last[i] = PIPELINE_NONE;
	for (size_t i = 0; i < w->use_count; i++) {
		const struct pipeline_use *u = &w->uses[i];
		const struct pipeline_warp *warp = &w->warps[u->warp];
		uint32_t n = of[u->fill];

		if (is_past_tile(p, n, last[u->warp])) {
			n = last[u->warp];
		} else {
			use_tile(&p->tiles[n], u);
			last[u->warp] = n;
		}
		turn_does(p, warp->role, u->step, PIPELINE_USES);
		if (warp->role != PIPELINE_NONE)
			p->roles[warp->role].turns[u->step].tile = n;
	}
	free(last);
}

static void gather_roles(struct pipeline *p, struct pipeline_walk *w)
{
	uint8_t all = PIPELINE_COPIES | PIPELINE_USES;

	p->apart = true;
	for (size_t i = 0; i < w->warp_count; i++)
		if ((w->warps[i].does & all) == all)
			p->apart = false;
	for (size_t i = 0; i < w->warp_count; i++)
		w->warps[i].role = w->warps[i].block == p->block ?
					   assign_role(p, w, &w->warps[i]) :
					   PIPELINE_NONE;
	for (size_t i = 0; i < w->fill_count; i++)
		for (uint32_t s = w->fills[i].asked; s <= w->fills[i].stored;
		     s++)
			turn_does(p, w->warps[w->fills[i].warp].role, s,
				  PIPELINE_COPIES);
	for (size_t i = 0; i < w->store_count; i++)
		turn_does(p, w->warps[w->stores[i].warp].role,
			  w->stores[i].step, PIPELINE_STORES);
}

/* ---- stages ---- */

double pipeline_asked(const struct pipeline_tile *t)
{
	return t->asked + t->from;
}

enum pipeline_state pipeline_tile_state(const struct pipeline_tile *t,
					double at)
{
	if (t->used != PIPELINE_NONE && at >= t->used)
		return at < t->used_last + 1 ? PIPELINE_IN_USE :
					       PIPELINE_EMPTY;
	return at < t->asked_last + 1 ? PIPELINE_IN_FLIGHT : PIPELINE_READY;
}

enum pipeline_state pipeline_stage(const struct pipeline *p, uint32_t stage,
				   double at, uint32_t *tile)
{
	*tile = PIPELINE_NONE;
	for (uint32_t i = p->tile_count; i-- > 0; ) {
		enum pipeline_state state;

		if (p->tiles[i].stage != stage ||
		    at < pipeline_asked(&p->tiles[i]))
			continue;
		state = pipeline_tile_state(&p->tiles[i], at);
		if (state == PIPELINE_EMPTY)
			continue;
		*tile = i;
		return state;
	}
	return PIPELINE_EMPTY;
}

bool pipeline_lap(const struct pipeline *p, uint32_t lap, uint32_t *first,
		  uint32_t *last)
{
	bool any = false;

	for (uint32_t i = 0; i < p->tile_count; i++) {
		const struct pipeline_tile *t = &p->tiles[i];

		if (t->lap != lap || t->used == PIPELINE_NONE)
			continue;
		*first = any ? MIN(*first, t->used) : t->used;
		*last = any ? MAX(*last, t->used_last) : t->used_last;
		any = true;
	}
	return any;
}

/* Returns whether in this step results are stored while the next tile is there
 * or on its way. */
static bool leaves_at(const struct pipeline *p, uint32_t step)
{
	bool stores = false, next = false;
	uint32_t tile;

	for (uint32_t i = 0; i < p->role_count; i++) {
		if (p->roles[i].turns[step].does & PIPELINE_USES)
			return false;
		stores |= p->roles[i].turns[step].does & PIPELINE_STORES;
	}
	for (uint32_t i = 0; i < p->stages; i++)
		next |= pipeline_stage(p, i, step + 0.5, &tile) !=
			PIPELINE_EMPTY;
	return stores && next;
}

static void count_leaves(struct pipeline *p)
{
	for (uint32_t i = 0; i < p->tile_count; i++)
		p->laps = MAX(p->laps, p->tiles[i].lap + 1);
	for (uint32_t s = p->begins; p->computes && s <= p->ends; s++)
		p->leaves += leaves_at(p, s);
}

/* ---- the whole ---- */

static void pipeline_free(struct pipeline *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->role_count; i++)
		free(p->roles[i].turns);
	free(p->tiles);
	free(p->barrier);
	free(p);
}

/* Counts the findings that shared memory is read or written too early. */
static uint32_t count_pipeline_races(const struct trace_info *info)
{
	size_t n = findings_before_notes(info);
	uint32_t races = 0;

	for (size_t i = 0; i < n; i++)
		races += info->findings[i].kind == FINDING_RACE ||
			 info->findings[i].kind == FINDING_READ_BEFORE_WRITE;
	return races;
}

static struct pipeline *pipeline_of(struct pipeline_walk *w, uint32_t block)
{
	struct pipeline *p = xcalloc(1, sizeof(*p));
	uint32_t *of = xcalloc(w->fill_count + 1, sizeof(*of));

	p->block = block;
	p->steps = w->steps;
	p->mbarriers = w->mbarriers;
	p->cluster = w->cluster;
	p->barrier = w->barrier;
	p->races = count_pipeline_races(w->stage->info);
	w->barrier = NULL;
	gather_tiles(p, w, of);
	gather_roles(p, w);
	add_uses(p, w, of);
	for (uint32_t i = 0; i < p->role_count; i++)
		count_role(p, &p->roles[i]);
	count_all(p);
	count_leaves(p);
	free(of);
	return p;
}

bool scene_has_pipeline(const struct scene *sc)
{
	const struct trace_array *a = sc->a < 0 ? NULL :
				      sc->arrays[sc->a].array;
	const struct trace_array *b = sc->b < 0 ? NULL :
				      sc->arrays[sc->b].array;

	return sc->product && sc->info->values && a && b && a != b &&
	       a->rank == 2 && b->rank == 2 && b->dims[0] == a->dims[1] &&
	       scene_has(sc, SPACE_SHARED);
}

/* The pipeline, and the steps of each warp's requests. */
struct stage_pipeline {
	struct pipeline *pipeline;
	struct pipeline_walk walk;
};

void stage_pipeline_free(struct stage_pipeline *p)
{
	if (!p)
		return;
	pipeline_free(p->pipeline);
	pipeline_walk_done(&p->walk);
	free(p);
}

static const struct pipeline_warp *
find_pipeline_warp(const struct pipeline_walk *w, size_t warp)
{
	for (size_t i = 0; i < w->warp_count; i++)
		if (w->warps[i].index == warp)
			return &w->warps[i];
	return NULL;
}

static void set_pipeline_now(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct pipeline_now *now = &sc->pipeline_now;
	const struct pipeline_warp *w =
		find_pipeline_warp(&s->pipeline->walk, sc->cursor.warp);

	*now = (struct pipeline_now){ .role = PIPELINE_NONE };
	if (!w)
		return;
	now->role = w->role;
	now->part = find_step_part(s->trace, w, sc->cursor.request, &now->step);
	now->next_part = find_step_part(
		s->trace, w, MIN(sc->cursor.request + 1, sc->warp.requests - 1),
		&now->next_step);
}

/* Finds the measured kernels whose pipelines are compared, those of fp32 or
 * those of 16-bit elements. */
static void find_measured(const struct scene *sc, struct pipeline_measured *m)
{
	static const char *const words[2][PIPELINE_MEASURED] = {
		{ "tiled", "double_buffered", "float4", "sgemm_pipelined",
		  "sgemm", NULL },
		{ "wmma", "mma", "mma_multistage", "wgmma_basic",
		  "tma_pipeline", "hgemm" },
	};
	bool halves = sc->arrays[sc->a].array->elem_bytes == 2;
	struct measured found[PIPELINE_MEASURED];
	struct measured_race race;

	m->n = MEASURED_SIZE;
	while (m->count < PIPELINE_MEASURED && words[halves][m->count]) {
		m->kernel[m->count] = words[halves][m->count];
		m->count++;
	}
	if (!measured_find(words[halves], (size_t)m->count, m->n, found,
			   &race))
		m->count = 0;
	for (int i = 0; i < m->count; i++) {
		m->flops[i] = found[i].flops;
		m->older[i] = found[i].older;
	}
	snprintf(m->gpu, sizeof(m->gpu), "%s", race.gpu ? race.gpu : "");
	measured_race_done(&race);
}

void scene_pipeline(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t block = sc->warp.block;

	sc->pipeline = NULL;
	if (!sc->site || !scene_has_pipeline(sc))
		return;
	if (!s->pipeline || s->pipeline->pipeline->block != block) {
		struct stage_pipeline *p = xcalloc(1, sizeof(*p));

		pipeline_walk(&p->walk, s, block);
		p->pipeline = pipeline_of(&p->walk, block);
		if (s->pipeline)
			p->pipeline->measured =
				s->pipeline->pipeline->measured;
		else if (sc->ladder)
			find_measured(sc, &p->pipeline->measured);
		stage_pipeline_free(s->pipeline);
		s->pipeline = p;
	}
	if (!s->pipeline->pipeline->tile_count)
		return;
	sc->pipeline = s->pipeline->pipeline;
	set_pipeline_now(s);
}
