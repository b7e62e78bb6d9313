#include "lesson/lesson_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern.h"
#include "timing/benchmark.h"
#include "scene/scene.h"
#include "base/text.h"

/* One call: its arguments as the function's `takes` names them. */
struct query {
	struct standing *s;
	const char *array;
	int op;				/* -1: any */
	int64_t i[2];
	double x;
	const char *kernel[2];		/* of a race; NULL: none */
	int which;			/* the table's */
};

typedef int (*handler)(struct query *q, struct value *out, struct error *e);

/* ---- requests ---- */

static bool matches(const struct query *q, uint32_t site)
{
	const struct trace_info *info = q->s->info;
	const struct trace_site *st = &info->sites[site];

	if (st->array == TRACE_NO_ARRAY || (q->op >= 0 && (int)st->op != q->op))
		return false;
	return !strcmp(info->arrays[st->array].name, q->array);
}

static uint32_t phase_end(struct trace *t, size_t warp, uint32_t phase)
{
	const struct trace_warp *w = trace_warp(t, warp);

	if (phase >= w->phases)
		return w->requests;
	return phase + 1 < w->phases ? trace_phase_start(t, warp, phase + 1) :
				       w->requests;
}

/* 1 and *r is the first that matches in from..to-1, 0 there is none. */
static int find_between(struct query *q, uint32_t from, uint32_t to,
			struct trace_request *r, struct error *e)
{
	struct standing *s = q->s;
	uint32_t site;

	for (uint32_t i = from; i < to; i++) {
		if (trace_get_site(s->trace, s->warp, i, &site, e) < 0)
			return -1;
		if (!matches(q, site))
			continue;
		return trace_get(s->trace, s->warp, i, r, e) < 0 ? -1 : 1;
	}
	return 0;
}

/* The first request at or after the stand in its phase, else the first of
 * the phase, else of the warp. */
static int find_request(struct query *q, struct trace_request *r,
			struct error *e)
{
	struct standing *s = q->s;
	uint32_t end = phase_end(s->trace, s->warp, s->phase);
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

static const struct trace_array *array_of(const struct query *q,
					  const struct trace_request *r)
{
	return &q->s->info->arrays[q->s->info->sites[r->site].array];
}

static bool lane_takes_part(const struct trace_request *r, int64_t lane)
{
	return lane >= 0 && lane < WARP_LANES && (r->mask >> lane & 1);
}

static int lowest_lane(uint32_t mask)
{
	return __builtin_ctz(mask);
}

/* ---- one request: its cost ---- */

enum cost { COST_SECTORS, COST_IDEAL_SECTORS, COST_LINES, COST_WAVEFRONTS,
	    COST_IDEAL_WAVEFRONTS, COST_WAYS };

static int cost_field(const struct access_cost *c, int which)
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

static int run_cost(struct query *q, struct value *out, struct error *e)
{
	struct trace_request r;
	struct access_cost cost;
	struct access a;
	int n;

	if (find_request(q, &r, e) < 0)
		return -1;
	if (!access_of(q->s->info, &r, &a))
		return error_set(e, EXIT_INPUT, _("an access to %s has no such "
						  "cost"),
				 text_show(q->array));
	if (access_cost(&a, &cost, e) < 0)
		return -1;
	n = cost_field(&cost, q->which);
	*out = n == NA ? (struct value){ .kind = VALUE_NONE } : value_int(n);
	return 0;
}

/* ---- one request: its shape ---- */

enum shape { SHAPE_LANES, SHAPE_ADDRESSES, SHAPE_PATTERN, SHAPE_FIRST,
	     SHAPE_LAST, SHAPE_BYTES };

static int64_t element_of(const struct query *q, const struct trace_request *r,
			  int lane)
{
	return r->offset[lane] / array_of(q, r)->elem_bytes;
}

/* The lowest or highest element that a lane starts at. */
static int64_t extreme(const struct query *q, const struct trace_request *r,
		       bool highest)
{
	int64_t best = element_of(q, r, lowest_lane(r->mask)), at;

	for (int l = 0; l < WARP_LANES; l++) {
		if (!lane_takes_part(r, l))
			continue;
		at = element_of(q, r, l);
		best = highest ? MAX(best, at) : MIN(best, at);
	}
	return best;
}

static int run_shape(struct query *q, struct value *out, struct error *e)
{
	struct trace_request r;
	struct pattern p;

	if (find_request(q, &r, e) < 0)
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
		*out = value_int(extreme(q, &r, q->which == SHAPE_LAST));
	}
	return 0;
}

/* ---- one lane's part of a request ---- */

enum part { PART_ROW, PART_COL, PART_INDEX, PART_ADDRESS, PART_BANK,
	    PART_VALUE, PART_STRIDE };

static struct value coordinate(const struct trace_array *a, uint64_t offset,
			       bool column)
{
	uint64_t index[TRACE_MAX_RANK];

	if (!array_coords(a, offset, index) || (!column && a->rank < 2))
		return (struct value){ .kind = VALUE_NONE };
	return value_int(index[a->rank - (column ? 1 : 2)]);
}

static struct value moved(const struct query *q, const struct trace_request *r,
			  int lane)
{
	double v;

	if (!q->s->info->values ||
	    !element_value(array_of(q, r)->elem, &r->value[lane * 4],
			   r->offset[lane] % 4, &v))
		return (struct value){ .kind = VALUE_NONE };
	return value_real(v);
}

/* Elements from this lane's to its right neighbour's (the last: its left). */
static struct value step_right(const struct query *q,
			       const struct trace_request *r, int lane)
{
	int left = MIN(lane, WARP_LANES - 2);

	if (!lane_takes_part(r, left) || !lane_takes_part(r, left + 1))
		return (struct value){ .kind = VALUE_NONE };
	return value_int(element_of(q, r, left + 1) - element_of(q, r, left));
}

static struct value part_of(const struct query *q,
			    const struct trace_request *r, int lane)
{
	const struct trace_array *a = array_of(q, r);

	switch (q->which) {
	case PART_ROW:
	case PART_COL:
		return coordinate(a, r->offset[lane], q->which == PART_COL);
	case PART_INDEX:
		return value_int(element_of(q, r, lane));
	case PART_ADDRESS:
		return value_int(a->base + r->offset[lane]);
	case PART_BANK:
		return value_int((a->base + r->offset[lane]) / BANK_BYTES %
				 BANKS);
	case PART_VALUE:
		return moved(q, r, lane);
	default:
		return step_right(q, r, lane);
	}
}

static int run_lane_part(struct query *q, int64_t lane, struct value *out,
			 struct error *e)
{
	struct trace_request r;

	if (find_request(q, &r, e) < 0)
		return -1;
	*out = lane_takes_part(&r, lane) ? part_of(q, &r, lane) :
	       (struct value){ .kind = VALUE_NONE };
	return 0;
}

static int run_part(struct query *q, struct value *out, struct error *e)
{
	return run_lane_part(q, q->s->lane, out, e);
}

static int run_part_at(struct query *q, struct value *out, struct error *e)
{
	return run_lane_part(q, q->i[0], out, e);
}

/* ---- many requests ---- */

enum scope { SCOPE_LAUNCH, SCOPE_BLOCK, SCOPE_BLOCK_PHASE, SCOPE_WARP,
	     SCOPE_WARP_PHASE, SCOPE_THREAD, SCOPE_THREAD_PHASE };

/* Called for each request that matches; lanes are those in scope. Returns
 * true when it has seen enough. */
typedef bool (*visitor)(struct query *q, const struct trace_request *r,
			size_t warp, uint32_t lanes, void *ctx);

static bool in_scope(const struct standing *s, enum scope scope, size_t warp)
{
	if (scope == SCOPE_LAUNCH)
		return true;
	if (scope == SCOPE_BLOCK || scope == SCOPE_BLOCK_PHASE)
		return trace_warp(s->trace, warp)->block ==
		       trace_warp(s->trace, s->warp)->block;
	return warp == s->warp;
}

static bool in_phase(enum scope scope)
{
	return scope == SCOPE_BLOCK_PHASE || scope == SCOPE_WARP_PHASE ||
	       scope == SCOPE_THREAD_PHASE;
}

/* 1 when the visitor has seen enough. */
static int scan_warp(struct query *q, enum scope scope, size_t warp,
		     visitor visit, void *ctx, struct error *e)
{
	struct trace *t = q->s->trace;
	bool one = scope == SCOPE_THREAD || scope == SCOPE_THREAD_PHASE;
	uint32_t lanes = one ? 1u << q->s->lane : UINT32_MAX;
	uint32_t i = 0, end = trace_warp(t, warp)->requests, site;
	struct trace_request r;

	if (in_phase(scope)) {
		if (q->s->phase >= trace_warp(t, warp)->phases)
			return 0;
		i = trace_phase_start(t, warp, q->s->phase);
		end = phase_end(t, warp, q->s->phase);
	}
	for (; i < end; i++) {
		if (trace_get_site(t, warp, i, &site, e) < 0)
			return -1;
		if (!matches(q, site))
			continue;
		if (trace_get(t, warp, i, &r, e) < 0)
			return -1;
		if ((r.mask & lanes) &&
		    visit(q, &r, warp, r.mask & lanes, ctx))
			return 1;
	}
	return 0;
}

static int scan(struct query *q, enum scope scope, visitor visit, void *ctx,
		struct error *e)
{
	int status = 0;

	for (size_t w = 0; !status && w < trace_warp_count(q->s->trace); w++)
		if (in_scope(q->s, scope, w))
			status = scan_warp(q, scope, w, visit, ctx, e);
	return status;
}

struct counts { int64_t requests, events, elements; };

static bool count(struct query *q, const struct trace_request *r, size_t warp,
		  uint32_t lanes, void *ctx)
{
	struct counts *c = ctx;
	uint32_t per_lane = q->s->info->sites[r->site].bytes /
			    array_of(q, r)->elem_bytes;
	int n = __builtin_popcount(lanes);

	(void)warp;
	c->requests++;
	c->events += n;
	c->elements += (int64_t)n * MAX(per_lane, 1);
	return false;
}

static int count_in(struct query *q, enum scope scope, struct counts *c,
		    struct error *e)
{
	*c = (struct counts){ 0 };
	return scan(q, scope, count, c, e);
}

static int run_requests(struct query *q, struct value *out, struct error *e)
{
	struct counts c;

	if (count_in(q, q->which, &c, e) < 0)
		return -1;
	*out = value_int(c.requests);
	return 0;
}

static int run_events(struct query *q, struct value *out, struct error *e)
{
	struct counts c;

	if (count_in(q, q->which, &c, e) < 0)
		return -1;
	*out = value_int(c.events);
	return 0;
}

/* ---- which elements ---- */

/* The elements from..to-1 that a lane touches; of a box the first. */
static void lane_elements(const struct query *q, const struct trace_request *r,
			  int lane, uint64_t *from, uint64_t *to)
{
	const struct trace_site *site = &q->s->info->sites[r->site];
	uint32_t size = array_of(q, r)->elem_bytes;
	uint32_t bytes = op_is_bulk(site->op) ? 1 : site->bytes;

	*from = r->offset[lane] / size;
	*to = (r->offset[lane] + bytes - 1) / size + 1;
}

/* A set of element numbers; they come in runs, so a bit each. */
struct elements {
	uint8_t *bits;
	size_t capacity;
	int64_t count;
};

/* More than this is no lesson. */
#define MAX_ELEMENTS (1ull << 30)

static void put_element(struct elements *set, uint64_t element)
{
	size_t before = set->capacity, byte = element / 8;

	if (byte >= before) {
		grow(&set->bits, &set->capacity, byte + 1, 1);
		memset(set->bits + before, 0, set->capacity - before);
	}
	set->count += !(set->bits[byte] >> element % 8 & 1);
	set->bits[byte] |= 1u << element % 8;
}

static bool collect(struct query *q, const struct trace_request *r,
		    size_t warp, uint32_t lanes, void *ctx)
{
	uint64_t from, to;

	(void)warp;
	for (int l = 0; l < WARP_LANES; l++) {
		if (!(lanes >> l & 1))
			continue;
		lane_elements(q, r, l, &from, &to);
		for (; from < to && from < MAX_ELEMENTS; from++)
			put_element(ctx, from);
	}
	return false;
}

static int distinct_in(struct query *q, enum scope scope, int64_t *count,
		       struct error *e)
{
	struct elements set = { 0 };
	int status = scan(q, scope, collect, &set, e);

	*count = set.count;
	free(set.bits);
	return status;
}

static int run_distinct(struct query *q, struct value *out, struct error *e)
{
	int64_t n;

	if (distinct_in(q, q->which, &n, e) < 0)
		return -1;
	*out = value_int(n);
	return 0;
}

static struct value ratio(int64_t a, int64_t b)
{
	if (!b)
		return (struct value){ .kind = VALUE_NONE };
	return a % b ? value_real((double)a / b) : value_int(a / b);
}

/* How often an element is read, on average over those that are. */
static int run_reuse(struct query *q, struct value *out, struct error *e)
{
	struct counts c;
	int64_t n;

	q->op = OP_LD;
	if (count_in(q, q->which, &c, e) < 0 ||
	    distinct_in(q, q->which, &n, e) < 0)
		return -1;
	*out = ratio(c.elements, n);
	return 0;
}

/* ---- one element ---- */

struct element_use {
	uint64_t element;
	int64_t uses;
	long thread;		/* the first that used it, or -1 */
};

static bool use(struct query *q, const struct trace_request *r, size_t warp,
		uint32_t lanes, void *ctx)
{
	struct element_use *u = ctx;
	uint64_t from, to;

	for (int l = 0; l < WARP_LANES; l++) {
		if (!(lanes >> l & 1))
			continue;
		lane_elements(q, r, l, &from, &to);
		if (u->element < from || u->element >= to)
			continue;
		if (!u->uses++)
			u->thread = trace_warp(q->s->trace, warp)->warp *
				    WARP_LANES + l;
	}
	return false;
}

static const struct trace_array *find_array(const struct query *q)
{
	for (size_t i = 0; i < q->s->info->array_count; i++)
		if (!strcmp(q->s->info->arrays[i].name, q->array))
			return &q->s->info->arrays[i];
	return NULL;
}

/* The arguments [i][j] as an element of the array. */
static int which_element(const struct query *q, struct element_use *u,
			 struct error *e)
{
	const struct trace_array *a = find_array(q);
	int64_t rows, cols = a->dims[a->rank - 1];

	rows = a->rank < 2 ? 1 : a->dims[a->rank - 2];
	if (q->i[0] < 0 || q->i[0] >= rows || q->i[1] < 0 || q->i[1] >= cols)
		return error_set(e, EXIT_INPUT,
				 _("%s has no element [%lld][%lld]"),
				 text_show(q->array), (long long)q->i[0],
				 (long long)q->i[1]);
	*u = (struct element_use){ .element = q->i[0] * cols + q->i[1],
				   .thread = -1 };
	return 0;
}

static int run_loads_of(struct query *q, struct value *out, struct error *e)
{
	struct element_use u;

	q->op = OP_LD;
	if (which_element(q, &u, e) < 0 || scan(q, q->which, use, &u, e) < 0)
		return -1;
	*out = value_int(u.uses);
	return 0;
}

static int run_loader(struct query *q, struct value *out, struct error *e)
{
	struct element_use u;
	struct trace_dim thread;

	q->op = OP_ST;
	if (which_element(q, &u, e) < 0 ||
	    scan(q, SCOPE_BLOCK_PHASE, use, &u, e) < 0)
		return -1;
	if (u.thread < 0 && scan(q, SCOPE_BLOCK, use, &u, e) < 0)
		return -1;
	thread = lesson_dim(q->s->info->block, MAX(u.thread, 0));
	*out = u.thread < 0 ? (struct value){ .kind = VALUE_NONE } :
	       value_int(q->which ? thread.y : thread.x);
	return 0;
}

/* ---- the whole launch ---- */

enum total { TOTAL_SECTORS, TOTAL_WAVEFRONTS };

static int run_total(struct query *q, struct value *out, struct error *e)
{
	const struct report *report = lesson_report(q->s, e);
	int64_t sum = 0, n;
	bool any = false;

	if (!report)
		return -1;
	for (size_t i = 0; i < report->site_count; i++) {
		const struct report_site *site = &report->sites[i];

		if (strcmp(site->array, q->array) ||
		    (q->op >= 0 && (int)site->op != q->op))
			continue;
		n = q->which == TOTAL_SECTORS ? site->sectors :
						site->wavefronts;
		any = any || n != NA;
		sum += n == NA ? 0 : n;
	}
	*out = any ? value_int(sum) : (struct value){ .kind = VALUE_NONE };
	return 0;
}

enum sum { SUM_FLOPS, SUM_BYTES, SUM_INTENSITY, SUM_LOAD_SECTORS,
	   SUM_LOAD_REQUESTS };

static int run_sum(struct query *q, struct value *out, struct error *e)
{
	const struct report *r = lesson_report(q->s, e);

	if (!r)
		return -1;
	switch (q->which) {
	case SUM_FLOPS:
		*out = value_int(r->flops);
		break;
	case SUM_BYTES:
		*out = value_int(r->bytes_global);
		break;
	case SUM_LOAD_SECTORS:
		*out = value_int(r->global_load_sectors);
		break;
	case SUM_LOAD_REQUESTS:
		*out = value_int(r->global_load_requests);
		break;
	default:
		*out = r->intensity < 0 ? (struct value){ .kind = VALUE_NONE } :
		       value_real(r->intensity);
	}
	return 0;
}

enum launch { LAUNCH_PHASES, LAUNCH_BARRIERS, LAUNCH_THREADS, LAUNCH_WARPS,
	      LAUNCH_BLOCKS, LAUNCH_SHARED_BYTES };

static int64_t shared_bytes(const struct trace_info *info)
{
	int64_t sum = 0, size;

	for (size_t i = 0; i < info->array_count; i++) {
		const struct trace_array *a = &info->arrays[i];

		if (a->space != SPACE_SHARED)
			continue;
		size = a->elem_bytes;
		for (uint32_t d = 0; d < a->rank; d++)
			size *= a->dims[d];
		sum += size;
	}
	return sum;
}

static int run_launch(struct query *q, struct value *out, struct error *e)
{
	const struct trace_info *info = q->s->info;
	int64_t threads = (int64_t)info->block.x * info->block.y *
			  info->block.z;
	uint32_t phases = trace_warp(q->s->trace, q->s->warp)->phases;

	(void)e;
	switch (q->which) {
	case LAUNCH_PHASES:
		*out = value_int(phases);
		break;
	case LAUNCH_BARRIERS:
		*out = value_int(phases - 1);
		break;
	case LAUNCH_THREADS:
		*out = value_int(threads);
		break;
	case LAUNCH_WARPS:
		*out = value_int((threads + WARP_LANES - 1) / WARP_LANES);
		break;
	case LAUNCH_BLOCKS:
		*out = value_int((int64_t)info->grid.x * info->grid.y *
				 info->grid.z);
		break;
	default:
		*out = value_int(shared_bytes(info));
	}
	return 0;
}

static int run_dims(struct query *q, struct value *out, struct error *e)
{
	const struct trace_array *a = find_array(q);

	(void)e;
	if (q->which)
		*out = value_int(a->dims[a->rank - 1]);
	else
		*out = value_int(a->rank < 2 ? 1 : a->dims[a->rank - 2]);
	return 0;
}

/* ---- recorded races ---- */

enum race_what { RACE_TFLOPS, RACE_SHARE, RACE_RATIO };

/* FLOP/s of the kernels named and of the first one's cuBLAS, in the newest
 * recording of them at this size. */
static int race_flops(const struct query *q, double flops[2], double *cublas,
		      struct error *e)
{
	char *folder = xasprintf("%s/races", paths()->data);
	char *size = xasprintf("%lld", (long long)q->i[0]);
	struct timing *t = NULL;
	struct benchmark_plan p;
	json_t *entrants;
	int status;

	benchmark_plan_init(&p);
	status = benchmark_add_size(&p, size, e);
	for (size_t i = 0; i < 2 && q->kernel[i] && !status; i++)
		status = benchmark_add(&p, q->kernel[i], e);
	if (!status)
		t = benchmark_find(folder, &p, e);
	entrants = json_object_get(p.request, "entrants");
	for (size_t i = 0; i < json_array_size(entrants) && t; i++) {
		size_t at =
			(size_t)benchmark_case(t, json_array_get(entrants, i));
		long against = timing_against(t, at);

		flops[i] = timing_figures(t, 0, at).flops;
		if (i == 0 && against >= 0)
			*cublas = timing_figures(t, 0, (size_t)against).flops;
	}
	status = t ? 0 : -1;
	timing_free(t);
	benchmark_plan_done(&p);
	free(folder);
	free(size);
	return status;
}

static int run_race(struct query *q, struct value *out, struct error *e)
{
	double flops[2] = { NA, NA }, cublas = NA, by;

	if (race_flops(q, flops, &cublas, e) < 0)
		return -1;
	by = q->which == RACE_TFLOPS ? 1e12 :
	     q->which == RACE_SHARE ? cublas : flops[1];
	*out = (struct value){ .kind = VALUE_NONE };
	if (flops[0] != NA && by != NA)
		*out = value_real(flops[0] / by);
	return 0;
}

static int run_round(struct query *q, struct value *out, struct error *e)
{
	char digits[400];

	if (q->i[0] < 0 || q->i[0] > 9)
		return error_set(e, EXIT_INPUT,
				 _("round() takes 0 to 9 digits"));
	snprintf(digits, sizeof(digits), "%.*f", (int)q->i[0], q->x);
	*out = value_real(strtod(digits, NULL));
	return 0;
}

/* ---- the table ---- */

/*
 * takes: A an array of the trace, o an optional "ld" or "st", i an integer,
 * x a number, r a kernel of a race; in this order.
 */
static const struct function {
	const char *name, *takes, *args, *meaning;
	handler run;
	int which;
} functions[] = {
	/* One request: see find_request(). */
	{ "sectors", "Ao", "A[, op]", N_("32-byte sectors a request touches"),
	  run_cost, COST_SECTORS },
	{ "ideal_sectors", "Ao", "A[, op]",
	  N_("sectors that its distinct bytes would fill"),
	  run_cost, COST_IDEAL_SECTORS },
	{ "lines", "Ao", "A[, op]", N_("128-byte lines it touches"),
	  run_cost, COST_LINES },
	{ "wavefronts", "Ao", "As[, op]", N_("wavefronts it takes"),
	  run_cost, COST_WAVEFRONTS },
	{ "ideal_wavefronts", "Ao", "As[, op]",
	  N_("wavefronts without bank conflicts"),
	  run_cost, COST_IDEAL_WAVEFRONTS },
	{ "ways", "Ao", "As[, op]", N_("most distinct words in one bank"),
	  run_cost, COST_WAYS },
	{ "lanes", "Ao", "A[, op]", N_("lanes that take part"),
	  run_shape, SHAPE_LANES },
	{ "addresses", "Ao", "A[, op]", N_("distinct addresses"),
	  run_shape, SHAPE_ADDRESSES },
	{ "pattern", "Ao", "A[, op]", N_("its pattern's name"),
	  run_shape, SHAPE_PATTERN },
	{ "first", "Ao", "A[, op]", N_("lowest element that a lane names"),
	  run_shape, SHAPE_FIRST },
	{ "last", "Ao", "A[, op]", N_("highest element that a lane names"),
	  run_shape, SHAPE_LAST },
	{ "bytes", "Ao", "A[, op]", N_("bytes a lane"),
	  run_shape, SHAPE_BYTES },
	/* The focused lane's part of it; none when it takes no part. */
	{ "row", "Ao", "A[, op]", N_("row of the lane's element"),
	  run_part, PART_ROW },
	{ "col", "Ao", "A[, op]", N_("column of the lane's element"),
	  run_part, PART_COL },
	{ "index", "Ao", "A[, op]", N_("the lane's element, counted from 0"),
	  run_part, PART_INDEX },
	{ "address", "Ao", "A[, op]", N_("byte address of the lane's element"),
	  run_part, PART_ADDRESS },
	{ "bank", "Ao", "As[, op]", N_("bank of the lane's element"),
	  run_part, PART_BANK },
	{ "value", "Ao", "A[, op]", N_("the number that the lane moves"),
	  run_part, PART_VALUE },
	{ "stride", "Ao", "A[, op]",
	  N_("elements from the lane's to its right neighbour's"),
	  run_part, PART_STRIDE },
	{ "row_at", "Aio", "A, lane[, op]", N_("row of another lane's element"),
	  run_part_at, PART_ROW },
	{ "col_at", "Aio", "A, lane[, op]",
	  N_("column of another lane's element"), run_part_at, PART_COL },
	{ "index_at", "Aio", "A, lane[, op]", N_("another lane's element"),
	  run_part_at, PART_INDEX },
	{ "bank_at", "Aio", "As, lane[, op]",
	  N_("bank of another lane's element"), run_part_at, PART_BANK },
	/* Counts. A phase is the stand's. */
	{ "total_requests", "Ao", "A[, op]", N_("requests of the launch"),
	  run_requests, SCOPE_LAUNCH },
	{ "warp_requests", "Ao", "A[, op]", N_("requests of the warp"),
	  run_requests, SCOPE_WARP },
	{ "phase_requests", "Ao", "A[, op]",
	  N_("requests of the warp in the phase"),
	  run_requests, SCOPE_WARP_PHASE },
	{ "total_events", "Ao", "A[, op]",
	  N_("accesses of all threads of the launch"),
	  run_events, SCOPE_LAUNCH },
	{ "block_events", "Ao", "A[, op]", N_("accesses of the block"),
	  run_events, SCOPE_BLOCK },
	{ "phase_events", "Ao", "A[, op]",
	  N_("accesses of the block in the phase"),
	  run_events, SCOPE_BLOCK_PHASE },
	{ "thread_events", "Ao", "A[, op]", N_("accesses of the thread"),
	  run_events, SCOPE_THREAD },
	{ "thread_phase_events", "Ao", "A[, op]",
	  N_("accesses of the thread in the phase"),
	  run_events, SCOPE_THREAD_PHASE },
	{ "distinct", "Ao", "A[, op]", N_("distinct elements of the launch"),
	  run_distinct, SCOPE_LAUNCH },
	{ "block_distinct", "Ao", "A[, op]", N_("distinct elements of the block"),
	  run_distinct, SCOPE_BLOCK },
	{ "phase_distinct", "Ao", "A[, op]",
	  N_("distinct elements of the block in the phase"),
	  run_distinct, SCOPE_BLOCK_PHASE },
	{ "thread_distinct", "Ao", "A[, op]",
	  N_("distinct elements of the thread"), run_distinct, SCOPE_THREAD },
	{ "reuse", "A", "A", N_("elements read by the launch / distinct ones"),
	  run_reuse, SCOPE_LAUNCH },
	{ "block_reuse", "A", "A",
	  N_("elements read by the block / distinct ones"),
	  run_reuse, SCOPE_BLOCK },
	{ "phase_reuse", "A", "A",
	  N_("elements read by the block in the phase / distinct ones"),
	  run_reuse, SCOPE_BLOCK_PHASE },
	{ "loads_of", "Aii", "A, row, col",
	  N_("how often the block reads the element"),
	  run_loads_of, SCOPE_BLOCK },
	{ "phase_loads_of", "Aii", "A, row, col",
	  N_("how often the block reads the element in the phase"),
	  run_loads_of, SCOPE_BLOCK_PHASE },
	{ "loader_tx", "Aii", "As, row, col",
	  N_("threadIdx.x of the thread that stores the element"),
	  run_loader, 0 },
	{ "loader_ty", "Aii", "As, row, col",
	  N_("threadIdx.y of the thread that stores the element"),
	  run_loader, 1 },
	{ "total_sectors", "Ao", "A[, op]", N_("sectors of the launch"),
	  run_total, TOTAL_SECTORS },
	{ "total_wavefronts", "Ao", "As[, op]", N_("wavefronts of the launch"),
	  run_total, TOTAL_WAVEFRONTS },
	/* The launch. */
	{ "flops", "", "", N_("floating-point operations"),
	  run_sum, SUM_FLOPS },
	{ "bytes_global", "", "", N_("bytes of all sectors"),
	  run_sum, SUM_BYTES },
	{ "load_sectors", "", "", N_("sectors of all loads"),
	  run_sum, SUM_LOAD_SECTORS },
	{ "load_requests", "", "", N_("requests of all global loads"),
	  run_sum, SUM_LOAD_REQUESTS },
	{ "intensity", "", "", N_("operations a byte"),
	  run_sum, SUM_INTENSITY },
	{ "phases", "", "", N_("phases of the warp"),
	  run_launch, LAUNCH_PHASES },
	{ "barriers", "", "", N_("barriers that the warp passes"),
	  run_launch, LAUNCH_BARRIERS },
	{ "threads", "", "", N_("threads a block"),
	  run_launch, LAUNCH_THREADS },
	{ "warps", "", "", N_("warps a block"), run_launch, LAUNCH_WARPS },
	{ "blocks", "", "", N_("blocks of the grid"),
	  run_launch, LAUNCH_BLOCKS },
	{ "shared_bytes", "", "", N_("bytes of shared memory a block"),
	  run_launch, LAUNCH_SHARED_BYTES },
	{ "rows", "A", "A", N_("rows of the array"), run_dims, 0 },
	{ "cols", "A", "A", N_("columns of the array"), run_dims, 1 },
	/* The newest recorded race; a kernel's parameters in quotes:
	 * "tiled:TILE=32". */
	{ "race_tflops", "ri", "kernel, N",
	  N_("TFLOP/s of the kernel, as it was recorded"),
	  run_race, RACE_TFLOPS },
	{ "race_share", "ri", "kernel, N",
	  N_("its FLOP/s by those of cuBLAS of its types"), run_race,
	  RACE_SHARE },
	{ "race_ratio", "rri", "kernel, other, N",
	  N_("its FLOP/s by those of the other kernel"), run_race, RACE_RATIO },
	{ "round", "xi", "x, digits", N_("a number with fewer digits"),
	  run_round, 0 },
};

const struct lesson_function *lesson_functions(size_t *count)
{
	static struct lesson_function list[LENGTH(functions)];

	for (size_t i = 0; i < LENGTH(functions); i++)
		list[i] = (struct lesson_function){
			functions[i].name, functions[i].args,
			functions[i].meaning };
	*count = LENGTH(functions);
	return list;
}

int lesson_function_find(const char *name, struct error *e)
{
	const char *names[LENGTH(functions)], *near;

	for (size_t i = 0; i < LENGTH(functions); i++) {
		names[i] = functions[i].name;
		if (!strcmp(name, names[i]))
			return i;
	}
	near = nearest_name(name, names, LENGTH(names));
	if (near)
		return error_set(e, EXIT_INPUT, _("no function '%s'; did you "
						  "mean '%s'?"),
				 text_show(name), near);
	return error_set(e, EXIT_INPUT, _("no function '%s'"),
			 text_show(name));
}

bool lesson_function_races(int function)
{
	return functions[function].run == run_race;
}

/* ---- arguments ---- */

static int take_array(struct query *q, const struct value *v, struct error *e)
{
	if (v->kind != VALUE_TEXT)
		return error_set(e, EXIT_INPUT, _("expected an array"));
	q->array = v->text;
	if (!find_array(q))
		return error_set(e, EXIT_INPUT, _("%s has no array '%s'"),
				 text_show(q->s->info->kernel),
				 text_show(v->text));
	return 0;
}

static int take_op(struct query *q, const struct value *v, struct error *e)
{
	q->op = v->kind == VALUE_TEXT ? op_from(v->text) : -1;
	if (q->op == OP_LD || q->op == OP_ST)
		return 0;
	return error_set(e, EXIT_INPUT, _("expected \"ld\" or \"st\""));
}

static int take_int(int64_t *i, const struct value *v, struct error *e)
{
	*i = v->i;
	return v->kind == VALUE_INT ? 0 :
	       error_set(e, EXIT_INPUT, _("expected an integer"));
}

static int take_number(struct query *q, const struct value *v,
		       struct error *e)
{
	q->x = v->kind == VALUE_INT ? (double)v->i : v->r;
	return v->kind == VALUE_INT || v->kind == VALUE_REAL ? 0 :
	       error_set(e, EXIT_INPUT, _("expected a number"));
}

static int take_kernel(const char **kernel, const struct value *v,
		       struct error *e)
{
	*kernel = v->text;
	return v->kind == VALUE_TEXT ? 0 :
	       error_set(e, EXIT_INPUT, _("expected a kernel"));
}

static int take_args(struct query *q, const char *takes,
		     const struct value *args, size_t count, struct error *e)
{
	const char **kernel = q->kernel;
	int64_t *i = q->i;
	int status = 0;

	for (; *takes && count; takes++, args++, count--) {
		if (*takes == 'A')
			status = take_array(q, args, e);
		else if (*takes == 'o')
			status = take_op(q, args, e);
		else if (*takes == 'i')
			status = take_int(i++, args, e);
		else if (*takes == 'r')
			status = take_kernel(kernel++, args, e);
		else
			status = take_number(q, args, e);
		if (status < 0)
			return -1;
	}
	return count || (*takes && *takes != 'o') ? 1 : 0;
}

int lesson_function_call(int function, struct standing *s,
			 const struct value *args, size_t count,
			 struct value *out, struct error *e)
{
	const struct function *f = &functions[function];
	struct query q = { .s = s, .op = -1, .which = f->which };
	int status = take_args(&q, f->takes, args, count, e);

	if (status > 0)
		return error_set(e, EXIT_INPUT, _("expected %s(%s)"), f->name,
				 f->args);
	return status < 0 ? -1 : f->run(&q, out, e);
}
