/*
 * scene_nested: where the outer product of the focused lane lies: which rows
 * and columns of C it is for, which k it holds, and from which shared arrays
 * that came.
 */
#ifndef VIZ_PICTURES_NESTED_SCENE_NESTED_H
#define VIZ_PICTURES_NESTED_SCENE_NESTED_H

#include "scene/scene.h"
#include "scene/scene_outer.h"

struct nested_scene {
	const struct outer *outer;
	/* The lane's elements of C are known, as many as its sums: their rows
	 * and columns in C, ascending. */
	bool placed;
	uint32_t rows[OUTER_SIDE], cols[OUTER_SIDE];
	/* The values that it multiplies are those of column k of A and row k of
	 * B there; and how many k a tile has. */
	bool held;
	uint32_t k, depth;
	/* The shared arrays that they were read from; NULL: not found. */
	const struct trace_array *from[2];
	/* The request that ends each iteration of this warp, ascending. */
	const uint32_t *ends;
	size_t end_count;
};

struct turns;
/* Works out scene.nested, scene.outer and scene.carriers. */
void scene_nested(struct stage *s, const struct turns *t);

#endif
