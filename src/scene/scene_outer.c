/* Outer: the outer product in the focused thread's registers. */
#include "scene/scene_outer.h"

#include <stdlib.h>
#include <string.h>

#include "scene/stage.h"

/* A sum's statement: sites that store it, and that load it and its factors. */
struct outer_sites {
	uint32_t store, sum, a, b;
};

struct outer_book {
	struct outer view;
	bool valid;
	size_t warp;
	uint32_t lane, phase;
	struct outer_sites sites;
};

static bool in_registers(const struct scene *sc, const struct trace_site *s)
{
	return s->array != TRACE_NO_ARRAY && op_is_access(s->op) &&
	       sc->info->arrays[s->array].space == SPACE_REGISTER;
}

/* Finds the loads of the statement at a store: that of the sum, and two others.
 * Returns false if it has others. */
static bool find_factors(const struct scene *sc, uint32_t store,
			 struct outer_sites *p)
{
	const struct trace_site *st = &sc->info->sites[store];
	int sums = 0, others = 0;

	p->store = store;
	for (uint32_t i = 0; i < sc->info->site_count; i++) {
		const struct trace_site *s = &sc->info->sites[i];

		if (s->op != OP_LD || s->line != st->line)
			continue;
		if (!in_registers(sc, s))
			return false;
		if (s->array == st->array) {
			p->sum = i;
			sums++;
		} else if (others++) {
			p->b = i;
		} else {
			p->a = i;
		}
	}
	return sums == 1 && others == 2 &&
	       sc->info->sites[p->a].array != sc->info->sites[p->b].array;
}

static bool find_product(const struct scene *sc, struct outer_sites *p)
{
	for (uint32_t i = 0; i < sc->info->site_count; i++) {
		const struct trace_site *s = &sc->info->sites[i];
		const struct trace_array *a;

		if (s->op != OP_ST || !in_registers(sc, s))
			continue;
		a = &sc->info->arrays[s->array];
		if (a->rank == 2 && a->dims[0] <= OUTER_SIDE &&
		    a->dims[1] <= OUTER_SIDE && find_factors(sc, i, p))
			return true;
	}
	return false;
}

static int on_stage(const struct scene *sc, uint32_t site)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].id == sc->info->sites[site].array)
			return (int)i;
	return -1;
}

bool outer_find(const struct scene *sc, int *square, int *column, int *row)
{
	struct outer_sites p;

	if (!find_product(sc, &p))
		return false;
	*square = on_stage(sc, p.store);
	*column = on_stage(sc, p.a);
	*row = on_stage(sc, p.b);
	return *square >= 0 && *column >= 0 && *row >= 0;
}

/* ---- the iteration ---- */

/* Returns the element that the lane moves at a request of this site, or -1. */
static int64_t get_lane_element(struct stage *s, uint32_t request,
				uint32_t site, struct trace_request *r)
{
	const struct scene *sc = &s->scene;
	uint32_t is;

	if (trace_get_site(s->trace, sc->cursor.warp, request, &is, NULL) ||
	    is != site ||
	    trace_get(s->trace, sc->cursor.warp, request, r, NULL) ||
	    !(r->mask >> sc->cursor.lane & 1))
		return -1;
	return (int64_t)(r->offset[sc->cursor.lane] /
			 sc->info->arrays[sc->info->sites[site].array].elem_bytes);
}

/* Returns the last element of the square that an iteration stores; -1: this
 * phase stores none. */
static int64_t last_element(struct stage *s, uint32_t store)
{
	const struct scene *sc = &s->scene;
	int64_t first = -1, last = -1;
	struct trace_request r;

	for (uint32_t i = sc->phase_first; i <= sc->phase_last; i++) {
		int64_t e = get_lane_element(s, i, store, &r);

		if (e < 0)
			continue;
		if (e == first)
			return last;
		first = first < 0 ? e : first;
		last = e;
	}
	return last;
}

static bool find_iteration(struct stage *s, struct outer_book *b)
{
	const struct scene *sc = &s->scene;
	int64_t end = last_element(s, b->sites.store);
	uint32_t i = sc->cursor.request;
	struct trace_request r;
	struct outer *o = &b->view;

	if (end < 0)
		return false;
	while (i <= sc->phase_last &&
	       get_lane_element(s, i, b->sites.store, &r) != end)
		i++;
	if (i > sc->phase_last)		/* past the last one */
		for (i = sc->cursor.request;
		     i > sc->phase_first &&
		     get_lane_element(s, i, b->sites.store, &r) != end;)
			i--;
	o->last = i;
	while (i > sc->phase_first &&
	       get_lane_element(s, i - 1, b->sites.store, &r) != end)
		i--;
	o->first = i;
	return true;
}

static double get_lane_value(const struct scene *sc,
			     const struct trace_request *r)
{
	const struct trace_array *a =
		&sc->info->arrays[sc->info->sites[r->site].array];
	double v = 0;

	element_value(a->elem, &r->value[sc->cursor.lane * 4], 0, &v);
	return v;
}

/* Finds the request of the iteration that stored the value in its register;
 * the iteration's first if none did. */
static uint32_t find_load(struct stage *s, const struct outer *o, int array,
			  uint32_t element)
{
	const struct scene *sc = &s->scene;
	uint32_t found = o->first, site;
	struct trace_request r;

	for (uint32_t i = o->first; i <= o->last; i++) {
		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			break;
		if (stage_site(s, site)->op == OP_ST &&
		    stage_site(s, site)->array == sc->arrays[array].id &&
		    get_lane_element(s, i, site, &r) == (int64_t)element)
			found = i;
	}
	return found;
}

/* Reads an iteration: each product's factors, and the sum before and after. */
static void read_iteration(struct stage *s, struct outer_book *b)
{
	const struct scene *sc = &s->scene;
	struct outer *o = &b->view;
	struct outer_side a = {0}, with = {0};
	double before = 0;
	struct trace_request r;

	for (uint32_t i = o->first; i <= o->last; i++) {
		int64_t e;

		if ((e = get_lane_element(s, i, b->sites.a, &r)) >= 0) {
			a = (struct outer_side){ .known = true,
				.element = (uint32_t)e,
				.value = get_lane_value(sc, &r) };
		} else if ((e = get_lane_element(s, i, b->sites.b, &r)) >= 0) {
			with = (struct outer_side){ .known = true,
				.element = (uint32_t)e,
				.value = get_lane_value(sc, &r) };
		} else if (get_lane_element(s, i, b->sites.sum, &r) >= 0) {
			before = get_lane_value(sc, &r);
		} else if ((e = get_lane_element(s, i, b->sites.store, &r)) >=
			   0) {
			uint32_t row = (uint32_t)e / o->cols;
			uint32_t col = (uint32_t)e % o->cols;

			o->a[row] = a;
			o->b[col] = with;
			o->cell[row][col] =
				(struct outer_cell){ true, i, before,
						     get_lane_value(sc, &r) };
		}
	}
}

/* Counts the iterations of the phase by their stores, and those before this
 * one. */
static void count_iterations(struct stage *s, struct outer_book *b)
{
	const struct scene *sc = &s->scene;
	uint32_t before = 0, all = 0, site, cells = 0;
	struct outer *o = &b->view;

	for (uint32_t i = sc->phase_first; i <= sc->phase_last; i++) {
		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			return;
		if (site != b->sites.store)
			continue;
		before += i < o->first;
		cells += i >= o->first && i <= o->last;
		all++;
	}
	o->k = cells ? before / cells : 0;
	o->count = cells ? all / cells : 0;
}

static bool is_same_iteration(const struct scene *sc,
			      const struct outer_book *b)
{
	uint32_t i = sc->cursor.request;

	return b->valid && b->warp == sc->cursor.warp &&
	       b->lane == sc->cursor.lane && b->phase == sc->phase &&
	       i >= b->view.first && i <= b->view.last;
}

static const struct stage_part outer_part = {
	.bytes = sizeof(struct outer_book),
};

void scene_outer(struct stage *s, const struct turns *t)
{
	struct scene *sc = &s->scene;
	struct outer_book *b;
	struct outer *o;

	(void)t;
	if (!sc->site)
		return;
	b = stage_state(s, &outer_part);
	o = &b->view;
	if (!sc->outer) {
		sc->outer = o;
		o->square = -1;
		if (find_product(sc, &b->sites) &&
		    !outer_find(sc, &o->square, &o->column, &o->row))
			o->square = -1;
	}
	if (o->square < 0 || is_same_iteration(sc, b))
		return;
	b->valid = true;
	b->warp = sc->cursor.warp;
	b->lane = sc->cursor.lane;
	b->phase = sc->phase;
	memset(o->a, 0, sizeof(o->a));
	memset(o->b, 0, sizeof(o->b));
	memset(o->cell, 0, sizeof(o->cell));
	o->rows = sc->arrays[o->square].rows;
	o->cols = sc->arrays[o->square].cols;
	o->store = b->sites.store;
	o->first = 1;
	o->last = o->k = o->count = 0;
	if (!find_iteration(s, b))
		return;
	read_iteration(s, b);
	for (uint32_t i = 0; i < o->rows; i++)
		o->a[i].loaded = find_load(s, o, o->column, o->a[i].element);
	for (uint32_t i = 0; i < o->cols; i++)
		o->b[i].loaded = find_load(s, o, o->row, o->b[i].element);
	count_iterations(s, b);
}
