/* Draws the block's part of C with its tiles of A and B, and the warp's part
 * enlarged, its lanes as units. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/nested/nested_plan.h"
#include "viz/raster.h"

/* ---- the block ---- */

/* Draws a rectangle of elements, out to half cells: what is smaller than one
 * can still be seen. */
static void paint_elements(struct raster *g, double x, double y, double w,
			   double h, enum role role)
{
	double x0 = floor(2 * x + 0.01) / 2, y0 = floor(2 * y + 0.01) / 2;

	raster_box(g, x0, y0, fmax(0.5, ceil(2 * (x + w) - 0.01) / 2 - x0),
		   fmax(0.5, ceil(2 * (y + h) - 0.01) / 2 - y0), role);
}

static enum role role_in_c(const struct nested_subject *q, int32_t thread)
{
	uint32_t warp = (uint32_t)thread / WARP_LANES;

	return thread < 0		? ROLE_NONE :
	       warp == q->sc->warp.warp ? ROLE_SEEN :
	       warp % 2			? ROLE_TILE :
					  ROLE_FIELD;
}

/* Draws runs of elements of C that have one warp. */
static void draw_c(struct raster *g, const struct nested_subject *q,
		   const struct nested_plan *p)
{
	double e = p->element;

	for (uint32_t row = 0; row < q->rows; row++)
		for (uint32_t col = 0, to; col < q->cols; col = to) {
			enum role role =
				role_in_c(q, nested_thread(q, row, col));

			for (to = col + 1;
			     to < q->cols &&
			     role_in_c(q, nested_thread(q, row, to)) == role;)
				to++;
			raster_box(g, p->c_x + col * e, p->c_y + row * e / 2,
				   (to - col) * e, e / 2, role);
		}
}

/* Draws the focused lane's elements of C. */
static void draw_lane_in_c(struct raster *g, const struct nested_subject *q,
			   const struct nested_plan *p)
{
	double e = p->element;

	for (uint32_t i = 0; i < q->o->rows; i++)
		for (uint32_t j = 0; j < q->o->cols; j++)
			paint_elements(
				g,
				p->c_x +
					(q->n->cols[j] - q->work->box.col0) * e,
				p->c_y + (q->n->rows[i] - q->work->box.row0) *
						 e / 2,
				e, e / 2, ROLE_CURSOR);
}

/* Returns the k within its tile at which the strips are; on their way there, a
 * part. */
static double strip_at(const struct nested_subject *q)
{
	double k = q->n->k % q->n->depth;

	return k > 0 ? k - 1 + nested_time(q).slide : k;
}

/* Returns the colour of a row's (else a column's) value in the strip. */
static enum role role_in_strip(const struct nested_subject *q, bool row,
			       uint32_t line)
{
	return nested_has_line(q, row, line)	     ? ROLE_CURSOR :
	       (row ? q->has_row : q->has_col)[line] ? ROLE_SEEN :
						       ROLE_OWN;
}

/* Draws the tile of A (else of B): what the warp's rows (columns) need, and in
 * it the strip of this k, white last. */
static void draw_tile_and_strip(struct raster *g,
				const struct nested_subject *q,
				const struct nested_plan *p, bool a)
{
	double e = p->element, deep = q->n->depth * e, k = strip_at(q) * e;
	uint32_t n = a ? q->rows : q->cols;

	raster_box(g, a ? p->as_x : p->c_x, a ? p->c_y : p->bs_y,
		   a ? deep : n * e, a ? n * e / 2 : deep / 2, ROLE_FIELD);
	for (uint32_t i = 0; i < 2 * n; i++) {
		enum role role = role_in_strip(q, a, i % n);
		double x = p->c_x + i % n * e, y = p->c_y + i % n * e / 2;

		if (i < n && role != ROLE_OWN)
			raster_box(g, a ? p->as_x : x, a ? y : p->bs_y,
				   a ? deep : e, a ? e / 2 : deep / 2,
				   ROLE_TILE);
		if (!q->n->held || (i < n) == (role == ROLE_CURSOR))
			continue;
		/* A cell has two colours: white takes all its rows. */
		if (a && role == ROLE_CURSOR)
			paint_elements(g, p->as_x + k, floor(y), e,
				       ceil(y + e / 2) - floor(y), role);
		else
			paint_elements(g, a ? p->as_x + k : x,
				       a ? y : p->bs_y + k / 2, e, e / 2, role);
	}
}

#define MOST_WARPS 32 /* of a block */

/* Finds the bounds of each warp's elements in the block's part. */
static void find_bounds(const struct nested_subject *q, struct box *of)
{
	for (uint32_t row = 0; row < q->rows; row++)
		for (uint32_t col = 0; col < q->cols; col++) {
			int32_t thread = nested_thread(q, row, col);
			struct box *b = &of[thread / WARP_LANES % MOST_WARPS];

			if (thread < 0)
				continue;
			if (!b->known)
				*b = (struct box){ true, row, col, row, col };
			b->col0 = MIN(b->col0, col);
			b->col1 = MAX(b->col1, col);
			b->row1 = row;
		}
}

/* Writes the warps' numbers into their parts, at the right. */
static void number_warps(struct canvas *c, const struct nested_subject *q,
			 const struct nested_plan *p, const struct box *of)
{
	double e = p->element;
	char text[16];

	for (uint32_t w = 0; w < MOST_WARPS; w++) {
		struct box b = of[w];
		bool own = w == q->sc->warp.warp;
		int x, y;

		if (!b.known || (b.row1 - b.row0 + 1) * e / 2 < 1)
			continue;
		snprintf(text, sizeof(text), "w%u", w);
		x = (int)(p->c_x + (b.col1 + 1) * e) - text_width(text);
		y = (int)(p->c_y + (b.row0 + b.row1 + 1) * e / 4);
		if (x > p->c_x + b.col0 * e &&
		    canvas_at(c, x, y)->bg != ROLE_CURSOR)
			canvas_text(c, x, y, -1, text,
				    own ? INK_BOLD(ROLE_ON_HUE) :
					  INK(ROLE_DIM));
	}
}

/* Writes "As 64 x 16", or the name alone, in w columns. */
static void name_tile(struct canvas *c, int x, int y, int w, const char *name,
		      uint32_t rows, uint32_t cols)
{
	char text[96];

	snprintf(text, sizeof(text), "%s %u \xc3\x97 %u", name, rows, cols);
	if (text_width(text) > w)
		snprintf(text, sizeof(text), "%s", name);
	kit_whole(c, x, y, w, text, INK_BOLD(ROLE_TEXT));
}

/* Writes the block's title, its tiles' names, and what a mark stands for. */
static void describe_block(struct canvas *c, const struct nested_subject *q,
			   const struct nested_plan *p)
{
	int x = (int)p->as_x, cx = (int)p->c_x, y = (int)p->bs_y;
	int right = (int)ceil(cx + q->cols * p->element);
	char title[2][96];
	int w = nested_block_title(title, sizeof(title[0]), q, p->element);
	bool one_row = w <= right - x + 1;

	canvas_text(c, x, y - 1, -1, title[0], INK_BOLD(ROLE_STRONG));
	canvas_right(c, x,
		     one_row ? y - 1 :
			       (int)ceil(p->c_y + q->rows * p->element / 2),
		     right - x + 1, title[1], INK(ROLE_DIM));
	name_tile(c, x, y, cx - x, nested_tile_name(q, 1), q->n->depth,
		  q->cols);
	name_tile(c, x, (int)p->c_y - 1, cx - x, nested_tile_name(q, 0),
		  q->rows, q->n->depth);
}

void nested_block(struct canvas *c, const struct nested_subject *q,
		  const struct nested_plan *p)
{
	struct box of[MOST_WARPS] = { 0 };
	const struct box *b = &of[q->sc->warp.warp % MOST_WARPS];
	double e = p->element, right = p->c_x + q->cols * e;
	struct raster g;

	find_bounds(q, of);
	raster_begin(&g, (struct rect){
				 (int)p->as_x, (int)p->bs_y,
				 (int)(p->warp.x - 1 - p->as_x),
				 (int)ceil(p->c_y + q->rows * e / 2 - p->bs_y) +
					 2 });
	if (p->warp.w)
		raster_wedge(
			&g,
			&(struct raster_wedge){
				.a = { p->c_y + b->row0 * e / 2,
				       p->c_y + (b->row1 + 1) * e / 2, right },
				.b = { p->warp.y,
				       p->warp.y + q->unit_rows * p->unit_h,
				       p->warp.x - 1 },
				.sideways = true },
			1, ROLE_RIBBON);
	draw_c(&g, q, p);
	draw_tile_and_strip(&g, q, p, true);
	draw_tile_and_strip(&g, q, p, false);
	draw_lane_in_c(&g, q, p);
	raster_end(&g, c);
	number_warps(c, q, p, of);
	describe_block(c, q, p);
}

/* ---- the warp ---- */

/* Returns the lane that has a unit, or -1. */
static int lane_at(const struct nested_subject *q, uint32_t i, uint32_t j)
{
	int32_t t = nested_thread(q, q->unit_row[i], q->unit_col[j]);

	return t >= 0 && (uint32_t)t / WARP_LANES == q->sc->warp.warp ?
		       t % WARP_LANES :
		       -1;
}

/* Draws the strips of As and Bs of this k beside the units that need them. */
static void draw_strips(struct raster *g, const struct nested_subject *q,
			const struct nested_plan *p)
{
	if (!q->n->held)
		return;
	for (uint32_t i = 0; i < q->unit_rows; i++)
		raster_box(g, p->warp.x - 2, p->warp.y + i * p->unit_h, 1,
			   p->unit_h,
			   nested_has_line(q, true, q->unit_row[i]) ?
				   ROLE_CURSOR :
				   ROLE_SEEN);
	for (uint32_t i = 0; i < q->unit_cols; i++)
		raster_box(g, p->warp.x + i * p->unit_w, p->warp.y - 0.75,
			   p->unit_w, 0.5,
			   nested_has_line(q, false, q->unit_col[i]) ?
				   ROLE_CURSOR :
				   ROLE_SEEN);
}

/* Draws the wedge from the lane's units to its enlargement. */
static void draw_lane_wedge(struct raster *g, const struct nested_subject *q,
			    const struct nested_plan *p)
{
	double from[2] = { 1e9, 0 };
	struct raster_wedge w = { .sideways = p->beside };

	for (uint32_t i = 0; i < q->unit_rows; i++)
		for (uint32_t j = 0; j < q->unit_cols; j++)
			if (lane_at(q, i, j) == (int)q->sc->cursor.lane) {
				double at = p->beside ?
						    p->warp.y + i * p->unit_h :
						    p->warp.x + j * p->unit_w;

				from[0] = fmin(from[0], at);
				from[1] = fmax(from[1],
					       at + (p->beside ? p->unit_h :
								 p->unit_w));
			}
	w.a = (struct raster_edge){
		from[0], from[1],
		p->beside ? p->warp.x + q->unit_cols * p->unit_w :
			    p->warp.y + q->unit_rows * p->unit_h
	};
	w.b = p->beside ?
		      (struct raster_edge){ p->lane.y, p->lane.y + p->lane.h,
					    p->lane.x } :
		      (struct raster_edge){ p->lane.x, p->lane.x + p->lane.w,
					    p->lane_title.y };
	raster_wedge(g, &w, 1, ROLE_RIBBON);
}

void nested_warp(struct canvas *c, const struct nested_subject *q,
		 const struct nested_plan *p)
{
	struct raster g;
	char text[16], title[96];

	raster_begin(
		&g,
		(struct rect){
			p->warp.x - 2, p->warp.y - 1,
			MAX(p->warp.w, p->lane.x + p->lane.w - p->warp.x) + 2,
			MAX(p->warp.h, p->lane.y + p->lane.h - p->warp.y) +
				1 });
	draw_lane_wedge(&g, q, p);
	draw_strips(&g, q, p);
	for (uint32_t i = 0; i < q->unit_rows * q->unit_cols; i++) {
		uint32_t row = i / q->unit_cols, col = i % q->unit_cols;
		int lane = lane_at(q, row, col);

		if (lane >= 0)
			raster_box(&g, p->warp.x + col * p->unit_w,
				   p->warp.y + row * p->unit_h, p->unit_w,
				   p->unit_h,
				   lane == (int)q->sc->cursor.lane ?
					   ROLE_CURSOR :
					   raster_lane((uint32_t)lane));
	}
	raster_end(&g, c);
	for (uint32_t i = 0; p->numbers && i < q->unit_rows * q->unit_cols;
	     i++) {
		int lane = lane_at(q, i / q->unit_cols, i % q->unit_cols);
		int x = p->warp.x + (int)((i % q->unit_cols) * p->unit_w);
		int y = p->warp.y + (int)((i / q->unit_cols) * p->unit_h);

		snprintf(text, sizeof(text), "%d", lane);
		/* Numbers that would touch each other leave every second out.
		 */
		if (lane >= 0 &&
		    (p->unit_w > text_width(text) || lane % 2 == 0 ||
		     lane == (int)q->sc->cursor.lane))
			canvas_text(c,
				    x + ((int)p->unit_w - text_width(text)) / 2,
				    y + (int)(p->unit_h - 1) / 2, -1, text,
				    lane == (int)q->sc->cursor.lane ?
					    INK_BOLD(ROLE_ON_HUE) :
					    INK(ROLE_ON_HUE));
	}
	snprintf(title, sizeof(title),
		 _("warp %u: %u \xc3\x97 %u of C, a lane %u \xc3\x97 %u"),
		 q->sc->warp.warp, q->warp_rows, q->warp_cols, q->o->rows,
		 q->o->cols);
	if (text_width(title) > p->warp_title.w)
		snprintf(title, sizeof(title),
			 _("warp %u: %u \xc3\x97 %u of C"), q->sc->warp.warp,
			 q->warp_rows, q->warp_cols);
	if (text_width(title) > p->warp_title.w)
		snprintf(title, sizeof(title), _("warp %u"), q->sc->warp.warp);
	canvas_text(c, p->warp_title.x, p->warp_title.y, p->warp_title.w, title,
		    INK_BOLD(ROLE_STRONG));
}
