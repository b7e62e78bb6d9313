/* reader_benchmark: the reader's race: how it runs, and its results. */
#include "app/reader_benchmark.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

/* ---- start and end a race ---- */

/* Finds the newest recording of a race. Returns NULL with e. */
static struct timing *find_recording(const struct benchmark_plan *p,
				     struct error *e)
{
	char *folder = xasprintf("%s/races", paths()->data);
	struct timing *t = benchmark_find(folder, p, e);

	free(folder);
	return t;
}

static void read_shelf(struct reader_benchmark *x)
{
	char *folder = xasprintf("%s/races", paths()->data);

	x->shelf = benchmark_shelf_read(folder, NULL);
	free(folder);
}

static void judge_texts(struct reader_benchmark *x)
{
	const struct timing *t = x->recorded ? x->all : x->run->timing;

	for (size_t i = 0; i < x->all->case_count; i++) {
		long at = x->recorded ? (long)i : x->choice.at[i];

		if (at >= 0)
			x->choice.earlier[i] =
				benchmark_text_changed(&t->cases[at]);
	}
	x->judged = true;
}

static void use_all(struct reader_benchmark *x, struct timing *all,
		    bool recorded)
{
	timing_free(x->all);
	x->all = all;
	x->recorded = recorded;
	x->judged = x->started = false;
	x->choice = (struct benchmark_choice){ .all = all };
	for (size_t i = 0; i < all->case_count; i++)
		x->choice.on[i] = true;
	/* The whole ladder stands in two groups, a rung for each kernel. */
	if (x->plan.kernels)
		return;
	if (all->merged) {
		x->choice.group = GROUP_FLOAT;
		benchmark_variants(&x->choice);
	}
}

static struct benchmark *run_live(const struct reader_benchmark *x,
				  char *const *argv, struct error *e)
{
	struct job_time job = job_time_copy(&x->plan.job);
	struct benchmark *run;

	for (size_t i = x->all->case_count; i-- > 0;)
		if (!x->choice.on[i])
			job_time_drop(&job, i);
	run = benchmark_start(&job, argv, e);
	job_time_done(&job);
	if (run)
		run->counters = true;
	return run;
}

static struct benchmark *run_recorded(const struct reader_benchmark *x)
{
	bool sizes[TIMING_MAX_SIZES];

	memset(sizes, true, sizeof(sizes));
	return benchmark_play(timing_select(x->all, x->choice.on, sizes));
}

int reader_benchmark_start(struct reader *r, struct error *e)
{
	struct reader_benchmark *x = r->benchmark;
	struct benchmark *run = x->recorded ?
					 run_recorded(x) :
					 run_live(x, r->options.runner, e);
	long n = 0;

	if (!run)
		return -1;
	benchmark_free(x->run);
	x->run = run;
	x->follow = true;
	if (x->all->merged && !x->started)
		x->choice.size = x->all->order[0] / x->all->case_count;
	x->started = true;
	x->choice.shelf = x->recorded ? NULL : &x->shelf;
	for (size_t i = 0; i < x->all->case_count; i++)
		x->choice.at[i] = x->choice.on[i] ? n++ : -1;
	if (x->recorded && !x->judged)
		judge_texts(x);
	return 0;
}

void reader_close_benchmark(struct reader *r)
{
	struct reader_benchmark *x = r->benchmark;

	if (!x)
		return;
	benchmark_free(x->run);
	timing_free(x->all);
	benchmark_shelf_done(&x->shelf);
	benchmark_plan_done(&x->plan);
	free(x);
	r->benchmark = NULL;
	r->show.benchmark = NULL;
}

static int open_recorded(struct reader *r, struct timing *t, struct error *e)
{
	if (!t)
		return -1;
	use_all(r->benchmark, t, true);
	return reader_benchmark_start(r, e);
}

/* Starts the race here if there is a runner, else opens its recording. Returns
 * -1 with e. */
static int open_live(struct reader *r, struct error *e)
{
	struct reader_benchmark *x = r->benchmark;
	struct benchmark_plan named = benchmark_plan_copy(&x->plan);
	int status;

	benchmark_plan_complete(&x->plan);
	use_all(x, timing_new(&x->plan.job), false);
	status = reader_benchmark_start(r, e);
	if (status && !r->options.runner)
		status = open_recorded(r, find_recording(&named, NULL), e);
	if (!x->recorded)
		read_shelf(x);
	benchmark_plan_done(&named);
	return status;
}

int reader_open_benchmark(struct reader *r, const struct benchmark_plan *plan,
			  const char *from, struct error *e)
{
	struct timing *t;
	int status;

	reader_close_benchmark(r);
	r->benchmark = xcalloc(1, sizeof(*r->benchmark));
	r->benchmark->plan = benchmark_plan_copy(plan);
	if (from) {
		t = timing_read(from, e);
		status = open_recorded(r, t ? benchmark_fit(t, plan, e) : NULL,
				       e);
	} else {
		status = open_live(r, e);
	}
	if (status)
		reader_close_benchmark(r);
	return status;
}

bool reader_open_step_benchmark(struct reader *r)
{
	const struct lesson_step *s = r->lesson ? &r->lesson->steps[r->step] :
						  NULL;
	struct error e;

	if (!s || !s->race)
		return false;
	r->raced = r->step + 1;
	if (reader_open_benchmark(r, s->race, NULL, &e))
		reader_say(r, true, "%s", e.text);
	return true;
}

bool reader_open_step_recorded(struct reader *r)
{
	const struct lesson_step *s = &r->lesson->steps[r->step];
	struct timing *t = s->race ? find_recording(s->race, NULL) : NULL;

	if (!t)
		return false;
	reader_close_benchmark(r);
	r->benchmark = xcalloc(1, sizeof(*r->benchmark));
	r->benchmark->plan = benchmark_plan_copy(s->race);
	if (!open_recorded(r, t, NULL))
		return true;
	reader_close_benchmark(r);
	return false;
}

/* ---- time and runners ---- */

/* Replaces a race whose runner never began by its recording, and reports the
 * error. Returns false if there is none. */
static bool fall_back(struct reader *r)
{
	struct reader_benchmark *x = r->benchmark;
	struct benchmark_plan named = benchmark_plan_copy(&x->plan);
	struct error why = x->run->error;
	struct timing *t;

	/* What the plan was completed with need not be there. */
	while (!named.kernels && named.job.case_count)
		job_time_drop(&named.job, 0);
	if (!named.sizes)
		named.job.size_count = 0;
	t = find_recording(&named, NULL);
	benchmark_plan_done(&named);
	if (!t)
		return false;
	open_recorded(r, t, NULL);
	reader_say(r, true, "%s", why.text);
	return true;
}

bool reader_benchmark_poll(struct reader *r)
{
	struct reader_benchmark *x = r->benchmark;
	bool any;

	if (!x)
		return false;
	any = benchmark_step(x->run);
	if (any && x->run->error.text[0] && !x->run->timing->order_count &&
	    !x->recorded)
		fall_back(r);
	if (any && (x->run->timing->done || benchmark_over(x->run)) &&
	    !x->judged)
		judge_texts(x);
	return any;
}

bool reader_benchmark_playing(const struct reader *r)
{
	const struct benchmark *run = r->benchmark->run;

	return run->whole && !run->paused && !benchmark_over(run);
}

bool reader_benchmark_tick(struct reader *r, double seconds)
{
	return benchmark_tick(r->benchmark->run, seconds);
}

size_t reader_benchmark_fds(const struct reader *r, struct pollfd *fds)
{
	return r->benchmark ? benchmark_fds(r->benchmark->run, fds) : 0;
}

int reader_benchmark_patience(const struct reader *r)
{
	return r->benchmark ? benchmark_patience(r->benchmark->run) : -1;
}

void reader_benchmark_to_end(struct reader *r)
{
	r->benchmark->run->paused = false;
	benchmark_tick(r->benchmark->run, 1e9);
}

void reader_benchmark_finish(struct reader *r)
{
	struct pollfd fds[2];

	while (!benchmark_over(r->benchmark->run)) {
		if (r->benchmark->run->whole)
			reader_benchmark_to_end(r);
		else
			poll(fds, reader_benchmark_fds(r, fds),
			     reader_benchmark_patience(r));
		reader_benchmark_poll(r);
	}
}

void reader_benchmark_update(struct reader *r)
{
	struct reader_benchmark *x = r->benchmark;

	if (x->follow && !x->all->merged)
		x->choice.size = benchmark_running_size(x->run);
	benchmark_scene_fill(&x->scene, x->run, &x->choice);
	x->scene.presenter = r->show.presenter;
	r->show.benchmark = &x->scene;
}
