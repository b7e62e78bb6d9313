/* lesson_scan: functions of expressions on many requests. */
#include "lesson/lesson_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"

/* ---- many requests ---- */

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

/* Visits the matching requests of a warp. Returns 1 when the visitor has seen
 * enough, -1 with e. */
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
		end = query_phase_end(t, warp, q->s->phase);
	}
	for (; i < end; i++) {
		if (trace_get_site(t, warp, i, &site, e) < 0)
			return -1;
		if (!query_matches(q, site))
			continue;
		if (trace_get(t, warp, i, &r, e) < 0)
			return -1;
		if ((r.mask & lanes) &&
		    visit(q, &r, warp, r.mask & lanes, ctx))
			return 1;
	}
	return 0;
}

static int scan_scope(struct query *q, enum scope scope, visitor visit,
		      void *ctx, struct error *e)
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
			    query_array(q, r)->elem_bytes;
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
	return scan_scope(q, scope, count, c, e);
}

int query_requests(struct query *q, struct value *out, struct error *e)
{
	struct counts c;

	if (count_in(q, q->which, &c, e) < 0)
		return -1;
	*out = value_int(c.requests);
	return 0;
}

int query_events(struct query *q, struct value *out, struct error *e)
{
	struct counts c;

	if (count_in(q, q->which, &c, e) < 0)
		return -1;
	*out = value_int(c.events);
	return 0;
}

/* ---- which elements ---- */

/* Finds the elements from..to-1 that a lane accesses; for a bulk copy only the
 * first. */
static void lane_elements(const struct query *q, const struct trace_request *r,
			  int lane, uint64_t *from, uint64_t *to)
{
	const struct trace_site *site = &q->s->info->sites[r->site];
	uint32_t size = query_array(q, r)->elem_bytes;
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
	int status = scan_scope(q, scope, collect, &set, e);

	*count = set.count;
	free(set.bits);
	return status;
}

int query_distinct(struct query *q, struct value *out, struct error *e)
{
	int64_t n;

	if (distinct_in(q, q->which, &n, e) < 0)
		return -1;
	*out = value_int(n);
	return 0;
}

static struct value divide_counts(int64_t a, int64_t b)
{
	if (!b)
		return (struct value){ .kind = VALUE_NONE };
	return a % b ? value_real((double)a / b) : value_int(a / b);
}

/* Computes how often an element is read, on average over those that are. */
int query_reuse(struct query *q, struct value *out, struct error *e)
{
	struct counts c;
	int64_t n;

	q->op = OP_LD;
	if (count_in(q, q->which, &c, e) < 0 ||
	    distinct_in(q, q->which, &n, e) < 0)
		return -1;
	*out = divide_counts(c.elements, n);
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

/* Finds the array's element that the arguments [i][j] name. */
static int find_named_element(const struct query *q, struct element_use *u,
			      struct error *e)
{
	const struct trace_array *a = query_find_array(q);
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

int query_loads_of(struct query *q, struct value *out, struct error *e)
{
	struct element_use u;

	q->op = OP_LD;
	if (find_named_element(q, &u, e) < 0 ||
	    scan_scope(q, q->which, use, &u, e) < 0)
		return -1;
	*out = value_int(u.uses);
	return 0;
}

int query_loader(struct query *q, struct value *out, struct error *e)
{
	struct element_use u;
	struct trace_dim thread;

	q->op = OP_ST;
	if (find_named_element(q, &u, e) < 0 ||
	    scan_scope(q, SCOPE_BLOCK_PHASE, use, &u, e) < 0)
		return -1;
	if (u.thread < 0 && scan_scope(q, SCOPE_BLOCK, use, &u, e) < 0)
		return -1;
	thread = lesson_dim(q->s->info->block, MAX(u.thread, 0));
	*out = u.thread < 0 ? (struct value){ .kind = VALUE_NONE } :
	       value_int(q->which ? thread.y : thread.x);
	return 0;
}
