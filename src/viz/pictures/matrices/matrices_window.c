/* matrices_window: see matrices_window.h. */
#include "viz/pictures/matrices/matrices_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/raster.h"

/* ---- layout ---- */

#define DEPTH 16	/* elements along k, if there is room */
#define LEAST 7		/* columns of C */
#define LIST 26		/* columns of the list of products, B's name after it */
#define CORNER 17	/* the least columns and rows of the corner */
#define CORNER_ROWS 4

static int digits_of(uint32_t n)
{
	char text[16];

	return snprintf(text, sizeof(text), "%u", n);
}

/* Returns the columns of a window of so many columns of C that are left of B's
 * rulers. */
static int columns_left(const struct matrices_window *w, struct rect r,
			uint32_t cols)
{
	return r.w - 3 - digits_of(w->of_a->cols) - (int)cols * w->each.w;
}

/* Returns the columns that rulers and torn edges take. */
static int frame_columns(const struct matrices_window *w)
{
	return digits_of(w->of_a->rows) + digits_of(w->of_a->cols) + 6;
}

/* Tries a size of elements and a depth, with at least so many rows and columns
 * of C. */
static bool try_pane_size(struct matrices_window *w, struct rect r,
		     struct kit_size each, uint32_t depth, uint32_t rows,
		     uint32_t cols)
{
	int width = r.w - frame_columns(w) - (int)depth * each.w;
	int height = r.h - 1 - (int)depth * each.h;

	w->each = each;
	w->depth = MIN(depth, w->of_a->cols);
	height += (int)(depth - w->depth) * each.h;
	width += (int)(depth - w->depth) * each.w;
	rows = MIN(rows, w->of_c->rows);
	cols = MIN(cols, w->of_c->cols);
	if (width < (int)cols * each.w || height < (int)rows * each.h)
		return false;
	w->cols = MIN((uint32_t)(width / each.w), w->of_c->cols);
	w->rows = MIN((uint32_t)(height / each.h), w->of_c->rows);
	/* The list of products comes before more columns. */
	while (w->cols > DEPTH && columns_left(w, r, w->cols) <
				  LIST + 2 * CORNER)
		w->cols--;
	return true;
}

static bool choose_element_size(struct matrices_window *w, struct rect r)
{
	static const struct kit_size sizes[] = {
		{ 30, 8, false }, { 20, 6, false }, { 12, 4, false },
		{ 8, 3, false }, { 6, 2, false }, { 5, 2, false },
		{ 4, 1, false }, { 3, 1, false },
	};
	const struct kit_size small = { 3, 1, false }, least = { 2, 1, false };

	for (size_t i = 0; i < LENGTH(sizes); i++)
		if (try_pane_size(w, r, sizes[i], DEPTH, 8, DEPTH))
			return true;
	for (uint32_t depth = DEPTH; depth >= 4; depth /= 2)
		if (try_pane_size(w, r, small, depth, 2, LEAST))
			return true;
	for (uint32_t depth = DEPTH / 2; depth; depth /= 2)
		if (try_pane_size(w, r, least, depth, 1, 2))
			return true;
	return false;
}

/* Returns the first of `n` elements to show of `all`, so that `at` is among
 * them: pages from `first` on, which belong together. */
static uint32_t page_of(uint32_t at, uint32_t first, uint32_t n, uint32_t all)
{
	uint32_t page;

	if (at < first)
		first = 0;
	page = first + (at - first) / n * n;
	return MIN(page, all - n);
}

/* Returns the first column shown of A: the window's, or on its way there. */
static void slide_window(struct matrices_window *w)
{
	uint32_t before = w->m->before / w->depth;

	w->k0 = page_of(w->m->at, 0, w->depth, w->of_a->cols);
	w->lag = 0;
	if (before + 1 == w->m->at / w->depth && w->k0 >= w->depth &&
	    !w->s->quiet)
		w->lag = (int)(w->depth * (1 - kit_between(0, 1, w->s->t)));
}

static void place_rects(struct matrices_window *w, struct rect r, bool legend)
{
	int side = digits_of(w->of_a->rows) + 1;
	int mid = digits_of(w->of_a->cols) + 1, ew = w->each.w, eh = w->each.h;
	int high = (int)(w->depth + w->rows) * eh + 1;
	int over = legend ? 1 : 0, above;

	w->a.w = (int)w->depth * ew;
	w->b.w = w->c.w = (int)w->cols * ew;
	w->a.h = w->c.h = (int)w->rows * eh;
	w->b.h = (int)w->depth * eh;
	w->b.y = r.y + MAX(0, (r.h - high - over) / 2);
	w->c.x = w->b.x = r.x + r.w - 1 - w->b.w;
	w->a.y = w->c.y = w->b.y + w->b.h;
	w->a.x = w->b.x - mid - 2 - w->a.w;
	w->legend = legend ? MIN(r.y + r.h - 1, w->a.y + w->a.h + 1) : -1;
	/* What is left at the left widens the corner. */
	if (w->a.x - side - 1 > r.x + 24)
		w->a.x = r.x + side + 1 + (w->a.x - side - 1 - r.x) / 2;
	above = w->b.x - mid - 1 - r.x;
	w->corner = (struct rect){ r.x, r.y, above, w->a.y - r.y };
	w->list = (struct rect){ 0, 0, 0, 0 };
	if (above >= LIST + 2 * CORNER) {
		w->list = (struct rect){ r.x + above - LIST, w->b.y, LIST - 3,
					 w->b.h };
		w->corner.w -= LIST + 1;
	}
}

/* Takes the matrices of a scene. False: they are no product's, or the lane has no
 * element. */
static bool take_matrices(struct matrices_window *w, const struct frame_model *s,
			  const struct scene *sc)
{
	if (!sc || !sc->site || !sc->matrices ||
	    !sc->home[sc->cursor.lane].known)
		return false;
	*w = (struct matrices_window){
		.s = s, .m = sc->matrices, .of_a = &sc->arrays[sc->a],
		.of_b = &sc->arrays[sc->b], .of_c = &sc->arrays[sc->c],
		.home = sc->home[sc->cursor.lane],
	};
	if (!w->of_a->cols || w->of_a->cols != w->of_b->rows ||
	    w->of_a->rows != w->of_c->rows || w->of_b->cols != w->of_c->cols ||
	    w->home.row0 >= w->of_c->rows || w->home.col0 >= w->of_c->cols)
		return false;
	return true;
}

/* Makes elements as small as those of the other one of a pair, and the window as
 * deep. */
static bool share_size(struct matrices_window *w, struct rect r)
{
	struct matrices_window other;
	uint32_t depth;

	if (!w->s->twin || !take_matrices(&other, w->s, w->s->twin) ||
	    !choose_element_size(&other, r))
		return true;
	depth = MIN(w->depth, other.depth);
	if (other.each.w < w->each.w)
		w->each = other.each;
	return try_pane_size(w, r, w->each, depth, 1, 1);
}

bool matrices_place(struct matrices_window *w, const struct frame_model *s,
		    struct rect r)
{
	const struct box *block;
	bool legend;

	if (!take_matrices(w, s, s->scene))
		return false;
	legend = r.h > DEPTH + 6;
	r.h -= legend;
	if (!choose_element_size(w, r) || !share_size(w, r))
		return false;
	block = &w->of_c->block;
	w->row0 = page_of(w->home.row0, block->known ? block->row0 : 0,
			  w->rows, w->of_c->rows);
	w->col0 = page_of(w->home.col0, block->known ? block->col0 : 0,
			  w->cols, w->of_c->cols);
	slide_window(w);
	place_rects(w, (struct rect){ r.x, r.y, r.w, r.h + legend }, legend);
	return true;
}

/* ---- elements ---- */

/* One of the three matrices in the window, of which it shows element (row0,
 * col0) first. */
struct pane_view {
	const struct matrices_window *w;
	const struct stage_array *of;
	char name;
	struct rect r;
	uint32_t row0, col0;
	/* By element in view: the mark of this request, or of the last one that
	 * left one there; NULL: none has. */
	const struct mark **marks;
};

static bool in_box(const struct box *b, uint32_t row, uint32_t col)
{
	return b->known && row >= b->row0 && row <= b->row1 &&
	       col >= b->col0 && col <= b->col1;
}

uint32_t matrices_made(const struct matrices_window *w)
{
	return w->m->done - (w->m->adds && w->s->t < 1);
}

bool matrices_sum(const struct matrices_window *w, uint32_t n, double *sum)
{
	double a, b;

	*sum = 0;
	for (uint32_t k = 0; k < n; k++) {
		if (!scene_element(w->s->scene, w->of_a, w->home.row0, k, &a) ||
		    !scene_element(w->s->scene, w->of_b, k, w->home.col0, &b))
			return false;
		*sum += a * b;
	}
	return true;
}

/* Gets the first and the last lane whose operand of the product at hand, or
 * whose element of C, is this element; false: no lane's is. */
static bool find_lanes(const struct pane_view *v, uint32_t row, uint32_t col,
		       uint32_t *first, uint32_t *last)
{
	const struct scene *sc = v->w->s->scene;
	const struct product_walk *m = v->w->m;
	bool any = false;

	if (v->name == 'A' ? !m->has_a || col != m->k :
	    v->name == 'B' ? !m->has_b || row != m->k : false)
		return false;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		const struct box *home = &sc->home[lane];

		if (!home->known || (v->name != 'B' && home->row0 != row) ||
		    (v->name != 'A' && home->col0 != col))
			continue;
		if (!any)
			*first = lane;
		*last = lane;
		any = true;
	}
	return any;
}

static uint32_t count_pane_rows(const struct pane_view *v)
{
	return (uint32_t)(v->r.h / v->w->each.h);
}

static uint32_t count_pane_columns(const struct pane_view *v)
{
	return (uint32_t)(v->r.w / v->w->each.w);
}

/* Returns where the mark of an element is kept; NULL: it is not in view. */
static const struct mark **mark_at(const struct pane_view *v, uint32_t row,
				   uint32_t col)
{
	uint32_t y = row - v->row0, x = col - v->col0;

	return y < count_pane_rows(v) && x < count_pane_columns(v) ?
	       &v->marks[y * count_pane_columns(v) + x] : NULL;
}

/* Starts a pane: finds the marks in view. */
static struct pane_view begin_pane(const struct matrices_window *w, char name)
{
	uint32_t k0 = w->k0 - (uint32_t)w->lag;
	struct pane_view v = { .w = w, .name = name };

	v.of = name == 'A' ? w->of_a : name == 'B' ? w->of_b : w->of_c;
	v.r = name == 'A' ? w->a : name == 'B' ? w->b : w->c;
	v.row0 = name == 'B' ? k0 : w->row0;
	v.col0 = name == 'A' ? k0 : w->col0;
	v.marks = xcalloc((size_t)count_pane_rows(&v) * count_pane_columns(&v) + 1,
			  sizeof(*v.marks));
	for (size_t i = 0; i < v.of->mark_count; i++) {
		const struct mark *m = &v.of->marks[i], **at =
			mark_at(&v, m->row, m->col);

		if (at && !m->other && (!*at || m->age <= (*at)->age))
			*at = m;
	}
	return v;
}

static void end_pane(struct pane_view *v)
{
	free(v->marks);
}

/* Returns how far an element of the lane's row of A or column of B is: used, or
 * to be used; ROLE_NONE: it is in neither. */
static enum role way_role(const struct pane_view *v, uint32_t row, uint32_t col)
{
	const struct matrices_window *w = v->w;
	uint32_t k = v->name == 'A' ? col : row;

	if (w->s->quiet || (v->name == 'A' ? row != w->home.row0 :
			    v->name == 'B' ? col != w->home.col0 : true))
		return ROLE_NONE;
	return w->m->known && k < matrices_made(w) ? ROLE_SEEN : ROLE_OWN;
}

/* Returns the colour of an element that no lane reads now. */
static enum role ground_role(const struct pane_view *v, uint32_t row,
			     uint32_t col)
{
	enum role way = way_role(v, row, col);

	if (way)
		return way;
	if (v->name == 'C' && in_box(&v->of->thread, row, col))
		return ROLE_OWN;
	return in_box(&v->of->block, row, col) ? ROLE_TILE : ROLE_FIELD;
}

/* The two halves of an element's cells, and what is written there. */
struct element_look { enum role left, right; bool focus; char text[16]; };

static void look_at_mark(struct element_look *l, const struct pane_view *v,
			 const struct mark *m)
{
	const struct scene *sc = v->w->s->scene;
	char text[16];

	if (m->stored && m->age == 0 && v->w->s->t < 1)
		return;
	if (!m->age) {
		l->focus = sc->focus_lanes >> m->lane & 1;
		l->left = l->right = l->focus ? ROLE_CURSOR :
						raster_lane(m->lane);
	} else if (m->stored) {
		l->left = l->right = (enum role)(ROLE_FADE0 + m->lane / 8 % 4);
	}
	/* A value that is too long leaves the lane's number. */
	if (m->stored && m->known) {
		number_fit(text, sizeof(text), m->value, v->w->each.w - 1);
		if (!strchr(text, '#') || !l->text[0])
			strcpy(l->text, text);
	}
}

/* Tells whether white is still on its way to the operand at hand. */
static bool is_moving(const struct matrices_window *w, char name)
{
	return (name == 'A' ? w->m->takes_a :
		name == 'B' && w->m->takes_b) && w->s->t < 1 && w->m->k &&
	       !w->s->quiet && !w->lag;
}

static struct element_look look_at(const struct pane_view *v, uint32_t row, uint32_t col)
{
	const struct scene *sc = v->w->s->scene;
	const struct mark **m = mark_at(v, row, col);
	struct element_look l = { .text = "" };
	uint32_t first = 0, last = 0;
	double value;

	l.left = l.right = ground_role(v, row, col);
	if (v->name != 'C' && scene_element(sc, v->of, row, col, &value))
		number_fit(l.text, sizeof(l.text), value, v->w->each.w - 1);
	l.focus = row == (v->name == 'B' ? v->w->m->k : v->w->home.row0) &&
		  col == (v->name == 'A' ? v->w->m->k : v->w->home.col0);
	if (l.focus && is_moving(v->w, v->name))
		return l;
	if (!v->w->s->quiet && find_lanes(v, row, col, &first, &last)) {
		l.left = l.focus ? ROLE_CURSOR : raster_lane(first);
		l.right = l.focus ? ROLE_CURSOR : raster_lane(last);
		if (v->name == 'C')
			snprintf(l.text, sizeof(l.text), "%u", l.focus ?
				 sc->cursor.lane : first);
	}
	if (m && *m)
		look_at_mark(&l, v, *m);
	if (strchr(l.text, '#'))
		strcpy(l.text, "\xe2\x80\xa6");
	return l;
}

static bool is_dark_ground(enum role role)
{
	return role <= ROLE_SEEN || (role >= ROLE_FADE0 && role <= ROLE_FADE3);
}

/* Draws an element at (x, y), cut to its pane. */
static void draw_look(struct canvas *c, const struct matrices_window *w, int x,
		      int y, const struct element_look *l)
{
	int left = w->each.w / 2;
	struct ink ink = INK_ON(l->left == ROLE_FIELD ? ROLE_DIM :
				is_dark_ground(l->left) ? ROLE_TEXT : ROLE_ON_HUE,
				l->left);

	ink.attr = l->left >= ROLE_CURSOR || l->left == ROLE_SEEN ?
		   ATTR_BOLD : 0;
	canvas_fill(c, (struct rect){ x, y, left, w->each.h }, ' ', ink);
	ink.bg = (uint8_t)l->right;
	canvas_fill(c, (struct rect){ x + left, y, w->each.w - left,
				      w->each.h }, ' ', ink);
	ink.bg = ROLE_NONE;
	canvas_right(c, x, y + (w->each.h - 1) / 2, w->each.w -
		     (w->each.w > 3), l->text, ink);
}

/* Draws the torn edge of a pane where its matrix goes on. */
static void tear_edges(struct canvas *c, const struct pane_view *v)
{
	const struct ink ink = INK_ON(ROLE_FAINT, ROLE_FIELD);

	for (int y = v->r.y; y < v->r.y + v->r.h; y += 2) {
		if (v->col0 > 0)
			canvas_put(c, v->r.x - 1, y, ' ', ink);
		if (v->col0 + count_pane_columns(v) < v->of->cols)
			canvas_put(c, v->r.x + v->r.w, y, ' ', ink);
	}
}

/* Draws the part of a matrix in the window. */
static void draw_pane(struct canvas *c, const struct matrices_window *w,
		      char name)
{
	struct pane_view v = begin_pane(w, name);
	struct rect clip = canvas_clip(c, v.r);

	for (uint32_t y = 0; y < count_pane_rows(&v); y++)
		for (uint32_t x = 0; x < count_pane_columns(&v); x++) {
			struct element_look l = look_at(&v, v.row0 + y,
							v.col0 + x);

			draw_look(c, w, v.r.x + (int)x * w->each.w,
				  v.r.y + (int)y * w->each.h, &l);
		}
	canvas_clip(c, clip);
	tear_edges(c, &v);
	end_pane(&v);
}

/* ---- rulers ---- */

static void rule_window_rows(struct canvas *c, const struct matrices_window *w,
			   struct rect r, uint32_t first, uint32_t n,
			   uint32_t focus)
{
	char text[16];

	for (uint32_t i = 0; i < n; i++) {
		bool mark = first + i == focus && !w->s->quiet;

		snprintf(text, sizeof(text), "%u", first + i);
		canvas_right(c, r.x - 2 - 6, r.y + (int)i * w->each.h +
			     (w->each.h - 1) / 2, 6, text, mark ?
			     INK_BOLD(ROLE_STRONG) : INK(ROLE_FAINT));
	}
}

static void rule_window_columns(struct canvas *c, const struct matrices_window *w,
			      struct rect r, uint32_t first, uint32_t n,
			      uint32_t focus)
{
	uint32_t step = digits_of(first + n) < w->each.w ? 1 : 4;
	char text[16];

	for (uint32_t i = 0; i < n; i++) {
		bool mark = first + i == focus && !w->s->quiet;

		if (!mark && (i % step || (step > 1 && !w->s->quiet &&
					   (first + i) / step == focus / step)))
			continue;
		snprintf(text, sizeof(text), "%u", first + i);
		canvas_right(c, r.x + (int)(i + 1) * w->each.w - 6 -
			     (w->each.w > 3), r.y + r.h, 6, text, mark ?
			     INK_BOLD(ROLE_STRONG) : INK(ROLE_FAINT));
	}
}

static void draw_window_rulers(struct canvas *c, const struct matrices_window *w)
{
	uint32_t k0 = w->k0 - (uint32_t)w->lag;

	rule_window_rows(c, w, w->a, w->row0, w->rows, w->home.row0);
	rule_window_rows(c, w, w->b, k0, w->depth, w->m->k);
	rule_window_columns(c, w, w->a, k0, w->depth, w->m->k);
	rule_window_columns(c, w, w->c, w->col0, w->cols, w->home.col0);
}

/* Names the windows: each before the first number of its ruler. */
static void name_windows(struct canvas *c, const struct matrices_window *w)
{
	const struct ink ink = INK_BOLD(ROLE_STRONG);
	int mid = digits_of(w->of_a->cols) + 1, below = w->a.y + w->a.h;

	canvas_text(c, w->a.x - 2 - (w->each.w < 3), below, 1, "A", ink);
	canvas_text(c, w->b.x - mid - 3, w->b.y + (w->each.h - 1) / 2, 1, "B",
		    ink);
	canvas_text(c, w->c.x - 2 - (w->each.w < 3), below, 1, "C", ink);
}

/* ---- motion ---- */

/* Draws white where it is between the operand of the product before and that at
 * hand: one right in A, one down in B. */
static void draw_white(struct canvas *c, const struct matrices_window *w,
		       char name)
{
	struct pane_view v;
	double left = 1 - kit_between(0, 1, w->s->t);
	int at = (int)(w->m->k - w->k0) + w->lag;
	struct rect clip;
	struct element_look l;
	int x, y;

	if (!is_moving(w, name))
		return;
	v = begin_pane(w, name);
	clip = canvas_clip(c, v.r);
	l = look_at(&v, name == 'A' ? w->home.row0 : w->m->k,
		    name == 'A' ? w->m->k : w->home.col0);
	l.left = l.right = ROLE_CURSOR;
	x = name == 'A' ? v.r.x + (int)((at - left) * w->each.w + 0.5) :
	    v.r.x + (int)(w->home.col0 - w->col0) * w->each.w;
	y = name == 'B' ? v.r.y + (int)((at - left) * w->each.h + 0.5) :
	    v.r.y + (int)(w->home.row0 - w->row0) * w->each.h;
	draw_look(c, w, x, y, &l);
	canvas_clip(c, clip);
	end_pane(&v);
}

/* Draws the two values on their way into the list. */
static void draw_product_flight(struct canvas *c, const struct matrices_window *w)
{
	double t = kit_between(0, 1, w->s->t), value;
	int row = (int)(w->m->k - w->k0) * w->each.h;
	struct rect to = { w->list.x, w->list.y + row, w->each.w, 1 };
	struct rect from[2] = {
		{ w->a.x + (int)(w->m->k - w->k0) * w->each.w,
		  w->a.y + (int)(w->home.row0 - w->row0) * w->each.h,
		  w->each.w, 1 },
		{ w->b.x + (int)(w->home.col0 - w->col0) * w->each.w,
		  w->b.y + row, w->each.w, 1 },
	};
	char text[16];

	if (!w->m->adds || !w->list.w || w->s->quiet || w->s->t <= 0 ||
	    w->s->t >= 1 || w->lag)
		return;
	for (int i = 0; i < 2; i++) {
		if (!scene_element(w->s->scene, i ? w->of_b : w->of_a,
				   i ? w->m->k : w->home.row0,
				   i ? w->home.col0 : w->m->k, &value))
			return;
		number_fit(text, sizeof(text), value, w->each.w - 1);
		kit_box(c, kit_rect_between(from[i], (struct rect){
				to.x + 5 * i, to.y, to.w, 1 }, t), text,
			INK_FOCUS);
	}
}

static void draw_window_legend(struct canvas *c, const struct matrices_window *w)
{
	const struct scene *sc = w->s->scene;
	char own[32], lanes[4][32];
	struct rect all = { w->a.x, w->b.y, w->c.x + w->c.w - w->a.x,
			    w->a.y + w->a.h - w->b.y };
	struct legend_entry e[] = {
		{ { ROLE_CURSOR }, own },
		{ { ROLE_HUE0, ROLE_TRAIL0, ROLE_FADE0 }, lanes[0] },
		{ { ROLE_HUE1, ROLE_TRAIL1, ROLE_FADE1 }, lanes[1] },
		{ { ROLE_HUE2, ROLE_TRAIL2, ROLE_FADE2 }, lanes[2] },
		{ { ROLE_HUE3, ROLE_TRAIL3, ROLE_FADE3 }, lanes[3] },
		{ { ROLE_SEEN }, _("used") }, { { ROLE_OWN }, _("to be used") },
		{ { ROLE_TILE }, _("this tile") },
	};

	snprintf(own, sizeof(own), _("lane %u"), sc->cursor.lane);
	for (int i = 0; i < 4; i++)
		snprintf(lanes[i], sizeof(lanes[i]), _("lanes %d-%d"), 8 * i,
			 8 * i + 7);
	legend_rows(c, (struct rect){ w->corner.x + 1, w->legend,
				      w->c.x + w->c.w - w->corner.x - 1, 1 }, all,
		    e, LENGTH(e));
}

void matrices_draw(struct canvas *c, const struct matrices_window *w)
{
	draw_pane(c, w, 'A');
	draw_pane(c, w, 'B');
	draw_pane(c, w, 'C');
	draw_window_rulers(c, w);
	name_windows(c, w);
	draw_white(c, w, 'A');
	draw_white(c, w, 'B');
	if (w->corner.w >= CORNER && w->corner.h >= CORNER_ROWS)
		matrices_corner(c, w);
	if (w->list.w)
		matrices_list(c, w);
	draw_product_flight(c, w);
	if (w->legend >= 0 && !w->s->quiet)
		draw_window_legend(c, w);
}
