/*
 * problem_transpose: B = A transposed; A has M rows and N columns.
 */
#include <string.h>

#include "base/lang.h"
#include "kernels/input.h"
#include "kernels/problem.h"

enum { A, B };

static void transposed_row(const struct problem_case *c, uint64_t row,
			   double *want, double *off)
{
	uint64_t m = (uint64_t)c->size.m, n = (uint64_t)c->size.n;

	memset(off, 0, m * sizeof(*off));
	for (uint64_t j = 0; j < m; j++)
		want[j] = c->in[A][j * n + row];
}

static double no_flops(double m, double n, double k)
{
	(void)m;
	(void)n;
	(void)k;
	return 0;
}

const struct problem problem_transpose = {
	.name = "transpose",
	.idea = N_("the transpose of the input"),
	.arrays = {
		[A] = { "A", " a in inp input idata src source x ", 'm', 'n',
			.output = false },
		[B] = { "B", " b at out output odata dst dest result y ", 'n',
			'm', .output = true },
	},
	.order = "mn",
	.hint = "transpose",
	.forms = {
		{ .name = "rows", .checked = N_("B = transpose of A checked") },
		{ .name = "columns", .by_columns = 1 << A | 1 << B,
		  .checked = N_("B = transpose of A by columns checked") },
	},
	.input = input_at,
	.fraction = input_fraction_at,
	.row = transposed_row,
	.flops = no_flops,
};
