/*
 * carriers_plan: lays out the tiles of A and B that threads carry and the tile
 * of C that they compute, and chooses the size of an element.
 */
#ifndef VIZ_PICTURES_CARRIERS_CARRIERS_PLAN_H
#define VIZ_PICTURES_CARRIERS_CARRIERS_PLAN_H

#include "scene/scene_carriers.h"
#include "viz/frame_model.h"

#define CARRIERS_LABEL 5	/* columns of the warps' names, beside A fewer */

/* `per` elements take `cells` columns, or half rows. */
struct carriers_axis { int cells, per; };
/* Returns the columns (or half rows) that n elements take. */
int axis_span(struct carriers_axis a, uint32_t n);

struct carriers_plane {
	const struct carrier_map *map;
	int x, y, label;	/* in cells */
	struct carriers_axis down;
	/* The elements of a thread that lie together. */
	uint32_t rows, cols;
	struct rect title;
};
uint32_t carriers_rows(const struct carrier_map *m);
uint32_t carriers_cols(const struct carrier_map *m);

struct carriers_plan {
	struct carriers_axis across;
	struct carriers_plane a, b, c;
	struct rect words;	/* for what the thread is */
};
/* Chooses where the three planes and the text stand in r. */
struct carriers_plan carriers_plan(struct rect r, const struct carriers *k);

#endif
