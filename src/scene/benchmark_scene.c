#include "scene/benchmark_scene.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "timing/ladder.h"

static char get_row_letter(size_t i)
{
	static const char letters[] = "123456789"
				      "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0+*";

	return letters[i % (sizeof(letters) - 1)];
}

static const char *get_kernel_idea(const struct timing_case *n)
{
	const struct kernel *k = kernel_find(n->name);

	return k && !n->baseline ? k->idea : NULL;
}

/* ---- which are shown ---- */

/* Returns the group of a case, by the cuBLAS that it is compared with. */
enum benchmark_group benchmark_group_of(const struct timing_case *n)
{
	const char *baseline = timing_baseline(&n->what);

	return strcmp(baseline, "cublas-fp32") ? GROUP_TENSOR : GROUP_FLOAT;
}

bool benchmark_shows(const struct benchmark_choice *c, size_t case_at)
{
	if (c->variant[case_at] && !c->variants)
		return false;
	return c->group == GROUP_ALL ||
	       c->group == benchmark_group_of(&c->all->cases[case_at]);
}

/* Returns whether another case of the same kernel is faster, or as fast and
 * earlier in the table. */
static bool is_outdone(const struct timing *t, size_t size, size_t i)
{
	double own = timing_figures(t, size, i).flops;

	for (size_t k = 0; k < t->case_count; k++) {
		double its;

		if (k == i || strcmp(t->cases[k].name, t->cases[i].name))
			continue;
		its = timing_figures(t, size, k).flops;
		if (its != NA && (own == NA || its > own ||
				  (its == own && k < i)))
			return true;
	}
	return false;
}

void benchmark_variants(struct benchmark_choice *c)
{
	const struct timing *t = c->all;
	size_t size = t->order_count ? t->order[0] / t->case_count : 0;

	for (size_t i = 0; i < t->case_count; i++)
		c->variant[i] = is_outdone(t, size, i);
}

/* ---- a row ---- */

static void fill_tuned(struct benchmark_row *row, const struct timing_result *r)
{
	char *words = timing_defines(&r->defines);

	snprintf(row->tuned, sizeof(row->tuned), "%s", words);
	free(words);
}

static void fill_row_result(struct benchmark_row *row, const struct timing *t,
			    const struct benchmark_shelf *shelf, size_t size,
			    size_t case_at)
{
	const struct timing_result *r = timing_result(t, size, case_at);

	row->state = r->state;
	row->why = r->why;
	row->figures = timing_figures(t, size, case_at);
	row->share = timing_share(t, size, case_at);
	if (row->figures.median != NA)
		row->spread = (row->figures.high - row->figures.low) /
			      row->figures.median;
	row->intensity = t->cases[case_at].intensity[size];
	if (row->intensity == NA && shelf)
		row->intensity = benchmark_shelf_intensity(
			shelf, t, size, case_at, &row->intensity_date);
	row->error = r->error;
	row->bound = r->bound;
	row->registers = r->registers;
	row->shared_bytes = r->shared_bytes;
	row->reference = r->reference;
	fill_tuned(row, r);
	row->samples = r->sample_count;
	row->sample = r->samples;
	row->date = r->date;
	row->from = r->from;
}

static void fill_benchmark_row(struct benchmark_row *row,
			       const struct benchmark *r,
			       const struct benchmark_choice *c, size_t i,
			       long cublas)
{
	const struct timing_case *n = &c->all->cases[i];
	long against = timing_held(c->all, &n->what);

	*row = (struct benchmark_row){
		.index = i,
		.factor = NA,
		.reason = { .busy = NA, .issue = NA },
		.name = n->baseline ? n->label : n->name,
		.label = n->label,
		.never =
			r->whole ?
				!r->whole->results
					 [c->at[i] < 0 ?
						  0 :
						  c->size * r->whole->case_count +
							  (size_t)c->at[i]]
						 .sample_count :
				benchmark_over(r),
		.idea = get_kernel_idea(n),
		.baseline = n->baseline,
		.held = against < 0 ? NULL : c->all->cases[against].label,
		.cublas = cublas == (long)i,
		.on = c->on[i],
		.here = c->at[i] >= 0,
		.earlier = c->earlier[i],
		.figures = { NA, NA, NA, NA, NA, NA },
		.share = NA,
		.spread = NA,
		.intensity = NA,
		.error = NA,
		.bound = NA,
		.registers = NA,
		.shared_bytes = NA,
	};
	if (!row->here)
		return;
	fill_row_result(row, r->timing, c->shelf, c->size, (size_t)c->at[i]);
	benchmark_reason_fill(&row->reason, &c->all->cases[i],
			      &r->timing->cases[c->at[i]].counts[c->size],
			      &c->all->sizes[c->size]);
}

static bool is_distinguishing(const struct benchmark_scene *s, size_t at,
			      const struct timing *t,
			      const struct trace_define *d)
{
	for (size_t i = 0; i < s->row_count; i++) {
		const struct timing_case *o = &t->cases[s->rows[i].index];
		const char *its = job_defined(&o->what.defines, d->name);

		if (!strcmp(s->rows[i].name, s->rows[at].name) &&
		    (!its || strcmp(its, d->value)))
			return true;
	}
	return false;
}

/* Fills `called`: the kernel's name and those of its parameters that tell it
 * from the other rows of the same kernel. */
static void fill_called(struct benchmark_scene *s, size_t at,
			const struct timing *t)
{
	struct benchmark_row *row = &s->rows[at];
	const struct job_defines *all = &t->cases[row->index].what.defines;
	struct job_defines some = {0};
	char *words;

	for (size_t i = 0; i < all->count; i++)
		if (is_distinguishing(s, at, t, &all->list[i]))
			job_define(&some, all->list[i].name,
				   all->list[i].value);
	words = timing_defines(&some);
	snprintf(row->called, sizeof(row->called), "%s%s", row->name, words);
	free(words);
	job_defines_done(&some);
}

/* Fills the row's next lower rung: the fastest variant of the kernel before
 * it. */
static void fill_below(struct benchmark_scene *s, size_t at,
		       const struct timing *t)
{
	struct benchmark_row *row = &s->rows[at];
	const struct kernel *k = kernel_find(t->cases[row->index].name);
	double most = NA;

	for (size_t i = 0; k && k->after && i < s->row_count; i++) {
		const struct benchmark_row *o = &s->rows[i];

		if (strcmp(t->cases[o->index].name, k->after) ||
		    o->figures.flops == NA || o->figures.flops <= most)
			continue;
		most = o->figures.flops;
		snprintf(row->below, sizeof(row->below), "%s", o->called);
	}
	if (most != NA && row->figures.flops != NA)
		row->factor = row->figures.flops / most;
}

/* Returns the FLOP/s at the end of the bars: the chip's peak, so that only what
 * is measured moves; else the fastest row's. */
static double find_bar_scale(const struct benchmark_scene *s,
			     const struct timing *t, long cublas)
{
	double most = NA;

	if (s->group == GROUP_TENSOR)
		return s->tensor_flops;
	if (cublas < 0 || !strcmp(t->cases[cublas].name, "cublas-fp32"))
		most = s->peak_flops;
	else if (timing_halves(&t->cases[cublas].what))
		most = s->tensor_flops;
	if (most != NA)
		return most;
	for (size_t i = 0; i < s->row_count; i++)
		if (s->rows[i].on && (!s->rows[i].baseline || s->rows[i].cublas))
			most = MAX(most, s->rows[i].figures.flops);
	return most;
}

static bool settled(const struct timing_result *r)
{
	return r->state == TIMING_TIMED || r->state == TIMING_SKIPPED ||
	       r->state == TIMING_FAILED;
}

/* Returns the number of samples that a result is to get. */
static size_t count_samples(const struct benchmark *r, size_t result)
{
	return r->whole ? r->whole->results[result].sample_count : r->repeat;
}

static void fill_progress(struct benchmark_scene *s, const struct benchmark *r)
{
	const struct timing *t = r->timing;
	size_t last;

	s->results = t->size_count * t->case_count;
	for (size_t i = 0; i < s->results; i++) {
		bool done = settled(&t->results[i]);
		size_t all = count_samples(r, i);

		s->settled += done;
		s->part += (done || !all ? done : MIN(1.0,
			(double)t->results[i].sample_count / (double)all)) /
			(double)s->results;
	}
	if (!t->order_count)
		return;
	last = t->order[t->order_count - 1];
	s->running = t->cases[last % t->case_count].label;
	s->running_size = t->sizes[last / t->case_count];
	s->running_samples = t->results[last].sample_count;
	s->running_of = count_samples(r, last);
}

static void fill_counters(struct benchmark_scene *s, const struct benchmark *r)
{
	const struct timing *t = r->timing;
	size_t at = r->counted - 1;

	s->counts = r->runner && r->counters;
	if (r->counters_error.text[0])
		s->uncounted = r->counters_error.text;
	if (!benchmark_counting(r) || !r->counters_id)
		return;
	s->counting = t->cases[at % t->case_count].label;
	s->counting_size = t->sizes[at / t->case_count];
}

size_t benchmark_running_size(const struct benchmark *r)
{
	const struct timing *t = r->timing;

	return t->order_count ? t->order[t->order_count - 1] /
				t->case_count : 0;
}

/* srun waits for a machine, ssh for a password. */
static void fill_waiting(struct benchmark_scene *s, const struct benchmark *r)
{
	char *words;

	if (!r->runner || runner_on(r->runner))
		return;
	words = runner_words(r->runner);
	snprintf(s->waiting, sizeof(s->waiting), "%s", words ? words : "");
	free(words);
}

/* Returns the cuBLAS case that the race compares with; in a group, that of the
 * group's first kernel. -1: none. */
static long find_cublas_case(const struct benchmark_choice *c)
{
	for (size_t i = 0; i < c->all->case_count; i++)
		if (!c->all->cases[i].baseline && benchmark_shows(c, i))
			return timing_held(c->all, &c->all->cases[i].what);
	return timing_cublas(c->all);
}

static void fill_rows(struct benchmark_scene *s, const struct benchmark *r,
		      const struct benchmark_choice *c, long cublas)
{
	bool groups[3] = { false };

	for (size_t i = 0; i < c->all->case_count; i++) {
		enum benchmark_group g = benchmark_group_of(&c->all->cases[i]);
		struct benchmark_row *row = &s->rows[s->row_count];

		groups[g] |= !c->all->cases[i].baseline;
		s->variants |= c->variant[i];
		if (!benchmark_shows(c, i))
			continue;
		if (i == c->chosen)
			s->chosen = s->row_count;
		s->row_count++;
		fill_benchmark_row(row, r, c, i, cublas);
		row->letter = get_row_letter(s->row_count - 1);
		if (row->on && timing_halves(&c->all->cases[i].what))
			s->tensor_flops =
				timing_tensor_flops(&r->timing->machine);
		if (!row->cublas || !row->on)
			continue;
		s->cublas = row->figures.flops;
		s->cublas_label = row->label;
	}
	s->groups = groups[GROUP_FLOAT] && groups[GROUP_TENSOR];
	for (size_t i = 0; i < s->row_count; i++)
		fill_called(s, i, c->all);
	for (size_t i = 0; i < s->row_count; i++)
		fill_below(s, i, c->all);
}

/* Takes the DRAM bandwidth that was measured on this machine in place of the
 * specified one. */
static void fill_roof(struct benchmark_scene *s)
{
	const struct memory_measured *m = memory_measured(s->machine->gpu);

	if (!m || !m->own)
		return;
	s->calibrated = true;
	s->peak_bytes = m->level[MEMORY_DRAM].bandwidth;
}

void benchmark_scene_fill(struct benchmark_scene *s, const struct benchmark *r,
			  const struct benchmark_choice *c)
{
	const struct timing *t = r->timing;
	long cublas = find_cublas_case(c);

	*s = (struct benchmark_scene){
		.group = c->group,
		.size = c->all->sizes[c->size],
		.size_index = c->size,
		.size_count = c->all->size_count,
		.machine = &t->machine,
		.now_mhz = t->now_mhz,
		.watts = t->watts,
		.celsius = t->celsius,
		.place = t->place,
		.date = r->whole ? t->date : NULL,
		.from = r->whole ? t->from : NULL,
		.cublas = NA,
		.peak_flops = timing_peak_flops(&t->machine),
		.tensor_flops = NA,
		.peak_bytes = timing_peak_bytes(&t->machine),
		.over = benchmark_over(r),
		.live = r->runner && runner_on(r->runner) && !r->paused &&
			t->place < 0,
		.paused = r->paused,
		.error = r->error.text[0] ? r->error.text : NULL,
		.status = r->error.text[0] ? r->error.status : EXIT_DONE,
		.page = c->page,
	};
	fill_roof(s);
	fill_rows(s, r, c, cublas);
	s->scale = find_bar_scale(s, c->all, cublas);
	s->peak_scale = s->scale > 0 && (s->scale == s->peak_flops ||
					 s->scale == s->tensor_flops);
	fill_progress(s, r);
	fill_waiting(s, r);
	fill_counters(s, r);
}
