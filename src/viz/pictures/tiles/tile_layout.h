/*
 * tile_layout: lays out the matrices and the block's shared arrays in the
 * picture of tiles, and chooses the size of an element.
 *
 * Words go from left to right: from A and B, in global memory, through
 * registers to the block's shared memory, and from there to its threads, which
 * stand where their sums are in C. If two rows of arrays are too high, all
 * stand in one row.
 */
#ifndef VIZ_PICTURES_TILES_TILE_LAYOUT_H
#define VIZ_PICTURES_TILES_TILE_LAYOUT_H

#include "viz/frame_model.h"

/* An element on the screen: `w` columns, and `h` rows, or half a row. One mark
 * stands for `scale` x `scale` elements. */
struct tile_size { int w, h; bool half; int scale; };

/* A part of an array that is shown: `rows` x `cols` elements from (row0, col0)
 * on, of an array whose elements are folded into rows of `fold`. */
struct tile_plane {
	const struct stage_array *a;
	uint32_t row0, col0, rows, cols, fold;
	int slab;	/* of how many it is; -1: the array has only one */
	int x, y;	/* of its first mark, in cells */
};

#define TILE_PLANES 16
struct tile_layout {
	struct tile_size size;
	/* The matrices come first: A, B, C (a is NULL: not shown). */
	struct tile_plane plane[TILE_PLANES];
	int count;
	struct rect words, gate;	/* for the meter and the barrier */
	/* What words cross on their way from A, from B, and from both, to
	 * shared memory, and from there to the threads; w 0: not shown. */
	struct rect neck[3], door;
	int bottom;	/* the first row below */
	bool rows;	/* A and B stand below each other */
};

/* Fills in the layout of the picture in r; size.w is 0 if nothing fits. */
void tile_layout_make(struct tile_layout *l, struct rect r,
		      const struct frame_model *s);

/* Returns the elements of a shared array's plane: the last row may have
 * fewer. */
uint32_t tile_elements(const struct tile_plane *p);
/* Return the columns and the rows that so many elements take. */
int tile_width(const struct tile_size *z, uint32_t cols);
int tile_height(const struct tile_size *z, uint32_t rows);
/* Tells where the words of a shared array come from: 0 A, 1 B, 2 both, or
 * neither. */
int tile_origin(const struct scene *sc, const struct tile_plane *p);
/* Tells whether a plane stands below the one before it, as slabs do that are
 * much wider than high. */
bool tile_is_below(const struct tile_layout *l, int i);
/* How arrays can stand, see tile_place.c: A and B below each other, or all in a
 * line, with C or without. */
enum tile_way { TILE_ROWS, TILE_LINE, TILE_LINE_WITHOUT_C, TILE_WAYS };
/* Puts the collected planes into r, with elements of l->size; false: they do
 * not fit. */
bool tile_place(struct tile_layout *l, struct rect r, const struct scene *sc,
		enum tile_way way);

/* Returns the columns from a plane's first on that are free in row y: neither a
 * plane takes them nor its title and numbers, the meter or the gate. */
int tile_room(const struct tile_layout *l, const struct tile_plane *p, int y);

#endif
