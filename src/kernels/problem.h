/*
 * problem: what a kernel computes, as data: its arrays and their contents, the
 * expected output with its error bounds, and its FLOP count. To add a problem,
 * add a file problem_NAME.c and its name to PROBLEMS below.
 *
 * An array is a matrix, stored without gaps; its rows and columns are two of
 * the launch's sizes M, N and K. A kernel's parameters are matched to arrays by
 * name or by position, see record/arguments.h.
 */
#ifndef KERNELS_PROBLEM_H
#define KERNELS_PROBLEM_H

#include "base/base.h"

struct problem_sizes { int m, n, k; };

/* Bits for M, N and K. */
#define SIZE_M 1u
#define SIZE_N 2u
#define SIZE_K 4u
#define SIZE_ALL 7u
/* Returns the bit of 'm', 'n' or 'k', also as capitals; 0 for others. */
uint32_t size_bit(int letter);

#define PROBLEM_ARRAYS 4
#define PROBLEM_FORMS 8

struct problem_array {
	const char *name;
	/* Words in a parameter's name that identify this array, each between
	 * spaces: " a " matches A, d_A and matrixA. */
	const char *words;
	char rows, columns;		/* 'm', 'n', 'k' */
	bool output;
	bool optional;			/* a kernel may lack it */
};

/* A variant of the problem: how its arrays are stored, and what is applied to
 * each element of the output at the end. */
struct problem_form {
	const char *name;		/* name used in traces */
	unsigned by_columns;		/* bit i: array i is column-major */
	double (*then)(double x);	/* applied to each element; or NULL */
	const char *checked;		/* how it was checked, N_() */
	/* It is added to what the output held before; for a kernel that reads
	 * its output by atomics. */
	bool adds;
};

/* What problem.row() needs to compute rows of the output, which are requested
 * one after the other. */
struct problem_case {
	struct problem_sizes size;
	const double *in[PROBLEM_ARRAYS];	/* contents of the inputs */
	double unit;		/* relative error of one operation, as 2^-24 */
	bool whole;		/* the inputs are whole numbers from -9 to 9 */
	bool any;		/* or they are any numbers, as in a program */
};

struct problem {
	const char *name;	/* the name in traces and for --problem */
	const char *idea;	/* what the output must be, N_() */
	struct problem_array arrays[PROBLEM_ARRAYS];	/* ends at one
							   without a name */
	/* Which sizes the integer parameters without a telling name stand for,
	 * in order. */
	const char *order;
	/*
	 * A size ('m', 'n', 'k'): a kernel whose parameters have the names of
	 * these arrays and of this size is checked against this problem. 0: a
	 * kernel is checked against it only on request.
	 */
	char surely;
	/* A word in a kernel's name that suggests this problem; NULL: no word
	 * does. */
	const char *hint;
	/* The problem's forms; the kernels of the table have the first. */
	struct problem_form forms[PROBLEM_FORMS];
	/* Element n of an input, counted in row-major order. */
	int (*input)(uint64_t seed, int array, uint64_t n);
	/* Likewise, in arrays of reals of a reader's kernel. */
	double (*fraction)(uint64_t seed, int array, uint64_t n);
	/*
	 * Computes a row of the output in double, and the error bound of each
	 * element; a bound of 0 means that the element is exact but for
	 * rounding to the output's type. NULL: the expected output is not
	 * known.
	 */
	void (*row)(const struct problem_case *c, uint64_t row, double *want,
		    double *off);
	/* Floating-point operations of the whole problem; NULL: not known. */
	double (*flops)(double m, double n, double k);
	/* The library routine that computes the same, by its name in `time`;
	 * NULL: there is none. */
	const char *baseline;
};

/* All of them; the last is for kernels that none of the others fits. */
#define PROBLEMS(P) P(gemm) P(transpose) P(softmax) P(unknown)
#define PROBLEM_EXTERN(name) extern const struct problem problem_##name;
PROBLEMS(PROBLEM_EXTERN)
extern const struct problem *const problems[];
extern const size_t problem_count;

const struct problem *problem_find(const char *name);
/* Returns the index of the output array; -1 when not known. */
int problem_output(const struct problem *p);
/* Returns the number of elements of the output. */
double problem_elements(const struct problem *p, double m, double n, double k);
/* Returns the size that `which` names: 'm', 'n' or 'k'. */
int problem_size(const struct problem_sizes *s, char which);

/* Finds the form of this name; NULL when the problem has none. */
const struct problem_form *problem_form(const struct problem *p,
					const char *word);

/* Why an output was not checked, as words in a trace. */
#define UNCHECKED_OLD ""		/* a trace without such a word */
#define UNCHECKED_PARTIAL "partial"
#define UNCHECKED_STOPPED "stopped"
#define UNCHECKED_UNKNOWN "unknown"
#define UNCHECKED_ARRAYS "arrays"
#define UNCHECKED_UNTOUCHED "untouched"
#define UNCHECKED_TYPES "types"
#define UNCHECKED_LARGE "large"
#define UNCHECKED_GIVEN "given"
#define UNCHECKED_SIZES "sizes"
#define UNCHECKED_PROGRAM "program"
#define UNCHECKED_ROUNDED "rounded"
#define UNCHECKED_CUT "cut"
#define UNCHECKED_APPLIED "applied"
/*
 * Returns words, in English, N_(), for a trace's word: how the output was
 * compared, for the name of a form, or the reason why it was not. Sets *checked
 * to whether the word is a form. An unknown word counts as
 * UNCHECKED_UNKNOWN.
 */
const char *problem_says(const struct problem *p, const char *word,
			 bool *checked);

#endif
