/*
 * snapshot_product: see snapshot_product.h.
 */
#include "gpu/race/snapshot_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/contents.h"

#define ARRAYS_MOST 16		/* that are tried with one another */
#define ELEMENTS_TRIED 5
/* What roundings explain of an element, beside the sum of its products'
 * magnitudes, and of all of C. */
#define NEAR 1e-3
#define NEAR_16 1e-2

static bool is_16_bits(enum elem t)
{
	return t == ELEM_F16 || t == ELEM_BF16;
}

static uint64_t array_elements(const struct snapshot_array *a)
{
	return a->bytes / elem_size(a->elem);
}

/* ---- what the arrays hold ---- */

struct array_contents {
	const struct snapshot_array *of;
	void *before, *after;	/* NULL: not read; after: of what changed */
};

static double contents_element(const struct array_contents *h,
			       const void *bytes, uint64_t i)
{
	double v;

	return contents_value(h->of->elem, bytes, i, &v) ? v : NAN;
}

static size_t held_read(struct array_contents *list, const struct snapshot *i,
			int fd)
{
	size_t n = 0;

	for (size_t k = 0; k < i->array_count && n < ARRAYS_MOST; k++) {
		const struct snapshot_array *a = &i->arrays[k];
		struct array_contents *h = &list[n];

		if (!elem_is_real(a->elem) || !a->bytes)
			continue;
		*h = (struct array_contents){ .of = a };
		h->before = snapshot_read(fd, a->before, a->bytes, NULL);
		if (a->changed)
			h->after = snapshot_fetch(a, NULL);
		n += h->before != NULL;
	}
	return n;
}

static void held_done(struct array_contents *list, size_t n)
{
	while (n-- > 0) {
		free(list[n].before);
		free(list[n].after);
	}
}

/* ---- sides ---- */

/* Finds m, n and k such that the arrays are matrices of m n, m k and k n
 * elements. A product with a side of one element is not one for this function
 * of cuBLAS. */
static bool sides_find(struct snapshot_product *p)
{
	double c = (double)array_elements(p->c),
	       a = (double)array_elements(p->a);
	double b = (double)array_elements(p->b), m = sqrt(c * a / b);
	double n = c / m, k = a / m;

	if (m < 2 || n < 2 || k < 2 || m > INT32_MAX || n > INT32_MAX ||
	    k > INT32_MAX)
		return false;
	p->m = (int)lround(m);
	p->n = (int)lround(n);
	p->k = (int)lround(k);
	return (double)p->m * p->n == c && (double)p->m * p->k == a &&
	       (double)p->k * p->n == b;
}

/* ---- elements ---- */

static uint64_t matrix_index(bool by_columns, uint64_t row, uint64_t column,
			     int rows, int columns)
{
	return by_columns ? column * (uint64_t)rows + row :
			    row * (uint64_t)columns + column;
}

/* Tests whether an element of C is the sum of its products; -1 when all
 * products are 0, which proves nothing. */
static int element_fits(const struct snapshot_product *p,
			const struct array_contents *a,
			const struct array_contents *b,
			const struct array_contents *c, uint64_t i, uint64_t j)
{
	double sum = 0, size = 0, found;
	double near = is_16_bits(p->c->elem) || is_16_bits(p->a->elem) ?
			      NEAR_16 :
			      NEAR;

	for (uint64_t x = 0; x < (uint64_t)p->k; x++) {
		double v = contents_element(a, a->before,
					    matrix_index(p->a_by_columns, i, x,
							 p->m, p->k)) *
			   contents_element(b, b->before,
					    matrix_index(p->b_by_columns, x, j,
							 p->k, p->n));

		sum += v;
		size += fabs(v);
	}
	found = contents_element(c, c->after, i * (uint64_t)p->n + j);
	if (size == 0 && found == 0)
		return -1;
	return fabs(found - sum) <= near * size;
}

static bool elements_fit(const struct snapshot_product *p,
			 const struct array_contents *a,
			 const struct array_contents *b,
			 const struct array_contents *c)
{
	int fit = 0;

	for (uint64_t n = 0; n < ELEMENTS_TRIED; n++) {
		int one = element_fits(p, a, b, c,
			random_at(1, 2 * n) % (uint64_t)p->m,
			random_at(1, 2 * n + 1) % (uint64_t)p->n);

		if (!one)
			return false;
		fit += one > 0;
	}
	return fit > 0;
}

/* ---- all of it ---- */

static cudaDataType cuda_type(const struct snapshot_array *a)
{
	return a->elem == ELEM_F64 ? CUDA_R_64F :
	       a->elem == ELEM_F16 ? CUDA_R_16F :
	       a->elem == ELEM_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

static void *host_pointer(CUdeviceptr p)
{
	return (void *)(uintptr_t)p;
}

/* Launches cuBLAS. It is column-major: its B A gives A B by rows. */
int snapshot_product_launch(const struct snapshot_product *p, struct error *e)
{
	const double one = 1, zero = 0;
	const float one32 = 1, zero32 = 0;
	bool wide = p->c->elem == ELEM_F64;

	return BLAS_TRY(e, GemmEx, p->blas,
			p->b_by_columns ? CUBLAS_OP_T : CUBLAS_OP_N,
			p->a_by_columns ? CUBLAS_OP_T : CUBLAS_OP_N, p->n, p->m,
			p->k, wide ? (const void *)&one : &one32,
			host_pointer(p->b->at), cuda_type(p->b),
			p->b_by_columns ? p->k : p->n, host_pointer(p->a->at),
			cuda_type(p->a), p->a_by_columns ? p->m : p->k,
			wide ? (const void *)&zero : &zero32,
			host_pointer(p->result), cuda_type(p->c), p->n,
			wide		       ? CUBLAS_COMPUTE_64F :
			p->a->elem == ELEM_F32 ? CUBLAS_COMPUTE_32F_PEDANTIC :
						 CUBLAS_COMPUTE_32F,
			CUBLAS_GEMM_DEFAULT);
}

/* Tests whether C agrees with cuBLAS's result, in the relative Frobenius
 * norm. */
static bool whole_fits(struct snapshot_product *p, const struct array_contents *c)
{
	struct snapshot_array theirs = *p->c;
	double apart = 0, size = 0;
	void *bytes;

	theirs.at = p->result;
	if (snapshot_product_launch(p, NULL) < 0)
		return false;
	bytes = snapshot_fetch(&theirs, NULL);
	for (uint64_t i = 0; bytes && i < array_elements(p->c); i++) {
		double want = contents_element(c, bytes, i);
		double d = contents_element(c, c->after, i) - want;

		apart += d * d;
		size += want * want;
	}
	free(bytes);
	p->error = bytes && size > 0 ? sqrt(apart / size) : NAN;
	return p->error <= (is_16_bits(p->a->elem) ? NEAR_16 : NEAR);
}

static bool types_fit(const struct snapshot_product *p)
{
	return p->a->elem == p->b->elem &&
	       (p->c->elem == p->a->elem ||
		(is_16_bits(p->a->elem) && p->c->elem == ELEM_F32));
}

static bool product_of(struct snapshot_product *p, const struct array_contents *a,
		       const struct array_contents *b,
		       const struct array_contents *c)
{
	p->a = a->of;
	p->b = b->of;
	p->c = c->of;
	if (!types_fit(p) || !sides_find(p))
		return false;
	for (int way = 0; way < 4; way++) {
		p->a_by_columns = way & 1;
		p->b_by_columns = way & 2;
		if (elements_fit(p, a, b, c))
			return true;
	}
	return false;
}

static bool product_search(struct snapshot_product *p,
			   const struct array_contents *list, size_t n,
			   const struct array_contents **c)
{
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; list[i].after && a < n; a++)
			for (size_t b = 0; b < n; b++) {
				if (a == i || b == i ||
				    !product_of(p, &list[a], &list[b],
						&list[i]))
					continue;
				*c = &list[i];
				return true;
			}
	return false;
}

bool snapshot_product_find(struct snapshot_product *p, const struct snapshot *i,
			int fd)
{
	struct array_contents list[ARRAYS_MOST];
	const struct array_contents *c;
	size_t n = held_read(list, i, fd);
	bool found;

	*p = (struct snapshot_product){ .error = NA };
	found = product_search(p, list, n, &c) && blas_open(NULL) == 0 &&
		BLAS_TRY(NULL, Create, &p->blas) == 0 &&
		CUDA_TRY(NULL, MemAlloc, &p->result, p->c->bytes) == 0 &&
		whole_fits(p, c);
	held_done(list, n);
	if (!found)
		snapshot_product_done(p);
	return found;
}

void snapshot_product_done(struct snapshot_product *p)
{
	if (p->result)
		cuda.MemFree(p->result);
	if (p->blas)
		blas.Destroy(p->blas);
	*p = (struct snapshot_product){ .error = NA };
}

const char *snapshot_product_baseline(const struct snapshot_product *p)
{
	return p->a->elem == ELEM_F64 ? "cublas-fp64" :
	       p->a->elem == ELEM_F16 ? "cublas-fp16" :
	       p->a->elem == ELEM_BF16 ? "cublas-bf16" : "cublas-fp32";
}
