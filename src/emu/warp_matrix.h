/*
 * tile: matrices in the registers of a warp, as fragment.h lays them out, and
 * what tensor cores make of them.
 */
#ifndef EMU_TILE_H
#define EMU_TILE_H

#include "hardware/fragment.h"
#include "emu/warp_sync.h"

#define TILE_ELEMENTS 16	/* a lane's, at most, copies counted */

struct tile_place { uint8_t matrix, row, col, copy; };

struct tile {
	struct fragment f;
	enum elem elem;
	uint32_t bytes;		/* of an element */
	uint32_t seen;		/* bits of a word that tensor cores look at */
	struct tile_place at[WARP_LANES][TILE_ELEMENTS];
};

/* By rows A and by columns B, as the instruction has them; stays. */
const struct tile *tile_find(const char *name, char operand);
/* NULL: there is no such instruction, or none of one matrix and of elements
 * that are known here. */
const struct tile *tile_wished(const struct fragment_wish *w);
/* wmma's, of elements of this type. */
const struct tile *tile_wmma(const char *shape, char operand,
			     const char *type);

/* The running lane's registers with the tile's elements are read, or have
 * been written. */
void tile_registers(const struct tile *t, const void *x, enum op op,
		    void *here);

enum { TILE_A, TILE_B, TILE_C, TILE_D, TILES };

/* A lane's part in D = A B + C: its elements of each. D may be C. */
struct multiply {
	const struct tile *of[TILES];
	void *x[TILES];
	bool saturate;		/* whole numbers */
};

/* The running lane's part; D has been written when it returns. */
void tile_multiply(struct multiply *p, const char *word, void *here);
/* The same of elements that are no registers of the kernel's. */
void tile_product(struct multiply *p, const char *word, void *here);

#endif
