/*
 * matrices: makes inputs and references, computes errors. See matrices.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/device/matrices.h"
#include "gpu/device/embedded.h"

/* Floating-point operations that the CPU does for a reference. */
#define CPU_MOST (2.0 * 512 * 512 * 512)
/* Elements in double of a slice of A or B: 512 MiB. */
#define SLICE_MOST (64u << 20)
#define THREADS 256
#define BLOCKS 1024
#define SUMS 3			/* a block's, in check.cu */
#define OUTPUT 2		/* of problem_gemm; before it are its inputs */

static const size_t real_bytes[REALS] = { 4, 2, 2 };

/* ---- the program's own kernels ---- */

enum check { CHECK_FILL, CHECK_ROUND, CHECK_WIDEN, CHECK_COMPARE, CHECKS };

static CUfunction checks[CHECKS];

static int checks_load(struct error *e)
{
	static const char *const names[CHECKS] = {
		"gemmviz_fill", "gemmviz_round", "gemmviz_widen",
		"gemmviz_compare",
	};
	CUmodule module;

	if (checks[0])
		return 0;
	if (CUDA_TRY(e, ModuleLoadDataEx, &module, embedded_check_fatbin, 0,
		     NULL, NULL) < 0)
		return -1;
	for (int i = CHECKS - 1; i >= 0; i--)
		if (CUDA_TRY(e, ModuleGetFunction, &checks[i], module,
			     names[i]) < 0)
			return -1;
	return 0;
}

static int check_run(enum check which, void **arguments, struct error *e)
{
	return CUDA_TRY(e, LaunchKernel, checks[which], BLOCKS, 1, 1, THREADS, 1,
			1, 0, NULL, arguments, NULL);
}

/* ---- inputs ---- */

static int fill_random(CUdeviceptr to, unsigned long long n,
		       unsigned long long seed, struct error *e)
{
	return check_run(CHECK_FILL, (void *[]) { &to, &n, &seed }, e);
}

static int round_to(CUdeviceptr to, CUdeviceptr from, int real,
		    unsigned long long n, struct error *e)
{
	return check_run(CHECK_ROUND, (void *[]) { &to, &from, &real, &n }, e);
}

static const struct problem_array *const arrays = problem_gemm.arrays;

static bool is_allocated(int array)
{
	return arrays[array].name && !arrays[array].optional;
}

static int matrix_rows(const struct matrices *x, int array)
{
	return problem_size(&x->size, arrays[array].rows);
}

static int matrix_columns(const struct matrices *x, int array)
{
	return problem_size(&x->size, arrays[array].columns);
}

static size_t matrix_elements(const struct matrices *x, int array)
{
	return (size_t)matrix_rows(x, array) * (size_t)matrix_columns(x, array);
}

static int real_alloc(struct matrices *x, enum real r, struct error *e)
{
	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		if (is_allocated(i) &&
		    CUDA_TRY(e, MemAlloc, &x->array[i][r],
			     matrix_elements(x, i) * real_bytes[r]) < 0)
			return -1;
	return 0;
}

static int no_memory(const struct matrices *x, struct error *e)
{
	size_t free_bytes = 0, all = 0;

	if (cuda_last() != CUDA_ERROR_OUT_OF_MEMORY)
		return -1;
	cuda.MemGetInfo(&free_bytes, &all);
	return error_set(e, EXIT_RUNNER, "%dx%dx%d does not fit in the GPU's "
			 "memory: %.1f of %.1f GB are free", x->size.m,
			 x->size.n, x->size.k, free_bytes / 1e9, all / 1e9);
}

/* Makes the inputs of a 16-bit type: the others, rounded. */
static int real_make(struct matrices *x, enum real r, struct error *e)
{
	if (real_alloc(x, r, e) < 0)
		return no_memory(x, e);
	for (int i = 0; i < OUTPUT; i++)
		if (round_to(x->array[i][r], x->array[i][REAL_F32], r,
			     matrix_elements(x, i), e) < 0)
			return -1;
	return 0;
}

int matrices_make(struct matrices *x, const struct problem_sizes *size,
		  unsigned wanted, uint64_t seed, struct error *e)
{
	*x = (struct matrices) { .size = *size };
	if (checks_load(e) < 0)
		return -1;
	if (real_alloc(x, REAL_F32, e) < 0 ||
	    CUDA_TRY(e, MemAlloc, &x->sums,
		     BLOCKS * SUMS * sizeof(double)) < 0)
		return no_memory(x, e);
	for (int i = 0; i < OUTPUT; i++)
		if (fill_random(x->array[i][REAL_F32], matrix_elements(x, i),
				seed * 2 + (uint64_t)i, e) < 0)
			return -1;
	for (enum real r = REAL_F32 + 1; r < REALS; r++)
		if (wanted & 1u << r && real_make(x, r, e) < 0)
			return -1;
	return CUDA_TRY(e, CtxSynchronize);
}

static void release_memory(CUdeviceptr *p)
{
	if (*p)
		cuda.MemFree(*p);
	*p = 0;
}

void matrices_done(struct matrices *x)
{
	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		for (int r = 0; r < REALS; r++)
			release_memory(&x->array[i][r]);
	release_memory(&x->sums);
	matrices_forget(x);
}

int matrices_fill(const struct matrices *x, enum real c, uint8_t byte,
		  struct error *e)
{
	return CUDA_TRY(e, MemsetD8, x->array[OUTPUT][c], byte,
			matrix_elements(x, OUTPUT) * real_bytes[c]);
}

/* ---- padding ---- */

/* One end of a copy: a matrix, and how many columns it has. */
struct matrix_place {
	CUdeviceptr at;
	int columns;
};

static int copy_matrix_part(struct matrix_place to, struct matrix_place from,
			    int rows, int columns, enum real r, struct error *e)
{
	size_t bytes = real_bytes[r];
	CUDA_MEMCPY2D c = {
		.srcMemoryType = CU_MEMORYTYPE_DEVICE,
		.srcDevice = from.at,
		.srcPitch = (size_t)from.columns * bytes,
		.dstMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstDevice = to.at,
		.dstPitch = (size_t)to.columns * bytes,
		.WidthInBytes = (size_t)columns * bytes,
		.Height = (size_t)rows,
	};

	return CUDA_TRY(e, Memcpy2D, &c);
}

/* Returns array i of x, of type r, as one end of a copy. */
static struct matrix_place copy_end(const struct matrices *x, int i,
				    enum real r)
{
	return (struct matrix_place){ x->array[i][r], matrix_columns(x, i) };
}

int matrices_pad(struct matrices *to, const struct matrices *x,
		 const struct problem_sizes *size, enum real in, enum real out,
		 struct error *e)
{
	*to = (struct matrices) { .size = *size };
	if (real_alloc(to, in, e) < 0 ||
	    (out != in && real_alloc(to, out, e) < 0))
		return no_memory(to, e);
	for (int i = 0; i < OUTPUT; i++)
		if (CUDA_TRY(e, MemsetD8, to->array[i][in], 0,
			     matrix_elements(to, i) * real_bytes[in]) < 0 ||
		    copy_matrix_part(copy_end(to, i, in), copy_end(x, i, in),
				     matrix_rows(x, i), matrix_columns(x, i),
				     in, e) < 0)
			return -1;
	return matrices_fill(to, out, 0xff, e);
}

int matrices_unpad(const struct matrices *x, const struct matrices *padded,
		   enum real c, struct error *e)
{
	return copy_matrix_part(copy_end(x, OUTPUT, c),
				copy_end(padded, OUTPUT, c), x->size.m,
				x->size.n, c, e);
}

/* ---- the reference ---- */

/* Rows and columns of a matrix, in double. */
struct slice {
	CUdeviceptr from;
	int real;
	unsigned long long rows, columns, pitch, first;
};

static int widen_slice(CUdeviceptr to, const struct slice *s, struct error *e)
{
	CUdeviceptr from = s->from;
	int real = s->real;
	unsigned long long n = s->rows * s->columns, columns = s->columns;
	unsigned long long pitch = s->pitch, first = s->first;

	return check_run(CHECK_WIDEN, (void *[]) { &to, &from, &real, &n,
					       &columns, &pitch, &first }, e);
}

/* Copies a whole matrix to the host as double; heap, NULL with e. */
static double *fetch_matrix(CUdeviceptr from, int real, size_t rows,
			    size_t columns, struct error *e)
{
	struct slice s = { from, real, rows, columns, columns, 0 };
	size_t bytes = rows * columns * sizeof(double);
	double *to = NULL;
	CUdeviceptr wide = 0;

	if (CUDA_TRY(e, MemAlloc, &wide, bytes) < 0)
		return NULL;
	if (widen_slice(wide, &s, e) == 0) {
		to = xmalloc(bytes);
		if (CUDA_TRY(e, MemcpyDtoH, to, wide, bytes) < 0) {
			free(to);
			to = NULL;
		}
	}
	release_memory(&wide);
	return to;
}

/* Computes the reference row by row, as the recorders do. */
static void refer_rows(const struct matrices *x, double *const in[OUTPUT],
		       double *to)
{
	struct problem_case c = { .size = x->size, .unit = 0x1p-53 };
	size_t columns = (size_t)matrix_columns(x, OUTPUT);
	double *off = xcalloc(columns, sizeof(*off));

	for (int i = 0; i < OUTPUT; i++)
		c.in[i] = in[i];
	for (size_t row = 0; row < (size_t)matrix_rows(x, OUTPUT); row++)
		problem_gemm.row(&c, row, to + row * columns, off);
	free(off);
}

static int refer_cpu(struct matrices *x, enum real inputs, struct error *e)
{
	double *in[OUTPUT] = { NULL }, *to = NULL;
	size_t bytes = matrix_elements(x, OUTPUT) * sizeof(*to);
	int rc = 0;

	for (int i = 0; i < OUTPUT && rc == 0; i++) {
		in[i] = fetch_matrix(x->array[i][inputs], (int)inputs,
				     (size_t)matrix_rows(x, i),
				     (size_t)matrix_columns(x, i), e);
		rc = in[i] ? 0 : -1;
	}
	if (rc == 0) {
		to = xmalloc(bytes);
		refer_rows(x, in, to);
		rc = CUDA_TRY(e, MemcpyHtoD, x->reference, to, bytes);
	}
	for (int i = 0; i < OUTPUT; i++)
		free(in[i]);
	free(to);
	return rc;
}

/* A part of the reference: h rows from r0, w columns from c0. */
struct reference_part {
	cublasHandle_t handle;
	CUdeviceptr a, b;
	size_t r0, h, c0, w;
};

static int refer_part(const struct matrices *x, enum real inputs,
		      const struct reference_part *p, struct error *e)
{
	size_t n = (size_t)x->size.n, k = (size_t)x->size.k;
	int real = (int)inputs;
	struct slice rows = { x->array[0][inputs], real, p->h, k, k, p->r0 * k };
	struct slice columns = { x->array[1][inputs], real, k, p->w, n, p->c0 };
	const double one = 1, zero = 0;
	double *to = (double *)(uintptr_t)x->reference + p->r0 * n + p->c0;

	if (widen_slice(p->a, &rows, e) < 0 ||
	    widen_slice(p->b, &columns, e) < 0)
		return -1;
	/* cuBLAS is column-major: it computes the transposed product. */
	if (BLAS_TRY(e, GemmEx, p->handle, CUBLAS_OP_N, CUBLAS_OP_N,
		     (int)p->w, (int)p->h, x->size.k, &one,
		     (const void *)(uintptr_t)p->b, CUDA_R_64F, (int)p->w,
		     (const void *)(uintptr_t)p->a, CUDA_R_64F, x->size.k, &zero,
		     to, CUDA_R_64F, x->size.n, CUBLAS_COMPUTE_64F,
		     CUBLAS_GEMM_DEFAULT) < 0)
		return -1;
	return CUDA_TRY(e, CtxSynchronize);
}

static int refer_parts(struct matrices *x, enum real inputs,
		       struct reference_part *p, void (*alive)(void),
		       struct error *e)
{
	size_t m = (size_t)x->size.m, n = (size_t)x->size.n;
	size_t most = SLICE_MOST / (size_t)x->size.k;
	size_t h = MIN(m, most), w = MIN(n, most);

	if (CUDA_TRY(e, MemAlloc, &p->a,
		     h * (size_t)x->size.k * sizeof(double)) < 0 ||
	    CUDA_TRY(e, MemAlloc, &p->b,
		     w * (size_t)x->size.k * sizeof(double)) < 0)
		return no_memory(x, e);
	for (p->r0 = 0; p->r0 < m; p->r0 += h)
		for (p->c0 = 0; p->c0 < n; p->c0 += w) {
			p->h = MIN(h, m - p->r0);
			p->w = MIN(w, n - p->c0);
			alive();
			if (refer_part(x, inputs, p, e) < 0)
				return -1;
		}
	return 0;
}

static int refer_blas(struct matrices *x, enum real inputs,
		      void (*alive)(void), struct error *e)
{
	struct reference_part p = { .handle = NULL };
	struct error why;
	int rc;

	if (blas_open(&why) < 0)
		return error_set(e, EXIT_RUNNER, "the answer cannot be "
				 "checked at this size: %s", why.text);
	if (BLAS_TRY(e, Create, &p.handle) < 0)
		return -1;
	rc = refer_parts(x, inputs, &p, alive, e);
	release_memory(&p.a);
	release_memory(&p.b);
	blas.Destroy(p.handle);
	return rc;
}

int matrices_refer(struct matrices *x, enum real inputs, void (*alive)(void),
		   struct error *e)
{
	bool small = problem_gemm.flops(x->size.m, x->size.n, x->size.k) <=
		     CPU_MOST;
	int rc;

	if (x->reference && x->reference_of == inputs)
		return 0;
	matrices_forget(x);
	if (CUDA_TRY(e, MemAlloc, &x->reference,
		     matrix_elements(x, OUTPUT) * sizeof(double)) < 0)
		return no_memory(x, e);
	x->reference_of = inputs;
	x->reference_by = small ? "float64" : "cublas-fp64";
	rc = small ? refer_cpu(x, inputs, e) : refer_blas(x, inputs, alive, e);
	if (rc < 0)
		matrices_forget(x);
	return rc;
}

void matrices_forget(struct matrices *x)
{
	release_memory(&x->reference);
}

/* ---- the error ---- */

int matrices_error(const struct matrices *x, enum real c, double *error,
		   double *nans, struct error *e)
{
	static double sums[BLOCKS][SUMS];
	CUdeviceptr to = x->sums, from = x->array[OUTPUT][c], reference = x->reference;
	int real = (int)c;
	unsigned long long n = matrix_elements(x, OUTPUT);
	double difference = 0, size = 0;

	if (check_run(CHECK_COMPARE, (void *[]) { &to, &from, &real, &reference,
					      &n }, e) < 0 ||
	    CUDA_TRY(e, MemcpyDtoH, sums, to, sizeof(sums)) < 0)
		return -1;
	*nans = 0;
	for (size_t i = 0; i < BLOCKS; i++) {
		difference += sums[i][0];
		size += sums[i][1];
		*nans += sums[i][2];
	}
	*error = sqrt(difference / size);
	return 0;
}

double matrices_bound(int k, enum precision p, enum real c)
{
	double bound = 4 * 0x1p-24 * sqrt(k);

	if (p == PRECISION_TF32)
		bound += 0x1p-9;
	if (p != PRECISION_FP32)
		bound += k * 0x1p-26;
	if (c == REAL_F16)
		bound += 0x1p-11;
	if (c == REAL_BF16)
		bound += 0x1p-8;
	return bound;
}
