/* Shared memory: who stored each element. */
#include "scene/stage.h"

#include <string.h>

/* Row by row: chunks change places within a row of the box. */
static void own_bulk(const struct stage_array *sa, int32_t *owner,
		     const struct trace_tile *t, uint64_t offset,
		     int32_t thread)
{
	uint64_t end = (uint64_t)sa->rows * sa->cols;
	uint64_t width = (uint64_t)t->columns * t->bytes /
			 sa->array->elem_bytes;

	for (uint32_t row = 0; row < t->rows; row++) {
		uint64_t e = (offset + (uint64_t)row * t->pitch) /
			     sa->array->elem_bytes;

		for (uint64_t i = 0; i < width && e + i < end; i++)
			owner[e + i] = thread;
	}
}

/*
 * Warps are shown in step: a store counts if it is among the first `done`
 * requests of its phase. That is not so in an array of which threads read what
 * nobody had stored: the recorder let each thread in turn run up to the
 * barrier, and what a thread read there shows it.
 */
static bool stored(const struct stage *s, const struct stage_array *sa,
		   uint32_t thread, uint32_t nth, uint32_t done)
{
	if (!(s->unwritten >> (sa - s->scene.arrays) & 1))
		return nth < done;
	return thread < s->scene.thread_linear ||
	       (thread == s->scene.thread_linear && nth < done);
}

static void own_range(struct stage *s, size_t warp, uint32_t first,
		      uint32_t end, uint32_t done, bool start)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	struct trace_request r;
	uint32_t site;

	for (uint32_t i = first; i < end; i++) {
		const struct trace_site *ts;
		struct stage_array *sa;
		int32_t *owner;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		ts = stage_site(s, site);
		sa = stage_array_at(s, ts->array);
		if (!sa || !sa->owner ||
		    (ts->op != OP_ST && ts->op != OP_TMA_LD) ||
		    trace_get(s->trace, warp, i, &r, NULL))
			continue;
		owner = start ? s->owner_start[sa - s->scene.arrays] :
				sa->owner;
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			uint64_t e = r.offset[lane] / sa->array->elem_bytes;
			uint32_t thread = tw->warp * WARP_LANES + lane;

			if (!(r.mask >> lane & 1) ||
			    !(start || stored(s, sa, thread, i - first, done)))
				continue;
			if (ts->op == OP_TMA_LD)
				own_bulk(sa, owner, &ts->tile, r.offset[lane],
					 (int32_t)thread);
			for (uint32_t k = 0;
			     k < stage_site_elements(ts, sa->array); k++)
				owner[e + k] = (int32_t)thread;
		}
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
				  0, true);
	}
	s->owned = true;
	s->owner_block = sc->warp.block;
	s->owner_phase = sc->phase;
}

/* What the owners tell of the arrays, and of the focused lane's element. */
static void sum_up(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct stage_array *sa = stage_array_at(s, sc->site->array);

	for (size_t i = 0; i < sc->array_count; i++) {
		struct stage_array *a = &sc->arrays[i];

		a->stored = 0;
		for (uint32_t e = 0; a->owner && e < a->rows * a->cols; e++)
			a->stored += a->owner[e] >= 0;
	}
	if (sa && sa->owner && sc->lane_active)
		sc->stored_by = sa->owner[sc->request.offset[sc->cursor.lane] /
					  sa->array->elem_bytes];
}

void scene_owners(struct stage *s)
{
	struct scene *sc = &s->scene;
	uint32_t done = sc->cursor.request + 1 - sc->phase_first;
	bool any = false;

	sc->stored_by = -1;
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
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		uint32_t first, end;

		if (tw->block != sc->warp.block || sc->phase >= tw->phases)
			continue;
		first = trace_phase_start(s->trace, w, sc->phase);
		end = sc->phase + 1 < tw->phases ?
			      trace_phase_start(s->trace, w, sc->phase + 1) :
			      tw->requests;
		own_range(s, w, first,
			  s->unwritten ? end : MIN(end, first + done), done,
			  false);
	}
	sum_up(s);
}
