/*
 * blas_element: elements of the types that cuBLAS's products know, as doubles,
 * and what becomes of a product's before it is stored. Types are cuBLAS's
 * numbers.
 */
#ifndef EMU_BLAS_ELEMENT_H
#define EMU_BLAS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gemmviz_gemm.h>

/* Of an element; 0: a type that is not known. */
uint32_t blas_element_bytes(int type);
double blas_element_get(int type, const void *from, size_t n);
/* Rounds it once. */
void blas_element_put(int type, void *to, size_t n, double v);

/* Whether all that it asks for is known here. */
bool blas_epilogue_known(const struct gemmviz_epilogue *e);
bool blas_epilogue_has_bias(const struct gemmviz_epilogue *e);
bool blas_epilogue_has_aux(const struct gemmviz_epilogue *e);
/* What is stored for v; what has aux is read or written there. */
double blas_epilogue(const struct gemmviz_epilogue *e, size_t row,
		     size_t column, double v);

#endif
