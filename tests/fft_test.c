/* fft: every kind of length, held to the sums that define the transform. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "cudart/libs/fft.h"
#include "tap.h"

/* Numbers in -1..1, the same each time. */
static double number(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)*seed / 9223372036854775808.0;
}

/* The largest error, relative to the root of the sum of squares, which is what
 * the transform's own are; `every` is how many of the sums are left out. */
static double error_of(size_t n, int sign, size_t every)
{
	struct fft *f = fft_new(n, sign);
	struct fft_number *x = xcalloc(n, sizeof(*x)), *got;
	uint64_t seed = n;
	double squares = 0, worst = 0;

	for (size_t i = 0; i < n; i++) {
		x[i] = (struct fft_number) { number(&seed), number(&seed) };
		squares += x[i].re * x[i].re + x[i].im * x[i].im;
	}
	got = xcalloc(n, sizeof(*got));
	memcpy(got, x, n * sizeof(*got));
	fft_run(f, got);
	for (size_t k = 0; k < n; k += every) {
		double re = 0, im = 0;

		for (size_t j = 0; j < n; j++) {
			double at = 2 * 3.14159265358979323846 *
				    (double)(j * k % n) / (double)n;
			double c = cos(at), s = sign * sin(at);

			re += x[j].re * c - x[j].im * s;
			im += x[j].re * s + x[j].im * c;
		}
		worst = fmax(worst, hypot(got[k].re - re, got[k].im - im));
	}
	fft_free(f);
	free(x);
	free(got);
	return worst / sqrt(squares);
}

static void check(size_t n, size_t every)
{
	/* Of the sums, which lose more than the transform. */
	double most = 8 * DBL_EPSILON * sqrt((double)n);

	for (int sign = -1; sign <= 1; sign += 2) {
		double error = error_of(n, sign, every);

		tap_ok(error <= most, "%zu, sign %d: error %.2g, at most %.2g",
		       n, sign, error, most);
	}
}

int main(void)
{
	static const size_t large[] = { 1024, 1000, 1331, 2017, 30030, 32768,
					65537, 99991, 131072 };

	for (size_t n = 1; n <= 200; n++)
		check(n, 1);
	for (size_t i = 0; i < LENGTH(large); i++)
		check(large[i], large[i] / 20);
	return tap_done();
}
