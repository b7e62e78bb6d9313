/*
 * sectors_axis: the sectors of one request, or of two to the same array, on one
 * axis of addresses: where they lie, with gaps between them shortened.
 */
#ifndef VIZ_PICTURES_SECTORS_SECTORS_AXIS_H
#define VIZ_PICTURES_SECTORS_SECTORS_AXIS_H

#include "viz/frame_model.h"

#define AXIS_SECTORS (4 * WARP_LANES + 8)

struct sectors_axis {
	int count, gaps;
	/* Bytes from the array's start, ascending; the gap before each. */
	int64_t at[AXIS_SECTORS];
	int64_t skipped[AXIS_SECTORS];
	int x[AXIS_SECTORS];	/* the column of each */
	int pitch, width;	/* from sector to sector; columns of a sector */
	int left, right;	/* the columns that all of them take */
};

/* Places the sectors of `sc` and of `other` (NULL: none) in the columns of r,
 * with some of their neighbours where there is room. */
void sectors_axis(struct sectors_axis *a, struct rect r, const struct scene *sc,
		  const struct scene *other);
/* Returns the index in sc->sectors of sector i of the axis, or -1: the request
 * does not access it. */
int sectors_find(const struct sectors_axis *a, int i, const struct scene *sc);
/* Draws the axis' names and gaps in the row y of r; y < 0: nothing. */
void sectors_axis_draw(struct canvas *c, const struct sectors_axis *a,
		       const struct scene *sc, struct rect r, int y);

#endif
