/* Recorded benchmarks, and the part of them that a plan names. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "timing/benchmark.h"

/* Compares two kernels with the values of all their parameters. */
bool benchmark_same_case(const struct job_kernel *a,
			 const struct job_kernel *b)
{
	int x[KERNEL_PARAMS], y[KERNEL_PARAMS];
	const struct kernel *k;

	if (!a->name || !b->name)
		return job_kernel_equal(a, b);
	k = kernel_find(a->name);
	if (strcmp(a->name, b->name) || !k)
		return false;
	kernel_values(k, x, job_defined, &a->defines);
	kernel_values(k, y, job_defined, &b->defines);
	return !memcmp(x, y, kernel_params(k) * sizeof(*x));
}

long benchmark_case(const struct timing *t, const struct job_kernel *what)
{
	for (size_t i = 0; i < t->case_count; i++)
		if (benchmark_same_case(&t->cases[i].what, what))
			return (long)i;
	return -1;
}

static bool same_size(const struct problem_sizes *a,
		      const struct problem_sizes *b)
{
	return a->m == b->m && a->n == b->n && a->k == b->k;
}

/* Marks the cases that the plan names; false when one is not there. */
static bool mark_cases(const struct timing *t, const struct benchmark_plan *p,
		       bool *on)
{
	long found;
	size_t i;

	for (i = 0; i < t->case_count; i++)
		on[i] = !p->kernels;
	if (!p->kernels)
		return true;
	for (i = 0; i < p->job.case_count; i++) {
		found = benchmark_case(t, &p->job.cases[i]);
		if (found < 0)
			return false;
		on[found] = true;
		found = timing_held(t, &p->job.cases[i]);
		if (found >= 0)
			on[found] = true;
	}
	return true;
}

static bool mark_sizes(const struct timing *t, const struct benchmark_plan *p,
		       bool *on)
{
	bool any = !p->sizes;

	for (size_t s = 0; s < t->size_count; s++) {
		on[s] = !p->sizes;
		for (size_t i = 0; i < p->job.size_count; i++)
			on[s] |= same_size(&t->sizes[s], &p->job.sizes[i]);
		any |= on[s];
	}
	return any;
}

static struct timing *select_plan(const struct timing *t,
				  const struct benchmark_plan *p)
{
	bool cases[TIMING_MAX_CASES], sizes[TIMING_MAX_SIZES];

	if (!mark_cases(t, p, cases) || !mark_sizes(t, p, sizes))
		return NULL;
	return timing_select(t, cases, sizes);
}

struct timing *benchmark_fit(struct timing *t, const struct benchmark_plan *p,
			     struct error *e)
{
	struct timing *part = select_plan(t, p);

	if (!part)
		error_set(e, EXIT_INPUT, _("%s lacks some of these kernels, or "
					   "has none of these sizes"),
			  text_show(t->from));
	timing_free(t);
	return part;
}

static int is_json(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && !strcmp(d->d_name + n - 5, ".json");
}

static int newest_first(const void *a, const void *b)
{
	const struct timing *x = *(struct timing *const *)a;
	const struct timing *y = *(struct timing *const *)b;
	int order = strcmp(y->date, x->date);

	return order ? order : strcmp(y->from, x->from);
}

struct benchmark_shelf benchmark_shelf_read(const char *folder, struct error *e)
{
	struct benchmark_shelf s = {0};
	struct dirent **files;
	int n = scandir(folder, &files, is_json, alphasort);

	if (n < 0)
		return s;
	s.races = xcalloc((size_t)n + 1, sizeof(*s.races));
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, files[i]->d_name);

		s.races[s.count] = timing_read(path, e);
		s.count += s.races[s.count] != NULL;
		free(path);
		free(files[i]);
	}
	free(files);
	qsort(s.races, s.count, sizeof(*s.races), newest_first);
	return s;
}

void benchmark_shelf_done(struct benchmark_shelf *s)
{
	for (size_t i = 0; i < s->count; i++)
		timing_free(s->races[i]);
	free(s->races);
	*s = (struct benchmark_shelf){0};
}

static bool same_known_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* ---- the GPU that is shown ---- */

static const char *preferred_gpu;

void benchmark_prefer_gpu(const char *words)
{
	preferred_gpu = words;
}

static size_t count_timed(const struct timing *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		n += t->results[i].sample_count > 0;
	return n;
}

static size_t timed_on(const struct benchmark_shelf *s, const char *gpu)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (same_known_text(s->races[i]->machine.gpu, gpu))
			n += count_timed(s->races[i]);
	return n;
}

const char *benchmark_shelf_gpu(const struct benchmark_shelf *s)
{
	const char *shown = NULL;
	size_t most = 0;

	for (size_t i = 0; i < s->count; i++) {
		const char *gpu = s->races[i]->machine.gpu;
		size_t n = timed_on(s, gpu);

		if (gpu && preferred_gpu && strcasestr(gpu, preferred_gpu))
			return gpu;
		if (gpu && (!shown || n > most)) {
			shown = gpu;
			most = n;
		}
	}
	return shown;
}

/* ---- what a plan names ---- */

/* Finds the recorded results that a plan names. */
struct timing *benchmark_find(const char *folder,
			      const struct benchmark_plan *p, struct error *e)
{
	const struct timing *all = benchmark_measured(folder);
	struct timing *found = all ? select_plan(all, p) : NULL;

	if (!found)
		error_set(e, EXIT_GPU, _("no recorded race has these kernels "
					 "and sizes"));
	return found;
}

/* Returns the intensity that one benchmark has for another's case and size, or
 * NA. */
static double intensity_of(const struct timing *t, const struct timing_case *n,
			   const struct problem_sizes *size)
{
	for (size_t i = 0; i < t->case_count; i++) {
		const struct timing_case *o = &t->cases[i];

		if (!same_known_text(o->text_hash, n->text_hash) ||
		    !benchmark_same_case(&o->what, &n->what))
			continue;
		for (size_t s = 0; s < t->size_count; s++)
			if (same_size(&t->sizes[s], size))
				return o->intensity[s];
	}
	return NA;
}

double benchmark_shelf_intensity(const struct benchmark_shelf *s,
				 const struct timing *t, size_t size,
				 size_t case_at, const char **date)
{
	double found = NA;

	for (size_t i = 0; found == NA && i < s->count; i++) {
		if (!same_known_text(s->races[i]->machine.gpu, t->machine.gpu))
			continue;
		found = intensity_of(s->races[i], &t->cases[case_at],
				     &t->sizes[size]);
		*date = s->races[i]->date;
	}
	return found;
}

bool benchmark_text_changed(const struct timing_case *n)
{
	const char *kernel = n->what.name;
	char *path, *text, hash[17];
	size_t len;

	if (!kernel || !n->text_hash || !kernel_find(kernel))
		return false;
	path = xasprintf("%s/%s.cu", paths()->kernels, kernel);
	text = file_read(path, 1 << 20, &len, NULL);
	free(path);
	if (!text)
		return false;
	snprintf(hash, sizeof(hash), "%016llx",
		 (unsigned long long)hash_bytes(text, len));
	free(text);
	return strcmp(hash, n->text_hash) != 0;
}
