/* raster: see raster.h. */
#include "viz/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_POINTS (RASTER_COLUMNS * RASTER_ROWS)
/* A cell has few colours; what more there are counts as wrong. */
#define CELL_COLOURS 6

/* The points of a cell, a byte for each row. */
struct cell_mask { uint64_t half[2]; };

struct raster_glyph { uint32_t ch; struct cell_mask mask; };

/* ---- shapes ---- */

void raster_begin(struct raster *g, struct rect r)
{
	*g = (struct raster){ .r = { r.x, r.y, MAX(r.w, 0), MAX(r.h, 0) } };
	g->w = g->r.w * RASTER_COLUMNS;
	g->h = g->r.h * RASTER_ROWS;
	g->points = xcalloc((size_t)g->w * g->h + 1, 1);
}

/* Converts a position to points from the raster's edge, of which there are
 * `most`. */
static int to_point(double at, int edge, int each, int most)
{
	double point = rint((at - edge) * each);

	return point < 0 ? 0 : point > most ? most : (int)point;
}

static int to_point_column(const struct raster *g, double x)
{
	return to_point(x, g->r.x, RASTER_COLUMNS, g->w);
}

static int to_point_row(const struct raster *g, double y)
{
	return to_point(y, g->r.y, RASTER_ROWS, g->h);
}

static void fill_points(struct raster *g, int x0, int x1, int y0, int y1,
			enum role role)
{
	for (int y = y0; y < y1 && x1 > x0; y++)
		memset(&g->points[(size_t)y * g->w + x0], role,
		       (size_t)(x1 - x0));
}

void raster_box(struct raster *g, double x, double y, double w, double h,
		enum role role)
{
	fill_points(g, to_point_column(g, x), to_point_column(g, x + w),
		    to_point_row(g, y), to_point_row(g, y + h), role);
}

void raster_bar(struct raster *g, double x, double y, double w, double h,
		enum role role)
{
	double least = w > 0 ? 1.0 / RASTER_COLUMNS : 0;

	if (y != floor(y) || h != floor(h))
		w = round(w);
	raster_box(g, x, y, MAX(w, least), h, role);
}

/* Computes the two ends of a wedge at `u` (0 to 1) of the way from a to b. */
static void find_ends(const struct raster_wedge *w, double u, double *from,
		      double *to)
{
	if (w->curved)
		u *= u * (3 - 2 * u);
	*from = w->a.from + (w->b.from - w->a.from) * u;
	*to = w->a.to + (w->b.to - w->a.to) * u;
}

/* Tells whether the line of points in the middle of which `at` is belongs to
 * the part of a wedge; sets *u to its place on the way. */
static bool is_on_wedge(const struct raster_wedge *w, double at, double part,
			double *u)
{
	*u = (at - w->a.at) / (w->b.at - w->a.at);
	return *u >= 0 && *u <= MIN(part, 1);
}

void raster_wedge(struct raster *g, const struct raster_wedge *w, double part,
		  enum role role)
{
	int lines = w->sideways ? g->w : g->h;
	double first = w->sideways ? g->r.x : g->r.y;
	double each = w->sideways ? RASTER_COLUMNS : RASTER_ROWS;
	double from, to, u;

	for (int i = 0; i < lines; i++) {
		if (!is_on_wedge(w, first + (i + 0.5) / each, part, &u))
			continue;
		find_ends(w, u, &from, &to);
		if (w->sideways)
			fill_points(g, i, i + 1, to_point_row(g, MIN(from, to)),
				    to_point_row(g, MAX(from, to)), role);
		else
			fill_points(g, to_point_column(g, MIN(from, to)),
				    to_point_column(g, MAX(from, to)), i, i + 1,
				    role);
	}
}

enum role raster_lane(uint32_t lane)
{
	return (enum role)((lane % 2 ? ROLE_TRAIL0 : ROLE_HUE0) + lane / 8 % 4);
}

enum role raster_ribbon(uint32_t lane)
{
	return (enum role)(ROLE_RIBBON0 + lane / 8 % 4);
}

/* ---- characters ---- */

/* Sets the points of columns x0 to x1 and rows y0 to y1. */
static void add_points(struct cell_mask *m, int x0, int x1, int y0, int y1)
{
	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			m->half[y / 8] |= UINT64_C(1) << (y % 8 * 8 + x);
}

/* Returns a character of which the quadrants in `set` are filled: 1 upper left,
 * 2 upper right, 4 lower left, 8 lower right. */
static struct raster_glyph make_quadrants(uint32_t ch, int set)
{
	struct raster_glyph g = { .ch = ch };

	for (int i = 0; i < 4; i++)
		if (set >> i & 1)
			add_points(&g.mask, i % 2 * 4, i % 2 * 4 + 4,
				   i / 2 * 8, i / 2 * 8 + 8);
	return g;
}

/* Returns the characters to choose from; of equals the earlier is taken. */
static const struct raster_glyph *list_glyphs(size_t *count)
{
	static const struct { uint32_t ch; int set; } quadrants[] = {
		{ ' ', 0 }, { 0x2580, 3 }, { 0x2584, 12 }, { 0x258c, 5 },
		{ 0x2590, 10 }, { 0x2598, 1 }, { 0x259d, 2 }, { 0x2596, 4 },
		{ 0x2597, 8 }, { 0x259a, 9 }, { 0x259e, 6 }, { 0x2599, 13 },
		{ 0x259f, 14 }, { 0x259b, 7 }, { 0x259c, 11 },
	};
	static struct raster_glyph all[LENGTH(quadrants) + 12];
	static size_t n;

	*count = LENGTH(all);
	if (n == LENGTH(all))
		return all;
	n = 0;
	for (size_t i = 0; i < LENGTH(quadrants); i++)
		all[n++] = make_quadrants(quadrants[i].ch, quadrants[i].set);
	for (int i = 1; i < 8; i++) {
		if (i == 4)
			continue;
		all[n].ch = 0x2580 + (uint32_t)i;
		add_points(&all[n++].mask, 0, 8, 16 - 2 * i, 16);
		all[n].ch = 0x2590 - (uint32_t)i;
		add_points(&all[n++].mask, 0, i, 0, 16);
	}
	return all;
}

/* ---- cells ---- */

struct cell_colours {
	int count;
	uint8_t role[CELL_COLOURS];
	struct cell_mask mask[CELL_COLOURS];
	int points[CELL_COLOURS];
};

static uint64_t read_row(const struct raster *g, int x, int y, int row)
{
	uint64_t bytes;

	memcpy(&bytes, &g->points[((size_t)y * RASTER_ROWS + row) * g->w +
				  (size_t)x * RASTER_COLUMNS], sizeof(bytes));
	return bytes;
}

/* Returns 8 bits: which bytes of the row have the role. The bit of the first
 * point is the lowest, whatever the machine's order of bytes. */
static uint64_t match_role(uint64_t row, uint8_t role)
{
	const uint8_t *bytes = (const uint8_t *)&row;
	uint64_t bits = 0;

	for (int i = 0; i < RASTER_COLUMNS; i++)
		bits |= (uint64_t)(bytes[i] == role) << i;
	return bits;
}

static int count_points(struct cell_mask a, struct cell_mask b)
{
	return __builtin_popcountll(a.half[0] & b.half[0]) +
	       __builtin_popcountll(a.half[1] & b.half[1]);
}

static void add_colour(struct cell_colours *k, const uint64_t row[], uint8_t role)
{
	struct cell_mask *m = &k->mask[k->count];

	*m = (struct cell_mask){ { 0, 0 } };
	for (int i = 0; i < RASTER_ROWS; i++)
		m->half[i / 8] |= match_role(row[i], role) << i % 8 * 8;
	k->points[k->count] = count_points(*m, *m);
	k->role[k->count++] = role;
}

static bool has_colour(const struct cell_colours *k, uint8_t role)
{
	return memchr(k->role, role, (size_t)k->count);
}

/* Finds the colours of a cell. */
static void find_colours(struct cell_colours *k, const uint64_t row[])
{
	k->count = 0;
	for (int i = 0; i < RASTER_ROWS; i++) {
		const uint8_t *bytes = (const uint8_t *)&row[i];

		if (i > 0 && row[i] == row[i - 1])
			continue;
		for (int x = 0; x < RASTER_COLUMNS; x++)
			if (k->count < CELL_COLOURS && !has_colour(k, bytes[x]))
				add_colour(k, row, bytes[x]);
	}
}

/* Finds the commonest colour inside the mask. Returns its points. */
static int find_commonest(const struct cell_colours *k, struct cell_mask m,
			  uint8_t *role)
{
	int most = -1;

	for (int i = 0; i < k->count; i++) {
		int n = count_points(k->mask[i], m);

		if (n > most) {
			most = n;
			*role = k->role[i];
		}
	}
	return most;
}

static struct cell_mask invert_mask(struct cell_mask m)
{
	return (struct cell_mask){ { ~m.half[0], ~m.half[1] } };
}

/* Chooses the character and the two colours that leave the fewest points
 * wrong; of equals one that is drawn on nothing, not in it. */
static struct cell choose_cell(const struct cell_colours *k)
{
	size_t count;
	const struct raster_glyph *all = list_glyphs(&count);
	struct cell best = { .ch = ' ' };
	int most = -1;

	for (size_t i = 0; i < count && most <= 2 * CELL_POINTS; i++) {
		uint8_t fg = 0, bg = 0;
		int right = find_commonest(k, all[i].mask, &fg) +
			    find_commonest(k, invert_mask(all[i].mask), &bg);

		right = 2 * right + (i == 0 || fg != ROLE_NONE);
		if (right > most && (i == 0 || fg != bg)) {
			most = right;
			best = (struct cell){ all[i].ch, i ? fg : ROLE_NONE, bg,
					      0 };
		}
	}
	return best;
}

/* Returns what a role looks like without colour: ribbons are left out. */
static uint8_t without_ribbon(uint8_t role)
{
	if (role == ROLE_RIBBON_FOCUS)
		return ROLE_CURSOR;
	return role >= ROLE_RIBBON0 && role <= ROLE_RIBBON ? ROLE_NONE : role;
}

/* Draws a cell by its halves' commonest colours. */
static void draw_halves(struct canvas *c, int x, int y,
			const struct cell_colours *k)
{
	struct cell_mask upper = { { ~UINT64_C(0), 0 } };
	uint8_t up = 0, low = 0;

	find_commonest(k, upper, &up);
	find_commonest(k, invert_mask(upper), &low);
	if (c->mono) {
		up = without_ribbon(up);
		low = without_ribbon(low);
	}
	if (!up && !low)
		return;
	canvas_pixel(c, x, 2 * y, up);
	canvas_pixel(c, x, 2 * y + 1, low);
}

static void draw_cell(struct canvas *c, int x, int y,
		      const struct cell_colours *k)
{
	uint8_t role = ROLE_NONE;

	if (c->mono) {
		draw_halves(c, x, y, k);
	} else if (c->ascii) {
		if (2 * find_commonest(k, invert_mask((struct cell_mask){ { 0, 0 } }),
				       &role) == CELL_POINTS)
			draw_halves(c, x, y, k);
		else
			canvas_put(c, x, y, ' ', INK_ON(ROLE_NONE, role));
	} else {
		canvas_set(c, x, y, choose_cell(k));
	}
}

void raster_end(struct raster *g, struct canvas *c)
{
	struct cell_colours k;
	uint64_t row[RASTER_ROWS];

	for (int y = 0; y < g->r.h; y++)
		for (int x = 0; x < g->r.w; x++) {
			for (int i = 0; i < RASTER_ROWS; i++)
				row[i] = read_row(g, x, y, i);
			find_colours(&k, row);
			if (k.count > 1 || k.role[0] != ROLE_NONE)
				draw_cell(c, g->r.x + x, g->r.y + y, &k);
		}
	free(g->points);
	*g = (struct raster){ 0 };
}
