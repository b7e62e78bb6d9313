/* scene_nested: see scene_nested.h. */
#include "viz/pictures/nested/scene_nested.h"

#include <stdlib.h>
#include <string.h>

#include "scene/scene_carriers.h"
#include "scene/stage.h"

/* Requests before a register's store among which its load is looked for. */
#define LOOK_BACK 64

struct nested_book {
	struct nested_scene view;
	bool valid;
	size_t warp;
	uint32_t lane, first, last;
	/* The ends of the iterations of the warp `ended`. */
	bool listed;
	size_t ended;
	uint32_t *ends;
	size_t capacity;
	uint8_t *kinds; /* of each site: 1 for the store of a sum */
};

/* ---- iterations ---- */

/* Lists the requests that end an iteration: each stores every element of the
 * square once. */
static void list_ends(struct stage *s, struct nested_book *b)
{
	const struct scene *sc = &s->scene;
	const struct outer *o = sc->outer;
	uint32_t all = trace_warp(s->trace, sc->cursor.warp)->requests;
	uint32_t cells = o->rows * o->cols, n = 0;

	if (!b->kinds) {
		b->kinds = xcalloc(s->info->site_count, 1);
		b->kinds[o->store] = 1;
	}
	b->view.end_count = 0;
	for (uint32_t i = 0;
	     cells && (i = trace_next(s->trace, sc->cursor.warp, i, all,
				      b->kinds, 1)) < all;
	     i++) {
		if (++n % cells)
			continue;
		grow(&b->ends, &b->capacity, b->view.end_count + 1,
		     sizeof(*b->ends));
		b->ends[b->view.end_count++] = i;
	}
	b->view.ends = b->ends;
	b->ended = sc->cursor.warp;
	b->listed = true;
}

/* ---- where ---- */

/* Lists the rows (else columns) of C in which the focused thread has elements.
 * Returns how many there are, at most OUTER_SIDE + 1. */
static uint32_t list_lines(const struct scene *sc, bool rows, uint32_t *lines)
{
	const struct carrier_map *m = &sc->carriers->work;
	uint32_t cols = m->box.col1 - m->box.col0 + 1;
	uint32_t first = rows ? m->own.row0 : m->own.col0;
	uint32_t last = rows ? m->own.row1 : m->own.col1;
	uint32_t n = 0;

	for (uint32_t line = first; line <= last; line++) {
		uint32_t from = rows ? m->own.col0 : m->own.row0;
		uint32_t to = rows ? m->own.col1 : m->own.row1;
		bool own = false;

		for (uint32_t i = from; i <= to && !own; i++)
			own = m->by[((rows ? line : i) - m->box.row0) * cols +
				    (rows ? i : line) - m->box.col0] ==
			      (int32_t)sc->thread_linear;
		if (own && n < OUTER_SIDE)
			lines[n] = line;
		n += own;
	}
	return n;
}

static bool find_lines(const struct scene *sc, struct nested_scene *n)
{
	const struct carrier_map *m = &sc->carriers->work;

	return m->array >= 0 && m->own.known &&
	       list_lines(sc, true, n->rows) == n->outer->rows &&
	       list_lines(sc, false, n->cols) == n->outer->cols;
}

/* Tells whether the values in hand are column k of A and row k of B. */
static bool is_held(const struct scene *sc, const struct nested_scene *n,
		    uint32_t k)
{
	const struct outer *o = n->outer;
	double v;

	for (uint32_t i = 0; i < o->rows; i++)
		if (!o->a[i].known ||
		    !scene_element(sc, &sc->arrays[sc->a], n->rows[i], k, &v) ||
		    v != o->a[i].value)
			return false;
	for (uint32_t i = 0; i < o->cols; i++)
		if (!o->b[i].known ||
		    !scene_element(sc, &sc->arrays[sc->b], k, n->cols[i], &v) ||
		    v != o->b[i].value)
			return false;
	return true;
}

/* Returns the iteration's number in the warp. */
static uint32_t find_iteration_number(const struct nested_scene *n)
{
	uint32_t i = 0;

	while (i < n->end_count && n->ends[i] < n->outer->last)
		i++;
	return i;
}

/* Returns how many k a tile has: the columns of A that the block loads in a
 * phase; without such loads the iterations of a phase. */
static uint32_t find_depth(const struct scene *sc, const struct nested_scene *n)
{
	const struct carrier_map *load = &sc->carriers->load[0];

	return load->array >= 0 ? load->box.col1 - load->box.col0 + 1 :
				  n->outer->count;
}

/* Finds the k that is held: first as if each iteration took the next one. */
static void find_held_k(const struct scene *sc, struct nested_scene *n)
{
	uint32_t all, guess = find_iteration_number(n);

	if (!sc->product || sc->a < 0 || sc->b < 0 || !n->depth)
		return;
	all = MIN(sc->arrays[sc->a].cols, sc->arrays[sc->b].rows);
	for (uint32_t i = 0; i < all && !n->held; i++) {
		n->k = (guess + i) % all;
		n->held = is_held(sc, n, n->k);
	}
}

/* Tells whether a request reads the value from shared memory, in the lane, at
 * the same place of its 4, 8 or 16 bytes as the register has in its array. */
static bool is_value_read(const struct scene *sc, const struct trace_request *r,
			  const struct outer_side *v)
{
	const struct trace_site *site = &sc->info->sites[r->site];
	const struct trace_array *a = &sc->info->arrays[site->array];
	uint32_t n = MAX(site->bytes / a->elem_bytes, 1);
	double got;

	return r->mask >> sc->cursor.lane & 1 &&
	       element_value(a->elem, &r->value[sc->cursor.lane * 4],
			     v->element % n * a->elem_bytes, &got) &&
	       got == v->value;
}

/* Returns the shared array that a factor was read from, or NULL. */
static const struct trace_array *find_origin(struct stage *s,
					     const struct outer_side *v)
{
	size_t warp = s->scene.cursor.warp;
	uint32_t site, i = v->loaded;
	struct trace_request r;

	for (int n = 0; v->known && n < LOOK_BACK && i-- > 0; n++) {
		const struct trace_site *ts;

		if (trace_get_site(s->trace, warp, i, &site, NULL))
			return NULL;
		ts = stage_site(s, site);
		if (ts->op == OP_LD && ts->array != TRACE_NO_ARRAY &&
		    s->info->arrays[ts->array].space == SPACE_SHARED &&
		    !trace_get(s->trace, warp, i, &r, NULL) &&
		    is_value_read(&s->scene, &r, v))
			return &s->info->arrays[ts->array];
	}
	return NULL;
}

static void free_nested(void *state)
{
	struct nested_book *b = state;

	free(b->ends);
	free(b->kinds);
}

static const struct stage_part nested_part = {
	.bytes = sizeof(struct nested_book),
	.done = free_nested,
};

void scene_nested(struct stage *s, const struct turns *t)
{
	struct scene *sc = &s->scene;
	struct nested_book *b;
	struct nested_scene *n;

	if (!sc->site)
		return;
	scene_outer(s, t);
	scene_carriers(s, t);
	if (!sc->outer || sc->outer->square < 0)
		return;
	b = stage_state(s, &nested_part);
	n = &b->view;
	sc->nested = n;
	n->outer = sc->outer;
	if (!b->listed || b->ended != sc->cursor.warp)
		list_ends(s, b);
	if (b->valid && b->warp == sc->cursor.warp &&
	    b->lane == sc->cursor.lane && b->first == n->outer->first &&
	    b->last == n->outer->last)
		return;
	b->valid = true;
	b->warp = sc->cursor.warp;
	b->lane = sc->cursor.lane;
	b->first = n->outer->first;
	b->last = n->outer->last;
	n->held = false;
	n->from[0] = n->from[1] = NULL;
	n->placed = find_lines(sc, n);
	n->depth = find_depth(sc, n);
	if (!n->outer->count)
		return;
	if (n->placed)
		find_held_k(sc, n);
	n->from[0] = find_origin(s, &n->outer->a[0]);
	n->from[1] = find_origin(s, &n->outer->b[0]);
}
