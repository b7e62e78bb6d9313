/* advice_vector: a lane's adjacent accesses to global memory, one after the
 * other, as one of 16 bytes: four floats as a float4. In shared memory the
 * compiler does so by itself, for it knows the array's alignment. */
#include <stdlib.h>

#include "analysis/advice_finder.h"
#include "analysis/advice_run.h"

struct vectors {
	struct advice_search *s;
	struct together {
		struct advice_run run;
		int64_t run_sectors, run_times;
		/* of all requests, and as they would be */
		int64_t requests, sectors, new_requests, new_sectors;
		uint32_t line, column;	/* where the first full run begins */
		uint32_t parts;		/* accesses of a full run */
	} *of[2];			/* per array: loads, stores */
};

static void *start(struct advice_search *s)
{
	struct vectors *v = xcalloc(1, sizeof(*v));

	v->s = s;
	for (int op = 0; op < 2; op++)
		v->of[op] = xcalloc(s->info->array_count, sizeof(**v->of));
	return v;
}

static int64_t wide_sectors(const struct trace_array *a,
			    const struct advice_run *run)
{
	struct access x = { .space = ACCESS_GLOBAL, .op = run->op,
			    .bytes = RUN_BYTES, .mask = run->first.mask };
	struct access_cost cost;

	for (int lane = 0; lane < WARP_LANES; lane++)
		x.address[lane] = a->base + run->first.offset[lane];
	return access_cost(&x, &cost, NULL) ? INT64_C(1) << 40 : cost.sectors;
}

static void end_vector_run(const struct trace_info *info, struct together *t,
			   const struct trace_array *a)
{
	const struct trace_site *site = &info->sites[t->run.first.site];

	if (!t->run.count)
		return;
	if (run_full(&t->run)) {
		t->new_requests += t->run_times;
		t->new_sectors += t->run_times * wide_sectors(a, &t->run);
		t->parts = t->run.count;
		if (!t->line) {
			t->line = site->line;
			t->column = site->column;
		}
	} else {
		t->new_requests += t->run_times * t->run.count;
		t->new_sectors += t->run_times * t->run_sectors;
	}
	t->run.count = 0;
	t->run_sectors = 0;
}

static void end_array(struct vectors *v, size_t array)
{
	for (int op = 0; op < 2; op++)
		end_vector_run(v->s->info, &v->of[op][array],
			       &v->s->info->arrays[array]);
}

static void take(void *state, const struct advice_at *at,
		 const struct trace_request *r)
{
	struct vectors *v = state;
	const struct trace_site *site;
	const struct trace_array *a;
	const struct access_cost *cost;
	struct together *t;

	if (at->first || v->s->info->sites[r->site].op == OP_BARRIER)
		for (size_t i = 0; i < v->s->info->array_count; i++)
			end_array(v, i);
	if (!advice_access(v->s->info, r, &site, &a) ||
	    a->space != SPACE_GLOBAL)
		return;
	t = &v->of[site->op == OP_ST][site->array];
	if (site->op == OP_ST)
		end_vector_run(v->s->info, &v->of[0][site->array], a);
	cost = cost_memo_get(v->s->memo, r);
	if (!cost)
		return;
	t->requests += at->times;
	t->sectors += at->times * cost->sectors;
	if (!run_extend(&t->run, site, r)) {
		end_vector_run(v->s->info, t, a);
		if (!run_begin(&t->run, site, a, r)) {
			t->new_requests += at->times;
			t->new_sectors += at->times * cost->sectors;
			return;
		}
		t->run_times = at->times;
	}
	t->run_sectors += cost->sectors;
}

static void judge_vectors(struct vectors *v, const struct together *t,
			  uint32_t array)
{
	struct advice a = {
		.kind = ADVICE_VECTOR, .line = t->line, .column = t->column,
		.array = array, .from = t->parts, .to = 1,
		.counts = { { ADVICE_REQUESTS, t->requests,
			      t->new_requests },
			    { ADVICE_SECTORS, t->sectors, t->new_sectors } },
		.count = t->sectors != t->new_sectors ? 2 : 1,
		.saves = t->requests - t->new_requests + t->sectors -
			 t->new_sectors,
	};

	/* Most of them, not a corner of the array. */
	if (t->new_requests * 2 <= t->requests && t->parts)
		advice_add(v->s, &a);
}

static void finish(void *state, struct advice_search *s)
{
	struct vectors *v = state;

	for (size_t i = 0; i < s->info->array_count; i++) {
		end_array(v, i);
		for (int op = 0; op < 2; op++)
			judge_vectors(v, &v->of[op][i], (uint32_t)i);
	}
	free(v->of[0]);
	free(v->of[1]);
	free(v);
}

const struct advice_finder advice_vector = {
	.start = start, .take = take, .finish = finish,
};
