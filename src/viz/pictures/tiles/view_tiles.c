/*
 * The tiles of a phase: how they come from A and B to shared memory, which
 * warps have arrived at the barrier, and what each thread then reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/pictures/tiles/tile_marks.h"

/* ---- titles ---- */

/* Returns what a plane stands for, in words. */
static const char *plane_place_words(const struct tile_layout *l,
				     const struct tile_plane *p)
{
	return p == &l->plane[2] ? _(", the threads' sums") :
	       p < &l->plane[2] ? _(", in global memory") :
				  _(", in shared memory");
}

/* Writes a range of indices: "[3]", "[0..15]". Returns its length. */
static int add_range(char *buf, size_t size, uint32_t first, uint32_t count)
{
	return count == 1 ? snprintf(buf, size, "[%u]", first) :
	       snprintf(buf, size, "[%u..%u]", first, first + count - 1);
}

/* Writes which tile a stage holds, or how large the array is; of a matrix that
 * is not shown as a whole, which part is, if that fits in w columns. */
static void plane_part_words(char *buf, size_t size,
			     const struct tile_layout *l, const struct frame_model *s,
			     const struct tile_plane *p, int w)
{
	int n;

	buf[0] = ' ';
	if (ring_title(buf + 1, size - 1, s, p, w - 1))
		return;
	if (p >= &l->plane[3]) {
		snprintf(buf, size, " %u \xc3\x97 %u", p->rows, p->cols);
		return;
	}
	n = add_range(buf, size, p->row0, p->rows);
	n += add_range(buf + n, size - (size_t)n, p->col0, p->cols);
	if ((p->rows == p->a->rows && p->cols == p->a->cols) || n > w)
		snprintf(buf, size, " %u\xc3\x97%u", p->a->rows, p->a->cols);
}

static void draw_plane_title(struct canvas *c, const struct tile_layout *l,
			     const struct frame_model *s, const struct tile_plane *p)
{
	int w = tile_width(&l->size, p->cols) + 1, x = p->x;
	const char *dot = strrchr(p->a->array->name, '.');
	bool matrix = p < &l->plane[3];
	char part[48], slab[16];

	w = MIN(MAX(w, matrix || !s->scene->tiles->ring ? 12 : 8),
		tile_room(l, p, p->y - 1));
	/* Of a structure's member only its name: there is little room. */
	x += canvas_text(c, x, p->y - 1, w,
			 dot ? dot + 1 : p->a->array->name,
			 p->a->now ? INK_BOLD(ROLE_ACCENT) :
				     INK_BOLD(ROLE_STRONG));
	if (p->slab >= 0) {
		snprintf(slab, sizeof(slab), "[%d]", p->slab);
		if (x + text_width(slab) > p->x + w)
			snprintf(slab, sizeof(slab), "%d", p->slab);
		x += kit_whole(c, x, p->y - 1, p->x + w - x, slab,
			       INK(ROLE_STRONG));
	}
	plane_part_words(part, sizeof(part), l, s, p, p->x + w - x);
	x += kit_whole(c, x, p->y - 1, p->x + w - x, part, INK(ROLE_DIM));
	x += kit_whole(c, x, p->y - 1, p->x + w - x, plane_place_words(l, p),
		       INK(ROLE_FAINT));
	snprintf(part, sizeof(part), _(", of %u\xc3\x97%u"), p->a->rows,
		 p->a->cols);
	if (matrix && (p->rows < p->a->rows || p->cols < p->a->cols))
		kit_whole(c, x, p->y - 1, p->x + w - x, part,
			  INK(ROLE_FAINT));
}

/* Writes the numbers of the first and the last row; and of the columns, if some
 * are left out. */
static void draw_plane_rulers(struct canvas *c, const struct tile_layout *l,
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
	if (p->cols == p->a->cols || l->rows)
		return;
	snprintf(text, sizeof(text), p->cols == 1 ? _("column %u") :
		 _("columns %u-%u"), p->col0, p->col0 + p->cols - 1);
	if (text_width(text) > room)
		snprintf(text, sizeof(text), "%u-%u", p->col0,
			 p->col0 + p->cols - 1);
	kit_whole(c, p->x, p->y + h, room, text, INK(ROLE_FAINT));
}

/* ---- values ---- */

static void draw_tile_value(struct canvas *c, const struct tile_layout *l,
			    const struct tile_plane *p, uint32_t row,
			    uint32_t col, const struct tile_value *v)
{
	const struct tile_size *z = &l->size;
	struct ink ink;
	struct rect r;
	struct mark_spot at;
	char text[32];
	int w, rows;
	uint8_t on;

	if (!v->known || !mark_spot(l, p, row, col, &at))
		return;
	number_fit(text, sizeof(text), v->number, z->w);
	on = canvas_at(c, (int)at.x, (int)at.y / 2)->bg;
	ink = v->zero && on != ROLE_CURSOR ? INK_BOLD(ROLE_STRONG) :
	      INK(mark_strength(on) > 6 || on == ROLE_OWN ? ROLE_ON_HUE :
						       ROLE_DIM);
	r = (struct rect){ (int)at.x, (int)at.y / 2, z->w - (z->w > 3), z->h };
	/* Digits are no larger than those of a number with a sign. */
	kit_digits((struct rect){ 0, 0, r.w - 1, r.h - 1 }, "-0", &rows);
	w = kit_digits((struct rect){ 0, 0, r.w - 1, rows }, text, &rows);
	if (rows > 1 && !c->mono)
		kit_number(c, (struct rect){ r.x + r.w - w,
					     r.y + (r.h - rows) / 2, w, rows },
			   text, ink.fg);
	else
		canvas_right(c, r.x, r.y + (r.h - 1) / 2, r.w, text, ink);
}

/* Writes the values into cells that are large enough. Zeros that fill up the
 * edge have no element of A or B. */
static void draw_tile_values(struct canvas *c, const struct tile_layout *l,
			     const struct frame_model *s, const struct tile_plane *p)
{
	size_t at = (size_t)(p->a - s->scene->arrays);

	for (uint32_t i = 0; i < tile_elements(p); i++) {
		uint32_t e = p->row0 * p->fold + i;
		const struct tile_value *v;
		enum tile_state state = tile_state(
			s->scene, &s->scene->tiles->cell[at][e], &v);
		const struct tile_plane *from = tiles_plane(l, s, v->array);

		if (tiles_way(s, state, v) >= 1)
			draw_tile_value(c, l, p, e / p->fold, e % p->fold, v);
		if (from && state != TILE_EMPTY)
			draw_tile_value(c, l, from, v->row, v->col, v);
	}
}

/* ---- the picture ---- */

/* Draws the row below the picture: what its colours mean, and how many elements
 * a mark stands for. */
static void draw_tiles_legend(struct canvas *c, struct rect picture,
			      const struct tile_layout *l, const struct frame_model *s)
{
	struct rect r = { picture.x, picture.y + picture.h, picture.w, 1 };
	char text[64] = "";

	if (l->size.scale > 1)
		snprintf(text, sizeof(text), _("%d × %d elements a mark"),
			 l->size.scale, l->size.scale);
	canvas_right(c, r.x, r.y, r.w, text, INK(ROLE_FAINT));
	r.w -= text_width(text) + 3;
	if (!s->quiet)
		tiles_legend(c, r, picture, s);
}

static void draw_all_planes(struct canvas *c, const struct tile_layout *l,
			    const struct frame_model *s)
{
	const struct tiles *t = s->scene->tiles;

	for (int i = 0; i < l->count; i++) {
		const struct tile_plane *p = &l->plane[i];

		if (!p->a)
			continue;
		draw_plane_title(c, l, s, p);
		if (i < 2 && t->ring) {
			ring_matrix(c, l, s, p);
			draw_plane_rulers(c, l, p);
		} else if (i < 3) {
			tiles_matrix(c, l, s, p);
			draw_plane_rulers(c, l, p);
		} else if (t->ring && t->origin[p->a - s->scene->arrays] >= 0) {
			ring_shared(c, l, s, p);
		} else {
			tiles_shared(c, l, s, p);
			if (!l->size.half && l->size.w > 2)
				draw_tile_values(c, l, s, p);
		}
	}
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
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
	draw_all_planes(c, &l, s);
	tiles_doors(c, &l, s);
	tiles_meter(c, l.words, s);
	tiles_gate(c, l.gate, s);
	tiles_flights(c, &l, s);
	/* If there is room. */
	for (int i = 3; i < l.count && !s->scene->tiles->ring; i++)
		if (l.plane[i].a)
			tiles_stages(c, &l, s, &l.plane[i]);
	draw_tiles_legend(c, r, &l, s);
}

static bool available(const struct frame_model *s)
{
	return s->scene && scene_has(s->scene, SPACE_SHARED);
}

/* Computes the tiles and the pipeline that names their stages; for a ring the
 * road does. */
static void prepare(struct stage *s, const struct turns *t)
{
	scene_tiles(s, t);
	if (s->scene.tiles && !s->scene.tiles->ring)
		scene_pipeline(s);
}

/* Returns the highest rank where a tile is filled or read without bank
 * conflicts, and at barriers. An array of one dimension counts as a tile only
 * if it is known which tiles it holds. */
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
