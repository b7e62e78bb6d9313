#include "scene/beat.h"

#include <stdlib.h>
#include <string.h>

#include "scene/stage.h"

static const char *const names[BEAT_COUNT] = {
	[BEAT_REQUEST] = "request", [BEAT_ROW] = "row", [BEAT_K] = "k",
	[BEAT_PHASE] = "phase", [BEAT_TILE] = "tile",
};

const char *beat_name(enum beat b)
{
	return names[b];
}

int beat_from(const char *name)
{
	for (int i = 0; i < BEAT_COUNT; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* ---- loops ---- */

static void add_start(struct starts *l, uint32_t request)
{
	grow(&l->at, &l->capacity, l->count + 1, sizeof(*l->at));
	l->at[l->count++] = request;
}

/* Where a site is visited first and last, and how often. */
struct site_visits {
	uint32_t first, last, count;
};

/* The outermost loop in a range: its first and last lines in the source, and
 * the site of it that is visited first. */
struct loop { uint32_t first_line, last_line, entry; };

static struct site_visits *count_visits(struct stage *s, size_t warp,
					uint32_t from, uint32_t to)
{
	struct site_visits *v = xcalloc(s->info->site_count + 1, sizeof(*v));
	uint32_t site;

	for (uint32_t i = from; i < to; i++) {
		if (trace_get_site(s->trace, warp, i, &site, NULL))
			break;
		if (!v[site].count++)
			v[site].first = i;
		v[site].last = i;
	}
	return v;
}

/* Finds the outermost loop among the visited sites. Returns false if no site is
 * visited twice. */
static bool find_loop(const struct stage *s, const struct site_visits *v,
		      struct loop *l)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < s->info->site_count; i++)
		longest = MAX(longest, v[i].last - v[i].first);
	*l = (struct loop){ .first_line = UINT32_MAX };
	for (uint32_t i = 0; longest && i < s->info->site_count; i++) {
		uint32_t line = stage_site(s, i)->line;

		if (v[i].last - v[i].first < (longest + 1) / 2)
			continue;
		if (l->first_line == UINT32_MAX ||
		    v[i].first < v[l->entry].first)
			l->entry = i;
		l->first_line = MIN(l->first_line, line);
		l->last_line = MAX(l->last_line, line);
	}
	return longest;
}

/* Adds where each iteration of the outermost loop in from..to begins; the
 * first begins with the range. */
static void add_iterations(struct stage *s, size_t warp, uint32_t from,
			   uint32_t to, struct starts *starts)
{
	struct site_visits *v = count_visits(s, warp, from, to);
	uint32_t site, behind = 0;	/* after the last line */
	struct loop l;
	bool any = find_loop(s, v, &l);

	add_start(starts, from);
	if (any && v[l.entry].first > from)
		add_start(starts, v[l.entry].first);
	for (uint32_t i = from; any && i < to; i++) {
		uint32_t line;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			break;
		line = stage_site(s, site)->line;
		if (l.first_line == l.last_line) {
			if (site == l.entry && i > v[site].first)
				add_start(starts, i);
		} else if (line == l.last_line) {
			behind = i + 1;
		} else if (line == l.first_line && behind) {
			add_start(starts, behind);
			behind = 0;
		}
	}
	free(v);
}

/* Returns the first request of each beat of the cursor's warp. The list is
 * cached until another warp is asked for. */
static const struct starts *find_starts(struct stage *s, const struct cursor *p,
					enum beat b)
{
	struct starts *l = b == BEAT_K ? &s->iterations : &s->tiles;
	uint32_t requests = trace_warp(s->trace, p->warp)->requests;

	if (s->beat_warp != p->warp)
		s->iterations.count = s->tiles.count = 0;
	s->beat_warp = p->warp;
	if (l->count || !requests)
		return l;
	if (b == BEAT_TILE) {
		add_iterations(s, p->warp, 0, requests, l);
		return l;
	}
	for (uint32_t i = 0; i < trace_warp(s->trace, p->warp)->phases; i++) {
		uint32_t from = trace_phase_start(s->trace, p->warp, i);
		uint32_t to = i + 1 < trace_warp(s->trace, p->warp)->phases ?
			trace_phase_start(s->trace, p->warp, i + 1) :
			requests;

		if (from < to)
			add_iterations(s, p->warp, from, to, l);
	}
	return l;
}

/* Returns the index of the last start at or before `request`. */
static size_t find_start(const struct starts *l, uint32_t request)
{
	size_t low = 0, high = l->count;

	while (low + 1 < high) {
		size_t mid = low + (high - low) / 2;

		if (l->at[mid] <= request)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* ---- beats ---- */

static uint32_t last_request(const struct stage *s, size_t warp)
{
	uint32_t n = trace_warp(s->trace, warp)->requests;

	return n ? n - 1 : 0;
}

uint32_t stage_beat(struct stage *s, const struct cursor *p, enum beat b,
		    long n)
{
	uint32_t last = last_request(s, p->warp);
	const struct starts *l;
	struct cursor at = *p;
	long to;

	if (b == BEAT_PHASE) {
		cursor_phase(s, &at, (int)n);
		return at.request;
	}
	if (b == BEAT_REQUEST || b == BEAT_ROW) {
		to = (long)p->request + n;
		return to < 0 ? 0 : (uint32_t)MIN(to, (long)last);
	}
	l = find_starts(s, p, b);
	if (!l->count)
		return 0;
	to = (long)find_start(l, p->request);
	/* Back goes to the start of this one first, as players do. */
	if (n < 0 && p->request > l->at[to])
		n++;
	to += n;
	return to < 0 ? 0 : (size_t)to >= l->count ? last : l->at[to];
}

uint32_t stage_beats(struct stage *s, const struct cursor *p, enum beat b)
{
	if (b == BEAT_PHASE)
		return trace_warp(s->trace, p->warp)->phases;
	if (b == BEAT_REQUEST || b == BEAT_ROW)
		return trace_warp(s->trace, p->warp)->requests;
	return (uint32_t)find_starts(s, p, b)->count;
}

/* ---- two recordings ---- */

/* The array's name and the op at a request, and how many such accesses there
 * were from `from` on. */
struct access_point { const char *array; enum op op; uint32_t nth; };

static bool get_access_point(const struct stage *s, size_t warp,
			     uint32_t request, struct access_point *a)
{
	const struct trace_site *ts;
	uint32_t site;

	if (trace_get_site(s->trace, warp, request, &site, NULL))
		return false;
	ts = stage_site(s, site);
	a->op = ts->op;
	a->array = ts->array == TRACE_NO_ARRAY ? "" :
		   s->info->arrays[ts->array].name;
	return true;
}

static bool equal_access_points(const struct access_point *a,
				const struct access_point *b)
{
	return a->op == b->op && !strcmp(a->array, b->array);
}

/* Finds the a->nth access like `a` in from..to, or the last one if there are
 * fewer. If there is none, returns the request `offset` after `from`. */
static uint32_t find_point(const struct stage *s, size_t warp, uint32_t from,
			   uint32_t to, const struct access_point *a,
			   uint32_t offset)
{
	struct access_point b;
	uint32_t seen = 0, found = MIN(from + offset, to ? to - 1 : 0);

	for (uint32_t i = from; i < to && seen <= a->nth; i++)
		if (get_access_point(s, warp, i, &b) &&
		    equal_access_points(a, &b)) {
			found = i;
			seen++;
		}
	return found;
}

/* Computes the tile's number and, within that tile, the number of the iteration
 * over k that the cursor is in. */
static void count_beats(struct stage *s, const struct cursor *p,
			size_t *tile, size_t *k)
{
	const struct starts *tiles, *ks;
	size_t at;

	tiles = find_starts(s, p, BEAT_TILE);
	*tile = find_start(tiles, p->request);
	at = tiles->count ? tiles->at[*tile] : 0;
	ks = find_starts(s, p, BEAT_K);
	*k = find_start(ks, p->request) - find_start(ks, (uint32_t)at);
}

/* Finds the first request of an iteration and the one after its last. */
static void find_beat(struct stage *s, const struct cursor *p, size_t tile,
		      size_t k, uint32_t *from, uint32_t *to)
{
	const struct starts *tiles = find_starts(s, p, BEAT_TILE), *ks;
	uint32_t end = last_request(s, p->warp) + 1;
	size_t at;

	tile = MIN(tile, tiles->count - 1);
	*from = tiles->at[tile];
	*to = tile + 1 < tiles->count ? tiles->at[tile + 1] : end;
	ks = find_starts(s, p, BEAT_K);
	at = MIN(find_start(ks, *from) + k, find_start(ks, *to - 1));
	*from = MAX(*from, ks->at[at]);
	*to = at + 1 < ks->count ? MIN(*to, ks->at[at + 1]) : *to;
}

/* Returns the warp of `other` that has the same block and number as p's, as far
 * as that recording has them. */
static size_t match_warp(const struct stage *s, const struct cursor *p,
			 const struct stage *other)
{
	const struct trace_warp *w = trace_warp(s->trace, p->warp);
	struct trace_dim b = dim_of(s->info->grid, w->block);
	struct trace_dim g = other->info->grid;
	uint32_t block = MIN(b.x, g.x - 1) +
			 g.x * (MIN(b.y, g.y - 1) +
				g.y * MIN(b.z, g.z - 1));
	long found = trace_find_warp(other->trace, block, w->warp);

	if (found < 0)
		found = trace_find_warp(other->trace, block, 0);
	return found < 0 ? 0 : (size_t)found;
}

struct cursor stage_match(struct stage *s, const struct cursor *p,
			  struct stage *other)
{
	struct cursor to = *p;
	struct access_point a = { .array = "" }, b;
	uint32_t from, end, first;
	size_t tile, k;

	to.warp = match_warp(s, p, other);
	to.request = 0;
	if (to.warp >= trace_warp_count(other->trace) ||
	    !trace_warp(other->trace, to.warp)->requests ||
	    !get_access_point(s, p->warp, p->request, &a))
		return to;
	count_beats(s, p, &tile, &k);
	find_beat(s, p, tile, k, &first, &end);
	for (uint32_t i = first; i < p->request; i++)
		a.nth += get_access_point(s, p->warp, i, &b) &&
			 equal_access_points(&a, &b);
	find_beat(other, &to, tile, k, &from, &end);
	to.request = find_point(other, to.warp, from, end, &a,
				p->request - first);
	return to;
}
