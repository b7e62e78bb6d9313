/* scene_scaling: the measured times of a product on several GPUs, compared with
 * one GPU and with the link between two (timing/across.h). */
#ifndef VIZ_PICTURES_SCALING_SCENE_SCALING_H
#define VIZ_PICTURES_SCALING_SCENE_SCALING_H

#include "base/base.h"

struct stage;

/*
 * ONE		one GPU
 * ALL		several, where panels travel while others are multiplied
 * FIRST	the same, where panels go before products
 * PARTS	its products alone, and then its panels alone
 * LIMIT	the least that the link takes
 */
enum scaling_what { SCALING_ONE, SCALING_ALL, SCALING_FIRST, SCALING_PARTS,
		    SCALING_LIMIT };

/* Seconds; panels: of these the panels' part, else 0; spread: by how much of
 * the median the samples differ; faster: how many times as fast as ONE. NA: does
 * not apply, or is not known. */
struct scaling_row {
	enum scaling_what what;
	int gpus;
	double seconds, panels, spread, faster;
};

/* A product of n x n x n: the rows that were measured. */
#define SCALING_ROWS 10
struct scaling_size {
	int n, count;
	struct scaling_row row[SCALING_ROWS];
};

#define SCALING_SIZES 3
struct scene_scaling {
	const char *gpu, *date;		/* NULL: nothing was measured */
	int gpus;			/* the most that were timed together */
	double copied;			/* bytes a second of the link, or NA */
	struct scaling_size size[SCALING_SIZES];	/* the largest, rising */
	int count;
};

/* Works out scene.scaling. */
void scene_scaling(struct stage *s);

#endif
