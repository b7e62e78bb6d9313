/* Selects a part of a benchmark, and replays one. */
#include <stdlib.h>
#include <string.h>

#include "timing/timing_parts.h"

static char *copy_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

void timing_copy_machine(struct timing_machine *to,
			 const struct timing_machine *from)
{
	*to = *from;
	to->gpu = copy_or_null(from->gpu);
	to->compute = copy_or_null(from->compute);
	to->driver = copy_or_null(from->driver);
	to->cuda = copy_or_null(from->cuda);
	to->cublas = copy_or_null(from->cublas);
	to->uuid = copy_or_null(from->uuid);
}

/* Copies a case, for the sizes that are selected. */
static void copy_case(struct timing *to, const struct timing *from,
		      size_t at, const bool *sizes)
{
	const struct timing_case *n = &from->cases[at];
	struct job_kernel what = job_kernel_copy(&n->what);
	struct timing_case *its = &to->cases[to->case_count];
	size_t k = 0;

	timing_add_case(to, &what);
	free(its->label);
	its->label = xstrdup(n->label);
	its->text_hash = copy_or_null(n->text_hash);
	for (size_t s = 0; s < from->size_count; s++) {
		if (sizes && !sizes[s])
			continue;
		its->intensity[k] = n->intensity[s];
		its->counts[k++] = n->counts[s];
	}
}

/* Copies everything but the results of the selected cases and sizes (NULL:
 * all). */
static struct timing *copy_outline(const struct timing *t, const bool *cases,
				   const bool *sizes)
{
	struct timing *to = timing_empty(t->case_count, t->size_count);

	for (size_t s = 0; s < t->size_count; s++)
		if (!sizes || sizes[s])
			to->sizes[to->size_count++] = t->sizes[s];
	for (size_t i = 0; i < t->case_count; i++)
		if (!cases || cases[i])
			copy_case(to, t, i, sizes);
	timing_copy_machine(&to->machine, &t->machine);
	to->date = copy_or_null(t->date);
	to->from = copy_or_null(t->from);
	to->merged = t->merged;
	return to;
}

/* Copies all of a result but the samples. */
static void copy_facts(struct timing_result *to,
		       const struct timing_result *from)
{
	to->state = from->state;
	to->error = from->error;
	to->bound = from->bound;
	to->registers = from->registers;
	to->shared_bytes = from->shared_bytes;
	to->tried = from->tried;
	to->early = from->early;
	to->clock_mhz = from->clock_mhz;
	job_defines_done(&to->defines);
	to->defines = job_defines_copy(&from->defines);
	to->why = copy_or_null(from->why);
	to->reference = copy_or_null(from->reference);
	to->date = copy_or_null(from->date);
	to->from = copy_or_null(from->from);
}

void timing_copy_result(struct timing_result *to, const struct timing *from,
			size_t size, size_t case_at)
{
	const struct timing_result *r = timing_result(from, size, case_at);

	copy_facts(to, r);
	to->date = copy_or_null(from->date);
	to->from = copy_or_null(from->from);
	grow(&to->samples, &to->sample_capacity, r->sample_count,
	     sizeof(*to->samples));
	memcpy(to->samples, r->samples,
	       r->sample_count * sizeof(*to->samples));
	to->sample_count = r->sample_count;
}

/* The names of the files, each once. */
static char *names_of(const struct timing *t)
{
	struct str out = {0};

	for (size_t i = 0; i < t->size_count * t->case_count; i++) {
		const char *from = t->results[i].from;

		if (!from || !t->results[i].sample_count)
			continue;
		from = file_base(from);
		if (!out.len || !strstr(out.data, from))
			str_addf(&out, "%s%s", out.len ? ", " : "", from);
	}
	return str_take(&out);
}

/* Formats the day of the results, or the first and the last day; NULL when none
 * has a date. */
static char *days_of(const struct timing *t)
{
	const char *first = NULL, *last = NULL;

	for (size_t i = 0; i < t->size_count * t->case_count; i++) {
		const char *date = t->results[i].date;

		if (!date || !t->results[i].sample_count)
			continue;
		if (!first || strcmp(date, first) < 0)
			first = date;
		if (!last || strcmp(date, last) > 0)
			last = date;
	}
	if (!first)
		return NULL;
	return strcmp(first, last) ? xasprintf("%s \xe2\x80\x93 %s", first,
					       last) : xstrdup(first);
}

void timing_provenance(struct timing *t)
{
	if (!t->merged)
		return;
	free(t->date);
	free(t->from);
	t->date = days_of(t);
	t->from = names_of(t);
}

static void copy_sample(struct timing *t, size_t result,
			const struct timing_result *from)
{
	struct timing_result *to = &t->results[result];

	grow(&to->samples, &to->sample_capacity, to->sample_count + 1,
	     sizeof(*to->samples));
	to->samples[to->sample_count] = from->samples[to->sample_count];
	to->sample_count++;
	timing_sampled(t, result);
}

struct timing *timing_select(const struct timing *t, const bool *cases,
			     const bool *sizes)
{
	struct timing *to = copy_outline(t, cases, sizes);
	size_t *at = xcalloc(t->size_count * t->case_count, sizeof(*at));
	size_t n = 0;

	/* Where each result went, from 1; 0: it is left out. */
	for (size_t i = 0; i < t->size_count * t->case_count; i++) {
		if (!cases[i % t->case_count] ||
		    !sizes[i / t->case_count])
			continue;
		copy_facts(&to->results[n], &t->results[i]);
		at[i] = ++n;
	}
	for (size_t i = 0; i < t->order_count; i++)
		if (at[t->order[i]])
			copy_sample(to, at[t->order[i]] - 1,
				    &t->results[t->order[i]]);
	to->done = t->done;
	timing_provenance(to);
	free(at);
	return to;
}

struct timing *timing_replay(const struct timing *whole)
{
	struct timing *t = copy_outline(whole, NULL, NULL);

	/* What was never sampled has nothing to wait for. */
	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (!whole->results[i].sample_count)
			copy_facts(&t->results[i], &whole->results[i]);
	t->done = !whole->order_count;
	return t;
}

bool timing_replay_next(struct timing *t, const struct timing *whole)
{
	const struct timing_result *from;
	struct timing_result *to;
	uint32_t at;

	if (t->order_count == whole->order_count)
		return false;
	at = whole->order[t->order_count];
	from = &whole->results[at];
	to = &t->results[at];
	if (!to->sample_count) {
		copy_facts(to, from);
		to->state = TIMING_READY;
	}
	copy_sample(t, at, from);
	if (to->sample_count == from->sample_count)
		to->state = from->state;
	t->done = t->order_count == whole->order_count;
	return true;
}
