/*
 * fft: computes the discrete Fourier transform of any length in doubles: X[k]
 * is the sum over j of x[j] e^(sign 2 pi i j k / n), without a scale factor.
 */
#ifndef CUDART_LIBS_FFT_H
#define CUDART_LIBS_FFT_H

#include "base/base.h"

struct fft_number { double re, im; };

/* Prepares transforms of n numbers with this sign in the exponent (1 or -1). */
struct fft *fft_new(size_t n, int sign);
void fft_free(struct fft *f);
/* Transforms n numbers in place. */
void fft_run(const struct fft *f, struct fft_number *x);

#endif
