/* What pictures are put together from: sizes, digits, bars, lines, motion. */
#include <math.h>

#include "base/lang.h"
#include "tap.h"
#include "viz/kit.h"
#include "viz/view_benchmark.h"

static int painted(const struct canvas *c, enum role role)
{
	int n = 0;

	for (int i = 0; i < c->w * c->h; i++)
		n += c->cells[i].bg == role || c->cells[i].fg == role;
	return n;
}

static void elements_grow(void)
{
	struct kit_size k = kit_fit(256, 128, 32, 32);

	tap_ok(k.w == 8 && k.h == 4, "32x32 in 256x128 cells: 8x4 each");
	k = kit_fit(199, 99, 32, 32);
	tap_ok(k.w == 6 && k.h == 3, "a little less: 6x3");
	k = kit_fit(64, 32, 32, 32);
	tap_ok(k.w == 2 && k.h == 1, "64x32: 2x1");
	k = kit_fit(32, 16, 32, 32);
	tap_ok(k.half && k.w == 1, "32x16: half cells");
	tap_ok(kit_width(k, 32) == 32 && kit_height(k, 32) == 16,
	       "... which fill it");
	tap_ok(!kit_fit(31, 16, 32, 32).w, "31x16: none");
	tap_ok(kit_height((struct kit_size){ 1, 1, true }, 3) == 2,
	       "an odd row of halves takes a cell");
	for (int w = 1; w < 300; w += 7)
		for (int h = 1; h < 90; h += 5)
			for (uint32_t n = 1; n < 130; n += 3) {
				k = kit_fit(w, h, n, 2 * n);
				if (k.w && (kit_width(k, 2 * n) > w ||
					    kit_height(k, n) > h)) {
					tap_ok(false, "%dx%d: %u", w, h, n);
					return;
				}
			}
	tap_ok(true, "what is said to fit does");
}

static void digits_grow(void)
{
	struct rect rooms[] = { { 0, 0, 40, 12 }, { 0, 0, 20, 6 },
				{ 0, 0, 7, 3 }, { 0, 0, 2, 1 } };
	int want[] = { 28, 14, 7, 2 };

	for (size_t i = 0; i < LENGTH(rooms); i++) {
		struct canvas c;
		int rows, w;

		canvas_init(&c, 40, 12);
		w = kit_number(&c, rooms[i], "32", ROLE_BAD);
		tap_is(w, want[i], "32 in %d columns", rooms[i].w);
		tap_is(kit_digits(rooms[i], "32", &rows), w, "... as measured");
		tap_ok(rows <= rooms[i].h && painted(&c, ROLE_BAD) > 1,
		       "... and drawn");
		canvas_done(&c);
	}
}

static void bars(void)
{
	struct canvas c;

	canvas_init(&c, 20, 4);
	kit_bar(&c, 0, 0, 10, 0.5, ROLE_GOOD, ROLE_NONE);
	tap_is(painted(&c, ROLE_GOOD), 5, "half of ten");
	kit_bar(&c, 0, 1, 10, 0.0001, ROLE_BAD, ROLE_NONE);
	tap_is(painted(&c, ROLE_BAD), 1, "little is not nothing");
	kit_bar(&c, 0, 2, 10, 0, ROLE_WARN, ROLE_NONE);
	tap_is(painted(&c, ROLE_WARN), 0, "nothing is");
	kit_bar(&c, 0, 3, 10, NAN, ROLE_WARN, ROLE_NONE);
	tap_is(painted(&c, ROLE_WARN), 0, "what is not known is not drawn");
	kit_bar(&c, 0, 1, 10, 0.25, ROLE_BAD, ROLE_FIELD);
	tap_is(canvas_at(&c, 2, 1)->bg, ROLE_FIELD,
	       "behind half a cell is what was there");
	canvas_done(&c);
}

static void lines(void)
{
	struct canvas c;

	canvas_init(&c, 10, 6);
	kit_line(&c, 2, 0, 7, 5, 3, INK(ROLE_TEXT));
	tap_ok(canvas_at(&c, 2, 0)->ch == 0x2502 &&
	       canvas_at(&c, 2, 3)->ch == 0x2514 &&
	       canvas_at(&c, 5, 3)->ch == 0x2500 &&
	       canvas_at(&c, 7, 3)->ch == 0x2510 &&
	       canvas_at(&c, 7, 5)->ch == 0x2502, "down, across, down");
	canvas_done(&c);
}

static void motion(void)
{
	tap_ok(kit_between(3, 9, 0) == 3 && kit_between(3, 9, 1) == 9 &&
	       kit_between(3, 9, 0.5) == 6, "from one end to the other");
	tap_ok(kit_between(0, 1, -1) == 0 && kit_between(0, 1, 2) == 1,
	       "never beyond");
	tap_ok(kit_act(0.25, 0.5, 1) == 0 && kit_act(0.75, 0.5, 1) == 0.5 &&
	       kit_act(1, 0, 0.5) == 1, "an act has its part of the time");
}

static void words_fit(void)
{
	struct canvas c;

	canvas_init(&c, 20, 2);
	tap_is(kit_whole(&c, 0, 0, 4, "12345", INK(ROLE_TEXT)), 0,
	       "what does not fit");
	tap_is(painted(&c, ROLE_TEXT), 0, "... is left out");
	tap_is(kit_whole(&c, 0, 0, 5, "12345", INK(ROLE_TEXT)), 5, "else not");
	kit_label(&c, 0, 1, 7, "tiled TILE=32", true, INK(ROLE_BAD));
	tap_is(painted(&c, ROLE_BAD), 5, "of a label the first word stays");
	tap_is(canvas_at(&c, 2, 1)->ch, 't', "... at the right");
	canvas_done(&c);
}

static bool says(const struct canvas *c, int y, const char *word)
{
	int n = (int)strlen(word), k;

	for (int x = 0; x + n <= c->w; x++) {
		for (k = 0; k < n; k++)
			if (canvas_at(c, x + k, y)->ch != (uint32_t)word[k])
				break;
		if (k == n)
			return true;
	}
	return false;
}

/* A rung however fast has the name of the rung before it beside its factor, and
 * its figure, be it in the bar. */
static void rungs_named(void)
{
	static const char below[] = "sgemm_pipelined";
	struct benchmark_scene s = { .row_count = 1, .scale = 1e13,
				     .cublas = NA };
	struct benchmark_row *row = &s.rows[0];
	bool named = true, figures = true;
	struct canvas c;

	*row = (struct benchmark_row){ .label = "sgemm", .name = "sgemm",
				       .called = "sgemm",
				       .below = "sgemm_pipelined",
				       .letter = '1', .on = true, .here = true,
				       .factor = 1.1 };
	canvas_init(&c, 80, 6);
	for (int part = 1; part <= 100; part++) {
		char text[32];

		row->figures.flops = part * 1e11;
		canvas_clear(&c);
		view_bars(&c, (struct rect){ 0, 0, 80, 6 }, &s);
		snprintf(text, sizeof(text), "%.*f",
			 benchmark_digits(part * 0.1), part * 0.1);
		/* Behind the longest bars there is no room for it. */
		named = named && (says(&c, 1, below) || part > 88);
		figures = figures && says(&c, 1, text);
	}
	tap_ok(named, "the rung before is named behind all but the longest bars");
	tap_ok(figures, "... and every figure stands");
	canvas_done(&c);
}

/* Whether no two labels share a cell, and none lies on a point. */
static bool apart(const struct roofline_label *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			bool covers = l[i].at_y == l[k].y && l[k].x >=
				l[i].at_x && l[k].x < l[i].at_x + l[i].w;

			if (covers || (i != k && l[i].at_y == l[k].at_y &&
				       l[i].at_x < l[k].at_x + l[k].w &&
				       l[k].at_x < l[i].at_x + l[i].w))
				return false;
		}
	return true;
}

/* Twelve points, four of them in one cell. */
static void labels(void)
{
	struct rect r = { 0, 0, 40, 12 };
	struct roofline_label l[12];
	struct canvas c;

	canvas_init(&c, 40, 12);
	canvas_text(&c, 0, 5, 12, "------------", INK(ROLE_TEXT));
	for (int i = 0; i < 12; i++)
		l[i] = (struct roofline_label){ .x = i < 4 ? 20 : 15 + i,
						.y = 5, .w = 6 };
	roofline_place(&c, r, l, 12);
	for (int i = 0; i < 12; i++)
		tap_ok(l[i].w == 6 && l[i].at_x >= 0 && l[i].at_x <= 34 &&
		       (l[i].at_y != 5 || l[i].at_x > 12),
		       "label %d has a place of its own", i);
	tap_ok(apart(l, 12), "... none covers another");
	roofline_line(&c, &l[11], INK(ROLE_BAD));
	tap_ok(painted(&c, ROLE_BAD) > 0, "... and a line to its point");
	canvas_done(&c);
}

/* Reads a number of an axis from column *x on, and moves *x behind it. Returns
 * how many of its cells do not look like its first. */
static int read_number(const struct canvas *c, int *x, int *n)
{
	uint8_t bg = canvas_at(c, *x, 0)->bg;
	int others = 0;

	for (*n = 0; canvas_at(c, *x, 0)->ch != ' '; ++*x) {
		others += canvas_at(c, *x, 0)->bg != bg;
		*n = 10 * *n + (int)canvas_at(c, *x, 0)->ch - '0';
	}
	return others;
}

/* Numbers along an axis stand where their elements do, equally far apart, and
 * do not touch; the one in focus stands out. */
static void axes(void)
{
	long wrong = 0, focused = 0;

	for (int each = 1; each <= 6; each++)
		for (int focus = -1; focus < 40; focus++) {
			int plain[40], count = 0, step = 40;
			struct canvas c;

			canvas_init(&c, 260, 1);
			kit_axis(&c, &(struct kit_axis){ 0, 0, each, 0, 40, 1,
							 focus });
			for (int x = 0, n, from; x < c.w; x++) {
				bool lit = canvas_at(&c, x, 0)->bg ==
					   ROLE_CURSOR;

				from = x;
				if (canvas_at(&c, x, 0)->ch == ' ')
					continue;
				wrong += read_number(&c, &x, &n);
				wrong += n * each != from;
				wrong += lit != (n == focus);
				focused += lit;
				if (!lit)
					plain[count++] = n;
			}
			for (int i = 1; i < count; i++)
				step = MIN(step, plain[i] - plain[i - 1]);
			for (int i = 0; i < count; i++)
				wrong += plain[i] % step != 0;
			canvas_done(&c);
		}
	tap_is(wrong, 0, "an axis is regular");
	tap_is(focused, 6 * 40, "... and its focus stands out");
}

int main(void)
{
	lang_init("en");
	elements_grow();
	axes();
	digits_grow();
	bars();
	lines();
	motion();
	words_fit();
	rungs_named();
	labels();
	return tap_done();
}
