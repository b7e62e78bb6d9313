/*
 * leading: the leading dimensions of a product's matrices, lda, ldb and ldc: the
 * elements between two rows, or between two columns where a matrix is stored by
 * columns.
 */
#ifndef RECORD_LEADING_H
#define RECORD_LEADING_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the matrix whose leading dimension has this name: 0, 1 and 2 for A, B
 * and C; -1: it is another's name. */
int leading_matrix(const char *name);
/* Returns the size, 'm', 'n' or 'k', that is the leading dimension of a whole
 * matrix; bit i of by_columns: matrix i is stored by columns. */
char leading_size(int matrix, unsigned by_columns);

/* What a call's whole numbers say of a product. */
struct said_sizes {
	int64_t of[3];		/* m, n, k; 0: not said */
	int64_t leading[3];	/* of A, B and C; 0: not said */
	bool contrary;		/* two numbers say one size */
};

/* Notes a number of this name, which says the size `known`. */
void said_note(struct said_sizes *s, char known, const char *name, int64_t value);
/* Fills in sizes that only leading dimensions say. Tests whether matrices by rows
 * or by columns have these, whole: parts of larger ones do not. */
bool said_are_whole(struct said_sizes *s);

#endif
