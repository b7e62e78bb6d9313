/* The race: bars, the details of the chosen row, and the frame around them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/view_benchmark.h"
#include "base/text.h"

/* The smallest screen on which bars, roofline and details stand together, and
 * the columns of the latter two. */
#define TOGETHER_W 100
#define TOGETHER_H 28
#define BESIDE(w) ((w) >= 150 ? (w) * 2 / 5 : 42)
#define DETAILS_LEAST 5	/* rows, with the frame */

/* ---- layout ---- */

struct benchmark_layout {
	struct rect header, bars, roofline, details, status, keys;
};

static void layout_page(struct benchmark_layout *l,
			const struct benchmark_scene *s, struct rect body)
{
	int bars = MIN(bars_rows(s), body.h);

	if (s->page == BENCHMARK_ROOFLINE) {
		l->roofline = body;
	} else if (s->page == BENCHMARK_DETAILS) {
		l->details = body;
	} else {
		if (body.h - bars < DETAILS_LEAST)
			bars = body.h;
		l->bars = l->details = body;
		l->bars.h = bars;
		l->details.y += bars;
		l->details.h -= bars;
	}
}

/* Puts all three on the screen: the bars fill the left side, the others the
 * right. */
static void layout_together(struct benchmark_layout *l, struct rect body)
{
	int beside = BESIDE(body.w), roofline = body.h * 11 / 20;

	l->bars = body;
	l->bars.w -= beside;
	l->roofline = (struct rect){ body.x + l->bars.w, body.y, beside,
				     roofline };
	l->details = l->roofline;
	l->details.y += roofline;
	l->details.h = body.h - roofline;
}

static void layout_race(struct benchmark_layout *l,
			const struct benchmark_scene *s, int w, int h)
{
	struct rect body = { 0, 1, w, h - 3 };

	*l = (struct benchmark_layout){ .header = { 0, 0, w, 1 },
					.status = { 0, h - 2, w, 1 },
					.keys = { 0, h - 1, w, 1 } };
	if (s->presenter && s->page == BENCHMARK_BARS)
		l->bars = body;
	else if (w >= TOGETHER_W && h >= TOGETHER_H && s->page == BENCHMARK_BARS)
		layout_together(l, body);
	else
		layout_page(l, s, body);
}

/* ---- the header ---- */

/* Adds "1980 MHz", or "n/a MHz" if it is unknown. */
static void add_gauge(struct str *s, double v, const char *unit)
{
	if (v == NA)
		str_addf(s, "%s %s", _("n/a"), unit);
	else
		str_addf(s, "%.0f %s", v, unit);
}

/* Writes the machine, its clock and temperature, and when this was measured, as
 * far as they fit; the date comes first. */
static void machine_words(const struct benchmark_scene *s, int room, char *buf,
			  size_t size)
{
	struct str parts[5] = {{0}};
	static const size_t wanted[] = { 4, 0, 1, 2, 3 };
	bool on[LENGTH(parts)] = { false };
	size_t used = 0;
	int width = 0;

	str_add(&parts[0], s->machine->gpu ? s->machine->gpu : "");
	if (s->date)
		str_addf(&parts[4], _("recorded %s"), s->date);
	else if (s->live)
		str_addf(&parts[4], "\xe2\x97\x8f %s", _("live"));
	if (s->live) {
		add_gauge(&parts[1], s->now_mhz, "MHz");
		add_gauge(&parts[2], s->watts, "W");
		add_gauge(&parts[3], s->celsius, "\xc2\xb0" "C");
	}
	for (size_t i = 0; i < LENGTH(wanted); i++) {
		struct str *p = &parts[wanted[i]];
		int w = p->len ? text_width(p->data) + 2 : 0;

		on[wanted[i]] = w && width + w <= room + 2;
		width += on[wanted[i]] ? w : 0;
	}
	buf[0] = 0;
	for (size_t i = 0; i < LENGTH(parts); i++) {
		if (on[i] && used < size)
			used += (size_t)snprintf(buf + used, size - used,
						 "%s%s", used ? "  " : "",
						 parts[i].data);
		str_done(&parts[i]);
	}
}

static void draw_race_header(struct canvas *c, struct rect r,
			     const struct benchmark_scene *s)
{
	char words[200];
	int x = r.x + 1;

	canvas_fill(c, r, ' ', INK_ON(ROLE_TEXT, ROLE_BAR));
	if (r.w >= 70)
		x += canvas_text(c, x, r.y, r.w - x, "gemmviz",
				 (struct ink){ ROLE_ACCENT, ROLE_BAR,
					       ATTR_BOLD }) + 2;
	x += canvas_text(c, x, r.y, r.w - x, _("Race"),
			 (struct ink){ ROLE_STRONG, ROLE_BAR, ATTR_BOLD }) +
	     1;
	if (r.w < 60 && s->size.m == s->size.n && s->size.n == s->size.k)
		x += canvas_textf(c, x, r.y, r.w - x,
				  INK_ON(ROLE_TEXT, ROLE_BAR), "%d",
				  s->size.m) + 1;
	else
		x += canvas_textf(c, x, r.y, r.w - x,
				  INK_ON(ROLE_TEXT, ROLE_BAR),
				  "%d\xc3\x97%d\xc3\x97%d", s->size.m,
				  s->size.n, s->size.k) + 1;
	if (r.w >= 60)
		x += canvas_textf(c, x, r.y, r.w - x,
				  INK_ON(ROLE_DIM, ROLE_BAR), "(%zu/%zu)",
				  s->size_index + 1, s->size_count) + 1;
	machine_words(s, r.x + r.w - x - 1, words, sizeof(words));
	canvas_right(c, x, r.y, r.x + r.w - x - 1, words,
		     INK_ON(ROLE_TEXT, ROLE_BAR));
}

/* ---- details of a row ---- */

/* Draws the samples in order as columns: the faster, the higher; the fastest is
 * as high as r. */
static void draw_samples(struct canvas *c, struct rect r,
			 const struct benchmark_row *row)
{
	int wide = row->samples ? MAX(1, r.w / (int)row->samples) : 1;
	int columns = MIN((int)row->samples, r.w);

	for (int i = 0; i < columns; i++) {
		size_t at = (size_t)i * row->samples / (size_t)columns;
		double part = row->figures.fastest / row->sample[at];
		int eighths = (int)lround(part * r.h * 8);

		for (int y = 0; y < r.h; y++) {
			int full = MIN(8, eighths - (r.h - 1 - y) * 8);

			for (int x = 0; x < MAX(1, wide - 1) && full > 0; x++)
				canvas_put(c, r.x + i * wide + x, r.y + y,
					   0x2580 + (uint32_t)full,
					   INK(ROLE_HUE0));
		}
	}
}

static void draw_row_details(struct canvas *c, struct rect r,
			     const struct benchmark_scene *s)
{
	const struct benchmark_row *row = &s->rows[s->chosen];
	struct rect in = canvas_frame(c, r, row->label, NULL, false);
	char *words = benchmark_row_words(row);
	struct str all = {0};
	int spare;

	in.x++;
	in.w -= 2;
	/* The newest and the ideas: the most important comes first. */
	if (row->idea)
		str_addf(&all, "%s\n", _(row->idea));
	str_add(&all, words);
	spare = in.h - prose_text(NULL, in, 0, all.data, INK(ROLE_TEXT)) - 1;
	if (spare > 0 && row->samples && row->figures.flops != NA) {
		spare = MIN(spare, 3);
		draw_samples(c, (struct rect){ in.x, in.y, in.w, spare }, row);
		in.y += spare + 1;
		in.h -= spare + 1;
	}
	if (in.w > 8 && in.h > 0)
		prose_fit(c, in, all.data, INK(ROLE_TEXT));
	str_done(&all);
	free(words);
}

/* ---- progress ---- */

static void race_progress_words(const struct benchmark_scene *s,
				struct str *out)
{
	if (s->error)
		str_add(out, s->error);
	else if (s->place >= 0)
		str_addf(out, ngettext("%d run is ahead of this one on the GPU",
				       "%d runs are ahead of this one on the "
				       "GPU", (unsigned)s->place), s->place);
	else if (s->over && s->date)
		str_addf(out, _("recorded %s on %s: %s"), s->date,
			 s->machine->gpu ? s->machine->gpu : _("n/a"),
			 file_base(s->from));
	else if (s->over)
		str_addf(out, _("done: %zu of %zu"), s->settled, s->results);
	else if (s->counting)
		str_addf(out, _("%s at %d: counting DRAM traffic"),
			 s->counting, s->counting_size.m);
	else if (s->running)
		str_addf(out, _("%s at %d: sample %zu of %zu"), s->running,
			 s->running_size.m, s->running_samples,
			 s->running_of);
	else if (s->waiting[0])
		str_add(out, s->waiting);
	else
		str_add(out, _("starting"));
	if (s->paused && !s->over)
		str_addf(out, " (%s)", _("paused"));
}

static void draw_status(struct canvas *c, struct rect r,
			const struct benchmark_scene *s)
{
	int track = r.w >= 80 ? 20 : 0, done, x = r.x + r.w - track - 1;
	struct str words = {0};

	race_progress_words(s, &words);
	prose_fit(c, (struct rect){ r.x + 1, r.y, r.w - track - 4, 1 },
		  words.data, INK(s->error ? ROLE_BAD : ROLE_TEXT));
	str_done(&words);
	done = (int)(track * s->part + 1e-9);
	for (int i = 0; i < track; i++)
		canvas_put(c, x + i, r.y, i < done ? 0x2501 : 0x2500,
			   INK(i < done ? ROLE_ACCENT : ROLE_BORDER));
}

/* ---- the frame ---- */

void view_benchmark(struct canvas *c, const struct frame_model *s)
{
	struct benchmark_layout l;

	layout_race(&l, s->benchmark, c->w, c->h);
	draw_race_header(c, l.header, s->benchmark);
	if (l.bars.h && s->benchmark->presenter)
		view_bars_large(c, l.bars, s->benchmark);
	else if (l.bars.h)
		view_bars(c, l.bars, s->benchmark);
	if (l.roofline.h)
		view_roofline(c, l.roofline, s->benchmark);
	if (l.details.h)
		draw_row_details(c, l.details, s->benchmark);
	draw_status(c, l.status, s->benchmark);
	view_keys(c, l.keys, s);
}

int benchmark_hit(const struct benchmark_scene *s, int w, int h, int x, int y)
{
	struct benchmark_layout l;

	layout_race(&l, s, w, h);
	return !l.bars.h ? -1 : s->presenter ?
	       bars_large_hit(s, l.bars, x, y) : bars_hit(s, l.bars, x, y);
}

bool benchmark_has_page(const struct benchmark_scene *s, int w, int h,
			enum benchmark_page page)
{
	struct benchmark_scene bars = *s;
	struct benchmark_layout l;

	bars.page = BENCHMARK_BARS;
	layout_race(&l, &bars, w, h);
	return page != BENCHMARK_DETAILS || !l.details.h;
}
