/*
 * applied_function_test: activations at the end of a product are told from
 * mistakes.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "record/applied_function.h"
#include "tap.h"

#define N 4096

static double want[N], got[N], off[N];

/* Returns a number from -range to range, another for each i. */
static double spread(unsigned i, double range)
{
	return range * (2.0 * (i * 2654435761u % 65521) / 65520 - 1);
}

static double gelu(double x)
{
	return 0.5 * x * (1 + erf(x / sqrt(2)));
}

static double silu(double x)
{
	return x / (1 + exp(-x));
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double leaky(double x)
{
	return x > 0 ? x : 0.01 * x;
}

static double square(double x)
{
	return x * x;
}

static double clip(double x)
{
	return fmin(fmax(x, -3), 3);
}

static double same(double x)
{
	return x;
}

static double twice(double x)
{
	return 2 * x;
}

static double more(double x)
{
	return x + 1;
}

static double none(double x)
{
	return 0 * x;
}

/* Returns about the range of what a function makes of the products. */
static double function_range(double (*function)(double))
{
	return fmax(function(40), 1);
}

/* Fills in n products and what a function makes of them, as floats. */
static void fill(double (*function)(double), uint64_t n)
{
	for (unsigned i = 0; i < n; i++) {
		want[i] = spread(i, 40);
		off[i] = 1e-5;
		got[i] = (float)(function(want[i]) + spread(7 * i, 1e-6));
	}
}

static bool is(uint64_t n)
{
	return is_applied_function(want, got, off, n, 0.125);
}

static void test_functions(void)
{
	static const struct {
		const char *name;
		double (*function)(double);
	} all[] = {
		{ "gelu", gelu }, { "silu", silu }, { "sigmoid", sigmoid },
		{ "leaky", leaky }, { "square", square }, { "clip", clip },
		{ "tanh", tanh }, { "exp", exp }, { "abs", fabs },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		fill(all[i].function, N);
		tap_ok(is(N), "%s", all[i].name);
		got[N / 3] += function_range(all[i].function);
		tap_ok(!is(N), "%s with a wrong element", all[i].name);
	}
	fill(gelu, 63);
	tap_ok(!is(63), "63 elements do not tell");
}

static void test_mistakes(void)
{
	static const struct {
		const char *name;
		double (*function)(double);
	} all[] = {
		{ "the product", same }, { "twice the product", twice },
		{ "one more", more }, { "zeros", none },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		fill(all[i].function, N);
		tap_ok(!is(N), "no function: %s", all[i].name);
		got[5] = -7;
		tap_ok(!is(N), "no function: %s, but for one", all[i].name);
	}
	fill(same, N);
	for (int i = 64; i < 128; i++)
		got[i] += 1;
	tap_ok(!is(N), "a row with one more");
	fill(none, N);
	for (int i = 0; i < 64; i++)
		got[i] = want[i];
	tap_ok(!is(N), "a row alone");
	fill(same, N);
	for (unsigned i = 0; i < N; i++)
		got[i] += spread(11 * i, 4);
	tap_ok(!is(N), "a product too few in each sum");
	fill(same, N);
	for (unsigned i = 0; i < N; i++)
		got[i] += spread(11 * i, 0.02);
	tap_ok(!is(N), "sums of halves");
	fill(tanh, N);
	got[9] = NAN;
	tap_ok(!is(N), "no number");
}

int main(void)
{
	double scale = 0.125;

	test_functions();
	test_mistakes();
	fill(twice, N);
	for (int i = 0; i < N; i++)
		got[i] = scale * want[i];
	tap_ok(is(N), "the factor that is known");
	return tap_done();
}
