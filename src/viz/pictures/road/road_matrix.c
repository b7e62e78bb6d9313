/* road_matrix: draws the box in its matrix. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/pictures/road/view_road.h"

#define RULER 5

void road_name(char *buf, size_t size, const struct trace_info *info,
	       uint32_t array, uint64_t at)
{
	const struct trace_array *a = &info->arrays[array];
	const char *dot = strrchr(a->name, '.');
	uint64_t below = a->elem_bytes;

	for (uint32_t d = 1; d < a->rank; d++)
		below *= a->dims[d];
	if (a->dims[0] > 1 && (a->rank != 2 || a->space != SPACE_SHARED))
		snprintf(buf, size, "%s[%llu]", dot ? dot + 1 : a->name,
			 (unsigned long long)(at / below));
	else
		snprintf(buf, size, "%s", dot ? dot + 1 : a->name);
}

/* ---- the matrix ---- */

/* Returns the colour of a pixel, which stands for a part of the matrix: the
 * box's if it lies in the box; `fine`: each of its chunks has pixels. */
static enum role matrix_role(const struct road_view *v, struct rect part,
			     bool fine)
{
	const struct trace_tile *t = &v->box->from->tile;
	int row = (int)v->box->row, col = (int)v->box->col;
	bool in = part.y + part.h > row && part.y < row + (int)t->rows &&
		  part.x + part.w > col && part.x < col + (int)t->columns;
	int middle = part.x + part.w / 2 - col;

	if (!in)
		return ROLE_FIELD;
	middle = MAX(MIN(middle, (int)t->columns - 1), 0);
	if (middle >= road_ordered(v, v->box) * t->columns)
		return ROLE_OWN;
	return !fine ? ROLE_CURSOR :
	       (enum role)(ROLE_CHUNK0 + middle * (int)t->bytes / 16 % 8);
}

static void draw_matrix_pixels(struct canvas *c, struct rect r,
			       const struct road_view *v, int rows, int cols)
{
	bool fine = (uint32_t)cols * v->box->from->tile.bytes <=
		    16 * (uint32_t)r.w;

	for (int y = 0; y < 2 * r.h; y++)
		for (int x = 0; x < r.w; x++) {
			struct rect part = { x * cols / r.w,
					     y * rows / (2 * r.h), 0, 0 };

			part.w = MAX((x + 1) * cols / r.w - part.x, 1);
			part.h = MAX((y + 1) * rows / (2 * r.h) - part.y, 1);
			canvas_pixel(c, r.x + x, 2 * r.y + y,
				     matrix_role(v, part, fine));
		}
}

/* Writes the first and the last row and column of the box along the matrix,
 * which is in r. */
static void rule_matrix(struct canvas *c, struct rect r,
			const struct road_view *v, int rows, int cols)
{
	uint32_t row = v->box->row + v->box->rows - 1;
	uint32_t col = v->box->col + v->box->cols - 1;

	canvas_textf(c, MIN(r.x + (int)v->box->col * r.w / cols,
			    r.x + MAX(r.w - 8, 0)), r.y - 1, -1,
		     INK(ROLE_STRONG), "%u\xe2\x80\x93%u", v->box->col, col);
	if ((int)v->box->rows * r.h / rows > 1)
		canvas_textf(c, r.x - RULER, r.y + (int)row * r.h / rows,
			     RULER - 1, INK(ROLE_DIM), "%4u", row);
	canvas_textf(c, r.x - RULER, r.y + (int)v->box->row * r.h / rows,
		     RULER - 1, INK(ROLE_STRONG), "%4u", v->box->row);
}

/* Returns the rectangle of the matrix: to scale if possible, and no larger than
 * an element a pixel. */
static struct rect matrix_rect(struct rect r, int rows, int cols)
{
	r = (struct rect){ r.x + RULER, r.y + 2, MIN(r.w - RULER, cols),
			   MIN(r.h - 2, (rows + 1) / 2) };
	if (r.w * rows < 2 * r.h * cols)
		r.h = MAX(r.w * rows / (2 * cols), 1);
	else
		r.w = MAX(2 * r.h * cols / rows, 2);
	return r;
}

struct rect road_matrix(struct canvas *c, struct rect r,
			const struct road_view *v)
{
	const struct trace_array *a = &v->s->scene->info->arrays[
					v->box->from->array];
	int rows = (int)a->dims[0], cols = (int)a->dims[a->rank - 1], row;
	struct rect in, none = { 0, 0, 0, 0 };

	if (a->rank != 2 || r.w < 12 || r.h < 4)
		return none;
	canvas_textf(c, r.x, r.y, r.w, INK(ROLE_DIM), "%s  %d \xc3\x97 %d",
		     a->name, rows, cols);
	in = matrix_rect(r, rows, cols);
	draw_matrix_pixels(c, in, v, rows, cols);
	rule_matrix(c, in, v, rows, cols);
	row = (int)v->box->row * in.h / rows;
	return (struct rect){ in.x, in.y + row, in.w,
			      MAX((int)v->box->rows * in.h / rows, 1) };
}
