/*
 * runtime_fft: cuFFT's plans and transforms. See cuda/cufft.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda-headers/gemmviz_fft.h"
#include "cudart/libs/fft.h"
#include "cudart/runtime.h"

enum { STATUS_GOOD, STATUS_PLAN, STATUS_TYPE = 3, STATUS_VALUE, STATUS_EXEC = 6,
       STATUS_SIZE = 8 };

enum { RANK_MOST = 3 };

/* cufftXtCallbackType: loads, then stores, of these kinds of elements. */
enum { CALL_COMPLEX, CALL_COMPLEX_DOUBLE, CALL_REAL, CALL_REAL_DOUBLE,
       CALLBACK_STORES, CALLBACK_KINDS = 2 * CALLBACK_STORES };

/* A function of the program's that loads or stores an element. */
struct fft_callback {
	void *function, *with;
};

/* How one side of a transform lies in memory. */
struct fft_layout {
	long long embed[RANK_MOST], stride, dist;
	long long count[RANK_MOST];	/* elements of a transform */
	bool doubles, complex;
	void *at;
	struct fft_callback call;
};

static struct fft_plan {
	bool there, made;
	struct gemmviz_fft how;
	cudaStream_t stream;
	struct fft_callback calls[CALLBACK_KINDS];
} *plans;
static size_t plan_count, plan_capacity;

static const struct type { int type; bool doubles, complex_in, complex_out; }
types[] = {
	{ 0x29, false, true, true },	/* C2C */
	{ 0x2a, false, false, true },	/* R2C */
	{ 0x2c, false, true, false },	/* C2R */
	{ 0x69, true, true, true },	/* Z2Z */
	{ 0x6a, true, false, true },	/* D2Z */
	{ 0x6c, true, true, false },	/* Z2D */
};

static const struct type *find_fft_type(int number)
{
	for (size_t i = 0; i < LENGTH(types); i++)
		if (types[i].type == number)
			return &types[i];
	return NULL;
}

/* ---- plans ---- */

static struct fft_plan *plan_at(int number)
{
	struct fft_plan *p = number > 0 && (size_t)number <= plan_count ?
			 &plans[number - 1] : NULL;

	return p && p->there ? p : NULL;
}

int gemmviz_fft_create(int *plan);
int gemmviz_fft_create(int *plan)
{
	grow(&plans, &plan_capacity, plan_count + 1, sizeof(*plans));
	plans[plan_count] = (struct fft_plan) { .there = true };
	*plan = (int)++plan_count;
	return STATUS_GOOD;
}

static int plan_check(const struct gemmviz_fft *how)
{
	if (!find_fft_type(how->type))
		return STATUS_TYPE;
	if (how->rank < 1 || how->rank > RANK_MOST)
		return STATUS_VALUE;
	for (int i = 0; i < RANK_MOST; i++)
		if (how->n[i] < 1)
			return STATUS_SIZE;
	return how->batch < 1 ? STATUS_SIZE : STATUS_GOOD;
}

static size_t count_elements(const long long n[RANK_MOST])
{
	return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

int gemmviz_fft_make(int plan, const struct gemmviz_fft *how, size_t *bytes);
int gemmviz_fft_make(int plan, const struct gemmviz_fft *how, size_t *bytes)
{
	struct fft_plan *p = plan_at(plan);
	int status = p ? plan_check(how) : STATUS_PLAN;

	if (status)
		return status;
	p->how = *how;
	p->made = true;
	*bytes = count_elements(how->n) *
		 (find_fft_type(how->type)->doubles ? 16 : 8) *
		 (size_t)how->batch;
	return STATUS_GOOD;
}

int gemmviz_fft_size(int plan, size_t *bytes);
int gemmviz_fft_size(int plan, size_t *bytes)
{
	struct fft_plan *p = plan_at(plan);

	return p && p->made ? gemmviz_fft_make(plan, &p->how, bytes) :
	       STATUS_PLAN;
}

int gemmviz_fft_stream(int plan, cudaStream_t s);
int gemmviz_fft_stream(int plan, cudaStream_t s)
{
	struct fft_plan *p = plan_at(plan);

	if (!p)
		return STATUS_PLAN;
	p->stream = s;
	return STATUS_GOOD;
}

int gemmviz_fft_callback(int plan, int type, void *function, void *with);
int gemmviz_fft_callback(int plan, int type, void *function, void *with)
{
	struct fft_plan *p = plan_at(plan);

	if (!p)
		return STATUS_PLAN;
	if (type < 0 || type >= CALLBACK_KINDS)
		return STATUS_TYPE;
	p->calls[type] = (struct fft_callback){ function, with };
	return STATUS_GOOD;
}

int cufftDestroy(int plan);
int cufftDestroy(int plan)
{
	struct fft_plan *p = plan_at(plan);

	if (!p)
		return STATUS_PLAN;
	p->there = false;
	return STATUS_GOOD;
}

/* ---- how elements lie ---- */

/* Returns how one side lies in memory. The complex side of a real transform has
 * half the last dimension; its real side has room for that where both sides are
 * in one place. */
static struct fft_layout layout_of(const struct gemmviz_fft *how,
				   const struct gemmviz_fft_side *side,
				   bool complex, bool real_transform,
				   bool in_place, void *at)
{
	struct fft_layout l = { .doubles = find_fft_type(how->type)->doubles,
				.complex = complex,
				.at = at };
	long long half = how->n[2] / 2 + 1;

	memcpy(l.count, how->n, sizeof(l.count));
	if (complex && real_transform)
		l.count[2] = half;
	memcpy(l.embed, side->embed, sizeof(l.embed));
	l.stride = side->stride;
	l.dist = side->dist;
	if (side->given)
		return l;
	memcpy(l.embed, l.count, sizeof(l.embed));
	if (!complex && in_place)
		l.embed[2] = 2 * half;
	l.stride = 1;
	l.dist = (long long)count_elements(l.embed);
	return l;
}

static size_t number_bytes(const struct fft_layout *l)
{
	return (l->doubles ? 8u : 4u) * (l->complex ? 2u : 1u);
}

static long long number_index(const struct fft_layout *l, long long b,
			      long long i, long long j, long long k)
{
	return b * l->dist +
	       ((i * l->embed[1] + j) * l->embed[2] + k) * l->stride;
}

/* Returns the bytes that one side spans; how much the program's own function
 * uses is not known. */
static uint64_t side_span(const struct fft_layout *l, long long batch)
{
	if (l->call.function)
		return 1;
	return (uint64_t)(number_index(l, batch - 1, l->count[0] - 1,
				       l->count[1] - 1, l->count[2] - 1) +
			  1) *
	       number_bytes(l);
}

/* Complex numbers as C++ has them in registers. */
struct single { float re, im; };

#define LOAD(T) ((T (*)(void *, size_t, void *, void *))l->call.function)( \
	l->at, at, l->call.with, NULL)
#define STORE(T, v) \
	((void (*)(void *, size_t, T, void *, void *))l->call.function)( \
		l->at, at, v, l->call.with, NULL)

/* Reads a number by the program's function. */
static struct fft_number get_called(const struct fft_layout *l, size_t at)
{
	struct single s;

	if (l->doubles)
		return l->complex ? LOAD(struct fft_number) :
				    (struct fft_number) { LOAD(double), 0 };
	if (!l->complex)
		return (struct fft_number) { LOAD(float), 0 };
	s = LOAD(struct single);
	return (struct fft_number) { s.re, s.im };
}

static void put_called(const struct fft_layout *l, size_t at,
		       struct fft_number v)
{
	struct single s = { (float)v.re, (float)v.im };

	if (l->doubles && l->complex)
		STORE(struct fft_number, v);
	else if (l->doubles)
		STORE(double, v.re);
	else if (l->complex)
		STORE(struct single, s);
	else
		STORE(float, s.re);
}

static struct fft_number read_number(const struct fft_layout *l, long long at)
{
	const char *p = (const char *)l->at + (size_t)at * number_bytes(l);
	struct fft_number v = { 0, 0 };
	float f[2] = { 0, 0 };

	if (l->call.function)
		return get_called(l, (size_t)at);
	if (l->doubles) {
		memcpy(&v, p, number_bytes(l));
		return v;
	}
	memcpy(f, p, number_bytes(l));
	return (struct fft_number) { f[0], f[1] };
}

static void write_number(const struct fft_layout *l, long long at,
			 struct fft_number v)
{
	char *p = (char *)l->at + (size_t)at * number_bytes(l);
	float f[2] = { (float)v.re, (float)v.im };

	if (l->call.function)
		put_called(l, (size_t)at, v);
	else if (l->doubles)
		memcpy(p, &v, number_bytes(l));
	else
		memcpy(p, f, number_bytes(l));
}

/* ---- a transform ---- */

/* Reads a number of a transform. The other half of a real transform's numbers
 * are these, conjugated. */
static struct fft_number get_any(const struct fft_layout *l, const long long *n,
				 long long b, long long i, long long j,
				 long long k)
{
	struct fft_number v;

	if (k < l->count[2])
		return read_number(l, number_index(l, b, i, j, k));
	v = read_number(l, number_index(l, b, (n[0] - i) % n[0],
					(n[1] - j) % n[1], n[2] - k));
	v.im = -v.im;
	return v;
}

static void read_transform(const struct fft_layout *l, const long long *n,
			   long long b, struct fft_number *x)
{
	for (long long i = 0; i < n[0]; i++)
		for (long long j = 0; j < n[1]; j++)
			for (long long k = 0; k < n[2]; k++)
				*x++ = get_any(l, n, b, i, j, k);
}

static void write_transform(const struct fft_layout *l, const long long *n,
			    long long b, const struct fft_number *x)
{
	for (long long i = 0; i < n[0]; i++)
		for (long long j = 0; j < n[1]; j++, x += n[2])
			for (long long k = 0; k < l->count[2]; k++)
				write_number(l, number_index(l, b, i, j, k),
					     x[k]);
}

/* Performs the transforms of all lines along an axis, whose elements are
 * `apart` numbers from each other. */
static void transform_lines(const struct fft *f, size_t n, size_t apart,
			    size_t all, struct fft_number *x,
			    struct fft_number *line)
{
	for (size_t from = 0; from < all; from++) {
		if (from / apart % n)
			continue;
		for (size_t i = 0; i < n; i++)
			line[i] = x[from + i * apart];
		fft_run(f, line);
		for (size_t i = 0; i < n; i++)
			x[from + i * apart] = line[i];
	}
}

static void run_transforms(const struct gemmviz_fft *how,
			   const struct fft_layout *in,
			   const struct fft_layout *out, int sign)
{
	size_t all = count_elements(how->n);
	struct fft_number *x = xcalloc(all, sizeof(*x));
	struct fft_number *line = xcalloc(all, sizeof(*line));
	struct fft *f[RANK_MOST];

	for (int d = 0; d < RANK_MOST; d++)
		f[d] = fft_new((size_t)how->n[d], sign);
	for (long long b = 0; b < how->batch; b++) {
		size_t apart = 1;

		read_transform(in, how->n, b, x);
		for (int d = RANK_MOST - 1; d >= 0; d--) {
			if (how->n[d] > 1)
				transform_lines(f[d], (size_t)how->n[d], apart,
						all, x, line);
			apart *= (size_t)how->n[d];
		}
		write_transform(out, how->n, b, x);
	}
	for (int d = 0; d < RANK_MOST; d++)
		fft_free(f[d]);
	free(line);
	free(x);
}

static int callback_kind(const struct fft_layout *l)
{
	return l->complex ? l->doubles ? CALL_COMPLEX_DOUBLE : CALL_COMPLEX :
	       l->doubles ? CALL_REAL_DOUBLE : CALL_REAL;
}

int gemmviz_fft_run(int plan, int type, void *in, void *out, int direction,
		    const char *name, const char *file, int line);
int gemmviz_fft_run(int plan, int type, void *in, void *out, int direction,
		    const char *name, const char *file, int line)
{
	const struct fft_plan *p = plan_at(plan);
	const struct type *t = find_fft_type(type);
	struct place at = program_place(file, line);
	struct fft_layout from, to;
	struct runtime_use uses[2];

	if (p && !type) {
		type = p->how.type;
		t = find_fft_type(type);
	}
	if (!p || !p->made || p->how.type != type)
		return runtime_fails(name, at, STATUS_PLAN);
	if (direction != 1 && direction != -1)
		return runtime_fails(name, at, STATUS_VALUE);
	from = layout_of(&p->how, &p->how.in, t->complex_in,
			 t->complex_in != t->complex_out, in == out, in);
	to = layout_of(&p->how, &p->how.out, t->complex_out,
		       t->complex_in != t->complex_out, in == out, out);
	from.call = p->calls[callback_kind(&from)];
	to.call = p->calls[CALLBACK_STORES + callback_kind(&to)];
	uses[0] = (struct runtime_use){ in, side_span(&from, p->how.batch),
					false };
	uses[1] =
		(struct runtime_use){ out, side_span(&to, p->how.batch), true };
	if (!runtime_uses(p->stream, uses, LENGTH(uses), name, at))
		return STATUS_EXEC;
	device_open_all();
	/* A complex transform to real numbers is the inverse one. */
	run_transforms(&p->how, &from, &to, t->complex_out ? direction : 1);
	device_close();
	return STATUS_GOOD;
}
