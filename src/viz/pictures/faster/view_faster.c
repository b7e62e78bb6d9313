/*
 * Is it faster? Each kernel of a race multiplies again and again until the
 * slowest has done it once; a square is one whole multiplication. The row that
 * a question asks for runs behind a cover, with the guesses on it. Below, the
 * two counts that say why.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/frame_model.h"
#include "viz/kit.h"
#include "viz/pictures/faster/scene_faster.h"
#include "viz/raster.h"

#define LABEL_MAX 24	/* columns of a kernel's name */
#define LABEL_ROWS 3	/* name, speed, time */
#define TIMES 9		/* columns of "x 12.6" and its margin */
#define WHY (2 * FASTER_COUNTS + 2)	/* rows of the counts, with their title */
#define WHY_NAME 28
#define LEAST_W 50

/* The size of a square and of what is free between two, in columns and rows;
 * coarse: in whole rows, for a screen without colours. */
struct square_size { double w, h, across, down; bool coarse; };
static const struct square_size sizes[] = {
	{ 24, 12, 1, 1, true }, { 20, 10, 1, 1, true }, { 16, 8, 1, 1, true },
	{ 12, 6, 1, 1, true }, { 10, 5, 1, 1, true }, { 8, 4, 1, 1, true },
	{ 6, 3, 1, 0.5, false }, { 6, 3, 1, 1, true }, { 4, 2, 1, 0.5, false },
	{ 4, 2, 1, 1, true }, { 2, 1, 1, 0.5, false }, { 2, 1, 1, 1, true },
	{ 2, 0.875, 1, 0.125, false }, { 2, 1, 1, 0, true },
	{ 1, 0.875, 1, 0.125, false }, { 1, 1, 1, 0, true },
};

/* How the rows are laid out: each row of squares has `per` on a line. */
struct faster_plan {
	int x, label, width;		/* of the squares; of the names */
	struct square_size size;
	int per, labels;
	bool coarse;	/* only whole rows can be drawn */
	bool marks;	/* there is a row for guesses above the covered one */
	int y[FASTER_ROWS], lines[FASTER_ROWS], rows[FASTER_ROWS];
};

/* ---- layout ---- */

/* Places the rows for squares of this size; false: they do not fit in h
 * rows. */
static bool place_racers(struct faster_plan *p, const struct faster *f, int y,
		       int h)
{
	double pitch = p->size.h + p->size.down;
	int used = p->marks, spare;

	for (int i = 0; i < f->count; i++) {
		int n = (int)ceil(f->row[i].times - 1e-9);

		p->lines[i] = (n + p->per - 1) / p->per;
		p->rows[i] = (int)ceil(p->lines[i] * pitch - p->size.down);
		p->rows[i] = MAX(p->labels, p->rows[i]);
		used += p->rows[i];
	}
	if (used > h)
		return false;
	spare = MIN(h - used, 3 * f->count);
	for (int i = 0; i < f->count; i++) {
		y += p->marks && i == faster_covered(f);
		p->y[i] = y + i * spare / f->count;
		y += p->rows[i];
	}
	return true;
}

/* Makes the squares wider if each row has them on one line and most of it is
 * free. */
static void widen_squares(struct faster_plan *p, const struct faster *f)
{
	double most = 1;

	for (int i = 0; i < f->count; i++)
		most = MAX(most, f->row[i].times);
	if (most * (p->size.w + p->size.across) > p->width * 0.6)
		return;
	p->per = (int)ceil(most - 1e-9);
	p->size.across = 1;
	p->size.w = floor((p->width - (p->per - 1)) / most);
}

static bool try_square(struct faster_plan *p, const struct faster *f,
		     struct rect r, const struct square_size *size)
{
	if (p->coarse && !size->coarse)
		return false;
	p->size = *size;
	p->per = (int)((p->width + size->across) / (size->w + size->across));
	if (p->per < 1)
		return false;
	widen_squares(p, f);
	return place_racers(p, f, r.y, r.h);
}

/* Chooses the largest squares at which all rows fit, with as much of the labels
 * as fits. */
static bool plan_rows(struct faster_plan *p, const struct faster *f,
		      struct rect r)
{
	p->marks = faster_covered(f) >= 0;
	for (int tries = 0; tries < 2; tries++, p->marks = false)
		for (p->labels = LABEL_ROWS; p->labels > 0; p->labels--)
			for (size_t i = 0; i < LENGTH(sizes); i++)
				if (try_square(p, f, r, &sizes[i]))
					return true;
	return false;
}

static struct faster_plan plan_columns(const struct canvas *c, const struct faster *f,
				       struct rect r)
{
	struct faster_plan p = { .coarse = c->mono || c->ascii };

	for (int i = 0; i < f->count; i++)
		p.label = MAX(p.label, text_width(f->row[i].label));
	p.label = MIN(p.label, MIN(LABEL_MAX, r.w / 3));
	p.label = MAX(p.label, 12);
	p.x = r.x + p.label + 3;
	p.width = r.w - p.label - 3 - TIMES;
	return p;
}

/* ---- words ---- */

static void times_words(char *buf, size_t size, double times)
{
	snprintf(buf, size, "%.*f", times >= 99.95 || times == 1 ? 0 :
		 times < 1.1 ? 2 : 1, times);
}

static enum role row_role(const struct faster *f, int i)
{
	return f->row[i].library ? ROLE_HUE3 :
	       i == f->asked ? ROLE_HUE0 :
	       f->row[i].bad ? ROLE_BAD : ROLE_HUE1;
}

static bool covers_row(const struct frame_model *s, int i)
{
	return s->quiet && i == faster_covered(s->scene->faster);
}

/* ---- a row ---- */

/* Returns where the n-th square of a row begins, in columns and rows. */
static void place_square(const struct faster_plan *p, int i, int n, double *x,
			 double *y)
{
	*x = p->x + n % p->per * (p->size.w + p->size.across);
	*y = p->y[i] + n / p->per * (p->size.h + p->size.down) +
	     (p->size.h < 1 ? p->size.down : 0);
}

/* Draws what a row has multiplied: whole squares, and the part of the next. */
static void draw_squares(struct raster *g, const struct faster_plan *p,
			 const struct frame_model *s, int i)
{
	const struct faster *f = s->scene->faster;
	double done = f->row[i].times * s->t, x, y;

	for (int n = 0; n < done; n++) {
		double part = MIN(1, done - n);

		place_square(p, i, n, &x, &y);
		if (part < 1)
			raster_box(g, x, y, p->size.w, p->size.h, ROLE_FIELD);
		raster_bar(g, x, y, part * p->size.w, p->size.h,
			   row_role(f, i));
	}
}

/* Draws the cover behind which the asked row runs. */
static void draw_cover(struct canvas *c, const struct faster_plan *p, int i)
{
	for (int y = 0; y < p->rows[i]; y++)
		for (int x = 0; x < p->width; x++)
			canvas_put(c, p->x + x, p->y[i] + y, 0x2571,
				   INK_ON(ROLE_DIM, ROLE_FIELD));
}

static void draw_row_label(struct canvas *c, const struct faster_plan *p,
			   const struct frame_model *s, int i)
{
	const struct faster_row *row = &s->scene->faster->row[i];
	struct rect r = { p->x - 3 - p->label, p->y[i], p->label, 1 };
	char text[48];

	kit_label(c, r.x, r.y, r.w, row->label, true,
		  INK_BOLD(row_role(s->scene->faster, i)));
	if (covers_row(s, i))
		return;
	snprintf(text, sizeof(text), "%.*f TFLOP/s",
		 row->flops < 9.995e12 ? 2 : row->flops < 99.95e12 ? 1 : 0,
		 row->flops / 1e12);
	if (p->labels > 1)
		canvas_right(c, r.x, r.y + 1, r.w, text, INK(ROLE_TEXT));
	rung_time_figure(text, sizeof(text), row->seconds);
	if (p->labels > 2)
		canvas_right(c, r.x, r.y + 2, r.w, text, INK(ROLE_DIM));
}

/* Writes how many multiplications a row has made: whole ones while it runs. */
static void draw_times(struct canvas *c, const struct faster_plan *p,
		       const struct frame_model *s, int i)
{
	double times = s->scene->faster->row[i].times;
	int x = p->x + p->width + 2;
	char text[24];

	if (covers_row(s, i)) {
		canvas_text(c, x, p->y[i], TIMES - 2, "?",
			    INK_BOLD(ROLE_STRONG));
		return;
	}
	if (s->t < 1)
		snprintf(text, sizeof(text), "%.0f", floor(times * s->t));
	else
		times_words(text, sizeof(text), times);
	canvas_textf(c, x, p->y[i], TIMES - 2, INK_BOLD(ROLE_STRONG),
		     "\xc3\x97 %s", text);
}

/* ---- guesses ---- */

/* Returns what an answer is divided by to be a factor: 100 for per cents; 0: the
 * question is not how many times as fast something is. */
static double answer_unit(const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	double ratio = f->row[f->against].seconds / f->row[f->asked].seconds;

	for (int i = 0; i < s->lesson.choice_count; i++) {
		double v = atof(s->lesson.choices[i]) / ratio;

		if (fabs(v - 1) < 0.06)
			return 1;
		if (fabs(v / 100 - 1) < 0.06)
			return 100;
	}
	return 0;
}

/* Marks where the covered row would end if a guess were right. */
static void draw_guess(struct canvas *c, const struct faster_plan *p,
		       const struct faster *f, double factor,
		       const char *guess, bool right)
{
	int row = faster_covered(f);
	double times = right ? f->row[row].times : row == f->asked ? f->row[f->against].times * factor :
					 f->row[f->asked].times / factor;
	struct ink ink = INK_BOLD(right ? ROLE_GOOD : ROLE_BAD);
	char full[64];
	double x, y;

	if (!right && (int)times / p->per >= p->lines[row]) {
		snprintf(full, sizeof(full), "%s \xe2\x96\xb6", guess);
		canvas_right(c, p->x, p->y[row] - 1, p->width, full, ink);
		return;
	}
	place_square(p, row, (int)(times - 1e-9), &x, &y);
	x += (times - (int)(times - 1e-9)) * p->size.w;
	snprintf(full, sizeof(full), "\xe2\x96\xbc %s", guess);
	if ((int)x + text_width(full) <= p->x + p->width) {
		canvas_text(c, (int)x, (int)y - 1, -1, full, ink);
		return;
	}
	snprintf(full, sizeof(full), "%s \xe2\x96\xbc", guess);
	canvas_right(c, p->x, (int)y - 1, (int)x + 1 - p->x, full, ink);
}

static void draw_guesses(struct canvas *c, const struct faster_plan *p,
			 const struct frame_model *s)
{
	const struct show_lesson *l = &s->lesson;
	double unit;

	if (!p->marks || faster_covered(s->scene->faster) < 0 ||
	    !(unit = answer_unit(s)))
		return;
	for (int i = 0; i < l->choice_count; i++) {
		double v = atof(l->choices[i]) / unit;

		if (v > 0 && (l->tried[i] || (l->answered && i == l->chosen)))
			draw_guess(c, p, s->scene->faster, v, l->choices[i],
				   !l->tried[i]);
	}
}

/* ---- the clock ---- */

/* Writes the size of the matrices: "4096^3" if all are as large. */
static void size_words(char *buf, size_t size, const struct problem_sizes *n)
{
	if (n->m == n->n && n->n == n->k)
		snprintf(buf, size, "%d\xc2\xb3", n->m);
	else
		snprintf(buf, size, "%d \xc3\x97 %d \xc3\x97 %d", n->m, n->n,
			 n->k);
}

static void race_place_words(char *buf, size_t size, const struct faster *f)
{
	char matrices[48];

	size_words(matrices, sizeof(matrices), &f->size);
	snprintf(buf, size, _("%g times slower than it was \xc2\xb7 %s, %s, %s"),
		 f->slow, matrices, f->gpu, f->date);
}

/* Returns the rows of the clock, and of the words below it. */
static int foot_rows(const struct faster *f, int w)
{
	char text[160];

	race_place_words(text, sizeof(text), f);
	return 1 + prose_text(NULL, (struct rect){ 0, 0, w, 4 }, 0, text,
			      INK(ROLE_DIM));
}

static void draw_race_clock(struct canvas *c, const struct faster_plan *p,
		       struct rect r, const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	char text[160];

	canvas_text(c, r.x, r.y, p->label, _("clock"), INK(ROLE_DIM));
	kit_bar(c, p->x, r.y, p->width, s->t, ROLE_NOW, ROLE_FIELD);
	rung_time_figure(text, sizeof(text), f->seconds * s->t);
	canvas_text(c, p->x + p->width + 1, r.y, TIMES - 1, text,
		    INK_BOLD(ROLE_STRONG));
	race_place_words(text, sizeof(text), f);
	r.y++;
	prose_text(c, r, 0, text, INK(ROLE_DIM));
}

/* ---- why ---- */

static void draw_why_bar(struct canvas *c, struct rect r,
			   const struct frame_model *s, int row,
			   enum rung_count what, double most)
{
	const struct faster *f = s->scene->faster;
	double v = faster_count(f, row, what), t = kit_act(s->t, 0.85, 1);
	int w = r.w / 2, x = r.x + (int)ceil(v / most * w) + 1;
	char text[32];

	kit_bar(c, r.x, r.y, w, t * v / most, row_role(f, row), ROLE_NONE);
	rung_count_figure(text, sizeof(text), what, v);
	if (t > 0)
		canvas_textf(c, x, r.y, r.x + r.w - x, INK(ROLE_TEXT),
			     "%s %s", text, f->row[row].label);
}

/* Draws the two counts, both bars of each in one scale. */
static void draw_why(struct canvas *c, struct rect r,
		     const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	int fast = faster_covered(f);
	int slow = fast == f->asked ? f->against : f->asked;

	canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_TITLE), _("why: what "
		     "%.0f multiply-adds cost, as counted"), f->products);
	for (int i = 0; i < FASTER_COUNTS && f->why[i] != RUNG_COUNTS; i++) {
		struct rect bar = { r.x + WHY_NAME, r.y + 1 + 2 * i,
				    r.w - WHY_NAME, 1 };
		double most = MAX(faster_count(f, fast, f->why[i]),
				  faster_count(f, slow, f->why[i]));

		canvas_text(c, r.x, bar.y, WHY_NAME - 1,
			    _(rung_count_name(f->why[i])), INK(ROLE_TEXT));
		if (s->quiet) {
			canvas_text(c, bar.x, bar.y, bar.w, "?",
				    INK_BOLD(ROLE_STRONG));
			continue;
		}
		draw_why_bar(c, bar, s, slow, f->why[i], most);
		bar.y++;
		draw_why_bar(c, bar, s, fast, f->why[i], most);
	}
}

/* ---- the picture ---- */

static const char *square_words(const struct faster_plan *p)
{
	return p->size.w > 3 * p->size.h ? _("a full bar is one whole multiplication") :
				 _("a square is one whole multiplication");
}

/* Draws the frame: what runs, until when; without room for both, what a square
 * is. */
static void draw_race_frame(struct canvas *c, struct rect r,
			    const struct faster_plan *p)
{
	const char *title = _("while the slowest multiplies once");
	const char *note = square_words(p);

	if (text_width(title) + text_width(note) + 10 <= r.w)
		canvas_frame(c, r, title, note, false);
	else
		canvas_frame(c, r, note, NULL, false);
}

static void draw_racers(struct canvas *c, const struct faster_plan *p,
		      struct rect r, const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	struct raster g;

	raster_begin(&g, r);
	for (int i = 0; i < f->count; i++)
		if (!covers_row(s, i))
			draw_squares(&g, p, s, i);
	raster_end(&g, c);
	for (int i = 0; i < f->count; i++) {
		draw_row_label(c, p, s, i);
		for (int y = 0; y < p->rows[i]; y++)
			canvas_put(c, p->x - 1, p->y[i] + y, 0x2502,
				   INK(ROLE_BORDER));
		if (covers_row(s, i))
			draw_cover(c, p, i);
		draw_times(c, p, s, i);
	}
	draw_guesses(c, p, s);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	char text[160];

	if (!f || !f->count)
		return;
	if (f->asked >= 0 && f->against >= 0) {
		times_words(text, sizeof(text), f->row[f->against].seconds /
			    f->row[f->asked].seconds);
		str_addf(out, _("Here %s is %s times as fast as %s. "),
			 f->row[f->asked].label, text,
			 f->row[f->against].label);
	}
	rung_time_figure(text, sizeof(text), f->seconds);
	str_addf(out, _("In the same %s: "), text);
	for (int i = 0; i < f->count; i++) {
		times_words(text, sizeof(text), f->row[i].times);
		str_addf(out, "%s%s %s", i ? _(", ") : "", f->row[i].label,
			 text);
	}
	str_add(out, _(". "));
	size_words(text, sizeof(text), &f->size);
	str_addf(out, _("These are medians for %s on an %s, %s; the picture runs "
			"%g times slower."), text, f->gpu, f->date, f->slow);
}

/* Writes in words what has no room as a picture. */
static void write_race(struct canvas *c, struct rect r,
		       const struct frame_model *s)
{
	struct str out = {0};

	if (s->quiet)
		str_add(&out, _("Answer first to see the cost."));
	else
		words(&out, s);
	prose_fit(c, r, out.data, INK(ROLE_TEXT));
	str_done(&out);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct faster *f = s->scene->faster;
	struct rect in = { r.x + 2, r.y + 1, r.w - 4, r.h - 2 }, rows = in;
	struct faster_plan p;
	int foot;
	bool why;

	if (!f || !f->count) {
		prose_text(c, in, 0, _("This kernel has not been measured."),
			   INK(ROLE_DIM));
		return;
	}
	p = plan_columns(c, f, in);
	foot = foot_rows(f, in.w);
	rows.h -= foot + WHY;
	why = r.w >= LEAST_W && f->why[0] != RUNG_COUNTS && plan_rows(&p, f, rows) &&
	      (p.labels == LABEL_ROWS || f->count > 4);
	if (!why) {
		rows.h = in.h - foot;
		if (r.w < LEAST_W || !plan_rows(&p, f, rows)) {
			write_race(c, in, s);
			return;
		}
	}
	draw_race_frame(c, r, &p);
	draw_racers(c, &p, in, s);
	draw_race_clock(c, &p, (struct rect){ in.x, rows.y + rows.h, in.w, foot },
		   s);
	if (why)
		draw_why(c, (struct rect){ in.x, in.y + in.h - WHY + 1, in.w,
					   WHY }, s);
}

static bool available(const struct frame_model *s)
{
	return s->turns.field || view_on_ladder(s);
}

/* Tells whether a race asks the question. */
static bool offered(const struct frame_model *s)
{
	return s->turns.field;
}

static double seconds(const struct scene *sc)
{
	return sc->faster && sc->faster->count ?
	       sc->faster->seconds * sc->faster->slow : 0;
}

/* Tells that the race can run again. */
static bool run_again(const struct scene *sc, struct cursor *p, int by)
{
	(void)p, (void)by;
	return sc->faster && sc->faster->count;
}

/* Takes no step: the picture runs. */
static bool no_step(const struct scene *sc, struct cursor *p, int by)
{
	(void)sc, (void)p, (void)by;
	return false;
}

static const struct view_key keys[] = {
	{ .keys = { 'R' }, .key = "R", .word = N_("run again"),
	  .help = N_("faster: let the kernels run again"),
	  .move = run_again, .by = 1 },
};

const struct view view_faster = {
	.name = "faster",
	.title = N_("is it faster?"),
	.help = N_("how many multiplications each kernel makes in the same "
		   "time"),
	.pane = PANE_PICTURE,
	.wide = true,
	.measured = true,
	.available = available,
	.offered = offered,
	.rank = view_never,
	.prepare = scene_faster,
	.least = LEAST_W,
	.draw = draw,
	.words = words,
	.step = no_step,
	.seconds = seconds,
	.keys = keys,
	.key_count = LENGTH(keys),
};
