/* What the table says of tuning, the entries that are kept, and grids. */
#include <stdlib.h>

#include "kernels/kernels.h"
#include "tap.h"
#include "timing/tuned.h"

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
	return tap_done();
}
