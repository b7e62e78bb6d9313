/*
 * occupancy: how many blocks of a kernel are resident on an SM at a time, and
 * what limits their number. Pure functions.
 *
 * An SM has a fixed number of slots for blocks and for warps, of registers and
 * of bytes of shared memory; a block waits until all that it needs is free.
 * Each of the four resources allows a number of blocks; the smallest is
 * active_blocks, and every resource that allows no more is a limiter. Occupancy
 * is the ratio of active warps to the SM's warp slots.
 *
 *  warps      a block takes threads / 32, rounded up.
 *  registers  a warp takes 32 * registers, rounded up to register_unit. Each
 *	       of the SM's partitions has its share of the register file and
 *	       takes whole warps only, so the remainder of each is unused.
 *	       Whether a block can be launched at all is checked as if its
 *	       warps filled the partitions evenly.
 *  shared     a block takes its bytes and what the system reserves in it,
 *	       rounded up to shared_unit. More than 48 KiB are available
 *	       only as dynamic shared memory of a kernel that opts in.
 *
 * Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability"; cuda/__device/arch_traits.h of libcu++; the toolkit's
 * cuda_occupancy.h, which tests/occupancy_test compares this with. For Fermi,
 * which these no longer cover: the older toolkits'
 * CUDA_Occupancy_Calculator.xls. One thing differs from cuda_occupancy.h: a
 * thread has at most 63 registers on sm_30 and 255 since sm_70 (the guide), not
 * 255 and 256.
 */
#ifndef HARDWARE_OCCUPANCY_H
#define HARDWARE_OCCUPANCY_H

#include "base/base.h"

#define OCCUPANCY_BLOCK_THREADS 1024	/* most threads a block may have,
					   everywhere */
#define OCCUPANCY_WARP 32

/* The limits of an architecture: of one SM unless stated otherwise; shared
 * memory in bytes. */
struct occupancy_arch {
	const char *name, *family;	/* "sm_90", "Hopper" */
	int warps, blocks;
	int registers;
	int block_registers;		/* the most that a block may take */
	int thread_registers;		/* the most that a thread may have */
	int register_unit;		/* a warp's allocation unit */
	int partitions;
	int launch_partitions;		/* partitions that a launch is
					   checked against: sm_60 must run
					   what sm_61 runs */
	int shared;
	int block_shared;		/* most per block without opt-in */
	int optin_shared;		/* most per block with opt-in */
	int shared_unit;
	int shared_reserved;		/* per block, by the system */
};

extern const struct occupancy_arch occupancy_archs[];
extern const size_t occupancy_arch_count;

/*
 * Finds the architecture of that name. shared_kib is how much of Fermi's 64 KiB
 * is shared memory, 16 or 48; 0 is the default, 48. -1 with e (EXIT_USAGE):
 * there is no such name, or the architecture does not have that division.
 */
int occupancy_arch_get(struct occupancy_arch *arch, const char *name,
		       long shared_kib, struct error *e);

/* Input limits above those of any architecture, so that a launch can be
 * reported to exceed the architecture's. */
#define OCCUPANCY_MOST_THREADS 65536
#define OCCUPANCY_MOST_REGISTERS 1024
#define OCCUPANCY_MOST_SHARED (1 << 24)
struct occupancy_launch {
	int threads;		/* per block, from 1 */
	int registers;		/* per thread; 0: not counted */
	int shared;		/* bytes per block */
	bool dynamic;		/* shared memory is dynamic, opted in */
};

enum occupancy_resource {
	OCCUPANCY_BLOCKS, OCCUPANCY_WARPS, OCCUPANCY_THREADS,
	OCCUPANCY_REGISTERS, OCCUPANCY_SHARED, OCCUPANCY_RESOURCES
};
/* Returns "blocks", "warps", "threads", "registers" or "shared". */
const char *occupancy_resource_name(enum occupancy_resource r);

/*
 * What one block takes, and how many blocks each resource allows. The resource
 * threads stands for the size of a block: it allows 0 blocks above
 * OCCUPANCY_BLOCK_THREADS, else NA. NA blocks: the block takes none of the
 * resource.
 */
struct occupancy {
	int active_blocks, active_warps;
	double occupancy;		/* 0 to 1 */
	int takes[OCCUPANCY_RESOURCES];
	int blocks[OCCUPANCY_RESOURCES];
	bool limits[OCCUPANCY_RESOURCES];
};
void occupancy_of(const struct occupancy_arch *arch,
		  const struct occupancy_launch *launch,
		  struct occupancy *out);

/*
 * Finds the nearest launch with more active warps that differs only in this
 * resource: fewer registers or bytes, smaller blocks for warps and threads,
 * larger blocks (in whole warps) for blocks. False where there is none.
 */
bool occupancy_better(const struct occupancy_arch *arch,
		      const struct occupancy_launch *launch,
		      enum occupancy_resource r,
		      struct occupancy_launch *better, struct occupancy *out);

/*
 * A block of the tiled kernel: TILE x TILE threads; in each phase they load a
 * tile of A and one of B, 2 TILE^2 floats of 4 bytes, into shared memory and
 * compute 2 TILE^3 FLOP with them.
 */
struct occupancy_tile {
	int threads, shared;
	double flop, bytes;		/* per phase; bytes of global memory */
};
struct occupancy_tile occupancy_tile(int tile);

#endif
