/*
 * problem_softmax: B[i][j] = exp(A[i][j]) / (exp(A[i][0]) + exp(A[i][1]) + ..),
 * each row of M by itself.
 */
#include <math.h>

#include "base/lang.h"
#include "kernels/input.h"
#include "kernels/problem.h"

enum { A, B };

/* Of 16 bits, and no wider: float has 2^-24. */
#define UNIT_HALF 0x1p-11

/*
 * Returns the error allowed, in units. CUDA's fast __expf() is off by 2 + |1.2
 * x| ulp, for differences of at most 40 and an ulp of two units by 100, above
 * and below the line; a sum of positive terms by one unit a term; a running
 * maximum rises some 20 times, by 40 in all, and rescales the sum by another
 * exp each: 20 * 4 + 96. All this is under 1024. Kernels that compute in 16 bits use an
 * exp that is right to an ulp, and sums that err both ways.
 */
static double allowed_units(const struct problem_case *c)
{
	return c->unit < UNIT_HALF ? c->size.n + 1024 :
				     4 * sqrt(c->size.n) + 16;
}

static void softmax_row(const struct problem_case *c, uint64_t row,
			double *want, double *off)
{
	uint64_t n = (uint64_t)c->size.n;
	const double *a = c->in[A] + row * n;
	double most = -INFINITY, sum = 0;

	for (uint64_t j = 0; j < n; j++)
		most = fmax(most, a[j]);
	for (uint64_t j = 0; j < n; j++)
		sum += exp(a[j] - most);
	for (uint64_t j = 0; j < n; j++) {
		want[j] = exp(a[j] - most) / sum;
		/* What is tiny may be rounded to a subnormal half, or to 0. */
		off[j] = c->unit * allowed_units(c) * want[j] +
			 (c->unit < UNIT_HALF ? 0 : 0x1p-24);
	}
}

/* Counts the operations: subtract, exp, add and divide for each element. */
static double softmax_flops(double m, double n, double k)
{
	(void)k;
	return 4 * m * n;
}

/* Returns a number from 60 to 100, in steps of a half: without its maximum, or
 * with part of its sum, a softmax of them is wrong. */
static double large_at(uint64_t seed, int array, uint64_t n)
{
	return 60 + (double)(random_at(seed * 3 + (uint64_t)array, n) % 81) / 2;
}

const struct problem problem_softmax = {
	.name = "softmax",
	.idea = N_("the softmax of each row of the input"),
	.arrays = {
		[A] = { "A", " a in inp input idata src source x ", 'm', 'n',
			.output = false },
		[B] = { "B", " b out output odata dst dest result y ", 'm', 'n',
			.output = true },
	},
	.order = "mn",
	.hint = "softmax",
	.forms = {
		{ .name = "rows",
		  .checked = N_("each row of the softmax checked") },
	},
	.input = input_at,
	.fraction = large_at,
	.row = softmax_row,
	.flops = softmax_flops,
};
