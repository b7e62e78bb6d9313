/*
 * picture: a matrix as elements of one size: half blocks, or cells with numbers
 * in them. Where one cell stands for many elements it shows a mixture of them.
 *
 * The role of an element is the first that applies: the focused lane's,
 * accessed now (the lane's hue), by another warp now, accessed before (the
 * trail fades), the thread's own part, the block's part, nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/kit.h"
#include "viz/frame_model.h"

static enum role mark_role(const struct frame_model *s, const struct mark *m)
{
	int hue = m->lane / 8 % 4;

	if (m->other)
		return (enum role)(ROLE_TRAIL0 + hue);
	if (!m->age && s->scene->focus_lanes >> m->lane & 1)
		return ROLE_CURSOR;
	if (!m->age)
		return (enum role)(ROLE_HUE0 + hue);
	if (m->age <= 2)
		return (enum role)(ROLE_TRAIL0 + hue);
	/* Results keep the hue of the lane that stored them. */
	if (m->age <= 5 || m->stored)
		return (enum role)(ROLE_FADE0 + hue);
	return ROLE_SEEN;
}

/* Returns the rank of a role: of the elements that share a pixel, the one of
 * the highest rank is shown. */
static int role_rank(enum role r)
{
	if (r == ROLE_CURSOR)
		return 9;
	if (r >= ROLE_HUE0 && r <= ROLE_HUE3)
		return 8;
	if (r >= ROLE_TRAIL0 && r <= ROLE_TRAIL3)
		return 7;
	if (r >= ROLE_FADE0 && r <= ROLE_FADE3)
		return 6;
	return r == ROLE_SEEN ? 5 : r == ROLE_OWN ? 4 : r == ROLE_TILE ? 3 : 0;
}

/* A mark of the picture: the strongest role of its elements, which of them have
 * it, and the strongest role of the others. */
struct picture_spot {
	uint8_t role, other, lane;
	uint32_t row, col;	/* of the element that `lane` touches, */
	const struct mark *mark;	/* which is this one */
	uint64_t bits;		/* of 8 x 8 parts of the mark */
};

/* The part of an array that a rectangle shows, in marks of `across` x `down`
 * elements. */
struct picture_window {
	int row0, col0, rows, cols;	/* in marks */
	int across, down;
	struct picture_spot *spots;
};

/* Returns the part of a mark that element `at` of `of` covers, as bits of a row
 * of eight. */
static uint32_t part_bits(int at, int of)
{
	int from = at * 8 / of, to = ((at + 1) * 8 + of - 1) / of;

	return ((1u << to) - 1) & ~((1u << from) - 1);
}

static uint64_t element_bits(const struct picture_window *w, uint32_t row,
			     uint32_t col)
{
	uint32_t rows = part_bits((int)row % w->down, w->down);
	uint64_t cols = part_bits((int)col % w->across, w->across), bits = 0;

	for (int i = 0; i < 8; i++)
		if (rows >> i & 1)
			bits |= cols << 8 * i;
	return bits;
}

static struct picture_spot *spot_at(struct picture_window *w, uint32_t row,
				    uint32_t col)
{
	int y = (int)row / w->down - w->row0;
	int x = (int)col / w->across - w->col0;

	if (x < 0 || y < 0 || x >= w->cols || y >= w->rows)
		return NULL;
	return &w->spots[y * w->cols + x];
}

static void spot_add(struct picture_spot *p, enum role role, uint64_t bits)
{
	if (role == (enum role)p->role) {
		p->bits |= bits;
	} else if (role_rank(role) > role_rank((enum role)p->role)) {
		p->other = p->role;
		p->role = (uint8_t)role;
		p->bits = bits;
	} else if (role_rank(role) >= role_rank((enum role)p->other)) {
		p->other = (uint8_t)role;
	}
}

static void window_set(struct picture_window *w, uint32_t row, uint32_t col,
		       enum role role, const struct mark *m)
{
	struct picture_spot *p = spot_at(w, row, col);

	if (!p)
		return;
	if (m && role_rank(role) >= role_rank(p->role)) {
		p->lane = m->lane;
		p->mark = m;
		p->row = row;
		p->col = col;
	}
	spot_add(p, role, element_bits(w, row, col));
}

/* Returns the part of a mark that lies in a box, as bits. The mark must touch
 * the box. */
static uint64_t box_bits(const struct picture_window *w, const struct box *b,
			 int row, int col)
{
	int y0 = row * w->down, x0 = col * w->across;
	uint64_t bits = 0;

	if (y0 >= (int)b->row0 && y0 + w->down - 1 <= (int)b->row1 &&
	    x0 >= (int)b->col0 && x0 + w->across - 1 <= (int)b->col1)
		return UINT64_MAX;
	/* A mark may stand for far more elements than the array has. */
	for (int y = MAX(y0, (int)b->row0);
	     y <= MIN(y0 + w->down - 1, (int)b->row1); y++)
		for (int x = MAX(x0, (int)b->col0);
		     x <= MIN(x0 + w->across - 1, (int)b->col1); x++)
			bits |= element_bits(w, (uint32_t)y, (uint32_t)x);
	return bits;
}

static void window_box(struct picture_window *w, const struct box *b,
		       enum role role)
{
	int row1 = (int)b->row1 / w->down, col1 = (int)b->col1 / w->across;

	if (!b->known)
		return;
	row1 = MIN(row1, w->row0 + w->rows - 1);
	col1 = MIN(col1, w->col0 + w->cols - 1);
	for (int r = MAX((int)b->row0 / w->down, w->row0); r <= row1; r++)
		for (int c = MAX((int)b->col0 / w->across, w->col0); c <= col1;
		     c++)
			spot_add(spot_at(w, (uint32_t)(r * w->down),
					 (uint32_t)(c * w->across)), role,
				 box_bits(w, b, r, c));
}

/* Finds the element to keep in view: the focused lane's, or the first accessed
 * one, or the first of the thread's or its block's part. */
static void find_focus(const struct frame_model *s, const struct stage_array *a,
		       uint32_t *row, uint32_t *col)
{
	const struct box *own = a->thread.known ? &a->thread : &a->block;
	const struct mark *m = NULL;

	for (size_t i = 0; i < a->mark_count; i++)
		if (!a->marks[i].other &&
		    (!m || a->marks[i].age < m->age ||
		     (a->marks[i].lane == s->scene->cursor.lane &&
		      (a->marks[i].lane != m->lane ||
		       a->marks[i].age != m->age))))
			m = &a->marks[i];
	*row = m ? m->row : own->known ? own->row0 : 0;
	*col = m ? m->col : own->known ? own->col0 : 0;
}

/* Returns the array whose focus decides where `a` is cut. Pictures with a side
 * in common are cut at the same place, so that a row of A still meets its row
 * of C: the array accessed now decides, or else C. */
static const struct stage_array *
cut_leader(const struct scene *sc, const struct stage_array *a, int side)
{
	const struct stage_array *other = side < 0 ? a : &sc->arrays[side];
	const struct stage_array *c = sc->c < 0 ? a : &sc->arrays[sc->c];

	if (a != other && a != c)
		return a;
	return other->now ? other : c;
}

/* Moves the window so that the element in focus is in view. */
static void window_follow(struct picture_window *w, const struct frame_model *s,
			  const struct stage_array *a)
{
	int rows = ((int)a->rows + w->down - 1) / w->down;
	int cols = ((int)a->cols + w->across - 1) / w->across;
	uint32_t row, col, none;

	find_focus(s, cut_leader(s->scene, a, s->scene->a), &row, &none);
	find_focus(s, cut_leader(s->scene, a, s->scene->b), &none, &col);
	if (rows > w->rows)
		w->row0 = MIN((int)row / w->down / w->rows * w->rows,
			      rows - w->rows);
	if (cols > w->cols)
		w->col0 = MIN((int)col / w->across / w->cols * w->cols,
			      cols - w->cols);
}

/* Fills the bits of the last marks that lie beyond the matrix, so that they do
 * not count as missing. */
static void window_edge(struct picture_window *w, const struct stage_array *a)
{
	for (int y = 0; y < w->rows; y++)
		for (int x = 0; x < w->cols; x++) {
			int rows = (int)a->rows - (y + w->row0) * w->down;
			int cols = (int)a->cols - (x + w->col0) * w->across;
			struct box there = { true, 0, 0,
				(uint32_t)MIN(rows, w->down) - 1,
				(uint32_t)MIN(cols, w->across) - 1 };

			if (rows < w->down || cols < w->across)
				w->spots[y * w->cols + x].bits |=
					~box_bits(w, &there, 0, 0);
		}
}

static void window_fill(struct picture_window *w, const struct frame_model *s,
			const struct stage_array *a)
{
	for (int i = 0; i < w->rows * w->cols; i++) {
		w->spots[i].lane = WARP_LANES;
		w->spots[i].role = w->spots[i].other = ROLE_FIELD;
		w->spots[i].bits = UINT64_MAX;
	}
	for (uint32_t i = 0; a->owner && i < a->rows * a->cols; i++)
		if (a->owner[i] >= 0)
			window_set(w, i / a->cols, i % a->cols, ROLE_TILE,
				   NULL);
	if (!a->owner)
		window_box(w, &a->block, ROLE_TILE);
	window_box(w, &a->thread, ROLE_OWN);
	for (size_t i = 0; i < a->mark_count; i++)
		window_set(w, a->marks[i].row, a->marks[i].col,
			   mark_role(s, &a->marks[i]), &a->marks[i]);
	window_edge(w, a);
}

/* ---- drawing ---- */

/* Gets the value that the element holds, or held when it was stored; false: it
 * is unknown. */
static bool spot_value(const struct frame_model *s, const struct stage_array *a,
		       const struct picture_window *w, int x, int y, double *v)
{
	const struct mark *m = w->spots[y * w->cols + x].mark;

	if (scene_element(s->scene, a, (uint32_t)(w->row0 + y),
			  (uint32_t)(w->col0 + x), v))
		return true;
	if (m && m->known)
		*v = m->value;
	return m && m->known;
}

/* Returns the element's value, if it is known, or an ellipsis if it does not
 * fit; else the digit lane % 8, or NULL for an element of no lane. */
static const char *spot_text(char *buf, size_t size, const struct frame_model *s,
			     const struct stage_array *a,
			     const struct picture_window *w, int x, int y,
			     int room)
{
	const struct picture_spot *p = &w->spots[y * w->cols + x];
	double v;

	if (room > 2 && spot_value(s, a, w, x, y, &v)) {
		number_fit(buf, size, v, room - 1);
		return strchr(buf, '#') ? "\xe2\x80\xa6" : buf;
	}
	if (p->lane >= WARP_LANES)
		return NULL;
	snprintf(buf, size, "%d", p->lane % 8);
	return buf;
}

/* Draws elements of a cell or more each. */
static void draw_elements(struct canvas *c, struct rect r, const struct frame_model *s,
			  const struct stage_array *a,
			  const struct picture_window *w, struct kit_size k)
{
	for (int y = 0; y < w->rows; y++)
		for (int x = 0; x < w->cols; x++) {
			enum role role = w->spots[y * w->cols + x].role;
			bool dark = role_rank(role) < role_rank(ROLE_FADE0);
			char buf[32];

			kit_element(c, r.x, r.y, k, (uint32_t)y, (uint32_t)x,
				    spot_text(buf, sizeof(buf), s, a, w, x, y,
					      k.w),
				    INK_ON(dark ? ROLE_TEXT : ROLE_ON_HUE,
					   role));
		}
}

/* Draws a mark that stands for many elements; it is shaded where only some of
 * them have the role. */
static void draw_mixture(struct canvas *c, int x, int y,
			 const struct picture_spot *p)
{
	int part = __builtin_popcountll(p->bits);

	if (part >= 64 || c->mono || c->ascii) {
		canvas_pixel(c, x, 2 * y, p->role);
		canvas_pixel(c, x, 2 * y + 1, part < 64 ? p->other : p->role);
		return;
	}
	/* U+2591 to U+2593: a quarter, a half and three quarters shaded. */
	canvas_put(c, x, y, part < 24 ? 0x2591 : part < 44 ? 0x2592 : 0x2593,
		   INK_ON(p->role, p->other));
}

static struct picture_window window_of(struct rect r, const struct frame_model *s,
				       const struct stage_array *a,
				       struct picture_form f)
{
	struct picture_window w = { .across = f.across, .down = f.down };

	w.cols = MIN(r.w / f.size.w, ((int)a->cols + w.across - 1) / w.across);
	w.rows = MIN(f.size.half ? r.h * 2 : r.h / f.size.h,
		     ((int)a->rows + w.down - 1) / w.down);
	if (w.cols > 0 && w.rows > 0)
		window_follow(&w, s, a);
	return w;
}

struct box picture_part(struct rect r, const struct frame_model *s,
			const struct stage_array *a, struct picture_form f)
{
	struct picture_window w = window_of(r, s, a, f);
	int row1 = (w.row0 + w.rows) * w.down;
	int col1 = (w.col0 + w.cols) * w.across;

	return (struct box){
		.known = w.rows > 0 && w.cols > 0,
		.row0 = (uint32_t)(w.row0 * w.down),
		.col0 = (uint32_t)(w.col0 * w.across),
		.row1 = (uint32_t)MIN(row1, (int)a->rows) - 1,
		.col1 = (uint32_t)MIN(col1, (int)a->cols) - 1,
	};
}

void picture_draw(struct canvas *c, struct rect r, const struct frame_model *s,
		  const struct stage_array *a, struct picture_form f)
{
	struct picture_window w = window_of(r, s, a, f);
	bool mixed = f.across * f.down > 1;
	int n = w.cols * w.rows;

	if (w.cols < 1 || w.rows < 1)
		return;
	w.spots = xcalloc((size_t)n, sizeof(*w.spots));
	window_fill(&w, s, a);
	if (!f.size.half && !mixed)
		draw_elements(c, r, s, a, &w, f.size);
	for (int i = 0; (f.size.half || mixed) && i < n; i++)
		for (int x = r.x + i % w.cols * f.size.w, end = x + f.size.w;
		     x < end; x++)
			if (mixed)
				draw_mixture(c, x, r.y + i / w.cols,
					     &w.spots[i]);
			else
				canvas_pixel(c, x, 2 * r.y + i / w.cols,
					     w.spots[i].role);
	free(w.spots);
}

/* ---- sizes ---- */

static uint32_t marks_along(uint32_t elements, int each)
{
	return (elements + (uint32_t)each - 1) / (uint32_t)each;
}

int picture_width(const struct stage_array *a, struct picture_form f)
{
	return a ? kit_width(f.size, marks_along(a->cols, f.across)) : 16;
}

int picture_height(const struct stage_array *a, struct picture_form f)
{
	return a ? kit_height(f.size, marks_along(a->rows, f.down)) : 8;
}

bool picture_at(struct rect r, const struct box *part, struct picture_form f,
		uint32_t row, uint32_t col, int *x, int *y)
{
	int down = (int)row / f.down - (int)part->row0 / f.down;
	int across = (int)col / f.across - (int)part->col0 / f.across;

	*x = r.x + across * f.size.w;
	*y = f.size.half ? 2 * r.y + down : r.y + down * f.size.h;
	return part->known && row >= part->row0 && row <= part->row1 &&
	       col >= part->col0 && col <= part->col1;
}
