/*
 * rung_cost: what a rung of the ladder changed: what the model predicts and
 * what the hardware counted, of the rung below and of the rung itself.
 */
#ifndef VIZ_PICTURES_COST_RUNG_COST_H
#define VIZ_PICTURES_COST_RUNG_COST_H

#include "scene/benchmark_scene.h"

enum bill_what { BILL_LOADS, BILL_SECTORS, BILL_WAVEFRONTS, BILL_L2,
		 BILL_DRAM, BILL_TIME, BILL_ROWS };

/* Sectors, wavefronts, bytes or seconds; NA: not known. For DRAM `predicted`
 * is the least there is: A, B and C once. */
struct bill_count { double predicted, measured; };

/* A rung: its label, its counts, and why it is as fast as it is. */
struct bill_side {
	const char *label;		/* NULL: there is none */
	struct bill_count count[BILL_ROWS];
	struct benchmark_reason reason;
	double flops;
};

struct rung_cost {
	bool known;
	const char *gpu;
	struct problem_sizes size;
	const char *idea;		/* what was changed; not translated */
	struct bill_side before, now;
};

struct stage;
/* Works out scene.bill, of the rung `by` rungs from the kernel's. */
void rung_cost(struct stage *s, int by);
/* Works out the same of two kernels, named as in races; before "": the library. */
void rung_cost_between(struct stage *s, const char *now, const char *before);

#endif
