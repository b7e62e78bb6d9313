/* The race: bars, what is known of the chosen one, and the frame around. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viz/view_benchmark.h"
#include "base/text.h"

#define LABEL_MAX 24
#define NUMBERS 22	/* columns of "  44.10   87 %  ±0.3 %" */
#define NUMBERS_SHORT 8
#define DETAILS_LEAST 5	/* rows, with the frame */

/* ---- where things stand ---- */

struct benchmark_layout {
	struct rect header, bars, roofline, details, status, keys;
	int first;		/* the first row in the bars' window */
	int per;		/* rows of the screen for each */
};

#define BESIDES 14	/* rows for the roofline below the bars */

/* The frame, the axis and so many rows. */
static int bars_rows(const struct benchmark_scene *s, int per)
{
	return (int)s->row_count * per + 3;
}

static void layout_all(struct benchmark_layout *l, struct rect body, int bars)
{
	int half = body.w / 2;
	struct rect low = { body.x, body.y + bars, half, body.h - bars };

	l->bars = (struct rect){ body.x, body.y, body.w, bars };
	l->roofline = low;
	l->details = (struct rect){ low.x + half, low.y, body.w - half,
				    low.h };
}

static void layout_page(struct benchmark_layout *l,
			const struct benchmark_scene *s, struct rect body)
{
	int bars = MIN(bars_rows(s, 1), body.h);

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

static void layout(struct benchmark_layout *l, const struct benchmark_scene *s,
		   int w, int h)
{
	struct rect body = { 0, 1, w, h - 3 };
	int window;

	*l = (struct benchmark_layout){ .header = { 0, 0, w, 1 },
					.status = { 0, h - 2, w, 1 },
					.keys = { 0, h - 1, w, 1 } };
	/* With room, what each is about stands under its bar. */
	l->per = w >= 100 && body.h >= bars_rows(s, 2) + BESIDES ? 2 : 1;
	if (w >= 100 && body.h >= bars_rows(s, 1) + BESIDES &&
	    s->page == BENCHMARK_BARS) {
		layout_all(l, body, bars_rows(s, l->per));
	} else {
		l->per = 1;
		layout_page(l, s, body);
	}
	window = (l->bars.h - 3) / l->per;
	if ((int)s->chosen >= window && window > 0)
		l->first = (int)s->chosen - window + 1;
}

/* ---- the header ---- */

/* "1980 MHz", or "n/a MHz" where nobody says. */
static void add_gauge(struct str *s, double v, const char *unit)
{
	if (v == NA)
		str_addf(s, "%s %s", _("n/a"), unit);
	else
		str_addf(s, "%.0f %s", v, unit);
}

/* Who, how fast, how hot, and whether it is now: the last must be there. */
static void machine_words(const struct benchmark_scene *s, int room, char *buf,
			  size_t size)
{
	struct str parts[5] = {{0}};
	static const size_t wanted[] = { 4, 0, 1, 2, 3 };
	bool on[LENGTH(parts)] = { false };
	size_t used = 0;
	int width = 0;

	str_add(&parts[0], s->machine->gpu ? s->machine->gpu : "");
	if (!s->date) {
		add_gauge(&parts[1], s->now_mhz, "MHz");
		add_gauge(&parts[2], s->watts, "W");
		add_gauge(&parts[3], s->celsius, "\xc2\xb0" "C");
		str_add(&parts[4], _("live"));
	} else {
		str_addf(&parts[4], _("recorded %s"), s->date);
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

static void draw_header(struct canvas *c, struct rect r,
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

/* ---- bars ---- */

struct bars {
	struct rect label, bar, numbers;
	bool all_numbers;
};

static void bars_columns(struct bars *b, struct rect in,
			 const struct benchmark_scene *s)
{
	int label = 0, numbers;

	for (size_t i = 0; i < s->row_count; i++)
		label = MAX(label, text_width(s->rows[i].label));
	label = MIN(label, MIN(LABEL_MAX, in.w / 3)) + 4;
	b->all_numbers = in.w - label >= NUMBERS + 16;
	numbers = b->all_numbers ? NUMBERS : NUMBERS_SHORT;
	b->label = (struct rect){ in.x, in.y, label, in.h };
	b->bar = (struct rect){ in.x + label, in.y,
				in.w - label - numbers, in.h };
	b->numbers = (struct rect){ b->bar.x + b->bar.w, in.y, numbers,
				    in.h };
}

/* Where so many FLOP/s are in the bar, in cells and parts of one. */
static double bar_at(const struct bars *b, const struct benchmark_scene *s,
		     double flops)
{
	return s->scale > 0 ? flops / s->scale * b->bar.w : 0;
}

/* A bar to an eighth of a cell; one that leaves the scale says so. */
static void draw_bar(struct canvas *c, const struct bars *b, int y,
		     double cells, enum role role)
{
	int eighths = (int)lround(MIN(cells, b->bar.w) * 8);
	int full = eighths / 8;

	for (int x = 0; x < full; x++)
		canvas_put(c, b->bar.x + x, y, 0x2588, INK(role));
	if (eighths % 8)
		canvas_put(c, b->bar.x + full, y,
			   0x2590 - (uint32_t)(eighths % 8), INK(role));
	else if (!full)
		canvas_put(c, b->bar.x, y, 0x258f, INK(role));
	if (cells > b->bar.w)
		canvas_put(c, b->bar.x + b->bar.w - 1, y, 0x25b6,
			   INK_ON(ROLE_ON_HUE, role));
}

/* From the slow tenth to the fast one, where that is two cells or more. */
static void draw_whisker(struct canvas *c, const struct bars *b, int y,
			 const struct benchmark_scene *s,
			 const struct benchmark_row *row)
{
	double at_median = row->figures.flops * row->figures.median;
	int low = (int)bar_at(b, s, at_median / row->figures.high);
	int high = (int)bar_at(b, s, at_median / row->figures.low);

	if (high - low < 1 || high >= b->bar.w)
		return;
	for (int x = low; x <= high; x++)
		canvas_put(c, b->bar.x + x, y, x == low ? 0x251c :
			   x == high ? 0x2524 : 0x2500,
			   INK_BOLD(ROLE_STRONG));
}

static void draw_numbers(struct canvas *c, const struct bars *b, int y,
			 const struct benchmark_row *row)
{
	int x = b->numbers.x;
	double tflops = row->figures.flops / 1e12;
	char text[32];

	snprintf(text, sizeof(text), "%.*f", benchmark_digits(tflops), tflops);
	canvas_right(c, x, y, 7, text, INK_BOLD(ROLE_STRONG));
	if (!b->all_numbers)
		return;
	if (row->share != NA) {
		snprintf(text, sizeof(text), "%.0f %%", row->share * 100);
		canvas_right(c, x + 7, y, 7, text, INK(ROLE_TEXT));
	}
	snprintf(text, sizeof(text), "\xc2\xb1%.1f %%",
		 row->spread / 2 * 100);
	canvas_right(c, x + 14, y, 8, text, INK(ROLE_DIM));
}

static enum role bar_role(const struct benchmark_scene *s, size_t i)
{
	if (s->rows[i].baseline)
		return ROLE_HUE3;
	return i == s->chosen ? ROLE_HUE0 : ROLE_HUE1;
}

/* What stands instead of a bar. */
static void draw_state(struct canvas *c, const struct bars *b, int y,
		       const struct benchmark_row *row)
{
	bool bad = row->state == TIMING_FAILED;
	int room = b->bar.w + b->numbers.w - 1;

	if (!row->on)
		canvas_text(c, b->bar.x, y, room, _("not in the race"),
			    INK(ROLE_FAINT));
	else if (!row->here)
		canvas_text(c, b->bar.x, y, room, _("r starts again with it"),
			    INK(ROLE_DIM));
	else
		canvas_textf(c, b->bar.x, y, room,
			     INK(bad ? ROLE_BAD : ROLE_DIM), "%s%s%s",
			     benchmark_state(row->state), row->why ? ": " : "",
			     row->why ? row->why : "");
}

static void draw_row(struct canvas *c, const struct bars *b, int y,
		     const struct benchmark_scene *s, size_t i)
{
	const struct benchmark_row *row = &s->rows[i];
	bool chosen = i == s->chosen;
	struct ink ink = chosen ? INK_BOLD(ROLE_ACCENT) :
				  INK(row->on ? ROLE_TEXT : ROLE_FAINT);

	canvas_put(c, b->label.x, y, chosen ? 0x25b8 : ' ',
		   INK_BOLD(ROLE_ACCENT));
	canvas_put(c, b->label.x + 1, y, (uint32_t)row->letter,
		   INK(ROLE_DIM));
	canvas_text(c, b->label.x + 3, y, b->label.w - 4, row->label, ink);
	if (!row->on || row->figures.flops == NA) {
		draw_state(c, b, y, row);
		return;
	}
	draw_bar(c, b, y, bar_at(b, s, row->figures.flops), bar_role(s, i));
	draw_whisker(c, b, y, s, row);
	draw_numbers(c, b, y, row);
}

/* 1, 2 or 5 times a power of ten, so that labels have room. */
static double tick_step(double scale, int width)
{
	double least = scale * 8 / MAX(width, 8);
	double p = pow(10, floor(log10(least)));

	return least <= p ? p : least <= 2 * p ? 2 * p :
	       least <= 5 * p ? 5 * p : 10 * p;
}

static void draw_axis(struct canvas *c, const struct bars *b,
		      const struct benchmark_scene *s)
{
	double top = s->scale / 1e12, step;
	int x = b->numbers.x, y = b->bar.y;
	char text[16];

	if (b->all_numbers) {
		canvas_right(c, x, y, 7, "TFLOP/s", INK(ROLE_DIM));
		canvas_right(c, x + 7, y, 7, "cuBLAS", INK(ROLE_DIM));
		canvas_right(c, x + 14, y, 8, _("spread"), INK(ROLE_DIM));
	} else {
		canvas_right(c, x, y, 7, "TFLOP/s", INK(ROLE_DIM));
	}
	if (!(top > 0))
		return;
	step = tick_step(top, b->bar.w);
	for (double v = 0; v <= top; v += step) {
		int at = (int)(v / top * b->bar.w);

		snprintf(text, sizeof(text), "%g", v);
		if (at + (int)strlen(text) < b->bar.w)
			canvas_text(c, b->bar.x + at, y, -1, text,
				    INK(ROLE_FAINT));
	}
}

/* cuBLAS's line, where no bar and no word stands on it. */
static void draw_line(struct canvas *c, const struct bars *b,
		      const struct benchmark_scene *s)
{
	int x = b->bar.x + (int)bar_at(b, s, s->cublas);

	if (s->cublas == NA || x >= b->bar.x + b->bar.w)
		return;
	for (int y = b->bar.y + 1; y < b->bar.y + b->bar.h; y++)
		if (canvas_at(c, x, y)->ch == ' ')
			canvas_put(c, x, y, 0x250a, INK(ROLE_HUE3));
}

static void draw_bars(struct canvas *c, const struct benchmark_layout *l,
		      const struct benchmark_scene *s)
{
	char note[64] = "";
	struct rect in;
	struct bars b;
	int rows;

	if (s->cublas != NA)
		snprintf(note, sizeof(note), "\xe2\x94\x8a %s %.*f",
			 s->cublas_label, benchmark_digits(s->cublas / 1e12),
			 s->cublas / 1e12);
	in = canvas_frame(c, l->bars, _("TFLOP/s, median"),
			  *note ? note : NULL, false);
	in.x++;
	in.w -= 2;
	if (in.w < 20 || in.h < 2)
		return;
	bars_columns(&b, in, s);
	draw_axis(c, &b, s);
	rows = MIN((in.h - 1) / l->per, (int)s->row_count - l->first);
	for (int i = 0; i < rows; i++) {
		const struct benchmark_row *row = &s->rows[l->first + i];
		int y = in.y + 1 + i * l->per;

		draw_row(c, &b, y, s, (size_t)(l->first + i));
		if (l->per > 1 && row->idea)
			canvas_text(c, b.bar.x, y + 1, b.bar.w, _(row->idea),
				    INK(ROLE_FAINT));
	}
	draw_line(c, &b, s);
	if (l->first)
		canvas_text(c, in.x + in.w - 1, l->bars.y, 1, "\xe2\x96\xb2",
			    INK(ROLE_ACCENT));
	if (l->first + rows < (int)s->row_count)
		canvas_text(c, in.x + in.w - 1, l->bars.y + l->bars.h - 1, 1,
			    "\xe2\x96\xbc", INK(ROLE_ACCENT));
}

/* ---- what is known of one ---- */

static void draw_details(struct canvas *c, struct rect r,
			 const struct benchmark_scene *s)
{
	const struct benchmark_row *row = &s->rows[s->chosen];
	struct rect in = canvas_frame(c, r, row->label, NULL, false);
	char *words = benchmark_row_words(row);
	struct str all = {0};

	in.x++;
	in.w -= 2;
	/* The newest and the ideas: what matters most stands first. */
	str_add(&all, words);
	if (row->idea)
		str_add(&all, _(row->idea));
	if (in.w > 8 && in.h > 0)
		prose_fit(c, in, all.data, INK(ROLE_TEXT));
	str_done(&all);
	free(words);
}

/* ---- how far it is ---- */

static void progress_words(const struct benchmark_scene *s, struct str *out)
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
			 strrchr(s->from, '/') ? strrchr(s->from, '/') + 1 :
						 s->from);
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

	progress_words(s, &words);
	canvas_text(c, r.x + 1, r.y, r.w - track - 4, words.data,
		    INK(s->error ? ROLE_BAD : ROLE_TEXT));
	str_done(&words);
	done = (int)(track * s->part + 1e-9);
	for (int i = 0; i < track; i++)
		canvas_put(c, x + i, r.y, i < done ? 0x2501 : 0x2500,
			   INK(i < done ? ROLE_ACCENT : ROLE_BORDER));
}

/* ---- the frame ---- */

void view_benchmark(struct canvas *c, const struct show *s)
{
	struct benchmark_layout l;

	layout(&l, s->benchmark, c->w, c->h);
	draw_header(c, l.header, s->benchmark);
	if (l.bars.h)
		draw_bars(c, &l, s->benchmark);
	if (l.roofline.h)
		view_roofline(c, l.roofline, s->benchmark);
	if (l.details.h)
		draw_details(c, l.details, s->benchmark);
	draw_status(c, l.status, s->benchmark);
	view_keys(c, l.keys, s);
}

int benchmark_hit(const struct benchmark_scene *s, int w, int h, int x, int y)
{
	struct benchmark_layout l;
	int row;

	layout(&l, s, w, h);
	row = y - l.bars.y - 2;
	if (x < l.bars.x || x >= l.bars.x + l.bars.w || row < 0 ||
	    row >= l.bars.h - 3)
		return -1;
	row = l.first + row / l.per;
	return row < (int)s->row_count ? row : -1;
}

bool benchmark_has_page(const struct benchmark_scene *s, int w, int h,
			enum benchmark_page page)
{
	struct benchmark_scene bars = *s;
	struct benchmark_layout l;

	bars.page = BENCHMARK_BARS;
	layout(&l, &bars, w, h);
	return page != BENCHMARK_DETAILS || !l.details.h;
}
