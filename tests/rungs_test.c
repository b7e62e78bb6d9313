/*
 * rungs_test: the kernel on stage among those that were measured: the memory's
 * floors and the bill. The figures are those of data/.
 */
#include <string.h>

#include "base/lang.h"
#include "scene/rungs.h"
#include "viz/pictures/cost/rung_cost.h"
#include "viz/pictures/memory/scene_memory.h"
#include "scene/stage.h"
#include "tap.h"

static struct stage stage;
static struct trace_define tile = { (char *)"TILE", (char *)"32" };

static void stand(const char *kernel, struct trace_define *define)
{
	static struct trace_info info;

	info = (struct trace_info){ .kernel = (char *)kernel,
				    .defines = define,
				    .define_count = define != NULL };
	stage.info = &info;
}

static void test_rungs(void)
{
	struct rungs r;

	stand("tiled", &tile);
	r = rungs_find(stage.info, 0);
	if (!r.t || r.own < 0)
		fatal("nothing was measured");
	tap_str(r.t->cases[r.own].label, "tiled TILE=32",
		"the case is of the recorded parameters");
	tap_str(r.t->cases[r.below].name, "naive", "naive is the rung below");
	tap_str(r.t->cases[r.best].name, "sgemm", "sgemm the fastest");
	stand("hgemm", NULL);
	r = rungs_find(stage.info, 0);
	tap_str(r.t->cases[r.first].name, "wmma",
		"tensor cores have a ladder of their own");
	r = rungs_find(stage.info, -1);
	tap_str(r.t->cases[r.own].name, "tma_pipeline", "a rung further down");
	tap_ok(rungs_other(&r, r.own, 1) != r.own &&
	       rungs_other(&r, rungs_other(&r, r.own, 1), -1) == r.own,
	       "others come one after the other, and back");
	stand("bug_edge", NULL);
	tap_ok(!rungs_has(stage.info) && rungs_find(stage.info, 0).own < 0,
	       "a defect is no rung");
	stand("somebody", NULL);
	tap_ok(!rungs_has(stage.info), "nor is a reader's kernel");
}

static const struct memory_column *column(const char *label)
{
	for (size_t i = 0; i < stage.scene.memory->count; i++)
		if (!strcmp(stage.scene.memory->columns[i].label, label))
			return &stage.scene.memory->columns[i];
	fatal("no column %s", label);
}

static void test_memory(void)
{
	static const char *const halves[] = { "wmma", "mma", "hgemm" };
	const struct scene_memory *m;
	const struct memory_column *k;

	stand("tiled_bt", NULL);
	scene_memory(&stage, 0);
	m = stage.scene.memory;
	tap_ok(m->count == 4 && m->levels && m->size.m == 4096,
	       "four kernels, at the size of which most is known");
	tap_ok(m->matrices == 3 * 4096.0 * 4096 * 4, "A, B and C once");
	k = column("tiled_bt");
	tap_ok(k->own && m->widest == k->bytes[0],
	       "of these tiled_bt has the widest shaft");
	tap_ok(k->waste > k->bytes[0] / 2,
	       "most of it is what its conflicts add");
	tap_ok(k->slowest == 0 && k->least[0] > 0.9 * k->seconds &&
	       k->least[0] < k->seconds,
	       "which takes nearly all of its time");
	k = column("tiled TILE=32");
	tap_ok(k->waste == 0 && k->bytes[1] < k->bytes[0] / 20,
	       "a tile in shared memory makes the shaft to L2 thin");
	tap_ok(m->levels->level[MEMORY_L1].bandwidth >
	       m->levels->level[MEMORY_L2].bandwidth &&
	       m->levels->level[MEMORY_L2].bandwidth >
	       m->levels->level[MEMORY_DRAM].bandwidth,
	       "each floor down gives less");
	tap_ok(m->levels->level[MEMORY_L1].cycles <
	       m->levels->level[MEMORY_L2].cycles &&
	       m->levels->level[MEMORY_L2].cycles <
	       m->levels->level[MEMORY_DRAM].cycles, "and is slower");
	stand("naive", NULL);
	scene_memory(&stage, 0);
	tap_ok(m->columns[0].bytes[0] > 0 && m->count >= 2,
	       "the first rung stands beside the fastest");
	for (size_t i = 0; i < LENGTH(halves); i++) {
		double waste = 0;

		stand(halves[i], NULL);
		scene_memory(&stage, 0);
		for (size_t c = 0; c < m->count; c++)
			waste += m->columns[c].waste;
		tap_ok(m->count > 1 && waste == 0,
		       "%s: of tensor cores' loads the ladder knows no least",
		       halves[i]);
	}
}

static void test_bill(void)
{
	const struct rung_cost *b;

	stand("tiled_bt", NULL);
	rung_cost(&stage, 0);
	b = stage.scene.bill;
	tap_ok(b->known && !strcmp(b->now.label, "tiled_bt") &&
	       !strcmp(b->before.label, "tiled TILE=32"),
	       "tiled_bt's bill is held against tiled's");
	tap_ok(b->now.seconds > 4 * b->before.seconds, "and so is the time");
	tap_ok(rung_limiter(b->now.counts) == UNIT_L1 &&
	       rung_work_of(UNIT_L1) == RUNG_L1 &&
	       rung_count(b->now.counts, RUNG_L1) >
	       4 * rung_count(b->before.counts, RUNG_L1),
	       "both wait for L1, which has more to do");
	stand("wmma", NULL);
	rung_cost(&stage, 0);
	tap_ok(b->known && rung_limiter(b->now.counts) == UNIT_NONE,
	       "no unit near its limit limits wmma");
	stand("naive", NULL);
	rung_cost(&stage, 0);
	tap_ok(b->known && !strcmp(b->before.label, "cuBLAS fp32"),
	       "the first rung is held against the library");
}

int main(void)
{
	lang_init("en");
	test_rungs();
	test_memory();
	test_bill();
	return tap_done();
}
