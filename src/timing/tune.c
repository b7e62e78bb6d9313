#include "timing/tune.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/choice.h"

/* What is tried of a kernel, a line of values each. */
struct variants {
	int (*values)[KERNEL_PARAMS];
	size_t count, capacity;
};

/* Tests whether a parameter is a choice's split. It depends on the size, and
 * the model sets it. */
static bool is_split(const struct kernel *k, size_t param)
{
	return k->choices && param == k->choices->split;
}

static bool same_values(const struct kernel *k, const int *a, const int *b)
{
	for (size_t i = 0; i < kernel_params(k); i++)
		if (a[i] != b[i] && !is_split(k, i))
			return false;
	return true;
}

static void add_variant(struct variants *v, const struct kernel *k,
			const int *values)
{
	for (size_t i = 0; i < v->count; i++)
		if (same_values(k, v->values[i], values))
			return;
	grow(&v->values, &v->capacity, v->count + 1, sizeof(*v->values));
	memcpy(v->values[v->count++], values,
	       kernel_params(k) * sizeof(*values));
}

/* Lists the table's values for tuning, and the shapes that the model chooses
 * among. */
static struct variants variants_of(const struct kernel *k)
{
	struct variants v = { 0 };

	for (size_t i = 0; i < k->tune_count; i++)
		add_variant(&v, k, k->tune[i]);
	for (size_t i = 0; k->choices && i < k->choices->count; i++) {
		int p[KERNEL_PARAMS];

		kernel_defaults(k, p);
		for (size_t n = 0; n < kernel_params(k); n++)
			if (k->choices->list[i].p[n])
				p[n] = k->choices->list[i].p[n];
		add_variant(&v, k, p);
	}
	return v;
}

/* Tests whether a parameter differs between variants. */
static bool is_tuned(const struct variants *v, const struct kernel *k,
		     size_t param)
{
	for (size_t i = 1; i < v->count && !is_split(k, param); i++)
		if (v->values[i][param] != v->values[0][param])
			return true;
	return false;
}

static int defines_check(const struct kernel *k, const struct variants *v,
			 const struct job_defines *defines, struct error *e)
{
	for (size_t i = 0; i < defines->count; i++) {
		const char *name = defines->list[i].name;
		const struct kernel_param *param = kernel_param(k, name);

		if (!param)
			return error_set(e, EXIT_USAGE, "%s has no parameter "
					 "%s", k->name, text_show(name));
		if (is_tuned(v, k, (size_t)(param - k->params)))
			return error_set(e, EXIT_USAGE, "-D cannot set %s, "
					 "which --tune varies", name);
	}
	return 0;
}

static void try_defines(const struct kernel *k, const struct variants *v,
			const int *values, struct job_defines *to)
{
	char text[16];

	for (size_t i = 0; i < kernel_params(k); i++) {
		snprintf(text, sizeof(text), "%d", values[i]);
		if (is_tuned(v, k, i))
			job_define(to, k->params[i].name, text);
	}
}

bool tune_any(const struct kernel *k)
{
	return k->tune_count || k->choices;
}

int tune_add(struct benchmark_plan *p, const struct kernel *k,
	     const struct job_defines *defines, struct error *e)
{
	struct variants v;
	int rc;

	if (!tune_any(k))
		return error_set(e, EXIT_USAGE, "%s has no tile shapes to try",
				 k->name);
	v = variants_of(k);
	rc = defines_check(k, &v, defines, e);
	for (size_t i = 0; i < v.count && !rc; i++) {
		struct job_kernel what = {
			.name = xstrdup(k->name),
		};

		try_defines(k, &v, v.values[i], &what.defines);
		job_defines_add(&what.defines, defines);
		rc = benchmark_add_case(p, &what, e);
	}
	free(v.values);
	return rc;
}

/* Returns the defines that were tuned, without those that all variants share;
 * the split is the model's. */
static struct job_defines tuned_defines(const struct kernel *k,
					const struct job_kernel *what,
					const struct timing_result *r)
{
	struct job_defines tuned = { 0 };
	struct variants v = variants_of(k);

	for (size_t i = 0; i < kernel_params(k); i++) {
		const char *name = k->params[i].name;
		const char *split = is_split(k, i) ?
				    job_defined(&r->defines, name) : NULL;

		if (is_tuned(&v, k, i))
			job_define(&tuned, name,
				   job_defined(&what->defines, name));
		else if (split && !job_defined(&what->defines, name))
			job_define(&tuned, name, split);
	}
	free(v.values);
	return tuned;
}

static long fastest_case(const struct timing *t, size_t size)
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
		long at = fastest_case(t, s);

		if (at < 0 || !t->machine.gpu)
			continue;
		grow(&l.entries, &l.capacity, l.count + 1,
		     sizeof(*l.entries));
		l.entries[l.count++] = (struct tuned_entry){
			.gpu = t->machine.gpu,
			.kernel = k->name,
			.date = t->date,
			.size = t->sizes[s],
			.defines = tuned_defines(k, &t->cases[at].what,
				timing_result(t, s, (size_t)at)),
			.tflops = timing_figures(t, s, (size_t)at).flops /
				  1e12,
			.share = timing_share(t, s, (size_t)at),
		};
	}
	return l;
}
