/*
 * The picture of matrices: its elements have their values; white goes one on in
 * A and in B with each product; no sum is final before the last product, and
 * nothing is stored before its store; a mark says how many elements it has; the
 * halves of a pair have one scale.
 */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "tap.h"
#include "viz/pictures/matrices/matrices_window.h"

static void show_matrices(struct reader *r, int w, int h)
{
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find("matrices");
	reader_settle(r, w, h);
}

static void open_kernel(struct reader *r, const char *kernel, size_t warp,
			uint32_t request, uint32_t lane)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct error e;

	reader_init(r, &o);
	if (reader_open_file(r, kernel, &e))
		fatal("%s", e.text);
	reader_settle(r, 120, 36);
	reader_cursor(r)->warp = warp;
	reader_cursor(r)->request = request;
	reader_cursor(r)->lane = lane;
	show_matrices(r, 120, 36);
}

static void open_step(struct reader *r, const char *lesson, size_t step)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct error e;

	reader_init(r, &o);
	if (reader_open_lesson(r, lesson, &e))
		fatal("%s", e.text);
	reader_settle(r, 120, 36);
	reader_go_step(r, step - 1);
	reader_settle(r, 120, 36);
	reader_reveal(r);
	show_matrices(r, 120, 36);
}

static void draw_at(struct reader *r, int w, int h, double t, struct canvas *c,
		    struct matrices_window *win)
{
	struct screen_layout l;

	reader_settle(r, w, h);
	r->show.t = t;
	layout_make(&l, w, h, &r->show);
	if (!matrices_place(win, &r->show, l.picture))
		fatal("the matrices do not fit");
	canvas_init(c, w, h);
	frame_draw(c, &r->show);
}

/* Returns the number in an element's cells; NAN: there is none. */
static double number_in(const struct canvas *c, const struct matrices_window *w,
			struct rect r, uint32_t row, uint32_t col)
{
	int y = r.y + (int)row * w->each.h + (w->each.h - 1) / 2;
	char text[32] = "", *end;
	double v;

	for (int x = 0; x < w->each.w; x++)
		text[x] = (char)canvas_at(c, r.x + (int)col * w->each.w + x,
					  y)->ch;
	v = strtod(text, &end);
	return end == text ? __builtin_nan("") : v;
}

static void test_values(void)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 }, { 200, 60 } };
	struct matrices_window w;
	struct reader r;
	struct canvas c;

	open_kernel(&r, "tiled", 2, 97, 22);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		size_t wrong = 0, seen = 0;
		double v;

		draw_at(&r, sizes[i][0], sizes[i][1], 1, &c, &w);
		for (uint32_t y = 0; y < w.rows; y++)
			for (uint32_t k = 0; k < w.depth; k++, seen++)
				wrong += !scene_element(r.show.scene, w.of_a,
							w.row0 + y, w.k0 + k,
							&v) ||
					 number_in(&c, &w, w.a, y, k) != v;
		for (uint32_t k = 0; k < w.depth; k++)
			for (uint32_t x = 0; x < w.cols; x++, seen++)
				wrong += !scene_element(r.show.scene, w.of_b,
							w.k0 + k, w.col0 + x,
							&v) ||
					 number_in(&c, &w, w.b, k, x) != v;
		tap_ok(!wrong && seen > 100, "%dx%d: %zu of %zu elements have "
		       "another value", sizes[i][0], sizes[i][1], wrong, seen);
		canvas_done(&c);
	}
	reader_done(&r);
}

/* Returns the column of the first white cell in the lane's row of A, or the row
 * of the first one in its column of B. */
static int find_white(const struct canvas *c, const struct matrices_window *w,
		      bool in_a)
{
	int x = w->c.x + (int)(w->home.col0 - w->col0) * w->each.w;
	int y = w->a.y + (int)(w->home.row0 - w->row0) * w->each.h;

	for (int i = 0; i < (in_a ? w->a.w : w->b.h); i++)
		if (canvas_at(c, in_a ? w->a.x + i : x,
			      in_a ? y : w->b.y + i)->bg == ROLE_CURSOR)
			return i;
	return -1;
}

/* The cell that is white when a step begins and when it ends. */
static void test_white(void)
{
	static const struct { uint32_t request; bool in_a; } steps[] = {
		{ 96, true }, { 97, false },
	};
	struct matrices_window w;
	struct reader r;
	struct canvas c;

	open_kernel(&r, "tiled", 2, 95, 22);
	for (size_t i = 0; i < LENGTH(steps); i++) {
		bool in_a;
		int at[3], each, here;

		reader_cursor(&r)->request = steps[i].request;
		for (int t = 0; t < 3; t++) {
			draw_at(&r, 200, 60, t * 0.5, &c, &w);
			in_a = w.m->takes_a;
			at[t] = find_white(&c, &w, in_a);
			canvas_done(&c);
		}
		each = in_a ? w.each.w : w.each.h;
		here = (int)(w.m->k - w.k0) * each;
		tap_ok(in_a != w.m->takes_b && at[0] == here - each &&
		       at[2] == here && at[1] > at[0] && at[1] <= at[2],
		       "white goes one on in %s: %d, %d, %d", in_a ? "A" : "B",
		       at[0], at[1], at[2]);
	}
	reader_done(&r);
}

/* Counts, without the picture, the warp's loads from shared memory up to the
 * cursor. */
static uint32_t count_loads(struct reader *r)
{
	struct trace *t = reader_recording(r)->trace;
	const struct trace_info *info = r->show.scene->info;
	const struct cursor *p = reader_cursor(r);
	uint32_t n = 0, site;

	for (uint32_t i = 0; i <= p->request; i++)
		if (!trace_get_site(t, p->warp, i, &site, NULL) &&
		    info->sites[site].op == OP_LD &&
		    info->arrays[info->sites[site].array].space == SPACE_SHARED)
			n++;
	return n;
}

static void test_sums(void)
{
	struct matrices_window w;
	uint32_t last, k;
	bool early = false, wrong = false, said = true;
	struct str words = {0};
	struct reader r;
	struct canvas c;
	double sum = 0, stored;

	open_kernel(&r, "tiled", 2, 0, 22);
	k = r.show.scene->info->k;
	last = r.show.scene->warp.requests - 1;
	for (uint32_t i = 0; i <= last; i++) {
		reader_cursor(&r)->request = i;
		draw_at(&r, 120, 36, 0.5, &c, &w);
		early |= matrices_made(&w) == k && count_loads(&r) < 2 * k;
		early |= w.m->adds && matrices_made(&w) == w.m->done;
		r.show.t = 1;
		wrong |= !w.m->known || matrices_made(&w) != count_loads(&r) / 2;
		words.len = 0;
		view_find("matrices")->words(&words, &r.show);
		said &= (strstr(words.data, "stored after the last") != NULL) ==
			(count_loads(&r) < 2 * k);
		canvas_done(&c);
	}
	tap_ok(!early, "no sum is final before the last product");
	tap_ok(!wrong, "the products are those whose operands were read");
	tap_ok(said, "C is stored after the last: said as long as it is so");
	matrices_sum(&w, k, &sum);
	stored = r.show.scene->value;
	tap_ok(r.show.scene->site->op == OP_ST && sum == stored,
	       "the last sum, %g, is what is stored, %g", sum, stored);
	str_done(&words);
	reader_done(&r);
}

/* The lane's element of C has the lane's number until its value is stored. */
static void test_store(void)
{
	struct matrices_window w;
	struct reader r;
	struct canvas c;

	open_step(&r, "boundaries", 1);
	for (int t = 0; t < 3; t++) {
		double v, want;

		draw_at(&r, 120, 36, t * 0.5, &c, &w);
		v = number_in(&c, &w, w.c, w.home.row0 - w.row0,
			      w.home.col0 - w.col0);
		want = t < 2 ? r.show.scene->cursor.lane : r.show.scene->value;
		tap_ok(r.show.scene->site->op == OP_ST && v == want,
		       "at t %g of a store C has %g", t * 0.5, v);
		canvas_done(&c);
	}
	reader_done(&r);
}

static void says(struct reader *r, int w, int h, const char *words)
{
	struct matrices_window win;
	struct str text = {0};
	struct canvas c;

	draw_at(r, w, h, 1, &c, &win);
	canvas_print(&c, false, &text);
	tap_ok(strstr(text.data, words) != NULL, "%dx%d says \"%s\"", w, h,
	       words);
	str_done(&text);
	canvas_done(&c);
}

/* Marks that mix elements say so, and what crosses is said, at 80x24, too. */
static void test_caveats(void)
{
	struct reader r;

	open_kernel(&r, "tiled", 2, 97, 22);
	says(&r, 80, 24, "a mark");
	says(&r, 80, 24, "4 × 4");
	says(&r, 120, 36, "a mark");
	says(&r, 80, 24, "row 5 of A and column 6 of B cross");
	says(&r, 120, 36, "It has 40 of 64 products");
	reader_done(&r);
	open_step(&r, "tiling", 1);
	says(&r, 80, 24, "elements a");
	reader_done(&r);
}

/* Matrices of 8 would have larger elements than those of 64 next to them. */
static void test_pair(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader_source of[2] = { { NULL, NULL }, { NULL, NULL } };
	struct matrices_window w[2], alone;
	struct frame_model half;
	struct reader r;
	struct job jobs[2];
	struct error e;

	reader_init(&r, &o);
	if (session_job(&jobs[0], "tiled", &e) ||
	    session_job(&jobs[1], "tiled", &e))
		fatal("%s", e.text);
	jobs[1].size.m = jobs[1].size.n = jobs[1].size.k = 8;
	of[0].job = &jobs[0];
	of[1].job = &jobs[1];
	reader_open_sources(&r, of, 2);
	show_matrices(&r, 200, 60);
	half = r.show;
	half.beside = NULL;
	for (int i = 0; i < 2; i++) {
		half.scene = i ? r.show.beside : r.show.scene;
		half.twin = i ? r.show.scene : r.show.beside;
		if (!matrices_place(&w[i], &half,
				    (struct rect){ 0, 0, 99, 50 }))
			fatal("half %d does not fit", i);
	}
	half.twin = NULL;
	matrices_place(&alone, &half, (struct rect){ 0, 0, 99, 50 });
	tap_ok(w[0].each.w == w[1].each.w && w[0].each.h == w[1].each.h &&
	       w[0].depth == w[1].depth, "a pair has one scale: %dx%d, %dx%d",
	       w[0].each.w, w[0].each.h, w[1].each.w, w[1].each.h);
	tap_ok(alone.each.w > w[1].each.w, "alone the small one is larger");
	reader_done(&r);
	job_done(&jobs[0]);
	job_done(&jobs[1]);
}

int main(void)
{
	lang_init("en");
	test_values();
	test_white();
	test_sums();
	test_store();
	test_caveats();
	test_pair();
	return tap_done();
}
