/* Draws the outer product in the focused lane's registers: a column, a row, and
 * the square of sums to which their products are added. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/nested/nested_plan.h"
#include "viz/raster.h"

/* Returns the rectangle of a cell; row 0 is the row above the square, column 0
 * the column at its left, and -1 that of the other set of factors. A column
 * stays free between two. */
static struct rect cell_at(const struct nested_plan *p, int row, int col)
{
	int heads = MIN(row, 1) + p->sets - 1;

	return (struct rect){ p->lane.x + (col + p->sets - 1) * p->cell_w,
			      p->lane.y + heads * p->head_h +
				      MAX(row - 1, 0) * p->cell_h,
			      p->cell_w - 1, row > 0 ? p->cell_h : p->head_h };
}

/* Tells whether this step is the one that ends the iteration: it goes over all
 * of it. */
static bool is_whole_iteration(const struct nested_subject *q)
{
	return !q->s->quiet && q->sc->cursor.request == q->o->last;
}

/* What is in a cell: a sum that waits, its product, and that added. */
enum cell_state { CELL_BEFORE, CELL_PRODUCT, CELL_ADDED };

static enum cell_state state_of(const struct nested_subject *q,
				const struct outer_cell *cell)
{
	uint32_t here = q->sc->cursor.request;
	struct nested_time t = nested_time(q);
	bool now = here == cell->request;

	if (!cell->known || q->s->quiet)
		return CELL_BEFORE;
	if (is_whole_iteration(q))
		return t.sums	  ? CELL_ADDED :
		       t.products ? CELL_PRODUCT :
				    CELL_BEFORE;
	return here > cell->request || (now && q->s->t >= 0.5) ? CELL_ADDED :
	       now && q->s->t > 0			       ? CELL_PRODUCT :
								 CELL_BEFORE;
}

/* Tells whether the statement at the cursor computes this cell. */
static bool is_current(const struct nested_subject *q,
		       const struct outer_cell *cell)
{
	const struct scene *sc = q->sc;

	return cell->known && !is_whole_iteration(q) &&
	       sc->cursor.request <= cell->request &&
	       sc->site->line == sc->info->sites[q->o->store].line &&
	       cell->request - sc->cursor.request < 4;
}

/* Tells whether a factor is in its register: the request that loads it has it
 * when it is half over. */
static bool is_loaded(const struct nested_subject *q,
		      const struct outer_side *v)
{
	uint32_t here = q->sc->cursor.request;

	if (is_whole_iteration(q))
		return v->known && nested_time(q).fly >= 1;
	return v->known &&
	       (here > v->loaded || (here == v->loaded && q->s->t >= 0.5));
}

#define LONGEST "-888" /* of which the size of large digits is that of all */

/* Draws a number in large digits, as large as those of all cells, at the
 * right. */
static void draw_large_number(struct canvas *c, struct rect r, const char *text,
			      enum role role)
{
	int w;

	kit_digits(r, text_width(text) > (int)strlen(LONGEST) ? text : LONGEST,
		   &r.h);
	w = kit_digits(r, text, &r.h);
	r.x += MAX(r.w - w, 0);
	r.w = MIN(w, r.w);
	kit_number(c, r, text, role);
}

/* ---- factors ---- */

static void name_factor(char *buf, size_t size, const struct stage_array *a,
			const struct outer_side *v)
{
	if (a->rows > 1)
		snprintf(buf, size, "%s[%u][%u]", a->array->name,
			 v->element / a->cols, v->element % a->cols);
	else
		snprintf(buf, size, "%s[%u]", a->array->name, v->element);
}

/* Draws a value of the column or the row, with its name if that fits. */
static void draw_register_factor(struct canvas *c, struct rect r,
				 const struct nested_subject *q,
				 const struct stage_array *a,
				 const struct outer_side *v, bool odd)
{
	struct ink ink = INK_ON(ROLE_ON_HUE, odd ? ROLE_NOW : ROLE_CURSOR);
	char text[64], name[64];

	if (!is_loaded(q, v)) {
		kit_box(c, r, "\xc2\xb7", INK_ON(ROLE_FAINT, ROLE_FIELD));
		return;
	}
	number_fit(text, sizeof(text), v->value, r.w);
	kit_box(c, r, r.h > 1 ? NULL : text, ink);
	if (r.h < 2)
		return;
	name_factor(name, sizeof(name), a, v);
	if (text_width(name) <= r.w)
		kit_box(c, (struct rect){ r.x, r.y, r.w, 1 }, name, ink);
	ink.attr = ATTR_BOLD;
	if (r.h > LARGE_ROWS && !c->mono)
		draw_large_number(
			c, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 },
			text, ROLE_ON_HUE);
	else
		kit_box(c, (struct rect){ r.x, r.y + 1, r.w, 1 }, text, ink);
}

/* Draws the other set of factors: what it holds now. */
static void draw_other_set(struct canvas *c, const struct nested_subject *q,
			   const struct nested_plan *p, bool column)
{
	const struct stage_array *a =
		&q->sc->arrays[column ? q->o->column : q->o->row];
	const struct outer_side *used = column ? q->o->a : q->o->b;
	uint32_t other = used[0].element / a->cols == 0;
	uint32_t n = column ? q->o->rows : q->o->cols;
	struct rect head = column ? cell_at(p, 0, -1) : cell_at(p, -1, 0);
	char text[64];

	snprintf(text, sizeof(text), "%s[%u]", a->array->name, other);
	kit_whole(c, head.x, head.y, head.w, text, INK(ROLE_DIM));
	for (uint32_t i = 0; i < n; i++) {
		const struct cell_value *v = &a->value[other * a->cols + i];

		if (v->known)
			number_fit(text, sizeof(text), v->v, p->cell_w - 1);
		kit_box(c,
			column ? cell_at(p, (int)i + 1, -1) :
				 cell_at(p, -1, (int)i + 1),
			v->known ? text : "\xc2\xb7",
			INK_ON(v->known ? ROLE_TEXT : ROLE_FAINT, ROLE_OWN));
	}
}

/* ---- sums ---- */

#define BOTH 9 /* columns for the sum before next to the product */
#define LINE 15	/* for "-123 -144 =-267", in one row */

/* Writes in a cell of one row the sum before, what is added and, once it is, "=",
 * which leaves 4 columns for the sum; false: there is no room. */
static bool write_addition(struct canvas *c, struct rect r,
			   const struct outer_cell *cell, double product,
			   bool added)
{
	int x = r.x + r.w - LINE;
	char text[3][64];

	snprintf(text[0], sizeof(text[0]), "%g", cell->before);
	snprintf(text[1], sizeof(text[1]), "%+g", product);
	snprintf(text[2], sizeof(text[2]), "%g", cell->after);
	if (r.h > 1 || r.w < LINE || text_width(text[0]) > 4 ||
	    text_width(text[1]) > 4 || text_width(text[2]) > 4)
		return false;
	canvas_right(c, x, r.y, 4, text[0], INK(ROLE_DIM));
	canvas_right(c, x + 4, r.y, 5, text[1], INK(ROLE_TEXT));
	if (added)
		canvas_text(c, x + 10, r.y, 1, "=", INK(ROLE_DIM));
	return true;
}

static void draw_sum_cell(struct canvas *c, struct rect r,
			  const struct nested_subject *q, uint32_t row,
			  uint32_t col)
{
	const struct outer_cell *cell = &q->o->cell[row][col];
	enum cell_state state = state_of(q, cell);
	bool now = is_current(q, cell) ||
		   (is_whole_iteration(q) && state == CELL_PRODUCT);
	struct ink sum = INK_ON(state == CELL_ADDED ? ROLE_STRONG : ROLE_DIM,
				now	? ROLE_OWN :
				row % 2 ? ROLE_FIELD :
					  ROLE_TILE);
	int last = r.y + MIN(r.h, 2) - 1, half = r.w / 2;
	double product = q->o->a[row].value * q->o->b[col].value;
	bool line = false;
	char text[64];

	if (c->mono && !now) /* signs would stand between its numbers */
		sum.bg = ROLE_NONE;
	sum.attr = state == CELL_ADDED ? ATTR_BOLD : 0;
	canvas_fill(c, r, ' ', sum);
	if (!cell->known)
		return;
	if (r.h > 1 && state != CELL_BEFORE && r.w >= BOTH) {
		number_fit(text, sizeof(text), cell->before, half);
		canvas_right(c, r.x, r.y, half, text, INK(ROLE_DIM));
	}
	if (state != CELL_BEFORE)
		line = write_addition(c, r, cell, product, state == CELL_ADDED);
	if (!line && (r.h > 1 ? state != CELL_BEFORE : state == CELL_PRODUCT)) {
		snprintf(text, sizeof(text), "%+g", product);
		if (text_width(text) < r.w - (r.w >= BOTH ? half : 0))
			canvas_right(c, r.x, r.y, r.w - 1, text,
				     INK(ROLE_TEXT));
	}
	if (state == CELL_PRODUCT)
		return;
	number_fit(text, sizeof(text),
		   state == CELL_ADDED ? cell->after : cell->before, r.w);
	if (r.h > LARGE_ROWS)
		draw_large_number(
			c, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 },
			text, sum.fg);
	else
		canvas_right(c, r.x, last,
			     r.w - (!line && text_width(text) < r.w), text, sum);
}

/* ---- motion ---- */

/* Returns where value `i` of the strip of A (else of B) lies: in its tile, or
 * beside the warp where the block is not shown. */
static struct rect strip_place(const struct nested_subject *q,
			       const struct nested_plan *p, bool a, uint32_t i)
{
	double e = p->element, k = q->n->k % q->n->depth;
	uint32_t first = a ? q->work->box.row0 : q->work->box.col0;
	uint32_t line = (a ? q->n->rows[i] : q->n->cols[i]) - first, unit = 0;

	if (e > 0)
		return a ? (struct rect){ (int)(p->as_x + k * e),
					  (int)(p->c_y + line * e / 2), 3, 1 } :
			   (struct rect){ (int)(p->c_x + line * e),
					  (int)(p->bs_y + k * e / 2), 3, 1 };
	while (unit + 1 < (a ? q->unit_rows : q->unit_cols) &&
	       (a ? q->unit_row : q->unit_col)[unit + 1] <= line)
		unit++;
	return a ? (struct rect){ p->warp.x - 2,
				  p->warp.y + (int)(unit * p->unit_h), 3, 1 } :
		   (struct rect){ p->warp.x + (int)(unit * p->unit_w),
				  p->warp.y - 1, 3, 1 };
}

/* Draws the values on their way from the strips to their registers. */
static void draw_factors_in_flight(struct canvas *c,
				   const struct nested_subject *q,
				   const struct nested_plan *p)
{
	double t = nested_time(q).fly;
	char text[32];

	if (!is_whole_iteration(q) || t <= 0 || t >= 1 || !q->n->held ||
	    !q->work || (p->element <= 0 && !p->warp.w))
		return;
	for (uint32_t i = 0; i < q->o->rows + q->o->cols; i++) {
		bool a = i < q->o->rows;
		uint32_t j = a ? i : i - q->o->rows;
		struct rect to =
			cell_at(p, a ? (int)j + 1 : 0, a ? 0 : (int)j + 1);

		to = (struct rect){ to.x + to.w / 2 - 1, to.y + (to.h - 1) / 2,
				    3, 1 };
		number_fit(text, sizeof(text),
			   (a ? &q->o->a[j] : &q->o->b[j])->value, 3);
		kit_box(c, kit_rect_between(strip_place(q, p, a, j), to, t),
			text, INK_FOCUS);
	}
}

/* ---- words ---- */

/* Writes what one k costs: values read and products, of this size and of two
 * others. */
static void draw_reads_and_products(struct canvas *c, struct rect r,
				    const struct outer *o)
{
	static const uint32_t sides[] = { 1, 4, 8 };
	char text[96];
	int x = r.x;

	snprintf(text, sizeof(text), _("%u read, %u products"),
		 o->rows + o->cols, o->rows * o->cols);
	x += kit_whole(c, x, r.y, r.w, text, INK_BOLD(ROLE_STRONG));
	for (size_t i = 0; i < LENGTH(sides); i++) {
		uint32_t n = sides[i];

		if (n == o->rows && n == o->cols)
			continue;
		snprintf(text, sizeof(text),
			 _("   %1$u × %1$u: %2$u for %3$u"), n, 2 * n, n * n);
		x += kit_whole(c, x, r.y, r.x + r.w - x, text, INK(ROLE_DIM));
	}
}

static void draw_k(struct canvas *c, const struct nested_subject *q,
		   const struct nested_plan *p)
{
	struct rect r = cell_at(p, 0, 0);
	uint32_t k = q->n->held ? q->n->k % q->n->depth : q->o->k;
	uint32_t of = q->n->held ? q->n->depth : q->o->count;
	char text[32];

	if (!q->o->count)
		return;
	snprintf(text, sizeof(text), "k = %u", k);
	if (text_width(text) > r.w)
		snprintf(text, sizeof(text), "k=%u", k);
	kit_whole(c, r.x, r.y, r.w, text, INK_BOLD(ROLE_STRONG));
	snprintf(text, sizeof(text), _("of %u"), of);
	if (r.h > 1)
		kit_whole(c, r.x, r.y + 1, r.w, text, INK(ROLE_DIM));
}

/* Writes how many sums the lane has and, if there is room, which rows and
 * columns of C they are. */
static void draw_lane_title(struct canvas *c, struct rect r,
			    const struct nested_subject *q)
{
	char lines[2][48], text[160];
	int x = r.x;

	x += canvas_textf(c, x, r.y, r.w, INK_BOLD(ROLE_STRONG),
			  _("lane %u: %u sums in registers, %s"),
			  q->sc->cursor.lane, q->o->rows * q->o->cols,
			  q->sc->arrays[q->o->square].array->name);
	if (!q->work)
		return;
	for (int i = 0; i < 2; i++)
		carriers_lines(lines[i], sizeof(lines[i]), q->work,
			       q->sc->thread_linear, i == 0);
	snprintf(text, sizeof(text), _("rows %s, columns %s of C"), lines[0],
		 lines[1]);
	kit_whole(c, x + 3, r.y, r.x + r.w - x - 3, text, INK(ROLE_DIM));
}

void nested_lane(struct canvas *c, const struct nested_subject *q,
		 const struct nested_plan *p)
{
	const struct outer *o = q->o;
	const struct stage_array *a = &q->sc->arrays[o->column];
	const struct stage_array *b = &q->sc->arrays[o->row];

	draw_lane_title(c, p->lane_title, q);
	for (uint32_t i = 0; i < o->rows; i++)
		for (uint32_t j = 0; j < o->cols; j++)
			draw_sum_cell(c, cell_at(p, (int)i + 1, (int)j + 1), q,
				      i, j);
	for (uint32_t i = 0; i < o->rows; i++)
		draw_register_factor(c, cell_at(p, (int)i + 1, 0), q, a,
				     &o->a[i], i % 2);
	for (uint32_t i = 0; i < o->cols; i++)
		draw_register_factor(c, cell_at(p, 0, (int)i + 1), q, b,
				     &o->b[i], false);
	for (int column = 0; column < 2 && p->sets > 1; column++)
		draw_other_set(c, q, p, column);
	draw_k(c, q, p);
	if (p->counts.h > 0 && !q->s->quiet)
		draw_reads_and_products(c, p->counts, o);
	draw_factors_in_flight(c, q, p);
}
