/*
 * baseline: the library functions that kernels are compared with.
 */
#ifndef TIMING_BASELINE_H
#define TIMING_BASELINE_H

#include <stddef.h>

struct baseline {
	const char *name;	/* in requests and options: "cublas-fp32" */
	const char *label;	/* in tables and pictures: "cuBLAS fp32" */
	/* the baseline that its own figures are divided by: itself, or for
	 * cublasLt the cuBLAS of the same types */
	const char *held;
};

/* In a table's order. */
extern const struct baseline baselines[];
extern const size_t baseline_count;

/* Returns the baseline of that name, or NULL. */
const struct baseline *baseline_find(const char *name);

#endif
