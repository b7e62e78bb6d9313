/* scene_road: see scene_road.h. */
#include "scene/scene_road.h"

#include <stdlib.h>

#include "scene/scene_road_walk.h"
#include "scene/stage.h"

struct stage_road {
	struct road road;
	struct road_walk walk;
	uint8_t *reads[2];		/* of the boxes shown */
};

/* ---- what is known of a use and of a box ---- */

/* Returns the bytes of a use that have landed by `when`. */
uint64_t road_landed(const struct road *r, const struct road_use *u,
		     uint64_t when)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < u->box_count; i++) {
		const struct road_box *b = &r->boxes[u->boxes[i]];

		if (b->landed <= when)
			bytes += b->to->bytes;
	}
	return bytes;
}

uint32_t road_released(const struct road *r, const struct road_use *u,
		       uint64_t when)
{
	uint32_t n = 0;

	for (uint32_t i = u->first; i < u->end; i++)
		n += r->events[i].kind == ROAD_RELEASE &&
		     r->events[i].when <= when;
	return n;
}

bool road_holds(const struct road_box *b, uint32_t array, uint64_t at)
{
	const struct trace_tile *t = &b->to->tile;

	return b->to->array == array && at >= b->to_at &&
	       at - b->to_at < (uint64_t)t->rows * t->pitch;
}

struct road_progress road_progress(const struct scene *sc,
				   const struct road_use *u,
				   const struct road_party *p, bool over)
{
	const struct road *r = sc->road;
	bool own = sc->warp.block == p->block && sc->warp.warp >= p->first &&
		   sc->warp.warp <= p->last;
	size_t warp = own ? sc->cursor.warp : p->slowest;
	struct road_progress at = { 0 };

	for (uint32_t i = u->first; i < u->end; i++) {
		const struct road_event *e = &r->events[i];
		bool past = e->when + !over <= sc->road_now.when;

		if (e->kind == ROAD_RELEASE && e->block == p->block &&
		    e->number >= p->first && e->number <= p->last)
			at.released |= past;
		if (e->warp != warp)
			continue;
		at.waited |= e->kind == ROAD_WAIT && past;
		at.all += e->counts;
		at.reads += e->counts && past;
	}
	return at;
}

uint32_t road_chunks(const struct road_box *b)
{
	return MAX(b->to->tile.columns * b->to->tile.bytes / 16, 1);
}

bool road_place(const struct trace_info *info, const struct road_box *b,
		uint32_t row, uint32_t chunk, uint32_t *at_row, uint32_t *at)
{
	const struct trace_tile *t = &b->to->tile;
	uint32_t nth = row * t->columns + chunk * 16 / t->bytes, match;
	uint64_t place, from;

	trace_tile_at(info, b->to, b->to_at, nth, &place);
	place -= b->to_at;
	if (place / t->pitch >= t->rows)	/* it is not aligned */
		place = row * t->pitch + chunk * 16;
	*at_row = (uint32_t)(place / t->pitch);
	*at = (uint32_t)(place % t->pitch / 16);
	return trace_tile_match(t, &b->from->tile, nth, &match) &&
	       trace_tile_at(info, b->from, b->from_at, match, &from);
}

/* ---- putting together ---- */

/* Adds an event of a wait or arrival. */
static void add_meet_event(struct road *r, enum road_kind kind, uint32_t use,
			   const struct road_meet *m)
{
	grow(&r->events, &r->event_capacity, r->event_count + 1,
	     sizeof(*r->events));
	r->events[r->event_count++] =
		(struct road_event){ .kind = kind,
				     .use = use,
				     .box = ROAD_NONE,
				     .warp = m->warp,
				     .block = m->block,
				     .number = m->number,
				     .request = m->request,
				     .mask = m->mask,
				     .comes = m->comes,
				     .when = m->when };
}

/*
 * Waits for the full mbarrier, and arrivals at the empty one. An mbarrier at the
 * same place is in each block of the cluster; a warp of which several lanes
 * arrive does so in the blocks of their numbers, else in its own.
 */
static void add_meets(struct road_walk *w, uint32_t use)
{
	struct road *r = w->road;
	const struct road_use u = r->uses[use];

	for (size_t i = 0; i < w->wait_count; i++) {
		const struct road_meet *m = &w->waits[i];

		if (m->block == u.block && m->array == u.full &&
		    m->at == u.full_at && m->phase == u.phase)
			add_meet_event(r, ROAD_WAIT, use, m);
	}
	for (size_t i = 0; i < w->arrival_count; i++) {
		const struct road_meet *m = &w->arrivals[i];
		bool here = r->cluster > 1 && __builtin_popcount(m->mask) > 1
				    ? m->mask >> (u.block - r->block) & 1
				    : m->block == u.block;

		if (here && m->array == u.empty && m->at == u.empty_at &&
		    m->phase == u.empty_phase)
			add_meet_event(r, ROAD_RELEASE, use, m);
	}
	for (size_t i = 0; i < w->count_count; i++)
		if (w->counts[i].block == u.block &&
		    w->counts[i].array == u.empty &&
		    w->counts[i].at == u.empty_at)
			r->uses[use].needs = w->counts[i].count;
}

static int by_use(const void *a, const void *b)
{
	const struct road_event *x = a, *y = b;

	if (x->use != y->use)
		return x->use < y->use ? -1 : 1;
	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return x->warp < y->warp ? -1 : x->warp > y->warp;
}

static struct road_party *party_of(const struct road_walk *w,
				   struct road_use *u,
				   const struct trace_warp *tw)
{
	uint32_t first = w->road->wgmma ? tw->warp / 4 * 4 : tw->warp;
	uint32_t last = w->road->wgmma ? first + 3 : first;
	struct road_party *p;

	for (uint32_t i = 0; i < u->party_count; i++) {
		p = &u->parties[i];
		if (p->block != tw->block ||
		    (w->road->wgmma && p->first != first))
			continue;
		p->first = MIN(p->first, first);
		p->last = MAX(p->last, last);
		return p;
	}
	if (u->party_count == ROAD_PARTIES)
		return NULL;
	p = &u->parties[u->party_count++];
	*p = (struct road_party){ .block = tw->block, .first = first,
				  .last = last };
	return p;
}

/* Finds the party's slowest warp: events come in order, so it is the last
 * one. */
static void update_slowest(const struct road_walk *w,
			   const struct road_event *e)
{
	struct road_use *u = &w->road->uses[e->use];
	struct road_party *p;

	if (e->kind != ROAD_WAIT && e->kind != ROAD_READ &&
	    e->kind != ROAD_RELEASE)
		return;
	p = party_of(w, u, trace_warp(w->stage->trace, e->warp));
	if (p && e->kind != ROAD_RELEASE)
		p->slowest = e->warp;
}

static void join_uses(struct road *r)
{
	for (uint32_t i = 0; i < r->use_count; i++)
		for (uint32_t j = 0; j < r->use_count; j++) {
			const struct road_use *a = &r->uses[i];
			struct road_use *b = &r->uses[j];

			if (a->block != b->block || a->full != b->full ||
			    a->full_at != b->full_at ||
			    b->phase != a->phase + 1)
				continue;
			r->uses[i].next = j;
			b->before = i;
		}
}

/* Lets boxes land when the first wait for them is over; those that nothing waits
 * for have landed when they were ordered. */
static void land_at_waits(struct road *r)
{
	for (size_t i = 0; i < r->event_count; i++) {
		const struct road_event *e = &r->events[i];
		const struct road_use *u = &r->uses[e->use];

		for (size_t n = 0; e->kind == ROAD_WAIT && n < u->box_count;
		     n++) {
			struct road_box *b = &r->boxes[u->boxes[n]];

			if (!b->waited || e->when < b->landed)
				b->landed = e->when;
			b->waited = true;
		}
	}
}

static void put_together(struct road_walk *w)
{
	struct road *r = w->road;
	uint32_t i = 0;

	for (uint32_t u = 0; u < r->use_count; u++)
		add_meets(w, u);
	if (r->event_count)
		qsort(r->events, r->event_count, sizeof(*r->events), by_use);
	for (uint32_t u = 0; u < r->use_count; u++) {
		r->uses[u].first = i;
		for (; i < r->event_count && r->events[i].use == u; i++)
			update_slowest(w, &r->events[i]);
		r->uses[u].end = i;
	}
	join_uses(r);
	land_at_waits(r);
}

/* ---- where the reader stands ---- */

/* Returns the warp with that index in the trace, or NULL. */
static const struct road_warp *find_road_warp(const struct road_walk *w,
					      size_t warp)
{
	for (size_t i = 0; i < w->warp_count; i++)
		if (w->warps[i].index == warp)
			return &w->warps[i];
	return NULL;
}

/* Returns how well an event matches the cursor, higher is better: in its block
 * at this request, elsewhere at it, before it, after it; else another
 * warp's. */
static int match_event(const struct road *r, const struct road_event *e,
		       const struct cursor *p, uint32_t block)
{
	bool own = r->uses[e->use].block == block;

	if (e->warp != p->warp)
		return own;
	return (e->request == p->request ? 6 : e->request < p->request ? 4 :
		2) + own;
}

/* Finds the best match for the cursor: the last event before the request, or
 * the first after it. */
static uint32_t find_event(const struct road *r, const struct cursor *p,
			   uint32_t block)
{
	uint32_t best = ROAD_NONE;
	int most = -1;

	for (uint32_t i = 0; i < r->event_count; i++) {
		const struct road_event *e = &r->events[i];
		int now = match_event(r, e, p, block);

		if (now < most)
			continue;
		if (now > most ||
		    (now >= 4 && e->request >= r->events[best].request) ||
		    (now < 4 && e->when < r->events[best].when))
			best = i;
		most = now;
	}
	return best;
}

/* Finds the rows and columns of the box that are read, as the matrix has
 * them. */
static void bound_reads(const struct trace_info *info,
			const struct road_box *b, struct road_look *l)
{
	uint32_t each = 16 / b->to->tile.bytes, at_row, at;
	uint32_t across = MAX(b->to->tile.pitch / 16, 1);

	l->row0 = l->col0 = UINT32_MAX;
	for (uint32_t row = 0; row < b->to->tile.rows; row++)
		for (uint32_t i = 0; i < road_chunks(b); i++) {
			road_place(info, b, row, i, &at_row, &at);
			if (!l->reads[at_row * across + at])
				continue;
			l->row0 = MIN(l->row0, row);
			l->col0 = MIN(l->col0, i * each);
			l->row1 = row;
			l->col1 = MAX(l->col1, (i + 1) * each - 1);
		}
}

/* Finds what a request reads of the box that it begins in. */
static void find_look(struct stage *s, const struct trace_request *r, int nth)
{
	struct stage_road *sr = s->road;
	struct road_look *l = &s->scene.road_now.looks[nth];
	const struct road_use *u = &sr->road.uses[s->scene.road_now.use];
	const struct trace_site *site = stage_site(s, r->site);
	uint64_t from = r->offset[__builtin_ctz(r->mask)], at;
	const struct road_box *b = NULL;
	uint32_t across;

	for (size_t i = 0; i < u->box_count; i++)
		if (road_holds(&sr->road.boxes[u->boxes[i]], site->array,
			       from))
			l->box = u->boxes[i];
	if (l->box == ROAD_NONE)
		return;
	b = &sr->road.boxes[l->box];
	across = MAX(b->to->tile.pitch / 16, 1);
	free(sr->reads[nth]);
	sr->reads[nth] = xcalloc((size_t)b->to->tile.rows * across, 1);
	for (uint32_t n = 0; n < trace_tile_elements(site); n++) {
		if (!trace_tile_at(s->info, site, from, n, &at))
			continue;
		at = (at - b->to_at) / 16;
		if (at < (uint64_t)b->to->tile.rows * across)
			sr->reads[nth][at] = 1;
	}
	l->reads = sr->reads[nth];
	l->parts = site->tile.parts;
	bound_reads(s->info, b, l);
}

/* The looks at a wgmma's operands, A's first; or at the box that an event is
 * about and one of the other matrix. */
static void find_looks(struct stage *s, const struct road_event *e)
{
	const struct scene *sc = &s->scene;
	const struct road *r = &s->road->road;
	const struct road_use *u = &r->uses[e->use];
	struct road_look *l = s->scene.road_now.looks;
	struct trace_request other;

	l[0].box = l[1].box = ROAD_NONE;
	if (sc->road_now.event != ROAD_NONE && e->kind == ROAD_READ) {
		bool pair = sc->site->op == OP_WGMMA &&
			    stage_other_half(s, sc->cursor.warp,
					     sc->cursor.request, &other) &&
			    other.site != sc->request.site;
		bool second = pair && other.site < sc->request.site;

		find_look(s, &sc->request, second);
		if (pair)
			find_look(s, &other, !second);
		return;
	}
	l[0].box = e->box != ROAD_NONE ? e->box :
		   u->box_count ? u->boxes[0] : ROAD_NONE;
	for (size_t i = u->box_count; i-- > 0 && l[0].box != ROAD_NONE; )
		if (r->boxes[u->boxes[i]].from->array !=
		    r->boxes[l[0].box].from->array)
			l[1].box = u->boxes[i];
}

static void set_road_now(struct stage *s, struct stage_road *sr)
{
	struct scene *sc = &s->scene;
	struct road_now *now = &sc->road_now;
	const struct road *r = &sr->road;
	const struct road_warp *w = find_road_warp(&sr->walk, sc->cursor.warp);
	const struct road_event *e;

	*now = (struct road_now){ .event = ROAD_NONE };
	now->last = find_event(r, &sc->cursor, sc->warp.block);
	e = &r->events[now->last];
	now->use = e->use;
	if (e->warp == sc->cursor.warp && e->request == sc->cursor.request)
		now->event = now->last;
	if (w && sc->cursor.request < w->requests)
		now->when = w->when[sc->cursor.request];
	find_looks(s, e);
}

/* Moves the cursor to an event. */
static bool go_to_event(const struct road *r, uint32_t event, struct cursor *p)
{
	const struct road_event *e = &r->events[event];

	p->warp = e->warp;
	p->request = e->request;
	p->lane = (uint32_t)__builtin_ctz(e->mask);
	p->focus = FOCUS_LANE;
	return true;
}

/* Returns whether two events are one on the road: all reads of a warp are. */
static bool is_same_stop(const struct road_event *a, const struct road_event *b)
{
	return a->kind == b->kind && a->warp == b->warp &&
	       (a->kind == ROAD_READ ? true : a->request == b->request);
}

bool road_step(const struct scene *sc, struct cursor *p, int by)
{
	const struct road *r = sc->road;
	const struct road_use *u;
	uint32_t i;

	if (!r)
		return false;
	u = &r->uses[sc->road_now.use];
	i = sc->road_now.last;
	while (by > 0 && i + 1 < u->end) {
		i++;
		if (!is_same_stop(&r->events[i], &r->events[i - 1]))
			return go_to_event(r, i, p);
	}
	while (by < 0 && i > u->first) {
		i--;
		if (!is_same_stop(&r->events[i], &r->events[i + 1]))
			return go_to_event(r, i, p);
	}
	return false;
}

bool road_lap(const struct scene *sc, struct cursor *p, int by)
{
	const struct road *r = sc->road;
	const struct road_event *e;
	const struct road_use *u;
	uint32_t to, best = ROAD_NONE;

	if (!r)
		return false;
	e = &r->events[sc->road_now.last];
	u = &r->uses[sc->road_now.use];
	to = by > 0 ? u->next : u->before;
	if (to == ROAD_NONE)
		return false;
	for (uint32_t i = r->uses[to].first; i < r->uses[to].end; i++)
		if (r->events[i].kind == e->kind &&
		    (best == ROAD_NONE || (r->events[i].warp == e->warp &&
					   r->events[best].warp != e->warp)))
			best = i;
	return go_to_event(r, best == ROAD_NONE ? r->uses[to].first : best, p);
}

/* ---- the whole ---- */

bool scene_has_road(const struct trace_info *info)
{
	bool loads = false, waits = false;

	for (size_t i = 0; info && i < info->site_count; i++) {
		loads |= info->sites[i].op == OP_TMA_LD;
		waits |= info->sites[i].op == OP_MBAR_WAIT;
	}
	return loads && waits && info->values;
}

void stage_road_free(struct stage_road *sr)
{
	if (!sr)
		return;
	for (size_t i = 0; i < sr->road.use_count; i++)
		free(sr->road.uses[i].boxes);
	free(sr->road.uses);
	free(sr->road.boxes);
	free(sr->road.events);
	free(sr->reads[0]);
	free(sr->reads[1]);
	road_walk_done(&sr->walk);
	free(sr);
}

void scene_road(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t block = sc->warp.block;

	sc->road = NULL;
	if (!sc->site || !scene_has_road(s->info))
		return;
	if (s->road && block - s->road->road.block >= s->road->road.cluster) {
		stage_road_free(s->road);
		s->road = NULL;
	}
	if (!s->road) {
		s->road = xcalloc(1, sizeof(*s->road));
		road_walk(&s->road->walk, s, &s->road->road, block);
		put_together(&s->road->walk);
	}
	if (!s->road->road.event_count)
		return;
	sc->road = &s->road->road;
	set_road_now(s, s->road);
}
