/*
 * banks_test: a shared access at other pitches and swizzled, as the reader
 * turns them.
 */
#include <string.h>

#include "scene/scene.h"
#include "viz/pictures/banks/scene_banks.h"
#include "tap.h"

static struct trace_array array = {
	.name = (char *)"S", .space = SPACE_SHARED, .elem = ELEM_F32,
	.elem_bytes = 4, .rank = 2, .dims = { 64, 32 },
};
static struct trace_site site = { .op = OP_LD, .bytes = 4 };
static const struct trace_info info = {
	.arrays = &array, .array_count = 1, .sites = &site, .site_count = 1,
	.block = { 32, 1, 1 }, .grid = { 1, 1, 1 },
};

/* Lane l accesses the element (row + l * down, col + l * right). */
static struct scene_banks turn(uint32_t bytes, uint32_t col, int down,
			       int right, int pitch, bool swizzle)
{
	static struct scene sc;
	struct scene_banks b;
	uint64_t cols = array.dims[array.rank - 1];

	memset(&sc, 0, sizeof(sc));
	site.bytes = bytes;
	sc.info = &info;
	sc.site = &site;
	sc.array = &array;
	sc.request.mask = UINT32_MAX;
	for (int l = 0; l < WARP_LANES; l++)
		sc.request.offset[l] = array.elem_bytes *
			((uint64_t)(l * down) * cols + col +
			 (uint64_t)(l * right));
	access_of(&info, &sc.request, &sc.access);
	pattern_find(&info, &sc.request, &sc.pattern);
	/* All 32 columns are in use. */
	sc.arrays[0] = (struct stage_array){
		.array = &array, .columns = 32,
	};
	sc.array_count = 1;
	scene_banks_fill(&sc, pitch, swizzle, &b);
	return b;
}

static void test_column(void)
{
	struct scene_banks b = turn(4, 7, 1, 0, 0, false);
	int wrong = 0;

	tap_is(b.now.cost.wavefronts, 32, "down a column all want one bank");
	tap_is(__builtin_popcount(b.now.waiting), 31, "31 lanes wait");
	tap_is(b.turned.pitch, 33, "one word more a row is what helps");
	tap_is(b.turned.cost.wavefronts, 1, "and all are served at once");
	tap_is(b.turned.waiting, 0, "nobody waits then");
	tap_ok(b.now.affine && b.now.step == 32 && b.now.first == 7,
	       "lane l reads word 32 * l + 7");
	tap_is(b.least, 32, "no pitch is less than the columns in use");
	/* What stands in a column is pitch words apart: as many wavefronts as
	 * pitch and 32 have in common. */
	for (uint32_t i = 0; i < BANKS_STRIP; i++) {
		uint32_t p = b.strip[i].pitch;

		wrong += b.strip[i].wavefronts !=
			 (int)(p & -p & 31 ? p & -p : 32);
	}
	tap_is(wrong, 0, "each pitch of the strip has its wavefronts");
	b = turn(4, 7, 1, 0, 1, false);
	tap_ok(b.turned.pitch == 34 && b.turned.cost.wavefronts == 2,
	       "turned on by one: pitch 34, two wavefronts");
	b = turn(4, 7, 1, 0, 40, false);
	tap_ok(b.turned.pitch == 73 && b.strip[BANKS_STRIP - 1].pitch == 73,
	       "the strip goes along");
	b = turn(4, 7, 1, 0, -9, false);
	tap_is(b.turned.pitch, 32, "but not below the columns in use");
	b = turn(4, 7, 1, 0, 0, true);
	tap_ok(b.turned.pitch == 32 && b.turned.swizzled &&
	       b.turned.cost.wavefronts == 1, "a swizzle needs no padding");
}

static void test_others(void)
{
	struct scene_banks b = turn(4, 0, 0, 1, 0, false);

	tap_ok(b.same && b.now.cost.wavefronts == 1,
	       "along a row every pitch is as good");
	array.dims[1] = 36;
	b = turn(16, 4, 1, 0, 0, false);
	tap_is(b.unit, 4, "16 bytes at once: rows are multiples of that");
	tap_ok(b.now.passes == 4 && b.now.cost.wavefronts == 4 &&
	       b.now.pass_first[3] == 3, "four passes, a wavefront each");
	tap_ok(b.turned.pitch == 32 && b.turned.cost.wavefronts == 32 &&
	       b.turned.pass_first[1] == 8,
	       "compared with rows of 32 words: eight for each pass");
	b = turn(16, 4, 1, 0, 0, true);
	tap_ok(b.turned.pitch == 32 && b.turned.cost.wavefronts == 4,
	       "or with these swizzled");
	array.rank = 1;
	array.dims[0] = 4096;
	b = turn(4, 0, 0, 64, 0, false);
	tap_ok(b.turns && b.now.pitch == 64 && b.turned.pitch == 65 &&
	       b.turned.cost.wavefronts == 1,
	       "without rows of its own an array has those of its lanes");
	b = turn(4, 0, 0, 1, 0, false);
	tap_ok(!b.turns && b.now.cost.wavefronts == 1,
	       "or none, where they stand side by side");
}

/* The kernel and its neighbours, in one race. */
static void test_race(void)
{
	struct trace_info i = { .kernel = (char *)"tiled_bt" };
	struct banks_race r;

	banks_race_fill(&i, &r);
	tap_is(r.count, 3, "tiled_bt is measured beside two others");
	tap_ok(r.count == 3 && r.rows[1].here &&
	       r.rows[0].flops > 3 * r.rows[1].flops &&
	       r.rows[2].flops > 3 * r.rows[1].flops,
	       "both are more than three times as fast");
	tap_str(r.rows[0].label, "tiled TILE=32", "with its own TILE");
	tap_ok(r.race.gpu && r.race.date, "on a machine, on a day");
	banks_race_done(&r);
	i.kernel = (char *)"theirs";
	banks_race_fill(&i, &r);
	tap_is(r.count, 0, "a reader's kernel has no neighbours");
	banks_race_done(&r);
}

int main(void)
{
	test_column();
	test_others();
	test_race();
	return tap_done();
}
