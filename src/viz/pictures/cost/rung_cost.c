#include "viz/pictures/cost/rung_cost.h"

#include "scene/rungs.h"
#include "scene/stage.h"

static struct bill_side get_side(const struct rungs *r, long at)
{
	if (at < 0)
		return (struct bill_side){ .label = NULL };
	return (struct bill_side){
		.label = r->t->cases[at].label,
		.counts = rungs_counts(r, at),
		.seconds = rungs_seconds(r, at),
		.date = timing_result(r->t, r->size, (size_t)at)->date,
	};
}

static const struct stage_part bill_part = {
	.bytes = sizeof(struct rung_cost),
};

static void fill_cost(struct stage *s, const struct rungs *r)
{
	struct rung_cost *b = stage_state(s, &bill_part);

	s->scene.bill = b;
	*b = (struct rung_cost){0};
	if (!r->t || r->own < 0)
		return;
	b->known = true;
	b->gpu = r->t->machine.gpu;
	b->size = r->t->sizes[r->size];
	b->before = get_side(r, r->below);
	b->now = get_side(r, r->own);
}

void rung_cost(struct stage *s, int by)
{
	struct rungs r = rungs_find(s->info, by);

	/* The first rung stands next to the library. */
	if (r.below < 0)
		r.below = rungs_library(&r, r.own);

	fill_cost(s, &r);
}

void rung_cost_between(struct stage *s, const char *now, const char *before,
		       int by)
{
	struct rungs r = rungs_find(s->info, 0);

	r.own = rungs_case(&r, now);
	if (by)
		rungs_step(&r, by);
	else
		r.below = *before ? rungs_case(&r, before) : rungs_library(&r, r.own);
	fill_cost(s, &r);
}
