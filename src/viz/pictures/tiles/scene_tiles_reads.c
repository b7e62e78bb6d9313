/* scene_tiles_reads: how much a block has read. */
#include <stdlib.h>
#include <string.h>

#include "viz/pictures/tiles/scene_tiles_book.h"

uint32_t tiles_phase_end(const struct stage *s, size_t warp, uint32_t phase)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);

	return phase + 1 < tw->phases ?
		       trace_phase_start(s->trace, warp, phase + 1) :
		       tw->requests;
}

/* Counts the elements of a box that lie in its matrix, for no others are read;
 * for one in shared memory, all. */
static uint64_t box_elements(struct stage *s, const struct trace_site *ts,
			     uint64_t offset)
{
	const struct trace_array *a = &s->info->arrays[ts->array];
	const struct trace_tile *t = &ts->tile;
	struct stage_array *sa = stage_array_at(s, ts->array);
	struct box in;

	if (!sa || a->space != SPACE_GLOBAL || !t->rows || t->parts > 1)
		return trace_tile_elements(ts);
	in = stage_tile_box(t, offset / a->elem_bytes, sa->rows, sa->cols);
	return (uint64_t)(in.row1 - in.row0 + 1) * (in.col1 - in.col0 + 1);
}

/* Adds the elements that requests i..end read from global and shared memory. */
static void add_reads(struct stage *s, size_t warp, uint32_t i, uint32_t end,
		      struct phase_reads *to)
{
	struct trace_request r;

	for (; (i = stage_next(s, warp, i, end, SITE_READ)) < end; i++) {
		const struct trace_site *ts;
		const struct trace_array *a;
		uint64_t n;

		if (trace_get_lanes(s->trace, warp, i, &r, NULL))
			return;
		ts = stage_site(s, r.site);
		a = &s->info->arrays[ts->array];
		n = (uint64_t)__builtin_popcount(r.mask) *
		    stage_site_elements(ts, a);
		if (op_is_bulk(ts->op))
			n = box_elements(s, ts, r.offset[__builtin_ctz(r.mask)]);
		*(a->space == SPACE_GLOBAL ? &to->global : &to->shared) += n;
	}
}

/* Makes room for the counts when the block changes. */
static void begin_counts(struct stage *s, struct tiles_book *b)
{
	uint32_t block = s->scene.warp.block, phases = 0;

	if (b->reads && b->reads_block == block)
		return;
	free(b->reads);
	b->view.warps = 0;
	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->block == block) {
			phases = MAX(phases, trace_warp(s->trace, w)->phases);
			b->view.warps++;
		}
	b->reads = xcalloc(phases + 1, sizeof(*b->reads));
	b->reads_block = block;
	b->counted = 0;
}

/* The reads of the whole block, up to a phase. */
static void count_to(struct stage *s, struct tiles_book *b, uint32_t phase)
{
	for (; b->counted <= phase; b->counted++)
		for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
			const struct trace_warp *tw = trace_warp(s->trace, w);
			uint32_t i = 0, end = 0;

			if (tw->block == s->scene.warp.block &&
			    b->counted < tw->phases) {
				i = trace_phase_start(s->trace, w, b->counted);
				end = tiles_phase_end(s, w, b->counted);
			}
			add_reads(s, w, i, end, &b->reads[b->counted]);
		}
}

void tiles_count_block(struct stage *s, struct tiles_book *b)
{
	const struct scene *sc = &s->scene;
	uint32_t first = sc->phase, last = sc->phase;
	struct tiles *t = &b->view;

	begin_counts(s, b);
	count_to(s, b, sc->phase);
	t->reads = b->reads[sc->phase].shared > 0;
	if (!t->reads && t->fills && sc->phase + 1 < sc->phases)
		last++;
	if (!t->fills && !b->reads[sc->phase].global && first > 0)
		first--;
	count_to(s, b, last);
	t->global.round = t->shared.round = 0;
	for (uint32_t p = first; p <= last; p++) {
		t->global.round += b->reads[p].global;
		t->shared.round += b->reads[p].shared;
	}
	b->last_phase = last;
}

/* Counts the block's reads so far: all of earlier phases; in this phase those
 * of the warps in step; at the barrier that ends it, all. */
void tiles_sum_reads(struct stage *s, struct tiles_book *b)
{
	const struct scene *sc = &s->scene;
	struct phase_reads sure = {0}, own = {0}, most = {0};
	uint32_t done = sc->cursor.request + 1 - sc->phase_first;
	struct tiles *t = &b->view;

	for (uint32_t p = 0; p <= b->last_phase; p++) {
		struct phase_reads *to = p < sc->phase ? &sure : &most;

		to->global += b->reads[p].global;
		to->shared += b->reads[p].shared;
	}
	for (size_t w = 0; w < trace_warp_count(s->trace); w++) {
		const struct trace_warp *tw = trace_warp(s->trace, w);
		uint32_t first, end;

		if (tw->block != sc->warp.block || sc->phase >= tw->phases ||
		    (w != sc->cursor.warp && !sc->cursor.all_warps &&
		     !t->at_barrier))
			continue;
		first = trace_phase_start(s->trace, w, sc->phase);
		end = tiles_phase_end(s, w, sc->phase);
		if (!t->at_barrier)
			end = MIN(end, first + done);
		add_reads(s, w, first, end, &own);
	}
	t->global.sure = sure.global + own.global;
	t->shared.sure = sure.shared + own.shared;
	t->global.most = sure.global + most.global;
	t->shared.most = sure.shared + most.shared;
}

/* Finds what the focused thread reads from shared memory in this phase. */
void tiles_find_reads(struct stage *s, struct tiles_book *b)
{
	const struct scene *sc = &s->scene;
	uint32_t lane = sc->cursor.lane;
	uint32_t i = sc->phase_first, end = sc->phase_last + 1;
	struct trace_request r;

	for (size_t i = 0; i < sc->array_count; i++)
		if (b->view.read[i])
			memset(b->view.read[i], 0, (size_t)sc->arrays[i].rows *
			       sc->arrays[i].cols * sizeof(uint32_t));
	for (; (i = stage_next(s, sc->cursor.warp, i, end, SITE_READ)) < end;
	     i++) {
		struct stage_array *sa;
		const struct trace_site *ts;
		uint64_t first;

		if (trace_get_lanes(s->trace, sc->cursor.warp, i, &r, NULL))
			return;
		ts = stage_site(s, r.site);
		sa = ts->op == OP_LD ? stage_array_at(s, ts->array) : NULL;
		if (!sa || !sa->owner || !(r.mask >> lane & 1))
			continue;
		first = r.offset[lane] / sa->array->elem_bytes;
		for (uint32_t k = 0; k < stage_site_elements(ts, sa->array);
		     k++) {
			uint32_t *at = &b->view.read[sa - sc->arrays][first + k];

			*at = *at ? *at : i - sc->phase_first + 1;
		}
	}
}
