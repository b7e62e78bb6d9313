/*
 * arguments: which problem a kernel computes, and what its parameters stand
 * for. Pointers are the problem's arrays and whole numbers its sizes, by name
 * where the names are known (A, d_A, matA; K, lda, widthA) and by position
 * else, but that the only array which is not const is the output.
 */
#ifndef RECORD_ARGUMENTS_H
#define RECORD_ARGUMENTS_H

#include "record/debug.h"
#include "record/plan.h"

#define ARGUMENTS_MOST 16
#define ARGUMENT_WORDS 4		/* of eight bytes: a double4 */

/* One argument of the call: an array, or a value as the kernel wants it. A
 * tensor map is of the array, and made by who launches. */
struct argument {
	const struct debug_var *var;
	int array;			/* number in the plan's problem, or -1 */
	uint64_t value[ARGUMENT_WORDS];	/* its first bytes; of no array */
	/* Of an array, as the reader said; else of the problem. */
	uint64_t dims[2];		/* 0: not said; the second: of one */
	bool filled;			/* with whole numbers low..high */
	int64_t low, high;
};

/* A pointer or a tensor map. */
bool argument_is_array(const struct debug_var *v);
/*
 * Chooses the plan's problem, unless it is that of a kernel of the table or was
 * asked for, and fills one argument a parameter of the entry, in order;
 * returns how many, or -1 with e (EXIT_USAGE) when what one stands for is not
 * known.
 */
int arguments_find(struct plan *p, const struct debug_function *entry,
		   struct argument *arguments, struct error *e);

/*
 * The argument of each array of a problem, or -1: of these arguments, if they
 * are as many as the problem's arrays. False: they cannot be these.
 */
bool arguments_fit(const struct problem *problem,
		   const struct argument *arguments, int count,
		   int argument[PROBLEM_ARRAYS]);

#endif
