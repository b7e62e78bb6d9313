/*
 * benchmark_library: launches of cuBLAS and cublasLt, which kernels are
 * compared with. cuBLAS chooses its algorithm; of cublasLt those that its
 * heuristic ranks first are tried.
 */
#ifndef GPU_RACE_BENCHMARK_LIBRARY_H
#define GPU_RACE_BENCHMARK_LIBRARY_H

#include <cublas_v2.h>

#include "gpu/device/device.h"
#include "gpu/device/matrices.h"

/* So many of cublasLt's algorithms are asked for. */
#define LT_TRIED 32

/* cublasLt's product of one size. */
struct lt_product;

/* Returns cuBLAS's handle, made at the first call. */
int library_blas(cublasHandle_t *handle, struct error *e);
/* Starts cuBLAS's C = A B once; does not wait. */
int library_launch(const struct matrices *x, enum real type,
		   enum precision precision, struct error *e);

/* Asks cublasLt for its algorithms for the size, with as much workspace as
 * cuBLAS has on the GPU. NULL with e: EXIT_USAGE if it has none. */
struct lt_product *lt_product_make(const struct device *d,
				   const struct problem_sizes *size,
				   enum real type, enum precision precision,
				   struct error *e);
void lt_product_free(struct lt_product *p);
/* Returns the number of its algorithms, from 1 to LT_TRIED. */
size_t lt_product_count(const struct lt_product *p);
/* Starts C = A B once, with one of its algorithms; does not wait. */
int lt_product_launch(const struct lt_product *p, size_t which,
		      const struct matrices *x, struct error *e);

#endif
