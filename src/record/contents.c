/*
 * contents: see contents.h.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "record/contents.h"
#include "trace/trace_format.h"

/* ---- elements ---- */

/* Returns the fraction bits of a 16-bit real. */
static int fraction_of(enum elem e)
{
	return e == ELEM_F16 ? 10 : 7;
}

static int bias_of(enum elem e)
{
	return e == ELEM_F16 ? 15 : 127;
}

uint16_t real16_round(enum elem elem, double v)
{
	int fraction = fraction_of(elem), bias = bias_of(elem), exponent;
	unsigned int sign = signbit(v) ? 0x8000 : 0;
	unsigned int infinity = 0x7fffu >> fraction << fraction;

	if (isnan(v))
		return 0x7fff;
	frexp(v, &exponent);
	exponent = v == 0 ? 1 - bias : MAX(exponent - 1, 1 - bias);
	if (isinf(v) || exponent > bias)
		return (uint16_t)(sign | infinity);
	return (uint16_t)(sign +
			  ((unsigned int)(exponent + bias - 1) << fraction) +
			  (unsigned int)rint(ldexp(fabs(v), fraction -
						   exponent)));
}

static bool is_real16(enum elem e)
{
	return e == ELEM_F16 || e == ELEM_BF16;
}

bool contents_value(enum elem elem, const void *from, uint64_t n, double *v)
{
	uint32_t words[2] = { 0 };
	size_t bytes = elem_size(elem);

	if (bytes == 0)
		return false;
	memcpy(words, (const char *)from + n * bytes, bytes);
	return element_value(elem, words, 0, v);
}

double contents_rounded(enum elem elem, double v)
{
	uint32_t word;

	if (is_real16(elem)) {
		word = real16_round(elem, v);
		element_value(elem, &word, 0, &v);
	}
	return elem == ELEM_F32 ? (float)v : v;
}

void contents_set(enum elem elem, uint32_t bytes, void *to, uint64_t n,
		  double v)
{
	void *p = (char *)to + n * bytes;
	float f = (float)v;
	int64_t i = (int64_t)v;
	uint16_t h;

	switch (elem) {
	case ELEM_F16:
	case ELEM_BF16:
		h = real16_round(elem, v);
		memcpy(p, &h, sizeof(h));
		break;
	case ELEM_F32:
		memcpy(p, &f, sizeof(f));
		break;
	case ELEM_F64:
		memcpy(p, &v, sizeof(v));
		break;
	default:
		if (bytes <= sizeof(i))
			memcpy(p, &i, bytes);
	}
}

/* ---- arrays ---- */

int contents_array(const struct plan *p, const struct argument *a,
		   struct trace_array *array, struct error *e)
{
	const struct debug_type *t = &a->var->type;
	const struct problem_array *of = argument_role(p, a);

	*array = (struct trace_array) {
		.name = a->var->name,
		.space = SPACE_GLOBAL,
		.elem = t->elem,
		.elem_bytes = t->elem_bytes,
		.rank = 2,
		.dims = { (uint64_t)problem_size(&p->size, of->rows),
			  (uint64_t)problem_size(&p->size, of->columns) },
	};
	if (a->dims[0]) {
		array->rank = a->dims[1] ? 2 : 1;
		array->dims[0] = a->dims[0];
		array->dims[1] = MAX(a->dims[1], 1);
	}
	if (array->dims[0] * array->dims[1] * t->elem_bytes > UINT32_MAX / 2)
		return error_set(e, EXIT_USAGE, "%s of %" PRIu64 "x%" PRIu64
				 " elements is too large to be recorded",
				 text_show(array->name), array->dims[0],
				 array->dims[1]);
	return 0;
}

/* Each byte of a whole number that nothing has written. */
#define UNSET_WHOLE 0xa5

/* Returns a pseudo-random number in the argument's range, the same for the same
 * element. */
static double number_in(const struct argument *a, uint64_t seed, uint64_t n)
{
	uint64_t x = (n + 1) * UINT64_C(0x9e3779b97f4a7c15) +
		     seed * ARGUMENT_ARRAYS + (uint64_t)a->array;

	x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return (double)a->low +
	       (double)((x >> 32) % ((uint64_t)(a->high - a->low) + 1));
}

/* Returns the byte that an output begins with. */
static int unset_byte(const struct plan *p, const struct problem_array *of,
		      enum elem elem)
{
	if (p->kernel)
		return 0xff;
	if (!of->output || !p->held || !p->problem->row || p->job.whole)
		return 0;
	return elem_is_real(elem) ? 0xff : UNSET_WHOLE;
}

static double input_value(const struct plan *p, enum elem elem, int which,
			  uint64_t n)
{
	return !p->kernel && !p->job.whole && elem_is_real(elem) ?
	       p->problem->fraction(p->job.seed, which, n) :
	       p->problem->input(p->job.seed, which, n);
}

void contents_fill(const struct plan *p, const struct argument *a,
		   const struct trace_array *array, void *to)
{
	int which = a->array;
	const struct problem_array *of = argument_role(p, a);
	uint64_t pitch = array->dims[1], n = array->dims[0] * pitch;
	uint64_t rows = (uint64_t)problem_size(&p->job.size, of->rows);
	uint64_t columns = (uint64_t)problem_size(&p->job.size,
						  of->columns);

	for (uint64_t i = 0; a->filled && i < n; i++)
		contents_set(array->elem, array->elem_bytes, to, i,
			     number_in(a, p->job.seed, i));
	if (a->filled)
		return;
	if ((of->output && !p->numbers) || of->optional) {
		memset(to, unset_byte(p, of, array->elem),
		       n * array->elem_bytes);
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t row = i / pitch, col = i % pitch;
		bool inside = a->dims[0] || (row < rows && col < columns);

		contents_set(array->elem, array->elem_bytes, to, i, inside ?
			    input_value(p, array->elem, which, a->dims[0] ? i :
					row * columns + col) : 0);
	}
}

void contents_range(const struct plan *p, struct argument *a,
		    const struct trace_array *array, const void *from)
{
	const struct problem_array *of = argument_role(p, a);
	uint64_t n = trace_array_bytes(array) / array->elem_bytes;
	bool same = !a->filled && ((of->output && !p->numbers) || of->optional);
	double v;

	a->least = a->most = NAN;
	for (uint64_t i = 0; i < (same ? 1 : n); i++) {
		if (!contents_value(array->elem, from, i, &v) || isnan(v))
			return;
		a->least = i ? MIN(a->least, v) : v;
		a->most = i ? MAX(a->most, v) : v;
	}
}
