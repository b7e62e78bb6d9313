/*
 * What pictures of a kernel must not say: each was said once, and was false.
 */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "recorded.h"
#include "tap.h"
#include "viz/pictures/sectors/scene_sector_lines.h"

static const char *lang = "en";

static void open_kernel(struct reader *r, const char *what)
{
	struct reader_options o = { .lang = lang };
	struct error e;

	reader_init(r, &o);
	if (reader_open_file(r, what, &e))
		fatal("%s: %s", what, e.text);
	reader_settle(r, 120, 36);
}

/* Opens a step of a lesson, with so many of its questions answered. */
static void open_step(struct reader *r, const char *lesson, size_t step,
		      int answers)
{
	struct reader_options o = { .lang = lang, .still = true };
	struct error e;

	reader_init(r, &o);
	if (reader_open_lesson(r, lesson, &e))
		fatal("%s", e.text);
	reader_settle(r, 120, 36);
	reader_go_step(r, step - 1);
	reader_settle(r, 120, 36);
	for (int i = 0; i < answers; i++) {
		if (i)
			reader_ask_next(r);
		reader_reveal(r);
		reader_settle(r, 120, 36);
	}
}

static void stand_at(struct reader *r, size_t warp, uint32_t request,
		     uint32_t lane)
{
	reader_cursor(r)->warp = warp;
	reader_cursor(r)->request = request;
	reader_cursor(r)->lane = lane;
}

/* Returns the frame with this picture as text; the caller frees it. */
static char *draw_picture(struct reader *r, const char *view, int w, int h)
{
	struct canvas c;
	struct str text = {0};

	r->show.pane = PANE_PICTURE;
	r->show.held = view_find(view);
	canvas_init(&c, w, h);
	frame_draw(&c, reader_settle(r, w, h));
	canvas_print(&c, false, &text);
	canvas_done(&c);
	return str_take(&text);
}

/* Checks that the picture has the words, or that it has not. */
static void says(struct reader *r, const char *view, int w, int h, bool want,
		 const char *words)
{
	char *frame = draw_picture(r, view, w, h);

	if (!tap_ok(!strstr(frame, words) == !want, "%s at %dx%d %s \"%s\"",
		    view, w, h, want ? "says" : "does not say", words))
		for (char *p = strtok(frame, "\n"); p; p = strtok(NULL, "\n"))
			printf("# %s\n", p);
	free(frame);
}

/* A bug opens at a size at which it bites. */
static void test_bugs(void)
{
	for (size_t i = 0; i < kernel_count; i++) {
		struct reader r;

		if (!kernels[i].bug)
			continue;
		open_kernel(&r, kernels[i].name);
		tap_ok(r.show.scene && r.show.scene->defect.count,
		       "%s opens with its finding", kernels[i].name);
		reader_done(&r);
	}
}

/* Where nothing orders what warps do, no order is praised. */
static void test_pipelines(void)
{
	struct reader r;

	open_kernel(&r, "bug_first_barrier");
	says(&r, "pipeline", 120, 36, false, "never stops");
	says(&r, "pipeline", 120, 36, true, "races: this order is one of");
	reader_done(&r);
	open_kernel(&r, "bug_second_barrier");
	says(&r, "pipeline", 120, 36, false, "never again");
	says(&r, "pipeline", 120, 36, true, "race");
	says(&r, "pipeline", 120, 36, true, "  ?  ");
	reader_done(&r);
	open_kernel(&r, "tiled");
	says(&r, "pipeline", 120, 36, false, "race");
	says(&r, "pipeline", 120, 36, false, "  ?  ");
	reader_done(&r);
}

/* A number that was assumed says so, at every size. */
static void test_assumed(void)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };
	struct reader r;

	open_kernel(&r, "hgemm");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		const int *size = sizes[i];
		char *frame = draw_picture(&r, "occupancy", size[0], size[1]);
		const char *number = strstr(frame, "32 registers");

		tap_ok(!number || !strncmp(number + strcspn(number, "(\n"),
					   "(assumed", 8),
		       "hgemm's registers are assumed, it says at %dx%d",
		       size[0], size[1]);
		free(frame);
	}
	says(&r, "occupancy", 120, 36, true, "hgemm ");
	says(&r, "occupancy", 120, 36, false, "* of an older source");
	reader_done(&r);
}

static void draw_roles(struct reader *r, struct canvas *c, const char *view,
		       struct screen_layout *l)
{
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find(view);
	canvas_init(c, 120, 36);
	frame_draw(c, reader_settle(r, 120, 36));
	layout_make(l, 120, 36, &r->show);
}

/* Returns the eighths of a cell that a column of hues is high in r. */
static int column_eighths(const struct canvas *c, struct rect r)
{
	int n = 0;

	for (int y = r.y; y < r.y + r.h; y++) {
		const struct cell *cell = canvas_at(c, r.x, y);

		if (cell->bg != ROLE_FIELD)
			n += 8;
		else if (cell->ch > 0x2580 && cell->ch <= 0x2588)
			n += (int)cell->ch - 0x2580;
	}
	return n;
}

/* Both halves of a pair have one scale: 32 : 1 measures 32 : 1. */
static void test_scales(void)
{
	struct screen_layout l;
	struct canvas c;
	struct reader r;
	int y = 0, bottom = 0;

	open_step(&r, "banks", 3, 1);
	draw_roles(&r, &c, "banks", &l);
	/* The queues are below the banks' numbers; their scale ends at 1. */
	for (int i = l.picture.y; i < l.picture.y + l.picture.h; i++) {
		if (canvas_at(&c, 1, i)->ch == 'b')
			y = i + 1;
		if (y && canvas_at(&c, 4, i)->ch == '1')
			bottom = i + 1;
	}
	tap_ok(y && bottom > y, "the queues are in rows %d to %d", y, bottom);
	for (int half = 0; half < 2; half++) {
		int x = half * l.picture.w / 2;

		tap_ok(canvas_at(&c, x + 3, y)->ch == '3' &&
		       canvas_at(&c, x + 4, y)->ch == '2',
		       "wavefront 32 is at one height in both halves");
	}
	tap_is(column_eighths(&c, (struct rect){ 6 + 2, y, 1, bottom - y }),
	       32 * column_eighths(&c, (struct rect){ l.picture.w / 2 + 6 + 9,
						      y, 1, bottom - y }),
	       "32 : 1 is drawn so");
	canvas_done(&c);
	says(&r, "banks", 120, 36, true, "measured, TFLOP/s, NVIDIA H200");
	says(&r, "banks", 80, 24, false, "1.72");
	reader_done(&r);
}

/* The pair's other accesses have bars, and none of what is to come. */
static void test_lines(struct reader *r)
{
	const struct sector_lines *a, *b;

	reader_cursor(r)->request = UINT32_MAX;
	says(r, "sectors", 120, 36, true, "load B");
	a = r->show.scene->line_sectors;
	b = r->show.beside->line_sectors;
	tap_ok(a->count == 3 && b->count == 3, "A, B and C have a line each");
	tap_ok(a->line[2].sectors == r->show.scene->cost.sectors &&
	       b->line[2].sectors == r->show.beside->cost.sectors,
	       "the cursor's has the sectors of its request");
	tap_ok(a->line[0].sectors < b->line[0].sectors &&
	       a->line[1].sectors > b->line[1].sectors,
	       "A costs more swapped, B less");
	reader_cursor(r)->request = 0;
	says(r, "sectors", 120, 36, false, "store C");
}

/* Two kernels next to each other: bills that fit, and figures apart. */
static void test_pair(void)
{
	struct reader_options o = { .lang = lang };
	struct reader_source of[2] = { { NULL, NULL }, { NULL, NULL } };
	struct reader r;
	struct error e;
	struct job jobs[2];

	reader_init(&r, &o);
	if (session_job(&jobs[0], "naive", &e) ||
	    session_job(&jobs[1], "naive_swapped", &e))
		fatal("%s", e.text);
	of[0].job = &jobs[0];
	of[1].job = &jobs[1];
	reader_open_sources(&r, of, 2);
	reader_settle(&r, 120, 36);
	says(&r, "order", 120, 36, false, "moved0");
	says(&r, "order", 120, 36, true, "of A and B read by a wave");
	says(&r, "bill", 120, 36, true, "before: naive ");
	says(&r, "bill", 120, 36, true, "now: naive_swapped BLOCK=32");
	says(&r, "bill", 120, 36, true, "left out: shared-load wavefronts");
	test_lines(&r);
	reader_done(&r);
	job_done(&jobs[0]);
	job_done(&jobs[1]);
}

/* The bill of a pair tells that the limiter's work explains the time. */
static void test_same_factor(void)
{
	struct reader_options o = { .lang = lang };
	struct reader_source of[2] = { { NULL, NULL }, { NULL, NULL } };
	struct reader r;
	struct error e;
	struct job jobs[2];

	reader_init(&r, &o);
	if (session_job(&jobs[0], "tiled", &e) ||
	    session_job(&jobs[1], "float4", &e))
		fatal("%s", e.text);
	job_define(&jobs[0].kernel.defines, "TILE", "32");
	of[0].job = &jobs[0];
	of[1].job = &jobs[1];
	reader_open_sources(&r, of, 2);
	reader_settle(&r, 200, 60);
	says(&r, "bill", 200, 60, true, "the factor of the limiter's work");
	reader_done(&r);
	job_done(&jobs[0]);
	job_done(&jobs[1]);
}

/* All pictures of a step show the same moment: the first load of an iteration,
 * of which nothing is multiplied yet. */
static void test_moment(void)
{
	struct reader r;

	open_kernel(&r, "float4");
	stand_at(&r, 4, 2612, 22);
	says(&r, "outer", 120, 36, true, "19");
	says(&r, "outer", 120, 36, true, "reg_A[0]");
	says(&r, "outer", 120, 36, false, "reg_A[1]");
	says(&r, "outer", 120, 36, false, "reg_B[0]");
	says(&r, "matrices", 120, 36, true, "32 of 64 products, sum 19.");
	reader_done(&r);
	open_kernel(&r, "tiled");
	stand_at(&r, 2, 3, 3);
	says(&r, "matrices", 120, 36, true, "no product yet");
	reader_done(&r);
}

/* Returns the columns of a row's first bar in this role. */
static int bar_columns(const struct canvas *c, int y, enum role role)
{
	int n = 0;

	for (int x = 0; x < c->w; x++)
		n += canvas_at(c, x, y)->bg == role;
	return n;
}

/* Two recordings stand at one axis: a sector is as wide in both, and so is a
 * sector of their bars; what is not asked for is red at every size. */
static void test_sectors_pair(void)
{
	struct screen_layout l;
	struct canvas c;
	struct reader r;
	int one = 0, all = 0;

	open_step(&r, "coalescing", 6, 1);
	draw_roles(&r, &c, "sectors", &l);
	for (int y = l.picture.y; y < l.picture.y + l.picture.h; y++) {
		one = MAX(one, bar_columns(&c, y, ROLE_NOW));
		all = MAX(all, bar_columns(&c, y, ROLE_BAD));
	}
	tap_ok(one > 0 && abs(all - 8 * one) <= 8,
	       "4 and 32 sectors are %d and %d columns", one, all);
	canvas_done(&c);
	says(&r, "sectors", 120, 36, true, "96 bytes left out");
	says(&r, "sectors", 80, 24, true, "4 sectors, 128 bytes: all asked for");
	says(&r, "sectors", 80, 24, true,
	     "32 sectors, 1024 bytes: 128 asked for");
	canvas_init(&c, 80, 24);
	frame_draw(&c, reader_settle(&r, 80, 24));
	tap_ok(canvas_roles(&c, (struct rect){ 0, 0, 80, 24 }) >>
	       ROLE_WASTE & 1, "what nobody asked for is red at 80x24");
	canvas_done(&c);
	reader_done(&r);
}

/* Sectors that are apart in memory are not neighbours. */
static void test_sectors(void)
{
	struct reader r;

	open_step(&r, "indexing", 4, 1);
	says(&r, "sectors", 120, 36, true, "\xe2\x95\xb1 96 bytes");
	reader_done(&r);
	open_step(&r, "coalescing", 1, 1);
	says(&r, "sectors", 120, 36, false, "\xe2\x95\xb1");
	reader_done(&r);
}

/* Numbers of two lanes do not read as one; halves of a pair have names of their
 * own. */
static void test_names(void)
{
	struct reader r;

	open_step(&r, "float4", 5, 1);
	says(&r, "banks", 120, 36, false, "254");
	says(&r, "banks", 120, 36, false, "176");
	reader_done(&r);
	open_step(&r, "float4", 9, 1);
	says(&r, "sectors", 120, 36, true, "float4_or_one K=32");
	says(&r, "sectors", 120, 36, true, "float4_or_one K=30");
	reader_done(&r);
}

/* Returns a bit for each role that is a background in r. */
static uint64_t roles_in(const struct canvas *c, struct rect r)
{
	uint64_t roles = 0;

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			roles |= UINT64_C(1) << canvas_at(c, x, y)->bg;
	return roles;
}

/* Bytes jump when a box has landed; eight chunks have eight hues; a legend names
 * all hues that are drawn. */
static void test_road(void)
{
	uint64_t hues = 0, all = UINT64_C(0xff) << ROLE_CHUNK0, most;
	struct screen_layout l;
	int between = 0;
	struct canvas c;
	struct reader r;

	open_kernel(&r, "tma_pipeline");
	for (uint32_t at = 0; at < 49; at++) {
		stand_at(&r, 0, at, 0);
		for (int t = 1; t < 8; t++) {
			char *p, *frame;
			struct str out = {0};

			draw_roles(&r, &c, "road", &l);
			r.show.t = t / 8.0;
			frame_draw(&c, &r.show);
			hues |= roles_in(&c, l.picture);
			canvas_print(&c, false, &out);
			frame = str_take(&out);
			p = strstr(frame, " bytes to come");
			while (p && p > frame && p[-1] != ' ')
				p--;
			between += p && atoi(p) % 8192;
			free(frame);
			canvas_done(&c);
		}
		draw_roles(&r, &c, "tiles", &l);
		most = ((UINT64_C(1) << 4) - 1) << ROLE_HUE0 |
		       ((UINT64_C(1) << 4) - 1) << ROLE_FADE0;
		l.picture.h--;
		most &= roles_in(&c, l.picture);
		l.picture.y += l.picture.h;
		l.picture.h = 1;
		if (most & ~roles_in(&c, l.picture))
			tap_ok(false, "step %u: a hue is in no legend", at);
		canvas_done(&c);
	}
	tap_is(between, 0, "no count of bytes is between two boxes");
	tap_ok((hues & all) == all, "eight chunks have eight hues");
	reader_done(&r);
	/* Where a chunk of the matrix is no pixel, none of them is drawn. */
	open_step(&r, "hgemm", 1, 1);
	draw_roles(&r, &c, "road", &l);
	hues = canvas_roles(&c, l.picture) & all;
	tap_ok(!hues || hues == all, "a box has all its chunks, or none");
	canvas_done(&c);
	reader_done(&r);
}

/* What the picture counts is what the words count. */
static void test_counts(void)
{
	struct reader r;

	open_step(&r, "waves", 5, 1);
	says(&r, "order", 120, 36, true, "116 of 132 SMs idle");
	reader_done(&r);
	open_step(&r, "tiling", 7, 1);
	says(&r, "tiles", 120, 36, true, "16384 / 1024 = 16");
	reader_done(&r);
	open_step(&r, "tiling", 3, 1);
	says(&r, "carriers", 120, 36, true, "B[16..31][16..31]");
	says(&r, "carriers", 120, 36, true, "thread 116 (4,7) carries");
	reader_done(&r);
}

/* A kernel that is no product has no words of one, nor others' speeds. */
static void test_foreign(void)
{
	static const char *const false_words[] = {
		"words of A", "of B", "sums leave", "TFLOP/s", "with tiles",
		"stores nothing in C",
	};
	char *path = xasprintf("%s/tests/kernels/halo.cu", getenv("srcdir"));
	struct trace *t = recorded(path);
	struct reader_options o = { .lang = lang, .still = true };
	struct reader r;

	if (!t)
		fatal("no trace of %s", path);
	reader_init(&r, &o);
	reader_open_trace(&r, t);
	reader_settle(&r, 120, 36);
	for (size_t v = 0; views[v]; v++)
		for (size_t i = 0; i < LENGTH(false_words) &&
				   views[v]->pane == PANE_PICTURE; i++)
			says(&r, views[v]->name, 120, 36, false,
			     false_words[i]);
	reader_done(&r);
	free(path);
}

/* Tells whether Tab leads to a picture here. */
static bool is_offered(struct reader *r, const char *view)
{
	struct frame_model *s = &r->show;
	bool found = false;

	s->pane = PANE_PICTURE;
	s->held = NULL;
	reader_settle(r, 120, 36);
	for (int i = 1; i < 24; i++) {
		struct view_stop stop = view_turn(s, i);

		found |= stop.held == view_find(view);
	}
	return found || view_picture(s) == view_find(view);
}

/* Tab leads to no picture that has nothing to say. */
static void test_offers(void)
{
	struct reader r;

	open_kernel(&r, "tma_pipeline");
	stand_at(&r, 0, 20, 0);
	tap_ok(!is_offered(&r, "fragments"), "a warp that copies: fragments");
	says(&r, "fragments", 80, 24, true, "w leads to another warp");
	tap_ok(is_offered(&r, "cost"), "a step from another kernel: costs");
	stand_at(&r, 4, 20, 0);
	tap_ok(is_offered(&r, "fragments"), "a warp that multiplies has them");
	reader_done(&r);
	open_kernel(&r, "naive");
	tap_ok(!is_offered(&r, "cost"), "a step from no kernel: no costs");
	tap_ok(!is_offered(&r, "order"), "all blocks at once: no order");
	reader_done(&r);
	open_kernel(&r, "float4");
	stand_at(&r, 4, 2612, 22);
	tap_ok(!is_offered(&r, "carriers"), "after the loads: no carriers");
	tap_ok(!is_offered(&r, "barrier"), "away from a barrier: none");
	tap_ok(!is_offered(&r, "registers"), "an outer product: no other "
	       "picture of registers");
	reader_done(&r);
	open_kernel(&r, "mma");
	stand_at(&r, 0, 5, 0);
	tap_ok(is_offered(&r, "registers"), "registers with values");
	reader_done(&r);
}

/* A picture says its own sentence; a caveat stays with its number; a projector
 * keeps the step's first sentence. */
static void test_sentences(void)
{
	struct reader r;

	open_kernel(&r, "float4");
	stand_at(&r, 4, 500, 22);
	says(&r, "matrices", 80, 24, true, "row 36 of A and column 24 of B");
	says(&r, "matrices", 80, 24, false, "Lanes 0-31 ");
	says(&r, "cost", 80, 24, true, "before: register_tiled_fast     now: "
	     "float4");
	says(&r, "cost", 80, 24, true, "5.95 ms  4.31 ms");
	says(&r, "cost", 80, 24, true, "left out: wavefronts of L1/shared");
	says(&r, "carriers", 80, 24, true, "each mark shows several elements");
	says(&r, "matrices", 80, 24, true, "a mark");
	says(&r, "occupancy", 80, 24, true, "4 blocks, 32 of 64 warps.");
	reader_done(&r);
	open_step(&r, "waves", 5, 1);
	says(&r, "order", 80, 24, true, "assumed: one tile on each SM");
	says(&r, "order", 80, 24, true, "(computed)");
	reader_done(&r);
	open_step(&r, "coalescing", 3, 1);
	says(&r, "sectors", 80, 24, true, "Lanes 0-31 read");
	r.show.presenter = true;
	says(&r, "sectors", 80, 24, true, "Now look at the load of A");
	says(&r, "sectors", 120, 36, true, "Now look at the load of A");
	says(&r, "sectors", 120, 36, false, "All lanes of");
	reader_done(&r);
}

/* No part of a kernel takes longer than the kernel; where the floors have no
 * room, words tell what they show. */
static void test_memory(void)
{
	struct reader r;

	open_kernel(&r, "wgmma_basic");
	says(&r, "memory", 120, 36, true, "took");
	says(&r, "memory", 120, 36, true, "0.358 ms");
	says(&r, "memory", 120, 36, true, "n/a");
	says(&r, "memory", 120, 36, true, "is too low for this one");
	reader_done(&r);
	open_step(&r, "occupancy", 1, 1);
	says(&r, "memory", 80, 24, true, "32.0 GB");
	reader_done(&r);
	/* While a question hides the traffic, the floors are there. */
	open_step(&r, "memory", 1, 0);
	says(&r, "memory", 80, 24, true, "at most 8.3 TB/s");
	says(&r, "memory", 80, 24, false, "550 GB");
	says(&r, "memory", 200, 60, true, "at most 4.6 TB/s");
	reader_done(&r);
	open_step(&r, "memory", 1, 1);
	says(&r, "memory", 80, 24, true, "550 GB");
	says(&r, "memory", 80, 24, false, "sgemm");
	reader_done(&r);
}

/* What nobody has asked for is not on its way. */
static void test_coming(void)
{
	struct reader r;

	open_kernel(&r, "tiled");
	stand_at(&r, 0, 0, 0);
	says(&r, "tiles", 120, 36, true,
	     "As holds 0 of its 256 elements; 32 are on their way; 224 are "
	     "still to come");
	reader_done(&r);
	open_kernel(&r, "hgemm");
	stand_at(&r, 0, 36, 0);
	says(&r, "tiles", 120, 36, true, "65536 are on their way");
	says(&r, "pipeline", 120, 36, true, "In flight: 0, 1, 2, 3.");
	says(&r, "tiles", 120, 36, true,
	     "shared.out holds 0 of its 16384 elements; 16384 are still");
	reader_done(&r);
}

/* What a picture says agrees with the step's text. */
static void test_steps(void)
{
	struct reader r;

	open_step(&r, "waves", 1, 1);
	says(&r, "pipeline", 80, 24, false, "never again");
	says(&r, "pipeline", 80, 24, true, "at the end, while the sums leave");
	says(&r, "pipeline", 80, 24, true, "sums leave for C");
	reader_done(&r);
	open_step(&r, "hgemm", 3, 1);
	says(&r, "road", 120, 36, true, "When all 4 are");
	reader_done(&r);
	open_step(&r, "double-buffering", 1, 1);
	says(&r, "pipeline", 80, 24, true, "up to the last product");
	says(&r, "pipeline", 80, 24, true, "5      6 ");
	says(&r, "pipeline", 80, 24, false, "runs to the right as an order");
	reader_done(&r);
	open_step(&r, "occupancy", 8, 1);
	says(&r, "occupancy", 200, 60, true, "architecture with h");
	reader_done(&r);
	open_step(&r, "barriers", 5, 1);
	says(&r, "defect", 120, 36, true, "the 7 defects that");
	says(&r, "defect", 120, 36, true, "defect 1 of 7");
	reader_done(&r);
}

/* A number has its unit, and is of what it is said to be of. */
static void test_units(void)
{
	struct reader r;

	open_kernel(&r, "tiled");
	says(&r, "cost", 120, 36, true, "time  ");
	says(&r, "cost", 120, 36, true, "shared-load wavefronts");
	says(&r, "cost", 120, 36, true, "      0   3.22 G     new");
	says(&r, "cost", 120, 36, true, "left out: wavefronts of L1/shared");
	says(&r, "cost", 120, 36, false, "inf");
	says(&r, "cost", 120, 36, false, " . ");
	says(&r, "grid", 120, 36, false, "several elements");
	reader_done(&r);
	open_kernel(&r, "float4");
	says(&r, "grid", 120, 36, true, "several elements");
	reader_done(&r);
	open_kernel(&r, "bug_first_barrier");
	says(&r, "grid", 200, 60, true, "and 1 other");
	says(&r, "defect", 120, 36, true, "defect 1 of 7 (2 findings)");
	reader_done(&r);
	reader_init(&r, &(struct reader_options){ .lang = lang });
	reader_open_list(&r, LIST_BUGS);
	says(&r, "grid", 120, 36, false, "check or barrier");
	says(&r, "grid", 120, 36, true, "wrong or missing");
	reader_done(&r);
}

/* A picture does not answer the open question: no groups of lanes that are
 * sectors, no list that is counted, no formula, nothing of what a block
 * takes. */
static void test_answers(void)
{
	struct screen_layout l;
	struct canvas c;
	struct reader r;
	uint64_t hues = 0;

	for (int role = ROLE_HUE0; role <= ROLE_HUE3; role++)
		hues |= UINT64_C(1) << role;
	open_step(&r, "coalescing", 1, 0);
	draw_roles(&r, &c, "sectors", &l);
	tap_ok(!(canvas_roles(&c, l.picture) & hues),
	       "sectors: no groups of eight lanes before the answer");
	canvas_done(&c);
	reader_done(&r);
	open_step(&r, "coalescing", 1, 1);
	draw_roles(&r, &c, "sectors", &l);
	tap_ok((canvas_roles(&c, l.picture) & hues) == hues,
	       "... but after it");
	canvas_done(&c);
	reader_done(&r);
	open_step(&r, "hgemm", 3, 0);
	says(&r, "road", 120, 36, false, "block 1, warps");
	reader_done(&r);
	open_step(&r, "hgemm", 3, 1);
	says(&r, "road", 120, 36, true, "block 1, warps");
	reader_done(&r);
	open_step(&r, "indexing", 2, 0);
	says(&r, "grid", 120, 36, false, "blockIdx.y *");
	reader_done(&r);
	open_step(&r, "indexing", 2, 1);
	says(&r, "grid", 120, 36, true, "blockIdx.y *");
	reader_done(&r);
	open_step(&r, "occupancy", 5, 0);
	says(&r, "occupancy", 120, 36, false, "1 a block");
	reader_done(&r);
	open_step(&r, "occupancy", 5, 1);
	says(&r, "occupancy", 120, 36, true, "1 a block");
	reader_done(&r);
	open_step(&r, "occupancy", 1, 0);
	says(&r, "memory", 120, 36, false, "the recorded launch");
	reader_done(&r);
}

/* Where a shaft is wider, nothing is said to make it thinner; factors say
 * against what. */
static void test_factors(void)
{
	struct reader r;

	open_step(&r, "memory", 6, 1);
	says(&r, "memory", 120, 36, false, "can make it thinner");
	says(&r, "memory", 120, 36, false, "tiles in shared memory");
	says(&r, "memory", 120, 36, true, "2.0 against naive");
	reader_done(&r);
	open_kernel(&r, "warptile");
	says(&r, "memory", 120, 36, true, "several sums per thread");
	says(&r, "memory", 120, 36, true, "against float4");
	reader_done(&r);
	open_kernel(&r, "float4");
	says(&r, "memory", 80, 24, true, "1.00 : register_tiled");
	reader_done(&r);
}

/* Returns the eighths of a cell that a row's bars take: all of it, and the part
 * in this colour. */
static int count_eighths(const struct canvas *c, struct rect row,
			 enum role role, int *part)
{
	int all = 0;

	*part = 0;
	for (int x = row.x; x < row.x + row.w; x++) {
		const struct cell *cell = canvas_at(c, x, row.y);
		bool cut = cell->ch > 0x2588 && cell->ch < 0x2590;
		int n = cut ? 0x2590 - (int)cell->ch : 0;
		bool on = cell->bg == ROLE_GOOD || cell->bg == ROLE_WASTE;

		all += on ? 8 : n;
		*part += cell->bg == role ? 8 : cell->fg == role ? n : 0;
	}
	return all;
}

/* Bars next to each other have one scale: 4 bytes are an eighth of 32. */
static void test_bars(void)
{
	struct screen_layout l;
	struct canvas c;
	struct reader r;
	int asked = 0, moved = 0, all, part;

	open_step(&r, "coalescing", 3, 1);
	draw_roles(&r, &c, "sectors", &l);
	for (int y = l.picture.y; y < l.picture.y + l.picture.h; y++) {
		struct rect row = { l.picture.x + 40, y, l.picture.w - 40, 1 };

		all = count_eighths(&c, row, ROLE_GOOD, &part);
		if (!asked && part && all == part)
			asked = all;
		else if (asked && !moved && all > part)
			moved = all;
	}
	tap_ok(asked > 0 && moved > 0, "%d of %d eighths", asked, moved);
	tap_ok(abs(moved - 8 * asked) <= 8, "4 of 32 bytes are an eighth");
	canvas_done(&c);
	reader_done(&r);
}

/* Neither the verdict nor the list of kernels ends within a word. */
static void test_cuts(void)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };
	struct reader r;

	open_kernel(&r, "bug_first_barrier");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		char *frame = draw_picture(&r, "defect", sizes[i][0],
					   sizes[i][1]);

		frame[strcspn(frame + strcspn(frame, "\n") + 1, "\n") +
		      strcspn(frame, "\n") + 1] = 0;
		tap_ok(!strstr(frame, "\xe2\x80\xa6"),
		       "the verdict is whole, or ends in a clause, at %dx%d",
		       sizes[i][0], sizes[i][1]);
		free(frame);
	}
	reader_done(&r);
	reader_init(&r, &(struct reader_options){ .lang = lang });
	reader_open_list(&r, LIST_KERNELS);
	for (size_t i = 1; i < LENGTH(sizes); i++)
		says(&r, "grid", sizes[i][0], sizes[i][1], false,
		     "\xe2\x80\xa6");
	says(&r, "grid", 120, 36, true, "reads all it needs from global");
	reader_done(&r);
}

/* Chinese says the same. */
static void test_chinese(void)
{
	struct reader r;

	lang = "zh";
	lang_init(lang);
	open_step(&r, "waves", 1, 1);
	says(&r, "pipeline", 120, 36, false, "此后再不停");
	says(&r, "pipeline", 120, 36, true, "最后送出累加和");
	reader_done(&r);
	open_step(&r, "occupancy", 8, 1);
	says(&r, "occupancy", 200, 60, true, "用 h 键");
	reader_done(&r);
	open_kernel(&r, "hgemm");
	says(&r, "tiles", 120, 36, true, "16384 个还没有来");
	reader_done(&r);
	open_kernel(&r, "wgmma_basic");
	says(&r, "memory", 120, 36, true, "对这次运行来说偏低");
	reader_done(&r);
	open_kernel(&r, "bug_first_barrier");
	says(&r, "defect", 120, 36, true, "归为 2 项");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_bugs();
	test_pipelines();
	test_assumed();
	test_scales();
	test_pair();
	test_same_factor();
	test_moment();
	test_sectors();
	test_sectors_pair();
	test_names();
	test_road();
	test_counts();
	test_foreign();
	test_offers();
	test_sentences();
	test_memory();
	test_coming();
	test_steps();
	test_units();
	test_answers();
	test_factors();
	test_bars();
	test_cuts();
	test_chinese();
	return tap_done();
}
