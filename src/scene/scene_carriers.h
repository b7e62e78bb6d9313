/*
 * carriers: a thread's two roles. As a carrier it loads elements of A and B for
 * its block; as a worker it computes elements of C.
 */
#ifndef SCENE_CARRIERS_H
#define SCENE_CARRIERS_H

#include "scene/scene.h"

/* The threads that load or compute the elements of a part of a matrix. */
struct carrier_map {
	int array;		/* index in scene.arrays; -1: nothing known */
	struct box box;
	/* By element of the box, row by row: the linear thread; -1: none. */
	int32_t *by;
	struct box own;		/* the focused thread's elements */
	uint32_t each;		/* how many those are */
};

enum carrier_role { CARRIER_LOADS, CARRIER_CHANGES, CARRIER_COMPUTES };

struct carriers {
	/* A's and B's parts that are loaded in this phase or, if none are, in
	 * the last one before; and the block's part of C. */
	struct carrier_map load[2], work;
	uint32_t threads;	/* of the block */
	/* What the threads do at this step; they change their roles at the
	 * barrier after the loads. */
	enum carrier_role role;
};

/* Writes the rows (else columns) of the focused thread's elements, such as
 * "4..7", "13, 45" or "20..23, 36..39"; from the first to the last if these are
 * more than four runs. */
void carriers_lines(char *buf, size_t size, const struct carrier_map *m,
		    uint32_t thread, bool rows);

#endif
