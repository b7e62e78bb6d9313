/*
 * view_matrices: a lane's row of A and its column of B cross in its element of
 * C. Where lanes have no element of a product, the matrices whole.
 */
#include <stdio.h>

#include "base/lang.h"
#include "base/text.h"
#include "viz/pictures/matrices/matrices_window.h"

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct matrices_window w;

	if (!s->scene || !s->scene->site)
		return;
	if (matrices_place(&w, s, r))
		matrices_draw(c, &w);
	else
		matrices_whole(c, r, s);
}

/* Finds the element of one pane under (x, y). */
static bool find_element(const struct matrices_window *w, struct rect r,
			 uint32_t row0, uint32_t col0, int x, int y,
			 struct hit *hit)
{
	if (!rect_has(r, x, y))
		return false;
	hit->kind = HIT_ELEMENT;
	hit->row = row0 + (uint32_t)((y - r.y) / w->each.h);
	hit->col = col0 + (uint32_t)((x - r.x) / w->each.w);
	hit->rows = hit->cols = 1;
	return true;
}

static void hit(const struct frame_model *s, struct rect r, int x, int y,
		struct hit *hit)
{
	struct matrices_window w;

	if (!matrices_place(&w, s, r)) {
		matrices_whole_hit(s, r, x, y, hit);
		return;
	}
	if (find_element(&w, w.a, w.row0, w.k0, x, y, hit))
		hit->array = s->scene->a;
	else if (find_element(&w, w.b, w.k0, w.col0, x, y, hit))
		hit->array = s->scene->b;
	else if (find_element(&w, w.c, w.row0, w.col0, x, y, hit))
		hit->array = s->scene->c;
}

/* Adds how many products the lane has, and their sum; never a sum that is not
 * there yet. */
static void add_products_made(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct matrices_window w;
	uint32_t n;
	double sum;

	if (!matrices_place(&w, s, (struct rect){ 0, 0, 120, 30 }) ||
	    !w.m->known)
		return;
	n = matrices_made(&w);
	str_add(out, lang_joint());
	if (!n)
		str_add(out, _("It has no product yet."));
	else if (matrices_sum(&w, n, &sum))
		str_addf(out, _("It has %u of %u products, sum %g."), n,
			 sc->info->k, sum);
	else
		str_addf(out, _("It has %u of %u products."), n, sc->info->k);
	if (n < sc->info->k)
		str_addf(out, "%s%s", lang_joint(), _("C is stored after the "
						      "last."));
}

/* Tells which row and column of A and B the focused lane multiplies. */
static void matrices_words(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct box *home = &sc->home[sc->cursor.lane];

	if (!sc->product || !home->known || s->quiet)
		return;
	str_addf(out, _("Lane %u: row %u of A and column %u of B cross in its "
			"element C[%u][%u]."), sc->cursor.lane, home->row0,
		 home->col0, home->row0, home->col0);
	if (sc->matrices)
		add_products_made(out, s);
}

static enum view_rank rank(const struct scene *sc)
{
	(void)sc;
	return RANK_ALWAYS;
}

/* Tells whether the kernel's lanes have elements of a product. */
static bool spreads(const struct frame_model *s)
{
	return s->scene && s->scene->product && s->scene->a >= 0 &&
	       s->scene->b >= 0 && s->scene->c >= 0;
}

const struct view view_matrices = {
	.name = "matrices",
	.title = N_("matrices"),
	.help = N_("a row of A and a column of B cross in C"),
	.pane = PANE_PICTURE,
	.spreads = spreads,
	.least = 56,
	.rank = rank,
	.prepare = scene_matrices,
	.draw = draw,
	.words = matrices_words,
	.hit = hit,
};
