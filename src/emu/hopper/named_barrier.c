/*
 * named_barrier: named barriers (PTX ISA, bar), and the barrier of a cluster
 * (barrier.cluster). See named_barrier.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/vector_clock.h"
#include "emu/hopper/named_barrier.h"
#include "emu/unit.h"
#include "emu/warp/arch_check.h"

/* PTX ISA, bar: 16 of a block; 0 is __syncthreads()'s. */
#define NAMED 16

static struct {
	struct named_barrier named[CLUSTER_MOST][NAMED];
	/* The cluster's barrier: vector clocks of the arrivals since it was
	 * passed last, and until then; which threads have arrived. */
	uint32_t *arriving, *completed;
	uint32_t round;
	bool arrived[CLUSTER_MOST][BLOCK_THREADS_MAX];
} c;

/* Resets all barriers for another cluster. */
static void cluster_begin(void)
{
	for (uint32_t i = 0; i < rec.cluster * NAMED; i++)
		c.named[i / NAMED][i % NAMED].come = 0;
	memset(c.arrived, 0, rec.cluster * sizeof(*c.arrived));
	free(c.arriving);
	free(c.completed);
	c.arriving = vector_clock_new();
	c.completed = vector_clock_new();
	c.round = 0;
}

/* ---- arriving and waiting ---- */

struct named_wait {
	const struct named_barrier *g;
	uint32_t round;
};

static bool over(struct thread *t, void *on)
{
	const struct named_wait *w = on;

	(void)t;
	return w->g->round != w->round;
}

static void never(const struct thread *t, const void *on)
{
	const struct named_barrier *g = ((const struct named_wait *)on)->g;

	uint32_t missing = g->need - g->come;

	if (g->number)
		emu_finding(t, (struct trace_finding) {
			.cause = CAUSE_NAMED_BARRIER,
			.number = { g->number, g->need, missing },
		});
	else
		emu_finding(t, (struct trace_finding) {
			.cause = CAUSE_WGMMA_MISSING,
			.number = { g->need, missing },
		});
}

void named_barrier_arrive(struct named_barrier *g,
			  void (*finish)(struct named_barrier *g))
{
	struct named_wait on = { g, g->round };
	struct wait w = { .over = over, .never = never, .on = &on };

	g->threads[g->come++] = rec.thread;
	if (g->come < g->need) {
		thread_wait(&w);
		return;
	}
	finish(g);
	g->come = 0;
	g->round++;
}

/* ---- bar ---- */

static void named_finish(struct named_barrier *g)
{
	struct acquired all = { .known = NULL };

	vector_clock_join_all(g->threads, g->come);
	for (uint32_t i = 0; i < g->come; i++)
		scope_order_join(&all, &g->threads[i]->remote);
	for (uint32_t i = 0; i < g->come; i++)
		scope_order_join(&g->threads[i]->remote, &all);
	acquired_done(&all);
}

void gemmviz_bar_sync(int id, int threads, void *here);
void gemmviz_bar_sync(int id, int threads, void *here)
{
	struct named_barrier *g;

	if (!rec.thread)
		return;
	thread_sync(here);
	if (id < 1 || id >= NAMED)
		emu_finding_stops(CAUSE_NAMED_BARRIER_NUMBER);
	/* One for more threads than the block has waits for ever. */
	if (threads <= 0 || threads % WARP_LANES)
		emu_finding_stops(CAUSE_NAMED_BARRIER_WARPS);
	g = &c.named[rec.rank][id];
	if (g->come && g->need != (uint32_t)threads)
		emu_finding_stops(CAUSE_NAMED_BARRIER_COUNT);
	g->need = (uint32_t)threads;
	g->number = (uint32_t)id;
	named_barrier_arrive(g, named_finish);
}

/* ---- the cluster ---- */

static bool is_thread_gone(const struct thread *t)
{
	return t->state == THREAD_ENDED || t->state == THREAD_STOPPED;
}

/* Returns whether all threads of the cluster have arrived or are gone. */
static bool all_arrived(void)
{
	for (uint32_t r = 0; r < rec.cluster; r++)
		for (uint32_t i = 0; i < rec.thread_count; i++)
			if (!c.arrived[r][i] &&
			    !is_thread_gone(&rec.blocks[r].threads[i]))
				return false;
	return true;
}

static bool cluster_over(struct thread *t, void *on)
{
	const uint32_t *round = on;

	(void)t;
	if (c.round == *round && all_arrived()) {
		vector_clock_join(c.completed, c.arriving);
		units_publish(c.completed);
		memset(c.arrived, 0, sizeof(c.arrived));
		c.round++;
	}
	return c.round != *round;
}

static void cluster_never(const struct thread *t, const void *on)
{
	(void)on;
	emu_finding_cause(t, CAUSE_CLUSTER_MISSING);
}

void gemmviz_cluster_arrive(void *here);
void gemmviz_cluster_arrive(void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	arch_check("barrier.cluster.arrive", "cluster's barrier", here);
	thread_sync(here);
	if (c.arrived[rec.rank][t->number])
		emu_finding_stops(CAUSE_CLUSTER_ARRIVE);
	c.arrived[rec.rank][t->number] = true;
	t->cluster_round = c.round;
	vector_clock_release(t, c.arriving);
}

void gemmviz_cluster_wait(void *here);
void gemmviz_cluster_wait(void *here)
{
	struct thread *t = rec.thread;
	struct wait w = { .over = cluster_over, .never = cluster_never,
			  .on = t ? &t->cluster_round : NULL };

	if (!t)
		return;
	thread_sync(here);
	if (!c.arrived[rec.rank][t->number] && t->cluster_round == c.round)
		emu_finding_stops(CAUSE_CLUSTER_WAIT);
	thread_wait(&w);
	vector_clock_acquire(t, c.completed);
}

uint32_t gemmviz_cluster_rank(void);
uint32_t gemmviz_cluster_rank(void)
{
	return rec.rank;
}

uint32_t gemmviz_cluster_blocks(void);
uint32_t gemmviz_cluster_blocks(void)
{
	return rec.cluster;
}

static void thread_begin(struct thread *t)
{
	t->cluster_round = 0;
}

/* ---- blocks that take turns ---- */

struct named_kept {
	struct named_barrier barrier;
	size_t at;
	struct named_kept *next;
};

void *named_barriers_keep(struct named_barrier *g, size_t count)
{
	struct named_kept *first = NULL;

	for (size_t i = 0; i < count; i++) {
		struct named_kept *k;

		if (!g[i].come)
			continue;
		k = xmalloc(sizeof(*k));
		*k = (struct named_kept) { g[i], i, first };
		g[i].come = 0;
		first = k;
	}
	return first;
}

void named_barriers_put_back(struct named_barrier *g, size_t count,
			     void *kept)
{
	struct named_kept *k = kept;

	for (size_t i = 0; i < count; i++)
		g[i].come = 0;
	while (k) {
		struct named_kept *next = k->next;

		g[k->at] = k->barrier;
		free(k);
		k = next;
	}
}

/* Keeps the barriers of a block whose cluster has no other. */
static void *block_suspend(void)
{
	return named_barriers_keep(c.named[0], NAMED);
}

static void block_resume(void *kept)
{
	named_barriers_put_back(c.named[0], NAMED, kept);
}

const struct emu_unit named_barrier_unit = {
	.block_suspend = block_suspend,
	.block_resume = block_resume,
	.cluster_begin = cluster_begin,
	.thread_begin = thread_begin,
};
