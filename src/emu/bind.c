/*
 * bind: a kernel's parameters get their arrays and numbers, and the kernel is
 * called.
 *
 * Pointers are A, B and C, whole numbers M, N and K, by name where the names
 * are known and by position else.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../text.h"
#include "hooks.h"
#include "launch.h"

enum { A, B, C, ROLES };

static const char *const role_names[ROLES] = { "A", "B", "C" };

/* ---- contents ---- */

/* splitmix64: the n-th number of a stream. */
static uint64_t random_at(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* -9..9 without 0: legible, and every sum of products is exact. */
static int input_at(uint64_t seed, int role, uint64_t n)
{
	int v = (int)(random_at(seed * 3 + (uint64_t)role, n) % 18) - 9;

	return v < 0 ? v : v + 1;
}

static void element_set(const struct array *a, uint64_t n, int v)
{
	void *p = (char *)a->lo + n * a->info.elem_bytes;
	float f = (float)v;
	double d = v;
	int64_t i = v;

	switch (a->info.elem) {
	case ELEM_F32:
		memcpy(p, &f, sizeof(f));
		break;
	case ELEM_F64:
		memcpy(p, &d, sizeof(d));
		break;
	default:
		if (a->info.elem_bytes <= sizeof(i))
			memcpy(p, &i, a->info.elem_bytes);
	}
}

static void array_fill(const struct array *a, int role, uint64_t seed)
{
	uint64_t n = array_elements(&a->info);

	if (role == C) {
		/* All bits set: a NaN in every real type. */
		memset((void *)a->lo, 0xff, a->bytes);
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		element_set(a, i, input_at(seed, role, i));
}

/* ---- arrays ---- */

static void role_dims(const struct request *r, int role, uint64_t dims[2])
{
	dims[0] = (uint64_t)(role == B ? r->k : r->m);
	dims[1] = (uint64_t)(role == A ? r->k : r->n);
}

static int array_make(struct launch *l, int role, const struct debug_var *v,
		      struct error *e)
{
	struct debug_type t = v->type;

	t.rank = 2;
	role_dims(&l->request, role, t.dims);
	if (t.dims[0] * t.dims[1] * t.elem_bytes > UINT32_MAX / 2)
		return error_set(e, EXIT_USAGE, "%s of %" PRIu64 "x%" PRIu64
				 " elements is too large to be recorded",
				 text_show(v->name), t.dims[0], t.dims[1]);
	l->array[role] = memory_global(&rec.memory, v->name, &t, e);
	if (!l->array[role])
		return -1;
	array_fill(l->array[role], role, l->request.seed);
	return 0;
}

/* Shared variables stand in the block's window in the order of the text. */
static int by_declaration(const void *a, const void *b)
{
	const struct debug_var *x = *(const struct debug_var *const *)a;
	const struct debug_var *y = *(const struct debug_var *const *)b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->column < y->column ? -1 : x->column > y->column;
}

#define SHARED_ALIGN 16

static int shared_make(struct launch *l, struct error *e)
{
	const struct debug *d = l->module->debug;
	const struct debug_var **vars = xcalloc(d->var_count + 1,
						sizeof(*vars));
	size_t n = 0;
	uint64_t base = 0;
	int rc = 0;

	rec.tls_bytes = 0;
	for (size_t i = 0; i < d->var_count; i++)
		if (d->vars[i].home == DEBUG_TLS) {
			vars[n++] = &d->vars[i];
			rec.tls_bytes = MAX(rec.tls_bytes,
					    (size_t)d->vars[i].at + 1);
		}
	qsort(vars, n, sizeof(*vars), by_declaration);
	free(rec.tls);
	rec.tls = xcalloc(rec.tls_bytes + 1, sizeof(*rec.tls));
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct array *a;

		base = (base + SHARED_ALIGN - 1) / SHARED_ALIGN *
		       SHARED_ALIGN;
		a = memory_shared(&rec.memory, vars[i], base, e);
		if (!a) {
			rc = -1;
			break;
		}
		rec.tls[vars[i]->at] = a->lo;
		base += a->bytes;
	}
	free(vars);
	return rc;
}

/* ---- parameters ---- */

static int role_of(const char *name)
{
	for (int i = 0; i < ROLES; i++)
		if (!strcasecmp(name, role_names[i]))
			return i;
	return -1;
}

/* What a whole number of this name is, or 0. */
static int number_of(const struct request *r, const char *name)
{
	if (!strcasecmp(name, "M"))
		return r->m;
	if (!strcasecmp(name, "N") || !strcasecmp(name, "ldb") ||
	    !strcasecmp(name, "ldc"))
		return r->n;
	if (!strcasecmp(name, "K") || !strcasecmp(name, "lda"))
		return r->k;
	return 0;
}

/* True when every pointer has a matrix's name, each another. */
static bool pointers_named(const struct launch *l)
{
	unsigned seen = 0;

	for (size_t i = 0; i < l->entry->var_count; i++) {
		const struct debug_var *v = &l->entry->vars[i];
		int role;

		if (!v->parameter || v->type.kind != DEBUG_POINTER)
			continue;
		role = role_of(v->name);
		if (role < 0 || seen & 1u << role)
			return false;
		seen |= 1u << role;
	}
	return true;
}

/* True when some whole number has a name that says what it is: then those
 * that have none cannot be guessed. */
static bool integers_named(const struct launch *l)
{
	for (size_t i = 0; i < l->entry->var_count; i++) {
		const struct debug_var *v = &l->entry->vars[i];

		if (v->parameter && v->type.kind == DEBUG_INTEGER &&
		    number_of(&l->request, v->name))
			return true;
	}
	return false;
}

static int bind_pointer(struct launch *l, const struct debug_var *v,
			bool named, int *next, uint64_t *to, struct error *e)
{
	int role = named ? role_of(v->name) : (*next)++;

	if (role >= ROLES)
		return error_set(e, EXIT_USAGE, "%s has more than three "
				 "arrays: what %s holds is not known",
				 text_show(l->entry->name),
				 text_show(v->name));
	if (array_make(l, role, v, e) < 0)
		return -1;
	*to = l->array[role]->lo;
	return 0;
}

static int bind_integer(struct launch *l, const struct debug_var *v,
			bool named, int *next, uint64_t *to, struct error *e)
{
	const struct request *r = &l->request;
	const int in_order[] = { r->m, r->n, r->k };
	int known = number_of(r, v->name);

	if (!named && *next < 3)
		known = in_order[(*next)++];
	else if (!named)
		known = 0;
	if (!known)
		return error_set(e, EXIT_USAGE, "what the parameter %s of %s "
				 "is, is not known: M, N, K, lda, ldb and ldc "
				 "are", text_show(v->name),
				 text_show(l->entry->name));
	*to = (uint64_t)known;
	return 0;
}

/* alpha is 1, beta 0. */
static void bind_real(const struct debug_var *v, uint64_t *to)
{
	double d = strcasecmp(v->name, "beta") ? 1.0 : 0.0;
	float f = (float)d;

	*to = 0;
	if (v->type.bytes == sizeof(f))
		memcpy(to, &f, sizeof(f));
	else
		memcpy(to, &d, sizeof(d));
}

static int bind_parameters(struct launch *l, struct error *e)
{
	bool pointers = pointers_named(l);
	bool integers = integers_named(l);
	int pointer = 0, integer = 0, rc;
	size_t n = 0;

	memset(l->array, 0, sizeof(l->array));
	for (size_t i = 0; i < l->entry->var_count; i++) {
		const struct debug_var *v = &l->entry->vars[i];
		uint64_t *to;

		if (!v->parameter)
			continue;
		if (n >= LAUNCH_ARGUMENTS)
			return error_set(e, EXIT_USAGE, "%s has more than %d "
					 "parameters",
					 text_show(l->entry->name),
					 LAUNCH_ARGUMENTS);
		to = &l->arguments[n++];
		rc = 0;
		if (v->type.kind == DEBUG_POINTER)
			rc = bind_pointer(l, v, pointers, &pointer, to, e);
		else if (v->type.kind == DEBUG_INTEGER)
			rc = bind_integer(l, v, integers, &integer, to, e);
		else if (v->type.kind == DEBUG_REAL)
			bind_real(v, to);
		else
			rc = error_set(e, EXIT_USAGE, "the parameter %s of "
				       "%s is no number and no pointer",
				       text_show(v->name),
				       text_show(l->entry->name));
		if (rc < 0)
			return rc;
	}
	return 0;
}

int launch_bind(struct launch *l, struct error *e)
{
	if (bind_parameters(l, e) < 0)
		return -1;
	return shared_make(l, e);
}

/* ---- the call ---- */

#if defined(__aarch64__)
#define INTEGERS 8
#else
#define INTEGERS 6
#endif
#define REALS 8

/*
 * Both calling conventions fill registers for whole numbers and for reals
 * separately, and put what is left on the stack, eight bytes each. So one
 * call with all registers full serves every signature.
 */
void launch_call(const struct launch *l)
{
	typedef void function(uint64_t, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t,
#if INTEGERS == 8
			      uint64_t, uint64_t,
#endif
			      double, double, double, double, double, double,
			      double, double, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t, uint64_t);
	uint64_t i[INTEGERS] = { 0 }, s[LAUNCH_ARGUMENTS] = { 0 };
	double d[REALS] = { 0 };
	size_t integers = 0, reals = 0, stack = 0, n = 0;
	function *f = (function *)(l->module->load + l->entry->low);

	for (size_t p = 0; p < l->entry->var_count; p++) {
		const struct debug_var *v = &l->entry->vars[p];
		uint64_t value;

		if (!v->parameter)
			continue;
		value = l->arguments[n++];
		if (v->type.kind == DEBUG_REAL && reals < REALS)
			memcpy(&d[reals++], &value, sizeof(value));
		else if (v->type.kind != DEBUG_REAL && integers < INTEGERS)
			i[integers++] = value;
		else
			s[stack++] = value;
	}
	f(i[0], i[1], i[2], i[3], i[4], i[5],
#if INTEGERS == 8
	  i[6], i[7],
#endif
	  d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7],
	  s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9]);
}

/* ---- the answer ---- */

/* One row of A B in float64. */
static void reference_row(const struct launch *l, const float *a,
			  const float *b, uint64_t row, double *sums)
{
	uint64_t n = (uint64_t)l->request.n, k = (uint64_t)l->request.k;

	memset(sums, 0, n * sizeof(*sums));
	for (uint64_t i = 0; i < k; i++) {
		double x = a[row * k + i];

		for (uint64_t j = 0; j < n; j++)
			sums[j] += x * b[i * n + j];
	}
}

static void compare_say(const struct launch *l, uint64_t first, double want,
			float got, uint64_t bad)
{
	uint64_t n = (uint64_t)l->request.n;
	uint64_t all = n * (uint64_t)l->request.m;
	char value[64];

	if (isnan(got))
		snprintf(value, sizeof(value), "was never written or is NaN");
	else
		snprintf(value, sizeof(value), "is %.9g", got);
	finding_say(FINDING_RESULT, 0, "C[%" PRIu64 "][%" PRIu64 "] %s, but "
		    "must be %.17g; %" PRIu64 " of %" PRIu64 " elements of C "
		    "are wrong", first / n, first % n, value, want, bad, all);
}

void launch_compare(const struct launch *l)
{
	const float *a, *b, *c;
	uint64_t m = (uint64_t)l->request.m, n = (uint64_t)l->request.n;
	uint64_t bad = 0, first = 0;
	double *sums, want = 0;

	for (int i = 0; i < ROLES; i++)
		if (!l->array[i] || l->array[i]->info.elem != ELEM_F32)
			return;
	a = (const float *)l->array[A]->lo;
	b = (const float *)l->array[B]->lo;
	c = (const float *)l->array[C]->lo;
	sums = xcalloc(n, sizeof(*sums));
	for (uint64_t row = 0; row < m; row++) {
		reference_row(l, a, b, row, sums);
		for (uint64_t j = 0; j < n; j++) {
			if (c[row * n + j] == sums[j])
				continue;
			if (bad++ == 0) {
				first = row * n + j;
				want = sums[j];
			}
		}
	}
	free(sums);
	if (bad)
		compare_say(l, first, want, c[first], bad);
}
