/* schedule: puts requests into an order in which they may have been executed.
 * See schedule.h. */
#include "provenance/schedule.h"

#include <stdlib.h>

/* Arrivals at a phase of an mbarrier. */
struct arrivals {
	uint32_t array, phase;
	uint64_t offset;
	uint32_t to_come;
	uint64_t last;			/* when the last one came */
};

struct scheduled_warp {
	size_t index;
	uint32_t next;			/* request */
	bool waits;			/* at the request `at` */
	struct trace_request at;
	uint64_t acquired;
	/* By sync point: how often it comes there, and has passed. */
	uint32_t *comes, *passed;
};

struct schedule {
	struct trace *t;
	const struct trace_info *info;
	struct scheduled_warp *warps;
	size_t warp_count, warp_capacity;
	struct arrivals *arrivals;
	size_t arrival_count, arrival_capacity;
	uint64_t time;
};

/* ---- what is to come ---- */

/* Returns the number of a site's sync point, where warps of a block wait for
 * each other: 0 for all barriers, one each for the sites of OP_SYNC. */
static uint32_t sync_point(const struct schedule *s, uint32_t site)
{
	return s->info->sites[site].op == OP_BARRIER ? 0 : site + 1;
}

static struct arrivals *arrivals_at(const struct schedule *s,
				    const struct trace_request *r,
				    uint32_t lane)
{
	for (size_t i = s->arrival_count; i-- > 0; ) {
		struct arrivals *a = &s->arrivals[i];

		if (a->array == s->info->sites[r->site].array &&
		    a->offset == r->offset[lane] &&
		    a->phase == r->value[lane * 4])
			return a;
	}
	return NULL;
}

static void arrivals_expect(struct schedule *s, const struct trace_request *r)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct arrivals *a;

		if (!(r->mask >> lane & 1))
			continue;
		a = arrivals_at(s, r, lane);
		if (!a) {
			grow(&s->arrivals, &s->arrival_capacity,
			     s->arrival_count + 1, sizeof(*a));
			a = &s->arrivals[s->arrival_count++];
			*a = (struct arrivals){
				.array = s->info->sites[r->site].array,
				.phase = r->value[lane * 4],
				.offset = r->offset[lane],
			};
		}
		a->to_come++;
	}
}

static int warp_expect(struct schedule *s, struct scheduled_warp *w,
		       struct error *e)
{
	struct trace_request r;
	uint32_t site;

	w->comes = xcalloc(s->info->site_count + 1, sizeof(*w->comes));
	w->passed = xcalloc(s->info->site_count + 1, sizeof(*w->passed));
	for (uint32_t i = 0; i < trace_warp(s->t, w->index)->requests; i++) {
		enum op op;

		if (trace_get_site(s->t, w->index, i, &site, e))
			return -1;
		op = s->info->sites[site].op;
		if (op == OP_BARRIER || op == OP_SYNC)
			w->comes[sync_point(s, site)]++;
		if (op != OP_MBAR_ARRIVE)
			continue;
		if (trace_get(s->t, w->index, i, &r, e))
			return -1;
		arrivals_expect(s, &r);
	}
	return 0;
}

/* ---- waiting ---- */

static uint32_t block_of(const struct schedule *s,
			 const struct scheduled_warp *w)
{
	return trace_warp(s->t, w->index)->block;
}

/* Returns whether x has come to the point at which w waits as often as w, or
 * never will. */
static bool has_come(const struct schedule *s, const struct scheduled_warp *x,
		     const struct scheduled_warp *w)
{
	uint32_t m = sync_point(s, w->at.site);

	return x->passed[m] > w->passed[m] || x->comes[m] <= w->passed[m] ||
	       (x->passed[m] == w->passed[m] && x->waits &&
		sync_point(s, x->at.site) == m);
}

static bool all_have_come(const struct schedule *s,
			  const struct scheduled_warp *w)
{
	for (size_t i = 0; i < s->warp_count; i++)
		if (block_of(s, &s->warps[i]) == block_of(s, w) &&
		    !has_come(s, &s->warps[i], w))
			return false;
	return true;
}

/* Lets each waiting warp acquire what all have done, when the last warp has
 * come. */
static void acquire_all(struct schedule *s, const struct scheduled_warp *w)
{
	uint32_t m = sync_point(s, w->at.site);

	for (size_t i = 0; i < s->warp_count; i++) {
		struct scheduled_warp *x = &s->warps[i];

		if (block_of(s, x) == block_of(s, w) && x->waits &&
		    sync_point(s, x->at.site) == m)
			x->acquired = s->time;
	}
}

/* Returns whether the phases that w waits for are complete; w then acquires
 * what was done before them. */
static bool phases_over(const struct schedule *s, struct scheduled_warp *w)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		const struct arrivals *a = w->at.mask >> lane & 1 ?
			arrivals_at(s, &w->at, lane) : NULL;

		if (a && a->to_come)
			return false;
		if (a)
			w->acquired = MAX(w->acquired, a->last);
	}
	return true;
}

static bool may_go_on(const struct schedule *s, struct scheduled_warp *w)
{
	return s->info->sites[w->at.site].op == OP_MBAR_WAIT ?
	       phases_over(s, w) : all_have_come(s, w);
}

static void resume_warp(const struct schedule *s, struct scheduled_warp *w)
{
	w->waits = false;
	if (s->info->sites[w->at.site].op != OP_MBAR_WAIT)
		w->passed[sync_point(s, w->at.site)]++;
}

/* ---- warps take turns ---- */

static void count_arrivals(struct schedule *s, const struct trace_request *r)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct arrivals *a = r->mask >> lane & 1 ?
				     arrivals_at(s, r, lane) : NULL;

		if (a) {
			a->to_come--;
			a->last = s->time;
		}
	}
}

static void begin_wait(struct schedule *s, struct scheduled_warp *w,
		       const struct trace_request *r)
{
	w->waits = true;
	w->at = *r;
	if (s->info->sites[r->site].op != OP_MBAR_WAIT &&
	    all_have_come(s, w))
		acquire_all(s, w);
}

/* Runs a warp up to its next wait. Returns 0; 1 when visit() did not return 0;
 * -1 with e. */
static int run_warp(struct schedule *s, struct scheduled_warp *w,
		    int (*visit)(void *ctx, const struct schedule_step *step),
		    void *ctx, struct error *e)
{
	const struct trace_warp *of = trace_warp(s->t, w->index);
	struct trace_request r;

	while (!w->waits && w->next < of->requests) {
		struct schedule_step step = {
			.warp = w->index, .of = of, .request = w->next,
			.r = &r, .time = ++s->time, .acquired = w->acquired,
		};
		enum op op;
		int end;

		if (trace_get(s->t, w->index, w->next++, &r, e))
			return -1;
		end = visit(ctx, &step);
		if (end)
			return 1;
		op = s->info->sites[r.site].op;
		if (op == OP_MBAR_ARRIVE)
			count_arrivals(s, &r);
		else if (op == OP_BARRIER || op == OP_SYNC ||
			 op == OP_MBAR_WAIT)
			begin_wait(s, w, &r);
	}
	return 0;
}

/* Returns the first waiting warp, when no warp can go on; NULL: none waits. */
static struct scheduled_warp *find_waiting_warp(const struct schedule *s)
{
	for (size_t i = 0; i < s->warp_count; i++)
		if (s->warps[i].waits)
			return &s->warps[i];
	return NULL;
}

static int run_all(struct schedule *s, int (*visit)(void *ctx,
		   const struct schedule_step *step), void *ctx,
		   struct error *e)
{
	struct scheduled_warp *forced = NULL;

	do {
		bool moved = false;

		for (size_t i = 0; i < s->warp_count; i++) {
			struct scheduled_warp *w = &s->warps[i];
			uint32_t before = w->next;
			int end;

			if (w->waits && w != forced && !may_go_on(s, w))
				continue;
			if (w == forced)
				w->acquired = s->time;
			if (w->waits)
				resume_warp(s, w);
			end = run_warp(s, w, visit, ctx, e);
			if (end)
				return MIN(end, 0);
			moved |= w->next != before;
		}
		forced = moved ? NULL : find_waiting_warp(s);
		if (!moved && !forced)
			return 0;
	} while (true);
}

int schedule_visit(struct trace *t, uint32_t block, uint32_t blocks,
		   int (*visit)(void *ctx, const struct schedule_step *step),
		   void *ctx, struct error *e)
{
	struct schedule s = { .t = t, .info = trace_info(t) };
	int status = 0;

	for (size_t i = 0; i < trace_warp_count(t) && !status; i++) {
		struct scheduled_warp w = { .index = i };

		if (trace_warp(t, i)->block - block >= blocks)
			continue;
		grow(&s.warps, &s.warp_capacity, s.warp_count + 1, sizeof(w));
		s.warps[s.warp_count++] = w;
		status = warp_expect(&s, &s.warps[s.warp_count - 1], e);
	}
	if (!status)
		status = run_all(&s, visit, ctx, e);
	for (size_t i = 0; i < s.warp_count; i++) {
		free(s.warps[i].comes);
		free(s.warps[i].passed);
	}
	free(s.warps);
	free(s.arrivals);
	return status;
}
