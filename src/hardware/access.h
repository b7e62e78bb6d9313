/*
 * access: what the memory instruction of one warp costs. Pure functions.
 *
 * Global memory: a request touches the distinct 32-byte sectors (and 128-byte
 * lines) that hold its active lanes' bytes, whatever the access width and
 * however the lanes are permuted.
 *
 * Shared memory has 32 banks of 4 bytes. One wavefront serves lanes whose words
 * are in different banks or are the same word. 1-, 2- and 4-byte accesses have
 * one pass of 32 lanes, 8-byte accesses two passes of 16, 16-byte accesses four
 * passes of 8; the cost is the sum over the passes of the most distinct words
 * in any one bank. Adjacent passes (0 and 1, 2 and 3) of a load are merged
 * when, over all active lanes, lanes i and i^1 access the same address or one
 * of them is inactive, or when the same holds for lanes i and i^2. The passes
 * of a store never merge. A pass of ldmatrix is one 8x8 matrix, eight rows of
 * 16 bytes addressed by lanes 8p..8p+7; its passes never merge, transposed or
 * not.
 *
 * Constant memory serves the lanes that want the same word in one pass; the
 * cost is the number of different words (CUDA C++ Programming Guide, "Constant
 * Memory": a request is split into as many as there are different addresses).
 *
 * When accesses follow one another without waiting, a shared access occupies
 * the data path of its SM for as many cycles as it has wavefronts; a load for
 * at least as many as it has passes, merged or not, with active lanes or
 * without. In global memory, a load takes a cycle for each line; a store takes
 * one for each sector and one more for each line that it writes in part, and at
 * least as many as its lanes' bytes take at 128 a cycle.
 *
 * Source of the cycles: the clock of an H200's SM, which `gemmviz calibrate`
 * reads (tests/calibration_data). Source of the rest: counters of an H200, one
 * single-warp launch for each access pattern; data/README.md describes the
 * method, and tests/access_data checks this model against all of the data.
 */
#ifndef HARDWARE_ACCESS_H
#define HARDWARE_ACCESS_H

#include "trace/trace.h"

/* ACCESS_LDMATRIX: shared memory, by ldmatrix or stmatrix. */
enum access_space { ACCESS_GLOBAL, ACCESS_SHARED, ACCESS_LDMATRIX,
		    ACCESS_CONSTANT };

#define SECTOR_BYTES 32
#define LINE_BYTES 128
#define BANKS 32
#define BANK_BYTES 4

struct access {
	enum access_space space;
	enum op op;			/* OP_LD or OP_ST */
	uint32_t bytes;			/* per lane: 1, 2, 4, 8, 16 */
	uint32_t mask;			/* active lanes; may be 0 */
	uint64_t address[WARP_LANES];	/* bytes */
};

/* The counts of one access; NA where a count does not apply to the space. */
struct access_cost {
	int requests;		/* 1, or 0 when no lane is active */
	int sectors;		/* global */
	int bytes;		/* global: distinct bytes accessed */
	int ideal_sectors;	/* global: `bytes` / 32, rounded up */
	int lines;		/* global */
	int wavefronts;		/* shared, ldmatrix */
	int ideal_wavefronts;	/* wavefronts without bank conflicts: one per
				   (merged) pass that has active lanes */
	int max_way;		/* n-way bank conflict: most distinct words
				   in one bank in a pass */
	int passes;		/* constant: one for each word */
	int cycles;		/* not constant: that the SM is kept busy */
};

/* Computes the cost of an access. -1 with e (EXIT_INPUT) for an invalid width
 * or a misaligned address. */
int access_cost(const struct access *a, struct access_cost *cost,
		struct error *e);

/* Fills an access from a request of a trace to global or shared memory; false
 * for all others. */
bool access_of(const struct trace_info *info, const struct trace_request *r,
	       struct access *a);
/* The passes that a request to constant memory takes. */
int access_constant_passes(const struct trace_array *array,
			   const struct trace_request *r);

/* The distinct sectors a global access touches, ascending. */
struct access_sector {
	uint64_t address;		/* address of the sector's first byte */
	uint32_t lanes;			/* mask of lanes with a byte in it */
	uint32_t bytes;			/* bit b: byte b is accessed */
};
/* Returns the number of sectors: at most 32 * 2 (16-byte lanes are aligned). */
size_t access_sectors(const struct access *a,
		      struct access_sector out[2 * WARP_LANES]);

/* One word in one bank in one (merged) pass of a shared access. */
struct access_word {
	uint8_t pass, bank;
	uint8_t wavefront;		/* wavefront that serves it, from 0 */
	uint64_t word;			/* address / 4 */
	uint32_t lanes;			/* mask of lanes that access it */
};
/*
 * Lists the words of a shared access, sorted by pass, bank and word; at most
 * 128. Sets *passes to the number of merged passes that have active lanes
 * (access_word.pass counts those from 0).
 */
size_t access_words(const struct access *a,
		    struct access_word out[4 * WARP_LANES], int *passes);

#endif
