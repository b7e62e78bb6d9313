/*
 * fragment: which lane holds which element of a matrix while a warp
 * multiplies. Pure functions, both ways.
 *
 * An instruction spreads each of its matrices over the lanes: a lane's share
 * is its fragment, an array of elements, counted as the PTX ISA counts a0,
 * a1, ... and wmma counts x[0], x[1], ... Narrow elements share a 32-bit
 * register, the first in its lowest bits: element e of b bits is part
 * e % (32 / b) of register e / (32 / b). One of 64 bits takes two.
 *
 * Names: m16n8k16.f16 (mma), wmma.m16n16k16.f16, ldmatrix.x4,
 * ldmatrix.x4.trans, stmatrix.x4, wgmma.m64n128k16.f16; the type is that of
 * A and B. Operands: A, B, C, D as in D = A B + C, with A of M x K, B of
 * K x N; of ldmatrix and stmatrix R, what the instruction moves: row and
 * column of 8x8 matrices as they lie in shared memory, lane 8m + r giving the
 * address of row r of matrix m.
 *
 * Sources: PTX ISA, "Matrix Fragments for mma...", "...for wgmma.mma_async
 * .m64nNk16", ldmatrix, stmatrix. The ISA leaves wmma's fragments
 * unspecified, so a program must not rely on them: what is here is what
 * hardware was seen to do (FRAGMENT_MEASURED), or what follows from the mma
 * instructions beneath if they are put together in the plainest way
 * (FRAGMENT_INFERRED: nobody has asked the hardware). tests/fragment_data
 * holds all of it to what bench/fragments_hardware.sh found.
 */
#ifndef HARDWARE_FRAGMENT_H
#define HARDWARE_FRAGMENT_H

#include "base/base.h"

enum fragment_family {
	FRAGMENT_MMA, FRAGMENT_WMMA, FRAGMENT_WGMMA, FRAGMENT_LDMATRIX,
	FRAGMENT_STMATRIX,
};

enum fragment_source { FRAGMENT_ISA, FRAGMENT_MEASURED, FRAGMENT_INFERRED };

#define FRAGMENT_NEWEST 90	/* architecture that was measured */

/* What is asked for; 0 and NULL leave it to the usual. */
struct fragment_wish {
	const char *name;
	char operand;		/* A, B, C, D, R */
	char layout;		/* 'r' or 'c': the matrix in memory; usual are
				   A by rows and B by columns */
	int arch;		/* from 70; usual: FRAGMENT_NEWEST */
	const char *accumulator;/* type of C and D, "f16", "f32" or "s32";
				   usual are the wide ones */
};

/*
 * A name as PTX has it (mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32), or
 * without its first word: puts the short name in the wish, with accumulator
 * and layout, where it says them and the wish does not. False, with nothing
 * changed, if it cannot be read; whether there is such an instruction,
 * fragment_find says. The wish borrows from *s.
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
	char layout;		/* 'r', 'c'; 0 where it does not matter */
	char type[8];		/* of the operand's elements; "b16" of R */
	int bits;		/* of an element */
	int lanes;		/* 32; 128 of wgmma, lane 32w + l being lane
				   l of the warpgroup's warp w */
	int elements;		/* a lane, copies counted */
	int matrices;		/* 4 of m8n8k4, 1 to 4 of ldmatrix; else 1 */
	int rows, cols;		/* of a matrix */
	int copies;		/* places that hold the same element */
	const char *lane_bits, *element_bits;	/* fragment.c says how */
};

struct fragment_place {
	int lane, element;
	int matrix, row, col;
	int copy;		/* 0..copies-1: which of those that hold it */
};

/* -1 with e (EXIT_USAGE): a name or an operand that there is not, an
 * architecture or a layout in which the instruction is not. */
int fragment_find(const struct fragment_wish *w, struct fragment *f,
		  struct error *e);

/* wmma's, by the type of the operand's own elements ("f32" of C); -1 as above.
 * By rows A and by columns B, which since sm_80 makes no difference. */
int fragment_wmma(const char *shape, char operand, const char *type,
		  struct fragment *f, struct error *e);

/* From lane and element to the rest of *p, and from the rest to lane and
 * element. All must be in range. */
void fragment_element(const struct fragment *f, struct fragment_place *p);
void fragment_holder(const struct fragment *f, struct fragment_place *p);

/* How many of a lane's elements, counted from one whose number is a multiple of
 * that, lie side by side in a matrix that is stored by rows ('r') or by columns
 * ('c'). */
int fragment_run(const struct fragment *f, char layout);

/* What wmma asks of memory, in bytes: a matrix begins at a multiple of the one,
 * its rows or columns are a multiple of the other apart. */
#define FRAGMENT_ALIGN 32
#define FRAGMENT_PITCH 16

/* All names, in the order of the table; false behind the last. */
bool fragment_name(size_t i, char name[32]);

/*
 * The byte of an element in a tile in shared memory as wgmma reads it: a row of
 * the tile has `span` bytes of elements along K (K-major) or, of 16 bits each,
 * along M or N; swizzled by 32, 64 or 128 bytes, which is the span. In every 8
 * rows the 16-byte chunks change places: of the chunk's number, the lowest bits
 * are exclusive-or with the address's bits 7 to 9. `byte` counts within the
 * row; the tile begins at a multiple of 8 * span.
 */
int fragment_swizzle(int span, int row, int byte);

#endif
