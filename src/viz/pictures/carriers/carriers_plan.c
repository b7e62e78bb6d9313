/* carriers_plan: see carriers_plan.h. */
#include "viz/pictures/carriers/carriers_plan.h"

#define LABEL_A 4
#define WORDS 3		/* rows for what the thread is, and for the scale */
#define CORNER 28	/* the least columns for that in a corner */

int axis_span(struct carriers_axis a, uint32_t n)
{
	return ((int)n * a.cells + a.per - 1) / a.per;
}

uint32_t carriers_rows(const struct carrier_map *m)
{
	return m->array < 0 ? 0 : m->box.row1 - m->box.row0 + 1;
}

uint32_t carriers_cols(const struct carrier_map *m)
{
	return m->array < 0 ? 0 : m->box.col1 - m->box.col0 + 1;
}

/* The columns, and the half rows, that `n` elements may take. A part of a
 * thread, such as four elements, keeps a whole size as long as it can. */
static const int cells[] = { 48, 40, 32, 28, 24, 20, 16, 12, 8, 7, 6, 5, 4, 3, 2,
			     1 };

static bool is_suitable_size(int n, uint32_t part)
{
	return n <= 4 || n * (int)part % 4 == 0;
}

static struct carriers_axis axis_for(uint32_t n, int room, uint32_t part)
{
	struct carriers_axis a = { 1, 4 };

	for (size_t i = 0; i < LENGTH(cells); i++) {
		if (!is_suitable_size(cells[i], part))
			continue;
		a.cells = cells[i];
		if (axis_span(a, n) <= room)
			return a;
	}
	while (axis_span(a, n) > room && a.per < 1 << 16)
		a.per *= 2;
	return a;
}

static struct carriers_plane plane_of(const struct carrier_map *m, int label)
{
	struct carriers_plane p = { .map = m, .label = label, .rows = 1,
				    .cols = 1, .down = { 1, 4 } };
	uint32_t cols = carriers_cols(m);

	while (p.cols < cols && m->by[p.cols] == m->by[0])
		p.cols++;
	while (p.rows < carriers_rows(m) && m->by[p.rows * cols] == m->by[0])
		p.rows++;
	return p;
}

static int plane_height(const struct carriers_plane *p)
{
	return (axis_span(p->down, carriers_rows(p->map)) + 1) / 2;
}

static int plane_width(const struct carriers_plan *p,
		       const struct carriers_plane *at)
{
	return axis_span(p->across, carriers_cols(at->map));
}

/* Shrinks marks until they are no higher than wide: a column is half as wide as
 * a row is high. */
static struct carriers_axis square_marks(struct carriers_axis down,
					 struct carriers_axis across)
{
	while (down.cells > 4 && down.cells * across.per >
				 2 * across.cells * down.per)
		down.cells -= down.cells > 8 ? 4 : 1;
	return down;
}

/* Returns the largest height at which two planes, one above the other, fit in
 * `rows` rows. */
static struct carriers_axis down_for(const struct carriers_plane *b,
				     const struct carriers_plane *c, int rows,
				     struct carriers_axis across)
{
	struct carriers_plane one = *b, other = *c;
	uint32_t n = carriers_rows(b->map) + carriers_rows(c->map);
	struct carriers_axis a;

	for (int room = 2 * rows; room > 1; room--) {
		a = square_marks(axis_for(n, room, c->rows), across);
		one.down = other.down = a;
		if (plane_height(&one) + plane_height(&other) <= rows)
			return a;
	}
	return a;
}

static struct carriers_axis across_for(const struct carriers_plan *p,
				       uint32_t n, int room)
{
	return axis_for(n, room, p->a.cols % 4 == 0 && p->c.cols % 4 == 0 ? 4 :
			1);
}

/* Returns the columns between A and the others: 1 and a third of those that are
 * left over, up to 12 more. */
static int gap_columns(struct rect r, const struct carriers_plan *p,
		       uint32_t right)
{
	int used = LABEL_A + plane_width(p, &p->a) + 1 + CARRIERS_LABEL +
		   axis_span(p->across, right);

	return 1 + MIN(MAX(r.w - used, 0) / 3, 12);
}

static void place_plane(struct carriers_plane *p, int x, int y, int title)
{
	p->x = x;
	p->y = y;
	p->title = (struct rect){ x, y - 1, title, 1 };
}

/*	A    B    C	*/
static struct carriers_plan plan_row(struct rect r, struct carriers_plan p)
{
	struct carriers_plane *at[] = { &p.a, &p.b, &p.c };
	uint32_t cols = 0, rows = 1;
	int x = r.x;

	for (int i = 0; i < 3; i++) {
		cols += carriers_cols(at[i]->map);
		rows = MAX(rows, carriers_rows(at[i]->map));
	}
	p.across = across_for(&p, cols, r.w - LABEL_A - 2 * CARRIERS_LABEL - 2);
	for (int i = 0; i < 3; i++) {
		at[i]->down = square_marks(
			axis_for(rows, 2 * (r.h - 1 - WORDS), p.c.rows),
			p.across);
		x += at[i]->label + (i > 0);
		place_plane(at[i], x, r.y + 1, plane_width(&p, at[i]));
		x += plane_width(&p, at[i]);
	}
	p.c.title.w = r.x + r.w - p.c.x;
	p.words = (struct rect){ r.x, r.y + r.h - WORDS, r.w, WORDS };
	return p;
}

/*	words	B
 *	A	C	*/
static struct carriers_plan plan_corner(struct rect r, struct carriers_plan p)
{
	uint32_t right = MAX(carriers_cols(p.b.map), carriers_cols(p.c.map));
	int left, rows, apart;

	/* B's title stands beside it: apart from what is above. */
	if (r.h >= 24) {
		r.y++;
		r.h--;
	}
	rows = r.h - 1;
	p.across = across_for(&p, carriers_cols(p.a.map) + right,
			      r.w - LABEL_A - CARRIERS_LABEL - 1);
	left = LABEL_A + plane_width(&p, &p.a) + gap_columns(r, &p, right);
	rows -= left < CORNER ? WORDS : 0;
	p.b.down = down_for(&p.b, carriers_rows(p.a.map) >
			    carriers_rows(p.c.map) ? &p.a : &p.c, rows,
			    p.across);
	p.a.down = p.c.down = p.b.down;
	place_plane(&p.b, r.x + left + CARRIERS_LABEL, r.y, 0);
	p.b.title = (struct rect){ r.x, r.y, left - 1, 1 };
	place_plane(&p.a, r.x + LABEL_A, r.y + plane_height(&p.b) + 1,
		    plane_width(&p, &p.a));
	place_plane(&p.c, p.b.x, p.a.y, r.x + r.w - p.b.x);
	p.words = (struct rect){ r.x, r.y + r.h - WORDS, r.w, WORDS };
	/* Else in the corner, close to the titles if that is low. */
	apart = plane_height(&p.b) < 8 ? 1 : 2;
	if (p.words.y <
	    MAX(p.a.y + plane_height(&p.a), p.c.y + plane_height(&p.c)))
		p.words = (struct rect){ r.x, r.y + apart, left - 1,
					 plane_height(&p.b) - 2 * apart + 1 };
	return p;
}

/*	A	B
 *		C
 *		words	*/
static struct carriers_plan plan_tall(struct rect r, struct carriers_plan p)
{
	uint32_t right = MAX(carriers_cols(p.b.map), carriers_cols(p.c.map));

	p.across = across_for(&p, carriers_cols(p.a.map) + right,
			      r.w - LABEL_A - CARRIERS_LABEL - 1);
	p.a.down = square_marks(
		axis_for(carriers_rows(p.a.map), 2 * (r.h - 1), p.a.rows),
		p.across);
	p.b.down = p.c.down = down_for(&p.b, &p.c, r.h - 2 - WORDS, p.across);
	place_plane(&p.a, r.x + LABEL_A, r.y + 1, plane_width(&p, &p.a) + 1);
	place_plane(&p.b,
		    p.a.x + plane_width(&p, &p.a) + gap_columns(r, &p, right) +
			    CARRIERS_LABEL,
		    r.y + 1, 0);
	place_plane(&p.c, p.b.x, p.b.y + plane_height(&p.b) + 1, 0);
	p.b.title.w = p.c.title.w = r.x + r.w - p.b.x;
	p.words = (struct rect){ p.b.x - CARRIERS_LABEL, r.y + r.h - WORDS,
				 r.x + r.w - p.b.x + CARRIERS_LABEL, WORDS };
	return p;
}

/* Returns the number of cells that the planes take. */
static int planes_area(const struct carriers_plan *p)
{
	return plane_width(p, &p->a) * plane_height(&p->a) +
	       plane_width(p, &p->b) * plane_height(&p->b) +
	       plane_width(p, &p->c) * plane_height(&p->c);
}

/* Chooses the plan with the larger elements; side by side only if elements do
 * not share a column. */
struct carriers_plan carriers_plan(struct rect r, const struct carriers *k)
{
	struct carriers_plan p = {
		.a = plane_of(&k->load[0], LABEL_A),
		.b = plane_of(&k->load[1], CARRIERS_LABEL),
		.c = plane_of(&k->work, CARRIERS_LABEL) };
	struct carriers_plan best = plan_corner(r, p);
	struct carriers_plan tall = plan_tall(r, p), row = plan_row(r, p);

	if (planes_area(&tall) > planes_area(&best))
		best = tall;
	if (row.across.cells >= row.across.per &&
	    planes_area(&row) > planes_area(&best))
		best = row;
	return best;
}
