#include "timing/tune.h"

#include <string.h>

#include "base/text.h"

/* Whether a parameter differs from one try to the other. */
static bool varies(const struct kernel *k, size_t param)
{
	for (size_t i = 1; i < k->tune_count; i++)
		if (k->tune[i][param] != k->tune[0][param])
			return true;
	return false;
}

static int defines_check(const struct kernel *k,
			 const struct job_defines *defines, struct error *e)
{
	for (size_t i = 0; i < defines->count; i++) {
		const char *name = defines->list[i].name;
		const struct kernel_param *param = kernel_param(k, name);

		if (!param)
			return error_set(e, EXIT_USAGE, "%s has no parameter "
					 "%s", k->name, text_show(name));
		if (varies(k, (size_t)(param - k->params)))
			return error_set(e, EXIT_USAGE, "%s is what is tuned: "
					 "-D cannot set it", name);
	}
	return 0;
}

static void try_defines(const struct kernel *k, const int *values,
			struct job_defines *to)
{
	char text[16];

	for (size_t i = 0; i < kernel_params(k); i++) {
		snprintf(text, sizeof(text), "%d", values[i]);
		if (varies(k, i))
			job_define(to, k->params[i].name, text);
	}
}

int tune_add(struct benchmark_plan *p, const struct kernel *k,
	     const struct job_defines *defines, struct error *e)
{
	if (!k->tune_count)
		return error_set(e, EXIT_USAGE, "%s has no tile shapes to try",
				 k->name);
	if (defines_check(k, defines, e) < 0)
		return -1;
	for (size_t i = 0; i < k->tune_count; i++) {
		struct job_kernel what = {
			.name = xstrdup(k->name),
		};

		try_defines(k, k->tune[i], &what.defines);
		job_defines_add(&what.defines, defines);
		if (benchmark_add_case(p, &what, e) < 0)
			return -1;
	}
	return 0;
}

/* The defines that are tuned, without those that held for all. */
static struct job_defines tuned_defines(const struct kernel *k,
					const struct job_kernel *what)
{
	struct job_defines tuned = { 0 };

	for (size_t i = 0; i < kernel_params(k); i++)
		if (varies(k, i))
			job_define(&tuned, k->params[i].name,
				   job_defined(&what->defines,
					       k->params[i].name));
	return tuned;
}

static long fastest(const struct timing *t, size_t size)
{
	double best = 0;
	long found = -1;

	for (size_t i = 0; i < t->case_count; i++) {
		double flops = timing_figures(t, size, i).flops;

		if (t->cases[i].baseline || !(flops > best))
			continue;
		best = flops;
		found = (long)i;
	}
	return found;
}

struct tuned_list tune_best(const struct timing *t, const struct kernel *k)
{
	struct tuned_list l = { 0 };

	for (size_t s = 0; s < t->size_count; s++) {
		long at = fastest(t, s);

		if (at < 0 || !t->machine.gpu)
			continue;
		grow(&l.entries, &l.capacity, l.count + 1,
		     sizeof(*l.entries));
		l.entries[l.count++] = (struct tuned_entry){
			.gpu = t->machine.gpu,
			.kernel = k->name,
			.date = t->date,
			.size = t->sizes[s],
			.defines = tuned_defines(k, &t->cases[at].what),
			.tflops = timing_figures(t, s, (size_t)at).flops /
				  1e12,
			.share = timing_share(t, s, (size_t)at),
		};
	}
	return l;
}
