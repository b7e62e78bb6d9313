/*
 * warp_matrix: matrices in the registers of a warp (PTX ISA, "Matrix
 * Fragments"; hardware/fragment.h), and what tensor cores compute from them.
 */
#ifndef EMU_WARP_WARP_MATRIX_H
#define EMU_WARP_WARP_MATRIX_H

#include "hardware/fragment.h"
#include "emu/warp/warp_sync.h"

#define WARP_MATRIX_ELEMENTS 16	/* most elements of a lane, copies included */
#define WARP_MATRIX_PLACES 512	/* most of a matrix: of 32x16 or 16x32 */

struct warp_matrix_place { uint8_t matrix, row, col, copy; };

struct warp_matrix {
	struct fragment f;
	enum elem elem;
	uint32_t bytes;		/* of an element */
	uint32_t seen;		/* mask: bits of a word that tensor cores use */
	struct warp_matrix_place at[WARP_LANES][WARP_MATRIX_ELEMENTS];
	/* The same by rows; of a copy WARP_MATRIX_PLACES. */
	uint16_t place[WARP_LANES][WARP_MATRIX_ELEMENTS];
};

/* Returns the matrix that an instruction takes as this operand: A in rows, B in
 * columns. It stays valid; the caller must not change or free it. */
const struct warp_matrix *warp_matrix_find(const char *name, char operand);
/* Returns the matrix that a fragment_wish describes; NULL: there is no such
 * instruction, or it does not mean one matrix of a known element type. */
const struct warp_matrix *warp_matrix_wished(const struct fragment_wish *w);
/* Returns a wmma operand with elements of this type. */
const struct warp_matrix *warp_matrix_wmma(const char *shape, char operand,
					   const char *type);

/* Records that the running lane's registers with the matrix's elements are
 * read, or have been written. */
void warp_matrix_registers(const struct warp_matrix *t, const void *x,
			   enum op op, void *here);

enum { WARP_MATRIX_A, WARP_MATRIX_B, WARP_MATRIX_C, WARP_MATRIX_D, TILES };

/* A lane's part in D = A B + C: its elements of each. D may be C. */
struct multiply {
	const struct warp_matrix *of[TILES];
	void *x[TILES];
	bool saturate;		/* integers saturate */
};

/* Returns the values of the 65536 floats of 16 bits, ELEM_F16 or ELEM_BF16. */
const double *warp_matrix_real16(enum elem elem);

/* Computes D with the running lane's part; D has been written on return. */
void warp_matrix_multiply(struct multiply *p, const char *word, void *here);
/* Computes as warp_matrix_multiply() does, for elements that are not registers
 * of the kernel. */
void warp_matrix_product(struct multiply *p, const char *word, void *here);

#endif
