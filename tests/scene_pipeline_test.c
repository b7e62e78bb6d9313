/*
 * scene_pipeline_test: in which steps a block copies tiles and computes with
 * them, of the ladder's kernels with shared memory; and where a trace opens.
 * sanitized: nightly
 */
#include "emu_ask.h"
#include "app/scene_opening.h"
#include "scene/stage.h"
#include "scene/turns.h"

/* A role's turns as letters: c copies, u uses, + both, S sums leave, . idle */
static void letters(char *buf, const struct pipeline *p, uint32_t role)
{
	uint32_t s = 0;

	for (; role < p->role_count && s < p->steps && s < 40; s++)
		buf[s] = ".cu+S"[MIN(p->roles[role].turns[s].does,
				     PIPELINE_STORES)];
	buf[s] = 0;
}

/* Each tile's states, as letters of a stage by half steps: f in flight, r
 * ready, u in use, . empty. */
static void states(char *buf, const struct pipeline *p, uint32_t stage)
{
	static const char sign[] = { '.', 'f', 'r', 'u' };
	uint32_t s, tile;

	for (s = 0; s < p->steps && s < 40; s++)
		buf[s] = sign[pipeline_stage(p, stage, s + 0.5, &tile)];
	buf[s] = 0;
}

static const struct expected {
	const char *kernel;
	int m, n, k;
	uint32_t stages, tiles;
	const char *roles[3];
	uint32_t stage;
	const char *states;
} table[] = {
	/* In every second step nobody computes. */
	{ "tiled", 64, 64, 64, 1, 4, { "cucucucuS" }, 0, "fufufufu." },
	{ "float4", 64, 64, 64, 1, 4, { "cucucucuS" }, 0, "fufufufu." },
	{ "register_tiled", 64, 64, 64, 1, 2, { "cucuS" }, 0, "fufu." },
	{ "mma", 128, 128, 256, 1, 4, { "cucucucuS" }, 0, "fufufufu." },
	{ "wgmma_basic", 64, 128, 256, 1, 4, { "cucucucuS" }, 0,
	  "fufufufu." },
	/* What is copied is used a step later, while the next is copied. */
	{ "double_buffered", 64, 64, 64, 2, 4, { "c+++uS" }, 0, "fufu.." },
	{ "sgemm_pipelined", 128, 128, 64, 2, 4, { "c+++uS" }, 1, ".fufu." },
	/* Copied several steps ahead. */
	{ "mma_multistage", 128, 256, 320, 4, 10, { "cu++++++uuuS" }, 1,
	  "frufrrufrru." },
	/* Producers and consumers: those never stop. */
	{ "tma_pipeline", 256, 128, 640, 4, 10,
	  { "c..cccccc...", ".uuuuuuuuuuS", ".uuuuuuuuuuS" }, 3,
	  ".rrruufruu.." },
	/* Reads ahead behind the last tile, of one that is done with. */
	{ "sgemm", 64, 64, 256, 3, 16, { "c+++++++++++++++uuS" }, 1, NULL },
	/* Between two tiles of C the sums leave; copies go on. */
	{ "hgemm", 1024, 512, 256, 4, 0, { NULL }, 0, NULL },
};

/* Whether no role goes back to a tile that it has done with. */
static bool goes_on(const struct pipeline *p)
{
	bool good = true;

	for (uint32_t i = 0; i < p->role_count; i++) {
		const struct pipeline_tile *last = NULL;

		for (uint32_t s = 0; s < p->steps; s++) {
			const struct pipeline_turn *turn = &p->roles[i].turns[s];
			const struct pipeline_tile *t;

			if (turn->tile == PIPELINE_NONE)
				continue;
			t = &p->tiles[turn->tile];
			good &= !last || t->lap > last->lap || t->k >= last->k;
			last = t;
		}
	}
	return good;
}

static void check(const struct expected *e)
{
	struct trace *t = recorded(e->kernel, "", e->m, e->n, e->k);
	struct stage *s = stage_new(t);
	const struct pipeline *p;
	char got[48];

	stage_scene(s, &(struct cursor){ 0 });
	scene_pipeline(s);
	p = s->scene.pipeline;
	if (!tap_ok(p != NULL, "%s has a pipeline", e->kernel))
		goto end;
	tap_is(p->stages, e->stages, "%s: stages", e->kernel);
	if (e->tiles)
		tap_is(p->tile_count, e->tiles, "%s: tiles", e->kernel);
	for (uint32_t i = 0; i < 3 && e->roles[i]; i++) {
		letters(got, p, i);
		tap_str(got, e->roles[i], "%s: what role %u does", e->kernel,
			i);
	}
	tap_ok(goes_on(p), "%s: from tile to tile", e->kernel);
	if (!strcmp(e->kernel, "hgemm")) {
		tap_is(p->laps, 4, "hgemm: a block computes four tiles of C");
		tap_is(p->cluster, 2, "hgemm: two blocks share tiles");
		tap_is(p->leaves, p->ends - p->begins + 1 - p->computes,
		       "hgemm: where nobody computes, sums leave");
		tap_is(p->leaves, 3, "hgemm: between two tiles of C");
	} else {
		tap_is(p->laps, 1, "%s: one tile of C", e->kernel);
		tap_is(p->leaves, 0, "%s: nothing comes meanwhile", e->kernel);
	}
	if (e->states) {
		states(got, p, e->stage);
		tap_str(got, e->states, "%s: what stage %u holds", e->kernel,
			e->stage);
	}
end:
	stage_free(s);
	trace_close(t);
}

/* The reader's place goes on with each request, from warp to warp. */
static void test_now(void)
{
	struct trace *t = recorded("tma_pipeline", "", 256, 128, 640);
	struct stage *s = stage_new(t);
	long warp = trace_find_warp(t, 0, 4);
	double before = -1;
	bool forward = true;

	for (uint32_t i = 0; i < trace_warp(t, (size_t)warp)->requests; i++) {
		const struct pipeline_now *n = &s->scene.pipeline_now;

		stage_scene(s, &(struct cursor){ .warp = (size_t)warp,
						 .request = i });
		scene_pipeline(s);
		forward &= n->step + n->part >= before &&
			   n->next_step + n->next_part >= n->step + n->part;
		before = n->step + n->part;
	}
	tap_ok(forward, "now goes from left to right");
	tap_is(s->scene.pipeline_now.role, 1, "in the consumer's lane");
	stage_free(s);
	trace_close(t);
}

/* ---- where a trace opens ---- */

static const struct opening {
	const char *kernel;
	int m, n, k;
	const char *word, *array;
	enum fragments_kind kind;
} openings[] = {
	{ "naive", 64, 64, 64, "ld", "A", FRAGMENTS_NONE },
	{ "naive_swapped", 64, 64, 64, "ld", "A", FRAGMENTS_NONE },
	{ "tiled", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "padded", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "tiled_bt", 64, 64, 64, "ld", "Bs", FRAGMENTS_NONE },
	{ "tiled_bt_pad", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "register_tiled", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "register_tiled_fast", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "double_buffered", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "float4", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "float4_at", 64, 64, 64, "ld", "As", FRAGMENTS_NONE },
	{ "warptile", 128, 128, 64, "ld", "As", FRAGMENTS_NONE },
	{ "sgemm_pipelined", 128, 128, 64, "ld", "As", FRAGMENTS_NONE },
	{ "sgemm", 128, 128, 64, "ld", NULL, FRAGMENTS_NONE },
	{ "wmma", 128, 128, 128, "st", "c", FRAGMENTS_MMA },
	{ "mma", 128, 128, 128, "st", "c", FRAGMENTS_MMA },
	{ "mma_multistage", 128, 256, 320, "st", "c", FRAGMENTS_MMA },
	{ "wgmma_basic", 64, 128, 256, "wgmma", "As", FRAGMENTS_WGMMA },
	{ "tma_pipeline", 256, 128, 640, "tma-ld", "A", FRAGMENTS_NONE },
	{ "hgemm", 1024, 512, 256, "tma-ld", "A", FRAGMENTS_NONE },
};

/* Whether a read of shared memory comes before the request in its phase. */
static bool was_read(struct trace *t, const struct cursor *p)
{
	uint32_t phase = trace_phase_of(t, p->warp, p->request);
	uint32_t site;

	for (uint32_t i = trace_phase_start(t, p->warp, phase);
	     i < p->request && !trace_get_site(t, p->warp, i, &site, NULL);
	     i++) {
		const struct trace_info *info = trace_info(t);
		uint32_t array = info->sites[site].array;

		if (info->sites[site].op == OP_LD && array != TRACE_NO_ARRAY &&
		    info->arrays[array].space == SPACE_SHARED)
			return true;
	}
	return false;
}

static void check_opening(const struct opening *o)
{
	struct trace *t = recorded(o->kernel, "", o->m, o->n, o->k);
	struct stage *s = stage_new(t);
	struct cursor p = { 0 };
	const struct scene *sc;
	uint32_t last;

	tap_ok(stage_opening(s, &p), "%s has a moment to begin with",
	       o->kernel);
	sc = stage_scene(s, &p);
	last = sc->warp.requests;
	tap_str(trace_site_word(sc->site), o->word, "%s: it is its %s",
		o->kernel, o->word);
	if (o->array)
		tap_str(sc->array->name, o->array, "%s: of %s", o->kernel,
			o->array);
	tap_is(fragments_at(sc, sc->site, NULL), o->kind, "%s: %s", o->kernel,
	       o->kind ? "a product" : "no product");
	if (sc->array->space == SPACE_SHARED && !o->kind &&
	    sc->cost.wavefronts == sc->cost.ideal_wavefronts)
		tap_ok(!was_read(t, &p), "%s: the first read of its phase",
		       o->kernel);
	tap_ok(p.request > last / 8 && p.request < last * 7 / 8,
	       "%s: request %u of %u is in the middle", o->kernel, p.request,
	       last);
	stage_free(s);
	trace_close(t);
}

/* ---- the order of tiles ---- */

/* Persistent: two clusters, each of two tiles below each other, go through C
 * by columns. */
static void test_order(void)
{
	struct trace *t = recorded("hgemm", "", 1024, 512, 64);
	struct stage *s = stage_new(t);
	const struct order *o;

	stage_scene(s, &(struct cursor){ 0 });
	scene_order(s, &(struct turns){ 0 });
	o = s->scene.order;
	if (!tap_ok(o && o->persistent, "hgemm's tiles have an order"))
		return;
	tap_is(o->tile_rows, 256, "a tile has 256 rows");
	tap_is(o->tile_cols, 128, "and 128 columns");
	tap_is(o->count, 16, "16 tiles");
	tap_is(o->at_once, 4, "4 at once");
	tap_is(o->waves, 4, "in 4 waves");
	tap_is(order_at(o, 3, 0), 3, "first down the first column");
	tap_is(order_at(o, 0, 1), 4, "then down the next");
	tap_is(o->strips.a, 4, "a wave reads 4 strips of A");
	tap_is(o->strips.b, 1, "and one of B");
	tap_is(o->by_rows->strips.a + o->by_rows->strips.b, 1 + 4, "by rows one and 4");
	tap_ok(o->strips.bytes == (4 * 256 + 128) * 64 * 2, "in bytes");
	stage_free(s);
	trace_close(t);
	t = recorded("tiled", "", 40, 64, 16);
	s = stage_new(t);
	stage_scene(s, &(struct cursor){ .warp = 8 });
	scene_order(s, &(struct turns){ 0 });
	o = s->scene.order;
	tap_is(o->count, 3 * 4, "tiled: a block for each tile");
	tap_is(o->now, 1, "the cursor's is the second");
	tap_is(order_at(o, 2, 3), 11, "the last is at the corner");
	stage_free(s);
	trace_close(t);
}

/* The formula gives what the kernel does: 3 clusters' rows in groups of 2. */
static void test_order_formula(const char *defines, uint32_t wide)
{
	struct trace *t = recorded("hgemm", defines, 1536, 512, 64);
	struct stage *s = stage_new(t);
	const struct order *o;
	struct order *f = xcalloc(1, sizeof(*f));
	int wrong = 0;

	stage_scene(s, &(struct cursor){ 0 });
	scene_order(s, &(struct turns){ 0 });
	o = s->scene.order;
	if (!tap_ok(o && !o->larger && o->count == 6 * 4,
		    "hgemm with %s: its own order", defines))
		return;
	f->rows = o->rows;
	f->cols = o->cols;
	f->at_once = o->at_once;
	order_by_groups(f, 2, wide, 2);
	for (uint32_t i = 0; i < o->count; i++)
		wrong += f->tiles[i].row != o->tiles[i].row ||
			 f->tiles[i].col != o->tiles[i].col ||
			 f->tiles[i].wave != o->tiles[i].wave ||
			 f->tiles[i].block != o->tiles[i].block;
	tap_is(wrong, 0, "the formula gives it, tile by tile");
	tap_is(f->waves, o->waves, "... in as many waves");
	order_free(f);
	stage_free(s);
	trace_close(t);
}

/* At the size at which it is opened there is next to no C: a larger one is
 * drawn, and says so. */
static void test_order_larger(void)
{
	struct trace *t = recorded("hgemm", "", 64, 64, 64);
	struct stage *s = stage_new(t);
	const struct order *o;

	stage_scene(s, &(struct cursor){ 0 });
	scene_order(s, &(struct turns){ 0 });
	o = s->scene.order;
	if (!tap_ok(o && o->larger, "a single tile gives way to many"))
		return;
	tap_is(o->tile_rows, 256, "... of 256 rows");
	tap_is(o->tile_cols, 128, "... and 128 columns");
	tap_is(o->m, o->tile_rows * o->rows, "... which C has");
	tap_is(o->waves * o->at_once, o->count, "every wave is full");
	tap_is(o->wave, 5, "one in the middle is shown");
	tap_ok(o->asked > o->strips.bytes && o->total > o->strips.bytes,
	       "it asks L2 for more than it needs of DRAM");
	tap_ok(o->strips.bytes < o->by_rows->strips.bytes,
	       "a wave reads less than by rows");
	stage_free(s);
	trace_close(t);
}

/* sgemm notes in shared memory which tile it is at. */
static void test_notes(void)
{
	struct trace *t = recorded("sgemm", "", 128, 128, 64);
	struct stage *s = t ? stage_new(t) : NULL;
	const struct scene *sc = s ? &s->scene : NULL;
	size_t shared = 0, drawn = 0;

	if (!tap_ok(sc != NULL, "sgemm is recorded"))
		return;
	for (uint32_t i = 0; i < sc->info->array_count; i++)
		shared += sc->info->arrays[i].space == SPACE_SHARED;
	for (size_t i = 0; i < sc->array_count; i++)
		drawn += sc->arrays[i].array->space == SPACE_SHARED;
	tap_ok(shared == 3 && drawn == 1,
	       "what a block notes beside its tiles is not on stage");
	stage_free(s);
	trace_close(t);
}

int main(void)
{
	for (size_t i = 0; i < LENGTH(table); i++)
		check(&table[i]);
	test_now();
	for (size_t i = 0; i < LENGTH(openings); i++)
		check_opening(&openings[i]);
	test_order();
	test_order_formula("GROUP=2", 1);
	test_order_formula("GROUP=2 BESIDE=2", 2);
	test_notes();
	test_order_larger();
	runner_free(runner);
	return tap_done();
}
