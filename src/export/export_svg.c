/*
 * SVG: a frame as a still, several as one animated file. An animation has each
 * run of cells once for each time that it keeps its look: a group for each pair
 * of times at which cells appear and disappear, which a CSS rule shows in
 * between. Where nothing is animated, on paper for instance, the last frame is
 * shown.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "export/export.h"
#include "export/svg.h"

/* Cells that appeared and disappeared together; times in milliseconds. */
struct group { long from, to; char *svg; };

struct svg_film {
	struct canvas now;	/* the last frame, and ... */
	long *since;		/* when each of its cells came */
	bool *which;
	struct group *groups;
	size_t count, capacity;
	struct str words;
	bool words_due;
};

static long to_milliseconds(double seconds)
{
	return lround(seconds * 1000);
}

static int begin(struct export *x, struct error *e)
{
	struct svg_film *k = xcalloc(1, sizeof(*k));
	size_t n = (size_t)x->w * x->h;

	(void)e;
	canvas_init(&k->now, x->w, x->h);
	k->since = xcalloc(n + 1, sizeof(*k->since));
	k->which = xcalloc(n + 1, sizeof(*k->which));
	x->own = k;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Collects the times, in ms, at which the cells in `going` appeared, ascending
 * and each once. Returns their number. */
static size_t collect_start_times(const struct svg_film *k, const bool *going,
				  long *found)
{
	size_t n = (size_t)k->now.w * k->now.h, count = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (going[i])
			found[count++] = k->since[i];
	qsort(found, count, sizeof(*found), by_time);
	for (size_t i = 0; i < count; i++)
		if (!i || found[i] != found[i - 1])
			found[kept++] = found[i];
	return kept;
}

/* Adds groups for the cells in `going`, which disappear at `now` (ms). */
static void end_cells(struct export *x, const bool *going, long now)
{
	struct svg_film *k = x->own;
	size_t n = (size_t)x->w * x->h;
	long *from = xcalloc(n + 1, sizeof(*from));
	size_t count = collect_start_times(k, going, from);

	for (size_t b = 0; b < count; b++) {
		struct str svg = {0};

		for (size_t i = 0; i < n; i++)
			k->which[i] = going[i] && k->since[i] == from[b];
		svg_cells(&svg, &k->now, k->which, x->theme);
		grow(&k->groups, &k->capacity, k->count + 1,
		     sizeof(*k->groups));
		k->groups[k->count++] = (struct group){ from[b], now,
							str_take(&svg) };
	}
	free(from);
}

/* Marks both halves of a wide character if one of them changes. */
static void keep_whole(const struct canvas *c, const struct canvas *old,
		       bool *going)
{
	for (int i = 1; i < c->w * c->h; i++)
		if (i % c->w && (!c->cells[i].ch || !old->cells[i].ch))
			going[i] = going[i - 1] = going[i] || going[i - 1];
}

static void frame(struct export *x, const struct export_frame *f)
{
	struct svg_film *k = x->own;
	size_t n = (size_t)x->w * x->h;
	bool *going = xcalloc(n + 1, sizeof(*going));
	long now = to_milliseconds(f->at);

	k->words_due |= f->chapter != NULL;
	if (k->words_due && f->words) {
		str_add(&k->words, f->words);
		k->words_due = false;
	}
	for (size_t i = 0; i < n && x->frames; i++)
		going[i] = !paint_same(&k->now.cells[i], &f->canvas->cells[i]);
	keep_whole(f->canvas, &k->now, going);
	end_cells(x, going, now);
	for (size_t i = 0; i < n; i++)
		if (going[i])
			k->since[i] = now;
	memcpy(k->now.cells, f->canvas->cells, n * sizeof(*k->now.cells));
	free(going);
}

/* Returns the CSS rules that show groups for each of `count` durations in
 * `spans` (ms, ascending), in a film of `all` ms. A group disappears a
 * microsecond before the next one appears: with rounded times both could be
 * seen. */
static char *css_rules(const long *spans, size_t count, long all)
{
	struct str out = {0};

	str_addf(&out, ".a{visibility:hidden;animation:k 1s step-end infinite;"
		 "animation-duration:%ldms;animation-delay:calc((var(--t) - "
		 "%ld)*1ms)}.z{visibility:visible}"
		 "@media(prefers-reduced-motion:reduce),print{"
		 ".a{animation:none}}", all, all);
	for (size_t i = 0; i < count; i++)
		str_addf(&out, "\n.k%ld{animation-name:k%ld}@keyframes k%ld{"
			 "0%%{visibility:visible}%.10g%%,to{visibility:hidden}}",
			 spans[i], spans[i], spans[i],
			 100 * ((double)spans[i] - 0.001) / (double)all);
	return str_take(&out);
}

static char *css_rules_of_film(const struct svg_film *k, long all)
{
	long *spans = xcalloc(k->count + 1, sizeof(*spans));
	size_t kept = 0;
	char *text;

	for (size_t i = 0; i < k->count; i++)
		spans[i] = k->groups[i].to - k->groups[i].from;
	qsort(spans, k->count, sizeof(*spans), by_time);
	for (size_t i = 0; i < k->count; i++)
		if (spans[i] != all && (!kept || spans[i] != spans[kept - 1]))
			spans[kept++] = spans[i];
	text = css_rules(spans, kept, all);
	free(spans);
	return text;
}

static void add_group(struct export *x, const struct group *g, long all)
{
	if (g->from == 0 && g->to == all)
		str_addf(&x->out, "<g>%s</g>\n", g->svg);
	else
		str_addf(&x->out, "<g class=\"a k%ld%s\" style=\"--t:%ld\">"
			 "%s</g>\n", g->to - g->from,
			 g->to == all ? " z" : "", g->from, g->svg);
}

static void end(struct export *x)
{
	struct svg_film *k = x->own;
	size_t n = (size_t)x->w * x->h;
	long all = to_milliseconds(x->seconds);
	bool *going = xcalloc(n + 1, sizeof(*going));
	char *style;

	memset(going, true, n);
	end_cells(x, going, all);
	style = x->frames > 1 ? css_rules_of_film(k, all) : xstrdup("");
	svg_begin(&x->out, x->w, x->h, x->theme, x->title, k->words.data,
		  style);
	for (size_t i = 0; i < k->count; i++) {
		add_group(x, &k->groups[i], all);
		free(k->groups[i].svg);
	}
	svg_end(&x->out);
	free(style);
	free(going);
	free(k->groups);
	free(k->since);
	free(k->which);
	str_done(&k->words);
	canvas_done(&k->now);
	free(k);
}

const struct exporter exporter_svg = {
	.name = "svg", .suffix = ".svg",
	.help = N_("a picture for web pages and slides; several steps make an "
		   "animation"),
	.moves = true, .still = true,
	.begin = begin, .frame = frame, .end = end,
};
