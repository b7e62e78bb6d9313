/*
 * problem: what a kernel computes, as data: its arrays and what they hold, the
 * right answer and how far from it one may be, what it costs. An entry is a
 * file, problem_NAME.c, and a line in the list in problem.c.
 *
 * An array is a matrix, row after row without gaps; its rows and columns are
 * two of the launch's sizes M, N and K. Kernels find their arrays by the names
 * of parameters or by position, see record/arguments.h.
 */
#ifndef KERNELS_PROBLEM_H
#define KERNELS_PROBLEM_H

#include "base/base.h"

struct problem_sizes { int m, n, k; };

#define PROBLEM_ARRAYS 4
#define PROBLEM_FORMS 8

struct problem_array {
	const char *name;
	/* Words of a parameter's name that say it is this array, each between
	 * spaces: " a " of A, d_A and matrixA. */
	const char *words;
	char rows, columns;		/* 'm', 'n', 'k' */
	bool output;
	bool optional;			/* a kernel may be without */
};

/* A way in which the arrays are stored and the answer is finished. */
struct problem_form {
	const char *name;		/* in traces */
	unsigned by_columns;		/* arrays stored so, a bit each */
	double (*then)(double x);	/* what becomes of an element, or NULL */
	const char *checked;		/* the sentence, N_() */
};

/* Some rows of the answer are asked for, one after the other. */
struct problem_case {
	struct problem_sizes size;
	const double *in[PROBLEM_ARRAYS];	/* what the arrays held */
	double unit;		/* relative error of one operation: 2^-24 */
};

struct problem {
	const char *name;	/* in traces, and --problem's */
	const char *idea;	/* what the output must be, N_() */
	struct problem_array arrays[PROBLEM_ARRAYS];	/* no name ends them */
	/* What whole numbers are that have no telling name, in order. */
	const char *order;
	/* A kernel is held to it when its arrays have these names and it has
	 * this size, too; 0: only when that is asked for. */
	char surely;
	/* A word in a kernel's name that suggests it; NULL: none does. */
	const char *hint;
	/* The first is the form of the table's kernels. */
	struct problem_form forms[PROBLEM_FORMS];
	/* Element n, counted row after row, of an input. */
	int (*input)(uint64_t seed, int array, uint64_t n);
	/* A row of the output in double, and how far off each element may be;
	 * 0: it is exact but for rounding to the output's type. NULL: the
	 * answer is not known. */
	void (*row)(const struct problem_case *c, uint64_t row, double *want,
		    double *off);
	/* Floating-point operations of it all; NULL: not known. */
	double (*flops)(double m, double n, double k);
	/* The library routine that does the same, as `time` names it; NULL:
	 * there is none. */
	const char *baseline;
};

/* All of them; the last is for kernels that none of the others fits. */
#define PROBLEMS(P) P(gemm) P(transpose) P(softmax) P(unknown)
#define PROBLEM_EXTERN(name) extern const struct problem problem_##name;
PROBLEMS(PROBLEM_EXTERN)
extern const struct problem *const problems[];
extern const size_t problem_count;

const struct problem *problem_find(const char *name);
/* The number of the output; -1: not known. */
int problem_output(const struct problem *p);
/* Elements of the output. */
double problem_elements(const struct problem *p, double m, double n, double k);
/* What is one of the sizes. */
int problem_size(const struct problem_sizes *s, char which);

/* Why an answer was not checked: words of a trace. */
#define UNCHECKED_OLD ""		/* a trace without such a word */
#define UNCHECKED_PARTIAL "partial"
#define UNCHECKED_STOPPED "stopped"
#define UNCHECKED_UNKNOWN "unknown"
#define UNCHECKED_ARRAYS "arrays"
#define UNCHECKED_UNTOUCHED "untouched"
#define UNCHECKED_TYPES "types"
#define UNCHECKED_LARGE "large"
#define UNCHECKED_GIVEN "given"
/*
 * The sentence of a trace's word: of a form, or of a reason; English, N_().
 * *checked: it is a form. What is no word of a problem's is UNCHECKED_UNKNOWN.
 */
const char *problem_says(const struct problem *p, const char *word,
			 bool *checked);

#endif
