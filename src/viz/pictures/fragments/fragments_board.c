/* fragments_board: see fragments_board.h. */
#include "viz/pictures/fragments/fragments_board.h"

#include <stdio.h>

#include "base/text.h"
#include "viz/pictures/fragments/view_fragments.h"

/* ---- elements ---- */

struct fragment_place board_holder(const struct board_operand *o, int row,
				   int col)
{
	struct fragment_place p = { .row = row, .col = col };

	fragment_holder(o->layout, &p);
	return p;
}

enum role board_hue(int lane)
{
	lane %= WARP_LANES;
	return (enum role)((((lane ^ lane >> 2) & 1) ? ROLE_TRAIL0 :
			    ROLE_HUE0) + lane / 8);
}

/* Returns the element of C in focus: the one made now, else the lane's
 * first. */
static struct fragment_place focused_element(const struct board *b,
					     const struct fragments *f)
{
	struct fragment_place p = { .lane = b->lane };

	if (f->kind == FRAGMENTS_MMA && (f->moves == 'C' || f->moves == 'D'))
		p.element = f->moves_first;
	fragment_element(b->c.layout, &p);
	return p;
}

void board_init(struct board *b, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	bool mma = f->kind == FRAGMENTS_MMA;

	*b = (struct board){
		.s = s,
		.lane = (int)s->scene->cursor.lane +
			(mma ? 0 : WARP_LANES * f->quarter),
		.a = { .layout = mma ? &f->a.layout : NULL, .name = 'A',
		       .rows = f->m, .cols = f->k },
		.b = { .layout = mma ? &f->b.layout : NULL, .name = 'B',
		       .rows = f->k, .cols = f->n },
		.c = { .layout = &f->d.layout, .name = 'C', .rows = f->m,
		       .cols = f->n },
	};
	b->focus = focused_element(b, f);
	for (int e = 0; e < b->c.layout->elements; e++) {
		struct fragment_place p = { .lane = b->lane, .element = e };

		fragment_element(b->c.layout, &p);
		b->own_rows |= UINT64_C(1) << p.row;
	}
}

/* ---- where rows are ---- */

/* How many rows are whole among half ones: those in which the lane has elements
 * of C, the row in focus, none. */
enum whole { WHOLE_OWN, WHOLE_FOCUS, WHOLE_NONE, WHOLE_COUNT };

static bool is_whole_row(const struct board *b, int row, enum whole whole)
{
	return whole == WHOLE_OWN ? b->own_rows >> row & 1 :
	       whole == WHOLE_FOCUS && row == b->focus.row;
}

/* Places the operand's rows from half row 0 on. Two half rows share a cell; a
 * single one between whole rows is whole, too. Returns the rows of the screen
 * that they take. */
static int lay_rows(const struct board *b, struct board_operand *o,
		    enum whole whole)
{
	int at = 0;

	for (int i = 0; i < o->rows; i++) {
		int row = o->row0 + i;
		bool single = b->h || is_whole_row(b, row, whole) ||
			      i + 1 == o->rows ||
			      is_whole_row(b, row + 1, whole);

		o->top[i] = at;
		o->tall[i] = b->h ? 2 * b->h : single ? 2 : 1;
		at += o->tall[i];
		if (single)
			continue;
		o->top[++i] = at++;
		o->tall[i] = 1;
	}
	return at / 2;
}

/* ---- places ---- */

#define RULER 3
#define NAMES 8	/* of wgmma's warps */
#define GAP 2	/* between operands, besides the rulers */

static int board_width(const struct board *b)
{
	int cols = b->c.cols + (b->a.layout ? b->a.cols : 0) +
		   (b->cross || !b->b.layout ? 0 : b->b.cols);

	return RULER + b->w * cols +
	       (b->a.layout ? (GAP + RULER) * (b->cross ? 1 : 2) : 0);
}

/* Moves an operand to (x, y). */
static void move_operand(const struct board *b, struct board_operand *o, int x,
			 int y, int rows)
{
	o->r = (struct rect){ x, y, o->cols * b->w, rows };
	for (int i = 0; i < o->rows; i++)
		o->top[i] += 2 * y;
}

/* Tries to place the operands with elements of this size; false: they do not
 * fit in r. */
static bool try_place(struct board *b, struct rect r, enum whole whole)
{
	int down_a = b->a.layout ? lay_rows(b, &b->a, whole) : 0;
	int down_b = b->b.layout ? lay_rows(b, &b->b, WHOLE_NONE) : 0;
	int down_c = lay_rows(b, &b->c, whole), ruler, x = r.x + RULER, y;
	int high = b->cross ? down_b + down_c : MAX(down_c, down_b);

	if (board_width(b) > r.w || high > r.h)
		return false;
	ruler = b->ruler = high < r.h;
	y = b->cross ? r.y + down_b + ruler : r.y + ruler;
	if (b->a.layout) {
		move_operand(b, &b->a, x, y, down_a);
		x += b->a.r.w + GAP + RULER;
		move_operand(b, &b->b, x, b->cross ? r.y : y, down_b);
		x += b->cross ? 0 : b->b.r.w + GAP + RULER;
	}
	move_operand(b, &b->c, x, y, down_c);
	return true;
}

static bool place_half(struct board *b, struct rect r, bool cross, int widest)
{
	b->cross = cross;
	b->h = 0;
	for (b->w = widest; b->w; b->w--)
		for (int whole = 0; whole < WHOLE_COUNT; whole++)
			if (try_place(b, r, (enum whole)whole))
				return true;
	return false;
}

static bool place_whole(struct board *b, struct rect r, bool cross, int least)
{
	static const struct { int w, h; } sizes[] = {
		{ 8, 4 }, { 6, 3 }, { 4, 2 }, { 6, 1 }, { 4, 1 }, { 3, 1 },
		{ 2, 1 },
	};

	b->cross = cross;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		b->w = sizes[i].w;
		b->h = sizes[i].h;
		if (b->w >= least && try_place(b, r, WHOLE_NONE))
			return true;
	}
	return false;
}

/* Places C alone, of wgmma: all rows or, if they do not fit, those of the warp,
 * with as many columns as fit; wide ones if 32 do, for they repeat themselves. */
static bool place_wgmma(struct board *b, struct rect r)
{
	int all = b->c.rows, cols = b->c.cols;
	int quarter = b->lane / WARP_LANES;

	r.w -= r.w > 40 ? NAMES : 0;
	for (int part = 0; part < 2; part++)
		for (int w = 2; w; w--) {
			b->c.rows = part ? all / 4 : all;
			b->c.row0 = part ? quarter * all / 4 : 0;
			b->c.cols = MIN(cols, (r.w - RULER) / w / 8 * 8);
			if (b->c.cols >= (w > 1 ? MIN(cols, 32) : 8) &&
			    place_half(b, r, false, w))
				return true;
		}
	return false;
}

bool board_place(struct board *b, struct rect r)
{
	struct rect left = { r.x, r.y, r.w - BOARD_ASIDE, r.h };

	if (!b->a.layout)
		return place_wgmma(b, r);
	return (fragments_fill(b->s) && place_whole(b, left, true, 3)) ||
	       place_whole(b, r, true, 2) || place_whole(b, r, false, 3) ||
	       place_half(b, r, true, 3) ||
	       place_whole(b, r, false, 2) || place_half(b, r, false, 2);
}

void board_place_at(struct board *b, int x, int y, int w, int h)
{
	b->cross = b->plain = true;
	b->w = w;
	b->h = h;
	move_operand(b, &b->a, x, y + lay_rows(b, &b->b, WHOLE_NONE),
		     lay_rows(b, &b->a, WHOLE_NONE));
	move_operand(b, &b->b, x + b->a.r.w + 1, y,
		     lay_rows(b, &b->b, WHOLE_NONE));
	move_operand(b, &b->c, b->b.r.x, b->a.r.y,
		     lay_rows(b, &b->c, WHOLE_NONE));
}

struct rect board_cell(const struct board *b, const struct board_operand *o,
		       int row, int col, bool *upper, bool *lower)
{
	int i = row - o->row0;

	*upper = o->tall[i] == 1 && o->top[i] % 2 == 0;
	*lower = o->tall[i] == 1 && o->top[i] % 2;
	return (struct rect){ o->r.x + col * b->w, o->top[i] / 2, b->w,
			      (o->tall[i] + 1) / 2 };
}

bool board_find(const struct board *b, const struct board_operand *o, int x,
		int y, struct fragment_place *p)
{
	bool upper, lower;

	for (int i = 0; o->layout && i < o->rows; i++)
		for (int col = 0; col < o->cols; col++)
			if (rect_has(board_cell(b, o, o->row0 + i, col, &upper,
						&lower), x, y)) {
				*p = board_holder(o, o->row0 + i, col);
				return true;
			}
	return false;
}

/* ---- what lights ---- */

int board_pairs(const struct board *b)
{
	const struct fragments *f = b->s->scene->fragments;

	if (f->multiplied)
		return f->k;
	/* Each is as long under way as four leave. */
	return f->multiplies ? MAX(0, (int)(kit_act(b->s->t, 0, 1) *
					    (f->k + 4)) - 4) : 0;
}

/* Tells whether the element of D that the request stores is being made. */
static bool is_making(const struct board *b)
{
	const struct fragments *f = b->s->scene->fragments;

	return f->kind == FRAGMENTS_MMA && f->moves == 'D' && !b->plain &&
	       !b->s->quiet && b->s->t < 1;
}

/* Tells whether the request loads other elements: these are dark while it
 * does. */
static bool is_left(const struct board *b, const struct board_operand *o,
		    const struct fragment_place *p)
{
	const struct fragments *f = b->s->scene->fragments;
	bool moves = f->moves == o->name && p->element >= f->moves_first &&
		     p->element < f->moves_first + f->moves_count;

	return f->kind == FRAGMENTS_MMA && f->moves && f->moves != 'D' &&
	       !b->plain && b->s->t > 0 && b->s->t < 1 && !moves;
}

/* Tells whether the element stays dark while others work. */
static bool is_dark_element(const struct board *b, const struct board_operand *o,
		    const struct fragment_place *p)
{
	const struct fragments *f = b->s->scene->fragments;

	if (b->s->quiet)
		return false;
	if (f->kind == FRAGMENTS_WGMMA && !b->plain)
		return p->lane / WARP_LANES != b->lane / WARP_LANES ||
		       (f->multiplies && b->s->t < 1 &&
			p->col >= b->s->t * o->cols);
	if (is_making(b))
		return o->name == 'A' ? p->row != b->focus.row :
		       o->name == 'B' ? p->col != b->focus.col :
		       p->row != b->focus.row || p->col != b->focus.col;
	return is_left(b, o, p);
}

/* Tells whether a question hides the element's lane. The first row of A and C,
 * the first column of B and the lane in focus stay: they show the pattern. */
static bool is_hidden_element(const struct board *b, const struct board_operand *o,
		      const struct fragment_place *p)
{
	return b->s->quiet && b->a.layout && p->lane != b->lane &&
	       (b->plain || (o->name == 'B' ? p->col : p->row) > 0);
}

static struct ink element_ink(const struct board *b,
			      const struct board_operand *o,
			      const struct fragment_place *p)
{
	if (is_hidden_element(b, o, p))
		return INK_ON(ROLE_FAINT, ROLE_FIELD);
	if (p->lane == b->lane)
		return INK_FOCUS;
	if (is_dark_element(b, o, p))
		return INK_ON(ROLE_STRONG, ROLE_FADE0 +
			      p->lane % WARP_LANES / 8);
	return INK_ON(ROLE_ON_HUE, board_hue(p->lane));
}

/* ---- cells ---- */

/* Returns how many elements from this one on the lane has in this row. */
static int run_of(const struct board_operand *o, int row, int col)
{
	int lane = board_holder(o, row, col).lane, n = 1;

	while (col + n < o->cols && board_holder(o, row, col + n).lane == lane)
		n++;
	return n;
}

/* Writes the names of the focused lane's elements, as PTX has them, into their
 * cells, or only that of the first where they are narrow. */
static void write_element_names(struct canvas *c, const struct board *b,
			const struct board_operand *o, struct rect at, int row,
			int col, int run)
{
	int last = board_holder(o, row, col + run - 1).element;
	int each = b->w > (last < 10 ? 1 : 2) ? b->w : run * b->w;
	char name[16];

	for (int i = 0; i * each < run * b->w; i++) {
		snprintf(name, sizeof(name), "%c%d", o->name - 'A' + 'a',
			 board_holder(o, row, col + i).element);
		if (text_width(name) <= each)
			canvas_right(c, at.x + i * each,
				     at.y + (at.h - 1) / 2,
				     each - (each > text_width(name)), name,
				     INK_FOCUS);
	}
}

/* Returns whether the lane's number stands in this cell of B, where a register
 * is a column of two. In narrow columns those of neighbours would touch: every
 * other one is in the lower row or, of rows that share a cell, left out. */
static bool is_numbered(const struct board *b, const struct board_operand *o,
			int row, int col, int lane)
{
	int i = row - o->row0;
	bool odd = b->w < 3 && col % 2;
	bool below = i > 0 && board_holder(o, row - 1, col).lane == lane;
	bool above = i + 1 < o->rows &&
		     board_holder(o, row + 1, col).lane == lane;

	if (o->tall[i] == 1)
		return b->w > 2 || !col || (b->w > 1 && odd == i / 2 % 2);
	return below || above ? below == odd : b->w > 2 || odd == i % 2;
}

/* Writes a lane's number once for a register; where rows share a cell, only in
 * the rows of the focused lane and in the first. */
static void write_lane(struct canvas *c, const struct board *b,
		       const struct board_operand *o, struct rect at, int row,
		       const struct fragment_place *p, int run)
{
	int w = run * b->w;
	char text[12];

	if (o->name == 'B' ? !is_numbered(b, o, row, p->col, p->lane) :
			     !b->h && row && !(b->own_rows >> row & 1))
		return;
	snprintf(text, sizeof(text), "%d", p->lane % WARP_LANES);
	if (text_width(text) <= w)
		canvas_right(c, at.x, at.y + (at.h - 1) / 2, w - (w > 2), text,
			     element_ink(b, o, p));
}

/* Draws the elements of a row that are the same lane's, from col on. Returns how
 * many these are. */
static int draw_run(struct canvas *c, const struct board *b,
		    const struct board_operand *o, int row, int col)
{
	struct fragment_place p = board_holder(o, row, col);
	int run = run_of(o, row, col), i = row - o->row0;
	struct ink ink = element_ink(b, o, &p);
	bool upper, lower, half;
	struct rect at = board_cell(b, o, row, col, &upper, &lower);

	at.w = run * b->w;
	/* Two half rows of one lane are a cell, drawn with the upper one. */
	if (lower && board_holder(o, row - 1, col).lane == p.lane)
		return run;
	half = lower || (upper && (i + 1 == o->rows ||
				   board_holder(o, row + 1, col).lane !=
				   p.lane));
	for (int x = at.x; half && x < at.x + at.w; x++)
		canvas_pixel(c, x, o->top[i], ink.bg);
	if (!half)
		canvas_fill(c, at, ' ', ink);
	if (half || b->plain || ink.bg == ROLE_FIELD)
		return run;
	if (p.lane == b->lane)
		write_element_names(c, b, o, at, row, col, run);
	else
		write_lane(c, b, o, at, row, &p, run);
	return run;
}

static void draw_operand(struct canvas *c, const struct board *b,
			 const struct board_operand *o)
{
	for (int i = 0; o->layout && i < o->rows; i++)
		for (int col = 0; col < o->cols; )
			col += draw_run(c, b, o, o->row0 + i, col);
}

/* ---- rulers ---- */

static void draw_board_rows(struct canvas *c, const struct board *b,
			   const struct board_operand *o, int mark)
{
	int by = b->h || o->name == 'B' ? 1 : 8;

	for (int i = 0; i < o->rows; i++)
		if ((o->row0 + i) % by == 0 || (o->row0 + i == mark))
			if (o->tall[i] > 1 || o->top[i] % 2 == 0)
				canvas_textf(c, o->r.x - RULER,
					     o->top[i] / 2 +
					     (MAX(o->tall[i], 2) - 2) / 4,
					     RULER - 1, o->row0 + i == mark ?
					     INK_BOLD(ROLE_STRONG) :
					     INK(ROLE_FAINT), "%2d",
					     o->row0 + i);
}

static void draw_board_columns(struct canvas *c, const struct board *b,
			      const struct board_operand *o, int mark)
{
	int by = b->w > 2 ? 1 : b->w > 1 ? 2 : 8, room = MAX(b->w, 2);

	for (int i = 0; i < o->cols; i++)
		if (i == mark || (i % by == 0 &&
				  (mark < 0 || i / by != mark / by)))
			canvas_textf(c, o->r.x + i * b->w, o->r.y - 1,
				     room, i == mark ? INK_BOLD(ROLE_STRONG) :
				     INK(ROLE_FAINT), "%*d", b->w > 1 ?
				     room - (room > 3) : -1, i);
}

static void draw_board_rulers(struct canvas *c, const struct board *b)
{
	bool told = !b->s->quiet;
	int row = told ? b->focus.row : -1, col = told ? b->focus.col : -1;

	draw_board_rows(c, b, &b->c, row);
	if (b->ruler)
		draw_board_columns(c, b, &b->c, col);
	if (!b->a.layout)
		return;
	draw_board_rows(c, b, &b->a, row);
	if (b->ruler || b->cross)
		draw_board_columns(c, b, &b->a, -1);
	draw_board_rows(c, b, &b->b, -1);
	if (!b->cross && b->ruler)
		draw_board_columns(c, b, &b->b, col);
}

/* ---- motion ---- */

/* Draws an element of A or B where it is on its way into the element of C in
 * focus, at the time t of it. */
static void draw_flight(struct canvas *c, const struct board *b,
			const struct board_operand *o, int row, int col,
			double t)
{
	struct fragment_place p = board_holder(o, row, col);
	bool upper, lower;
	struct rect from = board_cell(b, o, row, col, &upper, &lower);
	struct rect to = board_cell(b, &b->c, b->focus.row, b->focus.col,
				    &upper, &lower);
	struct rect at = kit_rect_between(from, to, t);
	char name[16];

	snprintf(name, sizeof(name), "%d", p.lane);
	kit_box(c, at, text_width(name) <= at.w ? name : NULL,
		p.lane == b->lane ? INK_FOCUS :
		INK_ON(ROLE_ON_HUE, board_hue(p.lane)));
}

static void draw_flights(struct canvas *c, const struct board *b)
{
	double now = kit_act(b->s->t, 0, 1) * (b->a.cols + 4);

	if (!is_making(b) || b->s->t <= 0)
		return;
	for (int k = b->a.cols - 1; k >= 0; k--)
		if (now > k && now < k + 4) {
			draw_flight(c, b, &b->a, b->focus.row, k,
				    (now - k) / 4);
			draw_flight(c, b, &b->b, k, b->focus.col,
				    (now - k) / 4);
		}
}

void board_draw(struct canvas *c, const struct board *b)
{
	draw_operand(c, b, &b->a);
	draw_operand(c, b, &b->b);
	draw_operand(c, b, &b->c);
	if (b->plain)
		return;
	draw_board_rulers(c, b);
	draw_flights(c, b);
}
