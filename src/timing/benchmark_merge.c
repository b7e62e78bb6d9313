/*
 * Merges recorded benchmarks: for each case and size the newest result of the
 * newest text of the kernel, on the GPU that is shown.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "timing/benchmark.h"
#include "timing/timing_parts.h"

/* ---- what there is ---- */

/* Compares two texts, of which either may be NULL. */
static bool same_hash(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Finds a case with the same kernel and the same text; -1 when there is
 * none. */
static long same_text_case(const struct timing *from,
			   const struct timing_case *n)
{
	long at = benchmark_case(from, &n->what);

	return at >= 0 && same_hash(from->cases[at].text_hash, n->text_hash) ?
		       at :
		       -1;
}

static long find_size(const struct timing *t, const struct problem_sizes *s)
{
	for (size_t i = 0; i < t->size_count; i++)
		if (t->sizes[i].m == s->m && t->sizes[i].n == s->n &&
		    t->sizes[i].k == s->k)
			return (long)i;
	return -1;
}

/* Orders sizes for qsort(): cubes before the others, small ones first. */
static int by_sides(const void *a, const void *b)
{
	const struct problem_sizes *x = a, *y = b;
	bool cube = x->m == x->n && x->n == x->k;
	bool other = y->m == y->n && y->n == y->k;
	double volume = (double)x->m * x->n * x->k;
	double its = (double)y->m * y->n * y->k;

	if (cube != other)
		return other - cube;
	if (volume != its)
		return volume < its ? -1 : 1;
	return x->m != y->m ? x->m - y->m : x->n - y->n;
}

static void add_sizes(struct timing *to, const struct benchmark_shelf *s)
{
	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < s->races[i]->size_count; k++)
			if (to->size_count < TIMING_MAX_SIZES &&
			    find_size(to, &s->races[i]->sizes[k]) < 0)
				to->sizes[to->size_count++] =
					s->races[i]->sizes[k];
	qsort(to->sizes, to->size_count, sizeof(*to->sizes), by_sides);
}

/* Returns the position of a case: the table's order of kernels, cuBLAS last. */
static size_t case_rank(const struct timing_case *n)
{
	const struct kernel *k = n->what.name ? kernel_find(n->what.name) :
						NULL;

	return k ? (size_t)(k - kernels) : kernel_count + n->baseline;
}

static int by_place(const void *a, const void *b)
{
	const struct timing_case *x = *(const struct timing_case *const *)a;
	const struct timing_case *y = *(const struct timing_case *const *)b;
	size_t i = case_rank(x), k = case_rank(y);

	if (i != k)
		return i < k ? -1 : 1;
	return strlen(x->label) != strlen(y->label) ?
	       (strlen(x->label) < strlen(y->label) ? -1 : 1) :
	       strcmp(x->label, y->label);
}

/* Adds all cases, each as the newest benchmark has it. */
static void add_cases(struct timing *to, const struct benchmark_shelf *s)
{
	const struct timing_case *found[TIMING_MAX_CASES];
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct timing *t = s->races[i];

		for (size_t k = 0; k < t->case_count; k++) {
			bool known = count == LENGTH(found);

			for (size_t j = 0; j < count && !known; j++)
				known = benchmark_same_case(&found[j]->what,
							    &t->cases[k].what);
			if (!known)
				found[count++] = &t->cases[k];
		}
	}
	qsort(found, count, sizeof(*found), by_place);
	for (size_t i = 0; i < count; i++) {
		struct job_kernel what = job_kernel_copy(&found[i]->what);
		struct timing_case *n = &to->cases[to->case_count];

		timing_add_case(to, &what);
		free(n->label);
		n->label = xstrdup(found[i]->label);
		n->text_hash = found[i]->text_hash ?
			       xstrdup(found[i]->text_hash) : NULL;
	}
}

/* ---- results ---- */

/* Copies the counters that no newer benchmark has. */
static void take_counts(struct timing_case *n, size_t size,
			const struct timing_case *from, size_t at)
{
	struct timing_counts theirs = from->counts[at];

	if (n->intensity[size] == NA)
		n->intensity[size] = from->intensity[at];
	for (size_t i = 0; i < timing_count_count; i++) {
		double *to = timing_count(&n->counts[size], i);

		if (*to == NA)
			*to = *timing_count(&theirs, i);
	}
}

/* Tests whether a result has times, or a reason why it has none. */
static bool has_outcome(const struct timing_result *r)
{
	return r->sample_count || r->state == TIMING_SKIPPED ||
	       r->state == TIMING_FAILED;
}

static void fill_merged_result(struct timing *to, size_t size, size_t case_at,
			       const struct benchmark_shelf *s)
{
	struct timing_case *n = &to->cases[case_at];
	struct timing_result *r = timing_result_at(to, size, case_at);

	for (size_t i = 0; i < s->count; i++) {
		const struct timing *t = s->races[i];
		long c = same_text_case(t, n);
		long at = c < 0 ? -1 : find_size(t, &to->sizes[size]);

		if (at < 0)
			continue;
		take_counts(n, size, &t->cases[c], (size_t)at);
		if (!r->from &&
		    has_outcome(timing_result(t, (size_t)at, (size_t)c)))
			timing_copy_result(r, t, (size_t)at, (size_t)c);
	}
}

/* ---- the order ---- */

/* Returns the size with the most times and counters; of equals the largest
 * cube. */
static size_t main_size(const struct timing *t)
{
	size_t best = 0, most = 0;

	for (size_t s = 0; s < t->size_count; s++) {
		const struct problem_sizes *d = &t->sizes[s];
		size_t n = 0;

		for (size_t i = 0; i < t->case_count; i++)
			n += (timing_result(t, s, i)->sample_count > 0) +
			     (t->cases[i].counts[s].seconds != NA);
		if (n > most || (n == most && d->m == d->n && d->n == d->k)) {
			best = s;
			most = n;
		}
	}
	return best;
}

/* All take turns, as in a race. */
static void order_size(struct timing *t, size_t size)
{
	bool more = true;

	for (size_t k = 0; more; k++) {
		more = false;
		for (size_t i = 0; i < t->case_count; i++) {
			size_t at = size * t->case_count + i;

			if (t->results[at].sample_count <= k)
				continue;
			timing_sampled(t, at);
			more = true;
		}
	}
}

static void order_sizes(struct timing *t)
{
	size_t first = main_size(t);

	order_size(t, first);
	for (size_t s = 0; s < t->size_count; s++)
		if (s != first)
			order_size(t, s);
}

static struct timing *merge_shelf(const struct benchmark_shelf *s)
{
	struct timing *t = timing_empty(TIMING_MAX_CASES, TIMING_MAX_SIZES);

	timing_copy_machine(&t->machine, &s->races[0]->machine);
	add_sizes(t, s);
	add_cases(t, s);
	for (size_t size = 0; size < t->size_count; size++)
		for (size_t i = 0; i < t->case_count; i++)
			fill_merged_result(t, size, i, s);
	order_sizes(t);
	t->merged = t->done = true;
	timing_provenance(t);
	return t;
}

struct timing *benchmark_merge(const struct benchmark_shelf *s)
{
	const char *gpu = benchmark_shelf_gpu(s);
	struct benchmark_shelf of = {
		.races = xcalloc(s->count + 1, sizeof(*of.races)),
	};
	struct timing *t;

	for (size_t i = 0; i < s->count; i++)
		if (same_hash(s->races[i]->machine.gpu, gpu))
			of.races[of.count++] = s->races[i];
	t = of.count ? merge_shelf(&of) : NULL;
	free(of.races);
	return t;
}

/* Merges a folder's benchmarks, and keeps the result for as long as the program
 * runs. */
const struct timing *benchmark_measured(const char *folder)
{
	static struct timing *all;
	static char *of;
	struct benchmark_shelf s;

	if (all && !strcmp(of, folder))
		return all;
	timing_free(all);
	free(of);
	of = xstrdup(folder);
	s = benchmark_shelf_read(folder, NULL);
	all = benchmark_merge(&s);
	benchmark_shelf_done(&s);
	return all;
}

const struct timing *benchmark_shipped(void)
{
	char *folder = xasprintf("%s/races", paths()->data);
	const struct timing *t = benchmark_measured(folder);

	free(folder);
	return t;
}

const char *benchmark_gpu(void)
{
	const struct timing *t = benchmark_shipped();

	return t ? t->machine.gpu : NULL;
}
