/*
 * faster: how many whole multiplications each kernel of a race makes while the
 * slowest makes one, and two counts that say why.
 */
#ifndef VIZ_PICTURES_FASTER_SCENE_FASTER_H
#define VIZ_PICTURES_FASTER_SCENE_FASTER_H

#include "scene/rung_counts.h"

#define FASTER_ROWS 10
#define FASTER_COUNTS 2

struct faster_row {
	long at;	/* the measured case */
	/* Its kernel, with its parameters if others have the same kernel. */
	char label[64];
	bool library;
	bool bad;	/* its loads waste what they move */
	double seconds, flops;	/* of one multiplication; FLOP/s */
	double times;	/* multiplications while the slowest makes one, >= 1 */
	const struct timing_counts *counts;
};

struct faster {
	const char *gpu;
	char date[48];		/* the first and the last day of the rows */
	struct problem_sizes size;
	struct faster_row row[FASTER_ROWS];
	int count;	/* 0: fewer than two were measured */
	/* The rows that are compared: how many times as fast as `against` is
	 * `asked`? -1: none. */
	int asked, against;
	double seconds;		/* the slowest's */
	double slow;		/* the picture runs this many times slower */
	/* What differs most between the two that are compared; RUNG_COUNTS:
	 * nothing. Counts are of `products` multiply-adds. */
	enum rung_count why[FASTER_COUNTS];
	double products;
};

/* Returns the faster of the two rows that are compared, which an open question
 * covers; -1: none are. */
int faster_covered(const struct faster *f);
/* Returns a count of a row, for f->products multiply-adds; NA: not counted. */
double faster_count(const struct faster *f, int row, enum rung_count what);

struct stage;
struct turns;
/* Works out scene.faster: of the race in turns->field, or of the kernel, the
 * rung below it and its library. */
void scene_faster(struct stage *s, const struct turns *t);

#endif
