/*
 * problem_unknown: a user's kernel whose problem is not stated. Its arrays are
 * as large as those of a product, since most kernels here are one.
 */
#include "kernels/input.h"
#include "kernels/problem.h"

const struct problem problem_unknown = {
	.name = "unknown",
	.arrays = {
		{ "A", " a ", 'm', 'k', .output = false },
		{ "B", " b ", 'k', 'n', .output = false },
		{ "C", " c ", 'm', 'n', .output = true },
		{ "D", " d ", 'm', 'n', .optional = true },
	},
	.order = "mnk",
	.input = input_at,
	.fraction = input_fraction_at,
};
