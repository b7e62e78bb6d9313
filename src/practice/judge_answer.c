/* judge_answer: compares what a call wrote with what it should. See
 * judge_parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/lang.h"
#include "practice/judge_input.h"
#include "practice/judge_parts.h"
#include "practice/judge_pattern.h"

/* Units of an operation that each element of a reference may be off. */
#define REFERENCE_UNITS 4

/* One output of a call, and what is compared with it. */
struct compared {
	const struct rung *rung;
	struct problem_sizes size;
	size_t argument;
	uint64_t count;
	double *want, *got, *off;
	bool *unwritten;
	double *in[PROBLEM_ARRAYS];
};

/* Decodes a member's bytes, of which there must be n; NULL: there are not. The
 * caller frees them. */
static unsigned char *decode_member(const json_t *o, const char *name,
				    size_t n)
{
	const json_t *v = json_object_get(o, name);
	const char *hex = json_string_value(v);
	unsigned char *bytes;

	if (!hex || json_string_length(v) < 2 * n)
		return NULL;
	bytes = xcalloc(n, 1);
	if (hex_decode(hex, bytes, n))
		return bytes;
	free(bytes);
	return NULL;
}

/* Reads the elements of the output and which of them are unwritten. False: the
 * recorder did not send them. */
static bool read_judged_output(struct compared *c, const json_t *output)
{
	enum elem elem = c->rung->arguments[c->argument].elem;
	size_t size = elem_size(elem);
	unsigned char *bytes = decode_member(output, "hex", c->count * size);
	unsigned char *bits = decode_member(output, "unwritten",
					    (c->count * size + 3) / 4 / 8 + 1);

	for (uint64_t i = 0; bytes && bits && i < c->count; i++) {
		uint32_t words[4] = { 0 };
		uint64_t word = i * size / 4;

		memcpy(words, bytes + i * size, size);
		if (!element_value(elem, words, 0, &c->got[i]))
			c->got[i] = NAN;
		c->unwritten[i] = bits[word / 8] >> word % 8 & 1;
	}
	free(bytes);
	free(bits);
	return bytes && bits;
}

static double *make_inputs(const struct rung *r, uint64_t seed, size_t call,
			   size_t a, uint64_t count)
{
	double *v = xcalloc(count, sizeof(*v));

	for (uint64_t i = 0; i < count; i++)
		v[i] = judge_input(r, seed, call, a, i);
	return v;
}

/* Computes what a problem's output should be. */
static void compute_problem(struct compared *c, uint64_t seed, size_t call)
{
	const struct rung *r = c->rung;
	const struct problem *p = r->problem;
	int output = problem_output(p);
	uint64_t columns = (uint64_t)problem_size(&c->size,
						  p->arrays[output].columns);
	struct problem_case as = { .size = c->size };
	struct error e;

	as.unit = judge_unit(r->arguments[c->argument].elem);
	for (size_t i = 0; i < r->argument_count; i++) {
		const struct rung_argument *a = &r->arguments[i];

		if (a->size || a->output)
			continue;
		c->in[a->array] = make_inputs(r, seed, call, i, (uint64_t)
			rung_elements(r, a, &c->size, &e));
		as.in[a->array] = c->in[a->array];
	}
	for (uint64_t row = 0; row < c->count / columns; row++)
		p->row(&as, row, c->want + row * columns,
		       c->off + row * columns);
}

/* Takes what the reference computed; false: the recorder did not send it. */
static bool take_reference(struct compared *c, const json_t *output)
{
	const struct rung *r = c->rung;
	unsigned char *bytes = decode_member(output, "reference",
					     c->count * sizeof(double));
	double unit = judge_unit(r->arguments[c->argument].elem);
	double usual = REFERENCE_UNITS * (c->size.k + 4) * unit;

	if (!bytes)
		return false;
	memcpy(c->want, bytes, c->count * sizeof(double));
	for (uint64_t i = 0; i < c->count; i++)
		c->off[i] = (r->tolerance >= 0 ? r->tolerance : usual) *
			    MAX(1, fabs(c->want[i]));
	free(bytes);
	return true;
}

/* Rounds what is wanted to the output's type, where it must be exact. */
static void round_wanted(struct compared *c)
{
	enum elem elem = c->rung->arguments[c->argument].elem;

	for (uint64_t i = 0; i < c->count; i++) {
		if (elem == ELEM_F32)
			c->want[i] = (float)c->want[i];
		else if (elem != ELEM_F64 && elem_is_real(elem))
			c->off[i] += judge_unit(elem) * fabs(c->want[i]);
	}
}

static char *describe_output(const struct compared *c)
{
	const struct rung *r = c->rung;
	const struct problem *p = r->problem;
	int output = p ? problem_output(p) : 0;
	struct pattern_output o = {
		.name = r->arguments[c->argument].name, .want = c->want,
		.got = c->got, .off = c->off, .unwritten = c->unwritten,
		.rows = p ? (uint64_t)problem_size(&c->size,
				p->arrays[output].rows) : c->count,
		.columns = p ? (uint64_t)problem_size(&c->size,
				   p->arrays[output].columns) : 1,
	};

	if (p == &problem_gemm) {
		o.a = c->in[0];
		o.b = c->in[1];
		o.k = (uint64_t)c->size.k;
	}
	return pattern_count_wrong(&o) ? pattern_describe(&o) : NULL;
}

static char *compare_one_output(struct compared *c, const json_t *output,
			    uint64_t seed, size_t call)
{
	bool known = read_judged_output(c, output);

	if (known && c->rung->kind == RUNG_REFERENCE)
		known = take_reference(c, output);
	else if (known)
		compute_problem(c, seed, call);
	if (!known)
		return xstrdup(_("the output was not compared"));
	round_wanted(c);
	return describe_output(c);
}

static char *compare_argument(const struct judging *j, size_t a,
			      const json_t *output, uint64_t seed, size_t call)
{
	const struct rung *r = j->rung;
	struct compared c = { .rung = r, .argument = a,
			      .size = r->sizes[judge_size_of(r, call)] };
	struct error e;
	char *words;

	c.count = (uint64_t)rung_elements(r, &r->arguments[a], &c.size, &e);
	c.want = xcalloc(c.count, sizeof(*c.want));
	c.got = xcalloc(c.count, sizeof(*c.got));
	c.off = xcalloc(c.count, sizeof(*c.off));
	c.unwritten = xcalloc(c.count, sizeof(*c.unwritten));
	words = compare_one_output(&c, output, seed, call);
	free(c.want);
	free(c.got);
	free(c.off);
	free(c.unwritten);
	for (size_t i = 0; i < PROBLEM_ARRAYS; i++)
		free(c.in[i]);
	return words;
}

char *judge_answer(const struct judging *j, uint64_t seed, size_t call)
{
	const json_t *of = json_array_get(json_object_get(j->program,
							  "judged"), call);
	const json_t *outputs = json_object_get(of, "outputs");
	size_t nth = 0;
	char *words = NULL;

	for (size_t a = 0; a < j->rung->argument_count && !words; a++)
		if (j->rung->arguments[a].output)
			words = compare_argument(j, a,
						 json_array_get(outputs, nth++),
						 seed, call);
	if (!nth)
		words = xstrdup(_("the output was not compared"));
	return words;
}
