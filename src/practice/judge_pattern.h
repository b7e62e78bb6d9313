/*
 * judge_pattern: what is wrong with an output, as a pattern: in which rows,
 * columns or tiles it is right, where its elements belong, which part of the sums
 * it is.
 */
#ifndef PRACTICE_JUDGE_PATTERN_H
#define PRACTICE_JUDGE_PATTERN_H

#include "base/base.h"

/* An output next to what it should be, row by row. */
struct pattern_output {
	const char *name;
	uint64_t rows, columns;		/* columns 1: a vector */
	const double *want, *got;
	/* What each element may differ by; whether nothing has written it. */
	const double *off;
	const bool *unwritten;
	/* Of a product, or NULL: A and B, row by row. */
	const double *a, *b;
	uint64_t k;
};

/* Counts the elements that are wrong, or unwritten. */
uint64_t pattern_count_wrong(const struct pattern_output *o);
/* Returns one sentence about an output that is wrong; the caller frees it. */
char *pattern_describe(const struct pattern_output *o);

#endif
