/*
 * blas: what cuBLAS does, in double precision, each result rounded once to its
 * type. The memory is there and accessible.
 */
#ifndef EMU_BLAS_H
#define EMU_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gemmviz_blas.h>

struct blas_number { double re, im; };

/* Of a real or complex element of 32 or 64 bits a part, as cuBLAS numbers them;
 * 0: another type. */
size_t blas_bytes(int type);
/* The type of a complex element's parts. */
int blas_real(int type);
struct blas_number blas_get(int type, const void *from, size_t n);
void blas_put(int type, void *to, size_t n, struct blas_number v);

/* Does it; what it gives besides, which is of a type of its own. */
struct blas_number blas_do(const struct gemmviz_blas *b,
			   struct blas_number alpha, struct blas_number beta);

#endif
