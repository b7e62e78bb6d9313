/*
 * The roofline's labels: each on its point, or, where another one is, as near to
 * it as it can stand without covering anything, with a line from the one to the
 * other.
 */
#include <stdlib.h>

#include "viz/kit.h"
#include "viz/view_benchmark.h"

/* How far a label may stand from its point. */
#define FAR_X 16
#define FAR_Y 6

/* The cells of r that something stands on, and those that a label does. */
struct taken { struct rect r; bool *cell, *label; };

static bool is_taken(const struct taken *t, int x, int y)
{
	x -= t->r.x;
	y -= t->r.y;
	return x >= 0 && y >= 0 && x < t->r.w && y < t->r.h &&
	       t->cell[y * t->r.w + x];
}

static void take(const struct taken *t, bool *cell, int x, int y, int w)
{
	for (int i = MAX(x, t->r.x); i < MIN(x + w, t->r.x + t->r.w); i++)
		cell[(y - t->r.y) * t->r.w + i - t->r.x] = true;
}

/* A label has a blank cell on either side, or its point, if no other label's
 * letter covers it; its own first letter may. */
static bool is_free(const struct taken *t, const struct roofline_label *l,
		    int x, int y)
{
	if (x < t->r.x || x + l->w > t->r.x + t->r.w || y < t->r.y ||
	    y >= t->r.y + t->r.h)
		return false;
	for (int i = x - 1; i <= x + l->w; i++) {
		bool own = i == l->x && y == l->y;
		bool beside = i < x || i == x + l->w;

		if (is_taken(t, i, y) && !(own && (beside || x == l->x) &&
		    !t->label[(y - t->r.y) * t->r.w + i - t->r.x]))
			return false;
	}
	return true;
}

/* A row counts as two columns; right of the point is better than left. */
static int cost_of(const struct roofline_label *l, int x, int y)
{
	int gap = x > l->x ? x - l->x : MAX(l->x - (x + l->w - 1), 0);

	return 4 * gap + 9 * abs(y - l->y) + (x <= l->x);
}

static void place(struct taken *t, struct roofline_label *l)
{
	int best = -1;

	for (int y = l->y - FAR_Y; y <= l->y + FAR_Y; y++)
		for (int x = l->x - FAR_X - l->w; x <= l->x + FAR_X; x++) {
			int cost = cost_of(l, x, y);

			if ((best >= 0 && cost >= best) ||
			    !is_free(t, l, x, y))
				continue;
			best = cost;
			l->at_x = x;
			l->at_y = y;
		}
	if (best < 0) {
		l->w = 0;
		return;
	}
	take(t, t->label, l->at_x, l->at_y, l->w);
	take(t, t->cell, l->at_x, l->at_y, l->w);
}

void roofline_place(const struct canvas *c, struct rect r,
		    struct roofline_label *labels, size_t count)
{
	size_t n = (size_t)r.w * (size_t)r.h;
	struct taken t = { r, xcalloc(n, sizeof(bool)),
			   xcalloc(n, sizeof(bool)) };

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (canvas_at(c, x, y)->ch != ' ')
				take(&t, t.cell, x, y, 1);
	for (size_t i = 0; i < count; i++)
		take(&t, t.cell, labels[i].x, labels[i].y, 1);
	for (size_t i = 0; i < count; i++)
		place(&t, &labels[i]);
	free(t.label);
	free(t.cell);
}

/* To the end of the label that is nearer, unless it touches the point. */
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
