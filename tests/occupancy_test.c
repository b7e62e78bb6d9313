/*
 * Occupancy, against CUDA's own calculator where the toolkit is, against a
 * file of what that said elsewhere, and by hand for Fermi.
 *
 * `occupancy_test --write 200 >tests/occupancy.jsonl` writes the file: rows
 * of architecture, threads, registers, shared bytes, dynamic; blocks, and the
 * limiters in the calculator's terms, to which a block with too many threads
 * is one that the warps limit.
 */
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include) && __has_include(<cuda_occupancy.h>)
#define HAVE_CALCULATOR 1
#include <cuda_occupancy.h>
#endif

#include "hardware/occupancy.h"
#include "tap.h"

#define DATA "/tests/occupancy.jsonl"
#define DATA_ROWS 200		/* of each architecture */
#define RANDOM_ROWS 10000

enum limiter { BY_BLOCKS = 1, BY_WARPS = 2, BY_REGISTERS = 4, BY_SHARED = 8 };
static const char *const limiter_names[] = {
	"blocks", "warps", "registers", "shared",
};

static unsigned limiters_of(const struct occupancy *o)
{
	return (o->limits[OCCUPANCY_BLOCKS] ? BY_BLOCKS : 0) |
	       (o->limits[OCCUPANCY_WARPS] || o->limits[OCCUPANCY_THREADS] ?
		BY_WARPS : 0) |
	       (o->limits[OCCUPANCY_REGISTERS] ? BY_REGISTERS : 0) |
	       (o->limits[OCCUPANCY_SHARED] ? BY_SHARED : 0);
}

struct answer { int blocks; unsigned limiters; };

static bool agrees(const struct occupancy_arch *arch,
		   const struct occupancy_launch *l, struct answer want)
{
	struct occupancy o;

	occupancy_of(arch, l, &o);
	if (o.active_blocks == want.blocks && limiters_of(&o) == want.limiters)
		return true;
	printf("# %s: %d threads, %d registers, %d bytes%s: %d (%x), not "
	       "%d (%x)\n", arch->name, l->threads, l->registers, l->shared,
	       l->dynamic ? ", dynamic" : "", o.active_blocks,
	       limiters_of(&o), want.blocks, want.limiters);
	return false;
}

/* ---- the calculator ---- */

#ifdef HAVE_CALCULATOR
static uint64_t state;

static int below(int n)
{
	state = state * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (int)((state >> 33) % (uint64_t)n);
}

/*
 * Up to somewhat more than is allowed. The calculator lets a thread have 256
 * registers, sm_30's too: left out.
 */
static struct occupancy_launch random_launch(const struct occupancy_arch *a)
{
	int kib = a->optin_shared / 1024 + 2;

	return (struct occupancy_launch){
		.threads = 1 + below(below(2) ? 1056 : 256),
		.registers = below(1 + (below(2) ? a->thread_registers : 48)),
		.shared = below(3) ? below(kib * 1024) : 512 * below(16),
		.dynamic = below(2),
	};
}

static struct answer ask(const struct occupancy_arch *a,
			 const struct occupancy_launch *l)
{
	int number = atoi(a->name + 3);
	const struct cudaOccDeviceProp device = {
		.computeMajor = number / 10, .computeMinor = number % 10,
		.maxThreadsPerBlock = OCCUPANCY_BLOCK_THREADS,
		.maxThreadsPerMultiprocessor = a->warps * OCCUPANCY_WARP,
		.regsPerBlock = a->block_registers,
		.regsPerMultiprocessor = a->registers,
		.warpSize = OCCUPANCY_WARP,
		.sharedMemPerBlock = (size_t)a->block_shared,
		.sharedMemPerMultiprocessor = (size_t)a->shared, .numSms = 1,
		.sharedMemPerBlockOptin = (size_t)a->optin_shared,
		.reservedSharedMemPerBlock = (size_t)a->shared_reserved,
	};
	const struct cudaOccFuncAttributes function = {
		.maxThreadsPerBlock = INT_MAX, .numRegs = l->registers,
		.sharedSizeBytes = l->dynamic ? 0 : (size_t)l->shared,
		.shmemLimitConfig = l->dynamic ? FUNC_SHMEM_LIMIT_OPTIN :
						 FUNC_SHMEM_LIMIT_DEFAULT,
		.maxDynamicSharedSizeBytes = (size_t)a->optin_shared,
		.numBlockBarriers = 1,
	};
	const struct cudaOccDeviceState settings = {
		.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT,
	};
	struct cudaOccResult r = { 0 };
	unsigned by;

	if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &function,
			&settings, l->threads,
			l->dynamic ? (size_t)l->shared : 0))
		return (struct answer){ .blocks = -1 };
	by = r.limitingFactors;
	return (struct answer){
		.blocks = r.activeBlocksPerMultiprocessor,
		.limiters = (by & OCC_LIMIT_BLOCKS ? BY_BLOCKS : 0) |
			    (by & OCC_LIMIT_WARPS ? BY_WARPS : 0) |
			    (by & OCC_LIMIT_REGISTERS ? BY_REGISTERS : 0) |
			    (by & OCC_LIMIT_SHARED_MEMORY ? BY_SHARED : 0),
	};
}

static bool calculator_knows(const struct occupancy_arch *a)
{
	const struct occupancy_launch l = { .threads = 32, .registers = 32 };

	return ask(a, &l).blocks >= 0;
}

static void check_calculator(void)
{
	for (size_t i = 0; i < occupancy_arch_count; i++) {
		const struct occupancy_arch *a = &occupancy_archs[i];
		int bad = 0, launched = 0;

		state = 1;
		if (!calculator_knows(a)) {
			tap_skip(a->name, "cuda_occupancy.h knows nothing of "
				 "it");
			continue;
		}
		for (int n = 0; n < RANDOM_ROWS && bad < 3; n++) {
			struct occupancy_launch l = random_launch(a);
			struct answer want = ask(a, &l);

			bad += !agrees(a, &l, want);
			launched += want.blocks > 0;
		}
		tap_ok(!bad && launched > RANDOM_ROWS / 4, "%s: as CUDA "
		       "calculates, %d launches, of which %d can run",
		       a->name, RANDOM_ROWS, launched);
	}
}

static void write_row(const struct occupancy_arch *a)
{
	struct occupancy_launch l = random_launch(a);
	struct answer is = ask(a, &l);
	const char *between = "";

	printf("[\"%s\",%d,%d,%d,%s,%d,[", a->name, l.threads, l.registers,
	       l.shared, l.dynamic ? "true" : "false", is.blocks);
	for (size_t b = 0; b < LENGTH(limiter_names); b++)
		if (is.limiters >> b & 1) {
			printf("%s\"%s\"", between, limiter_names[b]);
			between = ",";
		}
	printf("]]\n");
}

static int write_rows(int rows)
{
	for (size_t i = 0; i < occupancy_arch_count; i++)
		for (int n = 0; n < rows; n++)
			if (calculator_knows(&occupancy_archs[i]))
				write_row(&occupancy_archs[i]);
	return 0;
}
#else
static void check_calculator(void)
{
	tap_skip("as CUDA calculates", "no cuda_occupancy.h");
}

static int write_rows(int rows)
{
	(void)rows;
	fprintf(stderr, "no cuda_occupancy.h\n");
	return 1;
}
#endif

/* ---- what it said elsewhere ---- */

static unsigned limiters_from(const json_t *list)
{
	unsigned by = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		for (size_t b = 0; b < LENGTH(limiter_names); b++)
			if (!strcmp(limiter_names[b], json_string_value(
						json_array_get(list, i))))
				by |= 1u << b;
	return by;
}

static bool check_row(const char *line, const struct occupancy_arch **arch)
{
	struct occupancy_launch l;
	struct answer want;
	json_t *row = json_loads(line, 0, NULL), *by;
	const char *name;
	int dynamic;
	bool good = !json_unpack(row, "[s,i,i,i,b,i,o]", &name, &l.threads,
				 &l.registers, &l.shared, &dynamic,
				 &want.blocks, &by);

	if (good) {
		while (*arch < occupancy_archs + occupancy_arch_count &&
		       strcmp((*arch)->name, name))
			++*arch;
		l.dynamic = dynamic;
		want.limiters = limiters_from(by);
		good = *arch < occupancy_archs + occupancy_arch_count &&
		       agrees(*arch, &l, want);
	}
	json_decref(row);
	return good;
}

static void check_file(void)
{
	const struct occupancy_arch *arch = occupancy_archs;
	const char *srcdir = getenv("srcdir");
	char path[4096], line[256];
	int rows = 0, bad = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s" DATA, srcdir ? srcdir : ABS_SRCDIR);
	f = fopen(path, "r");
	if (!tap_ok(f, "the calculator's answers can be read"))
		return;
	for (; fgets(line, sizeof(line), f); rows++)
		bad += !check_row(line, &arch);
	fclose(f);
	/* Fermi is older than the calculator. */
	tap_is(rows, DATA_ROWS * (occupancy_arch_count - 1),
	       "they are of every architecture but Fermi");
	tap_is(bad, 0, "and ours are the same");
}

/* ---- Fermi, by hand ---- */

static struct occupancy fermi(long kib, int threads, int registers,
			      int shared)
{
	struct occupancy_launch l = { threads, registers, shared, false };
	struct occupancy_arch arch;
	struct occupancy o;

	occupancy_arch_get(&arch, "sm_20", kib, NULL);
	occupancy_of(&arch, &l, &o);
	return o;
}

#define is_fermi(kib, threads, registers, shared, want, warps, by) do { \
	struct occupancy o = fermi(kib, threads, registers, shared); \
	tap_is(o.active_blocks, want, "sm_20, %d KiB: %d threads, %d " \
	       "registers, %d bytes: %d blocks", kib, threads, registers, \
	       shared, want); \
	tap_is(o.active_warps, warps, "... %d of 48 warps", warps); \
	tap_is(limiters_of(&o), by, "... and what limits them"); \
} while (0)

/*
 * The table of tile sizes that is often printed for Fermi with 16 KiB of
 * shared memory divides 16 KiB by a block's tiles and has 32, 8, 2 and 0
 * blocks for tiles of 8, 16, 32 and 64. The SM holds 8, 6, 1 and 0: it has
 * places for 8 blocks and 48 warps, and 4096 threads are no block, with any
 * shared memory.
 */
static void check_fermi(void)
{
	is_fermi(16, 64, 0, 512, 8, 16, BY_BLOCKS);
	is_fermi(16, 256, 0, 2048, 6, 48, BY_WARPS);
	is_fermi(16, 1024, 0, 8192, 1, 32, BY_WARPS);
	is_fermi(16, 4096, 0, 32768, 0, 0, BY_WARPS | BY_SHARED);
	is_fermi(48, 4096, 0, 32768, 0, 0, BY_WARPS);
	is_fermi(48, 64, 0, 512, 8, 16, BY_BLOCKS);
	/* 16 KiB / 3 KiB = 5; with 48 KiB 16, but there are 48 warps. */
	is_fermi(16, 256, 0, 3072, 5, 40, BY_SHARED);
	is_fermi(48, 256, 0, 3072, 6, 48, BY_WARPS);
	/* 20 * 32 = 640: 51 warps, 25 in each half: 50; 21 takes 704, so 23
	 * in each half: 46, of which 8 a block. 63 takes 2048: 16. */
	is_fermi(16, 256, 20, 2048, 6, 48, BY_WARPS | BY_REGISTERS);
	is_fermi(16, 256, 21, 2048, 5, 40, BY_REGISTERS);
	is_fermi(16, 256, 63, 2048, 2, 16, BY_REGISTERS);
	is_fermi(16, 256, 64, 2048, 0, 0, BY_REGISTERS);
	is_fermi(16, 1024, 33, 8192, 0, 0, BY_REGISTERS);
	/* A byte above 128 * n takes 128 more. */
	is_fermi(16, 32, 0, 2048, 8, 8, BY_BLOCKS | BY_SHARED);
	is_fermi(16, 32, 0, 2049, 7, 7, BY_SHARED);
	is_fermi(16, 32, 0, 16385, 0, 0, BY_SHARED);
}

/* ---- advice ---- */

static int better(struct occupancy_launch l, enum occupancy_resource r,
		  int *blocks)
{
	struct occupancy_launch to = { 0 };
	struct occupancy_arch arch;
	struct occupancy o = { .active_blocks = NA };

	occupancy_arch_get(&arch, "sm_90", 0, NULL);
	if (!occupancy_better(&arch, &l, r, &to, &o))
		return NA;
	*blocks = o.active_blocks;
	if (r == OCCUPANCY_REGISTERS)
		return to.registers;
	return r == OCCUPANCY_SHARED ? to.shared : to.threads;
}

static void check_better(void)
{
	struct occupancy_launch l = { 256, 64, 8192, false };
	int blocks = NA;

	tap_is(better(l, OCCUPANCY_REGISTERS, &blocks), 48,
	       "64 registers: 48 give room for another block");
	tap_is(blocks, 5, "... the fifth");
	l = (struct occupancy_launch){ 256, 32, 40000, false };
	tap_is(better(l, OCCUPANCY_SHARED, &blocks), 37888, "40000 bytes: "
	       "37888 and the 1024 reserved are a sixth of 228 KiB");
	tap_is(blocks, 6, "... the sixth");
	l = (struct occupancy_launch){ 32, 32, 0, false };
	tap_is(better(l, OCCUPANCY_BLOCKS, &blocks), 64,
	       "blocks of a warp: two warps fill the SM");
	tap_is(blocks, 32, "... as many blocks");
	l = (struct occupancy_launch){ 768, 32, 0, false };
	tap_is(better(l, OCCUPANCY_WARPS, &blocks), 672,
	       "768 threads leave 16 warps empty, 672 one");
	l = (struct occupancy_launch){ 2048, 32, 0, false };
	tap_is(better(l, OCCUPANCY_THREADS, &blocks), 1024,
	       "2048 threads are no block, 1024 are");
	l = (struct occupancy_launch){ 256, 32, 0, false };
	tap_is(better(l, OCCUPANCY_REGISTERS, &blocks), NA,
	       "a full SM cannot be fuller");
	l = (struct occupancy_launch){ 256, 64, 40000, false };
	tap_is(better(l, OCCUPANCY_REGISTERS, &blocks), 48,
	       "the limiter alone counts");
	tap_is(better(l, OCCUPANCY_SHARED, &blocks), NA,
	       "less of what does not limit is no help");
}

static void check_rest(void)
{
	struct occupancy_tile t = occupancy_tile(16);
	struct occupancy_arch arch;
	struct error e;

	tap_ok(t.threads == 256 && t.shared == 2048 && t.flop == 8192 &&
	       t.bytes == 2048, "a tile of 16: 8192 FLOP for 2048 bytes, "
	       "4 a byte");
	tap_ok(occupancy_arch_get(&arch, "sm_91", 0, &e) < 0 &&
	       strstr(e.text, "did you mean sm_90"), "a near name: %s",
	       e.text);
	tap_ok(occupancy_arch_get(&arch, "volta", 0, &e) < 0 &&
	       e.status == EXIT_USAGE, "none near: %s", e.text);
	tap_ok(occupancy_arch_get(&arch, "sm_20", 32, &e) < 0,
	       "no such division: %s", e.text);
	tap_ok(occupancy_arch_get(&arch, "sm_90", 48, &e) < 0,
	       "none at all: %s", e.text);
	for (size_t i = 0; i < occupancy_arch_count; i++) {
		const struct occupancy_arch *a = &occupancy_archs[i];
		struct occupancy_launch l = {
			32, a->thread_registers, a->optin_shared, true,
		};
		struct occupancy o;

		occupancy_of(a, &l, &o);
		tap_ok(o.active_blocks > 0, "%s: a block with as much as it "
		       "may have", a->name);
		l.registers++;
		occupancy_of(a, &l, &o);
		tap_ok(!o.active_blocks && o.limits[OCCUPANCY_REGISTERS] &&
		       !o.limits[OCCUPANCY_SHARED], "... a register more");
		l.registers--;
		l.shared++;
		occupancy_of(a, &l, &o);
		tap_ok(!o.active_blocks && !o.limits[OCCUPANCY_REGISTERS] &&
		       o.limits[OCCUPANCY_SHARED], "... a byte more");
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--write"))
		return write_rows(atoi(argv[2]));
	check_file();
	check_calculator();
	check_fermi();
	check_better();
	check_rest();
	return tap_done();
}
