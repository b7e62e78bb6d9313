/*
 * The bill of a rung: the costs of the rung before, what was changed, and the
 * costs of this one: the model's prediction next to what was counted, and the
 * time.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernels/kernels.h"
#include "viz/pictures/cost/rung_cost.h"
#include "scene/stage.h"
#include "viz/kit.h"
#include "viz/frame_model.h"
#include "viz/view_benchmark.h"

#define TITLE 18	/* columns of "shared wavefronts" */
#define SIDE 29		/* of a kernel's name and where the figure is from */
#define VALUE 9
#define FACTOR 7
#define LEAST (TITLE + SIDE + VALUE + FACTOR + 8)	/* with the frame */
#define THICK 3	/* the most rows of a bar, */
#define APART 4	/* and between what is counted */

static const char *row_title(enum bill_what what)
{
	static const char *const words[] = {
		[BILL_LOADS] = N_("load requests"),
		[BILL_SECTORS] = N_("sectors loaded"),
		[BILL_WAVEFRONTS] = N_("shared wavefronts"),
		[BILL_L2] = N_("L2 to L1"), [BILL_DRAM] = N_("DRAM"),
		[BILL_TIME] = N_("time"),
	};

	return _(words[what]);
}

/* Writes a count with three digits: "1.07 G", "550 GB", "3.15 M"; bytes in GB,
 * seconds in ms. */
static void count_words(char *buf, size_t size, enum bill_what what, double v)
{
	bool bytes = what == BILL_L2 || what == BILL_DRAM, few = v < 1e8;
	double g = what == BILL_TIME ? v * 1e3 : few ? v / 1e6 : v / 1e9;

	snprintf(buf, size, "%.*f %s", kit_decimals(g), g,
		 what == BILL_TIME ? "ms" : few ? bytes ? "MB" : "M" :
		 bytes ? "GB" : "G");
}

/* Returns the largest count that is drawn; `models`: those of the model,
 * too. */
static double largest_count(const struct rung_cost *b, enum bill_what what,
			    bool models)
{
	const struct bill_count *x = &b->before.count[what];
	const struct bill_count *y = &b->now.count[what];
	double most = MAX(x->measured, y->measured);

	return models ? MAX(most, MAX(x->predicted, y->predicted)) : most;
}

/* How the bill is drawn: with the model's counts; and as it is while a question
 * is open, without bars and figures. */
struct bill_look { bool models, quiet; };

/* Draws a line of r.h rows: a name, a bar and a figure. Returns its rows, or 0
 * if the figure is not known. */
static int draw_bill_line(struct canvas *c, struct rect r, enum bill_what what,
			  const char *whose, double v, double most, bool model,
			  bool now, struct bill_look look)
{
	enum role role = model ? ROLE_TRAIL1 : now ? ROLE_HUE0 : ROLE_HUE1;
	int w = r.w - SIDE - VALUE, middle = r.y + (r.h - 1) / 2;
	char text[32];

	if (v == NA || !whose)
		return 0;
	kit_label(c, r.x, middle, SIDE - 9, model ? "" : whose, false,
		  INK(now ? ROLE_ACCENT : ROLE_TEXT));
	canvas_text(c, r.x + SIDE - 9, middle, 8, !model ? "" :
		    what == BILL_DRAM ? _("least") : _("model"),
		    INK(ROLE_DIM));
	for (int y = r.y; look.quiet && y < r.y + r.h; y++)
		canvas_fill(c, (struct rect){ r.x + SIDE, y, w, 1 }, ' ',
			    INK_ON(ROLE_FAINT, ROLE_FIELD));
	if (look.quiet)
		return r.h;
	for (int y = r.y; y < r.y + r.h; y++)
		kit_bar(c, r.x + SIDE, y, w, most > 0 ? v / most : 0, role,
			ROLE_NONE);
	count_words(text, sizeof(text), what, v);
	canvas_right(c, r.x + SIDE + w, middle, VALUE, text,
		     model ? INK(ROLE_DIM) : INK_BOLD(ROLE_STRONG));
	return r.h;
}

static int draw_rung(struct canvas *c, struct rect r, enum bill_what what,
		     const struct bill_side *side, double most,
		     struct bill_look look, bool now)
{
	const struct bill_count *n = &side->count[what];
	int rows = 0;

	if (look.models)
		rows += draw_bill_line(c, r, what, side->label, n->predicted,
				       most, true, now, look);
	r.y += rows;
	return rows + draw_bill_line(c, r, what, side->label, n->measured, most,
				     false, now, look);
}

/* Draws what was counted for both rungs; each line is r.h rows high. The scale
 * is also that of `twin`, the other half of a pair, if not NULL. Returns the
 * rows used. */
static int draw_bill_row(struct canvas *c, struct rect r,
			 const struct rung_cost *b,
			 const struct rung_cost *twin, enum bill_what what,
			 struct bill_look look)
{
	double before = b->before.count[what].measured;
	double now = b->now.count[what].measured,
	       most = largest_count(b, what, look.models);
	struct rect side = { r.x + TITLE, r.y, r.w - TITLE - FACTOR, r.h };
	char factor[32] = "";
	int rows;

	if (!(most > 0))
		return 0;
	if (twin)
		most = MAX(most, largest_count(twin, what, look.models));
	canvas_text(c, r.x, r.y + (r.h - 1) / 2, TITLE - 1, row_title(what),
		    INK_BOLD(ROLE_STRONG));
	rows = draw_rung(c, side, what, &b->before, most, look, false);
	side.y += rows;
	rows += draw_rung(c, side, what, &b->now, most, look, true);
	if (before > 0 && now > 0 && !look.quiet)
		benchmark_factor(factor, sizeof(factor), now / before);
	canvas_right(c, r.x + r.w - FACTOR, r.y + rows - 1 - r.h / 2, FACTOR,
		     factor,
		     INK_BOLD(now > before * 1.05 ? ROLE_BAD :
			      now < before * 0.95 ? ROLE_GOOD : ROLE_DIM));
	return rows;
}

/* Writes the reason that the counters gave for each rung's speed, and what was
 * changed between them. */
static int draw_bill_reasons(struct canvas *c, struct rect r,
			     const struct rung_cost *b, bool quiet)
{
	const struct bill_side *sides[] = { &b->before, &b->now };
	int y = r.y;

	for (size_t i = 0; i < LENGTH(sides); i++) {
		struct str why = {0};
		int w;

		if (i && b->idea)
			y += prose_text(c, (struct rect){ r.x + 2, y, r.w - 2,
							  2 }, 0, _(b->idea),
					INK(ROLE_GOOD));
		if (!sides[i]->label)
			continue;
		if (!quiet)
			benchmark_reason_words(&why, &sides[i]->reason);
		w = canvas_textf(c, r.x, y, r.w, INK_BOLD(i ? ROLE_ACCENT :
				 ROLE_STRONG), "%s", sides[i]->label);
		canvas_textf(c, r.x + w, y++, r.w - w,
			     INK(sides[i]->reason.bad ? ROLE_BAD : ROLE_TEXT),
			     ": %s", why.len ? why.data : quiet ? "" : _("n/a"));
		str_done(&why);
	}
	return y - r.y;
}

/* Returns the lines that a row takes, with or without the model's. */
static int bill_lines(const struct rung_cost *b, enum bill_what what,
		      bool models)
{
	const struct bill_count *x = &b->before.count[what];
	const struct bill_count *y = &b->now.count[what];
	int n = (b->before.label && x->measured != NA) + (y->measured != NA);

	if (!(largest_count(b, what, models) > 0))
		return 0;
	if (models)
		n += (b->before.label && x->predicted != NA) +
		     (y->predicted != NA);
	return n;
}

static int all_bill_lines(const struct rung_cost *b, bool models)
{
	int n = 0;

	for (int i = 0; i < BILL_ROWS; i++)
		n += bill_lines(b, (enum bill_what)i, models);
	return n;
}

/* Draws the rows with bars as thick, and gaps as large, as fit; those in `out`
 * are left out. */
static void draw_bill_rows(struct canvas *c, struct rect r,
			   const struct rung_cost *b,
			   const struct rung_cost *twin, const bool *out,
			   struct bill_look look)
{
	int rows = 0, lines = 0, gap;

	for (int i = 0; i < BILL_ROWS; i++) {
		int n = out[i] ? 0 :
				 bill_lines(b, (enum bill_what)i, look.models);

		rows += n > 0;
		lines += n;
	}
	if (!lines)
		return;
	gap = r.h;
	r.h = MAX(1, MIN((gap - rows + 1) / lines, THICK));
	gap = rows > 1 ? MIN((gap - lines * r.h) / (rows - 1), APART) : 0;
	for (int i = 0; i < BILL_ROWS; i++) {
		int used = out[i] ? 0 :
				    draw_bill_row(c, r, b, twin,
						  (enum bill_what)i, look);

		r.y += used + (used ? MAX(gap, 0) : 0);
	}
}

static void draw_counts(struct canvas *c, struct rect r,
			const struct rung_cost *b,
			const struct rung_cost *twin, bool quiet)
{
	/* If not all fit, these are left out first. */
	static const enum bill_what less[] = { BILL_LOADS, BILL_L2,
					       BILL_SECTORS, BILL_DRAM };
	bool out[BILL_ROWS] = { false }, models;
	int used = draw_bill_reasons(c, r, b, quiet) + 1, lines;

	used -= used + all_bill_lines(b, false) > r.h;
	r.y += used;
	r.h -= used;
	models = all_bill_lines(b, true) <= r.h;
	lines = all_bill_lines(b, models);
	for (size_t i = 0; i < LENGTH(less) && lines > r.h; i++) {
		out[less[i]] = true;
		lines -= bill_lines(b, less[i], models);
	}
	draw_bill_rows(c, r, b, twin, out,
		       (struct bill_look){ models, quiet });
}

static bool row_is_free(const struct canvas *c, struct rect r, int y)
{
	for (int x = r.x; x < r.x + r.w; x++)
		if (canvas_at(c, x, y)->ch != ' ' || canvas_at(c, x, y)->bg)
			return false;
	return true;
}

/* Draws the scale's note in the lowest free row. */
static void draw_scale_note(struct canvas *c, struct rect r)
{
	int y = r.y + r.h - 1;

	while (y >= r.y && !row_is_free(c, r, y))
		y--;
	if (y >= r.y)
		canvas_text(c, r.x, y, r.w,
			    _("Each count has a scale of its own."),
			    INK(ROLE_FAINT));
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct rung_cost *b = s->scene->bill;
	const struct rung_cost *twin = s->twin ? s->twin->bill : NULL;
	char note[96] = "";

	if (b && b->known)
		snprintf(note, sizeof(note),
			 _("%d \xc3\x97 %d \xc3\x97 %d, %s"),
			 b->size.m, b->size.n, b->size.k, b->gpu);
	r = canvas_frame(c, r, _("the bill: before and now"), note, false);
	r.x++;
	r.w -= 2;
	if (!b || !b->known) {
		prose_text(c, r, 0, _("This kernel has not been measured."),
			   INK(ROLE_DIM));
		return;
	}
	if (r.w < LEAST - 4)
		return;
	draw_counts(c, r, b, twin && twin->known ? twin : NULL, s->quiet);
	draw_scale_note(c, r);
}

static void add_bill_row(struct str *out, const struct rung_cost *b,
			 enum bill_what what)
{
	const struct bill_count *x = &b->before.count[what];
	const struct bill_count *y = &b->now.count[what];
	char before[32], now[32];

	if (y->measured == NA || !(largest_count(b, what, true) > 0))
		return;
	count_words(now, sizeof(now), what, y->measured);
	if (b->before.label && x->measured != NA) {
		count_words(before, sizeof(before), what, x->measured);
		str_addf(out, _("%s: before %s, now %s. "), row_title(what),
			 before, now);
	} else {
		str_addf(out, _("%s: %s. "), row_title(what), now);
	}
	if (y->predicted == NA || what == BILL_DRAM)
		return;
	count_words(now, sizeof(now), what, y->predicted);
	str_addf(out, _("The model predicts %s. "), now);
}

/* Tells how long both took. */
static void add_bill_times(struct str *out, const struct rung_cost *b)
{
	double before = b->before.count[BILL_TIME].measured;
	double now = b->now.count[BILL_TIME].measured;
	char then[32], here[32];

	if (now == NA)
		return;
	count_words(here, sizeof(here), BILL_TIME, now);
	if (!b->before.label || before == NA) {
		str_addf(out, _("%s took %s. "), b->now.label, here);
		return;
	}
	count_words(then, sizeof(then), BILL_TIME, before);
	str_addf(out, _("%s took %s, %s %s. "), b->now.label, here,
		 b->before.label, then);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct rung_cost *b = s->scene->bill;

	if (!b || !b->known)
		return;
	add_bill_times(out, b);
	for (int i = 0; i < BILL_ROWS; i++)
		add_bill_row(out, b, (enum bill_what)i);
}

/* Tells whether there is a kernel to compare with. */
static bool offered(const struct frame_model *s)
{
	const struct kernel *k = kernel_find(s->scene->info->kernel);

	return s->turns.rung || s->turns.race[0][0] || (k && k->after);
}

static void prepare(struct stage *s, const struct turns *t)
{
	if (t->race[0][0] && !t->rung)
		rung_cost_between(s, t->race[0], t->race[1]);
	else
		rung_cost(s, t->rung);
}

static const struct view_key keys[] = {
	{ .keys = { 'c' }, .key = "c C", .word = N_("rung"),
	  .help = N_("the bill: of the next rung, or the one before"),
	  .turn = view_turn_rung, .by = 1 },
	{ .keys = { 'C' }, .turn = view_turn_rung, .by = -1 },
};

const struct view view_cost = {
	.name = "cost",
	.title = N_("cost"),
	.help = N_("what a rung changed: counts and time"),
	.pane = PANE_PICTURE,
	.wide = true,
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
