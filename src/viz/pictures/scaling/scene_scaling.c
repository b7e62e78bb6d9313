/* scene_scaling: see scene_scaling.h. */
#include "viz/pictures/scaling/scene_scaling.h"
#include "scene/stage.h"

#include "timing/across.h"
#include "timing/benchmark.h"

#include <stdlib.h>

/* Adds a row of the fastest run of its kind. Returns NULL if it was not
 * measured. */
static struct scaling_row *add_measured_row(struct scaling_size *z,
					    const struct across *a,
					    enum scaling_what what,
					    enum across_by by, int gpus)
{
	const struct across_run *r = across_find(a, by, z->n, gpus);
	struct scaling_row *row = &z->row[z->count];

	if (!r || z->count == SCALING_ROWS)
		return NULL;
	z->count++;
	*row = (struct scaling_row){ .what = what, .gpus = gpus,
				     .seconds = r->seconds,
				     .spread = r->spread, .faster = NA };
	if (z->row[0].what == SCALING_ONE && what != SCALING_ONE)
		row->faster = z->row[0].seconds / r->seconds;
	return row;
}

static void add_parts(struct scaling_size *z, const struct across *a, int gpus)
{
	const struct across_run *panels = across_find(a, ACROSS_PANELS, z->n,
						      gpus);
	struct scaling_row *row =
		panels ? add_measured_row(z, a, SCALING_PARTS, ACROSS_PRODUCTS,
					  gpus) :
			 NULL;

	if (!row)
		return;
	row->panels = panels->seconds;
	row->seconds += panels->seconds;
	row->spread = row->faster = NA;
}

static void add_scaling_limit(struct scaling_size *z, const struct across *a,
			      int gpus)
{
	const struct across_run *r = across_find(a, ACROSS_ALL, z->n, gpus);
	double limit = r ? across_limit(a, r) : NA;
	struct scaling_row *row;

	if (limit == NA)
		return;
	row = add_measured_row(z, a, SCALING_LIMIT, ACROSS_ALL, gpus);
	if (!row)
		return;
	row->seconds = limit;
	row->spread = row->faster = NA;
}

static struct scaling_size measure_size(const struct across *a, int n, int gpus)
{
	struct scaling_size z = { .n = n };

	add_measured_row(&z, a, SCALING_ONE, ACROSS_SGEMM, 1);
	for (int i = 2; i <= gpus; i++)
		add_measured_row(&z, a, SCALING_ALL, ACROSS_ALL, i);
	add_measured_row(&z, a, SCALING_FIRST, ACROSS_FIRST, gpus);
	add_parts(&z, a, gpus);
	add_scaling_limit(&z, a, gpus);
	return z;
}

/* Returns the greatest size below `limit` at which several GPUs were timed; 0:
 * none. */
static int next_size(const struct across *a, int limit)
{
	int n = 0;

	for (size_t i = 0; i < a->count; i++)
		if (a->runs[i].gpus > 1 && a->runs[i].n < limit)
			n = MAX(n, a->runs[i].n);
	return n;
}

static const struct stage_part scaling_part = {
	.bytes = sizeof(struct scene_scaling),
};

void scene_scaling(struct stage *s)
{
	struct scene_scaling *to = stage_state(s, &scaling_part);
	const struct across *a = across_measured(benchmark_gpu());
	int sizes[SCALING_SIZES], n = INT32_MAX, found = 0;

	s->scene.scaling = to;
	*to = (struct scene_scaling){ .copied = NA };
	if (!a)
		return;
	to->gpu = a->gpu;
	to->date = a->date;
	to->copied = a->copied;
	for (size_t i = 0; i < a->count; i++)
		to->gpus = MAX(to->gpus, a->runs[i].gpus);
	while (found < SCALING_SIZES && (n = next_size(a, n)))
		sizes[found++] = n;
	while (found)
		to->size[to->count++] =
			measure_size(a, sizes[--found], to->gpus);
}
