#include "hardware/occupancy.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"

/*
 * sm, family; warps, blocks; K registers of an SM and of a block, registers
 * of a thread; unit, partitions of the SM and of the launch check; KiB of
 * shared memory of an SM and of a block that opts in; unit, reserved bytes.
 */
#define SM(sm, f, w, b, r, rb, rt, ru, p, lp, s, so, su, sr) \
	{ \
		.name = "sm_" #sm, .family = #f, .warps = w, .blocks = b, \
		.registers = (r) * 1024, .block_registers = (rb) * 1024, \
		.thread_registers = rt, .register_unit = ru, \
		.partitions = p, .launch_partitions = lp, \
		.shared = (s) * 1024, .block_shared = 48 * 1024, \
		.optin_shared = (so) * 1024, .shared_unit = su, \
		.shared_reserved = sr, \
	}

const struct occupancy_arch occupancy_archs[] = {
	SM(20, Fermi, 48, 8, 32, 32, 63, 64, 2, 2, 48, 48, 128, 0),
	SM(30, Kepler, 64, 16, 64, 64, 63, 256, 4, 4, 48, 48, 256, 0),
	SM(35, Kepler, 64, 16, 64, 64, 255, 256, 4, 4, 48, 48, 256, 0),
	SM(37, Kepler, 64, 16, 128, 64, 255, 256, 4, 4, 112, 48, 256, 0),
	SM(50, Maxwell, 64, 32, 64, 64, 255, 256, 4, 4, 64, 48, 256, 0),
	SM(52, Maxwell, 64, 32, 64, 64, 255, 256, 4, 4, 96, 48, 256, 0),
	SM(53, Maxwell, 64, 32, 64, 32, 255, 256, 4, 4, 64, 48, 256, 0),
	SM(60, Pascal, 64, 32, 64, 64, 255, 256, 2, 4, 64, 48, 256, 0),
	SM(61, Pascal, 64, 32, 64, 64, 255, 256, 4, 4, 96, 48, 256, 0),
	SM(62, Pascal, 64, 32, 64, 32, 255, 256, 4, 4, 64, 48, 256, 0),
	SM(70, Volta, 64, 32, 64, 64, 255, 256, 4, 4, 96, 96, 256, 0),
	SM(72, Volta, 64, 32, 64, 64, 255, 256, 4, 4, 96, 96, 256, 0),
	SM(75, Turing, 32, 16, 64, 64, 255, 256, 4, 4, 64, 64, 256, 0),
	SM(80, Ampere, 64, 32, 64, 64, 255, 256, 4, 4, 164, 163, 128, 1024),
	SM(86, Ampere, 48, 16, 64, 64, 255, 256, 4, 4, 100, 99, 128, 1024),
	SM(87, Ampere, 48, 16, 64, 64, 255, 256, 4, 4, 164, 163, 128, 1024),
	SM(88, Ampere, 48, 16, 64, 64, 255, 256, 4, 4, 100, 99, 128, 1024),
	SM(89, Ada, 48, 24, 64, 64, 255, 256, 4, 4, 100, 99, 128, 1024),
	SM(90, Hopper, 64, 32, 64, 64, 255, 256, 4, 4, 228, 227, 128, 1024),
	SM(100, Blackwell, 64, 32, 64, 64, 255, 256, 4, 4, 228, 227, 128, 1024),
	SM(103, Blackwell, 64, 32, 64, 64, 255, 256, 4, 4, 228, 227, 128, 1024),
	SM(110, Blackwell, 48, 24, 64, 64, 255, 256, 4, 4, 228, 227, 128, 1024),
	SM(120, Blackwell, 48, 24, 64, 64, 255, 256, 4, 4, 100, 99, 128, 1024),
	SM(121, Blackwell, 48, 24, 64, 64, 255, 256, 4, 4, 100, 99, 128, 1024),
};
const size_t occupancy_arch_count = LENGTH(occupancy_archs);

static int unknown_arch(const char *name, struct error *e)
{
	const char *names[LENGTH(occupancy_archs)], *near;

	/* The newest first: of equally near names it is the likelier. */
	for (size_t i = 0; i < LENGTH(names); i++)
		names[i] = occupancy_archs[LENGTH(names) - 1 - i].name;
	near = nearest_name(name, names, LENGTH(names));
	if (near)
		return error_set(e, EXIT_USAGE, "no architecture '%s'; did you "
				 "mean %s?", text_show(name), near);
	return error_set(e, EXIT_USAGE, "no architecture '%s' (%s to %s)",
			 text_show(name), names[LENGTH(names) - 1], names[0]);
}

/* Sets the share of shared memory, 16 or 48 KiB. Only on Fermi do shared memory
 * and level-1 cache share 64 KiB. */
static int divide_l1_memory(struct occupancy_arch *arch, long kib,
			    struct error *e)
{
	if (strcmp(arch->family, "Fermi"))
		return error_set(e, EXIT_USAGE, "the shared memory of %s is "
				 "not divided by hand; that of sm_20 is",
				 arch->name);
	if (kib != 16 && kib != 48)
		return error_set(e, EXIT_USAGE, "%s gives 16 or 48 KiB to "
				 "shared memory, not %ld", arch->name, kib);
	arch->shared = (int)kib * 1024;
	arch->block_shared = arch->optin_shared = arch->shared;
	return 0;
}

/* Tests whether `name` is `arch`, or `arch` with its own instructions (sm_90a
 * is an sm_90). */
static bool names_arch(const char *name, const char *arch)
{
	size_t n = strlen(arch);

	return !strncmp(name, arch, n) &&
	       (!name[n] || !strcmp(name + n, "a") || !strcmp(name + n, "f"));
}

int occupancy_arch_get(struct occupancy_arch *arch, const char *name,
		       long shared_kib, struct error *e)
{
	for (size_t i = 0; i < occupancy_arch_count; i++)
		if (names_arch(name, occupancy_archs[i].name)) {
			*arch = occupancy_archs[i];
			return shared_kib ?
				       divide_l1_memory(arch, shared_kib, e) :
				       0;
		}
	return unknown_arch(name, e);
}

const char *occupancy_resource_name(enum occupancy_resource r)
{
	static const char *const names[] = {
		[OCCUPANCY_BLOCKS] = "blocks", [OCCUPANCY_WARPS] = "warps",
		[OCCUPANCY_THREADS] = "threads",
		[OCCUPANCY_REGISTERS] = "registers",
		[OCCUPANCY_SHARED] = "shared",
	};

	return names[r];
}

static int round_to_unit(int n, int unit)
{
	return (n + unit - 1) / unit * unit;
}

static int register_blocks(const struct occupancy_arch *arch,
			   const struct occupancy_launch *launch, int warps)
{
	int warp = round_to_unit(launch->registers * OCCUPANCY_WARP,
				 arch->register_unit);
	int held;

	if (!launch->registers)
		return NA;
	if (launch->registers > arch->thread_registers ||
	    round_to_unit(warps, arch->launch_partitions) * warp >
		    arch->block_registers)
		return 0;
	held = arch->registers / arch->partitions / warp * arch->partitions;
	return held / warps;
}

static int shared_blocks(const struct occupancy_arch *arch,
			 const struct occupancy_launch *launch, int taken)
{
	int most = launch->dynamic ? arch->optin_shared : arch->block_shared;

	if (!taken)
		return NA;
	if (taken > most + arch->shared_reserved)
		return 0;
	return arch->shared / taken;
}

static void find_limits(const struct occupancy_arch *arch,
			struct occupancy *out)
{
	int least = INT_MAX;

	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		if (out->blocks[r] != NA)
			least = MIN(least, out->blocks[r]);
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		out->limits[r] = out->blocks[r] == least;
	out->active_blocks = least;
	out->active_warps = least * out->takes[OCCUPANCY_WARPS];
	out->occupancy = (double)out->active_warps / arch->warps;
}

void occupancy_of(const struct occupancy_arch *arch,
		  const struct occupancy_launch *launch,
		  struct occupancy *out)
{
	int warps =
		round_to_unit(launch->threads, OCCUPANCY_WARP) / OCCUPANCY_WARP;
	int shared = round_to_unit(launch->shared + arch->shared_reserved,
				   arch->shared_unit);

	*out = (struct occupancy){
		.takes = {
			[OCCUPANCY_BLOCKS] = 1,
			[OCCUPANCY_WARPS] = warps,
			[OCCUPANCY_THREADS] = launch->threads,
			[OCCUPANCY_REGISTERS] =
				warps * round_to_unit(launch->registers *
							      OCCUPANCY_WARP,
						      arch->register_unit),
			[OCCUPANCY_SHARED] = shared,
		},
		.blocks = {
			[OCCUPANCY_BLOCKS] = arch->blocks,
			[OCCUPANCY_WARPS] = arch->warps / warps,
			[OCCUPANCY_THREADS] =
				launch->threads > OCCUPANCY_BLOCK_THREADS ?
				0 : NA,
			[OCCUPANCY_REGISTERS] =
				register_blocks(arch, launch, warps),
			[OCCUPANCY_SHARED] =
				shared_blocks(arch, launch, shared),
		},
	};
	find_limits(arch, out);
}

/* Reduces the launch's use of a resource by one step; false when it cannot. */
static bool reduce_resource(struct occupancy_launch *launch,
			    enum occupancy_resource r)
{
	int warps = launch->threads / OCCUPANCY_WARP;

	if (r == OCCUPANCY_REGISTERS)
		return --launch->registers > 0;
	if (r == OCCUPANCY_SHARED)
		return --launch->shared >= 0;
	if (r == OCCUPANCY_BLOCKS)
		launch->threads = (warps + 1) * OCCUPANCY_WARP;
	else
		launch->threads = (launch->threads - 1) / OCCUPANCY_WARP *
				  OCCUPANCY_WARP;
	return launch->threads > 0 &&
	       (r != OCCUPANCY_BLOCKS ||
		launch->threads <= OCCUPANCY_BLOCK_THREADS);
}

bool occupancy_better(const struct occupancy_arch *arch,
		      const struct occupancy_launch *launch,
		      enum occupancy_resource r,
		      struct occupancy_launch *better, struct occupancy *out)
{
	struct occupancy now;

	occupancy_of(arch, launch, &now);
	*better = *launch;
	while (reduce_resource(better, r)) {
		occupancy_of(arch, better, out);
		if (out->active_warps > now.active_warps)
			return true;
	}
	return false;
}

struct occupancy_tile occupancy_tile(int tile)
{
	double t = tile;
	int floats = 2 * tile * tile;

	return (struct occupancy_tile){
		.threads = tile * tile,
		.shared = floats * (int)sizeof(float),
		.flop = 2 * t * t * t,
		.bytes = (double)floats * sizeof(float),
	};
}
