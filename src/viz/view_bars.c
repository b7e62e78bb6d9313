/*
 * The race's bars: how fast each kernel is, on the scale of the chip's limit;
 * below each bar, why; at the right, how many times as fast as the rung before.
 * With more room bars are thicker.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/view_benchmark.h"

#define LABEL_MAX 24
#define MARKS 3		/* columns of the choice and the letter */
#define FACTOR 20	/* columns of the factor and the rung it is to */
#define FACTOR_SHORT 8

struct bars {
	struct rect in;
	int label;		/* columns */
	struct rect bar;
	int factor;		/* columns, right of the bars */
	int per;		/* rows of the screen for each */
	int thick;		/* rows of a bar */
	int first, count;	/* the rows in the window */
	bool opened;		/* the chosen one has its reason below it */
};

int bars_rows(const struct benchmark_scene *s)
{
	return (int)s->row_count + 4;
}

static void bars_columns(struct bars *b, const struct benchmark_scene *s)
{
	int label = 0;

	for (size_t i = 0; i < s->row_count; i++)
		label = MAX(label, text_width(s->rows[i].called));
	b->label = MIN(label, MIN(LABEL_MAX, 2 * b->in.w / 5)) + MARKS + 1;
	b->factor = b->in.w >= 70 ? FACTOR : FACTOR_SHORT;
	b->bar = (struct rect){ b->in.x + b->label, b->in.y,
				b->in.w - b->label - b->factor, b->in.h - 1 };
}

static void bars_layout(struct bars *b, struct rect in,
			const struct benchmark_scene *s)
{
	int rows = (int)s->row_count, h = in.h - 1;

	*b = (struct bars){ .in = in };
	bars_columns(b, s);
	b->per = rows ? MAX(1, MIN(h / rows, 4)) : 1;
	b->thick = b->per < 3 ? 1 : b->per - 1;
	b->opened = b->per == 1 && h > MIN(rows, h - 1);
	b->count = MIN(rows, (h - b->opened) / b->per);
	if ((int)s->chosen >= b->count)
		b->first = (int)s->chosen - b->count + 1;
}

static int row_y(const struct bars *b, const struct benchmark_scene *s, int i)
{
	int at = i - b->first;

	if (b->opened)
		return b->bar.y + at + (i > (int)s->chosen);
	return b->bar.y + at * b->bar.h / MAX(1, b->count);
}

static double bar_part(const struct benchmark_scene *s, double flops)
{
	return s->scale > 0 ? MIN(1, flops / s->scale) : 0;
}

static enum role bar_role(const struct benchmark_scene *s, size_t i)
{
	if (s->rows[i].baseline)
		return ROLE_HUE3;
	if (i == s->chosen)
		return ROLE_HUE0;
	return s->rows[i].reason.bad ? ROLE_BAD : ROLE_HUE1;
}

/* Writes the state of a row that has no bar. */
static void draw_state(struct canvas *c, const struct bars *b, int y,
		       const struct benchmark_row *row)
{
	bool bad = row->state == TIMING_FAILED;
	int room = b->bar.w + b->factor - 1;

	if (!row->on)
		canvas_text(c, b->bar.x, y, room, _("not in the race"),
			    INK(ROLE_FAINT));
	else if (!row->here)
		canvas_text(c, b->bar.x, y, room, _("r starts again with it"),
			    INK(ROLE_DIM));
	else
		canvas_textf(c, b->bar.x, y, room,
			     INK(bad ? ROLE_BAD : ROLE_DIM), "%s%s%s",
			     benchmark_state(row->state, row->never),
			     row->why ? ": " : "", row->why ? row->why : "");
}

/* Returns the column of the factor; the name of the rung before stands at its
 * left. */
static int factor_x(const struct bars *b)
{
	return b->bar.x + b->bar.w + b->factor - FACTOR_SHORT;
}

/* Writes the factor, and the rung that it compares with if nothing else stands
 * there. */
static void draw_factor(struct canvas *c, const struct bars *b, int y,
			const struct benchmark_row *row)
{
	int end = factor_x(b), w = text_width(row->below);
	char text[32];

	benchmark_factor(text, sizeof(text), row->factor);
	canvas_right(c, end, y, FACTOR_SHORT - 1, text,
		     INK_BOLD(row->factor < 0.95 ? ROLE_BAD :
			      row->factor > 1.05 ? ROLE_GOOD : ROLE_DIM));
	if (!w || b->factor < FACTOR)
		return;
	for (int x = end - w - 1; x < end; x++)
		if (canvas_at(c, x, y)->ch != ' ')
			return;
	canvas_text(c, end - w, y, w, row->below, INK(ROLE_FAINT));
}

static void draw_reason(struct canvas *c, const struct bars *b, int y,
			const struct benchmark_row *row)
{
	int room = b->in.x + b->in.w - b->bar.x;
	struct str words = {0};
	char *part;

	benchmark_reason_words(&words, &row->reason);
	/* "2 wavefronts · FP32 units 79 % busy": if cut, its last part is left
	 * out. */
	while (words.len && text_width(words.data) > room &&
	       (part = strstr(words.data, " \xc2\xb7 "))) {
		for (char *next; (next = strstr(part + 1, " \xc2\xb7 "));)
			part = next;
		*part = '\0';
	}
	if (words.len)
		canvas_text(c, b->bar.x, y, room, words.data,
			    INK(row->reason.bad ? ROLE_BAD : ROLE_DIM));
	str_done(&words);
}

/* Writes the figure after the bar; or in the bar if it does not fit there, or
 * would leave no room for the name of the rung before. */
static void draw_bar_figure(struct canvas *c, const struct bars *b, int y,
			    double part, const struct benchmark_row *row,
			    enum role role)
{
	int x = b->bar.x + (int)ceil(part * b->bar.w) + 1;
	int end = b->bar.x + b->bar.w, name;
	double flops = row->figures.flops;
	char text[32];

	snprintf(text, sizeof(text), "%.*f", benchmark_digits(flops / 1e12),
		 flops / 1e12);
	name = factor_x(b) - text_width(row->below) - 1;
	if (b->factor >= FACTOR && name >= x - 1 &&
	    x - 3 >= b->bar.x + (int)strlen(text))
		end = MIN(end, name);
	if (x + (int)strlen(text) <= end)
		canvas_text(c, x, y, -1, text, INK_BOLD(ROLE_STRONG));
	else
		canvas_right(c, b->bar.x, y, x - b->bar.x - 2, text,
			     (struct ink){ ROLE_ON_HUE, (uint8_t)role,
					   ATTR_BOLD });
}

static void draw_bar_label(struct canvas *c, const struct bars *b, int y,
			   const struct benchmark_scene *s, size_t i)
{
	const struct benchmark_row *row = &s->rows[i];
	bool chosen = i == s->chosen;
	struct ink ink = chosen ? INK_BOLD(ROLE_ACCENT) :
			 row->baseline ? INK_BOLD(ROLE_HUE3) :
					 INK(row->on ? ROLE_TEXT : ROLE_FAINT);

	canvas_put(c, b->in.x, y, chosen ? 0x25b8 : ' ',
		   INK_BOLD(ROLE_ACCENT));
	canvas_put(c, b->in.x + 1, y, (uint32_t)row->letter,
		   (struct ink){ ROLE_ON_HUE, (uint8_t)bar_role(s, i),
				 ATTR_BOLD });
	canvas_right(c, b->in.x + MARKS, y, b->label - MARKS - 1,
		     row->called, ink);
}

static void draw_race_row(struct canvas *c, const struct bars *b, int y,
			  const struct benchmark_scene *s, size_t i)
{
	const struct benchmark_row *row = &s->rows[i];
	enum role role = bar_role(s, i);
	double part;

	draw_bar_label(c, b, y + (b->thick - 1) / 2, s, i);
	if (!row->on || row->figures.flops == NA) {
		draw_state(c, b, y, row);
		return;
	}
	part = bar_part(s, row->figures.flops);
	for (int k = b->per == 3; k < b->thick; k++)
		kit_bar(c, b->bar.x, y + k, b->bar.w, part, role, ROLE_NONE);
	/* Half a row stays free below the text of the bar before. */
	for (int k = 0; b->per == 3 && k < (int)(part * b->bar.w); k++)
		canvas_pixel(c, b->bar.x + k, 2 * y + 1, role);
	draw_bar_figure(c, b, y + (b->thick - 1) / 2, part, row, role);
	draw_factor(c, b, y + (b->thick - 1) / 2, row);
	if (b->per > 1 || (b->opened && i == s->chosen))
		draw_reason(c, b, y + b->thick, row);
}

/* Returns the distance between labels: 1, 2 or 5 times a power of ten, at least
 * eight columns. */
static double label_step(double scale, int width)
{
	double least = scale * 8 / MAX(width, 8);
	double p = pow(10, floor(log10(least)));

	return least <= p ? p : least <= 2 * p ? 2 * p :
	       least <= 5 * p ? 5 * p : 10 * p;
}

/* Writes the scale, and at its end the chip's limit. */
static void draw_speed_axis(struct canvas *c, const struct bars *b,
			    const struct benchmark_scene *s)
{
	double top = s->scale / 1e12, step;
	int y = b->in.y + b->in.h - 1;
	char text[48], end[48];

	if (!(top > 0))
		return;
	snprintf(end, sizeof(end), "%.1f %s", top, s->peak_scale ?
		 _("chip") : "TFLOP/s");
	step = label_step(top, b->bar.w);
	for (double v = 0; v <= top; v += step) {
		int at = (int)(v / top * b->bar.w);

		snprintf(text, sizeof(text), "%g", v);
		if (at + (int)strlen(text) + 4 < b->bar.w)
			canvas_text(c, b->bar.x + at, y, -1, text,
				    INK(ROLE_FAINT));
	}
	canvas_text(c, b->bar.x + b->bar.w - 2, y, b->factor + 2, end,
		    INK(ROLE_DIM));
}

static bool is_blank_cell(const struct canvas *c, int x, int y)
{
	return canvas_at(c, x, y)->ch == ' ' &&
	       canvas_at(c, x, y)->bg == ROLE_NONE;
}

/* Draws a dashed line down through cells that are blank on both sides. */
static void draw_dashed_line(struct canvas *c, const struct bars *b, int x,
			     enum role role)
{
	for (int y = b->bar.y; y < b->bar.y + b->bar.h; y++)
		if (is_blank_cell(c, x - 1, y) && is_blank_cell(c, x, y) &&
		    is_blank_cell(c, x + 1, y))
			canvas_put(c, x, y, 0x250a, INK(role));
}

static struct rect frame_inside(struct rect r)
{
	return (struct rect){ r.x + 2, r.y + 1, r.w - 4, r.h - 2 };
}

static void draw_bars_frame(struct canvas *c, struct rect r,
			    const struct benchmark_scene *s)
{
	char note[80] = "";
	const char *title = s->group == GROUP_TENSOR ?
		_("TFLOP/s, tensor cores") : s->group == GROUP_FLOAT ?
		_("TFLOP/s, CUDA cores") : _("TFLOP/s, median");

	if (s->cublas != NA)
		snprintf(note, sizeof(note), "\xe2\x94\x8a %s %.*f   %s",
			 s->cublas_label, benchmark_digits(s->cublas / 1e12),
			 s->cublas / 1e12, r.w >= 74 ?
			 _("over the rung before") : "");
	canvas_frame(c, r, title, *note ? note : NULL, false);
}

void view_bars(struct canvas *c, struct rect r,
	       const struct benchmark_scene *s)
{
	struct rect in = frame_inside(r);
	struct bars b;

	draw_bars_frame(c, r, s);
	if (in.w < 30 || in.h < 2)
		return;
	bars_layout(&b, in, s);
	for (int i = b.first; i < b.first + b.count; i++)
		draw_race_row(c, &b, row_y(&b, s, i), s, (size_t)i);
	draw_speed_axis(c, &b, s);
	if (s->cublas != NA && s->scale > 0)
		draw_dashed_line(
			c, &b,
			b.bar.x + (int)(bar_part(s, s->cublas) * b.bar.w),
			ROLE_HUE3);
	if (s->peak_scale)
		draw_dashed_line(c, &b, b.bar.x + b.bar.w, ROLE_DIM);
	if (b.first)
		canvas_text(c, r.x + r.w - 2, r.y, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (b.first + b.count < (int)s->row_count)
		canvas_text(c, r.x + r.w - 2, r.y + r.h - 1, 1,
			    "\xe2\x96\xbc", INK(ROLE_ACCENT));
}

int bars_hit(const struct benchmark_scene *s, struct rect r, int x, int y)
{
	struct rect in = frame_inside(r);
	struct bars b;

	if (x < in.x || x >= in.x + in.w || in.w < 30 || in.h < 2)
		return -1;
	bars_layout(&b, in, s);
	for (int i = b.first; i < b.first + b.count; i++)
		if (y >= row_y(&b, s, i) && y < row_y(&b, s, i) + b.per +
		    (b.opened && i == (int)s->chosen))
			return i;
	return -1;
}
