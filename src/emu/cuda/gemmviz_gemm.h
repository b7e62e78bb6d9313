/*
 * gemmviz_gemm.h: a product as cublas_v2.h asks the recorder for it, in C and
 * in C++.
 */
#ifndef GEMMVIZ_GEMM_H
#define GEMMVIZ_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/* One product of `count`, next_a, next_b and next_c elements apart; alpha and
 * beta are in *alpha and *beta, of the type `scale`. Types are cuBLAS's
 * numbers; `name` is the call's, for findings; `handle` says where it is
 * done. */
struct gemmviz_gemm {
	int transposed[2], m, n, k, count;
	const void *alpha, *beta;
	const void *a, *b;
	void *c;
	int a_type, b_type, c_type, scale;
	int lda, ldb, ldc;
	long long next_a, next_b, next_c;
	const char *name;
	const void *handle;
};

/* A handle of the current device, and its stream. */
void *gemmviz_cublas_new(void);
void gemmviz_cublas_stream(const void *handle, void *stream);

/* Returns a cublasStatus_t. */
int gemmviz_gemm_run(const struct gemmviz_gemm *g, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
