/*
 * fft: see fft.h. Lengths with small prime factors use Stockham's algorithm,
 * one factor in each pass; others use a convolution whose length is a power of
 * two (Bluestein).
 */
#include "cudart/libs/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Primes beyond this are slower than the convolution. */
#define FACTOR_MOST 31
#define FACTORS_MOST 64

struct fft {
	size_t n;
	struct fft_number *root;	/* e^(sign 2 pi i k / n) */
	struct fft_number *work;	/* as many again */
	unsigned factor[FACTORS_MOST];
	size_t factor_count;
	/* For a length with large factors: the convolution's transforms, there
	 * and back; x is multiplied by chirp, and convolved with the numbers
	 * whose transform is `with`. */
	struct fft *there, *back;
	struct fft_number *chirp, *with;
};

static struct fft_number fft_mul(struct fft_number a, struct fft_number b)
{
	return (struct fft_number) { a.re * b.re - a.im * b.im,
				     a.re * b.im + a.im * b.re };
}

/* Computes e^(sign 2 pi i k / n), k < n. */
static struct fft_number compute_root(size_t k, size_t n, int sign)
{
	const double turn = 6.283185307179586476925286766559;
	double at = turn * (double)k / (double)n;

	return (struct fft_number) { cos(at), sign * sin(at) };
}

/* ---- transforms by factors ---- */

/* Factors the length; returns false if it has a prime beyond FACTOR_MOST. */
static bool factors_find(struct fft *f)
{
	size_t n = f->n;

	for (unsigned p = 2; p <= FACTOR_MOST; p++)
		for (; n % p == 0; n /= p)
			f->factor[f->factor_count++] = p;
	return n == 1;
}

/* Computes a butterfly of p inputs that are `apart` elements from each other,
 * and stores the outputs `stride` elements apart. Output j is multiplied by
 * root `turns` * j. */
static void run_butterfly(const struct fft *f, unsigned p, size_t apart,
			  size_t stride, size_t turns,
			  const struct fft_number *x, struct fft_number *y)
{
	size_t part = f->n / p;

	for (unsigned j = 0; j < p; j++) {
		struct fft_number sum = x[0];

		for (unsigned r = 1; r < p; r++) {
			struct fft_number v = fft_mul(
				x[r * apart], f->root[r * j % p * part]);

			sum.re += v.re;
			sum.im += v.im;
		}
		y[j * stride] = fft_mul(sum, f->root[turns * j % f->n]);
	}
}

static void transform_by_factors(const struct fft *f, struct fft_number *x)
{
	struct fft_number *from = x, *to = f->work, *keep;
	size_t stride = 1, left = f->n;

	for (size_t i = 0; i < f->factor_count; i++) {
		unsigned p = f->factor[i];

		left /= p;
		for (size_t q = 0; q < left; q++)
			for (size_t k = 0; k < stride; k++)
				run_butterfly(f, p, stride * left, stride,
					      q * stride, from + k + stride * q,
					      to + k + stride * p * q);
		stride *= p;
		keep = from;
		from = to;
		to = keep;
	}
	if (from != x)
		memcpy(x, from, f->n * sizeof(*x));
}

/* ---- transforms by convolution ---- */

/* Prepares Bluestein's convolution, by j k = (j^2 + k^2 - (k - j)^2) / 2. */
static void convolution_make(struct fft *f, int sign)
{
	size_t n = f->n, m = 1;

	while (m < 2 * n - 1)
		m *= 2;
	f->there = fft_new(m, 1);
	f->back = fft_new(m, -1);
	f->chirp = xcalloc(n, sizeof(*f->chirp));
	f->with = xcalloc(m, sizeof(*f->with));
	f->work = xcalloc(m, sizeof(*f->work));
	for (size_t k = 0; k < n; k++) {
		struct fft_number c =
			compute_root(k * k % (2 * n), 2 * n, sign);

		f->chirp[k] = c;
		c.im = -c.im;
		f->with[k] = f->with[(m - k) % m] = c;
	}
	fft_run(f->there, f->with);
}

static void transform_by_convolution(const struct fft *f, struct fft_number *x)
{
	size_t m = f->there->n;

	memset(f->work, 0, m * sizeof(*f->work));
	for (size_t k = 0; k < f->n; k++)
		f->work[k] = fft_mul(x[k], f->chirp[k]);
	fft_run(f->there, f->work);
	for (size_t k = 0; k < m; k++)
		f->work[k] = fft_mul(f->work[k], f->with[k]);
	fft_run(f->back, f->work);
	for (size_t k = 0; k < f->n; k++) {
		x[k] = fft_mul(f->work[k], f->chirp[k]);
		x[k].re /= (double)m;
		x[k].im /= (double)m;
	}
}

/* ---- both ---- */

struct fft *fft_new(size_t n, int sign)
{
	struct fft *f = xcalloc(1, sizeof(*f));

	f->n = n;
	if (!factors_find(f)) {
		convolution_make(f, sign);
		return f;
	}
	f->root = xcalloc(n, sizeof(*f->root));
	f->work = xcalloc(n, sizeof(*f->work));
	for (size_t k = 0; k < n; k++)
		f->root[k] = compute_root(k, n, sign);
	return f;
}

void fft_free(struct fft *f)
{
	if (!f)
		return;
	fft_free(f->there);
	fft_free(f->back);
	free(f->root);
	free(f->work);
	free(f->chirp);
	free(f->with);
	free(f);
}

void fft_run(const struct fft *f, struct fft_number *x)
{
	if (f->there)
		transform_by_convolution(f, x);
	else
		transform_by_factors(f, x);
}
