/* What the table says of tuning, the entries that are kept, and grids. */
#include <stdlib.h>

#include "kernels/choice.h"
#include "tap.h"
#include "timing/timing_parts.h"
#include "timing/tune.h"

static bool in_limits(const struct kernel_param *p, int v)
{
	return v >= p->lowest && v <= p->highest;
}

/* Every value can be asked for, and the default is one that is tried. */
static bool table_good(const struct kernel *k)
{
	bool tried = k->tune_count == 0, good = true;

	for (size_t i = 0; i < k->tune_count; i++) {
		bool same = true;

		for (size_t p = 0; p < KERNEL_PARAMS; p++) {
			int v = k->tune[i][p];

			good &= p < kernel_params(k) ?
				in_limits(&k->params[p], v) : v == 0;
			same &= v == k->params[p].values[0];
		}
		tried |= same;
	}
	return good && tried;
}

static void test_table(void)
{
	bool good = true;

	for (size_t i = 0; i < kernel_count; i++) {
		if (table_good(&kernels[i]))
			continue;
		printf("# %s\n", kernels[i].name);
		good = false;
	}
	tap_ok(good, "what is tried is within the limits, and has the default");
}

static void found(const json_t *tables, const char *gpu, const char *defines,
		  int m, const char *want, const char *what)
{
	json_t *d = json_loads(defines, 0, NULL);
	const json_t *got = tuned_find(tables, gpu, "sgemm", d,
				       (int[]) { m, 64, 64 }, false);
	const char *value = json_string_value(json_object_get(got, "BM"));

	tap_str(value ? value : "none", want, "%s", what);
	json_decref(d);
}

static void test_find(void)
{
	json_t *tables = json_loads(
		"[[{\"gpu\":\"G\",\"kernel\":\"sgemm\",\"size\":[64,64,64],"
		"\"defines\":{\"BM\":\"64\"}},"
		"{\"gpu\":\"G\",\"kernel\":\"sgemm\",\"size\":[1024,64,64],"
		"\"defines\":{\"BM\":\"65\"}},"
		"{\"gpu\":\"G\",\"kernel\":\"sgemm\",\"size\":[100]},"
		"{\"gpu\":\"J\",\"kernel\":\"sgemm\",\"size\":[64,64,64],"
		"\"defines\":{\"BM\":\"68\",\"STAGES\":\"3\"}},"
		"{\"gpu\":\"J\",\"kernel\":\"sgemm\",\"size\":[65,64,64],"
		"\"defines\":{\"BM\":\"9999\"}},"
		"{\"gpu\":7}, 8],"
		"[{\"gpu\":\"G\",\"kernel\":\"sgemm\",\"size\":[256,64,64],"
		"\"defines\":{\"BM\":\"66\"}},"
		"{\"gpu\":\"H\",\"kernel\":\"sgemm\",\"size\":[64,64,64],"
		"\"defines\":{\"BM\":\"67\"}}]]", 0, NULL);

	found(tables, "G", "{}", 200, "64", "the nearest size in powers of two");
	found(tables, "G", "{}", 300, "65", "on either side");
	found(tables, "G", "{}", 256, "64", "the first table comes first");
	found(tables, "H", "{}", 999, "67", "then the second");
	found(tables, "I", "{}", 64, "none", "a GPU that nobody has tuned");
	found(tables, "G", "{\"BM\":\"9\"}", 64, "none",
	      "what is defined is not tuned");
	found(tables, "G", "{\"EXPONENT\":\"8\"}", 64, "64",
	      "what else is defined lets it be");
	found(tables, "J", "{}", 64, "none",
	      "what the kernel does not take, or has no more");
	found(NULL, "G", "{}", 64, "none", "no tables");
	json_decref(tables);
}

/* Whether a case has these values, 0: any; its split is the model's. */
static bool tries(const struct benchmark_plan *p, const struct kernel *k,
		  const int *values)
{
	bool found = false;

	for (size_t i = 0; i < p->job.case_count && !found; i++) {
		int its[KERNEL_PARAMS];

		kernel_defaults(k, its);
		found = true;
		for (size_t n = 0; n < kernel_params(k); n++) {
			const char *text =
				job_defined(&p->job.cases[i].defines,
					    k->params[n].name);

			if (n != k->choices->split && values[n])
				found &= (text ? atoi(text) : its[n]) ==
					 values[n];
		}
	}
	return found;
}

static void test_tried(const char *name)
{
	const struct kernel *k = kernel_find(name);
	const struct job_defines none = { 0 };
	struct benchmark_plan p;
	bool all = true, split = false;

	benchmark_plan_init(&p);
	if (tune_add(&p, k, &none, NULL))
		fatal("%s is not tuned", name);
	for (size_t i = 0; i < k->choices->count; i++)
		all &= tries(&p, k, k->choices->list[i].p);
	for (size_t i = 0; i < p.job.case_count; i++)
		split |= job_defined(&p.job.cases[i].defines,
			k->params[k->choices->split].name) != NULL;
	tap_ok(all && !split, "%s: the shapes of its choice are tried, unsplit",
	       name);
	benchmark_plan_done(&p);
}

/* Shapes that one is chosen of are split as the model says; what is kept has the
 * split of the fastest. */
static void test_split(void)
{
	const struct kernel *k = kernel_find("sgemm");
	const struct job_defines none = { 0 };
	struct benchmark_plan p;
	struct tuned_list best;
	struct timing *t = timing_empty(2, 1);
	struct job_kernel what = { 0 };

	benchmark_plan_init(&p);
	if (tune_add(&p, k, &none, NULL))
		fatal("sgemm is not tuned");
	t->machine.gpu = xstrdup("G");
	t->sizes[t->size_count++] = (struct problem_sizes){ 64, 64, 64 };
	what = job_kernel_copy(&p.job.cases[0]);
	timing_add_case(t, &what);
	job_define(&t->results[0].defines, "SPLIT", "7");
	t->results[0].samples = xcalloc(1, sizeof(double));
	t->results[0].samples[0] = 1;
	t->results[0].sample_count = 1;
	best = tune_best(t, k);
	tap_str(best.count ? job_defined(&best.entries[0].defines, "SPLIT") :
		"none", "7", "the fastest is kept as it was split");
	tuned_list_done(&best);
	timing_free(t);
	benchmark_plan_done(&p);
}

static void path(const char *data, const char *home, const char *want)
{
	struct error e;
	char *got;

	setenv("XDG_DATA_HOME", data, 1);
	setenv("HOME", home, 1);
	got = tuned_path(&e);
	tap_str(got ? got : "none", want, "XDG_DATA_HOME=%s HOME=%s", data,
		home);
	free(got);
}

static void test_path(void)
{
	path("/data", "/home", "/data/gemmviz/tuned.json");
	path("", "/home", "/home/.local/share/gemmviz/tuned.json");
	path("data", "/home", "/home/.local/share/gemmviz/tuned.json");
	path("", "", "none");
}

int main(void)
{
	test_path();
	test_table();
	test_find();
	test_tried("sgemm");
	test_tried("hgemm");
	test_split();
	return tap_done();
}
