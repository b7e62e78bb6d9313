/*
 * What pictures of a kernel must not say: each was said once, and was false.
 */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "tap.h"

static void open_kernel(struct reader *r, const char *what)
{
	struct reader_options o = { .lang = "en" };
	struct error e;

	reader_init(r, &o);
	if (reader_open_file(r, what, &e))
		fatal("%s: %s", what, e.text);
	reader_settle(r, 120, 36);
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
	says(&r, "occupancy", 120, 36, true, "not measured");
	reader_done(&r);
}

/* Both halves of a pair have one scale: 32 : 1 is drawn so. */
static void test_scales(void)
{
	struct reader_options o = { .lang = "en" };
	struct event answer = { .key = '!' };
	struct reader r;
	struct error e;
	char *frame;
	bool same = false;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "banks", &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	reader_go_step(&r, 3);
	reader_settle(&r, 120, 36);
	reader_event(&r, &answer);
	frame = draw_picture(&r, "banks", 120, 36);
	for (char *p = strtok(frame, "\n"); p; p = strtok(NULL, "\n")) {
		const char *left = strstr(p, "32 30");

		same |= left && strstr(left + 5, " 32 ");
	}
	tap_ok(same, "wavefront 32 is at one height in both halves");
	free(frame);
	reader_done(&r);
}

/* Two kernels next to each other: bills that fit, and figures apart. */
static void test_pair(void)
{
	struct reader_options o = { .lang = "en" };
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
	says(&r, "order", 120, 36, true, "MB of A and B read by a wave");
	says(&r, "bill", 120, 36, true, "sectors loaded");
	says(&r, "bill", 120, 36, true, "naive_swapped BLOCK=32: ");
	reader_done(&r);
	job_done(&jobs[0]);
	job_done(&jobs[1]);
}

int main(void)
{
	lang_init("en");
	test_bugs();
	test_pipelines();
	test_assumed();
	test_scales();
	test_pair();
	return tap_done();
}
