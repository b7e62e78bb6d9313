/* Where the lanes of the warp stand in the result: what each stores first. */
#include "scene/stage.h"

/* How far from the warp's end its first store of results is looked for. */
#define TAIL 256

static bool find_store(struct stage *s, struct trace_request *r)
{
	struct scene *sc = &s->scene;
	uint32_t end = sc->warp.requests, site;
	uint32_t first = end > TAIL ? end - TAIL : 0;

	for (uint32_t i = first; sc->c >= 0 && i < end; i++) {
		if (trace_get_site(s->trace, sc->cursor.warp, i, &site, NULL))
			return false;
		if (stage_site(s, site)->op == OP_ST &&
		    stage_site(s, site)->array == sc->arrays[sc->c].id)
			return !trace_get(s->trace, sc->cursor.warp, i, r,
					  NULL);
	}
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

	if (s->homed && s->home_warp == sc->cursor.warp)
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
