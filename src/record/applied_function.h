/*
 * applied_function: whether an output is what a function makes of each element of
 * the expected one, as an activation at the end of a product does. What the
 * function is, nothing says.
 */
#ifndef RECORD_APPLIED_FUNCTION_H
#define RECORD_APPLIED_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Tests whether got[i] is a function of want[i] alone, for n elements that are known
 * to within off[i]: a function that rises and falls at most twice each, and is
 * neither a factor, but for `scale`, nor a sum with a constant, as mistakes are, nor
 * leaves most elements as they are. False for fewer than 64 elements, which do not
 * tell.
 */
bool is_applied_function(const double *want, const double *got, const double *off,
			 uint64_t n, double scale);

#endif
