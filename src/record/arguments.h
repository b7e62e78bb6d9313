/*
 * arguments: which problem a kernel computes, and what its parameters mean.
 * Pointers are the problem's arrays and integers its sizes: by name where the
 * name is known (A, d_A, matA; K, lda, widthA), else by position, except that
 * the only array that is not const is the output.
 */
#ifndef RECORD_ARGUMENTS_H
#define RECORD_ARGUMENTS_H

#include "record/debug.h"
#include "record/plan.h"

#define ARGUMENTS_MOST 16
/* The numbers of arrays are below. */
#define ARGUMENT_ARRAYS (PROBLEM_ARRAYS + ARGUMENTS_MOST)
#define ARGUMENT_WORDS 4	/* of 8 bytes each; enough for a double4 */

/* An argument of the kernel's launch: an array, or a value as the kernel takes
 * it. A tensor map counts as its array; whoever launches makes the map. */
struct argument {
	const struct debug_var *var;
	/* The array's number in the plan's problem; from PROBLEM_ARRAYS on, an
	 * input besides; -1: it is none. */
	int array;
	/* the argument's bytes, if not an array */
	uint64_t value[ARGUMENT_WORDS];
	/* Who decided the value, or the array's size; and which of the launch's
	 * sizes the value is ('m', 'n', 'k'; 0: none). */
	enum decided decided;
	char size;
	/* An array's size where the problem does not decide it. */
	/* 0: the problem does; dims[1] also if there is one only */
	uint64_t dims[2];
	uint64_t before; /* elements before the one that is passed */
	bool filled;	/* filled with integers from low to high */
	int64_t low, high;
	enum decided filled_by;
	/* What the array holds before the launch: the least and the greatest
	 * number; NaN: no numbers. */
	double least, most;
};

/* Tests whether the parameter is a pointer or a tensor map. */
bool argument_is_array(const struct debug_var *v);
/*
 * Chooses the plan's problem, unless the kernel is one of the table or the
 * problem was asked for, and fills in one argument for each parameter of the
 * entry, in order. Returns their number, or -1 with e (EXIT_USAGE) if what a
 * parameter stands for is not known.
 */
int arguments_find(struct plan *p, const struct debug_function *entry,
		   struct argument *arguments, struct error *e);

/* Finds the sizes of the product that a kernel computes for these values of its
 * parameters (by their numbers in f->vars). Returns false when names do not
 * prove that it is a product of whole matrices. */
bool arguments_product(const struct debug_function *f, const int64_t *values,
		       struct problem_sizes *size);
/*
 * Finds the sizes of a problem from the values of a kernel's arguments: by the
 * names of its whole numbers, else by their order; those that it does not say
 * are as the one that it says. Returns false if it says none, or if the matrices
 * are parts of larger ones.
 */
bool arguments_sizes(const struct problem *p, const struct argument *arguments,
		     int count, struct problem_sizes *size);
/* Sets *v to the value of an argument that is a real of this name; false: it is
 * another. */
bool arguments_real(const struct argument *a, const char *name, double *v);
/* Returns the rows and columns of the product's matrix that a parameter's name
 * denotes; false when it denotes none. */
bool arguments_matrix(const char *name, const struct problem_sizes *size,
		      uint64_t *rows, uint64_t *columns);

/* Returns the problem's array that an argument stands for. */
const struct problem_array *argument_role(const struct plan *p,
					  const struct argument *a);

/* Finds the argument of each array of a problem (-1: none) among these
 * arguments, if there are as many as the problem has arrays. False: these
 * cannot be the problem's arguments. */
bool arguments_fit(const struct problem *problem,
		   const struct argument *arguments, int count,
		   int argument[PROBLEM_ARRAYS]);

/* Tells a trace what is passed. Its arrays so far are those of the arguments,
 * in the order of the problem. */
void arguments_tell(const struct argument *arguments, int count,
		    struct trace_info *info);

#endif
