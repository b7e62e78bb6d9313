/*
 * provenance: what one element of C was made of: the loads, the reads of
 * shared memory and the multiply-adds, in order.
 *
 * The thread that stored C[i][j] is followed through its block. An element
 * of A or B keeps its name on its way: loaded from global memory, put into
 * shared memory or a register array (value_flow.h), read by whoever
 * multiplies. A read sees the last store that barriers or its own warp's order
 * put before it. Of what the thread read, A's row i and B's column j made
 * C[i][j]: a pair of the same k is a multiply-add, at its later read. Where
 * the thread did not read all of it, but its warp did, the warp's reads count:
 * tensor cores and shuffles use what other lanes hold. Nothing here knows a
 * kernel.
 *
 * What is moved in bulk (struct trace_tile) is followed element by element: a
 * box of TMA into shared memory, of this block or, by multicast, of others of
 * its cluster; the operands that wgmma reads there, of which a pair of the same
 * k in one product is a multiply-add; a box from shared memory to C. Of a box
 * a trace has no values: they are what the recorder put into A and B.
 *
 * Matrices are stored by rows, or A, B or both by columns, C only with them, as
 * it adds up.
 *
 * The sum was in a register array when a store has the value of an element
 * that its thread has just loaded from there, rounded to C's elements.
 */
#ifndef PROVENANCE_PROVENANCE_H
#define PROVENANCE_PROVENANCE_H

#include <jansson.h>

#include "trace/trace.h"

/* Lines are 0 where unknown; requests are those of the thread's warp; threads
 * are linear in their block. */
struct provenance_operand {
	uint32_t row, col;	/* of A or B */
	double value;
	uint32_t loaded_by, load_line, load_request;
	uint32_t load_block;	/* a neighbour's, where it is multicast */
	enum op load_op;
	bool shared;		/* it came through shared memory: */
	uint32_t array;
	uint64_t index;		/* of the element in the array */
	uint32_t stored_by, store_line, store_request;
	/* The load itself if not shared. Of wgmma read_by is the first thread
	 * of the group, and row and column in its operand's tile are as they
	 * are without the swizzle. */
	uint32_t read_by, read_line, read_request;
	const struct trace_site *read;
	uint32_t tile_row, tile_col;
	bool unlike;		/* it read another value than was put there */
};

/* Where a sum was before it was stored. */
struct provenance_sum {
	bool known;
	uint32_t array, thread, line;
	uint64_t index;		/* of the element in the array */
};

/* The place in shared memory that TMA stored C from. */
struct provenance_way {
	bool known;
	uint32_t array;
	uint64_t index;
	uint32_t put_by, line, request;
	bool matrix;		/* by stmatrix: put_by named the row */
};

struct provenance_step {
	uint32_t k, phase;	/* phase: from 0 */
	struct provenance_operand a, b;
	double product, sum;	/* sum: so far, rounded as C's elements */
};

struct provenance {
	const struct trace_info *info;	/* borrowed */
	uint32_t i, j;
	double value;			/* that was stored */
	uint32_t block, thread, line, request;
	struct provenance_sum sum;
	struct provenance_way way;
	struct provenance_step *steps;
	size_t step_count;
	bool by_warp;			/* other lanes' reads are among them */
	bool by_group;			/* they are wgmma's */
	/* Of the operands, and how many are due to other threads. */
	size_t global_loads, loads_by_others;
	size_t tma_loads, loads_by_blocks;	/* of these */
	size_t shared_reads, reads_from_others;
	bool adds_up;			/* all K steps, to the value */
	/* Of A, B and C, a bit each: it is stored by columns. */
	unsigned by_columns;
	/* What the recorder found, then what does not fit: sentences. */
	char **findings;
	size_t finding_count;
};

/*
 * Of a trace with values, and with all warps of the block that stored the
 * element. -1 with e: EXIT_USAGE when C has no such element, EXIT_CHECK when
 * a whole launch did not store it, EXIT_INPUT for traces that cannot tell.
 */
int provenance_build(struct trace *t, uint32_t i, uint32_t j,
		     struct provenance *p, struct error *e);
void provenance_done(struct provenance *p);
/* Whether some thread of the trace stored the element, and of which block; -1
 * as above. */
int provenance_stored(struct trace *t, uint32_t i, uint32_t j,
		      uint32_t *block, struct error *e);
/* Blocks of a cluster that bring each other's tiles, at least; else 1. They
 * are in a row, the first's number a multiple of that. */
uint32_t provenance_cluster(const struct trace_info *info);
json_t *provenance_json(const struct provenance *p);
/* For people; without all, many steps are cut in the middle. */
void provenance_print(const struct provenance *p, bool all, FILE *out);

#endif
