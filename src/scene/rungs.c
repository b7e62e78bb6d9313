#include "scene/rungs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "scene/benchmark_scene.h"

bool rungs_has(const struct trace_info *info)
{
	const struct kernel *k = kernel_find(info->kernel);

	return k && !k->bug && k->problem == &problem_gemm;
}

static bool is_counted(const struct rungs *r, size_t at)
{
	return timing_result(r->t, r->size, at)->sample_count &&
	       r->t->cases[at].counts[r->size].seconds != NA;
}

/* Returns the fastest case of a kernel that was timed and counted, or -1. */
static long find_fastest_case(const struct rungs *r, const char *kernel)
{
	double most = NA;
	long found = -1;

	for (size_t i = 0; kernel && i < r->t->case_count; i++) {
		double flops;

		if (strcmp(r->t->cases[i].name, kernel) || !is_counted(r, i))
			continue;
		flops = timing_figures(r->t, r->size, i).flops;
		if (flops <= most)
			continue;
		most = flops;
		found = (long)i;
	}
	return found;
}

/* Returns the case with these parameters; else that with the kernel's own; else
 * its fastest. */
static long find_case(const struct rungs *r, const struct job_kernel *what)
{
	const struct job_kernel own = { .name = what->name };
	long at = benchmark_case(r->t, what);

	if (at < 0 || !is_counted(r, (size_t)at))
		at = benchmark_case(r->t, &own);
	return at >= 0 && is_counted(r, (size_t)at) ?
		       at :
		       find_fastest_case(r, what->name);
}

/* Returns the recorded launch's case. */
static long own_case(const struct rungs *r, const struct trace_info *info)
{
	struct job_kernel what = { .name = info->kernel };
	long at;

	for (uint32_t i = 0; i < info->define_count; i++)
		job_define(&what.defines, info->defines[i].name,
			   info->defines[i].value);
	at = find_case(r, &what);
	job_defines_done(&what.defines);
	return at;
}

static const struct kernel *get_case_kernel(const struct rungs *r, long at)
{
	return at < 0 ? NULL : kernel_find(r->t->cases[at].name);
}

/* Moves `by` kernels on in the table, wrapping around, over those that have a
 * rung below them. Returns the fastest case of that kernel. */
static long step_kernels(const struct rungs *r, long from, int by)
{
	const struct kernel *k = get_case_kernel(r, from);
	size_t i = k ? (size_t)(k - kernels) : 0;
	int step = by < 0 ? -1 : 1;

	for (size_t tries = 0; k && by && tries < 8 * kernel_count; tries++) {
		i = (i + kernel_count + (size_t)step) % kernel_count;
		if (!kernels[i].after ||
		    find_fastest_case(r, kernels[i].name) < 0)
			continue;
		from = find_fastest_case(r, kernels[i].name);
		by -= step;
	}
	return from;
}

static long find_first_rung(const struct rungs *r)
{
	const struct kernel *k = get_case_kernel(r, r->own);

	while (k && k->after && kernel_find(k->after))
		k = kernel_find(k->after);
	return k ? find_fastest_case(r, k->name) : -1;
}

static long best_of(const struct rungs *r)
{
	enum benchmark_group group;
	double most = NA;
	long found = -1;

	if (r->own < 0)
		return -1;
	group = benchmark_group_of(&r->t->cases[r->own]);
	for (size_t i = 0; i < r->t->case_count; i++) {
		double flops = timing_figures(r->t, r->size, i).flops;

		if (r->t->cases[i].baseline || !is_counted(r, i) ||
		    benchmark_group_of(&r->t->cases[i]) != group ||
		    flops <= most)
			continue;
		most = flops;
		found = (long)i;
	}
	return found;
}

/* Opens the shipped measurements, without a position on the ladder. */
static struct rungs open_measurements(void)
{
	struct rungs r = { .own = -1, .below = -1, .first = -1, .best = -1 };

	r.t = benchmark_shipped();
	if (r.t && r.t->order_count)
		r.size = r.t->order[0] / r.t->case_count;
	else
		r.t = NULL;
	return r;
}

struct rungs_speed rungs_speed(const struct job_kernel *what)
{
	struct rungs r = open_measurements();
	long at = r.t ? find_case(&r, what) : -1;
	const struct problem_sizes *n;

	if (at < 0)
		return (struct rungs_speed){ .label = NULL, .flops = NA };
	n = &r.t->sizes[r.size];
	return (struct rungs_speed){
		.label = r.t->cases[at].label,
		.flops = timing_figures(r.t, r.size, (size_t)at).flops,
		.counts = &r.t->cases[at].counts[r.size],
		.products = (double)n->m * n->n * n->k,
	};
}

void rungs_measured(char *buf, size_t size)
{
	struct rungs r = open_measurements();
	const struct problem_sizes *n = r.t ? &r.t->sizes[r.size] : NULL;

	*buf = '\0';
	if (n)
		snprintf(buf, size, "%d \xc3\x97 %d \xc3\x97 %d, %s", n->m,
			 n->n, n->k, r.t->machine.gpu);
}

void rungs_step(struct rungs *r, int by)
{
	const struct kernel *k;

	r->own = step_kernels(r, r->own, by);
	k = get_case_kernel(r, r->own);
	r->below = find_fastest_case(r, k ? k->after : NULL);
}

struct rungs rungs_find(const struct trace_info *info, int by)
{
	struct rungs r = open_measurements();

	if (!r.t || !rungs_has(info))
		return r;
	r.own = own_case(&r, info);
	rungs_step(&r, by);
	r.first = find_first_rung(&r);
	r.best = best_of(&r);
	return r;
}

long rungs_case(const struct rungs *r, const char *word)
{
	struct benchmark_plan p;
	long at = -1;

	benchmark_plan_init(&p);
	if (r->t && !benchmark_add(&p, word, NULL))
		at = benchmark_case(r->t, &p.job.cases[0]);
	benchmark_plan_done(&p);
	return at;
}

long rungs_library(const struct rungs *r, long at)
{
	return at < 0 ? -1 : timing_held(r->t, &r->t->cases[at].what);
}

long rungs_other(const struct rungs *r, long from, int by)
{
	enum benchmark_group group;
	long n = (long)r->t->case_count, at = from;
	int step = by < 0 ? -1 : 1;

	if (from < 0)
		return -1;
	group = benchmark_group_of(&r->t->cases[from]);
	for (long tries = 0; by && tries < 64 * n; tries++) {
		at = (at + n + step) % n;
		if (!is_counted(r, (size_t)at) ||
		    benchmark_group_of(&r->t->cases[at]) != group)
			continue;
		by -= step;
	}
	return at;
}

const struct timing_counts *rungs_counts(const struct rungs *r, long at)
{
	return &r->t->cases[at].counts[r->size];
}

double rungs_seconds(const struct rungs *r, long at)
{
	return timing_figures(r->t, r->size, (size_t)at).median;
}

char *race_word(const struct trace_info *info, const struct kernel *k)
{
	const struct kernel *here = kernel_find(info->kernel);
	struct str s = { 0 };
	int values[KERNEL_PARAMS];
	char before = ':';

	if (k->bug)
		return NULL;
	kernel_values(here, values, trace_define, info);
	str_add(&s, k->name);
	for (size_t i = 0; i < kernel_params(here); i++)
		if (kernel_param(k, here->params[i].name)) {
			str_addf(&s, "%c%s=%d", before, here->params[i].name,
				 values[i]);
			before = ',';
		}
	return str_take(&s);
}
