/*
 * gemm_arguments: what a kernel's parameters stand for, the matrices' contents, and
 * whether the answer is right. Pointers are A, B and C, whole numbers M, N
 * and K, by name where the names are known (A, d_A, matA; K, lda, widthA) and
 * by position else, but that the only array which is not const is C.
 */
#ifndef RECORD_GEMM_ARGUMENTS_H
#define RECORD_GEMM_ARGUMENTS_H

#include "record/debug.h"
#include "record/plan.h"
#include "trace/finding.h"

/* Where a kernel has a D, that is the product, here C, and its own C is what
 * it adds: zeros. */
enum { MATRIX_A, MATRIX_B, MATRIX_C, MATRIX_ADDED, MATRICES };

#define MATRIX_ARGUMENTS 16

/* One argument of the call: a matrix, or a value as the kernel wants it. A
 * tensor map is of the matrix, and made by who launches. */
struct argument {
	const struct debug_var *var;
	int matrix;			/* MATRIX_A.., or -1 */
	uint64_t value;			/* its low bytes; of no matrix */
};

/*
 * Fills one argument a parameter of the entry, in order; returns how many,
 * or -1 with e (EXIT_USAGE) when what one stands for is not known.
 */
int matrix_arguments(const struct plan *p, const struct debug_function *entry,
		     struct argument *arguments, struct error *e);

/* A matrix as an array of a trace: two dimensions, base 0. -1 with e when
 * it is too large to be recorded. */
int matrix_array(const struct plan *p, const struct argument *a,
		 struct trace_array *array, struct error *e);
/* A and B: small whole numbers, legible, of which every sum of products is
 * exact, and 0 where the matrix is padded. C: all bits set, NaN in every real
 * type; 0 for a reader's own kernel, which may add to it. */
void matrix_fill(const struct plan *p, const struct trace_array *array,
		 int matrix, void *to);
/* A matrix's elements. */
struct matrix {
	enum elem elem;
	const void *at;
};
/*
 * Compares C with a float64 reference, rounded to 16 bits where C is. False:
 * *wrong is the finding, of array C. Elements that are no reals of at
 * most 32 bits are not compared. A reader's kernel may have A, B or both by
 * columns, or all three.
 */
bool matrix_compare(const struct plan *p, const struct matrix x[MATRIX_C + 1],
		    struct trace_finding *wrong);
/* The bits of a real of 16 bits, to nearest even; what is too large becomes
 * infinity. */
uint16_t real16_round(enum elem elem, double v);
/* Whether C is to be A B, and comparing it is one of seconds: of a kernel of
 * the table, or a reader's whose parameters are named A, B, C and K. */
bool matrix_comparable(const struct plan *p,
		       const struct debug_function *entry);

#endif
