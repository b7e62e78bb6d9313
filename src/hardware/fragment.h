/*
 * fragment: which lane holds which element of a matrix while a warp multiplies.
 * Pure functions, in both directions.
 *
 * A matrix instruction distributes each of its matrices over the lanes. A
 * lane's share is its fragment, an array of elements, numbered as the PTX ISA
 * numbers a0, a1, ... and wmma numbers x[0], x[1], ... Narrow elements share a
 * 32-bit register, the first in its lowest bits: element e of b bits is part e
 * % (32 / b) of register e / (32 / b). A 64-bit element takes two registers.
 *
 * Instruction names: m16n8k16.f16 (mma), wmma.m16n16k16.f16, ldmatrix.x4,
 * ldmatrix.x4.trans, stmatrix.x4, wgmma.m64n128k16.f16; the type is that of A
 * and B. The operands are A, B, C, D as in D = A B + C, with A of M x K and B
 * of K x N. ldmatrix and stmatrix have one operand R, the data that the
 * instruction moves: its rows and columns are those of the 8x8 matrices in
 * shared memory, where lane 8m + r gives the address of row r of matrix m.
 *
 * Sources: PTX ISA, "Matrix Fragments for mma...", "...for wgmma.mma_async
 * .m64nNk16", ldmatrix, stmatrix. The ISA leaves wmma's fragments unspecified,
 * so a program must not rely on them: the layouts given here were measured on
 * hardware (FRAGMENT_MEASURED), or follow from the underlying mma instructions
 * if these are combined in the simplest way (FRAGMENT_INFERRED: not measured).
 * tests/fragment_data checks all of them against what
 * bench/fragments_hardware.sh found.
 */
#ifndef HARDWARE_FRAGMENT_H
#define HARDWARE_FRAGMENT_H

#include "base/base.h"

enum fragment_family {
	FRAGMENT_MMA, FRAGMENT_WMMA, FRAGMENT_WGMMA, FRAGMENT_LDMATRIX,
	FRAGMENT_STMATRIX,
};

enum fragment_source { FRAGMENT_ISA, FRAGMENT_MEASURED, FRAGMENT_INFERRED };

#define FRAGMENT_NEWEST 90	/* newest architecture that was measured */

/* The fragment that a caller asks for; 0 and NULL mean the default. */
struct fragment_wish {
	const char *name;
	char operand;		/* A, B, C, D, R */
	char layout;		/* layout of the matrix in memory, 'r'
				   (row-major) or 'c' (column-major);
				   default: A 'r', B 'c' */
	int arch;		/* from 70; default: FRAGMENT_NEWEST */
	const char *accumulator;/* type of C and D, "f16", "f32" or "s32";
				   default: the wide ones */
};

/*
 * Reads an instruction name as PTX spells it
 * (mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32), or without its first
 * word. Stores the short name in the wish, and the accumulator type and layout
 * where the name gives them and the wish does not. False, with nothing changed,
 * if the name cannot be read; whether such an instruction exists,
 * fragment_find() says. The wish borrows from *s.
 */
struct fragment_spelling {
	char name[64], sums[8];
};
bool fragment_spelled(const char *text, struct fragment_wish *wish,
		      struct fragment_spelling *s);

struct fragment {
	enum fragment_family family;
	enum fragment_source source;
	char name[32];
	char operand;
	char layout;		/* 'r', 'c'; 0 where layout does not matter */
	char type[8];		/* element type of the operand; "b16" for R */
	int bits;		/* bits of an element */
	int lanes;		/* 32; 128 for wgmma, where lane 32w + l is
				   lane l of the warpgroup's warp w */
	int elements;		/* elements per lane, including copies */
	int matrices;		/* 4 for m8n8k4, 1 to 4 for ldmatrix, else 1 */
	int rows, cols;		/* size of one matrix */
	int copies;		/* number of places that hold each element */
	const char *lane_bits, *element_bits;	/* described in fragment.c */
};

struct fragment_place {
	int lane, element;
	int matrix, row, col;
	int copy;		/* 0..copies-1: which copy of the element */
};

/* Finds the layout for a wish. -1 with e (EXIT_USAGE) for an unknown name or
 * operand, or for an architecture or layout that the instruction does not
 * support. */
int fragment_find(const struct fragment_wish *w, struct fragment *f,
		  struct error *e);

/*
 * Finds the fragment of a wmma operand; `type` is the operand's own element
 * type ("f32" for C). A is row-major and B column-major, which makes no
 * difference since sm_80. -1 as above.
 */
int fragment_wmma(const char *shape, char operand, const char *type,
		  struct fragment *f, struct error *e);

/*
 * fragment_element() computes matrix, row, col and copy from p->lane and
 * p->element; fragment_holder() computes lane and element from the others. All
 * inputs must be in range.
 */
void fragment_element(const struct fragment *f, struct fragment_place *p);
void fragment_holder(const struct fragment *f, struct fragment_place *p);

/*
 * Returns the length of the runs in which a lane's elements are adjacent in
 * memory, when the matrix is stored row-major ('r') or column-major ('c'). Each
 * run begins at an element whose number is a multiple of that length.
 */
int fragment_run(const struct fragment *f, char layout);

/*
 * What wmma requires of a matrix in memory, in bytes: its address is a multiple
 * of FRAGMENT_ALIGN, and its rows or columns are a multiple of FRAGMENT_PITCH
 * apart.
 */
#define FRAGMENT_ALIGN 32
#define FRAGMENT_PITCH 16

/* Copies the ith instruction name, in the table's order; false past the
 * last. */
bool fragment_name(size_t i, char name[32]);

/*
 * Returns the swizzled byte offset of an element in a shared-memory tile as
 * wgmma reads it. A row of the tile has `span` bytes of elements along K
 * (K-major) or, for 16-bit elements, along M or N; the swizzle mode is 32, 64
 * or 128 bytes and equals the span. In every 8 rows the 16-byte chunks are
 * permuted: the lowest bits of the chunk's number are XORed with bits 7 to 9 of
 * the address. `byte` is the offset in the row; the tile begins at a multiple
 * of 8 * span.
 */
int fragment_swizzle(int span, int row, int byte);

#endif
