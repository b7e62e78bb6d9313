/*
 * rung_cost: what a rung of the ladder changed: how busy each unit was and what
 * was counted, of the rung below and of the rung itself.
 */
#ifndef VIZ_PICTURES_COST_RUNG_COST_H
#define VIZ_PICTURES_COST_RUNG_COST_H

#include "scene/rung_counts.h"

/* A rung: its label, a launch's counts, and the median of its times. */
struct bill_side {
	const char *label;		/* NULL: there is none */
	const struct timing_counts *counts;
	double seconds;
	const char *date;	/* of its times; NULL: not known */
};

struct rung_cost {
	bool known;
	const char *gpu;
	struct problem_sizes size;
	struct bill_side before, now;
};

struct stage;
/* Works out scene.bill, of the rung `by` rungs from the kernel's. */
void rung_cost(struct stage *s, int by);
/* Works out the same of two kernels, named as in races; before "": the library.
 * With `by`: of the rung `by` rungs from the first, and the one below it. */
void rung_cost_between(struct stage *s, const char *now, const char *before,
		       int by);

#endif
