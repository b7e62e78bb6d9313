/*
 * occupancy: how many blocks of a kernel an SM holds at a time, and what
 * keeps it from holding more. Pure functions.
 *
 * An SM has so many places for blocks and for warps, so many registers and so
 * much shared memory; a block that does not find all of them waits. The
 * smallest of the four counts is active_blocks; whatever gives it is a
 * limiter. Occupancy is active warps by the warps an SM has places for.
 *
 *  warps      a block takes threads / 32, rounded up.
 *  registers  a warp takes 32 * registers, rounded up to register_unit. Each
 *	       of the SM's partitions has its share of the register file and
 *	       takes whole warps only, so what remains in each is lost.
 *	       Whether a block may be launched at all is asked as if its warps
 *	       filled the partitions evenly.
 *  shared     a block takes its bytes and what the system reserves in it,
 *	       rounded up to shared_unit. More than 48 KiB only as dynamic
 *	       shared memory of a kernel that opts in.
 *
 * Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability"; cuda/__device/arch_traits.h of libcu++; the toolkit's
 * cuda_occupancy.h, which tests/occupancy_test holds this to. Fermi, which
 * these no longer know: the older toolkits' CUDA_Occupancy_Calculator.xls.
 * What differs from cuda_occupancy.h: a thread has at most 63 registers on
 * sm_30 and 255 since sm_70 (the guide), not 255 and 256.
 */
#ifndef HARDWARE_OCCUPANCY_H
#define HARDWARE_OCCUPANCY_H

#include "base/base.h"

#define OCCUPANCY_BLOCK_THREADS 1024	/* a block's most, everywhere */
#define OCCUPANCY_WARP 32

/* Of one SM unless it says otherwise; shared memory in bytes. */
struct occupancy_arch {
	const char *name, *family;	/* "sm_90", "Hopper" */
	int warps, blocks;
	int registers;
	int block_registers;		/* the most that a block may take */
	int thread_registers;		/* the most that a thread may have */
	int register_unit;		/* of a warp's */
	int partitions;
	int launch_partitions;		/* those a launch is checked against:
					   sm_60 must run what sm_61 runs */
	int shared;
	int block_shared;		/* a block's most without opting in */
	int optin_shared;		/* and with */
	int shared_unit;
	int shared_reserved;		/* in each block, by the system */
};

extern const struct occupancy_arch occupancy_archs[];
extern const size_t occupancy_arch_count;

/*
 * The architecture of that name. shared_kib: how Fermi's 64 KiB are divided,
 * 16 or 48 for shared memory; 0 is the default, 48. -1 with e (EXIT_USAGE):
 * no such name, a division that the architecture does not have.
 */
int occupancy_arch_get(struct occupancy_arch *arch, const char *name,
		       long shared_kib, struct error *e);

/* More than any architecture has, so that it can be said that it has not. */
#define OCCUPANCY_MOST_THREADS 65536
#define OCCUPANCY_MOST_REGISTERS 1024
#define OCCUPANCY_MOST_SHARED (1 << 24)
struct occupancy_launch {
	int threads;		/* a block, from 1 */
	int registers;		/* a thread; 0: they don't count */
	int shared;		/* bytes a block */
	bool dynamic;		/* shared memory is dynamic, opted in */
};

enum occupancy_resource {
	OCCUPANCY_BLOCKS, OCCUPANCY_WARPS, OCCUPANCY_THREADS,
	OCCUPANCY_REGISTERS, OCCUPANCY_SHARED, OCCUPANCY_RESOURCES
};
/* "blocks", "warps", "threads", "registers", "shared" */
const char *occupancy_resource_name(enum occupancy_resource r);

/*
 * What one block takes and how many blocks find place, by resource. threads
 * stands for the size of a block: 0 blocks for one above
 * OCCUPANCY_BLOCK_THREADS, else NA. NA blocks: none of it is taken.
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
 * The nearest launch with more active warps that differs only in this
 * resource: fewer registers or bytes, smaller blocks for warps and threads,
 * larger blocks for blocks (in whole warps). False where there is none.
 */
bool occupancy_better(const struct occupancy_arch *arch,
		      const struct occupancy_launch *launch,
		      enum occupancy_resource r,
		      struct occupancy_launch *better, struct occupancy *out);

/*
 * A block of the tiled kernel: TILE x TILE threads; in each phase they load a
 * tile of A and one of B, 2 TILE^2 floats of 4 bytes, into shared memory and
 * do 2 TILE^3 FLOP with them.
 */
struct occupancy_tile {
	int threads, shared;
	double flop, bytes;		/* a phase; global memory */
};
struct occupancy_tile occupancy_tile(int tile);

#endif
