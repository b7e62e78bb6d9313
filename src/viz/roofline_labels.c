/*
 * The roofline's labels: each stands on its point or, where another one stands
 * there, as near to it as it can without covering anything, with a line between
 * them.
 */
#include <stdlib.h>

#include "viz/kit.h"
#include "viz/view_benchmark.h"

/* How far a label may stand from its point. */
#define FAR_X 16
#define FAR_Y 6

/* The cells of r that are taken, and those that a label takes. */
struct taken_cells {
	struct rect r;
	bool *cell, *label;
};

static bool is_cell_taken(const struct taken_cells *t, int x, int y)
{
	x -= t->r.x;
	y -= t->r.y;
	return x >= 0 && y >= 0 && x < t->r.w && y < t->r.h &&
	       t->cell[y * t->r.w + x];
}

static void take_cells(const struct taken_cells *t, bool *cell, int x, int y,
		       int w)
{
	for (int i = MAX(x, t->r.x); i < MIN(x + w, t->r.x + t->r.w); i++)
		cell[(y - t->r.y) * t->r.w + i - t->r.x] = true;
}

/* Tells whether a label fits at (x, y): on either side it needs a blank cell,
 * or its own point if no other label's letter covers that. */
static bool has_label_room(const struct taken_cells *t,
			   const struct roofline_label *l, int x, int y)
{
	if (x < t->r.x || x + l->w > t->r.x + t->r.w || y < t->r.y ||
	    y >= t->r.y + t->r.h)
		return false;
	for (int i = x - 1; i <= x + l->w; i++) {
		bool own = i == l->x && y == l->y;
		bool beside = i < x || i == x + l->w;

		if (is_cell_taken(t, i, y) &&
		    !(own && (beside || x == l->x) &&
		      !t->label[(y - t->r.y) * t->r.w + i - t->r.x]))
			return false;
	}
	return true;
}

/* Returns how bad a place is for a label. A row counts as two columns; right of
 * the point is better than left. */
static int label_cost(const struct roofline_label *l, int x, int y)
{
	int gap = x > l->x ? x - l->x : MAX(l->x - (x + l->w - 1), 0);

	return 4 * gap + 9 * abs(y - l->y) + (x <= l->x);
}

static void place_label(struct taken_cells *t, struct roofline_label *l)
{
	int best = -1;

	for (int y = l->y - FAR_Y; y <= l->y + FAR_Y; y++)
		for (int x = l->x - FAR_X - l->w; x <= l->x + FAR_X; x++) {
			int cost = label_cost(l, x, y);

			if ((best >= 0 && cost >= best) ||
			    !has_label_room(t, l, x, y))
				continue;
			best = cost;
			l->at_x = x;
			l->at_y = y;
		}
	if (best < 0) {
		l->w = 0;
		return;
	}
	take_cells(t, t->label, l->at_x, l->at_y, l->w);
	take_cells(t, t->cell, l->at_x, l->at_y, l->w);
}

void roofline_place(const struct canvas *c, struct rect r,
		    struct roofline_label *labels, size_t count)
{
	size_t n = (size_t)r.w * (size_t)r.h;
	struct taken_cells t = { r, xcalloc(n, sizeof(bool)),
				 xcalloc(n, sizeof(bool)) };

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (canvas_at(c, x, y)->ch != ' ')
				take_cells(&t, t.cell, x, y, 1);
	for (size_t i = 0; i < count; i++)
		take_cells(&t, t.cell, labels[i].x, labels[i].y, 1);
	for (size_t i = 0; i < count; i++)
		place_label(&t, &labels[i]);
	free(t.label);
	free(t.cell);
}

/* Draws a line from the point to the nearer end of its label, unless they
 * touch. */
void roofline_line(struct canvas *c, const struct roofline_label *l,
		   struct ink ink)
{
	int x = l->at_x > l->x ? l->at_x - 1 :
		l->at_x + l->w <= l->x ? l->at_x + l->w : l->x;
	int y = x != l->x || l->at_y == l->y ? l->at_y :
		l->at_y + (l->y > l->at_y ? 1 : -1);

	if (x != l->x || y != l->y)
		kit_ray(c, l->x, l->y, x, y, 0, 1, ink);
}
