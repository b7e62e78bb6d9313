/*
 * scene_fragments: the matrix instruction at the cursor: which lane holds which
 * element of its operands, and their values.
 *
 * An mma is recorded by its accesses to registers: a run of requests of one
 * line, which load the fragments of A, B and C, register by register, and store
 * that of D. This is one group. A wgmma is two requests, with operands in
 * shared memory; an ldmatrix is one, followed by the stores to its registers.
 */
#ifndef SCENE_SCENE_FRAGMENTS_H
#define SCENE_SCENE_FRAGMENTS_H

#include "hardware/fragment.h"
#include "trace/trace.h"

struct scene;
struct stage;

enum fragments_kind { FRAGMENTS_NONE, FRAGMENTS_MMA, FRAGMENTS_WGMMA,
		      FRAGMENTS_MATRIX };

#define FRAGMENTS_ELEMENTS 16		/* of a lane, whose values are known */

struct fragments_operand {
	struct fragment layout;
	bool known[WARP_LANES][FRAGMENTS_ELEMENTS];
	double value[WARP_LANES][FRAGMENTS_ELEMENTS];
};

struct fragments {
	enum fragments_kind kind;
	size_t warp;
	/* 0: the instruction is at the cursor; else its distance in requests,
	 * later or (below 0) earlier, and nothing of it moves. */
	int away;
	uint32_t first, last;		/* requests of the group */
	char name[32];
	int m, n, k;
	/* mma, wgmma: A, B and the sums before (c) and after (d) the product.
	 * ldmatrix, stmatrix: only d, the matrices moved. For wgmma only d is
	 * in registers. */
	struct fragments_operand a, b, c, d;
	/* The operand that the request at the cursor moves: 'A', 'B', 'C', 'D',
	 * or 0, and which elements of each lane. */
	char moves;
	int moves_first, moves_count;
	bool multiplied;	/* the product is before the cursor */
	bool multiplies;	/* it is made at the cursor */
	/* wgmma: the warp's quarter of the rows of D. */
	int quarter;
	bool swizzled;		/* ldmatrix: rows keep their chunks elsewhere */
	/* ldmatrix: the wavefronts that it takes, and would take with the rows'
	 * chunks where they belong; -1: not known. */
	int wavefronts, plain_wavefronts;
	/* ldmatrix: the row and the first column that each lane names, in the
	 * shared array. */
	uint32_t row[WARP_LANES], col[WARP_LANES];
	/* ... its place in shared memory, in bytes, and without a swizzle */
	uint64_t at[WARP_LANES], plain_at[WARP_LANES];
	bool trans;
	bool stores;		/* stmatrix: lanes give the elements */
};

/* Returns what a site's line does: an mma (or wmma), a wgmma, an ldmatrix or
 * stmatrix. `name`, if not NULL, gets the instruction's name as in
 * fragment.h. */
enum fragments_kind fragments_at(const struct scene *sc,
				 const struct trace_site *site, char name[32]);

/* Works out the instruction at the stage's cursor, else the warp's next one or
 * the last before: scene.fragments, NULL when there is none. */
void scene_fragments(struct stage *s);

#endif
