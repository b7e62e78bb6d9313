/*
 * memory_test: what the pictures of global memory are drawn from: what sectors
 * hold, who comes to a barrier, where lanes stand in C, marks of many elements.
 */
#include <sys/mman.h>

#include "kernels/input.h"
#include "tap.h"
#include "viz/frame_model.h"

#define SIDE 16			/* of all matrices */
#define SEED 7

enum { LOAD_A, LOAD_B, STORE, BARRIER };

static struct trace_array arrays[] = {
	{ .name = (char *)"A", .space = SPACE_GLOBAL, .elem = ELEM_F32,
	  .elem_bytes = 4, .rank = 2, .dims = { SIDE, SIDE }, .base = 4096 },
	{ .name = (char *)"B", .space = SPACE_GLOBAL, .elem = ELEM_F32,
	  .elem_bytes = 4, .rank = 2, .dims = { SIDE, SIDE }, .base = 8192 },
	{ .name = (char *)"C", .space = SPACE_GLOBAL, .elem = ELEM_F32,
	  .elem_bytes = 4, .rank = 2, .dims = { SIDE, SIDE },
	  .base = 16384 + 16 },
};
static struct trace_site sites[] = {
	[LOAD_A] = { .line = 1, .op = OP_LD, .bytes = 4, .array = 0 },
	[LOAD_B] = { .line = 1, .op = OP_LD, .bytes = 4, .array = 1 },
	[STORE] = { .line = 2, .op = OP_ST, .bytes = 4, .array = 2 },
	[BARRIER] = { .line = 3, .op = OP_BARRIER, .array = TRACE_NO_ARRAY },
};
static const struct trace_info info = {
	.kernel = (char *)"k", .file = (char *)"k.cu",
	.text = (char *)"1\n2\n3\n", .on = (char *)"cpu",
	.device = (char *)"", .problem = (char *)"gemm",
	.check = (char *)"rows", .m = SIDE, .n = SIDE, .k = SIDE,
	.seed = SEED, .values = true, .grid = { 2, 2, 1 },
	.block = { 8, 8, 1 }, .spaces = (1u << SPACE_COUNT) - 1,
	.arrays = arrays, .array_count = LENGTH(arrays), .sites = sites,
	.site_count = LENGTH(sites),
};

static uint32_t bits_of(float v)
{
	uint32_t u;

	memcpy(&u, &v, sizeof(u));
	return u;
}

/* Lane l accesses element first + l * stride and moves what is there, or with
 * `other` something else. */
static void add(struct trace_writer *w, uint32_t site, uint32_t mask,
		uint64_t first, uint64_t stride, bool other)
{
	struct trace_request r = { .site = site, .mask = mask };
	struct error e;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint64_t at = first + lane * stride;

		if (!(mask >> lane & 1) || site == BARRIER)
			continue;
		r.offset[lane] = at * 4;
		r.value[lane * 4] = bits_of(other ? 100 + (float)lane :
			(float)input_at(SEED, site == LOAD_B, at));
	}
	if (trace_writer_add(w, &info, &r, &e))
		fatal("%s", e.text);
}

/* Warp 1 of block (1,0); 8 of its lanes never come to the barrier. */
static struct trace *make(void)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct trace_writer *w = trace_writer_new(fd, true);
	struct trace *t;
	struct error e;

	for (uint32_t warp = 0; warp < 2; warp++) {
		trace_writer_warp(w, 1, warp, &e);
		/* Column 1 of A; B's row 0, which holds something else. */
		add(w, LOAD_A, 0xffff, 1, SIDE, false);
		add(w, LOAD_B, 0xffff, 0, 1, true);
		add(w, BARRIER, warp ? 0xffffff : UINT32_MAX, 0, 0, false);
		/* A row of C for eight lanes, as rows = y and columns = x. */
		add(w, STORE, 0xff, warp * 4 * SIDE + 8, 1, true);
	}
	if (trace_writer_finish(w, &info, &e))
		fatal("%s", e.text);
	t = trace_open_fd(fd, "trace", &e);
	if (!t)
		fatal("%s", e.text);
	return t;
}

static const struct scene *at(struct stage *s, size_t warp, uint32_t request,
			      uint32_t lane)
{
	return stage_scene(s, &(struct cursor){ .warp = warp,
						.request = request,
						.lane = lane });
}

static void test_sectors(struct stage *s)
{
	const struct scene *sc = at(s, 0, 0, 3);
	const struct scene_sectors *in = &sc->in_sectors;
	int known = 0;

	tap_is(sc->sector_count, 16, "a column of A: a sector for each lane");
	tap_ok(in->lane[3].sector == 3 && in->lane[3].word == 1 &&
	       in->lane[16].sector == -1, "each lane has its word");
	for (int i = 0; i < 16; i++)
		for (int e = 0; e < 8; e++)
			known += in->value[i][e].known &&
				 in->value[i][e].v ==
				 input_at(SEED, 0, (uint64_t)(i * SIDE + e));
	tap_is(known, 16 * 8, "and what comes beside it is known");
	sc = at(s, 0, 1, 3);
	tap_ok(in->value[0][3].known && in->value[0][3].v == 103,
	       "of B what was recorded");
	tap_is(sc->input[sc->b], -1,
	       "which is not what the recorder had put there");
	sc = at(s, 0, 3, 0);
	tap_is(sc->sector_count, 2, "C begins in the middle of a sector");
	tap_ok(in->value[1][0].known == (in->lane[4].sector == 1) &&
	       !in->value[1][7].known, "what is not stored is not known");
}

/* Lanes 0 to 7 store C[0][8..15] and warp 1 C[4][8..15]. */
static void test_home(struct stage *s)
{
	const struct scene *sc = at(s, 1, 0, 3);

	tap_ok(sc->home[3].known && sc->home[3].row0 == 4 &&
	       sc->home[3].col0 == 11, "where a lane stands in C");
	tap_ok(!sc->home[9].known, "one that stores nothing stands nowhere");
	tap_ok(sc->row_sum.by == 'y' && sc->col_sum.by == 'x',
	       "its row comes of y, its column of x");
	sc = at(s, 1, 0, 9);
	tap_ok(!sc->row_sum.by && !sc->col_sum.by, "without a place from neither");
}

static void test_gate(struct stage *s)
{
	const struct scene *sc = at(s, 0, 2, 0);

	tap_is(sc->gate.warps, 2, "two warps meet at the barrier");
	tap_is(sc->gate.threads, 64, "of 64 threads");
	tap_is(sc->gate.missing, 8, "and eight never come");
	tap_is(sc->gate.warp[1].come, 0xffffff, "all of warp 1");
	tap_is(at(s, 0, 3, 0)->gate.warps, 0, "a store is no barrier");
}

/* Those who do not come are seen, as many as they are; not while a question is
 * about them. */
static void test_gate_drawn(struct stage *s)
{
	static const struct rect r = { 0, 0, 120, 20 };

	for (int quiet = 0; quiet < 2; quiet++) {
		struct frame_model show = { .scene = at(s, 0, 2, 0), .t = 1,
				     .quiet = quiet };
		struct canvas c;
		int red = 0;

		canvas_init(&c, r.w, r.h);
		view_find("gate")->draw(&c, r, &show);
		for (int i = 0; i < r.w * r.h; i++)
			red += c.cells[i].bg == ROLE_WASTE;
		tap_ok(quiet ? !red : red && red % 8 == 0,
		       "lanes that are missing are %s", quiet ?
		       "not told while a question is open" : "red");
		canvas_done(&c);
	}
}

/* The roles of the picture's cell (0, y), which stands for four rows. */
static bool has_role(struct canvas *c, int y, enum role role)
{
	const struct cell *cell = canvas_at(c, 0, y);

	return cell->fg == role || cell->bg == role;
}

/* Four rows of A to a mark, in which lanes of two hues lie: lane 7's row 7 and
 * lane 8's row 8 would be lost to others. */
static void test_mixture(struct stage *s)
{
	struct frame_model show = { .scene = at(s, 0, 0, 20), .t = 1 };
	const struct stage_array *a = &show.scene->arrays[0];
	struct picture_form four = { { 1, 1, false }, 2, 6 };
	struct canvas c;

	canvas_init(&c, 40, 10);
	picture_draw(&c, (struct rect){ 0, 0, 40, 10 }, &show, a, four);
	tap_ok(has_role(&c, 0, ROLE_HUE0) && !has_role(&c, 0, ROLE_HUE1),
	       "rows 0 to 5: lanes of one hue");
	tap_ok(has_role(&c, 1, ROLE_HUE0) && has_role(&c, 1, ROLE_HUE1),
	       "rows 6 to 11: both hues are seen");
	tap_ok(has_role(&c, 0, ROLE_TILE) || has_role(&c, 0, ROLE_FIELD),
	       "and that half of the elements are not touched");
	canvas_done(&c);
}

int main(void)
{
	struct trace *t = make();
	struct stage *s = stage_new(t);

	test_sectors(s);
	test_home(s);
	test_gate(s);
	test_gate_drawn(s);
	test_mixture(s);
	stage_free(s);
	trace_close(t);
	return tap_done();
}
