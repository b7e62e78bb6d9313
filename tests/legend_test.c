/*
 * What holds for all pictures: a legend names what is drawn and nothing else; a
 * sentence begins with a capital; one thing is no plural. And a kernel's speed
 * is the same number wherever it is shown.
 * sanitized: nightly
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "scene/rungs.h"
#include "tap.h"
#include "timing/measured.h"

#define SAMPLES 4	/* steps of each kernel */
#define BIT(role) (UINT64_C(1) << (role))

/* What is wrong in a kernel's pictures, by kind. */
struct faults { int unnamed, undrawn, small, plural; };

static uint64_t all_hues(void)
{
	uint64_t hues = BIT(ROLE_CURSOR) | BIT(ROLE_WASTE);

	for (int role = ROLE_HUE0; role <= ROLE_FADE3; role++)
		hues |= BIT(role);
	return hues;
}

static void print_roles(const char *what, const struct view *v, uint64_t roles)
{
	printf("# %s: %s", v->name, what);
	for (int role = 0; role < ROLE_COUNT; role++)
		if (roles >> role & 1)
			printf(" %c", role_letter((enum role)role));
	printf("\n");
}

static void check_legend(struct faults *f, const struct canvas *c,
			 struct rect picture, const struct view *v)
{
	uint64_t drawn = canvas_roles(c, picture);
	uint64_t unnamed = drawn & all_hues() & ~c->named;

	/* A defect's threads have the colour of their names, and its element
	 * that of its numbers. */
	if (!strcmp(v->name, "defect"))
		unnamed &= ~(BIT(ROLE_TRAIL0) | BIT(ROLE_TRAIL1) |
			     BIT(ROLE_CURSOR));
	if (c->named && unnamed) {
		print_roles("not in the legend:", v, unnamed);
		f->unnamed++;
	}
	if (c->named & ~drawn) {
		print_roles("not drawn:", v, c->named & ~drawn);
		f->undrawn++;
	}
}

/* Returns whether the text has "1 blocks" or the like. */
static bool has_false_plural(const char *text)
{
	static const char *const plurals[] = {
		"1 blocks", "1 threads", "1 lanes", "1 warps", "1 sectors",
		"1 elements", "1 tiles", "1 steps", "1 turns", "1 wavefronts",
		"1 bytes", "1 registers", "1 words", "1 values",
	};

	for (size_t i = 0; i < LENGTH(plurals); i++)
		for (const char *p = text; (p = strstr(p, plurals[i])); p++)
			if (p - text < 3 || (isspace((unsigned char)p[-1]) &&
					     (unsigned char)p[-2] != 0x97)) {
				printf("# %.40s\n", p);
				return true;
			}
	return false;
}

/* Tells whether a sentence begins with a name of the source. */
static bool is_name(const char *text, const char *kernel)
{
	size_t n = strcspn(text, " ");

	return strcspn(text, "._[=") < n || !strncmp(text, "k = ", 4) ||
	       !strncmp(text, kernel, strlen(kernel));
}

static void check_words(struct faults *f, const struct frame_model *s,
			const struct view *v)
{
	const char *kernel = s->scene->info->kernel;
	struct str words = {0};

	if (v->words && s->scene->site)
		v->words(&words, s);
	if (words.len && islower((unsigned char)words.data[0]) &&
	    !is_name(words.data, kernel)) {
		printf("# %s: %s\n", v->name, words.data);
		f->small++;
	}
	f->plural += words.len && has_false_plural(words.data);
	str_done(&words);
}

/* Draws a picture at its start, in the middle and at its end. */
static void check_picture(struct faults *f, struct reader *r,
			  const struct view *v, int w, int h)
{
	struct screen_layout l;
	struct canvas c;
	struct str text = {0};

	reader_settle(r, w, h);
	if (view_picture(&r->show) != v)
		return;
	layout_make(&l, w, h, &r->show);
	canvas_init(&c, w, h);
	for (int t = 0; t <= 2; t++) {
		r->show.t = t / 2.0;
		frame_draw(&c, &r->show);
		check_legend(f, &c, l.picture, v);
	}
	canvas_print(&c, false, &text);
	f->plural += has_false_plural(text.data);
	check_words(f, &r->show, v);
	str_done(&text);
	canvas_done(&c);
}

static void check_kernel(const char *name)
{
	struct reader_options o = { .lang = "en" };
	struct faults f = { 0, 0, 0, 0 };
	struct cursor *p;
	struct trace *t;
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_file(&r, name, &e))
		fatal("%s: %s", name, e.text);
	reader_settle(&r, 120, 36);
	t = reader_recording(&r)->trace;
	if (!t)
		fatal("%s: %s", name, reader_recording(&r)->error.text);
	p = reader_cursor(&r);
	r.show.pane = PANE_PICTURE;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		p->warp = i * 5 % trace_warp_count(t);
		p->request = (uint32_t)((uint64_t)trace_warp(t, p->warp)
				->requests * i / SAMPLES);
		for (size_t v = 0; views[v]; v++) {
			r.show.held = views[v];
			if (views[v]->pane != PANE_PICTURE)
				continue;
			check_picture(&f, &r, views[v], 120, 36);
			if (i == 1)
				check_picture(&f, &r, views[v], 200, 60);
		}
	}
	tap_is(f.unnamed, 0, "%s: legends name what is drawn", name);
	tap_is(f.undrawn, 0, "... and nothing else");
	tap_is(f.small, 0, "... a sentence begins with a capital");
	tap_is(f.plural, 0, "... and one thing is no plural");
	reader_done(&r);
}

/* ---- speeds ---- */

/* What pictures show of a kernel is what the map shows. */
static void test_speeds(void)
{
	size_t found = 0, equal = 0;

	for (size_t i = 0; i < kernel_count; i++) {
		const char *word = kernels[i].name;
		struct job_kernel what = {
			.name = (char *)(uintptr_t)kernels[i].name };
		struct rungs_speed speed = rungs_speed(&what);
		struct measured_race race;
		struct measured m;

		measured_find(&word, 1, MEASURED_SIZE, &m, &race);
		measured_race_done(&race);
		if (!speed.label || strcmp(speed.label, word))
			continue;
		found++;
		equal += m.flops == speed.flops;
		if (m.flops != speed.flops)
			printf("# %s: %g and %g\n", word, m.flops,
			       speed.flops);
	}
	tap_ok(found > 12, "%zu kernels were timed", found);
	tap_is(equal, found, "... and have one speed each");
}

static const struct show_speed *find_speed(const struct show_entry *e,
					   const char *label)
{
	for (int i = 0; i < e->speed_count; i++)
		if (!strcmp(e->speeds[i].label, label))
			return &e->speeds[i];
	return NULL;
}

/* Returns how many steps' kernels have another speed on the map than in the
 * step's pictures. */
static int compare_lesson(const struct show_entry *e)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error error;
	int others = 0;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, e->name, &error))
		fatal("%s", error.text);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		const struct show_speed *speed;
		const struct trace_info *info;
		struct rungs rungs;

		reader_go_step(&r, i);
		reader_settle(&r, 120, 36);
		info = trace_info(reader_recording(&r)->trace);
		rungs = rungs_find(info, 0);
		if (rungs.own < 0)
			continue;
		speed = find_speed(e, rungs.t->cases[rungs.own].label);
		if (speed && speed->flops ==
		    timing_figures(rungs.t, rungs.size,
				   (size_t)rungs.own).flops)
			continue;
		printf("# %s, step %zu: %s\n", e->name, i + 1,
		       rungs.t->cases[rungs.own].label);
		others++;
	}
	reader_done(&r);
	return others;
}

static void test_map(void)
{
	static const char *const lessons[] = { "indexing", "occupancy",
					       "memory", "multistage" };
	struct reader_options o = { .lang = "en" };
	struct reader r;

	reader_init(&r, &o);
	reader_open_list(&r, LIST_COURSE);
	reader_measure(&r);
	tap_ok(strstr(r.list.measured, "4096"), "the map says of which size");
	for (int i = 0; i < r.list.count; i++)
		for (size_t k = 0; k < LENGTH(lessons); k++)
			if (!strcmp(r.list.entries[i].name, lessons[k]))
				tap_is(compare_lesson(&r.list.entries[i]), 0,
				       "%s: the map's speeds are the steps'",
				       lessons[k]);
	reader_done(&r);
}

int main(void)
{
	static const char *const kernels_shown[] = {
		"naive", "tiled", "float4", "double_buffered", "mma",
		"tma_pipeline", "hgemm", "bug_edge", "bug_first_barrier",
		"bug_early_return", "across_gpus",
	};

	lang_init("en");
	test_speeds();
	test_map();
	for (size_t i = 0; i < LENGTH(kernels_shown); i++)
		check_kernel(kernels_shown[i]);
	return tap_done();
}
