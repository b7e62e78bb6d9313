/*
 * The outer product in the focused thread's registers, each cell with its
 * number: every value of the column is multiplied by every value of the row.
 */
#include <stdio.h>

#include "base/text.h"
#include "scene/scene_carriers.h"
#include "viz/pictures/outer/scene_outer.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

#define SIDE 38		/* columns that the count and C take beside it */

/* Where the column, the row and the square stand, and how large a cell is. */
struct outer_plan {
	int x, y, w, h, gap;
};

static struct outer_plan plan_square(struct rect r, const struct outer *o)
{
	struct outer_plan p = { .x = r.x, .y = r.y };
	int cols = (int)o->cols + 1, rows = (int)o->rows + 1;

	p.gap = rows * 4 + rows - 1 <= r.h && cols * 12 <= r.w;
	p.w = MIN(26, r.w / cols);
	p.h = MIN(8, (r.h + p.gap) / rows - p.gap);
	return p;
}

/* Returns the rectangle of a cell; row 0 is the row above the square, column 0
 * the column at its left. */
static struct rect cell_at(const struct outer_plan *p, int row, int col)
{
	return (struct rect){ p->x + col * p->w, p->y + row * (p->h + p->gap),
			      p->w - 1 - (p->gap && p->w > 8), p->h };
}

/* Returns how far a cell is in this iteration: 0 not started, 1 added. */
static double cell_time(const struct frame_model *s, const struct outer_cell *cell)
{
	uint32_t here = s->scene->cursor.request;

	if (s->quiet || here < cell->request)
		return 0;
	return here > cell->request ? 1 : s->t;
}

/* Tells whether the statement at the cursor computes this cell. */
static bool is_current(const struct frame_model *s, const struct outer_cell *cell)
{
	return cell->known && s->scene->cursor.request <= cell->request &&
	       s->scene->site->line ==
	       s->scene->info->sites[s->scene->request.site].line &&
	       cell->request - s->scene->cursor.request < 4;
}

/* Tells whether a factor is in its register: the request that loads it has it
 * when it is half over. */
static bool is_loaded(const struct frame_model *s, const struct outer_side *v)
{
	uint32_t here = s->scene->cursor.request;

	return v->known && (here > v->loaded ||
			    (here == v->loaded && s->t >= 0.5));
}

static void fit_number(char *buf, size_t size, double v, int width)
{
	number_fit(buf, size, v, MAX(width, 1));
}

/* Draws a number as large as fits, at the right. */
static void draw_large_right(struct canvas *c, struct rect r, const char *text,
			     enum role role)
{
	int rows, w = kit_digits(r, text, &rows);

	r.x += MAX(r.w - w, 0);
	r.w = MIN(w, r.w);
	kit_number(c, r, text, role);
}

/* Draws a value of the column or the row, with its name if that fits. */
static void draw_side_value(struct canvas *c, struct rect r,
			    const struct frame_model *s, const struct stage_array *a,
			    const struct outer_side *v, bool lit,
			    enum role bright, enum role dim)
{
	struct ink ink = INK_ON(ROLE_ON_HUE, lit ? bright : dim);
	char text[64], name[48];

	if (!is_loaded(s, v)) {
		kit_box(c, r, "\xc2\xb7", INK_ON(ROLE_FAINT, ROLE_FIELD));
		return;
	}
	fit_number(text, sizeof(text), v->value, r.w);
	if (a->rows > 1)
		snprintf(name, sizeof(name), "%s[%u][%u]", a->array->name,
			 v->element / a->cols, v->element % a->cols);
	else
		snprintf(name, sizeof(name), "%s[%u]", a->array->name,
			 v->element);
	kit_box(c, r, r.h > 1 ? NULL : text, ink);
	if (r.h > 5) {
		struct rect name_row = { r.x, r.y, r.w, 1 };

		kit_box(c, name_row, name, ink);
		draw_large_right(
			c, (struct rect){ r.x + 2, r.y + 2, r.w - 4, r.h - 3 },
			text, ROLE_ON_HUE);
	} else if (r.h > 1) {
		struct rect half = { r.x, r.y + (r.h - 2) / 2, r.w, 1 };

		kit_box(c, half, name, ink);
		half.y++;
		ink.attr = ATTR_BOLD;
		kit_box(c, half, text, ink);
	}
}

/* Draws a cell: the product, the sum before it and the sum after it, a line
 * each if three fit; else the one that matters most at the show's time. */
static void draw_product_cell(struct canvas *c, struct rect r,
			      const struct frame_model *s, const struct outer *o,
			      uint32_t row, uint32_t col)
{
	const struct outer_cell *cell = &o->cell[row][col];
	double t = cell_time(s, cell), a = o->a[row].value, b = o->b[col].value;
	bool added = t >= 0.5, now = is_current(s, cell);
	struct ink sum = INK_ON(added ? ROLE_STRONG : ROLE_DIM,
				now ? ROLE_LINE : ROLE_FIELD);
	char text[64];
	int half = r.w / 2;

	sum.attr = added ? ATTR_BOLD : 0;
	canvas_fill(c, r, ' ', sum);
	if (r.h > 2 && !s->quiet) {
		bool grown = t > 0 || now;

		fit_number(text, sizeof(text), a, half);
		if (is_loaded(s, &o->a[row]))
			kit_box(c, (struct rect){ r.x, r.y, half, 1 }, text,
				INK_ON(ROLE_ON_HUE,
				       grown ? ROLE_HUE0 : ROLE_TRAIL0));
		fit_number(text, sizeof(text), b, r.w - half);
		if (is_loaded(s, &o->b[col]))
			kit_box(c, (struct rect){ r.x + half, r.y, r.w - half,
						  1 }, text,
				INK_ON(ROLE_ON_HUE,
				       grown ? ROLE_HUE1 : ROLE_TRAIL1));
		fit_number(text, sizeof(text), cell->before, half);
		canvas_right(c, r.x, r.y + 1, half, text, INK(ROLE_DIM));
		snprintf(text, sizeof(text), "%+g", a * b);
		if (t > 0)
			canvas_right(c, r.x + half, r.y + 1, r.w - half - 1,
				     text, INK_BOLD(ROLE_GOOD));
	}
	fit_number(text, sizeof(text), added ? cell->after : cell->before,
		   r.w - 3);
	if (r.h > 2 && !s->quiet) {
		if (!added)
			return;
		canvas_text(c, r.x + 1, r.y + r.h - 1, 2, "=", sum);
		if (r.h > 5) {
			draw_large_right(c,
					 (struct rect){ r.x + 4, r.y + 3,
							r.w - 6, r.h - 3 },
					 text, ROLE_STRONG);
			return;
		}
	} else if (t > 0 && t < 0.5) {	/* on its way into the sum */
		snprintf(text, sizeof(text), "%+g", a * b);
		sum.fg = ROLE_GOOD;
	} else if (r.h > 1 && cell->known && !s->quiet &&
		   is_loaded(s, &o->a[row]) && is_loaded(s, &o->b[col])) {
		char sign[64];

		snprintf(sign, sizeof(sign), "%g\xc2\xb7%g", a, b);
		canvas_right(c, r.x, r.y, r.w - 1, sign, INK(ROLE_DIM));
	}
	canvas_right(c, r.x, r.y + r.h - 1, r.w - 1, text, sum);
}

static void draw_current_mark(struct canvas *c, struct rect r)
{
	canvas_put(c, r.x - 1, r.y + r.h / 2, 0x25b8, INK_BOLD(ROLE_CURSOR));
}

static void draw_square(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct outer *o = s->scene->outer;
	const struct stage_array *x = &s->scene->arrays[o->column];
	const struct stage_array *y = &s->scene->arrays[o->row];
	struct outer_plan p = plan_square(r, o);
	int row = -1, col = -1;

	for (uint32_t i = 0; i < o->rows; i++)
		for (uint32_t j = 0; j < o->cols; j++) {
			struct rect at = cell_at(&p, (int)i + 1, (int)j + 1);

			draw_product_cell(c, at, s, o, i, j);
			if (row < 0 && is_current(s, &o->cell[i][j])) {
				row = (int)i;
				col = (int)j;
				draw_current_mark(c, at);
			}
		}
	for (int i = 0; i < (int)o->rows; i++)
		draw_side_value(c, cell_at(&p, i + 1, 0), s, x, &o->a[i],
				i == row, ROLE_HUE0, ROLE_TRAIL0);
	for (int j = 0; j < (int)o->cols; j++)
		draw_side_value(c, cell_at(&p, 0, j + 1), s, y, &o->b[j],
				j == col, ROLE_HUE1, ROLE_TRAIL1);
	canvas_textf(c, p.x, p.y, p.w - 1, INK_BOLD(ROLE_STRONG), "k = %u",
		     o->k);
	if (p.h > 1)
		canvas_textf(c, p.x, p.y + 1, p.w - 1, INK(ROLE_DIM),
			     _("of %u"), o->count);
}

/* ---- costs and place ---- */

/* Draws a column, a row and their square, a mark for each value. Returns the
 * columns used. */
static int draw_size_shape(struct canvas *c, int x, int y, uint32_t side,
			   bool own)
{
	enum role a = own ? ROLE_HUE0 : ROLE_FADE0;
	enum role b = own ? ROLE_HUE1 : ROLE_FADE1;
	enum role q = own ? ROLE_HUE2 : ROLE_FADE2;

	for (int i = 0; i < (int)side; i++) {
		canvas_pixel(c, x, 2 * y + 2 + i, a);
		canvas_pixel(c, x + 2 + i, 2 * y, b);
		for (int j = 0; j < (int)side; j++)
			canvas_pixel(c, x + 2 + j, 2 * y + 2 + i, q);
	}
	return 3 + (int)side;
}

/* Draws what one k costs: values read and products, with a square of 1 x 1, of
 * this size, and of another. Returns the rows used. */
static int draw_costs_of_k(struct canvas *c, struct rect r,
			   const struct frame_model *s)
{
	const struct outer *o = s->scene->outer;
	uint32_t other = o->rows == 8 ? 4 : 8;
	uint32_t sides[3] = { 1, MIN(o->rows, other), MAX(o->rows, other) };
	int x = r.x, y = r.y + 1, rows = (int)sides[2] / 2 + 2;

	if (r.h < rows + 5 || o->rows != o->cols)
		return 0;
	if (s->quiet)	/* its place is kept */
		return rows + 5;
	canvas_text(c, r.x, r.y, r.w, _("one k: a mark is a value"),
		    INK_BOLD(ROLE_STRONG));
	for (int i = 0; i < 3; i++) {
		uint32_t n = sides[i];
		struct ink ink = n == o->rows ? INK_BOLD(ROLE_STRONG) :
						INK(ROLE_DIM);
		int w = MAX((r.w - 1) / 3, 9);

		draw_size_shape(c, x, y + 1, n, n == o->rows);
		canvas_textf(c, x, y, w - 1, ink, "%u \xc3\x97 %u", n, n);
		canvas_textf(c, x, y + rows + 1, w - 1, ink, _("%u read"),
			     2 * n);
		canvas_textf(c, x, y + rows + 2, w - 1, ink,
			     ngettext("%u product", "%u products", n * n),
			     n * n);
		x += w;
	}
	return rows + 5;
}

/* Tells whether one of the elements that a mark stands for is the thread's. */
static bool is_own(const struct carrier_map *m, uint32_t thread, uint32_t x,
		   uint32_t y, uint32_t scale)
{
	uint32_t cols = m->box.col1 - m->box.col0 + 1;

	for (uint32_t i = 0; i < scale * scale; i++)
		if (m->by[(y + i / scale) * cols + x + i % scale] ==
		    (int32_t)thread)
			return true;
	return false;
}

/* Writes the rows and the columns of the thread's elements, in a line or two.
 * Returns the row below. */
static int draw_row_and_column(struct canvas *c, struct rect r,
			       const struct carrier_map *m, uint32_t thread)
{
	char lines[48], rows[80], cols[80];
	int x = r.x, y = r.y;

	carriers_lines(lines, sizeof(lines), m, thread, true);
	snprintf(rows, sizeof(rows), _("rows %s"), lines);
	carriers_lines(lines, sizeof(lines), m, thread, false);
	snprintf(cols, sizeof(cols), _("columns %s"), lines);
	if (text_width(rows) + 2 + text_width(cols) <= r.w)
		x += text_width(rows) + 2;
	else
		y++;
	canvas_text(c, r.x, r.y, r.w, rows, INK(ROLE_DIM));
	canvas_text(c, x, y, r.x + r.w - x, cols, INK(ROLE_DIM));
	return y + 1;
}

/* Draws the block's part of C, with the thread's elements in it. */
static void draw_thread_in_c(struct canvas *c, struct rect r,
			     const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct carrier_map *m = sc->carriers ? &sc->carriers->work : NULL;
	uint32_t rows, cols, scale = 1;
	int y0;

	if (!m || m->array < 0 || !m->own.known || r.h < 4)
		return;
	canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
		     _("thread (%u,%u) in C"), sc->thread.x, sc->thread.y);
	y0 = draw_row_and_column(c, (struct rect){ r.x, r.y + 1, r.w, 2 }, m,
				 sc->thread_linear);
	rows = m->box.row1 - m->box.row0 + 1;
	cols = m->box.col1 - m->box.col0 + 1;
	while (cols / scale > (uint32_t)r.w ||
	       rows / scale > (uint32_t)(r.y + r.h - y0) * 2)
		scale *= 2;
	for (uint32_t y = 0; y < rows / scale; y++)
		for (uint32_t x = 0; x < cols / scale; x++)
			canvas_pixel(c, r.x + (int)x, 2 * y0 + (int)y,
				     is_own(m, sc->thread_linear, x * scale,
					    y * scale, scale) ?
				     ROLE_CURSOR : ROLE_FIELD);
}

static bool outer_line(char *buf, size_t size, const struct frame_model *s)
{
	const struct outer *o = s->scene ? s->scene->outer : NULL;

	for (uint32_t i = 0; o && o->square >= 0 && i < o->rows; i++)
		for (uint32_t j = 0; j < o->cols; j++) {
			const struct outer_cell *cell = &o->cell[i][j];

			if (!is_current(s, cell))
				continue;
			snprintf(buf, size,
				 "%s[%u][%u] = %g + (%g)(%g) = %g",
				 s->scene->arrays[o->square].array->name, i, j,
				 cell->before, o->a[i].value, o->b[j].value,
				 cell->after);
			return true;
		}
	return false;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct outer *o = s->scene ? s->scene->outer : NULL;
	struct rect left = r, side;
	char line[128];
	int used;

	if (!o || !s->scene->site || o->square < 0)
		return;
	if (!s->quiet && outer_line(line, sizeof(line), s) && r.h > 12)
		canvas_text(c, r.x, r.y + r.h - 1, r.w, line,
			    INK_BOLD(ROLE_ACCENT));
	left.h -= r.h > 12 ? 2 : 0;
	if (r.w >= 100)
		left.w -= MAX(SIDE, r.w / 4) + 3;
	draw_square(c, left, s);
	if (left.w == r.w)
		return;
	side = (struct rect){ left.x + left.w + 3, r.y, r.w - left.w - 3,
			      left.h };
	used = draw_costs_of_k(c, side, s);
	side.y += used;
	side.h -= used;
	draw_thread_in_c(c, side, s);
}

static bool available(const struct frame_model *s)
{
	int square, column, row;

	return s->scene && outer_find(s->scene, &square, &column, &row);
}

static enum view_rank rank(const struct scene *sc)
{
	int square, column, row;

	if (!sc->array || sc->array->space != SPACE_REGISTER ||
	    !outer_find(sc, &square, &column, &row))
		return RANK_NONE;
	return sc->array == sc->arrays[square].array ||
	       sc->array == sc->arrays[column].array ||
	       sc->array == sc->arrays[row].array ? RANK_STEP : RANK_NONE;
}

static void prepare(struct stage *s, const struct turns *t)
{
	scene_outer(s, t);
	scene_carriers(s, t);
}

/* Tells in a sentence what the loop multiplies. */
static void outer_words(struct str *out, const struct frame_model *s)
{
	const struct outer *o = s->scene->outer;
	char line[160];

	if (o->square < 0 || !o->count)
		return;
	str_addf(out, _("k = %u of %u: each of %u values in %s is multiplied by "
			"each of %u in %s, and the products are added to %s. "),
		 o->k, o->count, o->rows,
		 s->scene->arrays[o->column].array->name, o->cols,
		 s->scene->arrays[o->row].array->name,
		 s->scene->arrays[o->square].array->name);
	if (outer_line(line, sizeof(line), s))
		str_addf(out, "%s.", line);
}

const struct view view_outer = {
	.name = "outer",
	.title = N_("outer product"),
	.help = N_("a column times a row, in the focused thread's registers"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = rank,
	.prepare = prepare,
	.draw = draw,
	.words = outer_words,
};
