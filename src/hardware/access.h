/*
 * access: what one warp's memory instruction costs. Pure functions.
 *
 * Global memory: a request touches the distinct 32-byte sectors (and
 * 128-byte lines) of its active lanes' bytes, whatever the width and however
 * the lanes are permuted.
 *
 * Shared memory: 32 banks of 4 bytes. A wavefront serves lanes whose words
 * fall in different banks or are the same word. 1-, 2- and 4-byte accesses
 * have one pass of 32 lanes, 8-byte two of 16, 16-byte four of 8; the cost
 * is the sum over passes of the worst bank's number of distinct words.
 * Neighbouring passes (0 and 1, 2 and 3) of a load are served as one when
 * over all active lanes lane i and lane i^1 ask for the same address or one
 * of them is inactive, or the same holds of lane i and i^2. The passes of a
 * store never merge. ldmatrix: a pass is one 8x8 matrix, eight rows of 16
 * bytes, lanes 8p..8p+7; passes never merge, transposed or not.
 *
 * Source: counted by an H200, a single-warp launch a pattern; data/README.md
 * says how, and tests/access_data holds this model to all of it.
 */
#ifndef HARDWARE_ACCESS_H
#define HARDWARE_ACCESS_H

#include "trace/trace.h"

/* ACCESS_LDMATRIX: shared memory, by ldmatrix or stmatrix. */
enum access_space { ACCESS_GLOBAL, ACCESS_SHARED, ACCESS_LDMATRIX };

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

/* Counts; NA where a count does not apply to the space. */
struct access_cost {
	int requests;		/* 1, or 0 when no lane is active */
	int sectors;		/* global */
	int bytes;		/* global: distinct ones asked for */
	int ideal_sectors;	/* global: these bytes in sectors, rounded up */
	int lines;		/* global */
	int wavefronts;		/* shared, ldmatrix */
	int ideal_wavefronts;	/* the same access without bank conflicts: one
				   per (merged) pass that has active lanes */
	int max_way;		/* most distinct words in one bank in a pass */
};

/* -1 with e (EXIT_INPUT): a width that is none, a misaligned address. */
int access_cost(const struct access *a, struct access_cost *cost,
		struct error *e);

/* Fills an access from a request of a trace; false for barriers and
 * register accesses, which have no cost here. */
bool access_of(const struct trace_info *info, const struct trace_request *r,
	       struct access *a);

/* The distinct sectors a global access touches, ascending. */
struct access_sector {
	uint64_t address;		/* of its first byte */
	uint32_t lanes;			/* mask of lanes with a byte in it */
	uint32_t bytes;			/* bit b: byte b was asked for */
};
/* At most 32 * 2 (16-byte lanes are aligned). Returns the count. */
size_t access_sectors(const struct access *a,
		      struct access_sector out[2 * WARP_LANES]);

/* One word in one bank in one (merged) pass of a shared access. */
struct access_word {
	uint8_t pass, bank;
	uint8_t wavefront;		/* that brings it, from 0 */
	uint64_t word;			/* address / 4 */
	uint32_t lanes;			/* who wants it */
};
/* Sorted by pass, bank, word; at most 128. *passes gets the number of
 * merged passes that have active lanes (pass counts those from 0). */
size_t access_words(const struct access *a,
		    struct access_word out[4 * WARP_LANES], int *passes);

#endif
