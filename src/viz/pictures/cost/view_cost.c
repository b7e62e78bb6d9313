/*
 * The bill of a rung: how busy each unit was, before and now, the limiter
 * first; below it what was counted and has changed by more than a tenth.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/kernels.h"
#include "scene/stage.h"
#include "viz/frame_model.h"
#include "viz/kit.h"
#include "viz/pictures/cost/rung_cost.h"
#include "viz/raster.h"

#define UNITS 5
#define UNIT_NAME 13	/* columns */
#define COUNT_NAME 28
#define FIGURE 9
#define BUSY 7
#define FACTOR 8
/* The time and the limiter's work have one factor if theirs differ by less. */
#define SAME_FACTOR 1.05
#define LEAST (COUNT_NAME + 2 * FIGURE + FACTOR + 12)

/* How many units and counts there are, and the rows of one: of a unit, of the
 * limiter, of a count. */
struct bill_plan {
	int units, unit, wall, counts, count;
	bool axis;	/* a row below the units has the percents */
	bool gap;	/* and one before the counts is free */
};

/* ---- what it shows ---- */

static double busy_of(const struct bill_side *side, enum benchmark_unit unit)
{
	double busy = rung_busy(side->counts, unit);

	return busy == NA ? 0 : busy;
}

/* Returns the unit that is waited for now, or was before if none is. */
static enum benchmark_unit wall_of(const struct rung_cost *b)
{
	enum benchmark_unit now = rung_limiter(b->now.counts);

	return now ? now : rung_limiter(b->before.counts);
}

/* Sorts the units: the limiter, then the busiest now. */
static void sort_units(const struct rung_cost *b, enum benchmark_unit to[UNITS])
{
	enum benchmark_unit wall = wall_of(b);

	for (int i = 0; i < UNITS; i++) {
		enum benchmark_unit u = (enum benchmark_unit)(UNIT_TENSOR + i);
		int at = i;

		while (at > 0 && to[at - 1] != wall &&
		       (u == wall ||
			busy_of(&b->now, u) > busy_of(&b->now, to[at - 1]))) {
			to[at] = to[at - 1];
			at--;
		}
		to[at] = u;
	}
}

/* Writes what stands on the limiter's bar, next to its name and percents. */
static const char *bar_words(const struct rung_cost *b)
{
	enum benchmark_unit now = rung_limiter(b->now.counts);

	return !now ? _("The limiter before") :
	       now == rung_limiter(b->before.counts) ?
	       _("The limiter, now as before") : _("The limiter now");
}

static void wall_words(char *buf, size_t size, const struct rung_cost *b)
{
	enum benchmark_unit now = rung_limiter(b->now.counts);
	enum benchmark_unit before = rung_limiter(b->before.counts);

	if (!now && !before)
		snprintf(buf, size, "%s", _("No unit was busy: it waits."));
	else if (!now)
		snprintf(buf, size, _("No unit is busy now: it waits. The limiter "
				      "was %s."), _(rung_unit_name(before)));
	else
		snprintf(buf, size, now == before ?
			 _("The limiter, now as before: %s, %.0f %% busy.") :
			 _("The limiter now: %s, %.0f %% busy."),
			 _(rung_unit_name(now)), 100 * busy_of(&b->now, now));
}

/* Tells whether a count has changed by more than a tenth, and is not so small
 * that it costs nothing: a thousandth of the products. */
static bool has_changed(const struct rung_cost *b, enum rung_count what)
{
	double before = rung_count(b->before.counts, what);
	double now = rung_count(b->now.counts, what), most = MAX(before, now);
	double all = (double)b->size.m * b->size.n * b->size.k;

	return before != NA && now != NA && most * 1e3 > all &&
	       most > RUNG_ALIKE * MIN(before, now);
}

/* Lists what has changed: the limiter's work first. Returns how many. */
static int list_counts(const struct rung_cost *b, enum rung_count to[RUNG_COUNTS])
{
	enum rung_count work = rung_work_of(wall_of(b));
	int n = 0;

	if (work != RUNG_COUNTS && has_changed(b, work))
		to[n++] = work;
	for (int i = 0; i < RUNG_COUNTS; i++)
		if ((enum rung_count)i != work &&
		    has_changed(b, (enum rung_count)i))
			to[n++] = (enum rung_count)i;
	return n;
}

/* Lists what list_counts() leaves out. Returns how many were counted. */
static int list_left_out(const struct rung_cost *b,
			 enum rung_count to[RUNG_COUNTS])
{
	int n = 0;

	for (int i = 0; i < RUNG_COUNTS; i++)
		if (rung_count(b->before.counts, (enum rung_count)i) != NA &&
		    rung_count(b->now.counts, (enum rung_count)i) != NA &&
		    !has_changed(b, (enum rung_count)i))
			to[n++] = (enum rung_count)i;
	return n;
}

/* Returns whether the limiter's work changed by the factor of the time. */
static bool explains_time(const struct rung_cost *b, enum rung_count work)
{
	double apart;

	if (work == RUNG_COUNTS || !has_changed(b, work))
		return false;
	apart = b->now.seconds / b->before.seconds *
		rung_count(b->before.counts, work) /
		rung_count(b->now.counts, work);
	return apart < SAME_FACTOR && apart * SAME_FACTOR > 1;
}

/* Writes a change: "\xc3\xb7 3.62"; from or to nothing there is no factor. */
static void factor_figure(char *buf, size_t size, double before, double now)
{
	if (before > 0 && now > 0)
		snprintf(buf, size, "%s %.3g",
			 now < before ? "\xc3\xb7" : "\xc3\x97",
			 MAX(before, now) / MIN(before, now));
	else
		snprintf(buf, size, "%s", now > 0 ? _("new") : _("gone"));
}

static void bill_place_words(char *buf, size_t size, const struct rung_cost *b)
{
	snprintf(buf, size, _("counted of one launch each; times: medians "
			      "\xc2\xb7 %d\xc2\xb3, %s, %s"), b->size.m, b->gpu,
		 b->now.date ? b->now.date : _("n/a"));
}

/* ---- units ---- */

/* Returns how far a bar is on its way: the limiter goes first. */
static double bar_time(const struct frame_model *s, bool wall)
{
	return wall ? kit_act(s->t, 0, 0.5) : kit_act(s->t, 0.4, 1);
}

static void draw_unit_bars(struct canvas *c, struct rect r,
			   const struct frame_model *s, enum benchmark_unit u,
			   bool wall)
{
	const struct rung_cost *b = s->scene->bill;
	double before = busy_of(&b->before, u), now = busy_of(&b->now, u);
	double thin = r.h > 2 ? 1 : r.h > 1 ? 0.5 : 0.25;
	/* A bar of two rows with a sentence on it has no room to end before
	 * the next one. */
	double gap = r.h > 2 || (r.h > 1 && !wall) ? 0.5 : 0;
	struct raster g;

	now = kit_between(before, now, bar_time(s, wall));
	raster_begin(&g, r);
	raster_box(&g, r.x, r.y, r.w, r.h - gap, ROLE_FIELD);
	if (!s->quiet) {
		raster_bar(&g, r.x, r.y, before * r.w, thin,
			   wall ? ROLE_WASTE : ROLE_BEFORE);
		raster_bar(&g, r.x, r.y + thin, now * r.w,
			   r.h - thin - gap,
			   wall ? ROLE_BAD : ROLE_NOW);
	}
	raster_end(&g, c);
}

static void draw_unit(struct canvas *c, struct rect r,
		      const struct frame_model *s, enum benchmark_unit u,
		      bool wall)
{
	const struct rung_cost *b = s->scene->bill;
	double now = bar_time(s, wall) < 1 ? busy_of(&b->before, u) :
					     busy_of(&b->now, u);
	struct rect bar = { r.x + UNIT_NAME, r.y, r.w - UNIT_NAME - 2 * BUSY,
			    r.h };
	int x = bar.x + bar.w;
	char text[24];

	canvas_text(c, r.x, r.y, UNIT_NAME - 1, _(rung_unit_name(u)),
		    INK_BOLD(wall ? ROLE_BAD : ROLE_STRONG));
	draw_unit_bars(c, bar, s, u, wall);
	if (s->quiet)
		return;
	snprintf(text, sizeof(text), "%.1f", 100 * busy_of(&b->before, u));
	canvas_right(c, x, r.y, BUSY, text, INK(ROLE_DIM));
	snprintf(text, sizeof(text), "%.1f", 100 * now);
	canvas_right(c, x + BUSY, r.y, BUSY, text,
		     INK_BOLD(wall ? ROLE_BAD : ROLE_STRONG));
	if (wall && r.h > 1)
		kit_whole(c, bar.x + 2, r.y + 1,
			  (int)(busy_of(&b->now, u) * bar.w) - 3, bar_words(b),
			  INK_BOLD(ROLE_ON_HUE));
}

/* Draws the percents below the units' bars. */
static void draw_percents(struct canvas *c, struct rect r)
{
	int w = r.w - UNIT_NAME - 2 * BUSY;

	for (int i = 0; i <= 4; i++)
		canvas_textf(c, r.x + UNIT_NAME + i * w / 4 - (i ? 2 : 0), r.y,
			     5, INK(ROLE_FAINT), "%d%s", 25 * i,
			     i < 4 ? "" : " %");
}

static int draw_units(struct canvas *c, struct rect r,
		      const struct frame_model *s, const struct bill_plan *p)
{
	enum benchmark_unit unit[UNITS], wall = wall_of(s->scene->bill);
	int y = r.y;

	sort_units(s->scene->bill, unit);
	for (int i = 0; i < p->units; i++) {
		bool first = unit[i] == wall && !s->quiet;
		int h = i ? p->unit : p->wall;

		draw_unit(c, (struct rect){ r.x, y, r.w, h }, s, unit[i],
			  first);
		y += h;
	}
	if (p->axis)
		draw_percents(c, (struct rect){ r.x, y++, r.w, 1 });
	return y - r.y + p->gap;
}

/* ---- counts ---- */

static void draw_amounts(struct canvas *c, int x, int y, const char *before,
			 const char *now, const char *factor, bool less)
{
	canvas_right(c, x, y, FIGURE, before, INK(ROLE_DIM));
	canvas_right(c, x + FIGURE, y, FIGURE, now, INK_BOLD(ROLE_STRONG));
	canvas_right(c, x + 2 * FIGURE, y, FACTOR, factor,
		     INK_BOLD(less ? ROLE_GOOD : ROLE_BAD));
}

/* Draws what there was and what there is of something; the bar is the larger of
 * the two. RUNG_COUNTS: the time. */
static void draw_count(struct canvas *c, struct rect r,
		       const struct frame_model *s, enum rung_count what,
		       bool wall)
{
	const struct rung_cost *b = s->scene->bill;
	bool timed = what == RUNG_COUNTS;
	double before = timed ? b->before.seconds :
				rung_count(b->before.counts, what);
	double now = timed ? b->now.seconds : rung_count(b->now.counts, what);
	double most = MAX(before, now), t = bar_time(s, wall || timed);
	int w = r.w - COUNT_NAME - 2 * FIGURE - FACTOR;
	double x = r.x + COUNT_NAME, part = kit_between(before, now, t) / most;
	char was[24], is[24], factor[24];
	struct raster g;

	canvas_text(c, r.x, r.y, COUNT_NAME - 1,
		    timed ? _("time") : _(rung_count_name(what)),
		    wall || timed ? INK_BOLD(ROLE_STRONG) : INK(ROLE_TEXT));
	if (s->quiet)
		return;
	raster_begin(&g, r);
	raster_bar(&g, x, r.y + 0.125, before / most * w, r.h - 0.125,
		   wall ? ROLE_WASTE : ROLE_BEFORE);
	raster_bar(&g, x, now > before ? r.y + r.h / 2.0 : r.y + 0.125,
		   part * w, now > before ? r.h / 2.0 : r.h - 0.125,
		   wall ? ROLE_BAD : ROLE_NOW);
	raster_end(&g, c);
	if (timed) {
		rung_time_figure(was, sizeof(was), before);
		rung_time_figure(is, sizeof(is), now);
	} else {
		rung_count_figure(was, sizeof(was), what, before);
		rung_count_figure(is, sizeof(is), what, now);
	}
	factor_figure(factor, sizeof(factor), before, now);
	if (t >= 1)
		draw_amounts(c, (int)x + w, r.y, was, is, factor, now < before);
	else
		canvas_right(c, (int)x + w, r.y, FIGURE, was, INK(ROLE_DIM));
}

static void draw_counts(struct canvas *c, struct rect r,
			const struct frame_model *s, const struct bill_plan *p)
{
	enum rung_count what[RUNG_COUNTS];
	int n = MIN(list_counts(s->scene->bill, what), p->counts);
	enum rung_count work = rung_work_of(wall_of(s->scene->bill));

	canvas_text(c, r.x, r.y, r.w,
		    _("time, and what changed by more than a tenth (shorter is better)"), INK_BOLD(ROLE_TITLE));
	r.h = p->count;
	r.y++;
	draw_count(c, r, s, RUNG_COUNTS, false);
	for (int i = 0; i < n; i++) {
		r.y += p->count;
		draw_count(c, r, s, what[i], what[i] == work);
	}
}

/* Names in a row the counts that are not drawn, those that changed first: as
 * many as fit, and how many more there are. */
static void draw_left_out(struct canvas *c, struct rect r,
			  const struct rung_cost *b, int drawn)
{
	enum rung_count what[2 * RUNG_COUNTS];
	int n = list_counts(b, what);
	char more[40], *line = NULL;

	n += list_left_out(b, what + n);
	for (int shown = n - drawn; shown >= 0; shown--) {
		struct str names = {0};

		for (int i = 0; i < shown; i++)
			str_addf(&names, "%s%s", i ? _(", ") : "",
				 _(rung_count_name(what[drawn + i])));
		snprintf(more, sizeof(more), _("and %d more"),
			 n - drawn - shown);
		if (drawn + shown < n)
			str_addf(&names, " %s", more);
		free(line);
		line = xasprintf(_("left out: %s"), names.data ? names.data :
				 _("nothing"));
		str_done(&names);
		if (text_width(line) <= r.w)
			break;
	}
	canvas_text(c, r.x, r.y, r.w, line, INK(ROLE_DIM));
	free(line);
}

/* ---- the picture ---- */

/* Chooses the rows: first four counts and three units, then more of both, then
 * thicker bars. */
static struct bill_plan plan_bill(const struct rung_cost *b, int h)
{
	struct bill_plan p = { .units = 3, .unit = 1, .wall = 2, .count = 1 };
	enum rung_count what[RUNG_COUNTS];
	int counts = list_counts(b, what), room;

	p.counts = MIN(counts, 4);
	room = h - 5 - p.wall - 2 * p.unit - p.counts;
	while (room < 0 && p.counts > 1) {
		p.counts--;
		room++;
	}
	while (room < 0 && p.units > 2) {
		p.units--;
		room++;
	}
	if (room < 0) {
		p.wall--;
		room++;
	}
	if (room < 0)
		p.units--;
	while (room > 0 && p.units < UNITS) {
		p.units++;
		room--;
	}
	while (room > 0 && p.counts < counts) {
		p.counts++;
		room--;
	}
	p.axis = room > 0;
	p.gap = room > 1;
	room -= p.axis + p.gap;
	while (room > p.counts + p.units && p.count < 4) {
		p.count++;
		room -= p.counts + 1;
	}
	while (room >= p.units && p.unit < 8) {
		p.unit++;
		p.wall++;
		room -= p.units;
	}
	return p;
}

/* Draws the legend; the limiter's colour where a unit has it, or may have once the
 * answer is given. */
static void draw_legend(struct canvas *c, struct rect r,
			const struct rung_cost *b, bool quiet)
{
	int x = r.x;

	canvas_put(c, x, r.y, ' ', INK_ON(ROLE_TEXT, ROLE_BEFORE));
	x += 2 + canvas_textf(c, x + 2, r.y, r.x + r.w - x - 2, INK(ROLE_TEXT),
			      _("before: %s"), b->before.label) + 3;
	canvas_put(c, x, r.y, ' ', INK_ON(ROLE_TEXT, ROLE_NOW));
	x += 2 + canvas_textf(c, x + 2, r.y, r.x + r.w - x - 2, INK(ROLE_TEXT),
			      _("now: %s"), b->now.label) + 3;
	if (!wall_of(b) && !quiet)
		return;
	canvas_put(c, x, r.y, ' ', INK_ON(ROLE_TEXT, ROLE_BAD));
	canvas_text(c, x + 2, r.y, r.x + r.w - x - 2, _("limiter"),
		    INK(ROLE_TEXT));
}

static void draw_bill(struct canvas *c, struct rect r,
		      const struct frame_model *s)
{
	const struct rung_cost *b = s->scene->bill;
	struct bill_plan p = plan_bill(b, r.h);
	char text[160];

	draw_legend(c, r, b, s->quiet);
	r.y++;
	r.y += draw_units(c, r, s, &p);
	draw_counts(c, r, s, &p);
	r.y += 1 + (1 + p.counts) * p.count;
	draw_left_out(c, r, b, p.counts);
	r.y++;
	bill_place_words(text, sizeof(text), b);
	prose_fit(c, (struct rect){ r.x, r.y, r.w, 1 }, text, INK(ROLE_DIM));
}

/* A pair of kernels: the first is before, the second now. */
struct bill_pair {
	struct rung_cost cost;
	struct scene scene;
	struct frame_model model;
};

/* Returns the model with the bill of the pair, if there is one and no race was
 * asked for, else the model itself. The next rung is that after the second. */
static const struct frame_model *join_pair(const struct frame_model *s,
					   struct bill_pair *p)
{
	const struct rung_cost *a = s->scene->bill;
	const struct rung_cost *b = s->beside ? s->beside->bill : NULL;

	if (!a || !b || !a->known || !b->known || s->turns.race[0][0])
		return s;
	p->cost = *b;
	if (!s->turns.rung)
		p->cost.before = a->now;
	p->scene = *s->scene;
	p->scene.bill = &p->cost;
	p->model = *s;
	p->model.scene = &p->scene;
	return &p->model;
}

#define FRAMED 16	/* rows from which on there is a frame */

/* Draws the title, in a frame if there is room. Returns what is left. */
static struct rect frame_bill(struct canvas *c, struct rect r)
{
	const char *title = _("how busy each unit was, in % of its limit");

	if (r.h >= FRAMED) {
		r = canvas_frame(c, r, title, NULL, false);
	} else {
		canvas_text(c, r.x + 1, r.y, r.w - 2, title,
			    INK_BOLD(ROLE_TITLE));
		r.y++;
		r.h--;
	}
	r.x++;
	r.w -= 2;
	return r;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct bill_pair pair;
	const struct rung_cost *b;

	s = join_pair(s, &pair);
	b = s->scene->bill;
	r = frame_bill(c, r);
	if (!b || !b->known)
		prose_text(c, r, 0, _("This kernel has not been measured."),
			   INK(ROLE_DIM));
	else if (!b->before.label)
		prose_text(c, r, 0, _("Nothing stands before it to compare "
				      "with. c: the next rung"),
			   INK(ROLE_DIM));
	else if (r.w >= LEAST - 4)
		draw_bill(c, r, s);
}

static void add_changes(struct str *out, const struct rung_cost *b)
{
	enum rung_count what[RUNG_COUNTS];
	int n = list_counts(b, what);
	struct str list = {0};
	char was[24], is[24];

	for (int i = 0; i < n; i++) {
		rung_count_figure(was, sizeof(was), what[i],
				  rung_count(b->before.counts, what[i]));
		rung_count_figure(is, sizeof(is), what[i],
				  rung_count(b->now.counts, what[i]));
		str_add(&list, i ? _("; ") : "");
		str_addf(&list, _("%s %s, now %s"), _(rung_count_name(what[i])),
			 was, is);
	}
	if (n)
		str_addf(out, _("Counted before: %s. "), list.data);
	str_done(&list);
	n = list_left_out(b, what);
	for (int i = 0; i < n; i++)
		str_addf(&list, "%s%s", i ? _(", ") : "",
			 _(rung_count_name(what[i])));
	if (n)
		str_addf(out, _("Changed by less than a tenth, or too small to "
				"matter: %s. "), list.data);
	str_done(&list);
}

static void words(struct str *out, const struct frame_model *s)
{
	struct bill_pair pair;
	const struct rung_cost *b = join_pair(s, &pair)->scene->bill;
	enum rung_count work;
	char wall[160], text[24], was[24];

	if (!b || !b->known || !b->before.label)
		return;
	wall_words(wall, sizeof(wall), b);
	rung_time_figure(was, sizeof(was), b->before.seconds);
	rung_time_figure(text, sizeof(text), b->now.seconds);
	str_addf(out, _("Time: before %s (%s), now %s (%s). %s "), was,
		 b->before.label, text, b->now.label, wall);
	work = rung_work_of(wall_of(b));
	if (explains_time(b, work)) {
		factor_figure(was, sizeof(was), b->before.seconds,
			      b->now.seconds);
		factor_figure(text, sizeof(text),
			      rung_count(b->before.counts, work),
			      rung_count(b->now.counts, work));
		str_addf(out, _("It has the factor of the limiter's work: time "
				"%s, %s %s. "), was, _(rung_count_name(work)),
			 text);
	}
	add_changes(out, b);
}

/* Tells whether there is a kernel to compare with. */
static bool offered(const struct frame_model *s)
{
	const struct kernel *k = kernel_find(s->scene->info->kernel);

	return s->beside || s->turns.rung || s->turns.race[0][0] || (k && k->after);
}

static void prepare(struct stage *s, const struct turns *t)
{
	if (t->race[0][0])
		rung_cost_between(s, t->race[0], t->race[1], t->rung);
	else
		rung_cost(s, t->rung);
}

static const struct view_key keys[] = {
	{ .keys = { 'c' }, .key = "c C", .word = N_("next rung"),
	  .help = N_("costs: of the next rung, or the one before"),
	  .turn = view_turn_rung, .by = 1 },
	{ .keys = { 'C' }, .turn = view_turn_rung, .by = -1 },
};

const struct view view_cost = {
	.name = "cost",
	.title = N_("cost"),
	.help = N_("what a rung changed: counts and time"),
	.pane = PANE_PICTURE,
	.wide = true,
	.measured = true,
	.available = view_on_ladder,
	.offered = offered,
	.rank = view_never,
	.prepare = prepare,
	.least = LEAST,
	.draw = draw,
	.words = words,
	.keys = keys,
	.key_count = LENGTH(keys),
};
