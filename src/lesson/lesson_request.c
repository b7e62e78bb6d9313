/* lesson_request: functions of expressions on one request, and on a lane's
 * part. */
#include "lesson/lesson_query.h"

#include <string.h>

#include "analysis/pattern.h"
#include "base/lang.h"
#include "base/text.h"
#include "scene/scene.h"

/* ---- requests ---- */

bool query_matches(const struct query *q, uint32_t site)
{
	const struct trace_info *info = q->s->info;
	const struct trace_site *st = &info->sites[site];

	if (st->array == TRACE_NO_ARRAY || (q->op >= 0 && (int)st->op != q->op))
		return false;
	return !strcmp(info->arrays[st->array].name, q->array);
}

uint32_t query_phase_end(struct trace *t, size_t warp, uint32_t phase)
{
	const struct trace_warp *w = trace_warp(t, warp);

	if (phase >= w->phases)
		return w->requests;
	return phase + 1 < w->phases ? trace_phase_start(t, warp, phase + 1) :
				       w->requests;
}

/* Finds the first request in from..to-1 that matches. Returns 1 with *r, 0 if
 * there is none, -1 with e. */
static int find_between(struct query *q, uint32_t from, uint32_t to,
			struct trace_request *r, struct error *e)
{
	struct standing *s = q->s;
	uint32_t site;

	for (uint32_t i = from; i < to; i++) {
		if (trace_get_site(s->trace, s->warp, i, &site, e) < 0)
			return -1;
		if (!query_matches(q, site))
			continue;
		return trace_get(s->trace, s->warp, i, r, e) < 0 ? -1 : 1;
	}
	return 0;
}

/* Finds the first matching request at or after the stand in its phase, else in
 * the phase, else of the warp. */
static int find_query_request(struct query *q, struct trace_request *r,
			      struct error *e)
{
	struct standing *s = q->s;
	uint32_t end = query_phase_end(s->trace, s->warp, s->phase);
	uint32_t start = trace_phase_start(s->trace, s->warp, s->phase);
	uint32_t all = trace_warp(s->trace, s->warp)->requests;
	int found = find_between(q, s->request, end, r, e);

	if (!found)
		found = find_between(q, start, s->request, r, e);
	if (!found)
		found = find_between(q, 0, all, r, e);
	if (found)
		return found < 0 ? -1 : 0;
	return error_set(e, EXIT_INPUT, _("this warp has no %s of %s"),
			 q->op < 0 ? _("access") : op_name(q->op),
			 text_show(q->array));
}

const struct trace_array *query_array(const struct query *q,
					     const struct trace_request *r)
{
	return &q->s->info->arrays[q->s->info->sites[r->site].array];
}

bool query_lane_takes_part(const struct trace_request *r, int64_t lane)
{
	return lane >= 0 && lane < WARP_LANES && (r->mask >> lane & 1);
}

static int lowest_lane(uint32_t mask)
{
	return __builtin_ctz(mask);
}

const struct trace_array *query_find_array(const struct query *q)
{
	for (size_t i = 0; i < q->s->info->array_count; i++)
		if (!strcmp(q->s->info->arrays[i].name, q->array))
			return &q->s->info->arrays[i];
	return NULL;
}

/* ---- one request: its cost ---- */

int query_cost_field(const struct access_cost *c, int which)
{
	switch (which) {
	case COST_SECTORS:
		return c->sectors;
	case COST_IDEAL_SECTORS:
		return c->ideal_sectors;
	case COST_LINES:
		return c->lines;
	case COST_WAVEFRONTS:
		return c->wavefronts;
	case COST_IDEAL_WAVEFRONTS:
		return c->ideal_wavefronts;
	default:
		return c->max_way;
	}
}

int query_cost(struct query *q, struct value *out, struct error *e)
{
	struct trace_request r;
	struct access_cost cost;
	struct access a;
	int n;

	if (find_query_request(q, &r, e) < 0)
		return -1;
	if (!access_of(q->s->info, &r, &a))
		return error_set(e, EXIT_INPUT, _("an access to %s has no such "
						  "cost"),
				 text_show(q->array));
	if (access_cost(&a, &cost, e) < 0)
		return -1;
	n = query_cost_field(&cost, q->which);
	*out = n == NA ? (struct value){ .kind = VALUE_NONE } : value_int(n);
	return 0;
}

/* ---- one request: its shape ---- */

static int64_t element_of(const struct query *q, const struct trace_request *r,
			  int lane)
{
	return r->offset[lane] / query_array(q, r)->elem_bytes;
}

/* Returns the lowest or highest element at which a lane's access begins. */
static int64_t find_extreme_element(const struct query *q,
				    const struct trace_request *r, bool highest)
{
	int64_t best = element_of(q, r, lowest_lane(r->mask)), at;

	for (int l = 0; l < WARP_LANES; l++) {
		if (!query_lane_takes_part(r, l))
			continue;
		at = element_of(q, r, l);
		best = highest ? MAX(best, at) : MIN(best, at);
	}
	return best;
}

int query_shape(struct query *q, struct value *out, struct error *e)
{
	struct trace_request r;
	struct pattern p;

	if (find_query_request(q, &r, e) < 0)
		return -1;
	pattern_find(q->s->info, &r, &p);
	switch (q->which) {
	case SHAPE_LANES:
		*out = value_int(p.lanes);
		break;
	case SHAPE_ADDRESSES:
		*out = value_int(p.addresses);
		break;
	case SHAPE_PATTERN:
		*out = value_text(pattern_name(p.kind));
		break;
	case SHAPE_BYTES:
		*out = value_int(q->s->info->sites[r.site].bytes);
		break;
	default:
		*out = value_int(
			find_extreme_element(q, &r, q->which == SHAPE_LAST));
	}
	return 0;
}

/* ---- get one lane's part of a request ---- */

static struct value get_coordinate_value(const struct trace_array *a,
					 uint64_t offset, bool column)
{
	uint64_t index[TRACE_MAX_RANK];

	if (!array_coords(a, offset, index) || (!column && a->rank < 2))
		return (struct value){ .kind = VALUE_NONE };
	return value_int(index[a->rank - (column ? 1 : 2)]);
}

static struct value get_lane_number(const struct query *q,
				    const struct trace_request *r, int lane)
{
	double v;

	if (!q->s->info->values ||
	    !element_value(query_array(q, r)->elem, &r->value[lane * 4],
			   r->offset[lane] % 4, &v))
		return (struct value){ .kind = VALUE_NONE };
	return value_real(v);
}

/* Returns the distance, in elements, from this lane's element to the next
 * lane's (for the last lane: from the one before it). */
static struct value get_lane_stride(const struct query *q,
				    const struct trace_request *r, int lane)
{
	int left = MIN(lane, WARP_LANES - 2);

	if (!query_lane_takes_part(r,
				   left) || !query_lane_takes_part(r, left + 1))
		return (struct value){ .kind = VALUE_NONE };
	return value_int(element_of(q, r, left + 1) - element_of(q, r, left));
}

static struct value get_lane_part(const struct query *q,
				  const struct trace_request *r, int lane)
{
	const struct trace_array *a = query_array(q, r);

	switch (q->which) {
	case PART_ROW:
	case PART_COL:
		return get_coordinate_value(a, r->offset[lane],
					    q->which == PART_COL);
	case PART_INDEX:
		return value_int(element_of(q, r, lane));
	case PART_ADDRESS:
		return value_int(a->base + r->offset[lane]);
	case PART_BANK:
		return value_int((a->base + r->offset[lane]) / BANK_BYTES %
				 BANKS);
	case PART_VALUE:
		return get_lane_number(q, r, lane);
	default:
		return get_lane_stride(q, r, lane);
	}
}

static int query_lane_part(struct query *q, int64_t lane, struct value *out,
			 struct error *e)
{
	struct trace_request r;

	if (find_query_request(q, &r, e) < 0)
		return -1;
	*out = query_lane_takes_part(&r, lane) ? get_lane_part(q, &r, lane) :
	       (struct value){ .kind = VALUE_NONE };
	return 0;
}

int query_part(struct query *q, struct value *out, struct error *e)
{
	return query_lane_part(q, q->s->lane, out, e);
}

int query_part_at(struct query *q, struct value *out, struct error *e)
{
	return query_lane_part(q, q->i[0], out, e);
}
