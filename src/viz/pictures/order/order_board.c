/* order_board: draws A, B and C in one scale. */
#include "viz/pictures/order/order_board.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/raster.h"

double order_scale(double m, double n, uint32_t rows, int w, int h)
{
	double scale = MIN(w / n, 2.0 * h / m);
	double tile = rows ? scale * m / rows : 0;

	/* Half rows of cells, so that waves of whole rows are whole. */
	return tile >= 1 ? floor(tile) * rows / m : scale;
}

int order_board_width(const struct order_board *b)
{
	return b->strip_w + 2 + (int)ceil(b->o->n * b->scale - 1e-6);
}

int order_board_height(const struct order_board *b)
{
	return b->strip_h + 1 + (int)ceil(b->o->m * b->scale / 2 - 1e-6);
}

/* Returns the look of a wave: neighbours differ, and those to come are
 * darker. */
static enum role wave_role(const struct order *o, uint32_t wave)
{
	if (wave < o->wave)
		return wave % 2 ? ROLE_SEEN : ROLE_OWN;
	return wave % 2 ? ROLE_TILE : ROLE_FIELD;
}

/* Returns whether the tile is white: those of this wave take over from those of
 * the wave before, one after the other. */
static bool is_white(const struct order *o, uint32_t i, double part)
{
	uint32_t n = o->end - o->first;

	if (o->tiles[i].wave == o->wave)
		return !o->wave || i - o->first < part * n;
	return o->tiles[i].wave + 1 == o->wave && part < 1 &&
	       o->first - i <= (1 - part) * n;
}

static void draw_wave_tiles(struct raster *g, const struct order_board *b,
		       double part)
{
	const struct order *o = b->o;
	double w = o->tile_cols * b->scale, h = o->tile_rows * b->scale / 2;

	for (uint32_t row = 0; row < o->rows; row++)
		for (uint32_t col = 0; col < o->cols; col++) {
			uint32_t i = order_at(o, row, col);

			if (i == ORDER_NONE)
				continue;
			raster_box(g, b->x + col * w, b->y + row * h, w, h,
				   is_white(o, i, part) ? ROLE_CURSOR :
				   wave_role(o, o->tiles[i].wave));
		}
}

/* Draws the tiles on their way from where they were before they were grouped
 * anew: each keeps its number and its wave. */
static void slide_tiles(struct raster *g, const struct order_board *b,
			double part)
{
	const struct order *o = b->o;
	double w = o->tile_cols * b->scale, h = o->tile_rows * b->scale / 2;

	for (int white = 0; white < 2; white++)
		for (uint32_t i = 0; i < o->count; i++) {
			const struct order_tile *to = &o->tiles[i];
			const struct order_tile *from = &o->before[i];
			bool now = to->wave == o->wave;

			if (now != white)
				continue;
			raster_box(g, b->x + w * kit_between(from->col, to->col,
							     part),
				   b->y + h * kit_between(from->row, to->row,
							  part), w, h,
				   now ? ROLE_CURSOR : wave_role(o, to->wave));
		}
}

/* Tells whether the wave read a strip before: of the wave before this one, or
 * before the tiles were grouped anew. */
static bool has_read(const struct order *o, uint32_t at, bool rows)
{
	if (!o->before)
		return o->wave && order_wave_reads(o, o->wave - 1, at, rows);
	for (uint32_t i = o->first; i < o->end; i++)
		if ((rows ? o->before[i].row : o->before[i].col) == at)
			return true;
	return false;
}

/* Draws the strips of A or of B; those of this wave grow in, those of the wave
 * before alone shrink. */
static void draw_wave_strips(struct raster *g, const struct order_board *b,
			bool rows, double part)
{
	const struct order *o = b->o;
	uint32_t count = rows ? o->rows : o->cols;
	double each = rows ? o->tile_rows * b->scale / 2 :
			     o->tile_cols * b->scale;
	enum role hue = rows ? ROLE_HUE0 : ROLE_HUE1;

	for (uint32_t i = 0; i < count; i++) {
		bool now = order_wave_reads(o, o->wave, i, rows);
		bool was = has_read(o, i, rows);
		double lit = now && was ? 1 : now ? part : was ? 1 - part : 0;

		if (!o->wave && !o->before)
			lit = now;
		if (rows) {
			raster_box(g, b->x - 1 - b->strip_w, b->y + i * each,
				   b->strip_w, each, ROLE_OWN);
			raster_box(g, b->x - 1 - b->strip_w, b->y + i * each,
				   b->strip_w * lit, each, hue);
		} else {
			raster_box(g, b->x + i * each, b->y - 1 - b->strip_h,
				   each, b->strip_h, ROLE_OWN);
			raster_box(g, b->x + i * each, b->y - 1 - b->strip_h,
				   each, b->strip_h * lit, hue);
		}
	}
}

/* A part of C: columns and rows from its corner. */
struct wave_place { double x0, x1, y0, y1; };

/* Finds the part of C that a wave is in. Returns whether its number has room
 * there. */
static bool find_wave_place(const struct order_board *b, uint32_t wave,
			    struct wave_place *p)
{
	const struct order *o = b->o;
	double w = o->tile_cols * b->scale, h = o->tile_rows * b->scale / 2;

	*p = (struct wave_place){ 1e9, 0, 1e9, 0 };
	for (uint32_t i = 0; i < o->count; i++) {
		const struct order_tile *t = &o->tiles[i];

		if (t->wave != wave)
			continue;
		p->x0 = MIN(p->x0, t->col * w);
		p->x1 = MAX(p->x1, (t->col + 1) * w);
		p->y0 = MIN(p->y0, t->row * h);
		p->y1 = MAX(p->y1, (t->row + 1) * h);
	}
	return p->x1 - p->x0 >= (wave < 9 ? 2 : 3) && p->y1 - p->y0 > 0.99;
}

/* Writes the waves' numbers; if one has no room, only that of this wave. */
static void number_waves(struct canvas *c, const struct order_board *b)
{
	const struct order *o = b->o;
	struct wave_place p;
	bool all = true;

	for (uint32_t wave = 0; wave < o->waves; wave++)
		all &= find_wave_place(b, wave, &p);
	for (uint32_t wave = 0; wave < o->waves; wave++) {
		int len = wave < 9 ? 1 : 2;

		if (!find_wave_place(b, wave, &p) || (!all && wave != o->wave))
			continue;
		canvas_textf(c, b->x + (int)(p.x0 + MIN((p.x1 - p.x0 - len) / 2,
							2)),
			     b->y + (int)((p.y0 + p.y1) / 2), len,
			     wave == o->wave ?
			     (struct ink){ ROLE_ON_HUE, ROLE_CURSOR,
					   ATTR_BOLD } :
			     INK(wave < o->wave ? ROLE_STRONG : ROLE_DIM),
			     "%u", wave + 1);
	}
}

/* Writes the tiles' numbers. Returns false if they have no room. */
static bool number_tiles(struct canvas *c, const struct order_board *b)
{
	const struct order *o = b->o;
	double w = o->tile_cols * b->scale, h = o->tile_rows * b->scale / 2;

	if (w < 4 || h < 1)
		return false;
	for (uint32_t i = 0; i < o->count; i++)
		canvas_textf(c, b->x + (int)((o->tiles[i].col + 0.5) * w) - 1,
			     b->y + (int)((o->tiles[i].row + 0.5) * h), 4,
			     o->tiles[i].wave == o->wave ?
			     (struct ink){ ROLE_ON_HUE, ROLE_CURSOR,
					   ATTR_BOLD } : INK(ROLE_STRONG),
			     "%u", i);
	return true;
}

void order_board_draw(struct canvas *c, const struct order_board *b,
		      double part, bool quiet)
{
	const struct order *o = b->o;
	struct raster g;
	int left = b->x - 1 - b->strip_w;

	if (quiet)
		part = 1;
	raster_begin(&g, (struct rect){ left, b->y - 1 - b->strip_h,
					order_board_width(b),
					order_board_height(b) });
	if (o->before && part < 1)
		slide_tiles(&g, b, part);
	else
		draw_wave_tiles(&g, b, part);
	draw_wave_strips(&g, b, true, part);
	draw_wave_strips(&g, b, false, part);
	raster_end(&g, c);
	if (part >= 1 && (o->larger || !number_tiles(c, b)))
		number_waves(c, b);
	canvas_put(c, left, b->y - 1, 'A', INK_BOLD(ROLE_STRONG));
	canvas_put(c, b->x - 2, b->y - 1 - b->strip_h, 'B',
		   INK_BOLD(ROLE_STRONG));
}
