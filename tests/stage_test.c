/*
 * What pictures once said that was not so, and what they left out, at three
 * sizes of the screen: every row is drawn; what is wrong is said, and nothing
 * about it is green; all 32 sectors and wavefronts are there, and both of two
 * buffers; the source has its index, the step its sentence, the question its
 * answers.
 */
#include <stdlib.h>

#include "base/lang.h"
#include "stage.h"
#include "tap.h"
#include "timing/across.h"
#include "viz/pictures/tiles/tile_marks.h"

/* ---- every element ---- */

/* Elements of a plane that leave no sign when they alone are marked. */
static int unseen(const struct tile_layout *l, const struct tile_plane *plane)
{
	struct tile_plane p = *plane;
	struct canvas c;
	int n = 0;

	p.x = p.y = 0;
	canvas_init(&c, tile_width(&l->size, p.cols),
		    tile_height(&l->size, p.rows));
	for (uint32_t e = 0; e < p.rows * p.cols; e++) {
		struct marks m = marks_of(l, &p);
		bool seen = false;

		canvas_clear(&c);
		mark_set(&m, p.row0 + e / p.cols, p.col0 + e % p.cols,
			 ROLE_CURSOR);
		marks_draw(&c, &m);
		for (int i = 0; i < c.w * c.h; i++)
			seen |= c.cells[i].bg == ROLE_CURSOR ||
				c.cells[i].fg == ROLE_CURSOR;
		n += !seen;
	}
	canvas_done(&c);
	return n;
}

/* Each element of each shared array has a place in the picture of tiles, and
 * none is lost where a mark stands for several; an array of two buffers is two
 * slabs, with different places. */
static void test_elements(const char *kernel, int slabs)
{
	struct reader r;
	int lost = 0, apart = 0, arrays = 0;

	open_kernel(&r, kernel, "tiles");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct tile_layout l;
		struct screen_layout frame;

		reader_settle(&r, sizes[i][0], sizes[i][1]);
		layout_make(&frame, sizes[i][0], sizes[i][1], &r.show);
		tile_layout_make(&l, frame.picture, &r.show);
		for (int k = 3; k < l.count; k++) {
			const struct tile_plane *p = &l.plane[k];

			if (!p->a)
				continue;
			lost += unseen(&l, p);
			arrays += (int)(p->rows * p->cols) * slabs ==
				  (int)(p->a->rows * p->a->cols);
			for (int j = 3; j < k; j++)
				apart += l.plane[j].a == p->a &&
					 (l.plane[j].x != p->x ||
					  l.plane[j].y != p->y);
		}
	}
	tap_is(lost, 0, "%s: every element of shared memory is seen", kernel);
	tap_is(arrays, 2 * slabs * (int)LENGTH(sizes), "... of As and of Bs");
	tap_is(apart, 2 * (slabs - 1) * (int)LENGTH(sizes), "... %d of each",
	       slabs);
	reader_done(&r);
}

/* A reader's own kernel without M, N and K: its row of shared memory is whole
 * though it ends amid a row of banks; it opens on its banks, and no size that it
 * does not have is said. */
static void test_foreign(void)
{
	char *path = xasprintf("%s/tests/kernels/halo.cu", getenv("srcdir"));
	struct reader r;

	open_kernel(&r, path, "tiles");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct tile_layout l;
		struct screen_layout frame;
		uint32_t there = 0;

		reader_settle(&r, sizes[i][0], sizes[i][1]);
		layout_make(&frame, sizes[i][0], sizes[i][1], &r.show);
		tile_layout_make(&l, frame.picture, &r.show);
		for (int k = 3; k < l.count; k++)
			there += tile_elements(&l.plane[k]);
		tap_is(there, 128 + 6, "%dx%d: all elements of a row",
		       sizes[i][0], sizes[i][1]);
		tap_ok(!says(&r, sizes[i][0], sizes[i][1], "0\xc3\x97"),
		       "... and no size of 0");
	}
	r.show.held = NULL;
	for (uint32_t at = 0; at < 20; at++) {
		reader_cursor(&r)->request = at;
		reader_settle(&r, 120, 36);
		if (r.show.scene->array && !strcmp(r.show.scene->array->name,
						   "row"))
			break;
	}
	tap_ok(view_picture(&r.show) == view_find("banks"),
	       "... which are words in banks, not a tile");
	reader_done(&r);
	free(path);
}

/* ---- what is wrong ---- */

#define STRIP 4		/* rows below the tiles, for other pitches */

/* All pictures say what is wrong, and queues of it are not green. */
static void test_wrong(void)
{
	int silent = 0, praise = 0, pictures = 0;
	struct reader r;

	open_kernel(&r, "bug_first_barrier", "banks");
	reader_settle(&r, 120, 36);
	for (size_t i = 0; views[i]; i++) {
		struct screen_layout l;
		struct canvas c;

		if (views[i]->pane != PANE_PICTURE)
			continue;
		r.show.held = views[i];
		reader_settle(&r, 120, 36);
		if (view_picture(&r.show) != views[i] ||
		    !r.show.scene->finding)
			continue;
		pictures++;
		if (!says(&r, 120, 36, ", which no thread of the block") &&
		    !says(&r, 120, 36, "ead before it is stored"))
			silent++, printf("# %s: silent\n", views[i]->name);
		layout_make(&l, 120, 36, &r.show);
		canvas_init(&c, 120, 36);
		frame_draw(&c, &r.show);
		for (int k = 0; views[i] == view_find("banks") && k < 120 * 36;
		     k++)
			praise += k / 120 >= l.picture.y &&
				  k / 120 < l.picture.y + l.picture.h - STRIP &&
				  (c.cells[k].fg == ROLE_GOOD ||
				   c.cells[k].bg == ROLE_GOOD);
		canvas_done(&c);
	}
	tap_ok(pictures > 6 && !silent, "%d pictures say what is wrong",
	       pictures);
	r.show.held = view_find("banks");
	tap_ok(!praise && !says(&r, 120, 36, "no lane waits"),
	       "and nothing about its wavefronts is praised");
	reader_done(&r);
}

/* Below a defect's picture stands what two threads do, not what it costs. */
static void test_caption(void)
{
	struct reader r;

	open_kernel(&r, "bug_first_barrier", "defect");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		tap_ok(says(&r, w, h, "first thread (0,0) reads NaN, too "
				      "early, then thread (1,0) stores"),
		       "%dx%d: what is wrong stands below the picture", w, h);
		tap_ok(!says(&r, w, h, "broadcast") &&
		       !says(&r, w, h, "wavefront"), "... and no cost");
	}
	reader_done(&r);
}

/* ---- several devices ---- */

static void press(struct reader *r, int key, int times)
{
	struct event e = { .key = key };

	while (times--)
		reader_event(r, &e);
}

/* across_gpus at 64x64x64 on 2 x 2: each panel of A and of B crosses to one
 * other GPU, 4 bytes an element. */
static void test_devices(void)
{
	double bytes = 4.0 * 2 * 64 * 64, flops = 2.0 * 64 * 64 * 64;
	char all[32], intensity[32];
	struct reader r;

	snprintf(all, sizeof(all), "%.1f kB of %.1f kB", bytes / 1e3,
		 bytes / 1e3);
	snprintf(intensity, sizeof(intensity), "%g FLOP a byte", flops / bytes);
	open_kernel(&r, "across_gpus", "devices");
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		reader_settle(&r, w, h);
		press(&r, ',', 1000);
		tap_ok(says(&r, w, h, "GPU 0") && says(&r, w, h, "GPU 3") &&
		       !says(&r, w, h, "GPU 4"), "%dx%d: every device", w, h);
		tap_ok(says(&r, w, h, "Turn 1 of") &&
		       says(&r, w, h, "from the host") &&
		       says(&r, w, h, "0 of 4") && !says(&r, w, h, all),
		       "... at first the host gives them what they have");
		press(&r, '.', 1000);
		tap_ok(says(&r, w, h, "to the host") &&
		       says(&r, w, h, "4 of 4") && says(&r, w, h, all),
		       "... at last all has crossed, and it takes C");
		tap_ok(says(&r, w, h, intensity), "... FLOP for each byte");
	}
	reader_done(&r);
	open_kernel(&r, "tiled", "devices");
	tap_ok(!says(&r, 120, 36, "GPU 0"), "a kernel has no such picture");
	reader_done(&r);
}

/* A program for several devices opens with what they do, and its steps are
 * their turns; a program for one has no such picture. */
static void test_devices_open(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;

	reader_init(&r, &o);
	reader_open_trace(&r, recorded("across_gpus"));
	reader_settle(&r, 120, 36);
	tap_ok(view_picture(&r.show) == view_find("devices"),
	       "across_gpus opens with its devices");
	press(&r, ',', 1000);
	press(&r, K_RIGHT, 2);
	tap_ok(says(&r, 120, 36, "Turn 3 of"), "a step is a turn there");
	press(&r, K_LEFT, 1);
	tap_ok(says(&r, 120, 36, "Turn 2 of"), "... back, too");
	press(&r, ' ', 1);
	for (int i = 0; i < 100 && reader_playing(&r); i++) {
		reader_tick(&r, 1);
		reader_settle(&r, 120, 36);
	}
	tap_ok(!reader_playing(&r) && says(&r, 120, 36, "Turn 30 of 30"),
	       "it plays to the last of them, and ends");
	press(&r, K_TAB, 1);
	reader_settle(&r, 120, 36);
	tap_ok(view_picture(&r.show) != view_find("devices"),
	       "the kernel's own pictures are a key away");
	reader_done(&r);
}

/* A step of the lesson stands in its turn; what its work comes to is not said
 * while the step asks for it. */
static void test_turn(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "across-gpus", &e))
		fatal("%s", e.text);
	reader_settle(&r, 200, 60);
	reader_go_step(&r, 3);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		int w = sizes[i][0], h = sizes[i][1];

		reader_settle(&r, w, h);
		tap_ok(says(&r, w, h, "Turn 14 of 30") &&
		       !says(&r, w, h, "2.05 kB"),
		       "%dx%d: a step stands in its turn", w, h);
	}
	reader_reveal(&r);
	tap_ok(says(&r, 200, 60, "Turn 14 of 30. ncclBroadcast: 2.05 kB cross "
		    "each of 2 links"), "its bytes come with the answer");
	reader_done(&r);
}

/* ---- what several GPUs took ---- */

/* What the file of the H200s has of a size: "1.72 ms". */
static char *ms_of(enum across_by by, int n, int gpus)
{
	const struct across *a = across_measured("NVIDIA H200");
	double ms = across_find(a, by, n, gpus)->seconds * 1e3;

	return xasprintf(ms < 9.995 ? "%.2f ms" : ms < 99.95 ? "%.1f ms" :
			 "%.0f ms", ms);
}

static void test_scaling(void)
{
	static const int n[] = { 4096, 8192, 16384 };
	struct reader r;

	open_kernel(&r, "across_gpus", "scaling");
	for (size_t i = 0; i < LENGTH(sizes) * LENGTH(n); i++) {
		int w = sizes[i / 3][0], h = sizes[i / 3][1];
		char *one = ms_of(ACROSS_SGEMM, n[i % 3], 1);
		char *two = ms_of(ACROSS_ALL, n[i % 3], 2);
		char *four = ms_of(ACROSS_ALL, n[i % 3], 4);

		reader_settle(&r, w, h);
		tap_ok(says(&r, w, h, one) && says(&r, w, h, two) &&
		       says(&r, w, h, four) && says(&r, w, h, "NVIDIA H200"),
		       "%dx%d: %d on one GPU, two and four: %s, %s, %s", w, h,
		       n[i % 3], one, two, four);
		free(one);
		free(two);
		free(four);
	}
	reader_done(&r);
}

/* A question about two GPUs has only the times of one beside it. */
static void test_scaling_asked(void)
{
	struct reader_options o = { .lang = "en", .still = true };
	char *one = ms_of(ACROSS_SGEMM, 8192, 1);
	char *two = ms_of(ACROSS_ALL, 8192, 2);
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "across-gpus", &e))
		fatal("%s", e.text);
	reader_settle(&r, 200, 60);
	reader_go_step(&r, 10);
	tap_ok(says(&r, 200, 60, one) && !says(&r, 200, 60, two),
	       "two GPUs are kept back while the lesson asks for them");
	while (reader_asking(&r))
		reader_reveal(&r);
	tap_ok(says(&r, 200, 60, two), "and come with the answer");
	free(one);
	free(two);
	reader_done(&r);
}

/* ---- all 32 ---- */

/* The lanes that can be clicked below the first row of the picture in which
 * lanes can. */
static int lanes_below(struct reader *r, int w, int h)
{
	struct hit *hits = xcalloc((size_t)w * (size_t)h, sizeof(*hits));
	uint32_t lanes = 0;
	int top = -1;

	reader_settle(r, w, h);
	frame_hits(&r->show, w, h, hits);
	for (int i = 0; i < w * h; i++) {
		if (hits[i].kind != HIT_LANE)
			continue;
		top = top < 0 ? i / w : top;
		if (i / w > top + 2)
			lanes |= UINT32_C(1) << hits[i].index;
	}
	free(hits);
	return __builtin_popcount(lanes);
}

/* Goes to a request that costs 32 sectors, or 32 wavefronts. */
static void go_to_all(struct reader *r, bool wavefronts)
{
	for (uint32_t i = 0; i < 400; i++) {
		const struct scene *sc;

		reader_cursor(r)->request = i;
		sc = reader_settle(r, 120, 36)->scene;
		if (sc->costs && view_picture(&r->show) == r->show.held &&
		    (wavefronts ? sc->cost.wavefronts : sc->cost.sectors) ==
			    WARP_LANES)
			return;
	}
	fatal("no request costs 32");
}

static void test_sectors(void)
{
	struct reader r;

	open_kernel(&r, "naive_swapped -D BLOCK=32", "sectors");
	go_to_all(&r, false);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		tap_is(lanes_below(&r, sizes[i][0], sizes[i][1]), WARP_LANES,
		       "%dx%d: a sector for each lane", sizes[i][0],
		       sizes[i][1]);
		tap_ok(!says(&r, sizes[i][0], sizes[i][1], " more"),
		       "... and none of them is \"more\"");
	}
	reader_done(&r);
}

/* ---- words ---- */

/* Lines of the source that are cut: it was threadIdx.x once. */
static int cut_lines(struct reader *r, int w, int h)
{
	struct screen_layout l;
	struct canvas c;
	int n = 0;

	reader_settle(r, w, h);
	layout_make(&l, w, h, &r->show);
	canvas_init(&c, w, h);
	frame_draw(&c, reader_show(r));
	for (int i = 0; i < w * h; i++)
		n += rect_has(l.source, i % w, i / w) &&
		     c.cells[i].ch == 0x2026;
	canvas_done(&c);
	return n;
}

/* The source shows its lines to their ends, and a step says what it does. */
static void test_words(const char *lesson)
{
	struct reader_options o = { .lang = "en", .still = true };
	int steps = 0, cut = 0, silent = 0;
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	for (size_t i = 0; i < r.lesson->step_count * LENGTH(sizes); i++) {
		int w = sizes[i % LENGTH(sizes)][0];
		int h = sizes[i % LENGTH(sizes)][1];
		const struct scene *sc;
		struct screen_layout l;

		reader_settle(&r, w, h);
		reader_go_step(&r, i / LENGTH(sizes));
		while (reader_asking(&r))
			reader_reveal(&r);
		sc = reader_settle(&r, w, h)->scene;
		if (!sc || !sc->site || r.show.benchmark)
			continue;
		steps++;
		layout_make(&l, w, h, &r.show);
		silent += !l.caption.h && !says(&r, w, h, "C[");
		if (cut_lines(&r, w, h))
			cut++, printf("# %s %zu at %dx%d\n", lesson,
				      i / LENGTH(sizes) + 1, w, h);
	}
	tap_ok(steps > 10 && !cut, "%s: no line of %d sources is cut", lesson,
	       steps);
	tap_is(silent, 0, "... and a caption below the picture");
	reader_done(&r);
}

/* How many answers of the open question can be clicked. */
static int choices_shown(const struct reader *r, int w, int h)
{
	struct hit *hits = xcalloc((size_t)w * (size_t)h, sizeof(*hits));
	uint32_t choices = 0;

	frame_hits(&r->show, w, h, hits);
	for (int i = 0; i < w * h; i++)
		if (hits[i].kind == HIT_CHOICE)
			choices |= UINT32_C(1) << hits[i].index;
	free(hits);
	return __builtin_popcount(choices);
}

/* An open question has all its answers on small screens. */
static void test_questions(void)
{
	static const int small[][2] = { { 80, 24 }, { 60, 20 } };
	int asked = 0, missing[LENGTH(small)] = { 0 };

	for (const char *const *n = lesson_names(); *n; n++) {
		struct reader_options o = { .lang = "en", .still = true };
		struct reader r;
		struct error e;

		reader_init(&r, &o);
		if (reader_open_lesson(&r, *n, &e))
			fatal("%s", e.text);
		for (size_t i = 0; i < r.lesson->step_count; i++) {
			reader_settle(&r, 80, 24);
			reader_go_step(&r, i);
			reader_settle(&r, 80, 24);
			if (!reader_asking(&r) || !r.show.lesson.choice_count)
				continue;
			asked++;
			for (size_t k = 0; k < LENGTH(small); k++) {
				int w = small[k][0], h = small[k][1];

				reader_settle(&r, w, h);
				if (choices_shown(&r, w, h) ==
				    r.show.lesson.choice_count)
					continue;
				missing[k]++;
				printf("# %s, step %zu\n", *n, i + 1);
			}
		}
		reader_done(&r);
	}
	for (size_t k = 0; k < LENGTH(small); k++)
		tap_ok(asked > 40 && !missing[k],
		       "%dx%d: %d questions with all answers", small[k][0],
		       small[k][1], asked);
}

/* A kernel opens on a moment at which its idea shows, in the picture of that. */
static void test_opening(void)
{
	static const char *const opens[][2] = {
		{ "naive_swapped", "sectors" }, { "tiled", "tiles" },
		{ "tiled_bt", "banks" }, { "wmma", "fragments" },
		{ "mma", "fragments" }, { "mma_multistage", "fragments" },
		{ "wgmma_basic", "road" }, { "tma_pipeline", "road" },
		{ "hgemm", "road" }, { "bug_first_barrier", "defect" },
	};

	for (size_t i = 0; i < LENGTH(opens); i++) {
		struct reader r;

		open_kernel(&r, opens[i][0], "");
		tap_str(view_picture(reader_settle(&r, 120, 36))->name,
			opens[i][1], "%s", opens[i][0]);
		reader_done(&r);
	}
}

int main(void)
{
	lang_init("en");
	test_elements("tiled", 1);
	test_elements("float4", 1);
	test_elements("double_buffered", 2);
	test_foreign();
	test_wrong();
	test_caption();
	test_devices();
	test_devices_open();
	test_turn();
	test_scaling();
	test_scaling_asked();
	test_sectors();
	test_words("first-kernel");
	test_words("indexing");
	test_questions();
	test_opening();
	return tap_done();
}
