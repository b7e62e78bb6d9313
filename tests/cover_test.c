/*
 * Pictures own the screen: at 200x60 a picture reaches over at least 70 % of the
 * cells that are not source or words, and draws in two of five fields of 8x4
 * cells there (three of ten, where Tab leads to it), in every step of every
 * lesson and in every picture of every kernel; and at every size, on any step and at any time of it, there is something
 * of it. In the lessons, what is written reads: 4.5 to 1, and no sentence of a
 * picture is cut at 80x24.
 * sanitized: nightly
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "kernels/programs.h"
#include "app/reader.h"
#include "contrast.h"
#include "tap.h"

#define SAMPLES 5	/* steps of each kernel */
#define LEAST 0.70
#define LEAST_FILLED 0.41
#define TAB_FILLED 0.3	/* where a picture has little to show */

/* A frame around nothing covers nothing. */
static bool drawn(const struct cell *cell)
{
	return cell->bg || (cell->ch != ' ' && !(cell->fg == ROLE_BORDER &&
			    cell->ch >= 0x2500 && cell->ch < 0x2580));
}

/* Fields of the screen, in which one thing drawn is enough. */
#define FIELD_W 8
#define FIELD_H 4

static bool field_drawn(const struct canvas *c, struct rect r)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (drawn(canvas_at(c, x, y)))
				return true;
	return false;
}

/* The part of r's fields in which something is drawn. */
static double filled(const struct canvas *c, struct rect r)
{
	int all = 0, some = 0;

	for (int y = 0; y < r.h; y += FIELD_H)
		for (int x = 0; x < r.w; x += FIELD_W) {
			struct rect field = { r.x + x, r.y + y,
					      MIN(FIELD_W, r.w - x),
					      MIN(FIELD_H, r.h - y) };

			some += field_drawn(c, field);
			all++;
		}
	return all ? (double)some / all : 0;
}

/* The part of r between the first and the last thing drawn in each direction:
 * what a picture reaches over, margins left out. */
static double reached(const struct canvas *c, struct rect r)
{
	int x0 = r.w, x1 = -1, y0 = r.h, y1 = -1;

	for (int y = 0; y < r.h; y++)
		for (int x = 0; x < r.w; x++) {
			if (!drawn(canvas_at(c, r.x + x, r.y + y)))
				continue;
			x0 = MIN(x0, x);
			x1 = MAX(x1, x);
			y0 = MIN(y0, y);
			y1 = MAX(y1, y);
		}
	return x1 < 0 ? 0 : (double)(x1 - x0 + 1) * (y1 - y0 + 1) /
			    ((double)r.w * r.h);
}

/* How much of the screen that is free the picture fills; 0: too few fields of
 * it. */
static double look(struct reader *r, double least)
{
	struct screen_layout l;
	struct canvas c;
	double part;

	reader_settle(r, 200, 60);
	layout_make(&l, 200, 60, &r->show);
	canvas_init(&c, 200, 60);
	frame_draw(&c, &r->show);
	part = reached(&c, l.picture);
	/* Not by its corners alone. */
	if (!(filled(&c, l.picture) >= least))
		part = 0;
	canvas_done(&c);
	return part;
}

#define LEAST_CONTRAST 4.5

/* Lines, bars and dots are drawn, not written. */
static bool written(const struct cell *cell)
{
	return cell->ch > ' ' && !(cell->ch >= 0x2500 && cell->ch < 0x25a0) &&
	       !(cell->ch >= 0x2800 && cell->ch < 0x2900) &&
	       cell->fg != ROLE_BORDER;
}

/* What of the screen is hard to read, with its first place. */
static size_t pale(struct reader *r, int w, int h, const struct theme *t)
{
	struct canvas c;
	size_t n = 0;

	reader_settle(r, w, h);
	canvas_init(&c, w, h);
	frame_draw(&c, &r->show);
	for (int i = 0; i < w * h; i++) {
		struct theme_look look = theme_look(t, &c.cells[i], 256);

		if (!written(&c.cells[i]) ||
		    contrast(look.fg, look.bg) >= LEAST_CONTRAST)
			continue;
		if (!n++)
			printf("# %s, %dx%d, %s: U+%04X in %c on %c at %d,%d\n",
			       view_picture(&r->show)->name, w, h, t->name,
			       (int)c.cells[i].ch, role_letter(c.cells[i].fg),
			       role_letter(c.cells[i].bg), i % w, i / w);
	}
	canvas_done(&c);
	return n;
}

static size_t pale_anywhere(struct reader *r)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		n += pale(r, w, h, theme_find("dark"));
		n += pale(r, w, h, theme_find("light"));
	}
	return n;
}

/* Whether a sentence is cut at 80x24: prose_fit() says so. */
static bool cut(struct reader *r)
{
	bool any = false;
	struct canvas c;

	reader_settle(r, 80, 24);
	canvas_init(&c, 80, 24);
	frame_draw(&c, &r->show);
	for (int i = 0; i < 80 * 24; i++)
		any |= c.cells[i].ch == 0x2026 &&
		       c.cells[i].fg == ROLE_ACCENT;
	canvas_done(&c);
	return any;
}

static void lessons(void)
{
	for (const char *const *n = lesson_names(); *n; n++) {
		struct reader_options o = { .lang = "en", .still = true };
		struct reader r;
		struct error e;
		size_t low = 0, unread = 0, short_of = 0;

		reader_init(&r, &o);
		if (reader_open_lesson(&r, *n, &e))
			fatal("%s", e.text);
		for (size_t i = 0; i < r.lesson->step_count; i++) {
			double part;

			reader_settle(&r, 200, 60);
			reader_go_step(&r, i);
			while (reader_asking(&r))
				reader_reveal(&r);
			reader_settle(&r, 200, 60);
			part = look(&r, view_picture(&r.show)->seconds ?
					TAB_FILLED : LEAST_FILLED);
			if (!(part >= LEAST)) {
				printf("# %s, step %zu (%s): %.0f %%\n", *n,
				       i + 1, view_picture(&r.show)->name,
				       100 * part);
				low++;
			}
			part = pale_anywhere(&r);
			if (part > 0)
				printf("# %s, step %zu\n", *n, i + 1);
			unread += part > 0;
			if (cut(&r)) {
				printf("# %s, step %zu\n", *n, i + 1);
				short_of++;
			}
		}
		tap_is(low, 0, "%s: pictures fill the screen", *n);
		tap_is(unread, 0, "... and what is written reads");
		tap_is(short_of, 0, "... and at 80x24 no sentence is cut");
		reader_done(&r);
	}
}

/* At how many sizes and times nothing is drawn. */
static size_t blanks(struct reader *r, const struct view *v)
{
	static const int sizes[][2] = {
		{ 36, 7 }, { 78, 11 }, { 118, 21 }, { 298, 90 },
		{ 36, 30 }, { 60, 18 }, { 60, 26 }, { 60, 40 }, { 78, 16 },
		{ 78, 22 }, { 78, 28 }, { 78, 34 }, { 78, 46 }, { 100, 25 },
		{ 100, 31 }, { 118, 37 }, { 118, 44 }, { 150, 50 },
	};
	static const double times[] = { 0, 0.3, 1 };
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(times); i++) {
		int w = sizes[i % LENGTH(sizes)][0];
		int h = sizes[i % LENGTH(sizes)][1];
		struct rect in = { 2, 1, w, h };
		struct canvas c;

		canvas_init(&c, w + 4, h + 2);
		r->show.t = times[i / LENGTH(sizes)];
		canvas_clip(&c, in);
		v->draw(&c, in, &r->show);
		n += !(filled(&c, in) > 0);
		canvas_done(&c);
	}
	r->show.t = 1;
	return n;
}

static void picture(struct reader *r, const struct view *v)
{
	struct trace *t = reader_recording(r)->trace;
	struct cursor *p = reader_cursor(r);
	double least = 1;
	size_t empty = 0, shown = 0, asked = 0;

	r->show.held = v;
	for (int i = 0; i < SAMPLES; i++) {
		double part;

		p->warp = (size_t)i * 5 % trace_warp_count(t);
		p->request = (uint32_t)((uint64_t)trace_warp(t, p->warp)
				->requests * (uint64_t)i / SAMPLES);
		reader_update(r, 200, 60);
		if (view_picture(&r->show) != v)
			continue;
		empty += blanks(r, v);
		shown++;
		/* Where no step asks for it, it may have little to show. */
		if (v->rank(r->show.scene) == RANK_NONE)
			continue;
		asked++;
		part = look(r, TAB_FILLED);
		if (!(part >= LEAST) && part < least)
			printf("# %s of %s at warp %zu request %u: %.0f %%\n",
			       v->name, r->show.scene->info->kernel, p->warp,
			       p->request, 100 * part);
		least = MIN(least, part);
	}
	if (!shown)
		return;
	if (!asked)
		least = look(r, TAB_FILLED);
	tap_ok(least >= LEAST, "%s of %s: %.0f %%", v->name,
	       r->show.scene->info->kernel, 100 * least);
	tap_is(empty, 0, "... and something at every size and time");
}

static void kernel_pictures(const char *name)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_file(&r, name, &e))
		fatal("%s", e.text);
	reader_settle(&r, 200, 60);
	if (!reader_recording(&r)->trace)
		fatal("%s: %s", name, reader_recording(&r)->error.text);
	for (size_t i = 0; views[i]; i++)
		if (views[i]->pane == PANE_PICTURE)
			picture(&r, views[i]);
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	lessons();
	for (size_t i = 0; own_name(i); i++)
		kernel_pictures(own_name(i));
	return tap_done();
}
