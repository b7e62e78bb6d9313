/*
 * runtime_blas: cuBLAS's handles, and its products, for programs that compare
 * with them; its other functions are in blas.c. See cuda/cublas_v2.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/libs/blas.h"
#include "cudart/libs/blas_element.h"
#include "cudart/devices.h"
#include "cudart/program_judge.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"

enum { STATUS_GOOD, STATUS_HANDLE, STATUS_VALUE = 7, STATUS_EXEC = 13 };

/* Reads op(A) by rows, as doubles. The caller frees it. */
static double *read_operand(int type, const void *from, size_t rows,
			    size_t columns, size_t ld, bool transposed)
{
	double *to = xcalloc(rows * columns + 1, sizeof(*to));

	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < columns; c++)
			to[r * columns + c] = blas_element_get(type, from,
				transposed ? c + r * ld : r + c * ld);
	return to;
}

/* Computes one product of a call; a, b, c and from are its own. */
static void compute_product(const struct gemmviz_gemm *g, double alpha,
			    double beta)
{
	size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
	double *x = read_operand(g->a_type, g->a, m, k, (size_t)g->lda,
				 g->transposed[0]);
	double *y = read_operand(g->b_type, g->b, k, n, (size_t)g->ldb,
				 g->transposed[1]);
	double *row = xcalloc(n + 1, sizeof(*row));

	for (size_t i = 0; i < m; i++) {
		memset(row, 0, n * sizeof(*row));
		for (size_t l = 0; l < k; l++)
			for (size_t j = 0; j < n; j++)
				row[j] += x[i * k + l] * y[l * n + j];
		for (size_t j = 0; j < n; j++) {
			double was = beta == 0 ? 0 :
				blas_element_get(g->c_type, g->from,
						 i + j * (size_t)g->from_ld);

			blas_element_put(g->c_type, g->c,
					 i + j * (size_t)g->ldc,
					 blas_epilogue(&g->after, i, j,
						       alpha * row[j] +
						       beta * was));
		}
	}
	free(row);
	free(x);
	free(y);
}

/* Computes the products of a call, one after the other. */
static void compute_products(const struct gemmviz_gemm *g, double alpha,
			     double beta)
{
	uint32_t a = blas_element_bytes(g->a_type);
	uint32_t b = blas_element_bytes(g->b_type);
	uint32_t c = blas_element_bytes(g->c_type);

	for (int i = 0; i < g->count; i++) {
		struct gemmviz_gemm one = *g;

		one.a = (const char *)g->a + i * g->next_a * a;
		one.b = (const char *)g->b + i * g->next_b * b;
		one.c = (char *)g->c + i * g->next_c * c;
		one.from = g->from ? (const char *)g->from +
				     i * g->next_from * c : one.c;
		one.from_ld = g->from ? g->from_ld : g->ldc;
		compute_product(&one, alpha, beta);
	}
}

/* Returns how many elements a matrix of these columns spans. */
static uint64_t matrix_span(int rows, int columns, int ld)
{
	return (uint64_t)(columns - 1) * (uint64_t)ld + (uint64_t)rows;
}

static bool matrix_there(const void *p, int type, int rows, int columns, int ld)
{
	return runtime_there(p, matrix_span(rows, columns, ld) *
					blas_element_bytes(type));
}

static bool operands_there(const struct gemmviz_gemm *g)
{
	bool ta = g->transposed[0], tb = g->transposed[1];
	const struct gemmviz_epilogue *e = &g->after;

	return matrix_there(g->a, g->a_type, ta ? g->k : g->m,
			    ta ? g->m : g->k, g->lda) &&
	       matrix_there(g->b, g->b_type, tb ? g->n : g->k,
			    tb ? g->k : g->n, g->ldb) &&
	       matrix_there(g->c, g->c_type, g->m, g->n, g->ldc) &&
	       (!g->from || matrix_there(g->from, g->c_type, g->m, g->n,
					 g->from_ld)) &&
	       (!blas_epilogue_has_bias(e) ||
		matrix_there(e->bias, e->bias_type, g->m, 1, g->m)) &&
	       (!blas_epilogue_has_aux(e) ||
		matrix_there(e->aux, e->aux_type, g->m, g->n,
			     (int)e->aux_ld));
}

static void types_check(const struct gemmviz_gemm *g, struct place at)
{
	const struct gemmviz_epilogue *e = &g->after;

	if (!blas_element_bytes(g->a_type) || !blas_element_bytes(g->b_type) ||
	    !blas_element_bytes(g->c_type) || !blas_element_bytes(g->scale) ||
	    (blas_epilogue_has_bias(e) && !blas_element_bytes(e->bias_type)) ||
	    (blas_epilogue_has_aux(e) && !blas_element_bytes(e->aux_type)))
		program_unplayed(at, "this element type in cuBLAS");
	if (!blas_epilogue_known(e))
		program_unplayed(at, "this epilogue of cublasLtMatmul");
}

/* ---- where it is done ---- */

struct cublas {
	uint32_t device;
	cudaStream_t stream;
	int mode;		/* MODE_DEVICE: alpha, beta and results */
};
enum { MODE_HOST, MODE_DEVICE };
static struct cublas **handles;
static size_t handle_count, handle_capacity;

void *gemmviz_cublas_new(void)
{
	struct cublas *h = xcalloc(1, sizeof(*h));

	h->device = devices.current;
	grow(&handles, &handle_capacity, handle_count + 1, sizeof(*handles));
	handles[handle_count++] = h;
	return h;
}

/* Finds a handle; NULL: it is none, or was destroyed. */
static struct cublas *handle_of(const void *handle)
{
	for (size_t i = 0; i < handle_count; i++)
		if (handles[i] == handle)
			return handles[i];
	return NULL;
}

int gemmviz_cublas_free(void *handle)
{
	struct cublas *h = handle_of(handle);

	if (!h)
		return STATUS_HANDLE;
	for (size_t i = 0; i < handle_count; i++)
		if (handles[i] == h)
			handles[i] = handles[--handle_count];
	free(h);
	return STATUS_GOOD;
}

int gemmviz_cublas_stream(const void *handle, void *set, void **get)
{
	struct cublas *h = handle_of(handle);

	if (!h)
		return STATUS_HANDLE;
	if (get)
		*get = h->stream;
	else
		h->stream = set;
	return STATUS_GOOD;
}

int gemmviz_cublas_mode(const void *handle, int set, int *get)
{
	struct cublas *h = handle_of(handle);

	if (!h)
		return STATUS_HANDLE;
	if (get)
		*get = h->mode;
	else if (set != MODE_HOST && set != MODE_DEVICE)
		return STATUS_VALUE;
	else
		h->mode = set;
	return STATUS_GOOD;
}

/* Reports memory that the handle's device may not use; false: there is none. */
static bool uses_foreign(const void *const *of, size_t count, const char *name,
			 uint32_t device, struct place at)
{
	for (size_t i = 0; i < count; i++) {
		const struct allocation *a = device_at((uintptr_t)of[i]);

		if (!a || !a->live || device_may_use(device, a))
			continue;
		runtime_foreign(a, device, name, at);
		program.sticky = cudaErrorIllegalAddress;
		return true;
	}
	return false;
}

/* ---- calls that are captured into a graph ---- */

/* A call of either kind, and what the host's scalars were when it was
 * called. */
struct captured_blas {
	bool is_gemm;
	struct gemmviz_gemm gemm;
	struct gemmviz_blas blas;
	double alpha[2], beta[2];
	const char *file;
	int line;
};

static void captured_run(void *with)
{
	const struct captured_blas *c = with;

	if (c->is_gemm)
		gemmviz_gemm_run(&c->gemm, c->file, c->line);
	else
		gemmviz_blas_run(&c->blas, c->file, c->line);
}

static void capture_call(const struct cublas *h,
			 const struct captured_blas *call, size_t bytes)
{
	struct captured_blas *c = xcalloc(1, sizeof(*c));
	const void **alpha, **beta;

	*c = *call;
	alpha = c->is_gemm ? &c->gemm.alpha : &c->blas.alpha;
	beta = c->is_gemm ? &c->gemm.beta : &c->blas.beta;
	if (h->mode == MODE_HOST && *alpha)
		*alpha = memcpy(c->alpha, *alpha, bytes);
	if (h->mode == MODE_HOST && *beta)
		*beta = memcpy(c->beta, *beta, bytes);
	graph_capture_host(captured_run, c, h->stream);
}

/* ---- products ---- */

static void work_note(const struct cublas *h, struct place at,
		      const char *name, int m, int n, int k, int count)
{
	uint32_t was = devices.current;

	devices.current = h->device;
	work_product(stream_begin(h->stream), h->stream, at, name, m, n, k,
		     count);
	devices.current = was;
}

static bool leading_wrong(const struct gemmviz_gemm *g)
{
	return g->lda < (g->transposed[0] ? g->k : g->m) ||
	       g->ldb < (g->transposed[1] ? g->n : g->k) || g->ldc < g->m ||
	       (g->from && g->from_ld < g->m);
}

/* Checks that alpha and beta are where the handle's mode tells; NULL: there is
 * none. */
static bool scales_there(const struct cublas *h, const void *alpha,
			 const void *beta)
{
	return h->mode == MODE_HOST || ((!alpha || runtime_there(alpha, 1)) &&
					(!beta || runtime_there(beta, 1)));
}

int gemmviz_gemm_run(const struct gemmviz_gemm *g, const char *file, int line)
{
	const struct cublas *h = handle_of(g->handle);
	const void *of[] = { g->a, g->b, g->c, g->from, g->after.bias,
			     g->after.aux };
	struct place at = program_place(file, line);
	double scale[2];

	if (!h)
		return runtime_fails(g->name, at, STATUS_HANDLE);
	judge_library(g->name, at);
	types_check(g, at);
	if (graph_captures(h->stream)) {
		capture_call(h, &(struct captured_blas) {
				     .is_gemm = true, .gemm = *g, .file = file,
				     .line = line },
			     blas_element_bytes(g->scale));
		return STATUS_GOOD;
	}
	if (g->m <= 0 || g->n <= 0 || g->k <= 0)
		return g->m < 0 || g->n < 0 || g->k < 0 ? STATUS_VALUE :
							  STATUS_GOOD;
	if (leading_wrong(g) || !operands_there(g))
		return runtime_fails(g->name, at, STATUS_VALUE);
	if (uses_foreign(of, LENGTH(of), g->name, h->device, at))
		return STATUS_GOOD;
	if (!scales_there(h, g->alpha, g->beta))
		return runtime_fails(g->name, at, STATUS_EXEC);
	work_note(h, at, g->name, g->m, g->n, g->k, g->count);
	if (h->mode == MODE_DEVICE) {
		device_open_all();
	} else {
		runtime_host_uses(g->alpha, false, at);
		runtime_host_uses(g->beta, false, at);
	}
	scale[0] = blas_element_get(g->scale, g->alpha, 0);
	scale[1] = blas_element_get(g->scale, g->beta, 0);
	device_open_all();
	compute_products(g, scale[0], scale[1]);
	device_close();
	return STATUS_GOOD;
}

int gemmviz_gemm_batched(const struct gemmviz_gemm *g, const void *const *a,
			 const void *const *b, void *const *c, const char *file,
			 int line)
{
	struct place at = program_place(file, line);
	const struct cublas *h = handle_of(g->handle);
	uint64_t bytes = (uint64_t)MAX(g->count, 0) * sizeof(*a);
	const struct runtime_use uses[] = { { a, bytes, false },
					    { b, bytes, false },
					    { c, bytes, false } };
	int status = !h ? STATUS_HANDLE : g->count < 0 ? STATUS_VALUE :
							 STATUS_GOOD;

	if (status)
		return runtime_fails(g->name, at, status);
	if (g->count && !runtime_uses(h->stream, uses, LENGTH(uses), g->name,
				      at))
		return STATUS_EXEC;
	for (int i = 0; i < g->count && status == STATUS_GOOD; i++) {
		struct gemmviz_gemm one = *g;

		one.count = 1;
		device_open_all();
		one.a = a[i];
		one.b = b[i];
		one.c = c[i];
		device_close();
		status = gemmviz_gemm_run(&one, file, line);
	}
	return status;
}

/* ---- blas.c ---- */

static bool is_matrices(const struct gemmviz_blas *b)
{
	return b->what >= GEMMVIZ_GEAM;
}

static bool is_triangle(const struct gemmviz_blas *b)
{
	return b->what >= GEMMVIZ_SYMV && b->what <= GEMMVIZ_TRSV;
}

/* Returns whether a call has no elements, or a stride for which BLAS does
 * nothing. */
static bool is_empty(const struct gemmviz_blas *b)
{
	bool one_way = b->what == GEMMVIZ_SCAL ||
		       (b->what >= GEMMVIZ_NRM2 && b->what <= GEMMVIZ_AMIN);

	return b->n <= 0 || (b->what >= GEMMVIZ_GEMV && b->m <= 0) ||
	       (one_way && b->stride_x <= 0);
}

/* Returns whether these arguments are CUBLAS_STATUS_INVALID_VALUE by the
 * function's documentation. */
static bool arguments_wrong(const struct gemmviz_blas *b)
{
	bool plain = !b->op;
	int rows = b->what == GEMMVIZ_GEMM ? (plain ? b->m : b->k) :
		   b->what == GEMMVIZ_TRSM ? (b->side ? b->n : b->m) :
		   b->what == GEMMVIZ_GEAM ? (plain ? b->m : b->n) : b->m;
	int rows_x = b->what == GEMMVIZ_GEMM ? (b->op_x ? b->n : b->k) :
		     b->what == GEMMVIZ_GEAM ? (b->op_x ? b->n : b->m) : b->m;

	if (b->what < GEMMVIZ_GEMV)
		return false;
	if (b->m < 0 || b->n < 0 || b->k < 0 || b->op < 0 || b->op > 2 ||
	    b->op_x < 0 || b->op_x > 2 || b->lda < MAX(1, rows))
		return true;
	if (!is_matrices(b))
		return !b->stride_x || (b->y && !b->stride_y);
	return (b->what != GEMMVIZ_DGMM && b->stride_x < MAX(1, rows_x)) ||
	       (b->what != GEMMVIZ_TRSM && b->stride_y < MAX(1, b->m));
}

static uint64_t vector_span(int n, int stride)
{
	return (uint64_t)(n - 1) * (uint64_t)abs(stride) + 1;
}

/* Returns how many elements x and y span. */
static uint64_t vector_x(const struct gemmviz_blas *b)
{
	bool plain = !b->op || is_triangle(b);

	switch (b->what) {
	case GEMMVIZ_GEMV:
		return vector_span(plain ? b->n : b->m, b->stride_x);
	case GEMMVIZ_GER: case GEMMVIZ_GERC:
		return vector_span(b->m, b->stride_x);
	case GEMMVIZ_DGMM:
		return vector_span(b->side ? b->n : b->m, b->stride_x);
	case GEMMVIZ_TRSM:
		return matrix_span(b->m, b->n, b->stride_x);
	case GEMMVIZ_GEAM:
		return matrix_span(b->op_x ? b->n : b->m, b->op_x ? b->m : b->n,
				   b->stride_x);
	case GEMMVIZ_GEMM:
		return matrix_span(b->op_x ? b->n : b->k, b->op_x ? b->k : b->n,
				   b->stride_x);
	default:
		return vector_span(b->n, b->stride_x);
	}
}

static uint64_t vector_y(const struct gemmviz_blas *b)
{
	if (is_matrices(b))
		return matrix_span(b->m, b->n, b->stride_y);
	return vector_span(b->what == GEMMVIZ_GEMV && !b->op ? b->m : b->n,
			   b->stride_y);
}

static uint64_t matrix_a(const struct gemmviz_blas *b)
{
	int n = b->what == GEMMVIZ_TRSM && !b->side ? b->m : b->n;

	if (b->what == GEMMVIZ_TRSM)
		return matrix_span(n, n, b->lda);
	if (b->what == GEMMVIZ_GEMM)
		return matrix_span(b->op ? b->k : b->m, b->op ? b->m : b->k,
				   b->lda);
	if (b->what == GEMMVIZ_GEAM && b->op)
		return matrix_span(b->n, b->m, b->lda);
	return matrix_span(b->m, b->n, b->lda);
}

static bool has_result(const struct gemmviz_blas *b)
{
	return b->what >= GEMMVIZ_DOT && b->what <= GEMMVIZ_AMIN;
}

static uint64_t result_bytes(const struct gemmviz_blas *b)
{
	return b->what >= GEMMVIZ_AMAX ? sizeof(int) :
	       b->what >= GEMMVIZ_NRM2 ? blas_bytes(blas_real(b->type)) :
					 blas_bytes(b->type);
}

enum { USES_MOST = 4 };

/* Lists the memory of the device that a call uses; returns how many pieces. */
static size_t uses_of(const struct gemmviz_blas *b, bool device,
		      struct blas_number alpha, struct blas_number beta,
		      struct runtime_use uses[USES_MOST])
{
	size_t bytes = blas_bytes(b->type), n = 0;
	bool geam = b->what == GEMMVIZ_GEAM, gives = has_result(b);
	bool x_set = b->what == GEMMVIZ_SCAL || b->what == GEMMVIZ_SWAP ||
		     b->what == GEMMVIZ_ROT || b->what == GEMMVIZ_TRMV ||
		     b->what == GEMMVIZ_TRSV || b->what == GEMMVIZ_TRSM;
	bool y_set = b->what != GEMMVIZ_DOT && b->what != GEMMVIZ_DOTC &&
		     b->what != GEMMVIZ_GER && b->what != GEMMVIZ_GERC;

	/* geam reads no matrix that counts 0 times. */
	if (b->what >= GEMMVIZ_GEMV && !(geam && alpha.re == 0 && alpha.im == 0))
		uses[n++] = (struct runtime_use) { b->a, matrix_a(b) * bytes,
			b->what == GEMMVIZ_GER || b->what == GEMMVIZ_GERC };
	if (!(geam && beta.re == 0 && beta.im == 0))
		uses[n++] = (struct runtime_use) { b->x, vector_x(b) * bytes,
						   x_set };
	if (b->stride_y || b->y)
		uses[n++] = (struct runtime_use) { b->y, vector_y(b) * bytes,
						   y_set };
	if (device && gives)
		uses[n++] = (struct runtime_use) { b->result, result_bytes(b),
						   true };
	return n;
}

/* Reads alpha or beta; NULL: 0. */
static struct blas_number read_scale(const struct gemmviz_blas *b,
				     const void *p)
{
	return p ? blas_get(b->scale, p, 0) : (struct blas_number) { 0, 0 };
}

static void result_put(const struct gemmviz_blas *b, struct blas_number v)
{
	int place;

	if (b->what >= GEMMVIZ_AMAX) {
		place = (int)v.re;
		memcpy(b->result, &place, sizeof(place));
		return;
	}
	blas_put(b->what >= GEMMVIZ_NRM2 ? blas_real(b->type) : b->type,
		 b->result, 0, v);
}

/* Performs a call on the device, once all is known to be right. */
static int blas_on(const struct gemmviz_blas *b, const struct cublas *h,
		   struct place at)
{
	bool device = h->mode == MODE_DEVICE;
	struct blas_number alpha, beta, v = { 0, 0 };
	struct runtime_use uses[USES_MOST];
	const void *of[USES_MOST] = { NULL };
	size_t count;

	if (!scales_there(h, b->alpha, b->beta))
		return runtime_fails(b->name, at, STATUS_EXEC);
	if (device) {
		device_open_all();
	} else {
		runtime_host_uses(b->alpha, false, at);
		runtime_host_uses(b->beta, false, at);
		runtime_host_uses(b->result, true, at);
	}
	alpha = read_scale(b, b->alpha);
	beta = read_scale(b, b->beta);
	device_close();
	count = is_empty(b) ? 0 : uses_of(b, device, alpha, beta, uses);
	for (size_t i = 0; i < count; i++)
		of[i] = uses[i].p;
	if (uses_foreign(of, count, b->name, h->device, at))
		return STATUS_GOOD;
	if (count && !runtime_uses(h->stream, uses, count, b->name, at))
		return STATUS_EXEC;
	device_open_all();
	if (count)
		v = blas_do(b, alpha, beta);
	if (device && has_result(b))
		result_put(b, v);
	device_close();
	if (!device && has_result(b))
		result_put(b, v);
	return STATUS_GOOD;
}

int gemmviz_blas_run(const struct gemmviz_blas *b, const char *file, int line)
{
	struct place at = program_place(file, line);
	const struct cublas *h = handle_of(b->handle);
	uint32_t was = devices.current;
	int status;

	if (!h)
		return runtime_fails(b->name, at, STATUS_HANDLE);
	if (arguments_wrong(b))
		return runtime_fails(b->name, at, STATUS_VALUE);
	if (graph_captures(h->stream)) {
		if (has_result(b) && h->mode == MODE_HOST)
			graph_refuse(at, "cuBLAS results on the host in a "
				     "captured stream");
		capture_call(h,
			     &(struct captured_blas){
				     .blas = *b, .file = file, .line = line },
			     blas_bytes(b->scale));
		return STATUS_GOOD;
	}
	if (b->what == GEMMVIZ_GEMM && !is_empty(b))
		work_note(h, at, b->name, b->m, b->n, b->k, 1);
	devices.current = h->device;
	status = blas_on(b, h, at);
	devices.current = was;
	/* The host has the result when the call returns. */
	if (has_result(b) && h->mode == MODE_HOST)
		stream_finish(h->stream);
	return status;
}
