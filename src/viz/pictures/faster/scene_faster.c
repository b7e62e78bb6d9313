#include "viz/pictures/faster/scene_faster.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/rungs.h"
#include "scene/stage.h"
#include "scene/turns.h"

#define LONGEST 4.0	/* seconds that the slowest takes on the screen, at most */

static const struct stage_part faster_part = {
	.bytes = sizeof(struct faster),
};

/* Adds a case as a row, once. Returns the row, or -1. */
static int add_row(struct faster *f, const struct rungs *r, long at)
{
	struct benchmark_reason why;
	struct faster_row *row;
	const struct timing_case *n;
	double seconds;

	if (at < 0 || !((seconds = rungs_seconds(r, at)) > 0))
		return -1;
	n = &r->t->cases[at];
	for (int i = 0; i < f->count; i++)
		if (f->row[i].at == at)
			return i;
	if (f->count == FASTER_ROWS)
		return -1;
	benchmark_reason_fill(&why, n, rungs_counts(r, at), &f->size);
	row = &f->row[f->count++];
	*row = (struct faster_row){
		.at = at, .library = n->baseline, .bad = why.bad,
		.seconds = seconds, .counts = rungs_counts(r, at),
		.flops = timing_figures(r->t, r->size, (size_t)at).flops,
	};
	return f->count - 1;
}

/* Takes the day of a case's result into the days of all. */
static void add_day(char day[2][16], const struct rungs *r, long at)
{
	const char *date = at < 0 ? NULL :
		timing_result(r->t, r->size, (size_t)at)->date;

	if (!date)
		return;
	if (!day[0][0] || strcmp(date, day[0]) < 0)
		snprintf(day[0], sizeof(day[0]), "%s", date);
	if (strcmp(date, day[1]) > 0)
		snprintf(day[1], sizeof(day[1]), "%s", date);
}

/* Returns the case of the plan's kernel `i`; after the last one, the library that
 * computes the same as the first. */
static long case_of(const struct rungs *r, const struct benchmark_plan *p,
		    size_t i)
{
	if (i < p->job.case_count)
		return benchmark_case(r->t, &p->job.cases[i]);
	return rungs_library(r, benchmark_case(r->t, &p->job.cases[i - 1]));
}

static void add_field(struct faster *f, const struct rungs *r,
		     const struct benchmark_plan *p)
{
	char day[2][16] = {{0}};

	for (size_t i = 0; i <= p->job.case_count; i++) {
		long at = case_of(r, p, i);

		if (add_row(f, r, at) >= 0)
			add_day(day, r, at);
	}
	snprintf(f->date, sizeof(f->date), "%s%s%s", day[0],
		 strcmp(day[0], day[1]) ? " \xe2\x80\x93 " : "",
		 strcmp(day[0], day[1]) ? day[1] : "");
}

static void add_rung_neighbours(struct faster *f, const struct rungs *r)
{
	const long at[] = { r->below, r->own, rungs_library(r, r->own) };
	char day[2][16] = {{0}};

	for (size_t i = 0; i < LENGTH(at); i++)
		if (add_row(f, r, at[i]) >= 0)
			add_day(day, r, at[i]);
	snprintf(f->date, sizeof(f->date), "%s", day[1]);
	if (f->count > 1) {
		f->against = 0;
		f->asked = 1;
	}
}

/* Chooses how many times slower the picture runs: 1, 2, 5, 10 ... times, the
 * most at which the slowest takes no longer than LONGEST. */
static double choose_slowness(double seconds)
{
	double tens = pow(10, floor(log10(LONGEST / seconds)));

	return tens * (5 * tens * seconds <= LONGEST ? 5 :
		       2 * tens * seconds <= LONGEST ? 2 : 1);
}

static void take_times(struct faster *f)
{
	f->seconds = 0;
	for (int i = 0; i < f->count; i++)
		f->seconds = MAX(f->seconds, f->row[i].seconds);
	for (int i = 0; i < f->count; i++)
		f->row[i].times = f->seconds / f->row[i].seconds;
	f->slow = MAX(1, choose_slowness(f->seconds));
}

int faster_covered(const struct faster *f)
{
	if (f->asked < 0 || f->against < 0)
		return -1;
	return f->row[f->asked].times >= f->row[f->against].times ?
	       f->asked : f->against;
}

double faster_count(const struct faster *f, int row, enum rung_count what)
{
	double v = rung_count(f->row[row].counts, what);
	double all = (double)f->size.m * f->size.n * f->size.k;

	return v == NA ? NA : v * f->products / all;
}

/* Returns how many times less of a count the faster one has; 0: it has not less,
 * or there is hardly anything of it. */
static double saved_factor(const struct faster *f, enum rung_count what)
{
	int fast = faster_covered(f);
	int slow = fast == f->asked ? f->against : f->asked;
	double now = rung_count(f->row[fast].counts, what);
	double before = rung_count(f->row[slow].counts, what);
	double all = (double)f->size.m * f->size.n * f->size.k;

	if (now == NA || before == NA || before * 1e4 < all || now <= 0)
		return 0;
	return before / now >= RUNG_ALIKE ? before / now : 0;
}

/* Chooses what says why: the work of the unit that the slower one waits for,
 * and what has become less by most. */
static void choose_counts(struct faster *f)
{
	int fast = faster_covered(f), slow, n = 0;
	enum rung_count work;

	for (int i = 0; i < FASTER_COUNTS; i++)
		f->why[i] = RUNG_COUNTS;
	if (fast < 0)
		return;
	slow = fast == f->asked ? f->against : f->asked;
	work = rung_work_of(rung_limiter(f->row[slow].counts));
	if (work != RUNG_COUNTS && saved_factor(f, work))
		f->why[n++] = work;
	while (n < FASTER_COUNTS) {
		enum rung_count best = RUNG_COUNTS;

		for (int i = 0; i < RUNG_STORE_REQUESTS; i++) {
			enum rung_count what = (enum rung_count)i;

			if (what != f->why[0] && saved_factor(f, what) &&
			    (best == RUNG_COUNTS ||
			     saved_factor(f, what) > saved_factor(f, best)))
				best = what;
		}
		if (best == RUNG_COUNTS)
			return;
		f->why[n++] = best;
	}
}

static int find_row(const struct faster *f, long at)
{
	for (int i = 0; i < f->count && at >= 0; i++)
		if (f->row[i].at == at)
			return i;
	return -1;
}

/* Names the rows: a kernel that is there once without its parameters. */
static void name_rows(struct faster *f, const struct rungs *r)
{
	for (int i = 0; i < f->count; i++) {
		const struct timing_case *n = &r->t->cases[f->row[i].at];
		int same = 0;

		for (int k = 0; k < f->count; k++)
			same += !strcmp(r->t->cases[f->row[k].at].name,
					n->name);
		snprintf(f->row[i].label, sizeof(f->row[i].label), "%s",
			 same > 1 || n->baseline ? n->label : n->name);
	}
}

void scene_faster(struct stage *s, const struct turns *t)
{
	struct rungs r = rungs_find(s->info, 0);
	struct faster *f = stage_state(s, &faster_part);
	long asked;

	*f = (struct faster){ .asked = -1, .against = -1 };
	s->scene.faster = f;
	if (!r.t)
		return;
	f->gpu = r.t->machine.gpu;
	f->size = r.t->sizes[r.size];
	if (t->field)
		add_field(f, &r, t->field);
	else if (r.own >= 0)
		add_rung_neighbours(f, &r);
	if (t->race[0][0]) {
		asked = rungs_case(&r, t->race[0]);
		f->asked = find_row(f, asked);
		f->against = find_row(f, t->race[1][0] ?
				       rungs_case(&r, t->race[1]) :
				       rungs_library(&r, asked));
	}
	if (f->count < 2) {
		f->count = 0;
		return;
	}
	f->products = f->asked >= 0 && f->row[f->asked].counts->tensor_busy >
		      f->row[f->asked].counts->fma_busy ? 16 * 8 * 16 :
							   WARP_LANES;
	name_rows(f, &r);
	take_times(f);
	choose_counts(f);
}
