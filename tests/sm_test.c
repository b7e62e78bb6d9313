/*
 * sm_test: what fills an SM, as the reader turns tile, registers and
 * architecture; with what races in data/ have measured.
 */
#include <string.h>

#include "viz/pictures/occupancy/scene_occupancy.h"
#include "tap.h"

static struct trace_array array = {
	.name = (char *)"s", .space = SPACE_SHARED, .elem = ELEM_F32,
	.elem_bytes = 4, .rank = 2, .dims = { 100, 10 }, .base = 96,
};
static struct trace_info info = {
	.kernel = (char *)"tiled", .block = { 16, 16, 1 },
	.grid = { 1, 1, 1 }, .arrays = &array, .array_count = 1,
};

static struct scene_occupancy turn(const struct occupancy_known *known,
				   int tile, int registers, int arch)
{
	struct scene_occupancy s;

	scene_occupancy_fill(&info, known, tile, registers, arch, &s);
	return s;
}

static void test_known(void)
{
	struct occupancy_known k;
	struct scene_occupancy s;

	occupancy_known_fill(&info, &k);
	s = turn(&k, 0, 0, 0);
	tap_ok(s.launch.threads == 256 && s.compiled && s.date,
	       "the kernel on stage, as a race compiled it");
	tap_is(s.tile, 16, "with its tile");
	tap_is(s.rung_count, 0, "and no ladder beside its tiles");
	tap_is(s.launch.shared, 2 * 16 * 16 * 4, "with its shared memory");
	tap_is(s.o.active_warps, s.arch.warps, "tiled fills an SM of the race");
	s = turn(&k, 3, 0, 0);
	tap_str(s.label, "tiled TILE=32", "turned to another tile");
	tap_ok(s.launch.threads == 1024 && s.o.active_blocks == 2,
	       "of which two blocks are on an SM");
	tap_is(turn(&k, 4, 0, 0).o.active_blocks, 0, "TILE 64 does not start");
	tap_ok(turn(&k, 4, 0, 0).o.limits[OCCUPANCY_THREADS],
	       "for it has more threads than a block may have");
	s = turn(&k, 2, 4, 0);
	tap_ok(s.turned && s.launch.registers == 64 &&
	       s.o.limits[OCCUPANCY_REGISTERS] && s.o.active_blocks == 4,
	       "with twice the registers they are what limits");
	tap_is(turn(&k, 2, -99, 0).launch.registers, 8,
	       "eight registers are the least");
	for (int i = 0; i < 3; i++)
		tap_ok(s.rows[i].flops != NA &&
		       s.rows[i].intensity == (2 << i),
		       "TILE %d is measured, and has its FLOP a byte",
		       s.rows[i].tile);
	tap_is((long)s.rows[3].flops, NA, "TILE 64 never ran");
	occupancy_known_done(&k);
}

/* The table of the first texts is of Fermi. */
static void test_fermi(const struct occupancy_known *k)
{
	static const int blocks[] = { 8, 6, 1, 0 };
	struct scene_occupancy s = turn(k, 1, 0, 0);
	int old = (int)occupancy_arch_count - 1;

	tap_is(s.other.shared, 48 * 1024, "Fermi is compared with");
	for (int i = 0; i < OCCUPANCY_TILES; i++) {
		s = turn(k, i + 1, -2, 0);
		tap_is(s.rows[i].old.active_blocks, blocks[i],
		       "TILE %d there", s.rows[i].tile);
	}
	for (int i = 0; i <= old; i++)
		if (!strcmp(turn(k, 0, 0, i).arch.name, "sm_20"))
			old = i;
	s = turn(k, 0, 0, old);
	tap_str(s.arch.name, "sm_20", "the architecture is turned to Fermi");
	tap_ok(strcmp(s.other.name, "sm_20") != 0,
	       "and today's is what it is compared with");
	tap_str(turn(k, 0, 0, (int)occupancy_arch_count).arch.name,
		turn(k, 0, 0, 0).arch.name, "round and round");
}

static const struct occupancy_rung *rung(const struct scene_occupancy *s,
					 const char *name)
{
	for (int i = 0; i < s->rung_count; i++)
		if (!strcmp(s->rungs[i].name, name))
			return &s->rungs[i];
	return NULL;
}

/* A kernel without tiles of its own to turn: the ladder stands beside it. */
static void test_ladder(void)
{
	struct occupancy_known k;
	struct scene_occupancy s;
	const struct occupancy_rung *tiled, *own;

	info.kernel = (char *)"float4";
	occupancy_known_fill(&info, &k);
	s = turn(&k, 0, 0, 0);
	tiled = rung(&s, "tiled");
	own = rung(&s, "float4");
	tap_is(s.tile, 0, "float4 has no TILE");
	tap_ok(tiled && own && own->here && !tiled->here,
	       "the ladder, and the kernel on stage in it");
	tap_ok(tiled && own && own->flops > tiled->flops &&
	       own->o.active_warps < tiled->o.active_warps,
	       "float4 has fewer warps than tiled, and is faster");
	tap_ok(!s.older && !strcmp(s.date, k.own_race.date),
	       "it is as it was timed");
	k.own.older = true;
	k.own.registers = 128;
	s = turn(&k, 0, 0, 0);
	tap_ok(s.older && s.launch.registers == 128 && s.compiled,
	       "what was timed of an older source is shown, and said to be");
	info.block.x = 8;
	s = turn(&k, 0, 0, 0);
	own = rung(&s, "float4");
	tap_ok(own && !own->here, "with other blocks it is not that rung");
	info.block.x = 16;
	tap_ok(!rung(&s, "hgemm") && !rung(&s, "bug_edge"),
	       "tensor cores and bugs are another ladder's");
	s = turn(&k, 2, 0, 0);
	tap_ok(s.tile == 16 && !s.rung_count, "turned to a tile of tiled");
	occupancy_known_done(&k);
}

/* A kernel that no race has. */
/* The ends of the ladder were timed, be it with older sources: no number of
 * registers is assumed for them. */
static void test_timed(void)
{
	static const char *const names[] = { "warptile", "sgemm", "hgemm" };

	for (size_t i = 0; i < LENGTH(names); i++) {
		struct occupancy_known k;

		info.kernel = (char *)(uintptr_t)names[i];
		occupancy_known_fill(&info, &k);
		tap_ok(k.own.registers > 32 && k.own_race.date,
		       "%s has the registers of a race", names[i]);
		occupancy_known_done(&k);
	}
}

static void test_unknown(void)
{
	struct occupancy_known k;
	struct scene_occupancy s;

	info.kernel = (char *)"theirs";
	occupancy_known_fill(&info, &k);
	s = turn(&k, 0, 0, 0);
	tap_ok(!s.compiled && s.launch.registers == 32,
	       "without a race the registers are assumed");
	tap_is(s.launch.shared, 4096, "the arrays say what is shared");
	test_fermi(&k);
	occupancy_known_done(&k);
}

int main(void)
{
	test_known();
	test_ladder();
	test_timed();
	test_unknown();
	return tap_done();
}
