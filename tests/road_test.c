/*
 * road_test: the roads of tiles that TMA brings: boxes, bytes, phases, who waits,
 * reads and releases, of the ladder's kernels with TMA; and where the chunks of
 * a box lie in shared memory, against hardware/fragment.h.
 */
#include "emu_ask.h"
#include "hardware/fragment.h"
#include "scene/stage.h"

static struct trace *trace;
static struct stage *stage;

static const struct road *open_road(const char *kernel, const char *defines,
				    int m, int n, int k, uint32_t block)
{
	trace = recorded(kernel, defines, m, n, k);
	stage = stage_new(trace);
	stage_scene(stage, &(struct cursor){
		.warp = (size_t)trace_find_warp(trace, block, 0) });
	scene_road(stage);
	return stage->scene.road;
}

static void done(void)
{
	stage_free(stage);
	trace_close(trace);
}

static uint32_t count_kind(const struct road *r, const struct road_use *u,
			   enum road_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = u->first; i < u->end; i++)
		n += r->events[i].kind == kind;
	return n;
}

/* Products, each of which four warps start together. */
static uint32_t count_reads(const struct road *r, const struct road_use *u)
{
	uint32_t n = 0;

	for (uint32_t i = u->first; i < u->end; i++)
		n += r->events[i].counts;
	return n / 4;
}

/* ---- what each use of a stage is made of ---- */

/* expected: bytes; boxes; waits, reads (wgmmas) and releases of a use */
static const struct expected {
	const char *kernel, *defines;
	int m, n, k;
	uint32_t uses, stages, expected, boxes, waits, reads, releases, needs;
	bool empty;
} table[] = {
	/* One warpgroup waits, multiplies four times 16, meets at a barrier. */
	{ "wgmma_basic", "", 64, 128, 256, 4, 1, 24576, 3, 4, 4, 4, 0, false },
	/* Two consumers of two slabs. */
	{ "tma_pipeline", "", 256, 128, 640, 10, 4, 49152, 3, 8, 16, 2, 2,
	  true },
	/* Two blocks of two consumers each, all of which release both. */
	{ "hgemm", "SLABS=2 BM=128 STAGES=4 CLUSTER=2 GROUP=8", 256, 128, 512,
	  8, 4, 32768, 5, 8, 8, 4, 4, true },
	/* Two by two: three blocks release what one fetches for them. */
	{ "hgemm", "SLABS=2 BM=128 STAGES=4 CLUSTER=2 GROUP=8 BESIDE=2", 256,
	  256, 512, 8, 4, 32768, 6, 8, 8, 6, 6, true },
};

static void check_use(const struct expected *e, const struct road *r,
		      const struct road_use *u, bool *right)
{
	uint64_t bytes = road_landed(r, u, UINT64_MAX);
	uint64_t landed = 0, waited = UINT64_MAX;

	for (size_t i = 0; i < u->box_count; i++)
		landed = MAX(landed, r->boxes[u->boxes[i]].landed);
	for (uint32_t i = u->first; i < u->end; i++)
		if (r->events[i].kind == ROAD_WAIT)
			waited = MIN(waited, r->events[i].when);
	right[0] &= u->expected == e->expected && bytes == u->expected;
	right[1] &= u->box_count == e->boxes;
	right[2] &= u->phase == u->number / e->stages;
	right[3] &= count_kind(r, u, ROAD_WAIT) == e->waits;
	right[4] &= count_reads(r, u) == e->reads;
	/* The last tiles of tma_pipeline are not given back. */
	right[5] &= u->next == ROAD_NONE ||
		    count_kind(r, u, ROAD_RELEASE) == e->releases;
	right[6] &= u->needs == e->needs &&
		    (u->empty != TRACE_NO_ARRAY) == e->empty;
	right[7] &= landed == waited;
	right[8] &= road_landed(r, u, 0) == 0 &&
		    road_landed(r, u, landed - 1) < u->expected;
}

static void check(const struct expected *e)
{
	static const char *const words[] = {
		"expects as many bytes as come", "is made of its boxes",
		"has the phase of its round", "is waited for by all consumers",
		"is multiplied as often", "is released by all who read it",
		"waits for as many arrivals as the mbarrier says",
		"comes when the first wait is over", "comes all at once" };
	const struct road *r = open_road(e->kernel, e->defines, e->m, e->n,
					 e->k, 0);
	bool right[LENGTH(words)];
	uint32_t uses = 0;

	memset(right, true, sizeof(right));
	if (!tap_ok(r != NULL, "%s: tiles come by TMA", e->kernel)) {
		done();
		return;
	}
	for (size_t i = 0; i < r->use_count; i++)
		if (r->uses[i].block == 0) {
			check_use(e, r, &r->uses[i], right);
			uses++;
		}
	tap_is(uses, e->uses, "%s: tiles", e->kernel);
	for (size_t i = 0; i < LENGTH(words); i++)
		tap_ok(right[i], "%s: each tile %s", e->kernel, words[i]);
	done();
}

/* ---- boxes ---- */

/* The nth tile of tma_pipeline's only block: A[0..255][64 n..], and rows 64 n
 * of B in two halves. */
static void test_boxes(void)
{
	const struct road *r = open_road("tma_pipeline", "", 256, 128, 640, 0);
	bool right = r != NULL;

	for (size_t i = 0; r && i < r->use_count; i++) {
		const struct road_use *u = &r->uses[i];
		const struct road_box *a = &r->boxes[u->boxes[0]];
		const struct road_box *b = &r->boxes[u->boxes[2]];

		right &= a->row == 0 && a->col == 64 * u->number &&
			 a->from->tile.rows == 256 &&
			 a->from->tile.columns == 64 && a->blocks == 1 &&
			 a->warp == 0 && a->lane == 0 &&
			 b->row == 64 * u->number && b->col == 64 &&
			 b->from->tile.rows == 64;
	}
	tap_ok(right, "boxes begin where the kernel has them cut out");
	done();
}

/* Of each half of B's rows a block orders one, in two parts; it gets all. */
static void test_multicast(void)
{
	const struct road *r = open_road("hgemm", "SLABS=2 BM=128 STAGES=4 "
					 "CLUSTER=2 GROUP=8", 256, 128, 512,
					 1);
	bool right = r != NULL && r->cluster == 2;

	for (size_t i = 0; r && i < r->use_count; i++) {
		const struct road_use *u = &r->uses[i];
		uint32_t by[2] = { 0, 0 };

		for (size_t n = 0; n < u->box_count; n++) {
			const struct road_box *b = &r->boxes[u->boxes[n]];

			if (b->blocks == 3)
				by[b->block]++;
			else
				right &= b->block == u->block &&
					 b->blocks == 1u << u->block;
		}
		right &= by[0] == 2 && by[1] == 2;
	}
	tap_ok(right, "of a multicast tile each block orders a half");
	done();
}

/* ---- swizzle ---- */

static void check_swizzle(const char *kernel, int m, int n, int k)
{
	const struct road *r = open_road(kernel, "", m, n, k, 0);
	bool right = r && r->box_count, moved = false;

	for (size_t i = 0; r && i < r->box_count; i++) {
		const struct road_box *b = &r->boxes[i];
		const struct trace_tile *t = &b->to->tile;

		for (uint32_t row = 0; row < t->rows; row++)
			for (uint32_t c = 0; c < road_chunks(b); c++) {
				int at = fragment_swizzle((int)t->swizzle,
							  (int)row,
							  (int)c * 16);
				uint32_t y, x;

				right &= road_place(trace_info(trace), b, row,
						    c, &y, &x);
				right &= (int)(y * t->pitch + x * 16) == at;
				moved |= x != c;
			}
	}
	tap_ok(right, "%s: chunks lie where the hardware puts them", kernel);
	tap_ok(moved, "%s: which is not where they are in the matrix", kernel);
	done();
}

/* ---- where the reader stands ---- */

static enum road_kind kind_now(const struct scene *sc)
{
	return sc->road_now.event == ROAD_NONE ? (enum road_kind)-1 :
	       sc->road->events[sc->road_now.event].kind;
}

static const struct scene *stand(const struct cursor *p)
{
	stage_scene(stage, p);
	scene_road(stage);
	return &stage->scene;
}

/* From the order along one tile's road, and on to the stage's next one. */
static void test_steps(void)
{
	static const char letters[] = "fxolwrd";
	struct cursor p = { 0 };
	const struct road *r = open_road("tma_pipeline", "", 256, 128, 640, 0);
	const struct scene *sc = &stage->scene;
	char got[64], last = 0;
	size_t n = 0;
	uint32_t use;

	p.warp = r->events[r->uses[0].first].warp;
	p.request = r->events[r->uses[0].first].request;
	sc = stand(&p);
	use = sc->road_now.use;
	do {
		char now = letters[kind_now(sc)];

		if (now != last && n + 1 < sizeof(got))
			got[n++] = last = now;
		if (sc->road_now.use != use)
			break;
	} while (road_step(sc, &p, 1) && (sc = stand(&p)));
	got[n] = 0;
	tap_ok(!strncmp(got, "fxololol", 8) && strchr(got, 'd') &&
	       sc->road_now.use == use, "a tile's road from order to release: "
	       "%s", got);
	tap_ok(road_lap(sc, &p, 1), "the stage is used again");
	sc = stand(&p);
	tap_is(sc->road->uses[sc->road_now.use].phase, 1, "in the next phase");
	tap_is(sc->road->uses[sc->road_now.use].full_at,
	       sc->road->uses[use].full_at, "of the same mbarrier");
	done();
}

/* What a wgmma reads: 64 rows of A and 16 of B, at the k that it is at. */
static void test_reads(void)
{
	const struct road *r = open_road("tma_pipeline", "", 256, 128, 640, 0);
	uint32_t nth = 0;
	bool right = true;

	for (uint32_t i = 0; r && i < r->event_count && nth < 4; i++) {
		const struct road_look *l = stage->scene.road_now.looks;
		const struct road_event *e = &r->events[i];
		uint32_t k = nth / 2 * 16, slab = nth % 2 * 64;

		if (!e->counts || trace_warp(trace, e->warp)->warp != 4)
			continue;
		stand(&(struct cursor){ .warp = e->warp,
					.request = e->request });
		right &= l[0].reads && l[0].row0 == slab &&
			 l[0].row1 == slab + 63 && l[0].col0 == k &&
			 l[0].col1 == k + 15;
		right &= l[1].reads && l[1].row0 == k && l[1].row1 == k + 15 &&
			 l[1].col0 == 0 && l[1].col1 == 63;
		nth++;
	}
	tap_ok(right && nth == 4, "wgmma reads its part of both tiles");
	done();
}

int main(void)
{
	for (size_t i = 0; i < LENGTH(table); i++)
		check(&table[i]);
	test_boxes();
	test_multicast();
	check_swizzle("wgmma_basic", 64, 128, 128);
	check_swizzle("tma_pipeline", 256, 128, 128);
	test_steps();
	test_reads();
	runner_free(runner);
	return tap_done();
}
