/*
 * gemmviz_gemm.h: a product as cublas_v2.h asks the recorder for it, in C and
 * in C++.
 */
#ifndef GEMMVIZ_GEMM_H
#define GEMMVIZ_GEMM_H

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of each element before it is stored, by cuBLASLt's number; 0:
 * nothing. `bias` has one for each row; `aux`, by columns, what goes into GELU,
 * which is stored there or read. */
struct gemmviz_epilogue {
	int what;
	const void *bias;
	void *aux;
	int bias_type, aux_type;
	long long aux_ld;
};

/* One product of `count`, next_a, next_b and next_c elements apart; alpha and
 * beta are in *alpha and *beta, of the type `scale`. Types are cuBLAS's
 * numbers; `name` is the call's, for findings; `handle` says where it is
 * done. What beta counts is `from`, as c lies, where that is not NULL. */
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
	const void *from;
	int from_ld;
	long long next_from;
	struct gemmviz_epilogue after;
};

/* A handle of the current device. What sets one thing of it, or gets it where
 * get is not NULL, returns a cublasStatus_t, as all here do. */
void *gemmviz_cublas_new(void);
int gemmviz_cublas_free(void *handle);
int gemmviz_cublas_stream(const void *handle, void *set, void **get);
int gemmviz_cublas_mode(const void *handle, int set, int *get);

int gemmviz_gemm_run(const struct gemmviz_gemm *g, const char *file, int line);
/* `count` products of the matrices to which these arrays of the device point. */
int gemmviz_gemm_batched(const struct gemmviz_gemm *g, const void *const *a,
			 const void *const *b, void *const *c, const char *file,
			 int line);

#ifdef __cplusplus
}
#endif

#endif
