/*
 * scene_test: what is on stage at a step, of a trace made by hand.
 */
#include <sys/mman.h>

#include "scene/scene.h"
#include "tap.h"

enum { WIDE, NARROW, BARRIER, LOAD, FROM, TO, A_OF, B_OF, REG, PAIR,
       MEMBER };

static struct trace_array arrays[] = {
	{ .name = (char *)"s", .space = SPACE_SHARED, .elem = ELEM_F32,
	  .elem_bytes = 4, .rank = 2, .dims = { 16, 16 } },
	{ .name = (char *)"g", .space = SPACE_GLOBAL, .elem = ELEM_F32,
	  .elem_bytes = 4, .rank = 2, .dims = { 24, 24 } },
	{ .name = (char *)"a", .space = SPACE_REGISTER, .elem = ELEM_U32,
	  .elem_bytes = 4, .rank = 1, .dims = { 4 } },
	{ .name = (char *)"bodies", .space = SPACE_GLOBAL, .elem = ELEM_RAW,
	  .elem_bytes = 28, .rank = 1, .dims = { 4 }, .base = 0x10000 },
};
static struct trace_site sites[] = {
	[WIDE] = { .line = 1, .op = OP_ST, .bytes = 16 },
	[NARROW] = { .line = 2, .op = OP_ST, .bytes = 4 },
	[BARRIER] = { .line = 3, .op = OP_BARRIER, .array = TRACE_NO_ARRAY },
	[LOAD] = { .line = 4, .op = OP_LD, .bytes = 4 },
	[FROM] = { .line = 5, .op = OP_TMA_LD, .bytes = 256, .array = 1,
		   .tile = { 1, 8, 8, 4, 0, 96, 0, 0 } },
	[TO] = { .line = 5, .op = OP_TMA_LD, .bytes = 256,
		 .tile = { 1, 8, 8, 4, 0, 32, 32, 0 } },
	[A_OF] = { .line = 6, .op = OP_WGMMA, .bytes = 64,
		   .tile = { 1, 4, 4, 4, 0, 64, 0, 0 } },
	[B_OF] = { .line = 6, .op = OP_WGMMA, .bytes = 128,
		   .tile = { 2, 2, 8, 4, 512, 64, 0, 0 } },
	[REG] = { .line = 3, .op = OP_LD, .bytes = 4, .array = 2 },
	[PAIR] = { .line = 4, .op = OP_LD, .bytes = 8, .array = 1 },
	[MEMBER] = { .line = 4, .op = OP_LD, .bytes = 4, .array = 3 },
};
static const struct trace_info info = {
	.kernel = (char *)"k", .file = (char *)"k.cu",
	.text = (char *)"1\n2\nmma_m16n8k16(c[0], a,\n    b, half());\n", .on = (char *)"cpu",
	.device = (char *)"", .grid = { 1, 1, 1 }, .block = { 64, 1, 1 },
	.spaces = (1u << SPACE_COUNT) - 1, .arrays = arrays,
	.array_count = LENGTH(arrays),
	.sites = sites, .site_count = LENGTH(sites),
};

/* The lanes of the mask, side by side from `first`. */
static void add(struct trace_writer *w, uint32_t site, uint32_t mask,
		uint64_t first)
{
	struct trace_request r = { .site = site, .mask = mask };
	struct error e;

	for (uint32_t lane = 0; lane < WARP_LANES; lane++)
		if (mask >> lane & 1 && site != BARRIER)
			r.offset[lane] = first + (op_is_bulk(sites[site].op) ?
						  0 : lane * sites[site].bytes);
	if (trace_writer_add(w, &info, &r, &e))
		fatal("%s", e.text);
}

/*
 * Every thread but the last 16 stores four elements, its own; then thread 5
 * one of those of thread 0. All meet, and warp 0 reads.
 */
static struct trace *make(void)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);
	struct trace_writer *w = trace_writer_new(fd, false);
	struct trace *t;
	struct error e;

	trace_writer_warp(w, 0, 0, &e);
	add(w, WIDE, UINT32_MAX, 0);
	add(w, NARROW, 1u << 5, 2 * 4 - 5 * 4);
	add(w, BARRIER, UINT32_MAX, 0);
	add(w, LOAD, UINT32_MAX, 0);
	/* A box over the corner of g, then two products. */
	add(w, FROM, 1, (20 * 24 + 20) * 4);
	add(w, TO, 1, 512);
	for (int i = 0; i < 2; i++) {
		add(w, A_OF, UINT32_MAX, 256);
		add(w, B_OF, UINT32_MAX, 0);
	}
	add(w, REG, 1u << 5, 2 * 4 - 5 * 4);
	add(w, PAIR, 3u << 3, 16 - 3 * 8);
	add(w, MEMBER, 1, 28 + 24);
	trace_writer_warp(w, 0, 1, &e);
	add(w, WIDE, 0xffff, 32 * 16);
	add(w, BARRIER, UINT32_MAX, 0);
	if (trace_writer_finish(w, &info, &e))
		fatal("%s", e.text);
	t = trace_open_fd(fd, "trace", &e);
	if (!t)
		fatal("%s", e.text);
	return t;
}

/* Elements at a request of warp 0 that are not said to be their thread's: what
 * warp 1 stores is stored behind the barrier or, in step, at once. */
static int wrong_owners(struct stage *s, uint32_t request, bool all_warps)
{
	struct cursor p = { .request = request, .all_warps = all_warps };
	const struct scene *sc = stage_scene(s, &p);
	const int32_t *owner = sc->arrays[0].owner;
	const int32_t *coming = sc->arrays[0].coming;
	int wrong = 0;

	for (int e = 0; e < 16 * 16; e++) {
		int by = e < 48 * 4 ? e / 4 : -1;
		bool sure = by < WARP_LANES || request > 2 || all_warps;

		if (e == 2 && request > 0)
			by = 5;
		wrong += owner[e] != (sure ? by : -1);
		wrong += coming[e] != (sure ? -1 : by);
	}
	return wrong;
}

/* Elements of an array that are marked at a request of warp 0 as touched now;
 * each once, or -1. */
static int marked(struct stage *s, uint32_t request, size_t array)
{
	struct cursor p = { .request = request };
	const struct scene *sc = stage_scene(s, &p);
	const struct stage_array *a = &sc->arrays[array];
	bool seen[24 * 24] = { false };
	int count = 0;

	for (size_t i = 0; i < a->mark_count; i++) {
		const struct mark *m = &a->marks[i];

		if (m->age)
			continue;
		if (seen[m->row * a->cols + m->col])
			return -1;
		seen[m->row * a->cols + m->col] = true;
		count++;
	}
	return count;
}

static void test_cursor(const struct stage *s)
{
	struct cursor p = { .request = 0 };
	uint32_t last = trace_warp(stage_trace(s), 0)->requests - 1;

	tap_ok(cursor_go(s, &p, 3) && p.request == 3 && !cursor_go(s, &p, 3),
	       "a cursor that goes on says so");
	tap_ok(cursor_go(s, &p, last + 9) && p.request == last &&
	       !cursor_go(s, &p, last + 9), "... and one at the end");
}

/* Lanes 3 and 4 load 16 bytes from the middle of a sector. */
static void test_costs(struct stage *s)
{
	const struct scene *sc = stage_scene(s, &(struct cursor){
		.request = 11 });
	const uint32_t want[8] = { 0, 0, 0, 0, 1u << 3, 1u << 3, 1u << 4,
				   1u << 4 };

	tap_ok(sc->costs && sc->sector_count == 1, "one sector");
	tap_is(sc->cost.bytes, 16, "16 bytes of it are asked for");
	tap_ok(!memcmp(sc->sector_lanes[0], want, sizeof(want)),
	       "and each word is wanted by its lane");
	tap_ok(!sc->elements_shared, "no two lanes want the same");
	tap_is(sc->stored_by, -1, "nobody stores in global memory");
	sc = stage_scene(s, &(struct cursor){ .request = 3 });
	tap_is(sc->stored_by, 0, "thread 0 stored what its lane reads");
	tap_is(sc->arrays[0].stored, 48 * 4, "of all, 48 threads stored");
	sc = stage_scene(s, &(struct cursor){ .request = 3, .lane = 2 });
	tap_is(sc->stored_by, 5, "thread 5 stored over it");
	tap_ok(scene_has(sc, SPACE_SHARED) && scene_has(sc, SPACE_REGISTER),
	       "the kernel has shared memory and register arrays");
}

int main(void)
{
	struct trace *t = make();
	struct stage *s = stage_new(t);

	tap_is(wrong_owners(s, 0, false), 0,
	       "a store of four elements makes its lane the owner of each");
	tap_is(wrong_owners(s, 1, false), 0,
	       "a store of one takes only that one");
	tap_is(wrong_owners(s, 2, false), 0,
	       "at the barrier, another warp's stores are on their way");
	tap_is(wrong_owners(s, 2, true), 0,
	       "but for who looks at all warps in step");
	tap_is(wrong_owners(s, 3, false), 0,
	       "and behind it they are stored");
	for (uint32_t request = 4; request < 6; request++) {
		tap_is(marked(s, request, 1), 16,
		       "of a box what is inside the matrix is marked");
		tap_is(marked(s, request, 0), 64,
		       "and all of it in shared memory");
	}
	for (uint32_t request = 6; request < 10; request++)
		tap_is(marked(s, request, 0), 16 + 32,
		       "of a product both operands are marked");
	tap_str(stage_scene(s, &(struct cursor){ .request = 10, .lane = 5 })
		   ->fragment, "A(1,10) A(1,11) of m16n8k16",
		   "what a register holds of the mma's fragment");
	tap_str(stage_scene(s, &(struct cursor){ .request = 12 })->element,
		"bodies[1]", "a structure's last member is in no other one");
	test_costs(s);
	test_cursor(s);
	stage_free(s);
	trace_close(t);
	return tap_done();
}
