/* nested_plan: see nested_plan.h. */
#include "viz/pictures/nested/nested_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- what ---- */

int32_t nested_thread(const struct nested_subject *q, uint32_t row,
		      uint32_t col)
{
	return q->work->by[row * q->cols + col];
}

static bool is_of_warp(const struct nested_subject *q, int32_t thread)
{
	return thread >= 0 && (uint32_t)thread / WARP_LANES == q->sc->warp.warp;
}

/* Notes the rows and columns in which the warp has elements. */
static void find_warp_lines(struct nested_subject *q)
{
	for (uint32_t row = 0; row < q->rows; row++)
		for (uint32_t col = 0; col < q->cols; col++)
			if (is_of_warp(q, nested_thread(q, row, col)))
				q->has_row[row] = q->has_col[col] = true;
}

bool nested_has_line(const struct nested_subject *q, bool row, uint32_t line)
{
	uint32_t first = row ? q->work->box.row0 : q->work->box.col0;
	uint32_t n = row ? q->o->rows : q->o->cols;
	const uint32_t *lines = row ? q->n->rows : q->n->cols;

	for (uint32_t i = 0; i < n; i++)
		if (lines[i] == first + line)
			return true;
	return false;
}

/* Tells whether the same lanes have elements in two rows (else columns). */
static bool is_same_line(const struct nested_subject *q, bool row, uint32_t a,
			 uint32_t b)
{
	for (uint32_t i = 0; i < (row ? q->cols : q->rows); i++)
		if (nested_thread(q, row ? a : i, row ? i : a) !=
		    nested_thread(q, row ? b : i, row ? i : b))
			return false;
	return true;
}

/* Lists the first lines of the warp's units. Returns how many lines the warp
 * has; 0: there are too many units. */
static uint32_t list_units(const struct nested_subject *q, bool row,
			   uint32_t *units, uint32_t *count)
{
	uint32_t n = 0;

	*count = 0;
	for (uint32_t i = 0; i < (row ? q->rows : q->cols); i++) {
		if (!(row ? q->has_row : q->has_col)[i])
			continue;
		n++;
		if (i > 0 && *count && is_same_line(q, row, i - 1, i))
			continue;
		if (*count == NESTED_UNITS)
			return 0;
		units[(*count)++] = i;
	}
	return n;
}

bool nested_take(struct nested_subject *q, const struct frame_model *s,
		 const struct scene *sc)
{
	*q = (struct nested_subject){ .s = s, .sc = sc };
	if (!sc || !sc->site || !sc->nested)
		return false;
	q->n = sc->nested;
	q->o = q->n->outer;
	if (!q->n->placed)
		return true;
	q->work = &sc->carriers->work;
	q->rows = q->work->box.row1 - q->work->box.row0 + 1;
	q->cols = q->work->box.col1 - q->work->box.col0 + 1;
	if (q->rows > NESTED_LINES || q->cols > NESTED_LINES) {
		q->work = NULL;
		return true;
	}
	find_warp_lines(q);
	q->warp_rows = list_units(q, true, q->unit_row, &q->unit_rows);
	q->warp_cols = list_units(q, false, q->unit_col, &q->unit_cols);
	if (!q->warp_rows || !q->warp_cols)
		q->work = NULL;
	return true;
}

const char *nested_tile_name(const struct nested_subject *q, int input)
{
	const struct trace_array *a = q->n->from[input];
	uint32_t rows = input ? q->n->depth : q->rows;
	uint32_t cols = input ? q->cols : q->n->depth;

	return a && a->rank >= 2 && a->dims[a->rank - 2] == rows &&
			       a->dims[a->rank - 1] == cols ?
		       a->name :
	       input ? "B" :
		       "A";
}

struct nested_time nested_time(const struct nested_subject *q)
{
	double t = q->s->t;

	if (q->s->quiet || q->sc->cursor.request != q->o->last)
		return (struct nested_time){ 1, 1, true, true };
	return (struct nested_time){ kit_act(t, 0, 0.3), kit_act(t, 0.3, 0.6),
				     t >= 0.6, t >= 0.8 };
}

/* ---- how large ---- */

#define SIDES 2 /* a picture, or a pair of them */
#define LEAST_CELL 6
#define MOST_ROWS 8  /* of a cell */
#define MOST_UNIT 16 /* columns */
#define MOST_CELL 24
#define WEDGE_W 4  /* columns between block and warp */
#define BESIDE_W 4 /* and between warp and lane */

/* What is sized: one picture's subject or both of a pair. */
struct nested_pair {
	const struct nested_subject *q[SIDES];
	int count;
};

static double columns_of_block(const struct nested_subject *q, double element)
{
	return 1 + (q->n->depth + q->cols) * element + 2;
}

int nested_block_title(char (*text)[96], size_t size,
		       const struct nested_subject *q, double element)
{
	int mark = (int)(1 / element);

	snprintf(text[0], size, _("block: %u \xc3\x97 %u of C"), q->rows,
		 q->cols);
	text[1][0] = 0;
	if (mark > 1)
		snprintf(text[1], size, _("%d \xc3\x97 %d elements a mark"),
			 mark, mark);
	return text_width(text[0]) + (mark > 1) * (2 + text_width(text[1]));
}

/* Returns the rows of the tile of B; two names stand at its left. */
static double rows_of_tile(const struct nested_subject *q, double element)
{
	return fmax(2, ceil(q->n->depth * element / 2));
}

/* Returns the rows: a title, the tile of B, C, and what a mark stands for, if
 * that does not fit into the title. */
static double rows_of_block(const struct nested_subject *q, double element)
{
	char title[2][96];
	int w = nested_block_title(title, sizeof(title[0]), q, element);

	return 1 + rows_of_tile(q, element) + ceil(q->rows * element / 2) +
	       (w > columns_of_block(q, element));
}

/* Chooses the largest size of an element at which the block takes less than
 * half of the width. */
static double choose_element(const struct nested_pair *all, struct rect r)
{
	static const double sizes[] = { 4, 3, 2, 1, 0.5, 0.25, 0.125 };

	if (r.w < 96)
		return 0;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		bool fits = true;

		for (int k = 0; k < all->count; k++)
			fits &= all->q[k]->work && all->q[k]->n->depth &&
				columns_of_block(all->q[k], sizes[i]) <=
					r.w * 0.48 &&
				rows_of_block(all->q[k], sizes[i]) <= r.h;
		if (fits)
			return sizes[i];
	}
	return 0;
}

/* Returns the largest size of a unit of at most `most` that fits `units` times
 * in `room`; 0: less than `least`. */
static double choose_unit(double room, uint32_t units, double least,
			  double most)
{
	double each = room / units;

	return each >= 1 ? fmin(floor(each), most) : each >= least ? least : 0;
}

/* Returns how many sets of factors the kernel has: 2 if both arrays have two
 * rows, each as long as a side of the square; else 1. */
static int count_sets(const struct nested_subject *q)
{
	const struct stage_array *a = &q->sc->arrays[q->o->column];
	const struct stage_array *b = &q->sc->arrays[q->o->row];

	return a->value && b->value && a->rows == 2 && b->rows == 2 &&
			       a->cols == q->o->rows && b->cols == q->o->cols ?
		       2 :
		       1;
}

static int head_rows(int cell_h)
{
	return cell_h > LARGE_ROWS ? cell_h : MIN(cell_h, 2);
}

/* Sets the warp's size in what the lane's cells leave. Returns how good it all
 * is; negative: it does not fit. */
static double try_sizes(struct nested_plan *p, const struct nested_pair *all,
			struct rect r)
{
	p->unit_w = p->unit_h = MOST_UNIT;
	for (int k = 0; k < all->count; k++) {
		const struct nested_subject *q = all->q[k];
		int sets = count_sets(q);
		int w = ((int)q->o->cols + sets) * p->cell_w;
		int h = 1 + sets * p->head_h + (int)q->o->rows * p->cell_h;
		double room_w = r.w - 3, room_h = r.h - h - 3;

		if (w > r.w || h > r.h)
			return -1;
		if (!q->work) {
			p->unit_w = p->unit_h = 0;
			continue;
		}
		if (p->beside) {
			room_w -= w + BESIDE_W;
			room_h = r.h - 2;
		}
		p->unit_w = fmin(p->unit_w, choose_unit(room_w, q->unit_cols, 1,
							MOST_UNIT));
		p->unit_h = fmin(p->unit_h, choose_unit(room_h, q->unit_rows,
							0.5, MOST_UNIT / 2));
	}
	p->numbers = p->unit_w >= 2 && p->unit_h >= 1;
	return 1000 * p->numbers + 400 * (p->unit_w > 0 && p->unit_h > 0) +
	       60 * p->cell_h + 12 * p->cell_w + 20 * p->unit_h +
	       10 * p->unit_w + 30 * !p->beside;
}

/* Chooses sizes of units and cells, the lane below the warp or beside it. */
static bool choose_sizes(struct nested_plan *p, const struct nested_pair *all,
			 struct rect r)
{
	double best = -1;

	for (int beside = 0; beside < 2; beside++)
		for (int h = MOST_ROWS; h > 0; h--)
			for (int w = MOST_CELL; w >= MAX(LEAST_CELL, 2 * h);
			     w--) {
				struct nested_plan a = *p;
				double gain;

				a.beside = beside;
				a.cell_w = w;
				a.cell_h = h;
				a.head_h = head_rows(h);
				gain = try_sizes(&a, all, r);
				if (gain <= best)
					continue;
				best = gain;
				*p = a;
			}
	return best >= 0;
}

/* ---- where ---- */

static void place_block(struct nested_plan *p, const struct nested_subject *q,
			struct rect r)
{
	p->as_x = r.x + 1;
	p->c_x = p->as_x + ceil(q->n->depth * p->element) + 2;
	p->bs_y = r.y + 1;
	p->c_y = p->bs_y + rows_of_tile(q, p->element);
}

static void place_warp_and_lane(struct nested_plan *p,
				const struct nested_subject *q, struct rect r)
{
	bool warp = q->work && p->unit_w > 0 && p->unit_h > 0;
	int x = r.x, y = r.y, lane_h;

	p->sets = count_sets(q);
	lane_h = p->sets * p->head_h + (int)q->o->rows * p->cell_h;
	p->warp_title = (struct rect){ r.x, r.y, r.w, 1 };
	p->warp = (struct rect){ r.x + 2, r.y + 2, 0, 0 };
	if (warp) {
		p->warp.w = (int)ceil(q->unit_cols * p->unit_w);
		p->warp.h = (int)ceil(q->unit_rows * p->unit_h);
	}
	if (warp && p->beside) {
		x = p->warp.x + p->warp.w + BESIDE_W;
		p->warp_title.w = x - r.x - 1;
	} else if (warp) {
		y = p->warp.y + p->warp.h;
		y += MAX(0, MIN(3, r.y + r.h - y - lane_h - 2));
	}
	p->lane_title = (struct rect){ x, y, r.x + r.w - x, 1 };
	p->lane = (struct rect){ x, y + 1,
				 ((int)q->o->cols + p->sets) * p->cell_w,
				 lane_h };
	y = p->lane.y + p->lane.h;
	p->counts = (struct rect){ x, y, r.x + r.w - x,
				   MAX(0, MIN(2, r.y + r.h - y)) };
}

void nested_place(struct nested_plan *p, const struct nested_subject *q,
		  struct rect r)
{
	struct nested_subject twin;
	struct nested_pair all = { .q = { q }, .count = 1 };

	if (q->s->twin && nested_take(&twin, q->s, q->s->twin))
		all.q[all.count++] = &twin;
	*p = (struct nested_plan){ .element = choose_element(&all, r) };
	if (p->element > 0) {
		double most = 0;
		int w;

		place_block(p, q, r);
		for (int k = 0; k < all.count; k++)
			most = fmax(most,
				    columns_of_block(all.q[k], p->element));
		w = (int)ceil(most) + WEDGE_W;
		r.x += w;
		r.w -= w;
	}
	if (!choose_sizes(p, &all, r)) {
		/* The lane alone, cut. */
		p->unit_w = p->unit_h = 0;
		p->cell_w = MAX(3, r.w / (int)(q->o->cols + 1));
		p->cell_h = p->head_h = 1;
	}
	place_warp_and_lane(p, q, r);
}
