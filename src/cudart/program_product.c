/*
 * program_product: which product of matrices a program's launch computes, by
 * the names of the kernel's parameters and by the call's registers, so that it
 * is known for launches without the recorder's hooks, too. See program_work.h.
 */
#include <string.h>

#include "cudart/program_work.h"
#include "record/arguments.h"

/* Where the next argument of each class is (System V ABI, x86-64: parameter
 * passing). */
struct passing {
	const struct stub_call *call;
	size_t integers, reals, words;
};

static const void *next_argument(struct passing *p, bool real)
{
	const struct stub_call *c = p->call;

	if (real && p->reals < LENGTH(c->real))
		return c->real[p->reals++];
	if (!real && p->integers < LENGTH(c->integer))
		return &c->integer[p->integers++];
	return (const uint64_t *)(uintptr_t)c->stack + p->words++;
}

/* Reads an integer of this type. */
static int64_t integer_at(const void *from, const struct debug_type *t)
{
	uint64_t v = 0;
	uint32_t shift;

	memcpy(&v, from, MIN(t->bytes, sizeof(v)));
	shift = 64 - 8 * (uint32_t)MIN(t->bytes, sizeof(v));
	return t->is_signed ? (int64_t)(v << shift) >> shift : (int64_t)v;
}

#define PARAMETERS_MOST 64

bool call_product(const struct program_kernel *k, const struct stub_call *c,
		  struct problem_sizes *size)
{
	const struct debug_function *f = k->recorded;
	int64_t values[PARAMETERS_MOST] = { 0 };
	struct passing p = { .call = c };

	for (size_t i = 0; i < f->var_count && f->vars[i].parameter; i++) {
		const struct debug_type *t = &f->vars[i].type;
		const void *from;

		if (i == PARAMETERS_MOST || t->bytes > 8 ||
		    f->vars[i].home == DEBUG_FRAME_ADDRESS ||
		    (t->kind != DEBUG_INTEGER && t->kind != DEBUG_REAL &&
		     t->kind != DEBUG_POINTER))
			return false;
		from = next_argument(&p, t->kind == DEBUG_REAL);
		if (t->kind == DEBUG_INTEGER)
			values[i] = integer_at(from, t);
	}
	return arguments_product(f, values, size);
}
