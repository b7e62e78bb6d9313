/*
 * scene_shuffle: the values that shuffles pass on. They are computed from the
 * loads that were recorded, and are known only if they agree with the store
 * that was.
 */
#ifndef VIZ_PICTURES_SHUFFLE_SCENE_SHUFFLE_H
#define VIZ_PICTURES_SHUFFLE_SCENE_SHUFFLE_H

#include "scene/stage.h"
#include "viz/pictures/shuffle/shuffle_text.h"

/* What the lanes of a warp have before a shuffle, or after the last. */
struct shuffle_row {
	double value[WARP_LANES];
	uint32_t needed;	/* lanes whose values reach the result */
	/* Lanes whose values hold what was read of a lane that has left. */
	uint32_t undefined;
};

/* What a warp of the block stores of its result. */
struct shuffle_result { uint64_t element; double value; bool own; };
#define SHUFFLE_PARTS 32

struct shuffles {
	bool found;
	struct shuffle_fold fold;	/* the one at the cursor */
	struct shuffle_row row[SHUFFLE_STEPS + 1];
	bool known;		/* the values are */
	bool disagree;		/* ... computed, but another was stored */
	char first[64];		/* how the text assigns the first values */
	/* The store of the result: its line (0: none) and array, and what each
	 * warp of the block stored there. */
	uint32_t stored_line, stored_array;
	struct shuffle_result part[SHUFFLE_PARTS];
	int part_count;
};

struct turns;
/* Works out scene.shuffles. */
void scene_shuffle(struct stage *s, const struct turns *t);
/* Returns the lanes of row `row` whose values hold that of `lane` of the first
 * row. */
uint32_t shuffle_way(const struct shuffles *h, int row, uint32_t lane);
/* Returns whether the text has shuffles; comments count. */
bool shuffle_in_text(const struct scene *sc);

#endif
