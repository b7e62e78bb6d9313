/*
 * kernels_test: what make has read in the table of kernels is what C has
 * compiled of it, and each kernel's text has its entry.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/programs.h"
#include "tap.h"

/* As src/kernels/builds.awk prints it. */
static void build_add(struct str *s, const struct kernel *k, const char *values)
{
	if (s->len)
		str_addc(s, ' ');
	if (k->arch)
		str_addf(s, "%d%s", k->arch, k->arch_only ? "a" : "");
	else
		str_add(s, "any");
	str_addf(s, "/%s%s", k->name, values);
}

static void param_add(struct str *s, const struct kernel *k,
		      const struct kernel_param *p)
{
	for (size_t v = 1; v < LENGTH(p->values) && p->values[v]; v++) {
		char *value = xasprintf("-%s.%d", p->name, p->values[v]);

		build_add(s, k, value);
		free(value);
	}
}

static char *builds_of_table(void)
{
	struct str s = { 0 };

	for (size_t i = 0; i < kernel_count; i++) {
		build_add(&s, &kernels[i], "");
		for (size_t p = 0; p < kernel_params(&kernels[i]); p++)
			param_add(&s, &kernels[i], &kernels[i].params[p]);
	}
	return str_take(&s);
}

static char *builds_of_make(void)
{
	char *command = xasprintf("make -s --no-print-directory -C '%s' "
				  "print-builds", getenv("builddir"));
	FILE *f = popen(command, "r");
	char *line = NULL;
	size_t size = 0;

	if (f && getline(&line, &size, f) > 0)
		line[strcspn(line, "\n")] = '\0';
	if (f)
		pclose(f);
	free(command);
	return line;
}

static void test_builds(void)
{
	char *table = builds_of_table(), *make = builds_of_make();

	tap_str(make, table, "make builds what the table has");
	free(table);
	free(make);
}

/* Texts that nobody would build or distribute. */
static void test_texts(void)
{
	char *folder = xasprintf("%s/src/kernels", getenv("srcdir"));
	DIR *d = opendir(folder);
	const struct dirent *f;
	size_t count = 0;

	while (d && (f = readdir(d))) {
		char *name = xstrdup(f->d_name), *dot = strrchr(name, '.');

		if (dot && !strcmp(dot, ".cu")) {
			*dot = '\0';
			count += tap_ok(kernel_find(name) ||
					own_program_find(name),
					"%s is in a table", name);
		}
		free(name);
	}
	tap_is(count, kernel_count + own_program_count,
	       "and each of the tables is there");
	if (d)
		closedir(d);
	free(folder);
}

/* A word that is copied at once is 8 halves: sizes at its edge, M, N and K, and
 * whether they are refused. */
static void test_refusals(void)
{
	static const struct { const char *kernel; int m, n, k; bool refused; }
	is[] = {
		{ "mma", 16, 16, 16, false }, { "mma", 5, 8, 24, false },
		{ "mma", 16, 12, 16, true }, { "mma", 16, 16, 12, true },
		{ "tma_pipeline", 5, 8, 24, false },
		{ "tma_pipeline", 64, 12, 64, true },
		{ "tma_pipeline", 64, 64, 12, true },
		{ "wmma", 16, 16, 16, false }, { "wmma", 24, 16, 16, true },
		{ "wmma", 16, 24, 16, true }, { "wmma", 16, 16, 24, true },
	};

	for (size_t i = 0; i < LENGTH(is); i++) {
		const struct kernel *k = kernel_find(is[i].kernel);
		int values[KERNEL_PARAMS];

		for (size_t p = 0; p < LENGTH(values); p++)
			values[p] = k->params[p].values[0];
		tap_is(k->refuses(values, is[i].m, is[i].n, is[i].k) != NULL,
		       is[i].refused, "%s, %d x %d x %d", k->name, is[i].m,
		       is[i].n, is[i].k);
	}
}

/* Where TMA brings tiles as a whole, what is stepped through is as large as
 * them: hgemm's two blocks of 256 rows stand below each other. Along K the tiles
 * are more than a tensor core's kernel has stages; others need six. */
static void test_shown(void)
{
	static const struct { const char *kernel; int m, n, k; } is[] = {
		{ "wgmma_basic", 64, 128, 320 },
		{ "tma_pipeline", 256, 128, 320 },
		{ "hgemm", 512, 128, 320 }, { "mma", 64, 64, 256 },
		{ "mma_multistage", 64, 64, 256 }, { "tiled", 64, 64, 64 },
		{ "sgemm_pipelined", 64, 128, 96 }, { "sgemm", 64, 64, 96 },
	};

	for (size_t i = 0; i < LENGTH(is); i++) {
		const struct kernel *k = kernel_find(is[i].kernel);
		int values[KERNEL_PARAMS];
		struct problem_sizes size;

		kernel_defaults(k, values);
		size = kernel_shown(k, values);
		tap_ok(size.m == is[i].m && size.n == is[i].n &&
		       size.k == is[i].k, "%s is shown at %d x %d x %d", k->name,
		       size.m, size.n, size.k);
	}
}

int main(void)
{
	test_shown();
	test_builds();
	test_texts();
	test_refusals();
	return tap_done();
}
