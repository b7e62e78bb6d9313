/*
 * runtime_blas: cuBLAS's products, for programs that compare with them. See
 * cuda/cublas_v2.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/cuda/gemmviz_gemm.h"
#include "emu/devices.h"
#include "emu/program_work.h"
#include "emu/runtime.h"
#include "record/contents.h"

enum { STATUS_GOOD = 0, STATUS_VALUE = 7, STATUS_UNSUPPORTED = 15 };

static const struct { int type; enum elem elem; uint32_t bytes; } types[] = {
	{ 0, ELEM_F32, 4 }, { 1, ELEM_F64, 8 }, { 2, ELEM_F16, 2 },
	{ 3, ELEM_I8, 1 }, { 10, ELEM_I32, 4 }, { 14, ELEM_BF16, 2 },
};

/* -1: a type that is not there. */
static int type_of(int number)
{
	for (size_t i = 0; i < LENGTH(types); i++)
		if (types[i].type == number)
			return (int)i;
	return -1;
}

static double element(int type, const void *from, size_t n)
{
	double v = 0;

	contents_value(types[type].elem, from, n, &v);
	return v;
}

/* op(A) by rows, as doubles. */
static double *rows_of(int type, const void *from, size_t rows, size_t columns,
		       size_t ld, bool transposed)
{
	double *to = xcalloc(rows * columns + 1, sizeof(*to));

	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < columns; c++)
			to[r * columns + c] = element(type, from, transposed ?
						      c + r * ld : r + c * ld);
	return to;
}

static void product(const struct gemmviz_gemm *g, const int *type,
		    const char *a, const char *b, char *c)
{
	size_t m = (size_t)g->m, n = (size_t)g->n, k = (size_t)g->k;
	double alpha = element(type[3], g->alpha, 0);
	double beta = element(type[3], g->beta, 0);
	double *x = rows_of(type[0], a, m, k, (size_t)g->lda,
			    g->transposed[0]);
	double *y = rows_of(type[1], b, k, n, (size_t)g->ldb,
			    g->transposed[1]);
	double *row = xcalloc(n + 1, sizeof(*row));

	for (size_t i = 0; i < m; i++) {
		memset(row, 0, n * sizeof(*row));
		for (size_t l = 0; l < k; l++)
			for (size_t j = 0; j < n; j++)
				row[j] += x[i * k + l] * y[l * n + j];
		for (size_t j = 0; j < n; j++) {
			size_t at = i + j * (size_t)g->ldc;
			double was = beta != 0 ? element(type[2], c, at) : 0;

			contents_set(types[type[2]].elem,
				     types[type[2]].bytes, c, at,
				     alpha * row[j] + beta * was);
		}
	}
	free(row);
	free(x);
	free(y);
}

/* The elements that a matrix of these columns takes. */
static uint64_t span(int rows, int columns, int ld)
{
	return (uint64_t)(columns - 1) * (uint64_t)ld + (uint64_t)rows;
}

static bool operands_there(const struct gemmviz_gemm *g, const int *type)
{
	int ca = g->transposed[0] ? g->m : g->k;
	int cb = g->transposed[1] ? g->k : g->n;

	return runtime_there(g->a, span(g->transposed[0] ? g->k : g->m, ca, g->lda) *
			   types[type[0]].bytes) &&
	       runtime_there(g->b, span(g->transposed[1] ? g->n : g->k, cb, g->ldb) *
			   types[type[1]].bytes) &&
	       runtime_there(g->c, span(g->m, g->n, g->ldc) * types[type[2]].bytes);
}

/* ---- where it is done ---- */

static struct cublas {
	uint32_t device;
	cudaStream_t stream;
} *handles[64];
static size_t handle_count;

void *gemmviz_cublas_new(void)
{
	struct cublas *h = xcalloc(1, sizeof(*h));

	h->device = devices.current;
	if (handle_count < LENGTH(handles))
		handles[handle_count++] = h;
	return h;
}

static struct cublas *handle_of(const void *handle)
{
	for (size_t i = 0; i < handle_count; i++)
		if (handles[i] == handle)
			return handles[i];
	return NULL;
}

void gemmviz_cublas_stream(const void *handle, void *stream)
{
	struct cublas *h = handle_of(handle);

	if (h)
		h->stream = stream;
}

/* A matrix that the handle's device may not use; false: there is none. */
static bool is_foreign(const struct gemmviz_gemm *g, uint32_t device,
		       struct place at)
{
	const void *of[] = { g->a, g->b, g->c };

	for (size_t i = 0; i < LENGTH(of); i++) {
		const struct allocation *a = device_at((uintptr_t)of[i]);
		struct program_fault f = { .kind = "other-device", .at = at,
					   .room = device };

		if (!a || !a->live || device_may_use(device, a))
			continue;
		f.bytes = a->device;
		f.other = a->made;
		snprintf(f.word, sizeof(f.word), "%s", g->name);
		program_name(a->made, f.name, sizeof(f.name));
		program_problem(f);
		program.sticky = cudaErrorIllegalAddress;
		return true;
	}
	return false;
}

static void work_note(const struct gemmviz_gemm *g, struct place at)
{
	const struct cublas *h = handle_of(g->handle);
	uint32_t was = devices.current;
	cudaStream_t s = h ? h->stream : NULL;

	if (h)
		devices.current = h->device;
	work_product(stream_begin(s), s, at, g->name, g->m, g->n, g->k,
		     g->count);
	devices.current = was;
}

int gemmviz_gemm_run(const struct gemmviz_gemm *g, const char *file, int line)
{
	const struct cublas *h = handle_of(g->handle);
	const int type[] = { type_of(g->a_type), type_of(g->b_type),
			     type_of(g->c_type), type_of(g->scale) };
	struct place at = program_place(file, line);

	graph_refuse(at, "cuBLAS in a stream that is captured into a graph");
	for (size_t i = 0; i < LENGTH(type); i++)
		if (type[i] < 0)
			program_unplayed(at, "cuBLAS of elements of this type");
	if (g->m <= 0 || g->n <= 0 || g->k <= 0)
		return g->m < 0 || g->n < 0 || g->k < 0 ? STATUS_VALUE :
							  STATUS_GOOD;
	if (g->ldc < g->m || !operands_there(g, type))
		return runtime_unchecked(g->name, at, STATUS_VALUE);
	if (is_foreign(g, h ? h->device : devices.current, at))
		return STATUS_GOOD;
	work_note(g, at);
	device_open();
	for (int i = 0; i < g->count; i++)
		product(g, type,
			(const char *)g->a + i * g->next_a *
				types[type[0]].bytes,
			(const char *)g->b + i * g->next_b *
				types[type[1]].bytes,
			(char *)g->c + i * g->next_c * types[type[2]].bytes);
	device_close();
	return STATUS_GOOD;
}

int gemmviz_vector(char what, int n, const void *alpha, const void *x,
		   int stride_x, void *y, int stride_y, int number,
		   const char *file, int line);
int gemmviz_vector(char what, int n, const void *alpha, const void *x,
		   int stride_x, void *y, int stride_y, int number,
		   const char *file, int line)
{
	int type = type_of(number);
	uint32_t bytes = types[type].bytes;
	double factor = element(type, alpha, 0);

	if (n <= 0)
		return STATUS_GOOD;
	if (stride_x < 1 || stride_y < 1 ||
	    !runtime_there(x, span(1, n, stride_x) * bytes) ||
	    !runtime_there(y, span(1, n, stride_y) * bytes))
		return runtime_unchecked(
			what == 'a' ? "cublas axpy" : "cublas scal",
			program_place(file, line), STATUS_VALUE);
	device_open();
	for (int i = 0; i < n; i++) {
		double v = factor * element(type, x, (size_t)(i * stride_x));

		if (what == 'a')
			v += element(type, y, (size_t)(i * stride_y));
		contents_set(types[type].elem, bytes, y,
			     (size_t)(i * stride_y), v);
	}
	device_close();
	return STATUS_GOOD;
}
