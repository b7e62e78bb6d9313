/*
 * applied_function: see applied_function.h.
 */
#include "record/applied_function.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

#define ELEMENTS_LEAST 64
#define TURNS_MOST 4
/* The part of the range within which an extreme has a neighbour. */
#define NEAR 0.125
/* The share of elements that the function must change. */
#define CHANGED_LEAST 0.25
/* The relative error of functions such as __expf() and tanh.approx. */
#define FUNCTION_UNIT 0x1p-10

struct applied_element {
	double want, got, off;
};

static int compare_want(const void *a, const void *b)
{
	const struct applied_element *x = a, *y = b;

	return (x->want > y->want) - (x->want < y->want);
}

/* Returns how far a value may be off that has gone through a function. */
static double allowed_error(const struct applied_element *x)
{
	return FUNCTION_UNIT * fabs(x->got) + 8 * x->off;
}

/* Tests whether an extreme stands alone, as a wrong element among right ones
 * does. */
static bool is_outlier(const struct applied_element *at, const struct applied_element *x, uint64_t n,
		       double range)
{
	return (at == x || fabs(at[-1].got - at->got) > NEAR * range) &&
	       (at == x + n - 1 || fabs(at[1].got - at->got) > NEAR * range);
}

/* Returns the difference of the largest and the smallest element. */
static double get_range(const struct applied_element *x, uint64_t n)
{
	double low = x->got, high = x->got;

	for (uint64_t i = 1; i < n; i++) {
		low = MIN(low, x[i].got);
		high = MAX(high, x[i].got);
	}
	return high - low;
}

/* Tests whether the elements, in the order of what they are made of, turn from
 * rising to falling or back a few times at most. */
static bool turns_seldom(const struct applied_element *x, uint64_t n)
{
	const struct applied_element *extreme = x;	/* the last one */
	double range = get_range(x, n);
	int turns = 0, way = 0;

	for (uint64_t i = 1; i < n; i++) {
		double d = x[i].got - extreme->got;
		int now = (d > 0) - (d < 0);

		if (!now || (now != way && fabs(d) <= allowed_error(extreme) +
							  allowed_error(&x[i])))
			continue;
		if (way && now != way && (++turns > TURNS_MOST ||
					  is_outlier(extreme, x, n, range)))
			return false;
		way = now;
		extreme = &x[i];
	}
	return true;
}

/* Tests whether all elements are `factor` times what they are made of, plus a
 * constant. */
static bool is_line(const struct applied_element *x, uint64_t n, double factor, double more)
{
	for (uint64_t i = 0; i < n; i++)
		if (fabs(factor * x[i].want + more - x[i].got) >
		    allowed_error(&x[i]) + fabs(factor) * x[i].off)
			return false;
	return true;
}

/* Counts the elements that are not as expected. */
static uint64_t changed_count(const struct applied_element *x, uint64_t n)
{
	uint64_t changed = 0;

	for (uint64_t i = 0; i < n; i++)
		changed += !(fabs(x[i].got - x[i].want) <= allowed_error(&x[i]));
	return changed;
}

static bool is_function(const struct applied_element *x, uint64_t n, double scale)
{
	const struct applied_element *last = &x[n - 1];
	double factor = (last->got - x->got) / (last->want - x->want);

	if (changed_count(x, n) < CHANGED_LEAST * (double)n ||
	    !turns_seldom(x, n))
		return false;
	return is_line(x, n, scale, 0) ||
	       !is_line(x, n, factor, x->got - factor * x->want);
}

bool is_applied_function(const double *want, const double *got, const double *off,
			 uint64_t n, double scale)
{
	struct applied_element *x;
	bool is = n >= ELEMENTS_LEAST;

	if (!is)
		return false;
	x = xcalloc(n, sizeof(*x));
	for (uint64_t i = 0; i < n; i++) {
		x[i] = (struct applied_element){ want[i], got[i], off[i] };
		is = is && isfinite(got[i]);
	}
	qsort(x, n, sizeof(*x), compare_want);
	is = is && x[n - 1].want > x->want && is_function(x, n, scale);
	free(x);
	return is;
}
