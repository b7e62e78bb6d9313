/*
 * scene_order: in which order blocks compute the tiles of C, as waves of blocks
 * that run at once.
 *
 * The stores to C in the trace tell what a block computes in each turn. A
 * persistent kernel's grid runs at once: its blocks are assumed to take one
 * tile after another in step. The blocks of other kernels start in the order of
 * their numbers (as CUDA does, without a promise), one on each SM of the GPU of
 * the newest race in data/races.
 *
 * A persistent kernel's order shows only if C has many tiles. If the recorded
 * one has few, a larger problem is shown instead: full waves on that GPU, by
 * the kernel's formula (`place` in hgemm.cu).
 */
#ifndef SCENE_SCENE_ORDER_H
#define SCENE_SCENE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct stage;

#define ORDER_NONE UINT32_MAX

struct order_tile { uint32_t row, col, block, turn, wave; };

/* How much of A and B some tiles read: strips of whole rows of A and of whole
 * columns of B, a tile wide. */
struct order_strips { uint32_t a, b; double bytes; };

struct order {
	/* The problem, and whether it is one that is larger than the recorded
	 * one. */
	uint32_t m, n, k;
	bool larger;
	/* C in tiles, and a tile in elements. */
	uint32_t rows, cols, tile_rows, tile_cols;
	struct order_tile *tiles;		/* in the order */
	uint32_t count;
	uint32_t *number;	/* a tile's place in tiles[], by row and column */
	/* Which rows and columns of tiles each wave has (order_wave_reads()). */
	uint8_t *reads;
	/* tiles[] before they were grouped anew, at the same wave and request;
	 * NULL: they were not. */
	struct order_tile *before;
	uint32_t before_wave, before_at;
	uint32_t at_once, waves;
	bool persistent;
	/* Tiles that a cluster takes together, which share strips by
	 * multicast; and in a larger problem the clusters that are numbered
	 * below each other, else 0. */
	uint32_t high, wide, group;
	/* The cursor's tile; the wave shown, its first tile and the one after
	 * its last. */
	uint32_t now, wave, first, end;
	/* What the wave reads; the bytes that its tiles ask L2 for, and those
	 * that all waves read. */
	struct order_strips strips;
	double asked, total;
	/* The same tiles taken row by row, at the same wave; itself has
	 * none. */
	struct order *by_rows;
};

/* Returns the tile's number in the order, or ORDER_NONE. */
uint32_t order_at(const struct order *o, uint32_t row, uint32_t col);
/* Returns whether a tile of a wave has this row (else this column). */
bool order_wave_reads(const struct order *o, uint32_t wave, uint32_t at,
		      bool row);

/* Puts C's tiles in the order of clusters that each take the next: numbered down
 * `group` clusters of `high` x `wide` tiles, then the next column of them. o has
 * the rest. */
void order_by_groups(struct order *o, uint32_t high, uint32_t wide,
		     uint32_t group);
void order_free(struct order *o);

/* Returns whether C's tiles do not all run at once, so that they have an
 * order. */
struct scene;
bool order_has_waves(const struct scene *sc);
/* Works out scene.order. */
struct turns;
void scene_order(struct stage *s, const struct turns *t);

#endif
