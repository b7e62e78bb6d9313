#include "viz/pictures/memory/scene_memory.h"

#include <stdlib.h>

#include "scene/benchmark_scene.h"
#include "scene/rungs.h"
#include "scene/stage.h"

#define WAVEFRONT_BYTES (BANKS * BANK_BYTES)

/* Returns the bytes of L1 that wasted wavefronts stand for: those beyond what
 * the loads take without conflicts, and beyond one for each request. */
static double compute_wasted_bytes(const struct timing_case *n,
				   const struct timing_counts *c,
				   const struct problem_sizes *size)
{
	const struct ladder_rung *r = ladder_find(n);
	double shared = c->shared_load_wavefronts, global, waste = 0;

	if (!r || benchmark_group_of(n) != GROUP_FLOAT || shared == NA)
		return 0;
	waste += MAX(0, shared - ladder_loads(r, r->shared_load_ideal, size));
	global = c->l1_wavefronts - shared - c->shared_store_wavefronts;
	waste += MAX(0, global - c->global_load_requests -
			c->global_store_requests);
	/* A tenth is what any launch has. */
	return waste > c->l1_wavefronts / 10 ? waste * WAVEFRONT_BYTES : 0;
}

static void add_column(struct scene_memory *m, const struct rungs *r, long at)
{
	struct memory_column *k = &m->columns[m->count];
	const struct timing_counts *c;

	for (size_t i = 0; i < m->count; i++)
		if (at >= 0 && m->columns[i].label == r->t->cases[at].label)
			return;
	if (at < 0 || m->count == MEMORY_COLUMNS)
		return;
	c = rungs_counts(r, at);
	*k = (struct memory_column){
		.label = r->t->cases[at].label,
		.own = at == r->own,
		.bytes = { c->l1_wavefronts * WAVEFRONT_BYTES,
			   c->l2_read_bytes + c->l2_write_bytes,
			   c->dram_bytes },
		.waste = compute_wasted_bytes(&r->t->cases[at], c, &m->size),
		.seconds = rungs_seconds(r, at),
		.flops = timing_figures(r->t, r->size, (size_t)at).flops,
	};
	for (int i = 0; i < MEMORY_SHAFTS; i++) {
		m->widest = MAX(m->widest, k->bytes[i]);
		if (!m->raced)
			continue;
		k->least[i] = k->bytes[i] / m->raced->level[i + 1].bandwidth;
		if (k->least[i] > k->least[k->slowest])
			k->slowest = i;
	}
	m->count++;
}

static const struct stage_part memory_part = {
	.bytes = sizeof(struct scene_memory),
};

/* Fills scene.memory from slow to fast: the first rung, the one below, the
 * kernel's own and another. */
void scene_memory(struct stage *s, int other)
{
	struct scene_memory *m = stage_state(s, &memory_part);
	struct rungs r = rungs_find(s->info, 0);
	double n;

	s->scene.memory = m;
	*m = (struct scene_memory){0};
	if (!r.t || r.own < 0)
		return;
	m->size = r.t->sizes[r.size];
	m->gpu = r.t->machine.gpu;
	m->levels = memory_shown(m->gpu);
	m->raced = memory_measured(m->gpu);
	n = timing_halves(&r.t->cases[r.own].what) ? 2 : 4;
	m->matrices = n * ((double)m->size.m * m->size.k +
			   (double)m->size.k * m->size.n +
			   (double)m->size.m * m->size.n);
	add_column(m, &r, r.first);
	add_column(m, &r, r.below);
	add_column(m, &r, r.own);
	add_column(m, &r, rungs_other(&r, r.best, other));
}
