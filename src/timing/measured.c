#include "timing/measured.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "timing/benchmark.h"
#include "timing/kernel_resources.h"

static const struct measured unknown = { NA, NA, NA, NA, false };

static long find_cube(const struct timing *t, int n)
{
	for (size_t i = 0; i < t->size_count; i++)
		if (t->sizes[i].m == n && t->sizes[i].n == n &&
		    t->sizes[i].k == n)
			return (long)i;
	return -1;
}

/* Finds a kernel; `older`: also if its source has changed since. */
static bool find_one(const struct timing *t, size_t size, const char *word,
		     bool older, struct measured *out)
{
	const struct timing_result *r;
	const struct kernel *k;
	struct benchmark_plan p;
	long at = -1;

	*out = unknown;
	benchmark_plan_init(&p);
	if (word && !benchmark_add(&p, word, NULL))
		at = benchmark_case(t, &p.job.cases[0]);
	benchmark_plan_done(&p);
	if (at < 0 || (benchmark_text_changed(&t->cases[at]) && !older))
		return false;
	out->older = benchmark_text_changed(&t->cases[at]);
	out->flops = timing_figures(t, size, (size_t)at).flops;
	r = timing_result(t, size, (size_t)at);
	out->registers = r->registers;
	out->shared = r->shared_bytes;
	k = kernel_find(t->cases[at].name);
	if (k)
		out->threads = kernel_block_threads(k, r->defines.count ?
						    &r->defines :
						    &t->cases[at].what.defines);
	return out->flops != NA;
}

static size_t find_all(const struct timing *t, const char *const *words,
		       size_t count, int n, bool older, struct measured *out)
{
	long size = find_cube(t, n);
	size_t found = 0;

	for (size_t i = 0; size >= 0 && i < count; i++)
		found += find_one(t, (size_t)size, words[i], older, &out[i]);
	return found;
}

static char *arch_of(const struct timing_machine *m)
{
	int major, minor;

	return m->compute && sscanf(m->compute, "%d.%d", &major, &minor) == 2 ?
	       xasprintf("sm_%d%d", major, minor) : NULL;
}

/* Returns the installed benchmarks, read once. */
static const struct benchmark_shelf *installed_races(void)
{
	static struct benchmark_shelf shelf;
	static bool read;

	if (!read) {
		char *folder = xasprintf("%s/races", paths()->data);

		shelf = benchmark_shelf_read(folder, NULL);
		read = true;
		free(folder);
	}
	return &shelf;
}

/* Finds the race that has most of the kernels. Returns how many those are. */
static size_t find_race(const struct benchmark_shelf *shelf,
			const char *const *words, size_t count, int n,
			bool older, struct measured *out, size_t *best)
{
	const char *gpu = benchmark_shelf_gpu(shelf);
	size_t most = 0;

	for (size_t i = 0; i < shelf->count; i++) {
		const struct timing *t = shelf->races[i];
		size_t found;

		if (!gpu || !t->machine.gpu || strcmp(gpu, t->machine.gpu))
			continue;
		found = find_all(t, words, count, n, older, out);
		if (found > most) {
			most = found;
			*best = i;
		}
	}
	return most;
}

size_t measured_find(const char *const *words, size_t count, int n,
		     struct measured *out, struct measured_race *race)
{
	const struct benchmark_shelf *shelf = installed_races();
	bool older = false;
	size_t best = 0, most;

	*race = (struct measured_race){ .n = n };
	most = find_race(shelf, words, count, n, older, out, &best);
	if (!most) {
		older = true;
		most = find_race(shelf, words, count, n, older, out, &best);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = unknown;
	if (most) {
		const struct timing *t = shelf->races[best];

		find_all(t, words, count, n, older, out);
		race->gpu = t->machine.gpu ? xstrdup(t->machine.gpu) : NULL;
		race->date = t->date ? xstrdup(t->date) : NULL;
		race->arch = arch_of(&t->machine);
	}
	return most;
}

void measured_race_done(struct measured_race *race)
{
	free(race->gpu);
	free(race->arch);
	free(race->date);
	*race = (struct measured_race){ .n = 0 };
}
