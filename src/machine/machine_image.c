/* machine_image: the launch's memory as its machine code sees it. See
 * machine_parts.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "machine/machine_parts.h"
#include "machine/run_parts.h"

#define FIRST_ADDRESS (UINT64_C(0x7f) << 40)
#define APART (UINT64_C(1) << 36)
#define ALIGNED 256
/* Bytes of all arrays. */
#define MEMORY_MOST (UINT64_C(64) << 20)

static char *make_arrays(struct image *m)
{
	uint64_t total = 0;
	size_t n = m->info->array_count;

	m->base = xcalloc(n + 1, sizeof(*m->base));
	m->memory = xcalloc(n + 1, sizeof(*m->memory));
	m->expected = xcalloc(n + 1, sizeof(*m->expected));
	m->known = xcalloc(n + 1, sizeof(*m->known));
	m->stored = xcalloc(n + 1, sizeof(*m->stored));
	for (size_t i = 0; i < n; i++) {
		const struct trace_array *a = &m->info->arrays[i];
		uint64_t bytes = trace_array_bytes(a);

		/* Constants are those of the code; if the recording had
		 * others, its values differ. */
		if (a->space != SPACE_GLOBAL)
			continue;
		total += bytes;
		if (bytes > MEMORY_MOST || total > MEMORY_MOST)
			return xasprintf(_("its arrays take more than %d MB"),
					 (int)(MEMORY_MOST >> 20));
		m->base[i] = FIRST_ADDRESS + i * APART + a->base % ALIGNED;
		m->memory[m->count++] = (struct run_memory){
			m->base[i], bytes, xcalloc(bytes + 1, 1),
		};
		m->expected[i] = xcalloc(bytes + 1, 1);
		m->known[i] = xcalloc(bytes + 1, 1);
		m->stored[i] = xcalloc(bytes + 1, 1);
	}
	return NULL;
}

static uint8_t *memory_of(const struct image *m, size_t array)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->memory[i].base == m->base[array])
			return m->memory[i].data;
	return NULL;
}

/* Takes what a request read as what the array held, unless that is known
 * already, and what it stored as what it holds in the end. */
static void take_image_values(struct image *m, const struct trace_site *s,
			 const struct trace_request *r)
{
	uint8_t *first = memory_of(m, s->array);
	uint64_t size = trace_array_bytes(&m->info->arrays[s->array]);
	uint32_t bytes = s->matrix ? 0 : s->bytes;

	for (uint32_t mask = r->mask; mask; mask &= mask - 1) {
		int l = __builtin_ctz(mask);
		const uint8_t *v = (const uint8_t *)&r->value[l * 4];
		uint64_t at = r->offset[l];

		for (uint32_t b = 0; b < bytes && at + b < size; b++) {
			uint8_t *known = &m->known[s->array][at + b];

			if (s->op == OP_LD && !*known)
				first[at + b] =
					m->expected[s->array][at + b] = v[b];
			*known = 1;
			if (s->op == OP_ST) {
				m->expected[s->array][at + b] = v[b];
				m->stored[s->array][at + b] = 1;
			}
		}
	}
}

int image_make(struct image *m, struct trace *t, char **why, struct error *e)
{
	struct trace_request r;

	*m = (struct image){ .info = trace_info(t) };
	*why = make_arrays(m);
	if (*why)
		return 1;
	for (size_t w = 0; w < trace_warp_count(t); w++)
		for (uint32_t n = 0; n < trace_warp(t, w)->requests; n++) {
			const struct trace_site *s;

			if (trace_get(t, w, n, &r, e) < 0)
				return -1;
			s = &m->info->sites[r.site];
			if (op_is_access(s->op) && m->base[s->array])
				take_image_values(m, s, &r);
		}
	return 0;
}

void image_done(struct image *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->memory[i].data);
	for (size_t i = 0; m->info && i < m->info->array_count; i++) {
		if (m->expected)
			free(m->expected[i]);
		if (m->known)
			free(m->known[i]);
		if (m->stored)
			free(m->stored[i]);
	}
	free(m->base);
	free(m->memory);
	free(m->expected);
	free(m->known);
	free(m->stored);
}

/* ---- the answer ---- */

/* Returns the relative difference that another order of operations may
 * make. */
static double tolerance_of(enum elem elem)
{
	switch (elem) {
	case ELEM_F32:
		return 1e-4;
	case ELEM_F64:
		return 1e-10;
	case ELEM_F16:
		return 4e-3;
	case ELEM_BF16:
		return 3e-2;
	default:
		return 0;
	}
}

static bool is_close(const struct trace_array *a, const uint8_t *got,
		     const uint8_t *want)
{
	uint32_t x[4] = { 0 }, y[4] = { 0 };
	uint32_t bytes = MIN(a->elem_bytes, (uint32_t)sizeof(x));
	double p, q, tolerance = tolerance_of(a->elem);

	if (!memcmp(got, want, a->elem_bytes))
		return true;
	memcpy(x, got, bytes);
	memcpy(y, want, bytes);
	if (!tolerance || !element_value(a->elem, x, 0, &p) ||
	    !element_value(a->elem, y, 0, &q))
		return false;
	if (isnan(p) || isnan(q))
		return isnan(p) && isnan(q);
	return fabs(p - q) <= tolerance * (1 + fabs(q));
}

char *image_compare(const struct image *m)
{
	for (size_t i = 0; i < m->info->array_count; i++) {
		const struct trace_array *a = &m->info->arrays[i];
		const uint8_t *got = m->base[i] ? memory_of(m, i) : NULL;
		uint64_t size = got ? trace_array_bytes(a) : 0;

		for (uint64_t at = 0; at + a->elem_bytes <= size;
		     at += a->elem_bytes)
			if (m->stored[i][at] &&
			    !is_close(a, got + at, m->expected[i] + at))
				return xasprintf(
					_("it leaves another value in %s[%llu] "
					  "than the recording"),
					text_show(a->name),
					(unsigned long long)at /
						a->elem_bytes);
	}
	return NULL;
}

/* ---- parameters ---- */

/* Writes a number, as its text says it, as the parameter's type; false: it is
 * another kind of type. */
static bool put_parameter(const char *type, const char *value, uint32_t size,
		      uint8_t *to)
{
	float f = strtof(value, NULL);
	double d = strtod(value, NULL);
	uint64_t whole = *value == '-' ?
			 (uint64_t)strtoll(value, NULL, 0) :
			 strtoull(value, NULL, 0);

	if (!strcmp(value, "true"))
		whole = 1;
	if (strstr(type, "bfloat") && size == 2)
		whole = bfloat_of(d);
	else if (strstr(type, "half") && size == 2)
		whole = half_of(d);
	if (strstr(type, "float") && size == 4)
		memcpy(to, &f, size);
	else if (strstr(type, "double") && size == 8)
		memcpy(to, &d, size);
	else if (size == 1 || size == 2 || size == 4 || size == 8)
		memcpy(to, &whole, size);
	else
		return false;
	return true;
}

char *image_parameters(const struct image *m, const struct machine_code *c,
		       uint8_t *to)
{
	const struct trace_info *info = m->info;

	if (info->argument_count != c->parameter_count)
		return xstrdup(_("its arguments are not known"));
	for (uint32_t i = 0; i < c->parameter_count; i++) {
		const struct trace_argument *a = &info->arguments[i];
		uint32_t at = c->parameters[i].offset;
		uint32_t size = c->parameters[i].size;
		uint64_t address;

		if (at + size > c->parameter_bytes)
			return xstrdup(_("its parameters are damaged"));
		if (a->array == TRACE_NO_ARRAY) {
			if (a->value && put_parameter(a->type, a->value, size,
						  to + at))
				continue;
		} else if (size == 8 && m->base[a->array]) {
			address = m->base[a->array] + a->before *
				  info->arrays[a->array].elem_bytes;
			memcpy(to + at, &address, size);
			continue;
		}
		return xasprintf(_("its parameter %s is of a type that is not "
				   "known here"), text_show(a->name));
	}
	return NULL;
}

uint64_t image_shared_base(const struct image *m, const struct machine_code *c,
			   uint32_t array)
{
	const struct trace_array *a = &m->info->arrays[array];
	uint64_t bytes = trace_array_bytes(a), below = 0;
	bool is_last = true;

	for (size_t i = 0; i < m->info->array_count; i++) {
		const struct trace_array *o = &m->info->arrays[i];

		if (o->space != SPACE_SHARED)
			continue;
		is_last &= o->base <= a->base;
		below += o->base < a->base ? trace_array_bytes(o) : 0;
	}
	if (!c->shared || a->base + bytes <= c->shared)
		return a->base;
	if (is_last)
		return bytes > c->shared ? (c->shared + 15u) & ~15u : a->base;
	return (below + a->elem_bytes - 1) / a->elem_bytes * a->elem_bytes;
}
