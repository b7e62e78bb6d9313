/* Where the lanes of the warp stand in the result: what each stores next. */
#include "scene/stage.h"

static const struct trace_site *site_at(const struct stage *s, uint32_t i)
{
	uint32_t site;

	return trace_get_site(s->trace, s->scene.cursor.warp, i, &site, NULL) ?
	       NULL : stage_site(s, site);
}

static bool is_of(const struct scene *sc, const struct trace_site *ts,
		  int matrix)
{
	return matrix >= 0 && ts->array == sc->arrays[matrix].id;
}

/*
 * The first store of results behind the last access to A or B before the
 * cursor: a thread that computes one element after another stores each when its
 * products have been added up. False: nothing is stored any more.
 */
static bool find_store(struct stage *s, struct trace_request *r)
{
	const struct scene *sc = &s->scene;
	const struct trace_site *ts;
	uint32_t i = sc->cursor.request;

	for (; sc->c >= 0 && i > 0 && (ts = site_at(s, i)); i--)
		if (is_of(sc, ts, sc->a) || is_of(sc, ts, sc->b))
			break;
	s->home_first = MIN(i, sc->cursor.request);
	for (; sc->c >= 0 && i < sc->warp.requests && (ts = site_at(s, i));
	     i++)
		if (ts->op == OP_ST && is_of(sc, ts, sc->c)) {
			s->home_last = MAX(i, sc->cursor.request);
			return !trace_get(s->trace, sc->cursor.warp, i, r,
					  NULL);
		}
	s->home_first = 0;
	s->home_last = UINT32_MAX;
	return false;
}

static char axis_of(const struct scene *sc, uint32_t at)
{
	struct trace_dim b = sc->info->block;

	if (at == sc->block.y * b.y + sc->thread.y)
		return 'y';
	return at == sc->block.x * b.x + sc->thread.x ? 'x' : 0;
}

/* Which coordinates lead to the lane's place. On the diagonal both fit both:
 * the row is then y's, as in most kernels. */
static void find_axes(struct scene *sc)
{
	const struct box *home = &sc->home[sc->cursor.lane];

	sc->row_by = sc->col_by = 0;
	if (!home->known)
		return;
	sc->row_by = axis_of(sc, home->row0);
	sc->col_by = axis_of(sc, home->col0);
	if (sc->row_by && sc->row_by == sc->col_by)
		sc->col_by = 'x';
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
	if (!find_store(s, &r))
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
	find_axes(&s->scene);
}
