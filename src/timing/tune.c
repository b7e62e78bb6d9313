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

static int defines_check(const struct kernel *k, json_t *defines,
			 struct error *e)
{
	const char *name;
	json_t *v;

	json_object_foreach(defines, name, v) {
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

static json_t *try_defines(const struct kernel *k, const int *values,
			   json_t *defines)
{
	json_t *all = json_object();

	for (size_t i = 0; i < kernel_params(k); i++)
		if (varies(k, i))
			json_object_set_new(all, k->params[i].name,
					    json_sprintf("%d", values[i]));
	json_object_update(all, defines);
	return all;
}

int tune_add(struct benchmark_plan *p, const struct kernel *k, json_t *defines,
	     struct error *e)
{
	if (!k->tune_count)
		return error_set(e, EXIT_USAGE, "%s has no tile shapes to try",
				 k->name);
	if (defines_check(k, defines, e) < 0)
		return -1;
	for (size_t i = 0; i < k->tune_count; i++)
		if (benchmark_add_case(
			    p,
			    json_pack("{ss so}", "kernel", k->name, "defines",
				      try_defines(k, k->tune[i], defines)),
			    e) < 0)
			return -1;
	return 0;
}

/* The defines that are tuned, without those that held for all. */
static json_t *tuned_defines(const struct kernel *k, const json_t *what)
{
	const json_t *defines = json_object_get(what, "defines");
	json_t *tuned = json_object();

	for (size_t i = 0; i < kernel_params(k); i++)
		if (varies(k, i))
			json_object_set(tuned, k->params[i].name,
					json_object_get(defines,
							k->params[i].name));
	return tuned;
}

static long fastest(const struct timing *t, size_t size)
{
	double best = 0;
	long found = -1;

	for (size_t i = 0; i < t->entrant_count; i++) {
		double flops = timing_figures(t, size, i).flops;

		if (t->entrants[i].rival || !(flops > best))
			continue;
		best = flops;
		found = (long)i;
	}
	return found;
}

json_t *tune_best(const struct timing *t, const struct kernel *k)
{
	json_t *list = json_array();

	for (size_t s = 0; s < t->size_count; s++) {
		long at = fastest(t, s);
		double share;

		if (at < 0 || !t->machine.gpu)
			continue;
		share = timing_share(t, s, (size_t)at);
		json_array_append_new(list, json_pack(
			"{ss ss s[iii] so sf so ss}", "gpu", t->machine.gpu,
			"kernel", k->name, "size", t->sizes[s].m,
			t->sizes[s].n, t->sizes[s].k, "defines",
			tuned_defines(k, t->entrants[at].what), "tflops",
			timing_figures(t, s, (size_t)at).flops / 1e12,
			"share", share == NA ? json_null() : json_real(share),
			"date", t->date));
	}
	return list;
}
