/*
 * pipeline_test: what makes the ladder's last rungs pipelines: which warp
 * brings, multiplies and brings out, and how often; in what order stages are
 * filled and drained; what comes while a block computes; and that persistent
 * blocks go on from tile to tile.
 */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "kernels/kernels.h"
#include "analysis/report.h"

/* Whatever its defaults are: two blocks of a cluster compute 256 x 128. */
#define HGEMM "SLABS=2 BM=128 STAGES=4 CLUSTER=2 GROUP=8"
#define SQUARE "SLABS=2 BM=128 STAGES=4 CLUSTER=2 GROUP=8 BESIDE=2"
#define ALONE "SLABS=2 BM=128 STAGES=4 CLUSTER=1 GROUP=8"

#define MULTIPLIERS 0xff0u		/* warps of two warpgroups */
#define LEADERS 0x110u			/* the first of each */

/* ---- who does what ---- */

/* 256 x 256 x 128: two steps of 64 for each tile of C. */
struct deed {
	const char *kernel, *defines, *array;
	enum op op;
	int64_t requests;
	uint32_t bytes, warps;		/* of each; whose they are */
};

static const struct deed deeds[] = {
	/* 8 blocks of one warpgroup, whose first thread brings A and twice
	 * B; all wait, and multiply four times a step. */
	{ "wgmma_basic", "", "A", OP_TMA_LD, 16, 8192, 0x1 },
	{ "wgmma_basic", "", "B", OP_TMA_LD, 32, 8192, 0x1 },
	{ "wgmma_basic", "", "full", OP_MBAR_ARRIVE, 16, 8, 0x1 },
	{ "wgmma_basic", "", "full", OP_MBAR_WAIT, 64, 8, 0xf },
	{ "wgmma_basic", "", "As", OP_WGMMA, 256, 2048, 0xf },
	{ "wgmma_basic", "", "Bs", OP_WGMMA, 256, 4096, 0xf },
	/* 2 blocks with a producer's warpgroup: as much of A, and a quarter of
	 * B, for four times as many rows. */
	{ "tma_pipeline", "", "A", OP_TMA_LD, 4, 32768, 0x1 },
	{ "tma_pipeline", "", "B", OP_TMA_LD, 8, 8192, 0x1 },
	{ "tma_pipeline", "", "shared.empty", OP_MBAR_WAIT, 4, 8, 0x1 },
	{ "tma_pipeline", "", "shared.full", OP_MBAR_ARRIVE, 4, 8, 0x1 },
	{ "tma_pipeline", "", "shared.full", OP_MBAR_WAIT, 32, 8,
	  MULTIPLIERS },
	{ "tma_pipeline", "", "shared.A", OP_WGMMA, 256, 2048, MULTIPLIERS },
	{ "tma_pipeline", "", "shared.B", OP_WGMMA, 256, 4096, MULTIPLIERS },
	/* Only while there may be a next step. */
	{ "tma_pipeline", "", "shared.empty", OP_MBAR_ARRIVE, 4, 8, LEADERS },
	/* 4 blocks of 128 x 128, in clusters of two rows of tiles, each of
	 * which brings half of B's rows to both; C leaves by TMA. */
	{ "hgemm", HGEMM, "A", OP_TMA_LD, 8, 16384, 0x1 },
	{ "hgemm", HGEMM, "B", OP_TMA_LD, 16, 4096, 0x1 },
	{ "hgemm", HGEMM, "shared.full", OP_MBAR_ARRIVE, 8, 8, 0x1 },
	/* Columns of B are the rows of a product, and A's rows its columns. */
	{ "hgemm", HGEMM, "shared.B", OP_WGMMA, 256, 2048, MULTIPLIERS },
	{ "hgemm", HGEMM, "shared.A", OP_WGMMA, 256, 4096, MULTIPLIERS },
	{ "hgemm", HGEMM, "shared.empty", OP_MBAR_ARRIVE, 16, 8, LEADERS },
	{ "hgemm", HGEMM, "shared.out", OP_ST, 512, 16, MULTIPLIERS },
	{ "hgemm", HGEMM, "C", OP_TMA_ST, 16, 8192, LEADERS },
	/* Without a cluster, all of B for each. */
	{ "hgemm", ALONE, "B", OP_TMA_LD, 16, 8192, 0x1 },
	/* Clusters of two by two: half of A's rows and half of B's; three
	 * blocks read what one fetches. */
	{ "hgemm", SQUARE, "A", OP_TMA_LD, 8, 8192, 0x1 },
	{ "hgemm", SQUARE, "B", OP_TMA_LD, 16, 4096, 0x1 },
	{ "hgemm", SQUARE, "shared.empty", OP_MBAR_ARRIVE, 16, 8, LEADERS },
};

/* All that one kind of access does to one array. */
static struct deed done(const struct report *r, const struct deed *d)
{
	struct deed all = { 0 };

	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];

		if (strcmp(s->array, d->array) || s->op != d->op)
			continue;
		all.requests += s->requests;
		all.bytes = s->bytes;
		all.warps |= s->warps;
	}
	return all;
}

static void check_deed(const struct deed *d)
{
	struct trace *t = recorded(d->kernel, d->defines, 256, 256, 128);
	struct deed got = { 0 };
	struct report r;
	struct error e;

	if (t && report_build(t, &r, &e) == 0) {
		got = done(&r, d);
		report_done(&r);
	}
	if (t)
		trace_close(t);
	if (!tap_ok(got.requests == d->requests && got.bytes == d->bytes &&
		    got.warps == d->warps, "%s %s: %s of %s, %lld times, by "
		    "warps %#x", d->kernel, d->defines, op_name(d->op),
		    d->array, (long long)d->requests, d->warps))
		printf("# %lld times %u bytes, by warps %#x\n",
		       (long long)got.requests, got.bytes, got.warps);
}

/* ---- stages ---- */

/* A warp's turns at a ring of mbarriers: the nth is at stage n % stages, and
 * of the phase n / stages; `early` is 1 where it waits for the phase before. */
struct schedule {
	enum op op;
	const char *array;
	uint32_t warps, early, bytes;
};

static const struct schedule turns[] = {
	{ OP_MBAR_WAIT, "shared.empty", 0x1, 1, 0 },
	{ OP_MBAR_ARRIVE, "shared.full", 0x1, 0, 1 },
	{ OP_MBAR_WAIT, "shared.full", MULTIPLIERS, 0, 0 },
	{ OP_MBAR_ARRIVE, "shared.empty", LEADERS, 0, 0 },
};

struct ring {
	const struct schedule *turns;
	uint32_t stages, bytes;		/* of a stage */
	uint32_t kept;			/* of all, how many are not given back */
	uint32_t awaited;		/* and, behind all, are waited for */
	uint32_t warp, block;		/* whose count this is */
	uint32_t n, most;
	bool right;
};

static bool in_turn(const struct ring *g, const struct trace_request *r,
		    uint32_t lane)
{
	uint32_t phase = g->n / g->stages - g->turns->early;

	return r->offset[lane] == g->n % g->stages * 8 &&
	       r->value[4 * lane] == phase &&
	       r->value[4 * lane + 1] == g->turns->bytes * g->bytes;
}

static void ring_visit(void *ctx, const struct trace_info *info,
		       const struct trace_warp *w,
		       const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct ring *g = ctx;

	if (s->op != g->turns->op ||
	    strcmp(info->arrays[s->array].name, g->turns->array))
		return;
	if (w->warp != g->warp || w->block != g->block)
		g->n = 0;
	g->warp = w->warp;
	g->block = w->block;
	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (r->mask >> l & 1)
			g->right = g->right && in_turn(g, r, l);
	g->right = g->right && g->turns->warps >> w->warp & 1;
	g->n++;
	g->most = MAX(g->most, g->n);
}

/* `steps` is how many turns each has, over all its tiles of C. */
static void check_ring(const char *kernel, const char *defines, int m, int n,
		       int k, struct ring of, uint32_t steps)
{
	struct trace *t = recorded(kernel, defines, m, n, k);

	for (size_t i = 0; t && i < LENGTH(turns); i++) {
		bool back = turns[i].warps == LEADERS;
		uint32_t most = steps - (back ? of.kept : 0) +
				(turns[i].early ? of.awaited : 0);
		struct ring g = of;

		g.turns = &turns[i];
		g.right = true;
		g.warp = g.block = UINT32_MAX;
		each_request(t, ring_visit, &g);
		tap_ok(g.right && g.most == most,
		       "%s: %s of %s goes from stage to stage, %u times",
		       kernel, op_name(turns[i].op), turns[i].array, g.most);
	}
	tap_ok(t != NULL, "%s is recorded", kernel);
	if (t)
		trace_close(t);
}

static void test_rings(void)
{
	check_ring("tma_pipeline", "", 256, 128, 9 * 64,
		   (struct ring) { .stages = 4, .bytes = (256 + 128) * 128,
				   .kept = 1 }, 9);
	/* Two tiles of C for each: the second goes on where the first ends. No
	 * block ends before all of its stages have been given back. */
	check_ring("hgemm", HGEMM, 256, 4 * 128, 3 * 64,
		   (struct ring) { .stages = 4, .bytes = (128 + 128) * 128,
				   .awaited = 4 }, 2 * 3);
}

/* ---- ahead ---- */

/* How many phases of the first warp both begin to load from global memory and
 * read tiles from shared memory. */
struct overlap {
	bool global, shared;
	int phases;
};

static void overlap_end(struct overlap *o)
{
	o->phases += o->global && o->shared;
	o->global = o->shared = false;
}

static void overlap_visit(void *ctx, const struct trace_info *info,
			  const struct trace_warp *w,
			  const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct overlap *o = ctx;
	const struct trace_array *a;

	if (w->warp > 0 || w->block > 0)
		return;
	if (s->op == OP_BARRIER)
		overlap_end(o);
	if (s->op != OP_LD)
		return;
	a = &info->arrays[s->array];
	o->global = o->global || a->space == SPACE_GLOBAL;
	o->shared = o->shared || (a->space == SPACE_SHARED &&
				  trace_array_bytes(a) >= 1024);
}

/* Of 4 tiles of 16. */
static void check_overlap(const char *kernel, const char *defines, int want)
{
	struct trace *t = recorded(kernel, defines, 64, 128, 64);
	struct overlap o = { 0 };

	each_request(t, overlap_visit, &o);
	overlap_end(&o);
	tap_is(t ? o.phases : -1, want,
	       "%s: phases that fetch while they compute", kernel);
	if (t)
		trace_close(t);
}

/* ---- persistent ---- */

/* The recorder runs two clusters at once. */
static void test_persistent(void)
{
	struct trace *t = recorded("hgemm", HGEMM, 256, 4 * 128, 64);
	const struct kernel *k = kernel_find("hgemm");
	int p[KERNEL_PARAMS] = { 2, 128, 4, 2, 8, 5, 2, 1, 1, 1, 64 };
	struct deed stores = { .array = "C", .op = OP_TMA_ST };
	struct report r;
	struct error e;

	tap_is(k->grid(p, 256, 4 * 128, 64).x, 8, "hgemm: 8 tiles of C");
	if (!tap_ok(t && report_build(t, &r, &e) == 0, "are recorded"))
		return;
	tap_is(trace_info(t)->grid.x, 4, "by 4 blocks, two tiles each");
	/* 64 x 64 at once. */
	tap_is(done(&r, &stores).requests, 8 * 4, "all of which leave");
	report_done(&r);
	trace_close(t);
}

int main(void)
{
	for (size_t i = 0; i < LENGTH(deeds); i++)
		check_deed(&deeds[i]);
	test_rings();
	check_overlap("warptile", "", 0);
	check_overlap("sgemm_pipelined", "", 3);
	/* Two steps are there when it begins. */
	check_overlap("sgemm", "BM=64 BN=128 BK=16 BLOCKS=4", 2);
	test_persistent();
	if (runner)
		runner_free(runner);
	return tap_done();
}
