/*
 * The roofline: FLOP/s over FLOP per byte, both axes logarithmic. Below the
 * slanted roof DRAM is the limit, below the level one the arithmetic. Roofs
 * come from the machine, points only from measurements.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/view_benchmark.h"

#define LEFT 6		/* columns of labels */
/* Cells of the picture for each point, from which on names fit. */
#define NAME_CELLS 90
/* Columns of the legend at the right, if it fits. */
#define LEGEND(w) ((w) >= 110 ? 46 : (w) >= 72 ? 36 : 0)

struct axes {
	struct rect r;		/* cells of the picture */
	double x0, x1, y0, y1;	/* decades */
};

static bool has_point(const struct benchmark_row *row)
{
	return row->on && row->intensity > 0 && row->figures.flops != NA;
}

/* Makes the axes span the ridges and all points. */
static void fit_axes(struct axes *a, const struct benchmark_scene *s)
{
	double top = MAX(s->peak_flops, s->tensor_flops);
	double x0 = log10(s->peak_flops / s->peak_bytes / 20);
	double x1 = log10(top / s->peak_bytes * 20);

	a->y0 = log10(s->peak_flops / 30);
	a->y1 = log10(top * 1.5);
	for (size_t i = 0; i < s->row_count; i++) {
		const struct benchmark_row *row = &s->rows[i];

		if (!has_point(row))
			continue;
		x0 = MIN(x0, log10(row->intensity) - 0.1);
		x1 = MAX(x1, log10(row->intensity) + 0.1);
		a->y0 = MIN(a->y0, log10(row->figures.flops) - 0.1);
		a->y1 = MAX(a->y1, log10(row->figures.flops) + 0.1);
	}
	a->x0 = x0;
	a->x1 = x1;
}

/* Return the position of a value (log10) in cells from the left, and in rows
 * from the top. */
static double axes_x(const struct axes *a, double decades)
{
	return (decades - a->x0) / (a->x1 - a->x0) * (a->r.w - 1);
}

static double axes_y(const struct axes *a, double decades)
{
	return (a->y1 - decades) / (a->y1 - a->y0) * (a->r.h - 1);
}

/* Sets one of the eight dots of a cell. x and y count dots. */
static void set_dot(uint8_t *cells, const struct axes *a, int x, int y)
{
	static const uint8_t bits[4][2] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 },
	};

	if (x < 0 || y < 0 || x / 2 >= a->r.w || y / 4 >= a->r.h)
		return;
	cells[y / 4 * a->r.w + x / 2] |= bits[y % 4][x % 2];
}

static void set_roof_dots(uint8_t *cells, const struct axes *a, double flops,
			  double bytes)
{
	int last = -1;

	for (int x = 0; x < 2 * a->r.w; x++) {
		double at = a->x0 + (a->x1 - a->x0) * (x / 2.0) /
			    (a->r.w - 1);
		double y = axes_y(a, MIN(log10(flops), at + log10(bytes)));
		int row = (int)(y * 4 + 2);

		/* A steep roof must have no holes. */
		for (int k = row; k < MAX(row + 1, last); k++)
			set_dot(cells, a, x, k);
		last = row;
	}
}

/* Draws the roof of fp32 and, if tensor cores race, theirs. */
static void draw_roofs(struct canvas *c, const struct axes *a,
		       const struct benchmark_scene *s)
{
	uint8_t *cells = xcalloc((size_t)a->r.w * (size_t)a->r.h, 1);

	set_roof_dots(cells, a, s->peak_flops, s->peak_bytes);
	if (s->tensor_flops != NA)
		set_roof_dots(cells, a, s->tensor_flops, s->peak_bytes);
	for (int i = 0; i < a->r.w * a->r.h; i++)
		if (cells[i])
			canvas_put(c, a->r.x + i % a->r.w, a->r.y + i / a->r.w,
				   0x2800 + cells[i], INK(ROLE_DIM));
	free(cells);
}

/* Writes a power of ten: "1 T" for 12. */
static void power_label(char *buf, size_t size, int decade)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T", "P" };
	static const int ones[] = { 1, 10, 100 };
	int group = decade < 0 ? 0 : MIN(decade / 3, 5);

	if (decade < 0)
		snprintf(buf, size, "%g", pow(10, decade));
	else
		snprintf(buf, size, "%d%s", ones[decade - 3 * group],
			 prefix[group]);
}

static void draw_axis_labels(struct canvas *c, const struct axes *a)
{
	char text[16];

	for (int d = (int)ceil(a->y0); d <= a->y1; d++) {
		power_label(text, sizeof(text), d);
		canvas_right(c, a->r.x - LEFT, a->r.y + (int)(axes_y(a, d) +
			     0.5), LEFT - 1, text, INK(ROLE_FAINT));
	}
	for (int d = (int)ceil(a->x0); d <= a->x1; d++) {
		int x;

		power_label(text, sizeof(text), d);
		x = (int)(axes_x(a, d) + 0.5) - (int)strlen(text) / 2;
		x = MAX(0, MIN(x, a->r.w - (int)strlen(text)));
		canvas_text(c, a->r.x + x, a->r.y + a->r.h, -1, text,
			    INK(ROLE_FAINT));
	}
}

/* ---- points ---- */

/* Rows with a point, the chosen one first. */
struct roofline_points {
	size_t row[TIMING_MAX_CASES], count;
	struct roofline_label label[TIMING_MAX_CASES];
};

static struct roofline_points find_points(const struct axes *a,
					  const struct benchmark_scene *s)
{
	struct roofline_points p = { .count = 0 };

	for (size_t k = 0; k <= s->row_count; k++) {
		size_t i = k ? k - 1 : s->chosen;
		const struct benchmark_row *row = &s->rows[i];
		struct roofline_label *l = &p.label[p.count];

		if (!has_point(row) || (k && i == s->chosen))
			continue;
		l->x = a->r.x + (int)(axes_x(a, log10(row->intensity)) + 0.5);
		l->y = a->r.y + (int)(axes_y(a, log10(row->figures.flops)) +
				      0.5);
		p.row[p.count++] = i;
	}
	return p;
}

/* Sets the width of labels: the row's letter, with its name if names fit, or if
 * it is the chosen one. */
static void measure_labels(struct roofline_points *p, const struct axes *a,
			   const struct benchmark_scene *s)
{
	bool names = (size_t)(a->r.w * a->r.h) >= NAME_CELLS * p->count;

	for (size_t k = 0; k < p->count; k++) {
		const char *name = s->rows[p->row[k]].called;

		p->label[k].w = names || p->row[k] == s->chosen ?
				2 + text_width(name) : 1;
	}
}

static enum role point_role(const struct benchmark_scene *s, size_t i)
{
	return s->rows[i].baseline ? ROLE_HUE3 : i == s->chosen ? ROLE_HUE0 :
	       s->rows[i].reason.bad ? ROLE_BAD : ROLE_HUE1;
}

/* Draws a label. The letter of a row whose DRAM traffic was not counted in this
 * race has no box. */
static void draw_point_label(struct canvas *c, const struct benchmark_scene *s,
			     size_t i, const struct roofline_label *l)
{
	const struct benchmark_row *row = &s->rows[i];
	enum role role = point_role(s, i);

	if (!l->w)
		return;
	canvas_put(c, l->at_x, l->at_y, (uint32_t)row->letter,
		   row->intensity_date ? INK_BOLD(role) :
		   (struct ink){ ROLE_ON_HUE, (uint8_t)role, ATTR_BOLD });
	if (l->w > 1)
		canvas_text(c, l->at_x + 2, l->at_y, l->w - 2, row->called,
			    i == s->chosen ? INK_BOLD(ROLE_STRONG) :
					     INK(ROLE_DIM));
}

/* Draws the points above the lines to their labels, and the labels above
 * both. */
static void draw_points(struct canvas *c, const struct axes *a,
			const struct benchmark_scene *s)
{
	struct roofline_points p = find_points(a, s);

	measure_labels(&p, a, s);
	roofline_place(c, a->r, p.label, p.count);
	for (size_t k = p.count; k-- > 0;)
		if (p.label[k].w)
			roofline_line(c, &p.label[k], INK(
				p.row[k] == s->chosen ? ROLE_HUE0 :
							ROLE_DIM));
	for (size_t k = p.count; k-- > 0;)
		canvas_put(c, p.label[k].x, p.label[k].y, 0x25cf,
			   INK(point_role(s, p.row[k])));
	for (size_t k = 0; k < p.count; k++)
		draw_point_label(c, s, p.row[k], &p.label[k]);
}

/* ---- words ---- */

static void intensity_words(const struct benchmark_scene *s,
			    const struct benchmark_row *row, char *buf,
			    size_t size)
{
	if (row->intensity == NA)
		snprintf(buf, size, "%s", s->counts && !row->baseline ?
			 _("not yet") : _("not measured"));
	else
		snprintf(buf, size, "%.1f%s%s", row->intensity,
			 row->intensity_date ? " " : "",
			 row->intensity_date ? row->intensity_date : "");
}

/* Draws the letters with names and intensities; a row without a point has the
 * reason instead. */
static void draw_roofline_legend(struct canvas *c, struct rect r,
				 const struct benchmark_scene *s)
{
	char text[40];
	int y = 0, w = 0;

	for (size_t i = 0; i < s->row_count; i++) {
		intensity_words(s, &s->rows[i], text, sizeof(text));
		w = MAX(w, s->rows[i].on && s->rows[i].here ?
			text_width(text) : 0);
	}
	if (r.h > (int)s->row_count)
		canvas_right(c, r.x, r.y + y++, r.w, _("FLOP/byte"),
			     INK(ROLE_FAINT));
	for (size_t i = 0; i < s->row_count && y < r.h; i++) {
		const struct benchmark_row *row = &s->rows[i];
		int room = r.w - w - 3;

		if (!row->on || !row->here)
			continue;
		intensity_words(s, row, text, sizeof(text));
		canvas_put(c, r.x, r.y + y, (uint32_t)row->letter,
			   INK_BOLD(i == s->chosen ? ROLE_ACCENT :
						     ROLE_TEXT));
		canvas_text(c, r.x + 2, r.y + y, room,
			    text_width(row->label) <= room ? row->label :
			    row->name, INK(ROLE_TEXT));
		canvas_right(c, r.x + r.w - w, r.y + y, w, text,
			     INK(ROLE_DIM));
		y++;
	}
}

/* Returns why there are no points; NULL: there are, or the line below says it
 * already. */
static const char *empty_words(const struct benchmark_scene *s)
{
	bool known = false;

	for (size_t i = 0; i < s->row_count; i++) {
		if (has_point(&s->rows[i]))
			return NULL;
		known |= s->rows[i].on && s->rows[i].intensity > 0;
	}
	if (known)
		return s->over ? _("no times: no points") :
				 _("points appear with the times");
	if (s->counts)
		return _("points appear once the times are measured and DRAM "
			 "traffic is counted");
	return s->uncounted ? NULL : _("DRAM traffic was not measured: no "
				       "points");
}

/* Adds the dates of the races that intensities are taken from, each once. */
static void add_dates(struct str *out, const struct benchmark_scene *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		const char *date = s->rows[i].intensity_date;
		bool new = date && has_point(&s->rows[i]);

		for (size_t k = 0; new && k < i; k++)
			new = !has_point(&s->rows[k]) ||
			      !s->rows[k].intensity_date ||
			      strcmp(s->rows[k].intensity_date, date);
		if (new)
			str_addf(out, "%s%s", out->len ? ", " : "", date);
	}
}

/* Returns the machine's limits, and what is missing or taken from other races.
 * The caller frees it. */
static char *roof_words(const struct benchmark_scene *s)
{
	const char *empty = empty_words(s), *dot = " \xc2\xb7 ";
	struct str out = {0}, dates = {0};

	if (s->peak_flops == NA || s->peak_bytes == NA) {
		str_add(&out, _("The machine's limits are unknown: no "
				"roofline."));
		return str_take(&out);
	}
	str_addf(&out, s->calibrated ? _("%.1f TFLOP/s, %.2f TB/s calibrated") :
				       _("%.1f TFLOP/s, %.2f TB/s"),
		 s->peak_flops / 1e12, s->peak_bytes / 1e12);
	if (s->tensor_flops != NA)
		str_addf(&out, _("%stensor cores, half: %.0f TFLOP/s"), dot,
			 s->tensor_flops / 1e12);
	if (s->uncounted)
		str_addf(&out, _("%sDRAM traffic was not counted: %s"), dot,
			 s->uncounted);
	if (empty)
		str_addf(&out, "%s%s", dot, empty);
	add_dates(&dates, s);
	if (dates.len)
		str_addf(&out, _("%sletters without a box: DRAM traffic as "
				 "recorded %s"), dot, dates.data);
	str_done(&dates);
	return str_take(&out);
}

void view_roofline(struct canvas *c, struct rect r,
		   const struct benchmark_scene *s)
{
	struct rect in = canvas_frame(c, r, _("roofline"), r.w < 50 ?
				      _("FLOP/s over FLOP/byte") :
				      _("FLOP/s over FLOP per byte of DRAM"),
				      false);
	struct axes a = { .r = in };
	char *words = roof_words(s);
	struct rect below = { in.x + 1, 0, in.w - 2, in.h };
	int legend = LEGEND(in.w);

	below.h = MAX(1, MIN(prose_text(NULL, below, 0, words, INK(ROLE_DIM)),
			     in.h / 3));
	below.y = in.y + in.h - below.h;
	a.r.x += LEFT;
	a.r.w -= LEFT + 1 + legend;
	a.r.h -= 1 + below.h;
	prose_fit(c, below, words, INK(ROLE_DIM));
	free(words);
	if (a.r.w < 12 || a.r.h < 4 || s->peak_flops == NA ||
	    s->peak_bytes == NA)
		return;
	fit_axes(&a, s);
	draw_roofs(c, &a, s);
	draw_axis_labels(c, &a);
	draw_points(c, &a, s);
	if (legend)
		draw_roofline_legend(c,
				     (struct rect){ a.r.x + a.r.w + 2, in.y,
						    legend - 2,
						    in.h - below.h },
				     s);
}
