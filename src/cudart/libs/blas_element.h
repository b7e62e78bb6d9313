/*
 * blas_element: reads and writes elements of the types that cuBLAS's products
 * accept, as doubles, and applies a product's epilogue. Types are cuBLAS's
 * numbers (cudaDataType_t).
 */
#ifndef CUDART_LIBS_BLAS_ELEMENT_H
#define CUDART_LIBS_BLAS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gemmviz_gemm.h>

/* Returns the bytes of an element; 0: an unknown type. */
uint32_t blas_element_bytes(int type);
double blas_element_get(int type, const void *from, size_t n);
/* Rounds v once to the type and stores it as element n. */
void blas_element_put(int type, void *to, size_t n, double v);

/* Returns whether this epilogue is supported. */
bool blas_epilogue_known(const struct gemmviz_epilogue *e);
bool blas_epilogue_has_bias(const struct gemmviz_epilogue *e);
bool blas_epilogue_has_aux(const struct gemmviz_epilogue *e);
/* Applies the epilogue to v, the product's element (row, column), and returns
 * what to store. Reads or writes the auxiliary matrix of an epilogue that has
 * one. */
double blas_epilogue(const struct gemmviz_epilogue *e, size_t row,
		     size_t column, double v);

#endif
