/*
 * warp_matrix: matrices in the registers of a warp (PTX ISA, "Matrix
 * Fragments"; hardware/fragment.h), and what tensor cores compute of them.
 */
#ifndef EMU_WARP_MATRIX_H
#define EMU_WARP_MATRIX_H

#include "hardware/fragment.h"
#include "emu/warp_sync.h"

#define WARP_MATRIX_ELEMENTS 16	/* a lane's, at most, copies counted */

struct warp_matrix_place { uint8_t matrix, row, col, copy; };

struct warp_matrix {
	struct fragment f;
	enum elem elem;
	uint32_t bytes;		/* of an element */
	uint32_t seen;		/* bits of a word that tensor cores look at */
	struct warp_matrix_place at[WARP_LANES][WARP_MATRIX_ELEMENTS];
};

/* The matrix that an instruction takes as this operand, A by rows and B by
 * columns. It stays, and is the caller's to read only. */
const struct warp_matrix *warp_matrix_find(const char *name, char operand);
/* NULL: there is no such instruction, or none of one matrix and of elements
 * that are known here. */
const struct warp_matrix *warp_matrix_wished(const struct fragment_wish *w);
/* wmma's, of elements of this type. */
const struct warp_matrix *warp_matrix_wmma(const char *shape, char operand,
					   const char *type);

/* The running lane's registers with the tile's elements are read, or have
 * been written. */
void warp_matrix_registers(const struct warp_matrix *t, const void *x,
			   enum op op, void *here);

enum { WARP_MATRIX_A, WARP_MATRIX_B, WARP_MATRIX_C, WARP_MATRIX_D, TILES };

/* A lane's part in D = A B + C: its elements of each. D may be C. */
struct multiply {
	const struct warp_matrix *of[TILES];
	void *x[TILES];
	bool saturate;		/* whole numbers */
};

/* The running lane's part; D has been written when it returns. */
void warp_matrix_multiply(struct multiply *p, const char *word, void *here);
/* The same of elements that are no registers of the kernel's. */
void warp_matrix_product(struct multiply *p, const char *word, void *here);

#endif
