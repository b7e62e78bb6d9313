/*
 * outer: the outer product that the focused thread computes in its registers: a
 * column of values from A, a row of values from B, and the square of sums to
 * which their products are added.
 *
 * It is found in the trace: a statement that stores an element of a register
 * array after loads of that element and of an element of each of two other
 * register arrays. One iteration stores each element of the square once.
 */
#ifndef SCENE_SCENE_OUTER_H
#define SCENE_SCENE_OUTER_H

#include "scene/scene.h"

#define OUTER_SIDE 16

/* A value of the column or the row; known: the iteration uses it. */
struct outer_side {
	bool known;
	uint32_t element;
	double value;
	uint32_t loaded;	/* the request that stored it in its register */
};

struct outer_cell {
	bool known;		/* the iteration stores it, */
	uint32_t request;	/* here */
	/* The sum before and after; both are recorded. */
	double before, after;
};

struct outer {
	/* Indices in scene.arrays. */
	int square, column, row;
	uint32_t rows, cols;	/* of the square */
	uint32_t store;		/* the site that stores a sum */
	/* The iteration that the cursor is in, or the one that it is past:
	 * requests, its number in the phase and how many the phase has. */
	uint32_t first, last, k, count;
	struct outer_side a[OUTER_SIDE], b[OUTER_SIDE];
	struct outer_cell cell[OUTER_SIDE][OUTER_SIDE];
};

/* Returns whether a statement of the kernel is such a product; sets the indices
 * of its arrays. */
bool outer_find(const struct scene *sc, int *square, int *column, int *row);

struct turns;
/* Works out scene.outer. */
void scene_outer(struct stage *s, const struct turns *t);

#endif
