/*
 * blas: computes what cuBLAS functions compute, in double precision, each
 * result rounded once to its type. The caller has checked that all memory is
 * accessible.
 */
#ifndef CUDART_LIBS_BLAS_H
#define CUDART_LIBS_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gemmviz_blas.h>

struct blas_number { double re, im; };

/* Returns the bytes of an element; 0: the type is none of float, double and
 * their complex types (cuBLAS's numbers). */
size_t blas_bytes(int type);
/* Returns the type of the parts of a complex type; a real type is returned as
 * it is. */
int blas_real(int type);
/* Read and write element n (from 0) of an array of this type. */
struct blas_number blas_get(int type, const void *from, size_t n);
void blas_put(int type, void *to, size_t n, struct blas_number v);

/* Computes one operation and stores its result. Returns the scalar result of
 * those that have one (dot, norm, sum, index); else 0. */
struct blas_number blas_do(const struct gemmviz_blas *b,
			   struct blas_number alpha, struct blas_number beta);

#endif
