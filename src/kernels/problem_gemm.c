/*
 * problem_gemm: C = A B.
 */
#include <math.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/input.h"
#include "kernels/problem.h"

enum { A, B, C, ADDED };

/* Columns that are added at once. */
#define STEP 8
typedef double wide __attribute__((vector_size(STEP * sizeof(double))));

WIDE_VECTORS static void row_add(double a, const double *b, uint64_t n,
				 double *sums)
{
	uint64_t j = 0;

	for (; j + STEP <= n; j += STEP) {
		wide row, sum;

		memcpy(&row, b + j, sizeof(row));
		memcpy(&sum, sums + j, sizeof(sum));
		sum += a * row;
		memcpy(sums + j, &sum, sizeof(sum));
	}
	for (; j < n; j++)
		sums[j] += a * b[j];
}

/* Adds the products of A's row `row` to the sums of that row of C; to
 * `squares`, unless NULL, the squares of the products. */
static void sums_add(const struct problem_case *c, uint64_t row, double *want,
		     double *squares)
{
	uint64_t n = (uint64_t)c->size.n, k = (uint64_t)c->size.k;

	for (uint64_t i = 0; i < k; i++) {
		double a = c->in[A][row * k + i];
		const double *b = c->in[B] + i * n;

		row_add(a, b, n, want);
		for (uint64_t j = 0; squares && j < n; j++)
			squares[j] += a * b[j] * a * b[j];
	}
}

/* Adds the products to the sums, and their absolute values to `sizes`. */
static void absolute_add(const struct problem_case *c, uint64_t row,
			 double *want, double *sizes)
{
	uint64_t n = (uint64_t)c->size.n, k = (uint64_t)c->size.k;

	for (uint64_t i = 0; i < k; i++)
		for (uint64_t j = 0; j < n; j++) {
			double p = c->in[A][row * k + i] * c->in[B][i * n + j];

			want[j] += p;
			sizes[j] += fabs(p);
		}
}

/*
 * Computes a row of C, and the error allowed for each element. Of whole numbers
 * of at most 9, every sum is exact in any order while k 81 <= 1 / unit.
 * Otherwise each addition rounds by up to `unit` of the sum so far. Products of
 * mixed signs make sums that grow like a random walk, so that after k additions
 * the errors come to 0.41 unit sqrt(k) times the root of the products' squares;
 * ten times that is allowed. Of any numbers, k + 4 units of the sum of the
 * products' absolute values, which no order of the additions exceeds.
 */
static void product_row(const struct problem_case *c, uint64_t row,
			double *want, double *off)
{
	uint64_t n = (uint64_t)c->size.n;
	bool exact = c->whole && c->size.k * 81.0 * c->unit <= 1;

	memset(want, 0, n * sizeof(*want));
	memset(off, 0, n * sizeof(*off));
	if (c->any) {
		absolute_add(c, row, want, off);
		for (uint64_t j = 0; j < n; j++)
			off[j] *= c->unit * (c->size.k + 4);
		return;
	}
	sums_add(c, row, want, exact ? NULL : off);
	for (uint64_t j = 0; !exact && j < n; j++)
		off[j] = c->unit * (4.1 * sqrt(c->size.k * off[j]) +
				    fabs(want[j]));
}

static double product_flops(double m, double n, double k)
{
	return 2 * m * n * k;
}

static double relu(double x)
{
	return x > 0 ? x : 0;
}

/* C is stored by columns only where A and B are, as in BLAS: turned alone it
 * is a mistake. */
const struct problem problem_gemm = {
	.name = "gemm",
	.idea = N_("A B, by rows or by columns"),
	.arrays = {
		[A] = { "A", " a ", 'm', 'k', .output = false },
		[B] = { "B", " b ", 'k', 'n', .output = false },
		[C] = { "C", " c ", 'm', 'n', .output = true },
		/* Where a kernel has a D, that is the product, and its own C is
		 * what is added: zeros. */
		[ADDED] = { "D", " d ", 'm', 'n', .optional = true },
	},
	.order = "mnk",
	.surely = 'k',
	.forms = {
		{ .name = "rows", .checked = N_("C = A B checked") },
		{ "a-columns", 1 << A, NULL,
		  N_("C = A B checked, A by columns"), false },
		{ "b-columns", 1 << B, NULL,
		  N_("C = A B checked, B by columns"), false },
		{ "ab-columns", 1 << A | 1 << B, NULL,
		  N_("C = A B checked, A and B by columns"), false },
		{ "columns", 1 << A | 1 << B | 1 << C, NULL,
		  N_("C = A B by columns checked"), false },
		{ "relu", 0, relu, N_("C = max(A B, 0) checked"), false },
		{ .name = "added", .checked = N_("C = C + A B checked"),
		  .adds = true },
	},
	.input = input_at,
	.fraction = input_fraction_at,
	.row = product_row,
	.flops = product_flops,
	.baseline = "cublas-fp32",
};
