/* Bulk copies: both ends of a box, and where a wgmma's operands come from. */
#include "scene/stage.h"

#include <stdlib.h>

#include "provenance/provenance.h"

bool stage_other_half(const struct stage *s, size_t warp, uint32_t request,
		      struct trace_request *r)
{
	const struct trace_warp *tw = trace_warp(s->trace, warp);
	uint32_t site, before = 0, at;
	bool global, first;
	enum op op;

	if (trace_get_site(s->trace, warp, request, &site, NULL))
		return false;
	op = stage_site(s, site)->op;
	global = s->info->arrays[stage_site(s, site)->array].space ==
		 SPACE_GLOBAL;
	while (before < request &&
	       !trace_get_site(s->trace, warp, request - before - 1, &site,
			       NULL) && stage_site(s, site)->op == op)
		before++;
	first = op == OP_WGMMA ? before % 2 == 0 : global == (op == OP_TMA_LD);
	if (first ? request + 1 == tw->requests : request == 0)
		return false;
	at = first ? request + 1 : request - 1;
	return !trace_get(s->trace, warp, at, r, NULL) &&
	       stage_site(s, r->site)->op == op &&
	       (op == OP_WGMMA ||
		(s->info->arrays[stage_site(s, r->site)->array].space ==
		 SPACE_GLOBAL) != global);
}

/* Returns the last phase of an mbarrier that the warp has waited for before a
 * request, or -1. */
static int64_t phase_waited(const struct stage *s, size_t warp,
			    uint32_t before, const struct trace_request *at)
{
	uint32_t array = stage_site(s, at->site)->array, lane, site;
	uint64_t offset = at->offset[__builtin_ctz(at->mask)];
	struct trace_request r;

	while (before-- > 0) {
		if (trace_get_site(s->trace, warp, before, &site, NULL))
			return -1;
		if (stage_site(s, site)->op != OP_MBAR_WAIT ||
		    stage_site(s, site)->array != array ||
		    trace_get(s->trace, warp, before, &r, NULL))
			continue;
		lane = (uint32_t)__builtin_ctz(r.mask);
		if (r.offset[lane] == offset)
			return (int32_t)r.value[lane * 4];
	}
	return -1;
}

/* Elements of one shared array that wgmma reads, whose boxes are looked for. */
struct operand_search {
	uint8_t *is;
	size_t left;
	const struct stage_array *array;
};

static void mark_box_of(struct stage *s, struct operand_search *w,
			const struct trace_request *to,
			const struct trace_request *from)
{
	const struct trace_site *box = stage_site(s, to->site);
	const struct trace_site *matrix = stage_site(s, from->site);
	struct stage_array *sa = stage_array_at(s, matrix->array);
	uint32_t lane = (uint32_t)__builtin_ctz(to->mask), nth;
	struct trace_tile_walk n;
	uint64_t at;

	trace_tile_begin(&n, s->info, box, to->offset[lane]);
	while (trace_tile_next(&n)) {
		at = n.at / w->array->array->elem_bytes;
		if (!w->is[at])
			continue;
		w->is[at] = 0;
		w->left--;
		if (sa && trace_tile_match(&box->tile, &matrix->tile, n.nth,
					   &nth) &&
		    trace_tile_at(s->info, matrix, from->offset[lane], nth,
				  &at))
			stage_mark(sa, at / sa->array->elem_bytes,
				   s->scene.cursor.lane, 0, false);
	}
	if (sa)
		sa->now = true;
}

/* Marks the boxes that a warp has ordered, the last one first, if the focused
 * warp has waited for their mbarriers; only those since the thread's last
 * arrival with a byte count. */
static void mark_boxes_by(struct stage *s, struct operand_search *w,
			  size_t warp)
{
	struct trace_request arrival, to, from;
	uint32_t site, before;

	for (uint32_t i = trace_warp(s->trace, warp)->requests; w->left &&
	     i-- > 0; ) {
		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		if (stage_site(s, site)->op != OP_TMA_LD ||
		    stage_site(s, site)->array != w->array->id ||
		    trace_get(s->trace, warp, i, &to, NULL) ||
		    !stage_other_half(s, warp, i, &from))
			continue;
		for (before = i; before > 0; before--)
			if (!trace_get_site(s->trace, warp, before - 1, &site,
					    NULL) &&
			    stage_site(s, site)->op == OP_MBAR_ARRIVE)
				break;
		if (before == 0 ||
		    trace_get(s->trace, warp, before - 1, &arrival, NULL) ||
		    phase_waited(s, s->scene.cursor.warp,
				 s->scene.cursor.request, &arrival) <
			    arrival.value[4 * __builtin_ctz(arrival.mask)])
			continue;
		mark_box_of(s, w, &to, &from);
	}
}

/* The arrays on stage that a warp has boxes brought to: a bit for each array of
 * the trace; in its own block, or at the first time in several. */
struct brought { bool known; uint64_t any, shared; };

static void find_brought(const struct stage *s, size_t warp, struct brought *b)
{
	uint32_t requests = trace_warp(s->trace, warp)->requests, site, i = 0;

	b->known = true;
	for (; (i = stage_next(s, warp, i, requests, SITE_BOX)) < requests;
	     i++) {
		const struct trace_site *ts;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return;
		ts = stage_site(s, site);
		if (ts->array >= LENGTH(s->on_stage) ||
		    b->any >> ts->array & 1)
			continue;
		b->any |= UINT64_C(1) << ts->array;
		b->shared |= (uint64_t)!!ts->tile.blocks << ts->array;
	}
}

/* Returns whether a warp has TMA bring boxes to an array on stage, be it for
 * another block of the cluster. */
static bool has_brought(struct stage *s, size_t warp, uint32_t array)
{
	struct brought *b;

	if (!s->brought)
		s->brought = xcalloc(trace_warp_count(s->trace),
				     sizeof(*s->brought));
	b = &s->brought[warp];
	if (!b->known)
		find_brought(s, warp, b);
	return (trace_warp(s->trace, warp)->block == s->scene.warp.block ?
			b->any : b->shared) >> array & 1;
}

void stage_mark_origin(struct stage *s, const struct trace_request *r)
{
	const struct trace_site *site = stage_site(s, r->site);
	struct operand_search w = { .array = stage_array_at(s, site->array) };
	uint32_t cluster = provenance_cluster(s->info);
	uint32_t lane = (uint32_t)__builtin_ctz(r->mask);
	struct trace_tile_walk n;

	if (!w.array || !w.array->owner || !s->info->values)
		return;
	w.is = xcalloc((size_t)w.array->rows * w.array->cols, 1);
	trace_tile_begin(&n, s->info, site, r->offset[lane]);
	while (trace_tile_next(&n)) {
		uint64_t at = n.at / w.array->array->elem_bytes;

		w.left += !w.is[at];
		w.is[at] = 1;
	}
	for (size_t i = 0; i < trace_warp_count(s->trace) && w.left; i++)
		if (trace_warp(s->trace, i)->block / cluster ==
			    s->scene.warp.block / cluster &&
		    has_brought(s, i, site->array))
			mark_boxes_by(s, &w, i);
	free(w.is);
}
