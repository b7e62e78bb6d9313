/*
 * view_nested: block, warp and lane inside C. A column of A's tile times a row
 * of B's: each lane takes a few values of both and adds a square of products to
 * its sums.
 */
#include "base/lang.h"
#include "scene/stage.h"
#include "viz/pictures/nested/nested_plan.h"

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct nested_subject q;
	struct nested_plan p;
	struct rect clip;

	if (!nested_take(&q, s, s->scene))
		return;
	nested_place(&p, &q, r);
	clip = canvas_clip(c, r);
	if (q.work && p.element > 0)
		nested_block(c, &q, &p);
	if (q.work && p.warp.w > 0)
		nested_warp(c, &q, &p);
	nested_lane(c, &q, &p);
	canvas_clip(c, clip);
}

static bool available(const struct frame_model *s)
{
	int square, column, row;

	return s->scene && outer_find(s->scene, &square, &column, &row);
}

static enum view_rank rank(const struct scene *sc)
{
	int square, column, row;

	if (!sc->array || sc->array->space != SPACE_REGISTER ||
	    !outer_find(sc, &square, &column, &row))
		return RANK_NONE;
	return sc->array == sc->arrays[square].array ||
			       sc->array == sc->arrays[column].array ||
			       sc->array == sc->arrays[row].array ?
		       RANK_STEP :
		       RANK_NONE;
}

/* Moves to where the next iteration, or the one before, has ended. */
static bool step(const struct scene *sc, struct cursor *p, int by)
{
	const struct nested_scene *n = sc->nested;
	size_t i = 0;

	if (!n)
		return false;
	while (i < n->end_count && n->ends[i] < p->request + (by > 0))
		i++;
	if (by > 0 ? i == n->end_count : i == 0)
		return false;
	p->request = n->ends[by > 0 ? i : i - 1];
	return true;
}

/* Tells what the lane holds, and what it makes of it. */
static void nested_words(struct str *out, const struct frame_model *s)
{
	struct nested_subject q;
	const struct outer *o;

	if (!nested_take(&q, s, s->scene) || !q.o->count)
		return;
	o = q.o;
	if (q.n->held)
		str_addf(out,
			 _("k = %u: lane %u multiplies %u numbers of a "
			   "column of %s by %u of a row of %s, and adds "
			   "%u products to its sums."),
			 q.n->k % q.n->depth, q.sc->cursor.lane, o->rows,
			 nested_tile_name(&q, 0), o->cols,
			 nested_tile_name(&q, 1), o->rows * o->cols);
	else
		str_addf(out,
			 _("k = %u of %u: each of %u values in %s is "
			   "multiplied by each of %u in %s, and the "
			   "products are added to %s."),
			 o->k, o->count, o->rows,
			 s->scene->arrays[o->column].array->name, o->cols,
			 s->scene->arrays[o->row].array->name,
			 s->scene->arrays[o->square].array->name);
}

const struct view view_nested = {
	.name = "nested",
	.title = N_("block to lane"),
	.help = N_("what block, warp and lane multiply for each k"),
	.pane = PANE_PICTURE,
	.wide = true,
	.lines = 1,
	.available = available,
	.rank = rank,
	.prepare = scene_nested,
	.draw = draw,
	.step = step,
	.words = nested_words,
};
