/*
 * tiles_test: where what is in shared memory came from, who carries it, and the
 * outer product in a thread's registers, of a trace made by hand.
 *
 * A block of two warps brings the left half of a 8 x 16 matrix A to a tile of
 * 8 x 8, two elements a thread in two loads and two stores: each thread the
 * element with its number and the one 32 further on... but the last is filled
 * up with a zero. Then warp 0 computes an outer product of 2 x 2.
 */
#include <string.h>
#include <sys/mman.h>

#include "scene/scene_carriers.h"
#include "scene/scene_outer.h"
#include "viz/pictures/tiles/scene_tiles.h"
#include "scene/stage.h"
#include "tap.h"

enum { LOAD, STORE, BARRIER, READ, X, Y, SUM, ADD, RESULT };
enum { A, B, C, TILE, SQUARE, COLUMN, ROW };

static struct trace_array arrays[] = {
	[A] = { .name = (char *)"A", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 8, 16 } },
	[B] = { .name = (char *)"B", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 16, 8 } },
	[C] = { .name = (char *)"C", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 8, 8 } },
	[TILE] = { .name = (char *)"As", .space = SPACE_SHARED,
		   .elem = ELEM_F32, .elem_bytes = 4, .rank = 2,
		   .dims = { 8, 8 } },
	[SQUARE] = { .name = (char *)"sums", .space = SPACE_REGISTER,
		     .elem = ELEM_F32, .elem_bytes = 4, .rank = 2,
		     .dims = { 2, 2 } },
	[COLUMN] = { .name = (char *)"a", .space = SPACE_REGISTER,
		     .elem = ELEM_F32, .elem_bytes = 4, .rank = 1,
		     .dims = { 2 } },
	[ROW] = { .name = (char *)"b", .space = SPACE_REGISTER,
		  .elem = ELEM_F32, .elem_bytes = 4, .rank = 1,
		  .dims = { 2 } },
};
static struct trace_site sites[] = {
	[LOAD] = { .line = 1, .op = OP_LD, .bytes = 4, .array = A },
	[STORE] = { .line = 1, .op = OP_ST, .bytes = 4, .array = TILE },
	[BARRIER] = { .line = 2, .op = OP_BARRIER, .array = TRACE_NO_ARRAY },
	[READ] = { .line = 3, .op = OP_LD, .bytes = 4, .array = TILE },
	[X] = { .line = 4, .op = OP_LD, .bytes = 4, .array = COLUMN },
	[Y] = { .line = 4, .op = OP_LD, .bytes = 4, .array = ROW },
	[SUM] = { .line = 4, .op = OP_LD, .bytes = 4, .array = SQUARE },
	[ADD] = { .line = 4, .op = OP_ST, .bytes = 4, .array = SQUARE },
	[RESULT] = { .line = 5, .op = OP_ST, .bytes = 4, .array = C },
};
static const struct trace_info info = {
	.kernel = (char *)"k", .file = (char *)"k.cu",
	.text = (char *)"1\n2\n3\n4\n5\n", .on = (char *)"cpu",
	.device = (char *)"", .grid = { 1, 1, 1 }, .block = { 64, 1, 1 },
	.values = true, .spaces = (1u << SPACE_COUNT) - 1, .arrays = arrays,
	.array_count = LENGTH(arrays), .sites = sites,
	.site_count = LENGTH(sites),
};

/* All lanes: element first + lane * step, with the value base + lane. */
static void add(struct trace_writer *w, uint32_t site, uint32_t mask,
		uint64_t first, uint64_t step, float base, float by)
{
	struct trace_request r = { .site = site, .mask = mask };
	struct error e;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		float v = base + by * (float)lane;

		if (!(mask >> lane & 1) || site == BARRIER)
			continue;
		r.offset[lane] = (first + lane * step) * 4;
		memcpy(&r.value[lane * 4], &v, sizeof(v));
	}
	if (trace_writer_add(w, &info, &r, &e))
		fatal("%s", e.text);
}

/* sums[i][j] += a[i] * b[j], of sums that are 10 times their number. */
static void product(struct trace_writer *w, uint32_t i, uint32_t j)
{
	float a = (float)i + 2, b = (float)j + 3, was = 20.0f * (float)i +
						      10.0f * (float)j;

	add(w, SUM, UINT32_MAX, 2 * i + j, 0, was, 0);
	add(w, X, UINT32_MAX, i, 0, a, 0);
	add(w, Y, UINT32_MAX, j, 0, b, 0);
	add(w, ADD, UINT32_MAX, 2 * i + j, 0, was + a * b, 0);
}

/* Rows of 8 of A's 16 columns: lane l of warp w loads row (32 * w + l) / 8. */
static void carry(struct trace_writer *w, uint32_t warp)
{
	struct trace_request r = { .site = LOAD, .mask = UINT32_MAX };
	struct error e;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		uint32_t n = 32 * warp + lane;
		float v = (float)n + 1;

		if (n == 63)	/* beyond the edge: not loaded */
			r.mask &= ~(1u << lane);
		r.offset[lane] = r.mask >> lane & 1 ?
				 (n / 8 * 16 + n % 8) * 4 : 0;
		if (n < 63)
			memcpy(&r.value[lane * 4], &v, sizeof(v));
	}
	if (trace_writer_add(w, &info, &r, &e))
		fatal("%s", e.text);
	add(w, STORE, warp ? UINT32_MAX >> 1 : UINT32_MAX, 32 * warp, 1,
	    32.0f * (float)warp + 1, 1);
	if (warp)
		add(w, STORE, 1u << 31, 32 * warp, 1, 0, 0);
}

static struct trace *make(void)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct trace_writer *w = trace_writer_new(fd, true);
	struct trace *t;
	struct error e;

	for (uint32_t warp = 0; warp < 2; warp++) {
		trace_writer_warp(w, 0, warp, &e);
		carry(w, warp);
		add(w, BARRIER, UINT32_MAX, 0, 0, 0, 0);
		add(w, READ, UINT32_MAX, 5, 0, 6, 0);
		for (uint32_t i = 0; i < 4; i++)
			product(w, i / 2, i % 2);
		add(w, RESULT, UINT32_MAX, 32 * (uint64_t)warp, 1, 0, 0);
	}
	if (trace_writer_finish(w, &info, &e))
		fatal("%s", e.text);
	t = trace_open_fd(fd, "trace", &e);
	if (!t)
		fatal("%s", e.text);
	return t;
}

static const struct scene *at(struct stage *s, uint32_t request, uint32_t lane)
{
	const struct scene *sc = stage_scene(s, &(struct cursor){
		.request = request, .lane = lane });

	scene_tiles(s, NULL);
	scene_outer(s, NULL);
	scene_carriers(s, NULL);
	return sc;
}

static enum tile_state state_of(const struct scene *sc, uint32_t e,
				const struct tile_value **v)
{
	return tile_state(sc, &sc->tiles->cell[TILE][e], v);
}

static void test_tiles(struct stage *s)
{
	const struct tile_value *v;
	const struct scene *sc = at(s, 0, 9);

	tap_is(state_of(sc, 9, &v), TILE_LOADING, "an element is being loaded");
	tap_ok(v->array == A && v->row == 1 && v->col == 1,
	       "and known by its place in A");
	tap_is(v->number, 10, "and by its value");
	tap_is(state_of(sc, 40, &v), TILE_COMING,
	       "what another warp brings is on its way");
	tap_ok(v->array == A && v->row == 5 && v->col == 0, "from there");
	tap_is(sc->tiles->global.sure, 32, "this warp has read 32 elements");
	tap_is(sc->tiles->global.most, 63, "and the block 63 at most");
	tap_ok(sc->tiles->global.round == 63 && sc->tiles->shared.round == 64,
	       "which are read 64 times in the next phase");
	sc = at(s, 1, 9);
	tap_is(state_of(sc, 9, &v), TILE_STORING, "then it is being stored");
	sc = at(s, 2, 9);
	tap_is(state_of(sc, 9, &v), TILE_STORED, "then it is there");
	tap_ok(sc->tiles->at_barrier, "while its thread is at the barrier");
	tap_is(sc->tiles->global.sure, 63, "which waits for all that is read");
	sc = at(s, 3, 9);
	tap_is(state_of(sc, 40, &v), TILE_STORED,
	       "behind which everything is there");
	state_of(sc, 63, &v);
	tap_ok(v->zero && v->array < 0, "and a zero that nobody loaded");
	tap_is(sc->tiles->read[TILE][5], 1, "the thread reads one element");
	tap_is(sc->tiles->read[TILE][6], 0, "and no other");
	tap_is(sc->tiles->shared.sure, 32, "which is a read of each lane");
	tap_ok(sc->tiles->global.round == 63 && sc->tiles->shared.round == 64,
	       "of the same round");
	tap_ok(sc->tiles->before[A].known && sc->tiles->before[A].row1 == 7 &&
	       sc->tiles->before[A].col1 == 7, "the tile is known in A");
}

static void test_outer(struct stage *s)
{
	const struct scene *sc = at(s, 7, 3);
	const struct outer *o = sc->outer;

	tap_ok(o->square == SQUARE && o->column == COLUMN && o->row == ROW,
	       "the arrays of the outer product are found");
	tap_ok(o->first <= 7 && o->last == 19, "and its iteration");
	tap_is(o->a[1].value * 10 + o->b[1].value, 34, "a column and a row");
	tap_is(o->cell[1][1].before, 30, "a sum before its product is added");
	tap_is(o->cell[1][1].after, 42, "and after that");
	tap_ok(o->k == 0 && o->count == 1, "it is one of one");
}

static void test_carriers(struct stage *s)
{
	const struct scene *sc = at(s, 0, 9);
	const struct carriers *k = sc->carriers;

	tap_is(k->load[0].array, A, "somebody carries A");
	tap_is(k->load[1].array, -1, "and nobody B");
	tap_is(k->load[0].by[8], 8, "each element has its carrier");
	tap_ok(k->load[0].own.row0 == 1 && k->load[0].own.col0 == 1 &&
	       k->load[0].each == 1, "the focused thread is one");
	tap_ok(k->work.own.row0 == 1 && k->work.own.col0 == 1,
	       "and computes an element of C");
	tap_is(k->role, CARRIER_LOADS, "first it loads");
	tap_is(at(s, 2, 9)->carriers->role, CARRIER_CHANGES,
	       "at the barrier it changes its role");
	tap_is(at(s, 3, 9)->carriers->role, CARRIER_COMPUTES,
	       "then it computes");
	tap_is(sc->carriers->load[0].array, A,
	       "with what was loaded before");
}

/* A thread whose elements are not all neighbours. */
static void test_lines(void)
{
	static int32_t by[6 * 12];
	struct carrier_map m = {
		.box = { .known = true, .row1 = 5, .col0 = 20, .col1 = 31 },
		.by = by,
	};
	char lines[48];

	for (int i = 0; i < 6 * 12; i++)
		by[i] = i / 12 % 4 < 2 && i % 12 % 3 == 0 ? 7 : 1;
	m.own = (struct box){ .known = true, .row1 = 5, .col0 = 20,
			      .col1 = 29 };
	carriers_lines(lines, sizeof(lines), &m, 7, true);
	tap_str(lines, "0..1, 4..5", "runs of rows");
	carriers_lines(lines, sizeof(lines), &m, 7, false);
	tap_str(lines, "20, 23, 26, 29", "and columns that stand alone");
	for (int i = 0; i < 6 * 12; i++)
		by[i] = i % 2 ? 1 : 7;
	m.own.col1 = 30;
	carriers_lines(lines, sizeof(lines), &m, 7, false);
	tap_str(lines, "20..30", "of many runs the first and the last");
}

int main(void)
{
	struct trace *t = make();
	struct stage *s = stage_new(t);

	test_tiles(s);
	test_outer(s);
	test_carriers(s);
	test_lines();
	stage_free(s);
	trace_close(t);
	return tap_done();
}
