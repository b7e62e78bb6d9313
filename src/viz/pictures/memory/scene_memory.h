/* scene_memory: the traffic between the levels of the GPU's memory, for the
 * kernel on stage and for others, as the hardware counted it, compared with the
 * measured bandwidth of the levels. */
#ifndef VIZ_PICTURES_MEMORY_SCENE_MEMORY_H
#define VIZ_PICTURES_MEMORY_SCENE_MEMORY_H

#include "timing/ladder.h"

#define MEMORY_COLUMNS 4
#define MEMORY_SHAFTS (MEMORY_LEVELS - 1)

/* One kernel. Shaft i is between level i and level i + 1. */
struct memory_column {
	const char *label;
	bool own;			/* it is the kernel on stage */
	/* Bytes; between L1 and the registers 128 for each wavefront. */
	double bytes[MEMORY_SHAFTS];
	/* In the first shaft: what conflicts and scattered lanes add; else
	 * 0. */
	double waste;
	/* Seconds that the level below the shaft takes for that at the rate
	 * that was measured of it alone. */
	double least[MEMORY_SHAFTS];
	int slowest;			/* the shaft that takes longest */
	double seconds, flops;		/* measured */
};

struct scene_memory {
	/* Of the calibrated GPU, or else of the races' one; NULL: not
	 * measured. */
	const struct memory_measured *levels;
	/* Of the races' GPU, on which the columns' times were measured. */
	const struct memory_measured *raced;
	const char *gpu;		/* of the races */
	struct problem_sizes size;
	double matrices;		/* bytes of A, B and C */
	struct memory_column columns[MEMORY_COLUMNS];
	size_t count;			/* 0: nothing was measured */
	double widest;			/* bytes of the widest shaft */
};

struct stage;
/* Works out scene.memory; `other`: which kernel stands beside the ladder's. */
void scene_memory(struct stage *s, int other);

#endif
