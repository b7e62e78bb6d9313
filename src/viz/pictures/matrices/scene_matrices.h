/* scene_matrices: how far the focused lane is along its row of A and its column
 * of B. */
#ifndef VIZ_PICTURES_MATRICES_SCENE_MATRICES_H
#define VIZ_PICTURES_MATRICES_SCENE_MATRICES_H

#include "scene/scene.h"

struct product_walk {
	/* The products that the lane has added up are known, and `done` is
	 * their number after this request. */
	bool known;
	uint32_t done;
	bool adds;		/* this request completes the last of them */
	uint32_t k;		/* the product at hand, */
	bool has_a, has_b;	/* its operands that have been read, */
	bool takes_a, takes_b;	/* and those that this request reads */
	/* Where the request is along k, and the one before: of a load to shared
	 * memory its own place, else k. */
	uint32_t at, before;
};

struct turns;
/* Works out scene.matrices. */
void scene_matrices(struct stage *s, const struct turns *t);

#endif
