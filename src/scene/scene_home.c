/* The elements of the result that the warp's lanes store next. */
#include "scene/stage.h"

static const struct trace_site *site_at(const struct stage *s, uint32_t i)
{
	uint32_t site;

	return trace_get_site(s->trace, s->scene.cursor.warp, i, &site, NULL) ?
	       NULL : stage_site(s, site);
}

static bool is_matrix_site(const struct scene *sc, const struct trace_site *ts,
			   int matrix)
{
	return matrix >= 0 && ts->array == sc->arrays[matrix].id;
}

/* Finds the first store of results after the last access to A or B before the
 * cursor: a thread that computes one element after another stores each when its
 * products have been added up. Returns false if nothing is stored any more. */
static bool find_home_store(struct stage *s, struct trace_request *r)
{
	const struct scene *sc = &s->scene;
	const struct trace_site *ts;
	uint32_t i = sc->cursor.request;

	for (; sc->c >= 0 && i > 0 && (ts = site_at(s, i)); i--)
		if (is_matrix_site(sc, ts, sc->a) ||
		    is_matrix_site(sc, ts, sc->b))
			break;
	s->home_first = MIN(i, sc->cursor.request);
	for (; sc->c >= 0 && i < sc->warp.requests && (ts = site_at(s, i));
	     i++)
		if (ts->op == OP_ST && is_matrix_site(sc, ts, sc->c)) {
			s->home_last = MAX(i, sc->cursor.request);
			return !trace_get(s->trace, sc->cursor.warp, i, r,
					  NULL);
		}
	s->home_first = 0;
	s->home_last = UINT32_MAX;
	return false;
}

static uint32_t get_coordinate(struct trace_dim d, char by)
{
	return by == 'x' ? d.x : d.y;
}

/* Returns whether the sum gives each lane its row (else its column) of C. */
static bool is_home_sum(const struct scene *sc, const struct home_sum *n,
			bool row)
{
	struct trace_dim b = sc->info->block;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t t = sc->warp.warp * WARP_LANES + lane;
		struct trace_dim at = { t % b.x, t / b.x % b.y, 0 };
		const struct box *home = &sc->home[lane];

		if (home->known &&
		    (row ? home->row0 : home->col0) !=
			    get_coordinate(sc->block, n->by) * n->block +
				    get_coordinate(at, n->by) * n->thread)
			return false;
	}
	return true;
}

/* Finds the sum by x or y that gives each lane its row (else column): one
 * element for each thread, or a part of the block's rows, adjacent or in
 * strides. */
static struct home_sum find_sum(const struct scene *sc, char by, bool row)
{
	const struct box *all = &sc->arrays[sc->c].block;
	uint32_t threads = get_coordinate(sc->info->block, by);
	uint32_t n = row ? all->row1 - all->row0 + 1 :
			   all->col1 - all->col0 + 1;
	const struct home_sum sums[] = {
		{ by, threads, 1 }, { by, n, n / threads }, { by, n, 1 },
	};

	for (size_t i = 0; i < LENGTH(sums); i++)
		if ((!i || (all->known && threads > 1 && n % threads == 0)) &&
		    is_home_sum(sc, &sums[i], row))
			return sums[i];
	return (struct home_sum){ 0, 0, 0 };
}

/* Finds the sums for row and column. If both coordinates fit, the row is y's,
 * as in most kernels. */
static void find_sums(struct scene *sc)
{
	sc->row_sum = sc->col_sum = (struct home_sum){ 0, 0, 0 };
	if (!sc->home[sc->cursor.lane].known)
		return;
	sc->row_sum = find_sum(sc, 'y', true);
	if (!sc->row_sum.by)
		sc->row_sum = find_sum(sc, 'x', true);
	sc->col_sum = find_sum(sc, 'x', false);
	if (!sc->col_sum.by)
		sc->col_sum = find_sum(sc, 'y', false);
}

static void find_homes(struct stage *s)
{
	struct scene *sc = &s->scene;
	struct trace_request r;

	if (s->homed && s->home_warp == sc->cursor.warp &&
	    sc->cursor.request >= s->home_first &&
	    sc->cursor.request <= s->home_last)
		return;
	s->homed = true;
	s->home_warp = sc->cursor.warp;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		sc->home[lane] = (struct box){ .known = false };
	if (!find_home_store(s, &r))
		return;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		const struct stage_array *c = &sc->arrays[sc->c];
		uint64_t e = r.offset[lane] / c->array->elem_bytes;

		if (r.mask >> lane & 1)
			sc->home[lane] = (struct box){
				true, (uint32_t)(e / c->cols),
				(uint32_t)(e % c->cols),
				(uint32_t)(e / c->cols),
				(uint32_t)(e % c->cols),
			};
	}
}

void scene_home(struct stage *s)
{
	find_homes(s);
	find_sums(&s->scene);
}
