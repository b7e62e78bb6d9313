/* bank_tile: see bank_tile.h. */
#include "viz/pictures/banks/bank_tile.h"

#include <stdio.h>

#include "base/lang.h"
#include "base/text.h"
#include "scene/scene.h"
#include "viz/frame_model.h"
#include "viz/kit.h"
#include "viz/raster.h"

#define AXIS 5		/* columns at the left, for numbers */
#define SIDE 16		/* the least columns for the count at the right */
#define ROWS_AT_LEAST 32	/* rows of an array that has them */
#define POINTS RASTER_ROWS

/* Where things are: in columns and rows of the canvas. */
struct tile_plan {
	const struct bank_tile *t;
	struct rect r;
	struct bank_rows_shown shown;
	int x, width;		/* of the first bank; columns of a bank */
	double line, unit;	/* rows of a row of the tile, of a wavefront */
	double least;		/* what a word in a queue takes at least */
	int axis;		/* the row of the banks' numbers */
	double base;		/* below the queues */
};

/* ---- rows ---- */

/* Returns the bytes of a row: of 32 words where the array has no rows. */
static uint32_t row_bytes(const struct scene *sc, const struct banks_layout *l)
{
	return l->pitch ? l->pitch * sc->array->elem_bytes : BANKS * BANK_BYTES;
}

static uint32_t word_row(const struct scene *sc, const struct banks_layout *l,
			 const struct access_word *w)
{
	return (uint32_t)((w->word * BANK_BYTES - sc->array->base) /
			  row_bytes(sc, l));
}

/* Returns the rows of the whole array. */
static uint32_t count_tile_rows(const struct scene *sc)
{
	const struct trace_array *a = sc->array;
	uint64_t elements = 1;

	for (uint32_t i = 0; i < a->rank; i++)
		elements *= a->dims[i];
	return (uint32_t)(elements * a->elem_bytes /
			  row_bytes(sc, &sc->banks->now));
}

struct bank_rows_shown bank_tile_rows(const struct scene *sc)
{
	const struct banks_layout *l = &sc->banks->now;
	uint32_t first = UINT32_MAX, last = 0, all = count_tile_rows(sc);

	for (size_t i = 0; i < l->word_count; i++) {
		uint32_t row = word_row(sc, l, &l->words[i]);

		first = MIN(first, row);
		last = MAX(last, row);
	}
	first = MIN(first, last) / 8 * 8;
	last = last / 8 * 8 + 7;
	if (last - first < ROWS_AT_LEAST) {
		first = first / ROWS_AT_LEAST * ROWS_AT_LEAST;
		last = MAX(last, first + ROWS_AT_LEAST - 1);
	}
	last = MAX(MIN(last + 1, all), first + 1);
	return (struct bank_rows_shown){ first, last - first };
}

/* ---- the plan ---- */

bool bank_tile_has_side(int w)
{
	return w >= AXIS + BANKS + SIDE;
}

/* Returns the points of a row of the tile, of which so many are there. */
static double fit_line(int points, uint32_t rows)
{
	double fit = (double)points / rows;

	if (fit >= 2 * POINTS)
		return 2 * POINTS;
	return fit >= POINTS ? POINTS : fit >= POINTS / 2 ? POINTS / 2.0 : fit;
}

static struct tile_plan plan_tile(struct rect r, const struct bank_tile *t)
{
	int room = MAX(r.h - 1, 2), most = MAX(t->most, 1);
	int side = bank_tile_has_side(r.w) ? SIDE : 0;
	int unit = room * POINTS * 3 / 10 / most, queue;
	struct tile_plan p = { .t = t, .r = r, .x = r.x + AXIS,
			       .shown = bank_tile_rows(t->scene) };

	p.width = MAX(1, MIN((r.w - AXIS - side) / BANKS, 4));
	unit = unit >= POINTS ? POINTS : MAX(unit, 2);
	queue = MIN((unit * most + POINTS - 1) / POINTS, MAX(room / 2, 1));
	p.unit = MIN((double)unit / POINTS, (double)queue / most);
	p.line = fit_line((room - queue) * POINTS, t->rows) / POINTS;
	p.axis = r.y + (int)(p.line * t->rows + 0.999);
	p.base = p.axis + 1 + queue;
	return p;
}

static int bank_column(const struct tile_plan *p, int bank)
{
	return p->x + bank * p->width;
}

/* Returns the first row of the canvas that a row of the tile takes. */
static double row_top(const struct tile_plan *p, uint32_t row)
{
	return p->r.y + (row - p->shown.first) * p->line;
}

/* ---- the ground ---- */

static void draw_field(struct raster *g, const struct tile_plan *p)
{
	const struct scene *sc = p->t->scene;
	const struct banks_layout *l = p->t->layout;
	uint32_t bytes = row_bytes(sc, l);
	uint32_t used = l->pitch ? sc->banks->least * sc->array->elem_bytes :
				   bytes;
	uint32_t words = MIN(used, bytes) / BANK_BYTES;

	for (uint32_t i = 0; i < p->shown.count; i++) {
		uint64_t at = sc->array->base +
			      (uint64_t)(p->shown.first + i) * bytes;
		double y = row_top(p, p->shown.first + i);

		if (words >= BANKS)
			raster_box(g, p->x, y, BANKS * p->width, p->line,
				   ROLE_FIELD);
		for (uint32_t k = 0; words < BANKS && k < words; k++)
			raster_box(g, bank_column(p, (at / BANK_BYTES + k) %
						     BANKS), y,
				   p->width, p->line, ROLE_FIELD);
	}
	raster_box(g, p->x, p->base - p->t->most * p->unit, BANKS * p->width,
		   p->t->most * p->unit, ROLE_FIELD);
}

/* ---- words ---- */

static enum role lanes_role(const struct scene *sc, uint32_t lanes)
{
	uint32_t focus = lanes & sc->focus_lanes;
	uint32_t lane = (uint32_t)__builtin_ctz(focus ? focus : lanes);
	bool others = sc->cursor.focus != FOCUS_LANE;

	if (focus && !others)
		return ROLE_CURSOR;
	if (!focus && others)
		return ROLE_FADE0 + (enum role)(lane / 8);
	return raster_lane(lane);
}

/* Returns the height of a word's mark: at least half a row. */
static double mark_height(const struct tile_plan *p)
{
	return MAX(p->line, 0.5);
}

/* Returns the row at which a word's mark begins; a mark that is higher than its
 * row begins at a half. */
static double mark_top(const struct tile_plan *p, const struct access_word *w)
{
	double y = row_top(p, word_row(p->t->scene, p->t->layout, w));

	return p->line < 0.5 ? (int)(2 * y) / 2.0 : y;
}

static void draw_marks(struct raster *g, const struct tile_plan *p, bool focus)
{
	const struct banks_layout *l = p->t->layout;

	for (size_t i = 0; i < l->word_count; i++) {
		const struct access_word *w = &l->words[i];
		enum role role = lanes_role(p->t->scene, w->lanes);

		if ((role == ROLE_CURSOR) == focus)
			raster_box(g, bank_column(p, w->bank), mark_top(p, w),
				   p->width, mark_height(p), role);
	}
}

/* Returns how far a word of this wavefront has fallen at the time t, 0 to 1. */
static double fall_part(const struct banks_layout *l, int wavefront, double t)
{
	double from = 0.6 * wavefront / MAX(l->cost.wavefronts, 1);

	return kit_act(t, from, from + 0.4);
}

int bank_tile_served(const struct banks_layout *l, double t)
{
	int n = 0;

	while (n < l->cost.wavefronts && fall_part(l, n, t) >= 1)
		n++;
	return n;
}

/* Draws the words that fall or have fallen. Those on the floor are as high as
 * can be seen. */
static void draw_queues(struct raster *g, const struct tile_plan *p)
{
	const struct banks_layout *l = p->t->layout;

	for (size_t i = 0; i < l->word_count; i++) {
		const struct access_word *w = &l->words[i];
		double part = fall_part(l, w->wavefront, p->t->t);
		double end = p->base - (w->wavefront + 1) * p->unit;
		double high = part < 1 ? MAX(p->unit, 0.5) : p->unit;

		if (part <= 0)
			continue;
		if (part >= 1 && end + p->least > p->base) {
			end = p->base - p->least;
			high = p->least;
		}
		raster_box(g, bank_column(p, w->bank),
			   kit_between(mark_top(p, w), end, part * part),
			   p->width, high, lanes_role(p->t->scene, w->lanes));
	}
}

/* ---- numbers ---- */

/* Returns the bank of the first word of the focused lanes; -1: none, or a
 * question is open. */
static int focused_bank(const struct bank_tile *t)
{
	for (size_t i = 0; i < t->layout->word_count && !t->quiet; i++)
		if (t->layout->words[i].lanes & t->scene->focus_lanes)
			return t->layout->words[i].bank;
	return -1;
}

static void draw_axes(struct canvas *c, const struct tile_plan *p)
{
	const struct trace_array *a = p->t->scene->array;
	uint32_t per = a->rank > 1 ? (uint32_t)a->dims[a->rank - 2] : UINT32_MAX;
	int y = p->axis, last = -2, most = p->t->most;
	struct kit_axis banks = { .x = p->x, .y = y, .each = p->width,
				  .count = BANKS, .times = 1,
				  .focus = focused_bank(p->t) };

	for (uint32_t i = 0; i < p->shown.count; i += 8) {
		int at = (int)row_top(p, p->shown.first + i);

		if (at > last + 1 && at < p->axis)
			canvas_textf(c, p->r.x, last = at, AXIS - 1,
				     INK(ROLE_FAINT), "%4u",
				     (p->shown.first + i) % per);
	}
	canvas_text(c, p->r.x, y, AXIS - 1, _("bank"), INK(ROLE_DIM));
	kit_axis(c, &banks);
	if (p->base - y > 2)
		canvas_textf(c, p->r.x, (int)p->base - 1, AXIS - 1,
			     INK(ROLE_FAINT), "%4d", 1);
	canvas_textf(c, p->r.x, (int)(p->base - most * p->unit), AXIS - 1,
		     INK(ROLE_FAINT), "%4d", most);
}

/* Draws the count with its words at the right. */
static void draw_side(struct canvas *c, const struct tile_plan *p)
{
	const struct bank_tile *t = p->t;
	int x = bank_column(p, BANKS) + 2, served, used = 0, rows;
	struct rect r = { x, p->r.y, p->r.x + p->r.w - x, p->r.h };
	char text[16];

	if (!bank_tile_has_side(p->r.w) || t->quiet)
		return;
	served = bank_tile_served(t->layout, t->t);
	snprintf(text, sizeof(text), "%d", served);
	if (r.h >= 12) {
		kit_number(c, (struct rect){ r.x, r.y + 1, r.w, 5 }, text,
			   t->role);
		used = 7;
		canvas_text(c, r.x, r.y + used++, r.w, t->words,
			    INK_BOLD(t->role));
	} else {
		canvas_textf(c, r.x, r.y + used++, r.w, INK_BOLD(t->role),
			     "%s %s", text, t->words);
	}
	used += prose_text(c, (struct rect){ r.x, r.y + used, r.w,
					     r.h - used }, 0, t->more,
			   INK(ROLE_TEXT)) + (r.h > 14);
	r.y += used;
	r.h -= used;
	rows = prose_text(NULL, r, 0, t->reading, INK(ROLE_DIM));
	if (rows <= r.h)
		prose_text(c, r, 0, t->reading, INK(ROLE_DIM));
}

void bank_tile_draw(struct canvas *c, struct rect r, const struct bank_tile *t)
{
	struct tile_plan p = plan_tile(r, t);
	struct rect old = canvas_clip(c, r);
	struct raster g;

	p.least = c->mono || c->ascii ? MAX(p.unit, 0.5) : p.unit;
	raster_begin(&g, r);
	draw_field(&g, &p);
	draw_marks(&g, &p, false);
	draw_marks(&g, &p, true);
	if (!t->quiet)
		draw_queues(&g, &p);
	raster_end(&g, c);
	draw_axes(c, &p);
	draw_side(c, &p);
	canvas_clip(c, old);
}
