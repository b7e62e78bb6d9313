/* view_road: draws the box in its matrix, and as it lies in shared memory. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/road/view_road.h"

#define RULER 5

enum role road_hue(uint32_t chunk)
{
	return (enum role)(ROLE_CHUNK0 + chunk % 8);
}

enum role road_dim_hue(uint32_t chunk)
{
	return (enum role)(ROLE_FADE0 + chunk % 8 / 2);
}

void road_name(char *buf, size_t size, const struct trace_info *info,
	       uint32_t array, uint64_t at)
{
	const struct trace_array *a = &info->arrays[array];
	const char *dot = strrchr(a->name, '.');
	uint64_t below = a->elem_bytes;

	for (uint32_t d = 1; d < a->rank; d++)
		below *= a->dims[d];
	if (a->dims[0] > 1 && (a->rank != 2 || a->space != SPACE_SHARED))
		snprintf(buf, size, "%s[%llu]", dot ? dot + 1 : a->name,
			 (unsigned long long)(at / below));
	else
		snprintf(buf, size, "%s", dot ? dot + 1 : a->name);
}

/* ---- cells ---- */

/* Rows of a box, each with its 16-byte chunks. */
struct chunk_grid {
	struct rect r;		/* of the cells */
	int w, h;		/* of a cell */
	uint32_t chunks, first, rows;
};

#define CELL_MOST 6

/* Returns a grid of as many rows as fit, from the first on, or from those that
 * are read. */
static struct chunk_grid fit_chunk_rows(struct rect r, const struct road_box *b,
					const struct road_look *l)
{
	struct chunk_grid g = { .chunks = road_chunks(b) };
	uint32_t all = b->to->tile.rows;

	g.w = MIN((r.w - RULER) / (int)MAX(g.chunks, 1), CELL_MOST);
	g.w = MAX(g.w, 1);
	g.h = g.w >= 4 && r.h >= 2 * 16 ? 2 : 1;
	g.rows = (uint32_t)MIN(MAX(r.h / g.h, 1), (int)all);
	g.first = MIN((l->reads ? l->row0 : 0) / 8 * 8, all - g.rows);
	g.r = (struct rect){ r.x + RULER, r.y, g.w * (int)g.chunks,
			     g.h * (int)g.rows };
	return g;
}

static void draw_chunk(struct canvas *c, const struct chunk_grid *g, int x,
		       int y, uint32_t chunk, bool inside, struct ink ink)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", chunk);
	kit_box(c, (struct rect){ x, y, g->w - (g->w > 3), g->h },
		inside ? text : "0", ink);
}

static void draw_row_labels(struct canvas *c, const struct chunk_grid *g,
			    uint32_t all, uint32_t from)
{
	char words[96];

	for (uint32_t i = 0; i < g->rows; i++)
		canvas_textf(c, g->r.x - RULER, g->r.y + (int)i * g->h,
			     RULER - 1, INK(ROLE_FAINT), "%4u",
			     from + g->first + i);
	snprintf(words, sizeof(words), _("%u of %u rows; digits: 16-byte "
					 "chunks"), g->rows, all);
	if (text_width(words) > g->r.w + RULER)
		snprintf(words, sizeof(words), _("%u of %u rows"), g->rows,
			 all);
	if (g->rows < all)
		canvas_text(c, text_width(words) <= g->r.w ? g->r.x :
			    g->r.x - RULER, g->r.y + g->r.h, -1, words,
			    INK(ROLE_DIM));
}

/* ---- the matrix ---- */

/* Returns the colour of a pixel, which stands for a part of the matrix: the
 * box's if it lies in the box; `fine`: each of its chunks has pixels. */
static enum role matrix_role(const struct road_view *v, struct rect part,
			     bool fine)
{
	const struct trace_tile *t = &v->box->from->tile;
	int row = (int)v->box->row, col = (int)v->box->col;
	bool in = part.y + part.h > row && part.y < row + (int)t->rows &&
		  part.x + part.w > col && part.x < col + (int)t->columns;
	int middle = part.x + part.w / 2 - col;

	if (!in)
		return ROLE_FIELD;
	middle = MAX(MIN(middle, (int)t->columns - 1), 0);
	if (middle >= road_ordered(v, v->box) * t->columns)
		return ROLE_OWN;
	if (!fine)
		return ROLE_CURSOR;
	return road_part(v, v->box) >= 1 ?
	       road_dim_hue((uint32_t)middle * t->bytes / 16) :
	       road_hue((uint32_t)middle * t->bytes / 16);
}

static void draw_matrix_pixels(struct canvas *c, struct rect r,
			       const struct road_view *v, int rows, int cols)
{
	bool fine = (uint32_t)cols * v->box->from->tile.bytes <=
		    16 * (uint32_t)r.w;

	for (int y = 0; y < 2 * r.h; y++)
		for (int x = 0; x < r.w; x++) {
			struct rect part = { x * cols / r.w,
					     y * rows / (2 * r.h), 0, 0 };

			part.w = MAX((x + 1) * cols / r.w - part.x, 1);
			part.h = MAX((y + 1) * rows / (2 * r.h) - part.y, 1);
			canvas_pixel(c, r.x + x, 2 * r.y + y,
				     matrix_role(v, part, fine));
		}
}

/* Writes the first and the last row and column of the box along the matrix,
 * which is in r. */
static void rule_matrix(struct canvas *c, struct rect r,
			const struct road_view *v, int rows, int cols)
{
	uint32_t row = v->box->row + v->box->rows - 1;
	uint32_t col = v->box->col + v->box->cols - 1;

	canvas_textf(c, MIN(r.x + (int)v->box->col * r.w / cols,
			    r.x + MAX(r.w - 8, 0)), r.y - 1, -1,
		     INK(ROLE_STRONG), "%u\xe2\x80\x93%u", v->box->col, col);
	if ((int)v->box->rows * r.h / rows > 1)
		canvas_textf(c, r.x - RULER, r.y + (int)row * r.h / rows,
			     RULER - 1, INK(ROLE_DIM), "%4u", row);
	canvas_textf(c, r.x - RULER, r.y + (int)v->box->row * r.h / rows,
		     RULER - 1, INK(ROLE_STRONG), "%4u", v->box->row);
}

/* Draws the first rows of the box, with its chunks in the order of the matrix.
 * Returns their rectangle. */
static struct rect draw_zoom(struct canvas *c, struct rect r,
			     const struct road_view *v)
{
	const struct road_look none = { 0 };
	struct chunk_grid g = fit_chunk_rows(r, v->box, &none);
	double part = road_part(v, v->box);

	canvas_textf(c, r.x, r.y - 1, r.w, INK(ROLE_TEXT),
		     _("its 16-byte chunks"));
	draw_row_labels(c, &g, v->box->to->tile.rows, v->box->row);
	for (uint32_t row = 0; row < g.rows; row++)
		for (uint32_t i = 0; i < g.chunks; i++) {
			enum role hue = road_hue(i);
			uint32_t at_row, at;
			bool inside = road_place(v->s->scene->info, v->box,
						 row, i, &at_row, &at);
			bool lit = i < road_ordered(v, v->box) * g.chunks;

			draw_chunk(c, &g, g.r.x + (int)i * g.w,
				   g.r.y + (int)row * g.h, i, inside,
				   !inside || !lit ?
				   INK_ON(ROLE_DIM, ROLE_OWN) : part > 0 ?
				   INK_ON(ROLE_TEXT, road_dim_hue(i)) :
				   (struct ink){ ROLE_ON_HUE, hue,
						 ATTR_BOLD });
		}
	return g.r;
}

/* Returns the rectangle of the matrix: to scale if possible, and no larger than
 * an element a pixel; rows are left for the box below it. */
static struct rect matrix_rect(struct rect r, int rows, int cols)
{
	int most = r.h >= 8 ? r.h - MAX(r.h / 2, 4) : r.h - 2;

	r = (struct rect){ r.x + RULER, r.y + 2, MIN(r.w - RULER, cols),
			   MIN(most, (rows + 1) / 2) };
	if (r.w * rows < 2 * r.h * cols)
		r.h = MAX(r.w * rows / (2 * cols), 1);
	else
		r.w = MAX(2 * r.h * cols / rows, 2);
	return r;
}

void road_matrix(struct canvas *c, struct rect r, const struct road_view *v,
		 struct rect *zoom)
{
	const struct trace_array *a = v->box ? &v->s->scene->info->arrays[
					v->box->from->array] : NULL;
	int rows = a ? (int)a->dims[0] : 0;
	int cols = a ? (int)a->dims[a->rank - 1] : 0;
	struct rect in;
	char words[96];

	if (!a || a->rank != 2 || r.w < 8 || r.h < 3)
		return;
	snprintf(words, sizeof(words), _("%s in global memory, %d \xc3\x97 "
					"%d"), a->name, rows, cols);
	if (text_width(words) > r.w)
		snprintf(words, sizeof(words), "%s  %d \xc3\x97 %d", a->name,
			 rows, cols);
	canvas_text(c, r.x, r.y, r.w, words, INK_BOLD(ROLE_STRONG));
	in = matrix_rect(r, rows, cols);
	draw_matrix_pixels(c, in, v, rows, cols);
	rule_matrix(c, in, v, rows, cols);
	in.y += in.h + 2;
	in = (struct rect){ r.x, in.y, r.w, r.y + r.h - in.y - 1 };
	if (in.h >= 2 && r.w >= RULER + 2 * (int)road_chunks(v->box))
		*zoom = draw_zoom(c, in, v);
}

/* ---- shared memory ---- */

/* A box in shared memory, or on its way there. */
struct box_place {
	const struct road_view *v;
	const struct road_box *box;
	const struct road_look *look;
	struct chunk_grid g;
	struct rect zoom;
	int to;
};

/* Tells whether all readers are done with the tile. */
static bool is_released(const struct road_view *v)
{
	const struct road_use *u = v->use;
	uint64_t when = v->s->scene->road_now.when;
	uint32_t all = road_released(v->road, u, UINT64_MAX);

	return all && road_released(v->road, u, when - (v->t < 1)) == all;
}

static struct ink chunk_ink(const struct box_place *p, uint32_t chunk,
			    bool inside, bool reads)
{
	enum role hue = road_hue(chunk);

	if (!inside)
		return INK_ON(ROLE_DIM, ROLE_TILE);
	if (is_released(p->v) || (p->look->reads && !reads))
		return INK_ON(ROLE_TEXT, road_dim_hue(chunk));
	return (struct ink){ ROLE_ON_HUE, hue, ATTR_BOLD };
}

/* Returns which of the rows shown next to the matrix the row y comes from; -1:
 * it is not shown there. If no rows are shown, all come from the side. */
static int shown_row(const struct box_place *p, int y)
{
	int row = (y - p->g.r.y) / p->g.h;

	return p->zoom.h && row >= p->zoom.h ? -1 : row;
}

/* Draws a chunk in flight; it comes from its place in the rows shown. */
static void draw_chunk_flight(struct canvas *c, const struct box_place *p,
			      uint32_t chunk, struct rect at, double part,
			      struct ink ink, bool inside)
{
	int row = shown_row(p, at.y);
	int x = p->zoom.x + (p->zoom.w ? (int)chunk * p->zoom.w /
					 (int)p->g.chunks : 0);
	int y = row < p->zoom.h ? p->zoom.y + row : at.y;

	draw_chunk(c, &p->g, (int)kit_between(x, at.x, part),
		   (int)kit_between(y, at.y, part), chunk, inside, ink);
}

static void draw_chunk_place(struct canvas *c, const struct box_place *p,
			     uint32_t row, uint32_t chunk, double part)
{
	const struct road_view *v = p->v;
	uint32_t across = MAX(p->box->to->tile.pitch / 16, 1), at_row, at;
	bool inside = road_place(v->s->scene->info, p->box, row, chunk,
				 &at_row, &at);
	bool reads = p->look->reads && p->look->reads[at_row * across + at];
	struct ink ink = chunk_ink(p, chunk, inside, reads);
	struct rect cell = { p->g.r.x + (int)at * p->g.w,
			     p->g.r.y + (int)(at_row - p->g.first) * p->g.h,
			     p->g.w - (p->g.w > 3), p->g.h };

	if (part < 1)
		canvas_fill(c, cell, ' ', INK_ON(ROLE_FAINT, ROLE_FIELD));
	if (part >= 1)
		draw_chunk(c, &p->g, cell.x, cell.y, chunk, inside, ink);
	else if (part > 0 && shown_row(p, cell.y) >= 0)
		draw_chunk_flight(c, p, chunk, cell, part, ink, inside);
	if (reads && v->t > 0 && v->t < 1)
		draw_chunk(c, &p->g, (int)kit_between(cell.x, p->to, v->t),
			   cell.y, chunk, inside, ink);
}

static void draw_chunk_places(struct canvas *c, struct box_place *p)
{
	double part = road_part(p->v, p->box);

	draw_row_labels(c, &p->g, p->box->to->tile.rows, 0);
	for (uint32_t row = p->g.first; row < p->g.first + p->g.rows; row++)
		for (uint32_t i = 0; i < p->g.chunks; i++)
			draw_chunk_place(c, p, row, i, part);
}

static void draw_copy_title(struct canvas *c, struct rect r,
			    const struct box_place *p, uint32_t block)
{
	char name[64], words[128];

	road_name(name, sizeof(name), p->v->s->scene->info,
		  p->box->to->array, p->box->to_at);
	snprintf(words, sizeof(words), _("shared memory of block %u: %s"),
		 block, name);
	if (text_width(words) > r.w)
		snprintf(words, sizeof(words), _("block %u: %s"), block, name);
	if (text_width(words) > r.w)
		snprintf(words, sizeof(words), "%s", name);
	canvas_text(c, r.x, r.y, r.w, words, INK_BOLD(ROLE_STRONG));
}

/* Returns part `nth` of a rectangle divided into `of` columns. */
static struct rect column_part(struct rect r, int nth, int of)
{
	return (struct rect){ r.x + nth * r.w / of, r.y,
			      r.w / of - (of > 1), r.h };
}

static void draw_copy_of_box(struct canvas *c, struct rect r,
			     const struct road_view *v, int look,
			     uint32_t block, struct rect zoom, int to)
{
	const struct road_look *l = &v->s->scene->road_now.looks[look];
	struct box_place p = { .v = v,
			       .box = &v->road->boxes[l->box],
			       .look = l,
			       .zoom = zoom,
			       .to = to };

	p.g = fit_chunk_rows((struct rect){ r.x, r.y + 1, r.w, r.h - 2 }, p.box,
			     l);
	draw_copy_title(c, r, &p, block);
	draw_chunk_places(c, &p);
}

/* Draws the copies of a box that is multicast; or the boxes of both matrices,
 * if they are being read. */
void road_shared(struct canvas *c, struct rect r, const struct road_view *v,
		 struct rect zoom, int to)
{
	const struct road_look *looks = v->s->scene->road_now.looks;
	int copies = v->box ? __builtin_popcount(v->box->blocks) : 0, n = 0;
	int least = v->box ? RULER + (int)road_chunks(v->box) : 0;

	if (!v->box || r.h < 3)
		return;
	if (copies > 1 && v->kind <= ROAD_LAND && r.w / copies >= least) {
		for (uint32_t i = 0; i < 32; i++)
			if (v->box->blocks >> i & 1)
				draw_copy_of_box(c, column_part(r, n++, copies),
						 v, 0, v->road->block + i, zoom,
						 to);
		return;
	}
	copies = 1 + (v->kind > ROAD_LAND && looks[1].box != ROAD_NONE &&
		      r.w / 2 >= least);
	for (n = 0; n < copies; n++)
		draw_copy_of_box(c, column_part(r, n, copies), v, n,
				 v->use->block, zoom, to);
}
