/*
 * provenance: how one element of C was computed: the loads, the reads of shared
 * memory and the multiply-adds, in order.
 *
 * The thread that stored C[i][j] is followed through its block. An element of A
 * or B keeps its identity on its way: it is loaded from global memory, stored
 * to shared memory or a register array (value_flow.h), and read by the thread
 * that multiplies. A read returns the last store that barriers or program order
 * within the reader's warp put before it. Of what the thread read, row i of A
 * and column j of B made C[i][j]: a pair with the same k is a multiply-add, at
 * the later of its two reads. Where the thread did not read all operands but
 * its warp did, the reads of the whole warp count, because tensor cores and
 * shuffles use what other lanes hold. Nothing here knows a particular kernel.
 *
 * Bulk operations (struct trace_tile) are followed element by element: a TMA
 * box copied to shared memory, of this block or, by multicast, of other blocks
 * of its cluster; the operands that wgmma reads there, where a pair with the
 * same k in one product is a multiply-add; and a box from shared memory to C. A
 * trace has no values of a box: they are those that the recorder put into A and
 * B.
 *
 * Where blocks share an element, by what they leave for each other in global or
 * shared memory, the block that stores it is followed, and if its products do not
 * add up, the others, whose own are taken for what they left if all add up then.
 *
 * Matrices are row-major, or A, B or both are column-major, C only together
 * with both, whichever adds up.
 *
 * The sum was in a register array if a store's value is that of an element that
 * its thread has just loaded from there, rounded to the type of C's elements.
 */
#ifndef PROVENANCE_PROVENANCE_H
#define PROVENANCE_PROVENANCE_H

#include <jansson.h>

#include "trace/trace.h"

/* Lines are 0 where unknown, requests are those of the thread's warp, and
 * threads are linear indices in their block. */
struct provenance_operand {
	uint32_t row, col;	/* of the element in A or B */
	double value;
	uint32_t loaded_by, load_line, load_request;
	uint32_t load_block;	/* not the one that multiplied if multicast */
	enum op load_op;
	bool shared;		/* it came through shared memory, as follows */
	uint32_t array;
	uint64_t index;		/* index of the element in the array */
	uint32_t stored_by, store_line, store_request;
	/*
	 * The read by the multiplying thread; the load itself if not shared.
	 * For wgmma, read_by is the first thread of the warpgroup, and tile_row
	 * and tile_col are the position in the operand's tile without the
	 * swizzle.
	 */
	uint32_t read_by, read_line, read_request;
	const struct trace_site *read;
	uint32_t tile_row, tile_col;
	bool unlike;		/* the value read differs from the value
				   stored */
};

/* The register array element that held the sum before the store. */
struct provenance_sum {
	bool known;
	uint32_t array, thread, line;
	uint64_t index;		/* index of the element in the array */
};

/* The element of shared memory from which TMA stored C. */
struct provenance_way {
	bool known;
	uint32_t array;
	uint64_t index;
	uint32_t put_by, line, request;
	bool matrix;		/* by stmatrix: put_by gave the row's address */
};

struct provenance_step {
	uint32_t k, phase;	/* phase: from 0 */
	uint32_t block;		/* that multiplied */
	struct provenance_operand a, b;
	double product, sum;	/* sum so far, rounded to C's type */
};

struct provenance {
	const struct trace_info *info;	/* borrowed */
	uint32_t i, j;
	double value;			/* the value stored */
	uint32_t block, thread, line, request;
	struct provenance_sum sum;
	struct provenance_way way;
	struct provenance_step *steps;
	size_t step_count, steps_by_blocks;	/* of these, by other blocks */
	bool by_warp;			/* steps include other lanes' reads */
	bool by_group;			/* steps are those of wgmma */
	/* The operands' loads and reads, and how many were made by other
	 * threads. */
	size_t global_loads, loads_by_others;
	size_t tma_loads, loads_by_blocks;	/* of global_loads */
	size_t shared_reads, reads_from_others;
	bool adds_up;			/* all K steps are there and add up
					   to value */
	/* A bit each for A, B and C: the matrix is column-major. */
	unsigned by_columns;
	/* The recorder's findings, then what does not fit, as sentences. */
	char **findings;
	size_t finding_count;
};

/*
 * Builds the provenance of C[i][j] from a trace with values and with all warps
 * of the block that stored the element, and of those that share it. -1 with e:
 * EXIT_USAGE when C has no such element, EXIT_CHECK when a whole launch did not
 * store it, EXIT_INPUT for traces that do not hold enough.
 */
int provenance_build(struct trace *t, uint32_t i, uint32_t j,
		     struct provenance *p, struct error *e);
void provenance_done(struct provenance *p);
/* Returns whether some thread of the trace stored the element, and sets *block
 * to that thread's block. -1 with e as above. */
int provenance_stored(struct trace *t, uint32_t i, uint32_t j,
		      uint32_t *block, struct error *e);
/* Returns the number of adjacent blocks in a cluster that multicast tiles to
 * each other, at least; else 1. The number of the first of them is a multiple
 * of it. */
uint32_t provenance_cluster(const struct trace_info *info);
json_t *provenance_json(const struct provenance *p);
/* Prints the provenance for people; unless `all` is set, long lists of steps
 * are cut in the middle. */
void provenance_print(const struct provenance *p, bool all, FILE *out);

#endif
