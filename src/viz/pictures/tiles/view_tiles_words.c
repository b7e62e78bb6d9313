/*
 * view_tiles_words: the words of the picture of tiles, one by one: where each
 * is, and how it gets there. Words of A and of B have a colour each; they are
 * bright if the step is about them.
 */
#include <stdlib.h>

#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/pictures/tiles/tile_marks.h"

/* ---- places of words ---- */

bool tiles_own(const struct frame_model *s, const struct tile_value *v)
{
	return !s->quiet && v->by >= 0 &&
	       (uint32_t)v->by == s->scene->thread_linear;
}

enum role tiles_hue(enum role first, const struct scene *sc, int32_t array)
{
	return (enum role)(first + (array >= 0 && array == sc->a ? 0 :
				    array >= 0 && array == sc->b ? 1 : 2));
}

/* Tells whether the focused thread reads the element: 0 not in this phase, 1
 * earlier or later in it, 2 at this step. */
static int when_read(const struct frame_model *s, size_t at, uint32_t e)
{
	const struct scene *sc = s->scene;
	uint32_t step = sc->tiles->read[at][e];
	uint32_t here = sc->cursor.request - sc->phase_first + 1;

	return !step ? 0 : step == here ? 2 : 1;
}

/* Returns how much of its way a word has gone, 0 to 1. At a barrier the words
 * that other warps bring arrive. */
double tiles_way(const struct frame_model *s, enum tile_state state,
		 const struct tile_value *v)
{
	double t = tiles_time(s);

	switch (state) {
	case TILE_LOADING:
		return t / 2;
	case TILE_LOADED:
		return 0.5;
	case TILE_STORING:
		return v->loaded == v->stored || v->box != ROAD_NONE ? t :
			       0.5 + t / 2;
	case TILE_COMING:
		return s->scene->tiles->at_barrier ?
			       kit_act(t, TILES_COME, TILES_CAME) : 0;
	case TILE_STORED:
		return 1;
	default:
		return 0;
	}
}

static enum role shared_role(const struct frame_model *s, size_t at, uint32_t e)
{
	const struct scene *sc = s->scene;
	const struct tile_cell *cell = &sc->tiles->cell[at][e];
	const struct tile_value *v;
	enum tile_state state = tile_state(sc, cell, &v);
	int read = when_read(s, at, e);

	if (state == TILE_EMPTY || tiles_way(s, state, v) < 1)
		return cell->before.by >= 0 ? ROLE_SEEN : ROLE_FIELD;
	if (read == 2 || (tiles_own(s, v) && v->stored))
		return ROLE_CURSOR;
	if (v->zero)
		return ROLE_FADE3;
	return tiles_hue(state == TILE_STORING ? ROLE_HUE0 :
		    read ? ROLE_TRAIL0 : ROLE_FADE0, sc, v->array);
}

void tiles_shared(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p)
{
	const struct scene *sc = s->scene;
	struct marks m = marks_of(l, p);
	size_t at = (size_t)(p->a - sc->arrays);

	for (uint32_t i = 0; i < tile_elements(p); i++)
		mark_set(&m, p->row0 + i / p->cols, i % p->cols,
			 shared_role(s, at, p->row0 * p->fold + i));
	/* what the other lanes read now */
	for (size_t i = 0; !s->quiet && tiles_read(sc, p->a) &&
	     i < sc->element_count; i++) {
		uint64_t e = sc->elements[i].element;
		const struct tile_value *v;

		if (e >= (uint64_t)p->a->rows * p->a->cols)
			continue;
		tile_state(sc, &sc->tiles->cell[at][e], &v);
		mark_set(&m, (uint32_t)(e / p->fold), (uint32_t)(e % p->fold),
			 tiles_hue(ROLE_HUE0, sc, v->array));
	}
	marks_draw(c, &m);
}

/* Returns the colour of a matrix element that shared memory gets, or has
 * got. */
static enum role source_role(const struct frame_model *s, const struct tile_value *v,
			     enum tile_state state, int read)
{
	double part = tiles_way(s, state, v);

	if (state != TILE_STORED && tiles_own(s, v))
		return ROLE_CURSOR;
	if (part > 0)
		return read ? ROLE_OWN : ROLE_TILE;
	return tiles_hue(state == TILE_LOADING ? ROLE_HUE0 : ROLE_FADE0, s->scene,
		    v->array);
}

/* Marks the elements of a matrix that the phase's tiles take, by how far they
 * are. */
static void mark_sources(struct marks *m, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	int32_t at = (int32_t)(m->p->a - sc->arrays);

	for (size_t i = 0; i < sc->array_count; i++) {
		uint32_t n = sc->arrays[i].rows * sc->arrays[i].cols;

		for (uint32_t e = 0; sc->tiles->cell[i] && e < n; e++) {
			const struct tile_cell *cell = &sc->tiles->cell[i][e];
			const struct tile_value *v = cell->now.by >= 0 ?
						     &cell->now : &cell->before;
			enum tile_state state;

			if (v->by < 0 || v->array != at)
				continue;
			state = tile_state(sc, cell, &v);
			if (state != TILE_EMPTY)
				mark_set(m, v->row, v->col,
					 source_role(s, v, state,
						     when_read(s, i, e)));
		}
	}
}

void tiles_matrix(struct canvas *c, const struct tile_layout *l,
		  const struct frame_model *s, const struct tile_plane *p)
{
	struct marks m = marks_of(l, p);

	for (uint32_t i = 0; i < p->rows * p->cols; i++)
		mark_set(&m, p->row0 + i / p->cols, p->col0 + i % p->cols,
			 ROLE_FIELD);
	if (p == &l->plane[2])
		tiles_threads(&m, s);
	else
		mark_sources(&m, s);
	marks_draw(c, &m);
}

/* Tells how much of a shared array is there, was asked for, or is neither and
 * still comes. */
static void add_array_words(struct str *out, const struct scene *sc, size_t at)
{
	const struct stage_array *a = &sc->arrays[at];
	uint32_t there = 0, on_the_way = 0, still = 0;
	const struct tile_value *v;

	for (uint32_t e = 0; e < a->rows * a->cols; e++) {
		enum tile_state state = tile_state(sc, &sc->tiles->cell[at][e],
						   &v);

		there += state == TILE_STORED || state == TILE_STORING;
		on_the_way += state == TILE_LOADING || state == TILE_LOADED;
		still += state == TILE_COMING || state == TILE_WAITING;
	}
	str_addf(out, _("%s holds %u of its %u elements"), a->array->name,
		 there, a->rows * a->cols);
	if (on_the_way)
		str_addf(out, _("; %u are on their way"), on_the_way);
	if (still)
		str_addf(out, _("; %u are still to come"), still);
	str_add(out, _(". "));
}

void tiles_words(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct tiles *t = sc->tiles;

	for (size_t i = 0; i < sc->array_count; i++)
		if (t->cell[i])
			add_array_words(out, sc, i);
	if (t->at_barrier)
		str_addf(out, ngettext("The barrier opens when the block's %u "
				       "warp is there. ",
				       "The barrier opens when all %u warps of "
				       "the block are there. ", t->warps),
			 t->warps);
	str_addf(out, _("So far, the block has read %llu elements from "
			"global memory and %llu from shared memory."),
		 (unsigned long long)t->global.sure,
		 (unsigned long long)t->shared.sure);
}
