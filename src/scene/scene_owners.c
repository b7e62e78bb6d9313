/*
 * Shared memory: which thread stored each element.
 *
 * A trace orders warps at barriers only. So the stored elements are those
 * stored before the last barrier, and those that this warp has stored since.
 * Other warps' stores before the next barrier are on their way: they may be
 * done, or not. Only if the reader looks at all warps at once, they are assumed
 * to be in step with this one, which is one of the possible orders.
 */
#include "scene/stage.h"

#include <string.h>

#define BEFORE UINT32_MAX	/* of a phase that is over */

/* Sets the owner of a bulk copy's elements, row by row: a swizzle moves chunks
 * only within a row of the box. */
static void own_bulk(const struct stage_array *sa, int32_t *owner,
		     const struct trace_tile *t, uint64_t offset,
		     int32_t thread)
{
	uint64_t end = (uint64_t)sa->rows * sa->cols;
	uint64_t width = (uint64_t)t->columns * t->bytes /
			 sa->array->elem_bytes;

	const int32_t *filled = NULL;

	for (uint32_t row = 0; row < t->rows; row++) {
		uint64_t e = (offset + (uint64_t)row * t->pitch) /
			     sa->array->elem_bytes;

		/* Whole rows are alike, and copied faster than filled. */
		if (filled && e + width <= end) {
			memmove(owner + e, filled, width * sizeof(*owner));
			continue;
		}
		for (uint64_t i = 0; i < width && e + i < end; i++)
			owner[e + i] = thread;
		if (e + width <= end)
			filled = owner + e;
	}
}

/*
 * Returns whether a thread's nth request of this phase has stored, if a warp in
 * step with this one has made `done`. For an array of which threads read
 * unwritten elements more is known: the recorder ran one thread after another
 * up to the barrier, and what a thread read shows it.
 */
static bool has_stored(const struct stage *s, const struct stage_array *sa,
		       uint32_t thread, uint32_t nth, uint32_t done)
{
	const struct scene *sc = &s->scene;

	if (s->unwritten >> (sa - sc->arrays) & 1)
		return thread < sc->thread_linear ||
		       (thread == sc->thread_linear && nth < done);
	return nth < done && (thread / WARP_LANES == sc->warp.warp ||
			      sc->cursor.all_warps);
}

/* Returns the owners to which a store is added: owner_start before this phase;
 * NULL: it is this warp's and still to come. */
static int32_t *choose_owners(const struct stage *s,
			      const struct stage_array *sa, uint32_t thread,
			      uint32_t nth, uint32_t done)
{
	if (done == BEFORE)
		return s->owner_start[sa - s->scene.arrays];
	if (has_stored(s, sa, thread, nth, done))
		return sa->owner;
	return thread / WARP_LANES == s->scene.warp.warp ? NULL : sa->coming;
}

/* Sets the owner of what the nth request of this phase stores. */
static void own_request(struct stage *s, const struct trace_request *r,
			uint32_t warp, uint32_t nth, uint32_t done)
{
	const struct trace_site *ts = stage_site(s, r->site);
	struct stage_array *sa = stage_array_at(s, ts->array);
	uint32_t elements = stage_site_elements(ts, sa->array);

	for (uint32_t m = r->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);
		uint64_t e = r->offset[lane] / sa->array->elem_bytes;
		uint32_t thread = warp * WARP_LANES + lane;
		int32_t *owner = choose_owners(s, sa, thread, nth, done);

		if (!owner)
			continue;
		if (ts->op == OP_TMA_LD)
			own_bulk(sa, owner, &ts->tile, r->offset[lane],
				 (int32_t)thread);
		for (uint32_t k = 0; k < elements; k++)
			owner[e + k] = (int32_t)thread;
	}
}

static void own_range(struct stage *s, size_t warp, uint32_t first,
		      uint32_t end, uint32_t done)
{
	uint32_t number = trace_warp(s->trace, warp)->warp, i = first;
	struct trace_request r;

	while ((i = stage_next(s, warp, i, end, SITE_OWNS)) < end) {
		if (trace_get_lanes(s->trace, warp, i, &r, NULL))
			return;
		own_request(s, &r, number, i++ - first, done);
	}
}

/* Stores of the phase before and everything older, for all the block. */
static void own_start(struct stage *s)
{
	struct scene *sc = &s->scene;

	if (s->owned && s->owner_block == sc->warp.block &&
	    s->owner_phase == sc->phase)
		return;
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].owner)
			memset(s->owner_start[i], -1,
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(int32_t));
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		/* Two phases back hold all that a load-compute cycle wrote. */
		uint32_t from = sc->phase > 2 ? sc->phase - 2 : 0;

		if (tw->block == sc->warp.block && sc->phase < tw->phases)
			own_range(s, w, trace_phase_start(s->trace, w, from),
				  trace_phase_start(s->trace, w, sc->phase),
				  BEFORE);
	}
	s->owned = true;
	s->owner_block = sc->warp.block;
	s->owner_phase = sc->phase;
}

/* Counts the stored elements of each array, and finds who stored that of the
 * focused lane. */
static void count_owned(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct stage_array *sa = stage_array_at(s, sc->site->array);

	for (size_t i = 0; i < sc->array_count; i++) {
		struct stage_array *a = &sc->arrays[i];

		a->stored = 0;
		for (uint32_t e = 0; a->owner && e < a->rows * a->cols; e++)
			a->stored += a->owner[e] >= 0;
	}
	if (sa && sa->owner && sc->lane_active) {
		uint64_t e = sc->request.offset[sc->cursor.lane] /
			     sa->array->elem_bytes;

		sc->stored_by = sa->owner[e];
		sc->coming_by = sa->coming[e];
	}
}

/* Adds what the warp stores in this phase. */
static void own_warp(struct stage *s, size_t warp)
{
	struct scene *sc = &s->scene;
	uint32_t first, end;

	first = trace_phase_start(s->trace, warp, sc->phase);
	end = sc->phase + 1 < trace_warp(s->trace, warp)->phases ?
		      trace_phase_start(s->trace, warp, sc->phase + 1) :
		      trace_warp(s->trace, warp)->requests;
	own_range(s, warp, first, end,
		  sc->cursor.request + 1 - sc->phase_first);
}

static void own_others(struct stage *s)
{
	struct scene *sc = &s->scene;

	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->block == sc->warp.block &&
		    sc->phase < trace_warp(s->trace, w)->phases &&
		    w != sc->cursor.warp)
			own_warp(s, w);
}

/* Finds what other warps are about to store. If they are not in step, that is
 * the same for the whole phase. */
static void own_coming(struct stage *s)
{
	struct scene *sc = &s->scene;
	bool lasting = !sc->cursor.all_warps && !s->unwritten;

	if (lasting && s->coming && s->coming_warp == sc->cursor.warp &&
	    s->coming_phase == sc->phase)
		return;
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].owner)
			memset(sc->arrays[i].coming, -1,
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(int32_t));
	own_others(s);
	s->coming = lasting;
	s->coming_warp = sc->cursor.warp;
	s->coming_phase = sc->phase;
}

void scene_owners(struct stage *s)
{
	struct scene *sc = &s->scene;
	bool any = false;

	sc->stored_by = sc->coming_by = -1;
	for (size_t i = 0; i < sc->array_count; i++)
		any |= sc->arrays[i].owner != NULL;
	if (!any)
		return;
	own_start(s);
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].owner)
			memcpy(sc->arrays[i].owner, s->owner_start[i],
			       (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(int32_t));
	own_coming(s);
	own_warp(s, sc->cursor.warp);
	count_owned(s);
}
