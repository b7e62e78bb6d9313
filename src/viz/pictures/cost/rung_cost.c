#include "viz/pictures/cost/rung_cost.h"

#include <stdlib.h>
#include <string.h>

#include "scene/rungs.h"
#include "scene/stage.h"
#include "timing/ladder.h"

/* Predicts the sectors and wavefronts of the source's accesses. */
static void predict_counts(struct bill_side *to, const struct timing_case *n,
			   const struct problem_sizes *size)
{
	const struct ladder_rung *r = ladder_find(n);

	if (!r || benchmark_group_of(n) != GROUP_FLOAT)
		return;
	to->count[BILL_SECTORS].predicted =
		ladder_loads(r, r->load_sectors, size);
	to->count[BILL_WAVEFRONTS].predicted =
		ladder_loads(r, r->shared_wavefronts, size);
}

static double add_known(double a, double b)
{
	return a == NA || b == NA ? NA : a + b;
}

static void fill_side(struct bill_side *to, const struct rungs *r, long at)
{
	const struct problem_sizes *size = &r->t->sizes[r->size];
	const struct timing_case *n;
	const struct timing_counts *c;

	*to = (struct bill_side){ .reason = { .busy = NA, .issue = NA } };
	for (int i = 0; i < BILL_ROWS; i++)
		to->count[i] = (struct bill_count){ NA, NA };
	if (at < 0)
		return;
	n = &r->t->cases[at];
	c = rungs_counts(r, at);
	to->label = n->label;
	to->flops = timing_figures(r->t, r->size, (size_t)at).flops;
	predict_counts(to, n, size);
	to->count[BILL_LOADS].measured =
		add_known(c->global_load_requests, c->shared_load_instructions);
	to->count[BILL_SECTORS].measured = c->global_load_sectors;
	to->count[BILL_WAVEFRONTS].measured = add_known(
		c->shared_load_wavefronts, c->shared_store_wavefronts);
	to->count[BILL_L2].measured =
		add_known(c->l2_read_bytes, c->l2_write_bytes);
	to->count[BILL_DRAM].measured = c->dram_bytes;
	to->count[BILL_DRAM].predicted =
		(timing_halves(&n->what) ? 2.0 : 4.0) *
		((double)size->m * size->k + (double)size->k * size->n +
		 (double)size->m * size->n);
	to->count[BILL_TIME].measured = rungs_seconds(r, at);
	benchmark_reason_fill(&to->reason, n, c, size);
}

static const struct stage_part bill_part = {
	.bytes = sizeof(struct rung_cost),
};

static void fill_cost(struct stage *s, const struct rungs *r)
{
	struct rung_cost *b = stage_state(s, &bill_part);
	const struct kernel *now, *before;

	s->scene.bill = b;
	*b = (struct rung_cost){0};
	if (!r->t || r->own < 0)
		return;
	now = kernel_find(r->t->cases[r->own].name);
	before = r->below < 0 ? NULL : kernel_find(r->t->cases[r->below].name);
	b->known = true;
	b->gpu = r->t->machine.gpu;
	b->size = r->t->sizes[r->size];
	/* What was changed is known of one rung only. */
	if (now && before && now->after && !strcmp(now->after, before->name))
		b->idea = now->idea;
	fill_side(&b->before, r, r->below);
	fill_side(&b->now, r, r->own);
}

void rung_cost(struct stage *s, int by)
{
	struct rungs r = rungs_find(s->info, by);

	fill_cost(s, &r);
}

void rung_cost_between(struct stage *s, const char *now, const char *before)
{
	struct rungs r = rungs_find(s->info, 0);

	r.own = rungs_case(&r, now);
	r.below = *before ? rungs_case(&r, before) : rungs_library(&r, r.own);
	fill_cost(s, &r);
}
