/*
 * warp: the merge. See warp.h for the model.
 *
 * A lane stands at a program point: the path of calls it is in, a node of a
 * tree that is shared by all lanes, and the position of its next event's
 * instruction. Of the lanes that have passed the fewest barriers, warp_lowest()
 * finds those at the lowest point and the lowest point at which another lane
 * waits; warp_run() runs the former ahead together until they differ or reach
 * the latter. Lanes that never diverge thus go through in long runs.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/warp.h"

/* Events looked ahead at once, when nobody waits and when somebody does. */
#define RUN_FREE 1024
#define RUN_WAITED 16

struct path {
	struct path *parent;
	struct path *child, *sibling;
	struct path *made_before;	/* all of them, to free */
	uint32_t order;			/* of the call, in the parent */
	uint32_t depth;
};

struct program_point {
	struct path *path;
	uint32_t order;
};

struct merge_lane {
	size_t next;		/* event */
	size_t value;		/* word of its next access */
	size_t barriers;	/* __syncthreads() passed */
	struct path *path;
};

struct warp_merge {
	const struct warp_lane *in;
	const struct warp_point *points;
	const struct trace_info *info;
	warp_sink sink;
	void *ctx;
	struct path root, *made;
	struct merge_lane lane[WARP_LANES];
	/* The request being filled, and what is not zero in it. */
	struct trace_request request;
	uint32_t words;
	/* Of the lanes that run: see warp_aim(). */
	const uint32_t *offset[WARP_LANES], *value[WARP_LANES];
	size_t taken;			/* words of each since then */
	size_t passed;			/* barriers, likewise */
};

static struct path *enter_path(struct warp_merge *m, struct path *p,
			       uint32_t order)
{
	struct path *c;

	for (c = p->child; c; c = c->sibling)
		if (c->order == order)
			return c;
	c = xcalloc(1, sizeof(*c));
	c->parent = p;
	c->order = order;
	c->depth = p->depth + 1;
	c->sibling = p->child;
	p->child = c;
	c->made_before = m->made;
	m->made = c;
	return c;
}

/* Returns the path of calls after an event. */
static struct path *path_after(struct warp_merge *m, struct path *path,
			       const struct warp_point *p)
{
	if (p->kind == WARP_ENTER)
		return enter_path(m, path, p->order);
	return p->kind == WARP_LEAVE && path->parent ? path->parent : path;
}

/* Calls are compared from the outermost inwards; of two points of which one
 * is the call that the other is in, the call itself comes first. */
static int point_compare(struct program_point a, struct program_point b)
{
	int deeper = 0;

	for (; a.path->depth > b.path->depth; a.path = a.path->parent) {
		a.order = a.path->order;
		deeper = 1;
	}
	for (; b.path->depth > a.path->depth; b.path = b.path->parent) {
		b.order = b.path->order;
		deeper = -1;
	}
	while (a.path != b.path) {
		a.order = a.path->order;
		b.order = b.path->order;
		a.path = a.path->parent;
		b.path = b.path->parent;
	}
	if (a.order != b.order)
		return a.order < b.order ? -1 : 1;
	return deeper;
}

static struct program_point lane_point(const struct warp_merge *m, int l)
{
	uint32_t id = m->in[l].id[m->lane[l].next];

	return (struct program_point){ m->lane[l].path, m->points[id].order };
}

static bool is_barrier_point(const struct warp_merge *m,
			     const struct warp_point *p)
{
	return p->kind == WARP_ACCESS &&
	       m->info->sites[p->site].op == OP_BARRIER;
}

/* Returns the lanes that have events left. Sets *behind to those that a barrier
 * must not delay: the lanes that have passed the fewest barriers, of which
 * those that have not reached the next one, if there are any. */
static uint32_t warp_left(const struct warp_merge *m, uint32_t *behind)
{
	size_t fewest = SIZE_MAX;
	uint32_t left = 0, waiting = 0;

	*behind = 0;
	for (int l = 0; l < WARP_LANES; l++) {
		const struct merge_lane *at = &m->lane[l];

		if (at->next >= m->in[l].count)
			continue;
		left |= 1u << l;
		if (at->barriers < fewest) {
			fewest = at->barriers;
			*behind = waiting = 0;
		}
		if (at->barriers > fewest)
			continue;
		*behind |= 1u << l;
		if (is_barrier_point(m, &m->points[m->in[l].id[at->next]]))
			waiting |= 1u << l;
	}
	if (waiting != *behind)
		*behind &= ~waiting;
	return left;
}

/* Returns the lanes of `behind` at the lowest program point. Sets *limit to the
 * lowest point of the others; its path is NULL when there are none. */
static uint32_t warp_lowest(const struct warp_merge *m, uint32_t behind,
			    struct program_point *limit)
{
	struct program_point lowest = { NULL, 0 };
	uint32_t mask = 0;

	*limit = lowest;
	for (; behind; behind &= behind - 1) {
		int l = __builtin_ctz(behind), c;
		struct program_point p = lane_point(m, l);

		c = lowest.path ? point_compare(p, lowest) : -1;
		if (c < 0) {
			if (lowest.path)
				*limit = lowest;
			lowest = p;
			mask = 0;
		}
		if (c <= 0)
			mask |= 1u << l;
		else if (!limit->path || point_compare(p, *limit) < 0)
			*limit = p;
	}
	return mask;
}

/* Counts the next events, at most n, that all lanes of the mask have in
 * common. */
static size_t warp_common(const struct warp_merge *m, uint32_t mask, size_t n)
{
	int first = __builtin_ctz(mask);
	const uint32_t *a = m->in[first].id + m->lane[first].next;

	n = MIN(n, m->in[first].count - m->lane[first].next);
	for (mask &= mask - 1; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);
		const uint32_t *b = m->in[l].id + m->lane[l].next;
		size_t i = 0;

		n = MIN(n, m->in[l].count - m->lane[l].next);
		if (!memcmp(a, b, n * sizeof(*a)))
			continue;
		while (i < n && a[i] == b[i])
			i++;
		n = i;
	}
	return n;
}

/* Points m->offset and m->value at each lane's next offset and value. */
static void warp_aim(struct warp_merge *m, uint32_t mask)
{
	m->taken = m->passed = 0;
	for (; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);

		m->offset[l] = m->in[l].offset + m->lane[l].next;
		if (m->in[l].value)
			m->value[l] = m->in[l].value + m->lane[l].value;
	}
}

static void fill_all(struct warp_merge *m, size_t ahead, uint32_t words)
{
	struct trace_request *r = &m->request;

	for (int l = 0; l < WARP_LANES; l++)
		r->offset[l] = m->offset[l][ahead];
	if (words == 1)
		for (int l = 0; l < WARP_LANES; l++)
			r->value[l * 4] = m->value[l][m->taken];
	else
		for (int l = 0; l < WARP_LANES; l++)
			for (uint32_t i = 0; i < words; i++)
				r->value[l * 4 + i] =
					m->value[l][m->taken + i];
}

static void fill_some(struct warp_merge *m, uint32_t mask, size_t ahead,
		      uint32_t words)
{
	struct trace_request *r = &m->request;

	for (; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);

		r->offset[l] = m->offset[l][ahead];
		for (uint32_t i = 0; i < words; i++)
			r->value[l * 4 + i] = m->value[l][m->taken + i];
	}
}

/* One request: event number `ahead` of each lane in the mask. */
static int warp_emit(struct warp_merge *m, uint32_t site, uint32_t mask,
		     size_t ahead, struct error *e)
{
	const struct trace_site *s = &m->info->sites[site];
	struct trace_request *r = &m->request;
	uint32_t words = 0;

	if (m->in[__builtin_ctz(mask)].value)
		words = trace_value_words(s);
	/* What is filled below needs no clearing. */
	if (r->mask & ~mask || !op_has_array(s->op))
		memset(r->offset, 0, sizeof(r->offset));
	if (m->words && (r->mask & ~mask || m->words > words))
		memset(r->value, 0, sizeof(r->value));
	r->site = site;
	r->mask = mask;
	m->words = words;
	if (!op_has_array(s->op))
		return m->sink(m->ctx, r, e);
	if (mask == UINT32_MAX)
		fill_all(m, ahead, words);
	else
		fill_some(m, mask, ahead, words);
	m->taken += words;
	return m->sink(m->ctx, r, e);
}

static void warp_advance(struct warp_merge *m, uint32_t mask, size_t n,
			 struct path *path)
{
	for (; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);

		m->lane[l].next += n;
		m->lane[l].path = path;
		m->lane[l].value += m->taken;
		m->lane[l].barriers += m->passed;
	}
}

/* Emits one request for each array when lanes at one instruction access
 * different arrays. */
static int warp_split(struct warp_merge *m, uint32_t mask, struct error *e)
{
	while (mask) {
		int first = __builtin_ctz(mask), rc;
		uint32_t id = m->in[first].id[m->lane[first].next];
		uint32_t same = 0;

		for (uint32_t left = mask; left; left &= left - 1) {
			int l = __builtin_ctz(left);

			if (m->in[l].id[m->lane[l].next] == id)
				same |= 1u << l;
		}
		warp_aim(m, same);
		rc = warp_emit(m, m->points[id].site, same, 0, e);
		if (rc)
			return rc;
		warp_advance(m, same, 1, m->lane[first].path);
		mask &= ~same;
	}
	return 0;
}

/* Runs the lanes of the mask, which stand at one point, ahead together: if others
 * have events left, not beyond a barrier, and up to it. */
static int warp_run(struct warp_merge *m, uint32_t mask,
		    struct program_point limit, bool others, struct error *e)
{
	int first = __builtin_ctz(mask), rc = 0;
	size_t n = warp_common(m, mask, limit.path ? RUN_WAITED : RUN_FREE);
	const uint32_t *id = m->in[first].id + m->lane[first].next;
	struct path *path = m->lane[first].path;
	size_t i;

	if (n == 0)
		return warp_split(m, mask, e);
	warp_aim(m, mask);
	for (i = 0; i < n && !rc && !(others && m->passed); i++) {
		const struct warp_point *p = &m->points[id[i]];
		struct program_point at = { path, p->order };
		bool barrier = is_barrier_point(m, p);

		if (limit.path && point_compare(at, limit) >= 0)
			break;
		if (others && i > 0 && barrier)
			break;
		if (p->kind == WARP_ACCESS)
			rc = warp_emit(m, p->site, mask, i, e);
		m->passed += barrier;
		path = path_after(m, path, p);
	}
	warp_advance(m, mask, i, path);
	return rc;
}

struct warp_merge *warp_merge_new(void)
{
	struct warp_merge *m = xcalloc(1, sizeof(*m));

	for (int l = 0; l < WARP_LANES; l++)
		m->lane[l].path = &m->root;
	return m;
}

void warp_merge_free(struct warp_merge *m)
{
	while (m && m->made) {
		struct path *p = m->made;

		m->made = p->made_before;
		free(p);
	}
	free(m);
}

static void merge_begin(struct warp_merge *m, const struct warp_lane *lanes,
			const struct warp_point *points,
			const struct trace_info *info, warp_sink sink,
			void *ctx)
{
	m->in = lanes;
	m->points = points;
	m->info = info;
	m->sink = sink;
	m->ctx = ctx;
	for (int l = 0; l < WARP_LANES; l++)
		m->lane[l].next = m->lane[l].value = m->lane[l].barriers = 0;
}

int warp_merge_more(struct warp_merge *m,
		    const struct warp_lane lanes[WARP_LANES],
		    const struct warp_point *points,
		    const struct trace_info *info, warp_sink sink, void *ctx,
		    struct error *e)
{
	struct program_point limit;
	uint32_t left, behind;
	int rc = 0;

	merge_begin(m, lanes, points, info, sink, ctx);
	while (!rc && (left = warp_left(m, &behind))) {
		uint32_t mask = warp_lowest(m, behind, &limit);

		rc = warp_run(m, mask, limit, mask != left, e);
	}
	return rc;
}

/* Returns the mask of the lanes that have events. */
static uint32_t lanes_with_events(const struct warp_lane lanes[WARP_LANES])
{
	uint32_t mask = 0;

	for (int l = 0; l < WARP_LANES; l++)
		mask |= (uint32_t)(lanes[l].count > 0) << l;
	return mask;
}

bool warp_merge_same(const struct warp_merge *m,
		     const struct warp_lane lanes[WARP_LANES])
{
	uint32_t mask = lanes_with_events(lanes);
	int first = mask ? __builtin_ctz(mask) : 0;
	const struct warp_lane *a = &lanes[first];

	for (uint32_t left = mask; left; left &= left - 1) {
		int l = __builtin_ctz(left);

		if (m->lane[l].path != m->lane[first].path ||
		    lanes[l].count != a->count ||
		    memcmp(lanes[l].id, a->id, a->count * sizeof(*a->id)))
			return false;
	}
	return mask;
}

int warp_merge_steps(struct warp_merge *m,
		     const struct warp_lane lanes[WARP_LANES],
		     const struct warp_step *steps, size_t count,
		     const struct warp_point *points,
		     const struct trace_info *info, warp_sink sink, void *ctx,
		     struct error *e)
{
	uint32_t mask = lanes_with_events(lanes);
	int first = __builtin_ctz(mask), rc = 0;
	const uint32_t *id = lanes[first].id;
	struct path *path = m->lane[first].path;

	merge_begin(m, lanes, points, info, sink, ctx);
	warp_aim(m, mask);
	for (size_t i = 0; i < count && !rc; i++) {
		m->taken = steps[i].word;
		rc = warp_emit(m, points[id[steps[i].event]].site, mask,
			       steps[i].event, e);
	}
	for (size_t i = 0; i < lanes[first].count; i++)
		path = path_after(m, path, &points[id[i]]);
	for (; mask; mask &= mask - 1)
		m->lane[__builtin_ctz(mask)].path = path;
	return rc;
}

int warp_merge(const struct warp_lane lanes[WARP_LANES],
	       const struct warp_point *points, const struct trace_info *info,
	       warp_sink sink, void *ctx, struct error *e)
{
	struct warp_merge *m = warp_merge_new();
	int rc = warp_merge_more(m, lanes, points, info, sink, ctx, e);

	warp_merge_free(m);
	return rc;
}
