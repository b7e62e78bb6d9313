/*
 * The tiles of a phase: how they come from A and B into shared memory, who has
 * arrived at the barrier, and what each thread then reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/plain_tiles.h"
#include "viz/tile_marks.h"

/* ---- what an element is drawn as ---- */

/* Whether what moves in this step is between its two places. */
static bool flies(const struct show *s)
{
	return tiles_time(s) > 0 && tiles_time(s) < 1;
}

/* The focused thread's; which it is, an open question may be about. */
static bool own(const struct show *s, const struct tile_value *v)
{
	return !s->quiet && v->by >= 0 &&
	       (uint32_t)v->by == s->scene->thread_linear;
}

static enum role shade(enum role first, const struct tile_value *v)
{
	return (enum role)(first + v->by % WARP_LANES / 8);
}

/* The step at which the focused thread reads the element, against this one:
 * 0 not in this phase, 1 later or before, 2 now. */
static int reading(const struct scene *sc, size_t at, uint32_t e)
{
	uint32_t step = sc->tiles->read[at][e];
	uint32_t here = sc->cursor.request - sc->phase_first + 1;

	return !step ? 0 : step == here ? 2 : 1;
}

static enum role shared_role(const struct show *s, size_t at, uint32_t e)
{
	const struct scene *sc = s->scene;
	const struct tile_cell *cell = &sc->tiles->cell[at][e];
	const struct tile_value *v;
	enum tile_state state = tile_state(sc, cell, &v);
	bool there = state == TILE_STORED ||
		     (state == TILE_STORING && tiles_time(s) >= 1);
	int read = reading(sc, at, e);

	if (read == 2)
		return ROLE_CURSOR;
	if (there && v->zero)
		return ROLE_SEEN;
	if (there && own(s, v) && v->stored)
		return ROLE_CURSOR;
	if (there && (read || v->stored))
		return shade(ROLE_HUE0, v);
	if (there)
		return shade(ROLE_FADE0, v);
	return cell->before.by >= 0 ? ROLE_TILE : ROLE_FIELD;
}

/* Of an element of a matrix that shared memory gets in this phase. */
static enum role source_role(const struct show *s, const struct tile_value *v,
			     enum tile_state state)
{
	switch (state) {
	case TILE_WAITING:
		return own(s, v) ? ROLE_CURSOR : shade(ROLE_TRAIL0, v);
	case TILE_LOADING:
		return own(s, v) ? ROLE_CURSOR :
		       flies(s) ? ROLE_SEEN : shade(ROLE_HUE0, v);
	case TILE_LOADED:
		return own(s, v) ? ROLE_CURSOR : shade(ROLE_TRAIL0, v);
	case TILE_COMING:
		return shade(ROLE_FADE0, v);
	default:
		return ROLE_SEEN;
	}
}

static const struct tile_plane *plane_of(const struct tile_layout *l,
					 const struct show *s, int32_t array)
{
	for (int i = 0; i < 3; i++)
		if (array >= 0 && l->plane[i].a == &s->scene->arrays[array])
			return &l->plane[i];
	return NULL;
}

/* ---- planes ---- */

static void draw_shared(struct canvas *c, const struct tile_layout *l,
			const struct show *s, const struct tile_plane *p)
{
	struct marks m = marks_of(l, p);
	size_t at = (size_t)(p->a - s->scene->arrays);

	for (uint32_t i = 0; i < tile_elements(p); i++)
		mark_set(&m, p->row0 + i / p->cols, i % p->cols,
			 shared_role(s, at, p->row0 * p->fold + i));
	marks_draw(c, &m);
}

/* What the phase's tiles are to a matrix: where each element goes. */
static void mark_sources(struct marks *m, const struct show *s)
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
					 reading(sc, i, e) ? ROLE_OWN :
					 source_role(s, v, state));
		}
	}
}

static void draw_matrix(struct canvas *c, const struct tile_layout *l,
			const struct show *s, const struct tile_plane *p)
{
	struct marks m = marks_of(l, p);
	const struct box *t = &p->a->thread;

	for (uint32_t i = 0; i < p->rows * p->cols; i++)
		mark_set(&m, p->row0 + i / p->cols, p->col0 + i % p->cols,
			 ROLE_FIELD);
	if (p == &l->plane[2]) {
		for (uint32_t r = t->row0; t->known && !s->quiet &&
		     r <= t->row1; r++)
			for (uint32_t k = t->col0; k <= t->col1; k++)
				mark_set(&m, r, k, ROLE_OWN);
		for (size_t i = 0; i < p->a->mark_count; i++) {
			const struct mark *k = &p->a->marks[i];

			mark_set(&m, k->row, k->col, k->age ?
				 (enum role)(ROLE_TRAIL0 + k->lane / 8) :
				 ROLE_HUE(k->lane));
		}
		if (t->known && !s->quiet)
			mark_set(&m, t->row0, t->col0, ROLE_CURSOR);
	} else {
		mark_sources(&m, s);
	}
	marks_draw(c, &m);
}

static void draw_title(struct canvas *c, const struct tile_layout *l,
		       const struct show *s, const struct tile_plane *p)
{
	int w = tile_width(&l->size, p->cols) + 1, x = p->x;
	const char *dot = strrchr(p->a->array->name, '.');
	bool matrix = p < &l->plane[3];
	char tile[32], dims[32];

	w = MIN(MAX(w, matrix || !s->scene->tiles->ring ? 12 : 8),
		tile_room(l, p, p->y - 1));
	/* Of what is in a structure the name in it: there is little room. */
	x += canvas_text(c, x, p->y - 1, w,
			 dot ? dot + 1 : p->a->array->name,
			 p->a->now ? INK_BOLD(ROLE_ACCENT) :
				     INK_BOLD(ROLE_STRONG));
	if (p->slab >= 0) {
		snprintf(dims, sizeof(dims), "[%d]", p->slab);
		if (x + text_width(dims) > p->x + w)
			snprintf(dims, sizeof(dims), "%d", p->slab);
		x += kit_whole(c, x, p->y - 1, p->x + w - x, dims,
			       INK(ROLE_STRONG));
	}
	snprintf(dims, sizeof(dims),
		 matrix ? " %u\xc3\x97%u" : " %u \xc3\x97 %u",
		 matrix ? p->a->rows : p->rows,
		 matrix ? p->a->cols : p->cols);
	if (ring_title(tile, sizeof(tile), s, p, p->x + w - x - 1))
		canvas_text(c, x + 1, p->y - 1, -1, tile, INK(ROLE_DIM));
	else
		kit_whole(c, x, p->y - 1, p->x + w - x - 1, dims,
			  INK(ROLE_DIM));
}

/* The numbers of the first and the last row; and of columns, where some are
 * left out. */
static void draw_rulers(struct canvas *c, const struct tile_layout *l,
			const struct tile_plane *p)
{
	int h = tile_height(&l->size, p->rows);
	int room = tile_room(l, p, p->y + h);
	char text[48];

	snprintf(text, sizeof(text), "%u", p->row0);
	canvas_right(c, p->x - 4, p->y, 3, text, INK(ROLE_FAINT));
	snprintf(text, sizeof(text), "%u", p->row0 + p->rows - 1);
	if (h > 1)
		canvas_right(c, p->x - 4, p->y + h - 1, 3, text,
			     INK(ROLE_FAINT));
	if (p->cols == p->a->cols || l->paper)
		return;
	snprintf(text, sizeof(text), _("columns %u-%u"), p->col0,
		 p->col0 + p->cols - 1);
	if (text_width(text) > room)
		snprintf(text, sizeof(text), "%u-%u", p->col0,
			 p->col0 + p->cols - 1);
	kit_whole(c, p->x, p->y + h, room, text, INK(ROLE_FAINT));
}

/* ---- flights ---- */

/* Where an element's mark stands, in columns and half rows. */
static bool spot(const struct tile_layout *l, const struct tile_plane *p,
		 uint32_t row, uint32_t col, double *x, double *y2)
{
	int scale = l->size.scale;

	if (row < p->row0 || col < p->col0 || row >= p->row0 + p->rows ||
	    col >= p->col0 + p->cols)
		return false;
	*x = p->x + (int)(col - p->col0) / scale * l->size.w;
	*y2 = 2 * p->y + (int)(row - p->row0) / scale * mark_half_rows(&l->size);
	return true;
}

/* How far an element has come on its way from its matrix. Half way it is in a
 * register, which this picture has no place for. -1: it is not on its way. */
static double way(const struct show *s, enum tile_state state)
{
	double t = tiles_time(s) / 2;

	if (!flies(s))
		return -1;
	return state == TILE_LOADING ? t : state == TILE_STORING ? 0.5 + t : -1;
}

static void fly(struct canvas *c, const struct tile_layout *l,
		const struct show *s, const struct tile_plane *to, size_t at,
		uint32_t e)
{
	const struct tile_value *v;
	enum tile_state state =
		tile_state(s->scene, &s->scene->tiles->cell[at][e], &v);
	const struct tile_plane *from = plane_of(l, s, v->array);
	double part = way(s, state), x0, y0, x1, y1;

	if (part < 0 || !from ||
	    !spot(l, from, v->row, v->col, &x0, &y0) ||
	    !spot(l, to, e / to->fold, e % to->fold, &x1, &y1))
		return;
	mark_paint(c, &l->size, (int)(kit_between(x0, x1, part) + 0.5),
	      (int)(kit_between(y0, y1, part) + 0.5),
	      own(s, v) ? ROLE_CURSOR : shade(ROLE_HUE0, v));
}

static void draw_flights(struct canvas *c, const struct tile_layout *l,
			 const struct show *s)
{
	for (int i = 3; i < l->count; i++) {
		const struct tile_plane *p = &l->plane[i];
		size_t at = (size_t)(p->a - s->scene->arrays);

		const struct tile_cell *cell =
			&s->scene->tiles->cell[at][p->row0 * p->fold];
		/* A box flies as a whole, a mark of it for all. */
		uint32_t by = s->scene->tiles->ring ?
			      (uint32_t)l->size.scale : 1;

		/* Only what this phase brings is under way. */
		for (uint32_t y = 0; y < p->rows; y += by)
			for (uint32_t x = 0; x < p->cols; x += by)
				if (y * p->fold + x < tile_elements(p) &&
				    cell[y * p->fold + x].now.by >= 0)
					fly(c, l, s, p, at, (p->row0 + y) *
					    p->fold + x);
	}
}

/* ---- values ---- */

static void draw_number(struct canvas *c, const struct tile_layout *l,
			const struct tile_plane *p, uint32_t row, uint32_t col,
			const struct tile_value *v)
{
	const struct tile_size *z = &l->size;
	struct ink ink;
	struct rect r;
	double x, y2;
	char text[32];
	int w, rows;
	uint8_t on;

	if (!v->known || !spot(l, p, row, col, &x, &y2))
		return;
	number_fit(text, sizeof(text), v->number, z->w);
	on = canvas_at(c, (int)x, (int)y2 / 2)->bg;
	ink = v->zero && on != ROLE_CURSOR ? INK_BOLD(ROLE_STRONG) :
	      INK(mark_strength(on) > 6 || on == ROLE_OWN ? ROLE_ON_HUE :
						       ROLE_DIM);
	r = (struct rect){ (int)x, (int)y2 / 2, z->w - (z->w > 3), z->h };
	/* No digit is larger than those of a number with a sign. */
	kit_digits((struct rect){ 0, 0, r.w - 1, r.h - 1 }, "-0", &rows);
	w = kit_digits((struct rect){ 0, 0, r.w - 1, rows }, text, &rows);
	if (rows > 1 && !c->mono)
		kit_number(c, (struct rect){ r.x + r.w - w,
					     r.y + (r.h - rows) / 2, w, rows },
			   text, ink.fg);
	else
		canvas_right(c, r.x, r.y + (r.h - 1) / 2, r.w, text, ink);
}

/* Where cells are large enough: what is in them. Zeros that fill up the edge
 * are no element of A or B. */
static void draw_numbers(struct canvas *c, const struct tile_layout *l,
			 const struct show *s, const struct tile_plane *p)
{
	size_t at = (size_t)(p->a - s->scene->arrays);

	for (uint32_t i = 0; i < tile_elements(p); i++) {
		uint32_t e = p->row0 * p->fold + i;
		const struct tile_value *v;
		enum tile_state state = tile_state(
			s->scene, &s->scene->tiles->cell[at][e], &v);
		const struct tile_plane *from = plane_of(l, s, v->array);

		if (state == TILE_STORED ||
		    (state == TILE_STORING && tiles_time(s) >= 1))
			draw_number(c, l, p, e / p->fold, e % p->fold, v);
		if (from && state != TILE_EMPTY)
			draw_number(c, l, from, v->row, v->col, v);
	}
}

/* ---- the picture ---- */

/* The last row: what colours mean, and how much a mark stands for. */
static void draw_foot(struct canvas *c, struct rect r,
		      const struct tile_layout *l, const struct show *s)
{
	char text[64] = "";
	int used = 0;

	if (l->size.scale > 1)
		snprintf(text, sizeof(text), _("%d × %d elements a mark"),
			 l->size.scale, l->size.scale);
	if (!s->quiet)
		used = tiles_legend(c, (struct rect){
			r.x, r.y, r.w - text_width(text) - 1, 1 }, s);
	used = MIN(used, r.w - text_width(text));
	canvas_right(c, r.x + used, r.y, r.w - used, text, INK(ROLE_FAINT));
}

static void draw_planes(struct canvas *c, const struct tile_layout *l,
			const struct show *s)
{
	const struct tiles *t = s->scene->tiles;

	for (int i = 0; i < l->count; i++) {
		const struct tile_plane *p = &l->plane[i];

		if (!p->a)
			continue;
		draw_title(c, l, s, p);
		if (i < 2 && t->ring) {
			ring_matrix(c, l, s, p);
			draw_rulers(c, l, p);
		} else if (i < 3) {
			draw_matrix(c, l, s, p);
			draw_rulers(c, l, p);
		} else if (t->ring && t->origin[p->a - s->scene->arrays] >= 0) {
			ring_shared(c, l, s, p);
		} else {
			draw_shared(c, l, s, p);
			tiles_stages(c, l, s, p);
			if (!l->size.half && l->size.w > 2)
				draw_numbers(c, l, s, p);
		}
	}
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	struct tile_layout l;

	if (!s->scene || !s->scene->site || !s->scene->tiles)
		return;
	r.h--;
	tile_layout_make(&l, r, s);
	if (!l.size.w) {
		prose_text(c, r, 0, _("The tiles do not fit here."),
			   INK(ROLE_DIM));
		return;
	}
	draw_planes(c, &l, s);
	tiles_meter(c, l.words, s);
	tiles_gate(c, l.gate, s);
	draw_flights(c, &l, s);
	draw_foot(c, (struct rect){ r.x, r.y + r.h, r.w, 1 }, &l, s);
}

static bool available(const struct show *s)
{
	return s->scene && scene_has(s->scene, SPACE_SHARED);
}

/* The pipeline tells stages apart; of a ring the road does. */
static void prepare(struct stage *s, const struct turns *t)
{
	scene_tiles(s, t);
	if (s->scene.tiles && !s->scene.tiles->ring)
		scene_pipeline(s);
}

/* Where a tile is filled or read without bank conflicts, and at barriers. A row
 * of elements is none, unless it is known whose tiles stand in it. */
static enum view_rank rank(const struct scene *sc)
{
	if (sc->site->op == OP_BARRIER)
		return RANK_STEP;
	if (!sc->info->m && sc->array && sc->array->rank < 2)
		return RANK_BESIDE;
	if (!sc->array || sc->array->space != SPACE_SHARED ||
	    !op_is_access(sc->site->op) || sc->site->matrix)
		return RANK_BESIDE;
	return sc->costs && sc->cost.wavefronts <= sc->cost.ideal_wavefronts ?
		       RANK_STEP : RANK_BESIDE;
}

const struct view view_tiles = {
	.name = "tiles",
	.title = N_("tiles in shared memory"),
	.help = N_("the block's tiles: where they come from and who reads "
		   "them"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = tiles_words,
};
