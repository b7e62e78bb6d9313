/* Turns words into a job: what is to run. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "timing/baseline.h"
#include "timing/benchmark.h"

#define LOWEST_SIZE 64
#define HIGHEST_SIZE 16384

void benchmark_plan_init(struct benchmark_plan *p)
{
	*p = (struct benchmark_plan){ .kernels = false };
	job_time_init(&p->job);
}

void benchmark_plan_done(struct benchmark_plan *p)
{
	job_time_done(&p->job);
}

struct benchmark_plan benchmark_plan_copy(const struct benchmark_plan *p)
{
	struct benchmark_plan c = *p;

	c.job = job_time_copy(&p->job);
	return c;
}

static int fail_unknown(const char *word, struct error *e)
{
	const char **names = xcalloc(kernel_count + baseline_count,
				     sizeof(*names)), *near;

	for (size_t i = 0; i < kernel_count + baseline_count; i++)
		names[i] = i < kernel_count ? kernels[i].name :
					      baselines[i - kernel_count].name;
	near = nearest_name(word, names, kernel_count + baseline_count);
	free(names);
	if (own_program_find(word))
		return error_set(e, EXIT_USAGE, _("%s is a program for several "
						  "GPUs: use gemmviz run or "
						  "view; its lesson shows "
						  "recorded times"),
				 word);
	if (near)
		return error_set(e, EXIT_USAGE, _("no kernel '%s'; did you "
						  "mean %s?"),
				 text_show(word), near);
	return error_set(e, EXIT_USAGE, _("no kernel '%s'; gemmviz list shows "
					  "all"), text_show(word));
}

static int add_plan_define(const struct kernel *k, struct job_defines *defines,
			   char *word, struct error *e)
{
	char *value = strchr(word, '=');
	const struct kernel_param *param;
	long v;

	if (!value)
		return error_set(e, EXIT_USAGE, _("expected NAME=VALUE, got "
						  "'%s'"), text_show(word));
	*value++ = 0;
	param = kernel_param(k, word);
	if (!param)
		return error_set(e, EXIT_USAGE, _("%s has no parameter '%s'"),
				 k->name, text_show(word));
	if (!parse_int(value, param->lowest, param->highest, &v))
		return error_set(e, EXIT_USAGE, _("expected %s of %d to %d, "
						  "got '%s'"), param->name,
				 param->lowest, param->highest,
				 text_show(value));
	job_define(defines, param->name, value);
	return 0;
}

static int check_case_count(const struct benchmark_plan *p, struct error *e)
{
	if (p->job.case_count < TIMING_MAX_CASES - baseline_count)
		return 0;
	return error_set(e, EXIT_USAGE, _("too many kernels for one race"));
}

static void add_cublas(struct benchmark_plan *p, const char *name)
{
	struct job_kernel what = { .baseline = xstrdup(name) };

	job_time_case(&p->job, &what);
}

int benchmark_add(struct benchmark_plan *p, const char *word, struct error *e)
{
	char *name = xstrdup(word), *save, *at = strchr(name, ':');
	struct job_kernel what = { .name = name };
	const struct kernel *k;
	int status = check_case_count(p, e);

	if (at)
		*at++ = 0;
	k = kernel_find(name);
	p->kernels = true;
	if (!status && !k && !(baseline_find(name) && !at))
		status = fail_unknown(name, e);
	if (!status && k && k->bug)
		status = error_set(e, EXIT_USAGE, _("%s is in the museum of "
				   "bugs and is never timed: %s"), name,
				   _(k->bug));
	for (at = at ? strtok_r(at, ",", &save) : NULL; !status && at;
	     at = strtok_r(NULL, ",", &save))
		status = add_plan_define(k, &what.defines, at, e);
	if (!status && k)
		job_time_case(&p->job, &what);
	else if (!status)
		add_cublas(p, name);
	job_kernel_done(&what);
	return status;
}

int benchmark_add_case(struct benchmark_plan *p, struct job_kernel *what,
		       struct error *e)
{
	int status = check_case_count(p, e);

	p->kernels = true;
	if (status)
		job_kernel_done(what);
	else
		job_time_case(&p->job, what);
	return status;
}

int benchmark_add_size(struct benchmark_plan *p, const char *word,
		       struct error *e)
{
	long d[3];
	char *copy = xstrdup(word), *part = copy;
	int n = 0;

	while (part && n < 3) {
		char *next = strchr(part, 'x');

		if (next)
			*next++ = 0;
		if (!parse_int(part, LOWEST_SIZE, HIGHEST_SIZE, &d[n]))
			break;
		n++;
		part = next;
	}
	free(copy);
	if (part || n == 2)
		return error_set(e, EXIT_USAGE, _("expected a size N or MxNxK "
						  "of %d to %d, got '%s'"),
				 LOWEST_SIZE, HIGHEST_SIZE, text_show(word));
	if (p->job.size_count == TIMING_MAX_SIZES)
		return error_set(e, EXIT_USAGE, _("at most %d sizes"),
				 TIMING_MAX_SIZES);
	p->sizes = true;
	job_time_size(&p->job, (struct problem_sizes){ (int)d[0],
						  (int)d[n > 1 ? 1 : 0],
						  (int)d[n > 1 ? 2 : 0] });
	return 0;
}

/* Returns the next larger value of a parameter that is built, or 0. */
static int next_value(const struct kernel_param *p, int value)
{
	int next = 0;

	for (size_t i = 0; i < LENGTH(p->values) && p->values[i]; i++)
		if (p->values[i] > value && (!next || p->values[i] < next))
			next = p->values[i];
	return next;
}

/* Adds a kernel of the table with a tile's size; 0 when it has none. */
static void add_table_kernel(struct benchmark_plan *p, const struct kernel *k,
			     int tile)
{
	struct job_kernel what = { .name = xstrdup(k->name) };
	char text[16];

	snprintf(text, sizeof(text), "%d", tile);
	if (tile)
		job_define(&what.defines, "TILE", text);
	job_time_case(&p->job, &what);
}

/* Adds all kernels of the table, with every tile size that is built: its effect
 * is part of the subject. */
static void add_table(struct benchmark_plan *p)
{
	for (size_t i = 0; i < kernel_count; i++) {
		const struct kernel_param *tile = kernel_param(&kernels[i],
							       "TILE");
		int value = tile ? next_value(tile, 0) : 0;

		if (kernels[i].bug)
			continue;
		if (!tile)
			add_table_kernel(p, &kernels[i], 0);
		for (; value; value = next_value(tile, value))
			add_table_kernel(p, &kernels[i], value);
	}
}

/* Adds all of cuBLAS, or the baselines of the named kernels. */
static void add_baselines(struct benchmark_plan *p)
{
	size_t named = p->job.case_count;

	for (size_t k = 0; k < baseline_count; k++) {
		bool held = !p->kernels;

		for (size_t i = 0; i < named; i++)
			held |= !strcmp(timing_baseline(&p->job.cases[i]),
					baselines[k].name);
		if (held)
			add_cublas(p, baselines[k].name);
	}
}

void benchmark_plan_complete(struct benchmark_plan *p)
{
	static const int sizes[] = { 1024, 2048, 4096 };

	if (!p->kernels)
		add_table(p);
	add_baselines(p);
	for (size_t i = 0; !p->sizes && i < LENGTH(sizes); i++)
		job_time_size(&p->job, (struct problem_sizes){
			sizes[i], sizes[i], sizes[i] });
}
