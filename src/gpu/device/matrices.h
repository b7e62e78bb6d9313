/*
 * matrices: the arrays of a matrix product of one size on the GPU, and the
 * error of an output.
 */
#ifndef GPU_DEVICE_MATRICES_H
#define GPU_DEVICE_MATRICES_H

#include "gpu/device/cuda.h"
#include "kernels/problem.h"

/* The type of elements; check.cu has the same enum. */
enum real { REAL_F32, REAL_F16, REAL_BF16, REALS };

struct matrices {
	struct problem_sizes size;
	/* Arrays by number as in problem_gemm; 0: not made. The 16-bit arrays
	 * are the 32-bit ones, rounded. */
	CUdeviceptr array[PROBLEM_ARRAYS][REALS];
	/* The right answer in double, for inputs of type reference_of. */
	CUdeviceptr reference, sums;
	enum real reference_of;
	const char *reference_by;	/* "float64", "cublas-fp64" */
};

/* Makes A and B with seeded real numbers, uniform in [-1, 1), and room for C,
 * in each wanted type (a bit each) and in 32 bits in any case. Out of memory
 * gives a sentence (see cuda_last()). matrices_done() is due in any case. */
int matrices_make(struct matrices *x, const struct problem_sizes *size,
		  unsigned wanted, uint64_t seed, struct error *e);
void matrices_done(struct matrices *x);

/*
 * Makes larger copies of the inputs, of type `in`, padded with zeros, and an
 * output of type `out` with all bits set. matrices_done() is due in any case.
 */
int matrices_pad(struct matrices *to, const struct matrices *x,
		 const struct problem_sizes *size, enum real in, enum real out,
		 struct error *e);
/* Copies the output's part of the padded output back. */
int matrices_unpad(const struct matrices *x, const struct matrices *padded,
		   enum real c, struct error *e);

/* Sets the output's bytes: 0xff makes each element a NaN. */
int matrices_fill(const struct matrices *x, enum real c, uint8_t byte,
		  struct error *e);

/* Makes the reference, unless it exists: in float64 on the CPU if it is small,
 * else by cuBLAS in double. `alive` is called now and then. */
int matrices_refer(struct matrices *x, enum real inputs, void (*alive)(void),
		   struct error *e);
void matrices_forget(struct matrices *x);	/* the reference */

/* Computes the relative error ||C - R|| / ||R|| (Frobenius) in double on the
 * GPU; NaN if an element is NaN, and *nans is the number of such elements. */
int matrices_error(const struct matrices *x, enum real c, double *error,
		   double *nans, struct error *e);

/* The precision of a product. With FP16 and BF16, products of 16-bit factors
 * are exact, and are summed in 32 bits. */
enum precision { PRECISION_FP32, PRECISION_TF32, PRECISION_16 };
/*
 * Returns the largest relative error that is accepted, for inner dimension k.
 * Inputs are uniform, so that a sum of k products grows like a random walk, and
 * so does its error: k roundings of 2^-24 of partial sums that grow like
 * sqrt(k) come to about 0.4 sqrt(k) 2^-24 of the result. Ten times that is
 * allowed: a single missing element changes more, in C of 16384 x 16384.
 *
 * TF32 drops 13 bits of each input: less than 2^-10 of it, 2^-9 of a product
 * and so of the result. An output of 16 bits is rounded to 2^-11 of itself, as
 * bfloat16 to 2^-8. Tensor cores truncate instead of rounding when they add up,
 * at most 16 products at a time: each addition loses up to 2^-23, all in one
 * direction, half of it on average and less while sums are small: k 2^-26.
 */
double matrices_bound(int k, enum precision p, enum real c);

#endif
