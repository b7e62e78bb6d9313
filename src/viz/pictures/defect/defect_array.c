/* Draws the element of a defect in its array, or beyond its end. */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/pictures/defect/defect.h"
#include "viz/kit.h"
#include "viz/legend.h"

/* The part of an array that is shown: rows and columns from `row` and `col`
 * on. */
struct array_part {
	const struct stage_array *a;
	struct kit_size size;
	int64_t row, col;
	uint32_t rows, cols;
	int x, y, ruler;
};

/* Tells whether the element lies before the array's first. */
static bool is_before(const struct defect *d)
{
	return d->outside && d->row < 0;
}

const struct stage_array *defect_array(const struct scene *sc)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].array == sc->defect.array)
			return &sc->arrays[i];
	return NULL;
}

/* Returns where a window of n of `all` begins that has `at` in its middle, as
 * far as the ends allow. */
static int64_t window_start(int64_t at, int64_t n, int64_t all)
{
	int64_t first = at - n / 2;

	if (first + n > all)
		first = all - n;
	return first < 0 ? 0 : first;
}

#define RULER 4
#define LEGEND 12	/* rows from which one is the legend's */

/* Makes elements as large as fits, up to six columns by three rows, about as
 * wide as high. */
static struct kit_size grow_element(struct kit_size k, int w, int h,
				    const struct stage_array *a)
{
	while (!k.half && k.w > 2 && k.h < 3 && 4 * k.h <= 2 * k.w + 1 &&
	       (int)a->rows * (k.h + 1) <= h)
		k.h++;
	while (k.w < (k.half ? 2 : MIN(3 * k.h, 6)) &&
	       (int)a->cols * (k.w + 1) <= w)
		k.w++;
	return k;
}

static struct array_part choose_part(struct rect r, const struct scene *sc,
				     const struct stage_array *a)
{
	const struct defect *d = &sc->defect;
	struct array_part p = { .a = a };
	/* An element beyond the array's end has a row of its own. */
	int w = r.w - RULER, h = r.h - 1 - (d->outside ? 2 : 0);

	p.size = kit_fit(w, h, a->rows, a->cols);
	if (!p.size.w)
		p.size = (struct kit_size){ w >= 16 ? 4 : 2, 1, false };
	else
		p.size = grow_element(p.size, w, h, a);
	p.cols = MIN(a->cols, (uint32_t)MAX(w / p.size.w, 1));
	p.rows = MIN(a->rows, (uint32_t)MAX(p.size.half ? 2 * h :
					    h / p.size.h, 1));
	p.row = window_start(d->row, p.rows, a->rows);
	p.col = window_start(d->col, p.cols, a->cols);
	p.x = r.x + RULER;
	p.ruler = r.y;
	p.y = r.y + 1 + (is_before(d) ? 2 : 0);
	return p;
}

static void draw_row_number(struct canvas *c, const struct array_part *p, int y,
			    int64_t row, bool here)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, row);
	canvas_right(c, p->x - RULER, y, RULER - 1, text,
		     here ? INK_FOCUS : INK(ROLE_FAINT));
}

static void draw_part_rulers(struct canvas *c, const struct array_part *p,
			     const struct defect *d)
{
	int down = p->size.half ? 4 : 1;

	kit_axis(c, &(struct kit_axis){ p->x, p->ruler, p->size.w,
					(uint32_t)p->col, p->cols, 1, d->col });
	for (uint32_t i = 0; i < p->rows; i++) {
		bool here = p->row + i == d->row;
		int y = p->y + (p->size.half ? (int)i / 2 :
				(int)i * p->size.h);

		if (here || i % (uint32_t)down == 0)
			draw_row_number(c, p, y, p->row + i, here);
	}
}

static void element_value_words(char *buf, size_t size,
				const struct defect *d)
{
	const struct defect_actor *a = &d->access;

	if (a->has_value)
		number_fit(buf, size, a->value, 4);
	else
		snprintf(buf, size, "!");
}

/* Tells whether a mark is of the step's request and in view. */
static bool is_shown(const struct array_part *p, const struct mark *m)
{
	return !m->age && !m->other && m->row >= p->row && m->col >= p->col &&
	       m->row < p->row + p->rows && m->col < p->col + p->cols;
}

static void draw_part_cells(struct canvas *c, const struct array_part *p,
			    const struct scene *sc)
{
	const struct defect *d = &sc->defect;
	const struct stage_array *a = p->a;
	char value[32];

	for (uint32_t y = 0; y < p->rows; y++)
		for (uint32_t x = 0; x < p->cols; x++) {
			uint64_t e = (uint64_t)(p->row + y) * a->cols +
				     (uint64_t)(p->col + x);
			bool has = a->owner && a->owner[e] >= 0;

			kit_element(c, p->x, p->y, p->size, y, x, NULL,
				    INK_ON(ROLE_DIM, has ? ROLE_TILE :
							   ROLE_FIELD));
		}
	for (size_t i = 0; i < a->mark_count; i++) {
		const struct mark *m = &a->marks[i];

		if (!is_shown(p, m))
			continue;
		kit_element(c, p->x, p->y, p->size, m->row - (uint32_t)p->row,
			    m->col - (uint32_t)p->col, NULL,
			    INK_ON(ROLE_ON_HUE, ROLE_FADE0 + m->lane / 8));
	}
	if (d->outside)
		return;
	element_value_words(value, sizeof(value), d);
	kit_element(c, p->x, p->y, p->size, (uint32_t)(d->row - p->row),
		    (uint32_t)(d->col - p->col), value,
		    (struct ink){ ROLE_ON_HUE, ROLE_BAD, ATTR_BOLD });
}

/* Draws a box with what the threads do to the element, and a line from the
 * element to it. */
static void draw_callout(struct canvas *c, struct rect r,
			 const struct array_part *p, const struct scene *sc)
{
	const struct defect *d = &sc->defect;
	int x = p->x + (int)(d->col - p->col) * p->size.w;
	int y = p->y + (p->size.half ? (int)(d->row - p->row) / 2 :
			(int)(d->row - p->row) * p->size.h);
	struct rect box = { 0, 0, 0, 2 + 1 };
	char who[2][64], deed[2][64], line[2][160];
	int n = 0, right;

	for (int i = 0; i < 2; i++) {
		const struct defect_actor *a = d->other_first == !i ?
					       &d->other : &d->access;

		if (!a->known)
			continue;
		defect_thread(who[n], sizeof(who[n]), sc, a);
		defect_deed(deed[n], sizeof(deed[n]), d, a, true);
		if (text_width(who[n]) + 1 + text_width(deed[n]) > r.w - 12)
			defect_deed(deed[n], sizeof(deed[n]), d, a, false);
		snprintf(line[n], sizeof(line[n]), "%s %s", who[n], deed[n]);
		box.w = MIN(MAX(box.w, text_width(line[n]) + 4), r.w - 8);
		n++;
	}
	box.h += n;
	right = p->x + kit_width(p->size, p->cols) + 2;
	box.x = right + box.w < r.x + r.w ? right :
		x + p->size.w + 3 + box.w < r.x + r.w ? x + p->size.w + 3 :
		r.x + r.w - box.w - 1;
	box.y = y + 4 + box.h < r.y + r.h ? y + 3 : y - 3 - box.h;
	if (box.y < p->y || box.w < 20)
		return;
	kit_line(c, x, y + (box.y > y ? p->size.h : -1), box.x,
		 box.y + 1, box.y + 1, INK(ROLE_BAD));
	canvas_erase(c, box);
	box = canvas_frame(c, box, NULL, NULL, false);
	canvas_text(c, box.x + 1, box.y, box.w - 1, d->element,
		    INK_BOLD(ROLE_BAD));
	for (int i = 0; i < n; i++)
		canvas_text(c, box.x + 1, box.y + 1 + i, box.w - 1, line[i],
			    INK((d->other_first == !i) && n > 1 ? ROLE_OTHER :
				ROLE_WHO));
}

/* Draws an element outside the array: below its last row, or above its first,
 * after a red line. */
static void draw_outside(struct canvas *c, struct rect r,
			 const struct array_part *p, const struct scene *sc)
{
	const struct defect *d = &sc->defect;
	bool before = is_before(d);
	int line = before ? p->y - 1 : p->y + kit_height(p->size, p->rows);
	int y = before ? line - 1 : line + 1;
	int x = p->x + (int)(d->col - p->col) * p->size.w;
	char text[128];

	canvas_fill(c, (struct rect){ p->x, line, kit_width(p->size, p->cols),
				      1 }, 0x2500, INK(ROLE_BAD));
	canvas_text(c, p->x - RULER, line, RULER,
		    before ? _("head") : _("end"), INK(ROLE_BAD));
	canvas_fill(c, (struct rect){ x, y, MAX(p->size.w, 1), 1 }, ' ',
		    INK_ON(ROLE_ON_HUE, ROLE_BAD));
	snprintf(text, sizeof(text), "%s", d->element);
	if (x + p->size.w + 1 + text_width(text) <= r.x + r.w)
		canvas_text(c, x + p->size.w + 1, y, -1, text,
			    INK_BOLD(ROLE_BAD));
	else
		canvas_right(c, p->x, y, x - p->x - 1, text,
			     INK_BOLD(ROLE_BAD));
}

/* Draws a legend of the cells in `picture`. */
static void draw_cells_legend(struct canvas *c, struct rect r,
			      struct rect picture)
{
	char lanes[4][32];
	const struct legend_entry e[] = {
		{ { ROLE_BAD }, _("the defect") },
		{ { ROLE_FADE0 }, lanes[0] }, { { ROLE_FADE1 }, lanes[1] },
		{ { ROLE_FADE2 }, lanes[2] }, { { ROLE_FADE3 }, lanes[3] },
		{ { ROLE_TILE }, _("stored") },
		{ { ROLE_FIELD }, _("not stored") },
	};

	for (int i = 0; i < 4; i++)
		snprintf(lanes[i], sizeof(lanes[i]), _("lanes %d-%d"), 8 * i,
			 8 * i + 7);
	legend_rows(c, r, picture, e, LENGTH(e));
}

void defect_array_draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct defect *d = &sc->defect;
	const struct stage_array *a = defect_array(sc);
	struct rect old;
	bool legend;
	struct array_part p;
	char title[64], note[96] = "";

	snprintf(title, sizeof(title), "%s %" PRIu32 " \xc3\x97 %" PRIu32,
		 a->array->name, a->rows, a->cols);
	if (a->owner)
		snprintf(note, sizeof(note), _("%u of %u stored"), a->stored,
			 a->rows * a->cols);
	r = canvas_frame(c, r, title, note[0] ? note : NULL, false);
	r.x++;
	r.w -= 2;
	old = canvas_clip(c, r);
	legend = r.h >= LEGEND;
	r.h -= legend;
	p = choose_part(r, sc, a);
	draw_part_cells(c, &p, sc);
	if (legend)
		draw_cells_legend(c, (struct rect){ r.x, r.y + r.h, r.w, 1 },
				  r);
	draw_part_rulers(c, &p, d);
	if (d->outside)
		draw_outside(c, r, &p, sc);
	else if (!s->quiet && s->t >= 1)
		draw_callout(c, r, &p, sc);
	canvas_clip(c, old);
}
