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

/* Finds a kernel. Returns its result; NULL: it has no time. */
static const struct timing_result *find_one(const struct timing *t, size_t size,
					    const char *word,
					    struct measured *out)
{
	const struct timing_result *r;
	const struct kernel *k;
	struct benchmark_plan p;
	long at = -1;

	benchmark_plan_init(&p);
	if (word && !benchmark_add(&p, word, NULL))
		at = benchmark_case(t, &p.job.cases[0]);
	benchmark_plan_done(&p);
	if (at < 0)
		return NULL;
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
	return out->flops != NA ? r : NULL;
}

static char *arch_of(const struct timing_machine *m)
{
	int major, minor;

	return m->compute && sscanf(m->compute, "%d.%d", &major, &minor) == 2 ?
	       xasprintf("sm_%d%d", major, minor) : NULL;
}

size_t measured_find(const char *const *words, size_t count, int n,
		     struct measured *out, struct measured_race *race)
{
	const struct timing *t = benchmark_shipped();
	long size = t ? find_cube(t, n) : -1;
	const char *date = NULL;
	size_t found = 0;

	*race = (struct measured_race){ .n = n };
	for (size_t i = 0; i < count; i++) {
		const struct timing_result *r;

		out[i] = unknown;
		r = size < 0 ? NULL : find_one(t, (size_t)size, words[i],
					       &out[i]);
		if (!r)
			continue;
		if (r->date && (!date || strcmp(date, r->date) < 0))
			date = r->date;
		found++;
	}
	if (found) {
		race->gpu = t->machine.gpu ? xstrdup(t->machine.gpu) : NULL;
		race->date = date ? xstrdup(date) : NULL;
		race->arch = arch_of(&t->machine);
	}
	return found;
}

void measured_race_done(struct measured_race *race)
{
	free(race->gpu);
	free(race->arch);
	free(race->date);
	*race = (struct measured_race){ .n = 0 };
}
