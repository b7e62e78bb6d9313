/*
 * picture: a matrix as pixels (two to a cell) or as cells with lane digits.
 *
 * What an element is drawn as, strongest first: the focused lane's, touched
 * now (the lane's hue), by another warp now, touched before (the trail
 * fades), the thread's own part, the block's part, nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "viz/show.h"

static enum role mark_role(const struct show *s, const struct mark *m)
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
	if (m->age <= 5)
		return (enum role)(ROLE_FADE0 + hue);
	return ROLE_SEEN;
}

/* How strongly a role asks for a pixel that several elements share. */
static int strength(enum role r)
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

/* The part of an array that a rectangle shows, in pixels of `scale`. */
struct window {
	int row0, col0, rows, cols;	/* in pixels */
	int scale;
	uint8_t *role, *lane;
};

static void window_set(struct window *w, uint32_t row, uint32_t col,
		       enum role role, int lane)
{
	int y = (int)row / w->scale - w->row0;
	int x = (int)col / w->scale - w->col0;
	size_t at;

	if (x < 0 || y < 0 || x >= w->cols || y >= w->rows)
		return;
	at = (size_t)y * (size_t)w->cols + (size_t)x;
	if (strength(role) < strength(w->role[at]))
		return;
	w->role[at] = (uint8_t)role;
	w->lane[at] = (uint8_t)lane;
}

static void window_box(struct window *w, const struct box *b, enum role role)
{
	int row1 = (int)b->row1 / w->scale, col1 = (int)b->col1 / w->scale;

	if (!b->known)
		return;
	row1 = MIN(row1, w->row0 + w->rows - 1);
	col1 = MIN(col1, w->col0 + w->cols - 1);
	for (int r = MAX((int)b->row0 / w->scale, w->row0); r <= row1; r++)
		for (int c = MAX((int)b->col0 / w->scale, w->col0); c <= col1;
		     c++)
			window_set(w, (uint32_t)(r * w->scale),
				   (uint32_t)(c * w->scale), role,
				   WARP_LANES);
}

/* The focused lane's element, or the first touched one, or where the thread
 * or its block works. */
static void focus_of(const struct show *s, const struct stage_array *a,
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

/* Pictures with a side in common are cut at the same place, so that a row of
 * A still meets its row of C: where the one touched now has it, or else C. */
static const struct stage_array *leader(const struct scene *sc,
					const struct stage_array *a, int side)
{
	const struct stage_array *other = side < 0 ? a : &sc->arrays[side];
	const struct stage_array *c = sc->c < 0 ? a : &sc->arrays[sc->c];

	if (a != other && a != c)
		return a;
	return other->now ? other : c;
}

/* Keeps what matters in view. */
static void window_follow(struct window *w, const struct show *s,
			  const struct stage_array *a)
{
	int rows = ((int)a->rows + w->scale - 1) / w->scale;
	int cols = ((int)a->cols + w->scale - 1) / w->scale;
	uint32_t row, col, none;

	focus_of(s, leader(s->scene, a, s->scene->a), &row, &none);
	focus_of(s, leader(s->scene, a, s->scene->b), &none, &col);
	if (rows > w->rows)
		w->row0 = MIN((int)row / w->scale / w->rows * w->rows,
			      rows - w->rows);
	if (cols > w->cols)
		w->col0 = MIN((int)col / w->scale / w->cols * w->cols,
			      cols - w->cols);
}

static void window_fill(struct window *w, const struct show *s,
			const struct stage_array *a)
{
	for (int y = 0; y < w->rows; y++)
		for (int x = 0; x < w->cols; x++)
			if ((y + w->row0) * w->scale < (int)a->rows &&
			    (x + w->col0) * w->scale < (int)a->cols)
				w->role[y * w->cols + x] = ROLE_FIELD;
	for (uint32_t i = 0; a->owner && i < a->rows * a->cols; i++)
		if (a->owner[i] >= 0)
			window_set(w, i / a->cols, i % a->cols, ROLE_TILE,
				   WARP_LANES);
	if (!a->owner)
		window_box(w, &a->block, ROLE_TILE);
	window_box(w, &a->thread, ROLE_OWN);
	for (size_t i = 0; i < a->mark_count; i++)
		window_set(w, a->marks[i].row, a->marks[i].col,
			   mark_role(s, &a->marks[i]), a->marks[i].lane);
}

/* Zoomed in: the element's colour, and the digit lane % 8 when touched. */
static void draw_cells(struct canvas *c, struct rect r,
		       const struct window *w)
{
	for (int y = 0; y < w->rows; y++)
		for (int x = 0; x < w->cols; x++) {
			int at = y * w->cols + x;
			enum role role = w->role[at];
			uint32_t ch = ' ';

			if (!role)
				continue;
			if (w->lane[at] < WARP_LANES)
				ch = '0' + w->lane[at] % 8;
			canvas_put(c, r.x + 2 * x, r.y + y, ch,
				   INK_ON(ROLE_ON_HUE, role));
			canvas_put(c, r.x + 2 * x + 1, r.y + y, ' ',
				   INK_ON(ROLE_ON_HUE, role));
		}
}

static struct window window_of(struct rect r, const struct show *s,
			       const struct stage_array *a, int scale,
			       int cells)
{
	struct window w = { .scale = cells > 1 ? 1 : scale };

	w.cols = MIN(cells > 1 ? r.w / 2 : r.w,
		     ((int)a->cols + w.scale - 1) / w.scale);
	w.rows = MIN(cells > 1 ? r.h : r.h * 2,
		     ((int)a->rows + w.scale - 1) / w.scale);
	if (w.cols > 0 && w.rows > 0)
		window_follow(&w, s, a);
	return w;
}

struct box picture_part(struct rect r, const struct show *s,
			const struct stage_array *a, int scale, int cells)
{
	struct window w = window_of(r, s, a, scale, cells);
	int row1 = (w.row0 + w.rows) * w.scale;
	int col1 = (w.col0 + w.cols) * w.scale;

	return (struct box){
		.known = w.rows > 0 && w.cols > 0,
		.row0 = (uint32_t)(w.row0 * w.scale),
		.col0 = (uint32_t)(w.col0 * w.scale),
		.row1 = (uint32_t)MIN(row1, (int)a->rows) - 1,
		.col1 = (uint32_t)MIN(col1, (int)a->cols) - 1,
	};
}

void picture_draw(struct canvas *c, struct rect r, const struct show *s,
		  const struct stage_array *a, int scale, int cells)
{
	struct window w = window_of(r, s, a, scale, cells);
	size_t n;

	if (w.cols < 1 || w.rows < 1)
		return;
	n = (size_t)w.cols * (size_t)w.rows;
	w.role = xcalloc(n, 1);
	w.lane = xmalloc(n);
	memset(w.lane, WARP_LANES, n);
	window_fill(&w, s, a);
	if (cells > 1)
		draw_cells(c, r, &w);
	else
		for (int i = 0; i < (int)n; i++)
			if (w.role[i])
				canvas_pixel(c, r.x + i % w.cols,
					     2 * r.y + i / w.cols,
					     w.role[i]);
	free(w.role);
	free(w.lane);
}
