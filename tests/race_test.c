/* A race on the screen, without a screen: runners that die, stall or talk
 * nonsense, recordings, and what keys do. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "app/reader.h"
#include "tap.h"

static char *fake;		/* the runner that times nothing */
static char *recorded;

static struct benchmark_plan plan_of(const char *kernels, const char *sizes)
{
	struct benchmark_plan p;
	char *copy = xstrdup(kernels), *save, *word;
	struct error e;

	benchmark_plan_init(&p);
	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		if (benchmark_add(&p, word, &e))
			fatal("%s", e.text);
	free(copy);
	copy = xstrdup(sizes);
	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		if (benchmark_add_size(&p, word, &e))
			fatal("%s", e.text);
	free(copy);
	return p;
}

static struct benchmark *start(const char *word, const char *more)
{
	char *argv[] = { fake, (char *)word, (char *)more, NULL };
	struct benchmark_plan p = plan_of("naive tiled:TILE=32", "64 128");
	struct benchmark *r;
	struct error e;

	benchmark_plan_complete(&p);
	r = benchmark_start(&p.job, argv, &e);
	if (!r)
		fatal("%s", e.text);
	benchmark_plan_done(&p);
	return r;
}

static void finish(struct benchmark *r)
{
	struct pollfd fds[2];

	while (benchmark_step(r), !benchmark_over(r))
		poll(fds, benchmark_fds(r, fds), benchmark_patience(r));
}

static bool no_children(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static void test_run(void)
{
	struct benchmark *r = start("queue", NULL);

	finish(r);
	tap_ok(r->timing->done && !r->error.text[0], "a race comes to its "
	       "end");
	tap_is(r->timing->order_count, 2 * 3 * 15, "with all its samples");
	tap_str(r->timing->machine.gpu, "test machine (made up)", "and its "
		"machine");
	tap_is(r->timing->results[0].state, TIMING_TIMED, "timed");
	benchmark_free(r);
	tap_ok(no_children(), "its runner is gone");
}

/* Killed behind any of its messages: said, and nothing hangs. */
static void test_kills(void)
{
	int silent = 0, odd = 0, strays = 0;

	for (int i = 0; i < 100; i++) {
		char word[24];
		struct benchmark *r;

		snprintf(word, sizeof(word), "die=%d", i + 1);
		r = start(word, NULL);
		finish(r);
		silent += !r->error.text[0];
		odd += r->error.status != EXIT_RUNNER ||
		       !strstr(r->error.text, "signal 9");
		benchmark_free(r);
		strays += !no_children();
	}
	tap_is(silent, 0, "100 killed runners: each is said");
	tap_is(odd, 0, "and why");
	tap_is(strays, 0, "none is left behind");
}

static void ends_with(const char *word, const char *words)
{
	struct benchmark *r = start(word, NULL);

	r->silence = 0.05;
	finish(r);
	tap_ok(strstr(r->error.text, words), "%s: '%s'", word, words);
	if (!strstr(r->error.text, words))
		printf("#   got '%s'\n", r->error.text);
	benchmark_free(r);
}

static void test_bad_runners(void)
{
	ends_with("stall", "sent nothing for 0.05 seconds");
	ends_with("version", "speaks protocol 2, gemmviz");
	ends_with("garbage", "expected a message");
	ends_with("stranger", "no such entrant");
	ends_with("negative", "invalid launch time");
	ends_with("early", "a sample of naive, which is waiting");
	ends_with("no-gpu", "--runner 'ssh HOST gemmviz-gpu'");
	tap_ok(no_children(), "none of them is left behind");
}

static void test_pause(void)
{
	struct benchmark *r = start("delay=500", NULL);
	struct pollfd fds[2];
	size_t at;

	while (benchmark_step(r), r->timing->order_count < 3)
		poll(fds, benchmark_fds(r, fds), 100);
	benchmark_pause(r, true);
	for (int i = 0; i < 10; i++) {
		poll(fds, benchmark_fds(r, fds), 5);
		benchmark_step(r);
	}
	at = r->timing->order_count;
	poll(fds, benchmark_fds(r, fds), 20);
	benchmark_step(r);
	tap_is(r->timing->order_count, at, "paused, samples stop");
	tap_is(benchmark_patience(r), -1, "and silence is no stall");
	benchmark_pause(r, false);
	while (benchmark_step(r), r->timing->order_count == at)
		poll(fds, benchmark_fds(r, fds), 100);
	tap_ok(!benchmark_over(r), "it goes on");
	benchmark_cancel(r);
	finish(r);
	tap_ok(r->timing->done && r->timing->order_count < 90, "cancelled, it "
	       "ends with what there is");
	benchmark_free(r);
}

/* ---- DRAM traffic ---- */

/* To where the counting would begin if it did not pause. */
static void count_soon(struct benchmark *r)
{
	struct pollfd fds[2];

	r->counters = r->paused = true;
	while (benchmark_step(r), !benchmark_counting(r))
		poll(fds, benchmark_fds(r, fds), benchmark_patience(r));
}

static void test_counting(void)
{
	struct benchmark *r = start("uncounted", NULL);
	struct pollfd fds[2];

	count_soon(r);
	tap_ok(!benchmark_over(r) && !r->counters_id,
	       "paused, nothing is counted");
	benchmark_pause(r, false);
	tap_ok(r->counters_id, "when all is timed, DRAM traffic is asked for");
	benchmark_pause(r, true);
	while (benchmark_step(r), r->counters_id)
		poll(fds, benchmark_fds(r, fds), 100);
	tap_ok(benchmark_counting(r) && benchmark_patience(r) <= 0 &&
		       r->timing->cases[0].intensity[0] == 32 &&
		       r->timing->cases[1].intensity[0] == NA,
	       "paused meanwhile, it goes no further than the one under way");
	benchmark_pause(r, false);
	finish(r);
	tap_ok(r->timing->cases[1].intensity[1] == 32,
	       "it goes on to the last kernel at the last size");
	tap_ok(r->timing->cases[2].intensity[0] == 32 &&
	       !r->error.text[0] && !r->counters_error.text[0],
	       "cuBLAS is counted, too");
	benchmark_free(r);
	r = start("uncounted", "count-dies");
	count_soon(r);
	benchmark_pause(r, false);
	finish(r);
	tap_ok(!r->error.text[0] && r->timing->done &&
	       strstr(r->counters_error.text, "signal 9"),
	       "lost while counting: said, and the times stand");
	benchmark_free(r);
	r = start("uncounted", NULL);
	count_soon(r);
	benchmark_cancel(r);
	tap_ok(benchmark_over(r), "counting can be cancelled");
	benchmark_free(r);
}

/* ---- which recording ---- */

static void copy_as(const char *folder, const char *name, const char *date)
{
	char *path = xasprintf("%s/%s", folder, name), *at, *text;
	struct file_out f;
	struct error e;
	size_t len;

	text = file_read(recorded, 1 << 22, &len, &e);
	at = text ? strstr(text, "2026-01-02") : NULL;
	if (!at || file_out_open(&f, path, true, &e))
		fatal("%s: %s", recorded, e.text);
	memcpy(at, date, 10);
	if (write_all(f.fd, text, len) || file_out_commit(&f, &e))
		fatal("%s: %s", path, e.text);
	free(text);
	free(path);
}

static void remove_races(const char *folder)
{
	for (const char *const *n = (const char *const[]){
		     "a.json", "b.json", "c.txt", NULL }; *n; n++) {
		char *path = xasprintf("%s/%s", folder, *n);

		unlink(path);
		free(path);
	}
	rmdir(folder);
}

static void finds(const char *folder, const char *kernels, const char *sizes,
		  const char *date, const char *what)
{
	struct benchmark_plan p = plan_of(kernels, sizes);
	struct error e;
	struct timing *t = benchmark_find(folder, &p, &e);

	tap_str(t ? t->date : NULL, date, "%s", what);
	timing_free(t);
	benchmark_plan_done(&p);
}

static void test_find(void)
{
	char folder[] = "/tmp/race_test_XXXXXX";
	struct benchmark_plan p =
		plan_of("tiled:TILE=32 naive:BLOCK=16", "4096");
	struct timing *t;
	struct error e;

	if (!mkdtemp(folder))
		fatal("%s: %m", folder);
	finds(folder, "naive", "", NULL, "an empty folder has no race");
	copy_as(folder, "b.json", "2026-01-01");
	copy_as(folder, "a.json", "2026-03-01");
	copy_as(folder, "c.txt", "2026-05-01");
	finds(folder, "", "", "2026-03-01", "the newest by its date");
	finds(folder, "naive", "1024", "2026-03-01", "that has the kernel");
	finds(folder, "naive", "512", NULL, "or none: the size");
	finds(folder, "naive:BLOCK=8", "", NULL, "or none: the parameter");
	t = benchmark_find(folder, &p, &e);
	tap_ok(t && t->case_count == 3 && t->size_count == 1 &&
	       timing_cublas(t) == 2, "cut down to what was named, and cuBLAS");
	timing_free(t);
	benchmark_plan_done(&p);
	remove_races(folder);
}

/* What a live race borrows of recorded ones, until it has its own. */
static void test_shelf(void)
{
	char folder[] = "/tmp/race_test_XXXXXX";
	struct benchmark_plan p =
		plan_of("naive tiled:TILE=8 float4", "1024 64");
	char *argv[] = { fake, (char *)"uncounted", NULL };
	struct benchmark_choice choice = { .at = { 0, 1, 2 } };
	struct benchmark_scene s;
	struct benchmark_shelf shelf;
	struct benchmark *r;
	struct error e;
	char *gpu;

	if (!mkdtemp(folder))
		fatal("%s: %m", folder);
	copy_as(folder, "a.json", "2026-03-01");
	copy_as(folder, "b.json", "2026-01-01");
	shelf = benchmark_shelf_read(folder, &e);
	r = benchmark_start(&p.job, argv, &e);
	count_soon(r);
	choice.all = r->timing;
	choice.shelf = &shelf;
	benchmark_scene_fill(&s, r, &choice);
	tap_ok(s.rows[0].intensity == 1.5 &&
	       !strcmp(s.rows[0].intensity_date, "2026-03-01") && s.counts,
	       "an intensity is borrowed from the newest recording");
	tap_ok(s.rows[1].intensity == NA && s.rows[2].intensity == NA,
	       "not where the text is not known to be the same");
	choice.size = 1;
	benchmark_scene_fill(&s, r, &choice);
	tap_ok(s.rows[0].intensity == NA, "nor of another size");
	choice.size = 0;
	gpu = r->timing->machine.gpu;
	r->timing->machine.gpu = (char *)"another machine";
	benchmark_scene_fill(&s, r, &choice);
	tap_ok(s.rows[0].intensity == NA, "nor of another GPU");
	r->timing->machine.gpu = gpu;
	r->timing->cases[0].text_hash[0] = 'f';
	benchmark_scene_fill(&s, r, &choice);
	tap_ok(s.rows[0].intensity == NA, "nor of another text");
	r->timing->cases[0].text_hash[0] = '0';
	benchmark_pause(r, false);
	finish(r);
	benchmark_scene_fill(&s, r, &choice);
	tap_ok(fabs(s.rows[0].intensity - 32) < 1e-3 &&
	       !s.rows[0].intensity_date &&
	       !s.counts, "what was counted takes its place");
	benchmark_free(r);
	benchmark_shelf_done(&shelf);
	benchmark_plan_done(&p);
	remove_races(folder);
}

/* ---- recordings put together ---- */

static double flops_of(const struct timing *t, const char *name, int size)
{
	for (size_t i = 0; i < t->case_count; i++)
		for (size_t k = 0; k < t->size_count; k++)
			if (!strcmp(t->cases[i].name, name) &&
			    t->sizes[k].m == size && t->sizes[k].n == size &&
			    t->sizes[k].k == size)
				return timing_figures(t, k, i).flops;
	return NA;
}

/* What a lesson finds of one kernel, and a race of many. */
static void test_one_cublas(const char *folder)
{
	struct benchmark_plan few = plan_of("tiled:TILE=32", "4096");
	struct benchmark_plan many = plan_of("naive:BLOCK=32 tiled:TILE=32 "
					     "float4 sgemm hgemm", "");
	struct error e;
	struct timing *lesson = benchmark_find(folder, &few, &e);
	struct timing *race = benchmark_find(folder, &many, &e);

	tap_ok(lesson && race && flops_of(lesson, "cublas-fp32", 4096) > 0 &&
	       flops_of(lesson, "cublas-fp32", 4096) ==
	       flops_of(race, "cublas-fp32", 4096),
	       "lesson and race have one figure of cuBLAS");
	timing_free(lesson);
	timing_free(race);
	benchmark_plan_done(&few);
	benchmark_plan_done(&many);
}

static void test_whole_ladder(const struct timing *t)
{
	size_t missing = 0, uncounted = 0;

	for (size_t i = 0; i < kernel_count; i++) {
		size_t at = 0;

		while (at < t->case_count &&
		       strcmp(t->cases[at].name, kernels[i].name))
			at++;
		missing += !kernels[i].bug && at == t->case_count;
	}
	for (size_t i = 0; i < t->case_count; i++)
		for (size_t k = 0; k < t->size_count; k++)
			uncounted += t->sizes[k].m == 4096 &&
				     t->sizes[k].n == 4096 &&
				     t->sizes[k].k == 4096 &&
				     timing_result(t, k, i)->sample_count &&
				     t->cases[i].intensity[k] == NA;
	tap_is((long)missing, 0, "every kernel of the ladder is in it");
	tap_is((long)uncounted, 0, "and cuBLAS; all have their DRAM traffic counted");
}

/* Two races of one machine, of which the newer has another text of naive. */
static void test_newest_text(void)
{
	struct timing *two[] = { timing_read(recorded, NULL),
				 timing_read(recorded, NULL) };
	struct benchmark_shelf shelf = { two, 2 };
	const struct timing_result *r;
	struct timing *t;

	if (!two[0] || !two[1])
		fatal("no %s", recorded);
	memcpy(two[0]->date, "2026-02-02", 10);
	two[0]->cases[0].text_hash[0] = 'f';
	two[0]->results[0].sample_count = 0;
	two[0]->results[1].sample_count = 0;
	two[0]->results[1].state = TIMING_WAITING;
	t = benchmark_merge(&shelf);
	r = timing_result(t, 0, 0);
	tap_ok(!r->sample_count && t->cases[0].text_hash[0] == 'f',
	       "of a kernel the newest text counts, and no older time");
	r = timing_result(t, 0, 1);
	tap_ok(r->sample_count && r->date && !strcmp(r->date, "2026-01-02"),
	       "what the newer lacks, the older has");
	r = timing_result(t, 1, 1);
	tap_ok(r->date && !strcmp(r->date, "2026-02-02") && r->from,
	       "else the newer counts; each says whose it is");
	tap_str(t->date, "2026-01-02 \xe2\x80\x93 2026-02-02",
		"the whole is of both days");
	timing_free(t);
	timing_free(two[0]);
	timing_free(two[1]);
}

/* Of two GPUs the one of which more was timed, unless the other is asked for. */
static void test_shown_gpu(void)
{
	struct timing *three[] = { timing_read(recorded, NULL),
				   timing_read(recorded, NULL),
				   timing_read(recorded, NULL) };
	struct benchmark_shelf shelf = { three, 3 };
	const char *usual = three[1]->machine.gpu;
	char *words = xstrdup(usual);
	struct timing *t;

	free(three[0]->machine.gpu);
	three[0]->machine.gpu = xstrdup("Another GPU");
	tap_str(benchmark_shelf_gpu(&shelf), usual,
		"of two GPUs the one with more results is shown");
	shelf.count = 2;
	tap_str(benchmark_shelf_gpu(&shelf), "Another GPU",
		"of equals the newest");
	for (char *p = words; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	benchmark_prefer_gpu(words);
	tap_str(benchmark_shelf_gpu(&shelf), usual,
		"or the one that was asked for");
	t = benchmark_merge(&shelf);
	tap_str(t->machine.gpu, usual, "whose results are put together");
	timing_free(t);
	benchmark_prefer_gpu("no such GPU");
	tap_str(benchmark_shelf_gpu(&shelf), "Another GPU",
		"words that are in no name change nothing");
	benchmark_prefer_gpu(NULL);
	free(words);
	for (size_t i = 0; i < LENGTH(three); i++)
		timing_free(three[i]);
}

static bool is_cube(const struct problem_sizes *s)
{
	return s->m == s->n && s->n == s->k;
}

static double volume(const struct problem_sizes *s)
{
	return (double)s->m * s->n * s->k;
}

static void test_sizes_in_order(const struct timing *t)
{
	bool in_order = true;

	for (size_t i = 1; i < t->size_count; i++) {
		const struct problem_sizes *a = &t->sizes[i - 1], *b = a + 1;

		in_order &= is_cube(a) == is_cube(b) ? volume(a) <= volume(b) :
						      is_cube(a);
	}
	tap_ok(t->size_count > 2 && in_order,
	       "cubes stand first, and small sizes before large ones");
}

static void test_merge(void)
{
	const char *src = getenv("srcdir");
	char *folder = xasprintf("%s/data/races", src ? src : ".");
	const struct timing *t = benchmark_measured(folder);

	if (!t)
		fatal("no races in %s", folder);
	test_whole_ladder(t);
	tap_ok(t->sizes[t->order[0] / t->case_count].m == 4096,
	       "the size of which the most is known is played first");
	test_sizes_in_order(t);
	test_one_cublas(folder);
	test_newest_text();
	test_shown_gpu();
	free(folder);
}

/* ---- a reader ---- */

static const struct frame_model *shown(struct reader *r, int w, int h)
{
	reader_update(r, w, h);
	return reader_show(r);
}

static void press(struct reader *r, uint32_t key)
{
	struct event ev = { .key = key };

	reader_update(r, 80, 24);
	reader_event(r, &ev);
}

static const struct benchmark_scene *look(struct reader *r)
{
	return shown(r, 80, 24)->benchmark;
}

static void open_recorded(struct reader *r)
{
	struct reader_options o = { .lang = "en" };
	struct benchmark_plan p = plan_of("", "");
	struct error e;

	reader_init(r, &o);
	if (reader_open_benchmark(r, &p, recorded, &e))
		fatal("%s", e.text);
	benchmark_plan_done(&p);
}

static void test_keys(void)
{
	const struct benchmark_scene *s;
	struct reader r;

	open_recorded(&r);
	s = look(&r);
	tap_ok(s->date && !strcmp(s->date, "2026-01-02") && s->row_count == 9,
	       "a recording is marked as one");
	tap_ok(reader_playing(&r) && !s->over && s->settled == 0,
	       "it plays from its beginning");
	reader_tick(&r, 1);
	s = look(&r);
	tap_ok(s->rows[0].samples > 0 && s->rows[8].samples == 0,
	       "samples come one by one");
	press(&r, ' ');
	tap_ok(!reader_playing(&r) && look(&r)->paused, "space pauses");
	press(&r, ' ');
	press(&r, K_RIGHT);
	tap_is(look(&r)->size.m, 4096, "right: the larger matrices");
	press(&r, K_RIGHT);
	tap_is(look(&r)->size.m, 4096, "and no further");
	press(&r, K_END);
	s = look(&r);
	tap_ok(s->over && s->settled == s->results, "end: all of it");
	tap_ok(s->rows[6].cublas && s->cublas == s->rows[6].figures.flops,
	       "cuBLAS is what all are held to");
	tap_ok(s->rows[0].intensity == 1.5 && s->rows[2].intensity == NA,
	       "an intensity is known where it was measured");
	tap_ok(s->rows[0].earlier && !s->rows[2].earlier,
	       "a text that is another today is known by its hash");
	press(&r, K_DOWN);
	press(&r, K_ENTER);
	s = look(&r);
	tap_ok(s->chosen == 1 && !s->rows[1].on && s->rows[0].on,
	       "a kernel is taken out");
	press(&r, 'r');
	s = look(&r);
	tap_ok(!s->over && !s->rows[1].here && s->rows[2].here &&
	       s->results == 16, "again: without it");
	press(&r, K_ENTER);
	press(&r, K_END);
	s = look(&r);
	tap_ok(s->rows[1].on && !s->rows[1].here &&
	       s->rows[1].figures.flops == NA && s->rows[2].samples == 7,
	       "in again, it waits for the next start");
	press(&r, K_TAB);
	tap_is(look(&r)->page, BENCHMARK_ROOFLINE, "tab: the roofline");
	press(&r, K_TAB);
	tap_is(look(&r)->page, BENCHMARK_BARS, "and the bars");
	press(&r, K_ESCAPE);
	tap_ok(look(&r) != NULL, "without a lesson there is nowhere to go "
	       "back to");
	press(&r, '?');
	tap_ok(shown(&r, 80, 24)->over == &overlay_help, "help");
	press(&r, 'q');
	tap_ok(!shown(&r, 80, 24)->over && !r.quit, "... which q closes");
	press(&r, 'q');
	tap_ok(r.quit, "quit");
	reader_done(&r);
}

static void click(struct reader *r, int x, int y, enum mouse_kind kind)
{
	struct event ev = { .key = K_MOUSE, .mouse = kind, .x = x,
				 .y = y };

	reader_update(r, 80, 24);
	reader_event(r, &ev);
}

static void test_mouse(void)
{
	struct reader r;

	open_recorded(&r);
	click(&r, 30, 5, MOUSE_PRESS);
	tap_is(look(&r)->chosen, 2, "a click chooses the row it is on");
	click(&r, 30, 5, MOUSE_RELEASE);
	tap_ok(look(&r)->rows[2].on, "letting go does nothing");
	click(&r, 30, 5, MOUSE_PRESS);
	tap_ok(!look(&r)->rows[2].on, "another one takes it out");
	click(&r, 30, 5, MOUSE_WHEEL_DOWN);
	tap_is(look(&r)->chosen, 3, "the wheel goes on to the next");
	click(&r, 30, 20, MOUSE_PRESS);
	tap_is(look(&r)->chosen, 3, "a click elsewhere is none");
	reader_done(&r);
}

/* How often the roofline's page has these words, at its width. */
static int on_roofline(struct reader *r, const char *words)
{
	struct str text = {0};
	struct canvas c;
	int n = 0;

	while (look(r)->page != BENCHMARK_ROOFLINE)
		press(r, K_TAB);
	canvas_init(&c, 100, 24);
	frame_draw(&c, shown(r, 100, 24));
	canvas_print(&c, false, &text);
	for (const char *at = text.data; (at = strstr(at, words)); at++)
		n++;
	canvas_done(&c);
	str_done(&text);
	return n;
}

static void test_roofline(void)
{
	char *argv[] = { fake, (char *)"uncounted", (char *)"no-counters",
			 NULL };
	struct reader_options o = { .lang = "en", .runner = argv };
	struct benchmark_plan p = plan_of("naive tiled", "64 128");
	struct reader r;
	struct error e;

	open_recorded(&r);
	tap_is(on_roofline(&r, "points appear with the times"), 1,
	       "played, a size without times yet has no points");
	press(&r, K_END);
	tap_is(on_roofline(&r, "points"), 0, "and then it has");
	reader_done(&r);
	reader_init(&r, &o);
	if (reader_open_benchmark(&r, &p, NULL, &e))
		fatal("%s", e.text);
	press(&r, ' ');
	while (look(&r)->peak_flops == NA)
		reader_poll(&r);
	tap_is(on_roofline(&r, "and DRAM traffic is counted"), 1,
	       "live, they come when it is counted");
	press(&r, ' ');
	reader_benchmark_finish(&r);
	tap_is(on_roofline(&r, "not counted: no permission to count"), 1,
	       "or it is said once why they do not");
	tap_is(on_roofline(&r, "points"), 0, "and no more");
	reader_done(&r);
	benchmark_plan_done(&p);
}

/* A lesson's step that ends in a race. */
static void test_lesson(void)
{
	static const char text[] = "# A lesson\n\n## A step\n\nWords.\n\n"
		"```gemmviz\nrecord naive\n"
		"race naive tiled:TILE=8 size 64 128\n```\n";
	char *argv[] = { fake, NULL };
	struct reader_options o = { .lang = "en", .runner = argv };
	const struct benchmark_scene *s;
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	r.lesson = lesson_parse("test", text, sizeof(text) - 1, &e);
	if (!r.lesson)
		fatal("%s", e.text);
	r.done = xcalloc(2, sizeof(*r.done));
	press(&r, K_ENTER);
	s = look(&r);
	tap_ok(s && s->row_count == 3 && s->size_count == 2 &&
	       !strcmp(s->rows[1].label, "tiled TILE=8") && s->rows[2].cublas,
	       "enter goes to the step's race");
	tap_str(s->rows[1].called, "tiled",
		"the only one of its kernel is called by its name");
	press(&r, K_ESCAPE);
	tap_ok(!look(&r) && r.lesson, "esc goes back to the lesson");
	press(&r, 'r');
	tap_ok(look(&r) != NULL, "r goes there again");
	tap_ok(!look(&r)->live || !look(&r)->over, "live while it runs");
	reader_benchmark_finish(&r);
	tap_ok(look(&r)->over && !look(&r)->error, "and it comes to its end");
	tap_ok(!look(&r)->live, "when it is over it is live no more");
	press(&r, K_ENTER);
	tap_ok(!look(&r) && r.lesson && r.step == 0,
	       "enter goes back to the lesson");
	press(&r, K_ENTER);
	tap_ok(!look(&r), "a race that was seen is not in the way");
	reader_done(&r);
}

static void test_last_one(void)
{
	struct reader r;

	open_recorded(&r);
	for (int i = 0; i < 8; i++) {
		press(&r, K_ENTER);
		press(&r, K_DOWN);
	}
	press(&r, K_ENTER);
	tap_ok(look(&r)->rows[8].on && r.show.message, "the last one cannot "
	       "be taken out");
	reader_done(&r);
}

/* The screen outlives its runner, whenever that dies, and says so. */
static void test_killed_on_screen(void)
{
	int gone = 0, silent = 0;
	struct benchmark_plan p = plan_of("naive tiled", "64");
	struct canvas c;

	canvas_init(&c, 80, 24);
	for (int i = 0; i < 100; i++) {
		char word[24];
		char *argv[] = { fake, word, NULL };
		struct reader_options o = { .lang = "en", .runner = argv };
		struct reader r;
		struct error e;
		const struct benchmark_scene *s;

		snprintf(word, sizeof(word), "die=%d", 1 + i * 37 % 55);
		reader_init(&r, &o);
		if (reader_open_benchmark(&r, &p, NULL, &e))
			fatal("%s", e.text);
		while (!(s = look(&r))->over && !s->date) {
			struct pollfd fds[READER_FDS];

			poll(fds, reader_fds(&r, fds), reader_patience(&r));
			reader_poll(&r);
			frame_draw(&c, shown(&r, 80, 24));
		}
		press(&r, K_TAB);
		gone += r.quit || !look(&r);
		silent += !s->error && !s->date;
		reader_done(&r);
	}
	tap_is(gone, 0, "100 runners killed: the screen stays");
	tap_is(silent, 0, "and says what happened");
	tap_ok(no_children(), "none is left behind");
	canvas_done(&c);
	benchmark_plan_done(&p);
}

/* Any key in any order, and any size of the screen. */
static void test_random(void)
{
	static const uint32_t keys[] = { ' ', K_TAB, K_BACK_TAB, K_LEFT,
		K_RIGHT, K_UP, K_DOWN, K_ENTER, 'r', K_END, K_ESCAPE, '?',
		'c', 'x', 'n' };
	unsigned seed = 7;
	struct reader r;
	struct canvas c;

	open_recorded(&r);
	canvas_init(&c, 1, 1);
	for (int i = 0; i < 3000; i++) {
		struct event ev = { 0 };

		seed = seed * 1103515245 + 12345;
		ev.key = keys[(seed >> 16) % LENGTH(keys)];
		if (i % 10 == 0)
			ev = (struct event){ .key = K_MOUSE,
				.mouse = MOUSE_PRESS, .x = (int)(seed % 90),
				.y = (int)(seed / 90 % 40) };
		if (i % 50 == 0)
			canvas_resize(&c, 1 + (int)(seed % 200),
				      1 + (int)(seed / 200 % 60));
		frame_draw(&c, shown(&r, c.w, c.h));
		reader_event(&r, &ev);
		reader_tick(&r, 0.1);
	}
	tap_ok(!r.quit, "3000 keys on screens of any size");
	canvas_done(&c);
	reader_done(&r);
}

static void test_plans(void)
{
	struct benchmark_plan p;
	struct error e;

	benchmark_plan_init(&p);
	tap_ok(benchmark_add(&p, "tield", &e) && e.status == EXIT_USAGE &&
		       strstr(e.text, "did you mean tiled"),
	       "%s", e.text);
	tap_ok(benchmark_add(&p, "tiled:TILE=33", &e), "%s", e.text);
	tap_ok(benchmark_add(&p, "tiled:TILE", &e), "%s", e.text);
	tap_ok(benchmark_add(&p, "tiled:BLOCK=1", &e), "%s", e.text);
	tap_ok(benchmark_add(&p, "cublas-fp32:TILE=1", &e), "%s", e.text);
	tap_ok(benchmark_add_size(&p, "63", &e), "%s", e.text);
	tap_ok(benchmark_add_size(&p, "64x64", &e), "%s", e.text);
	tap_ok(benchmark_add_size(&p, "64x64x64x64", &e), "%s", e.text);
	tap_ok(benchmark_add_size(&p, "99999", &e), "%s", e.text);
	tap_is(p.job.case_count +
	       p.job.size_count, 0,
	       "nothing of it was taken");
	benchmark_plan_done(&p);
	p = plan_of("tiled naive tiled", "64 64x64x64");
	tap_is(p.job.case_count, 2,
	       "one that is named twice runs once");
	tap_is(p.job.size_count, 1,
	       "and so do sizes");
	benchmark_plan_done(&p);
}

/* The baselines that race with these kernels. */
static void baselines_are(const char *kernels, const char *want)
{
	struct benchmark_plan p = plan_of(kernels, "64");
	struct str got = { 0 };

	benchmark_plan_complete(&p);
	for (size_t i = 0; i < p.job.case_count; i++)
		if (p.job.cases[i].baseline)
			str_addf(&got, "%s ", p.job.cases[i].baseline);
	tap_str(got.data ? got.data : "", want, "%s races with its like",
		kernels);
	str_done(&got);
	benchmark_plan_done(&p);
}

/* A race of half kernels is one against cuBLAS of halves. */
static void test_types(void)
{
	const char *src = getenv("srcdir");
	char *path = xasprintf("%s/data/races/h200-2026-11-22-hgemm.json",
			       src ? src : ".");
	struct error e;
	struct timing *t = timing_read(path, &e);

	baselines_are("naive tiled", "cublas-fp32 ");
	baselines_are("hgemm", "cublas-fp16 ");
	baselines_are("naive hgemm hgemm:EXPONENT=8",
		   "cublas-fp32 cublas-fp16 cublas-bf16 ");
	baselines_are("cublas-tf32", "cublas-tf32 ");
	tap_ok(t && !strcmp(t->cases[timing_cublas(t)].name, "cublas-fp16"),
	       "the first kernel's cuBLAS is the race's");
	for (size_t i = 0; t && i < t->case_count; i++)
		if (!strcmp(t->cases[i].name, "cublas-fp16"))
			tap_ok(timing_share(t, 0, i) == 1,
			       "which is all of it");
	timing_free(t);
	free(path);
}

int main(void)
{
	const char *src = getenv("srcdir"), *build = getenv("builddir");

	lang_init("en");
	fake = xasprintf("%s/tests/fake_gpu", build ? build : ".");
	recorded = xasprintf("%s/tests/race.json", src ? src : ".");
	test_plans();
	test_types();
	test_run();
	test_kills();
	test_bad_runners();
	test_pause();
	test_counting();
	test_find();
	test_shelf();
	test_merge();
	test_keys();
	test_last_one();
	test_mouse();
	test_roofline();
	test_lesson();
	test_killed_on_screen();
	test_random();
	free(fake);
	free(recorded);
	return tap_done();
}
