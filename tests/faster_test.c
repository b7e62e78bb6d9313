/*
 * The picture of races: whether a kernel is faster. All rows share one scale, in
 * each lesson and at each size; at the start nothing of a row is drawn, and an
 * open question's row is covered; what was slowed down, the machine and the day
 * stay at 80x24.
 */
#include <math.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "tap.h"
#include "viz/pictures/faster/scene_faster.h"

/* Returns the cells of a row's squares: from the row's label on, those in its
 * colour, up to the next row's. */
static double row_area(const struct canvas *c, int y0, int y1, enum role role)
{
	double n = 0;

	for (int y = y0; y < y1; y++)
		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = canvas_at(c, x, y);
			uint32_t ch = cell->ch;

			if (ch == ' ' && cell->bg == role)
				n += 1;
			else if (ch >= 0x2581 && ch <= 0x2587 &&
				 cell->fg == role)
				n += (ch - 0x2580) / 8.0;
			else if (ch >= 0x2589 && ch <= 0x258f &&
				 cell->fg == role)
				n += (0x2590 - ch) / 8.0;
			else if (ch == 0x2580 && cell->fg == role)
				n += 0.5;
		}
	return n;
}

static struct str frame_text(const struct canvas *c)
{
	struct str out = {0};

	canvas_print(c, false, &out);
	return out;
}

/* Returns the screen's row in which a row of the race has its name; -1: none. */
static int label_row(const struct canvas *c, const struct faster_row *row,
		     int from)
{
	char word[72];

	snprintf(word, sizeof(word), "%s ", row->label);
	for (int y = from; y < c->h; y++)
		for (int x = 0; x < c->w / 3; x++) {
			size_t i = 0;

			while (word[i] && canvas_at(c, x + (int)i, y)->ch ==
			       (uint32_t)word[i])
				i++;
			if (!word[i])
				return y;
		}
	return -1;
}

/* Checks that areas are to each other as the speeds are, and what is said. */
static void check_scale(const struct canvas *c, const struct faster *f,
			const char *lesson, int bottom)
{
	static const enum role hues[] = { ROLE_HUE0, ROLE_HUE1, ROLE_HUE3,
					  ROLE_BAD };
	double unit = 0, worst = 0;

	for (int i = 0; i < f->count; i++) {
		int y = label_row(c, &f->row[i], 1), end = bottom;
		double area = 0;

		for (int k = 0; k < f->count; k++) {
			int other = label_row(c, &f->row[k], 1);

			if (other > y)
				end = MIN(end, other);
		}
		for (size_t h = 0; h < LENGTH(hues); h++)
			area += y < 0 ? 0 : row_area(c, y, end, hues[h]);
		area /= f->row[i].times;
		unit = i ? unit : area;
		worst = MAX(worst, fabs(area / unit - 1));
	}
	tap_ok(unit > 0 && worst < 0.13, "%s, %dx%d: all rows have one scale",
	       lesson, c->w, c->h);
	if (!(unit > 0 && worst < 0.13))
		printf("# unit %g, wrong by %g\n", unit, worst);
}

/* Returns the row of the clock. */
static int clock_row(const struct canvas *c)
{
	for (int y = 0; y < c->h; y++)
		if (canvas_at(c, 2, y)->ch == 'c' &&
		    canvas_at(c, 3, y)->ch == 'l' &&
		    canvas_at(c, 4, y)->ch == 'o')
			return y;
	return 0;
}

static void check_race(struct reader *r, const char *lesson, int w, int h)
{
	const struct faster *f;
	struct canvas c;
	struct str text;
	char slow[32];
	int at;

	canvas_init(&c, w, h);
	frame_draw(&c, reader_settle(r, w, h));
	f = r->show.scene->faster;
	text = frame_text(&c);
	tap_ok(strstr(text.data, "\xe2\x95\xb1\xe2\x95\xb1\xe2\x95\xb1") &&
	       strstr(text.data, " ?"), "%s, %dx%d: the asked row is covered",
	       lesson, w, h);
	str_done(&text);
	reader_reveal(r);
	reader_settle(r, w, h);
	canvas_clear(&c);
	frame_draw(&c, &r->show);
	f = r->show.scene->faster;
	at = clock_row(&c);
	check_scale(&c, f, lesson, at);
	text = frame_text(&c);
	snprintf(slow, sizeof(slow), "%g times slower", f->slow);
	tap_ok(strstr(text.data, slow) && strstr(text.data, f->gpu) &&
	       strstr(text.data, f->date) && f->date[0],
	       "... how slow, on what and when");
	str_done(&text);
	r->show.t = 0;
	canvas_clear(&c);
	frame_draw(&c, &r->show);
	tap_ok(row_area(&c, 2, at, ROLE_HUE0) + row_area(&c, 2, at, ROLE_HUE3) +
	       row_area(&c, 2, at, ROLE_HUE1) == 0, "... nothing at the start");
	canvas_done(&c);
}

static void check_lesson(const char *lesson, int w, int h)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		if (!r.lesson->steps[i].race)
			continue;
		reader_go_step(&r, i);
		reader_settle(&r, w, h);
		if (r.show.held == view_find("faster"))
			check_race(&r, lesson, w, h);
	}
	reader_done(&r);
}

/* The race runs when its step comes, with the question open, and again when it
 * is answered; it begins at its beginning. */
static void check_motion_of_race(void)
{
	struct reader_options o = { .lang = "en" };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "float4", &e))
		fatal("%s", e.text);
	reader_go_step(&r, r.lesson->step_count - 1);
	reader_wait(&r, 120, 36);
	tap_ok(r.motion.on && r.show.quiet && r.show.t == 0,
	       "it runs while it is asked, from its beginning");
	reader_tick(&r, 1);
	reader_update(&r, 120, 36);
	tap_ok(r.show.t > 0.1 && r.show.t < 0.9, "for some seconds");
	reader_reveal(&r);
	reader_update(&r, 120, 36);
	tap_ok(r.motion.on && !r.show.quiet && r.show.t == 0,
	       "and again when it is answered");
	reader_done(&r);
}

/* Costs keep their scale, their machine and their day at 80x24; a question that
 * is open hides how busy the units were. */
static void check_costs(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct canvas c;
	struct str text;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "benchmark", &e))
		fatal("%s", e.text);
	reader_go_step(&r, 3);
	canvas_init(&c, 80, 24);
	frame_draw(&c, reader_settle(&r, 80, 24));
	text = frame_text(&c);
	tap_ok(strstr(text.data, "% of its limit") &&
	       !strstr(text.data, "72.6"), "costs, 80x24: asked");
	str_done(&text);
	while (reader_asking(&r))
		reader_reveal(&r);
	reader_settle(&r, 80, 24);
	canvas_clear(&c);
	frame_draw(&c, &r.show);
	text = frame_text(&c);
	tap_ok(strstr(text.data, "one launch each") &&
	       strstr(text.data, "4096\xc2\xb3, NVIDIA H200, 20") &&
	       strstr(text.data, "78.2") && strstr(text.data, "72.6"),
	       "... how it was counted, on what and when");
	str_done(&text);
	canvas_done(&c);
	reader_done(&r);
}

int main(void)
{
	static const char *const lessons[] = { "float4", "banks", "wmma",
					       "float4-shared" };

	lang_init("en");
	check_motion_of_race();
	check_costs();
	for (size_t i = 0; i < LENGTH(lessons); i++) {
		check_lesson(lessons[i], 80, 24);
		check_lesson(lessons[i], 120, 36);
	}
	return tap_done();
}
