/*
 * scene_opening: the position at which a trace is opened if the reader has
 * chosen none: where the kernel's idea shows.
 *
 * For tensor cores this is a product in the middle of the work of the first
 * block that computes any, or, if other warps order the tiles, the copy in the
 * middle of theirs; otherwise a read in the middle of the loop over k, the
 * first one of its phase, or one there with many bank conflicts.
 */
#include "app/scene_opening.h"

#include <stdlib.h>

#include "scene/scene_fragments.h"
#include "scene/stage.h"

#define CONFLICTS_MANY 16

/* Kinds of requests. */
enum what { WHAT_ELSE, WHAT_GLOBAL, WHAT_SHARED, WHAT_PRODUCT, WHAT_COPY,
	    WHAT_COUNT };

/* The first requests of each run of one kind: the first ones after a gate. */
struct runs { uint32_t *at; size_t count, capacity; };

struct opening_search {
	struct stage *s;
	uint8_t *site;			/* enum what, by site */
	struct runs runs[WHAT_COUNT];
};

static void classify_sites(struct opening_search *c)
{
	const struct scene *sc = &c->s->scene;

	c->site = xcalloc(c->s->info->site_count + 1, 1);
	for (size_t i = 0; i < c->s->info->site_count; i++) {
		const struct trace_site *site = &c->s->info->sites[i];
		enum fragments_kind kind;
		enum space space;

		if (site->array == TRACE_NO_ARRAY)
			continue;
		kind = fragments_at(sc, site, NULL);
		space = c->s->info->arrays[site->array].space;
		if (kind == FRAGMENTS_WGMMA ||
		    (kind == FRAGMENTS_MMA && site->op == OP_ST))
			c->site[i] = WHAT_PRODUCT;
		else if (site->op == OP_TMA_LD)
			c->site[i] = WHAT_COPY;
		else if (site->op == OP_LD && space == SPACE_SHARED)
			c->site[i] = WHAT_SHARED;
		else if (site->op == OP_LD && space == SPACE_GLOBAL)
			c->site[i] = WHAT_GLOBAL;
	}
}

static bool is_gate(enum op op)
{
	return op == OP_BARRIER || op == OP_MBAR_WAIT;
}

static void add_run_start(struct runs *r, uint32_t request)
{
	grow(&r->at, &r->capacity, r->count + 1, sizeof(*r->at));
	r->at[r->count++] = request;
}

/* Finds the runs of a warp: requests of one kind between gates. Each read from
 * global memory counts as one. */
static void find_runs(struct opening_search *c, size_t warp)
{
	bool in_run[WHAT_COUNT] = { false };
	uint32_t site;

	for (int i = 0; i < WHAT_COUNT; i++)
		c->runs[i].count = 0;
	for (uint32_t i = 0; i < trace_warp(c->s->trace, warp)->requests;
	     i++) {
		enum what what;

		if (trace_get_site(c->s->trace, warp, i, &site, NULL))
			return;
		what = c->site[site];
		if (is_gate(stage_site(c->s, site)->op))
			for (int k = 0; k < WHAT_COUNT; k++)
				in_run[k] = false;
		if (what == WHAT_ELSE ||
		    (in_run[what] && what != WHAT_GLOBAL))
			continue;
		in_run[what] = true;
		add_run_start(&c->runs[what], i);
	}
}

static bool choose_middle_run(const struct opening_search *c, enum what what,
			      size_t warp, struct cursor *p)
{
	const struct runs *r = &c->runs[what];

	if (!r->count)
		return false;
	p->warp = warp;
	p->request = r->at[r->count / 2];
	return true;
}

/* Moves the cursor to the site with the most wavefronts among the shared reads
 * up to the next gate, if one takes many times its minimum. */
static void to_conflict(struct opening_search *c, struct cursor *p)
{
	uint32_t requests = trace_warp(c->s->trace, p->warp)->requests;
	bool *seen = xcalloc(c->s->info->site_count + 1, sizeof(*seen));
	struct cursor at = *p;
	int most = 0;
	uint32_t site;

	for (; at.request < requests &&
	       !trace_get_site(c->s->trace, at.warp, at.request, &site, NULL) &&
	       !is_gate(stage_site(c->s, site)->op); at.request++) {
		const struct scene *sc;

		if (seen[site] || c->site[site] != WHAT_SHARED)
			continue;
		seen[site] = true;
		sc = stage_scene(c->s, &at);
		if (sc->costs && sc->cost.wavefronts > most &&
		    sc->cost.wavefronts >=
		    CONFLICTS_MANY * sc->cost.ideal_wavefronts) {
			most = sc->cost.wavefronts;
			*p = at;
		}
	}
	free(seen);
}

/* Finds the first warp of the cursor's block that does `what`. */
static bool find_warp_doing(struct opening_search *c, enum what what,
			    bool alone, struct cursor *p)
{
	uint32_t block = trace_warp(c->s->trace, p->warp)->block;

	for (size_t i = p->warp; i < trace_warp_count(c->s->trace) &&
				 trace_warp(c->s->trace, i)->block == block;
	     i++) {
		find_runs(c, i);
		if (alone && c->runs[WHAT_PRODUCT].count)
			continue;
		if (choose_middle_run(c, what, i, p))
			return true;
	}
	return false;
}

/* Moves the cursor to the first request of the trace, if there is one. */
static void to_first(const struct stage *s, struct cursor *p)
{
	for (size_t w = 0; w < trace_warp_count(s->trace); w++)
		if (trace_warp(s->trace, w)->requests) {
			p->warp = w;
			p->request = 0;
			return;
		}
}

bool stage_opening(struct stage *s, struct cursor *p)
{
	struct opening_search c = { .s = s };
	bool found = false;

	if (trace_warp_count(s->trace)) {
		to_first(s, p);
		classify_sites(&c);
		found = find_warp_doing(&c, WHAT_COPY, true, p) ||
			find_warp_doing(&c, WHAT_PRODUCT, false, p);
		if (!found && find_warp_doing(&c, WHAT_SHARED, false, p)) {
			to_conflict(&c, p);
			found = true;
		}
		found = found || find_warp_doing(&c, WHAT_GLOBAL, false, p);
	}
	free(c.site);
	for (int i = 0; i < WHAT_COUNT; i++)
		free(c.runs[i].at);
	return found;
}
