#include "runner/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cpp_words.h"
#include "base/lang.h"
#include "base/map.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "kernels/problem.h"
#include "trace/finding.h"

/* What a reference may take, in operations and in elements of the output; how
 * many accesses of shared memory are looked at; and how many places in it are
 * remembered, an interval each. */
#define REFERENCE_MOST 300e6
#define OUTPUT_MOST (1u << 22)
#define LOOKS_MOST 4000000
#define PLACES_MOST (1u << 20)

struct audit {
	struct trace *t;
	const struct trace_info *i;
	struct error *e;
};

static int refuse_trace(const struct audit *a, const char *why)
{
	error_set(a->e, EXIT_REFUSED, _("%s: the report cannot be trusted: %s"),
		  text_show(a->i->file), why);
	return -1;
}

/* ---- what stopped it ---- */

/* Tests whether the trace has no findings but notes. */
static bool is_faultless(const struct trace_info *i)
{
	for (size_t n = 0; n < i->finding_count; n++)
		if (i->findings[n].kind != FINDING_NOTE)
			return false;
	return true;
}

static int stop_audit(const struct audit *a)
{
	if (a->i->check && !strcmp(a->i->check, UNCHECKED_STOPPED))
		return refuse_trace(a, _("the kernel was stopped, but no "
					 "finding gives the reason"));
	return 0;
}

/* ---- the answer ---- */

/* The output, and which of its elements were stored as they should be. */
struct audited_output {
	const struct problem *problem;
	const struct problem_form *form;
	struct problem_sizes size;
	uint64_t rows, columns;
	uint32_t array;
	double unit, slack;	/* relative errors: of a step, of the output */
	double *want, *off;	/* by element as it is stored */
	bool *right;
	bool fractions;		/* the inputs are fractions */
};

static double error_unit(enum elem e)
{
	return e == ELEM_F16 ? 0x1p-11 : e == ELEM_BF16 ? 0x1p-8 : 0x1p-24;
}

static uint64_t array_length(const struct trace_array *a)
{
	uint64_t n = 1;

	for (uint32_t d = 0; d < a->rank; d++)
		n *= a->dims[d];
	return n;
}

static bool is_stored(const struct trace_info *i, uint32_t array)
{
	for (size_t n = 0; n < i->site_count; n++)
		if (i->sites[n].array == array &&
		    (i->sites[n].op == OP_ST || i->sites[n].op == OP_TMA_ST))
			return true;
	return false;
}

/* Sets the output's array, the only one in global memory that is stored to;
 * *none: there is no such. False: it is another one that is compared. */
static bool output_find(const struct trace_info *i, struct audited_output *o,
			bool *none)
{
	size_t stored = 0;

	o->unit = 0x1p-24;
	for (uint32_t n = 0; n < i->array_count; n++) {
		if (i->arrays[n].space != SPACE_GLOBAL)
			continue;
		o->unit = MAX(o->unit, error_unit(i->arrays[n].elem));
		if (!is_stored(i, n))
			continue;
		o->array = n;
		stored++;
	}
	*none = stored == 0;
	return stored == 1 &&
	       array_length(&i->arrays[o->array]) == o->rows * o->columns;
}

static double get_audit_input(const struct audited_output *o, uint64_t seed,
			int which, uint64_t n)
{
	return o->fractions ? o->problem->fraction(seed, which, n) :
			      o->problem->input(seed, which, n);
}

/* Makes an input, number `which` of the recorder's, by rows whatever form it is
 * stored in; heap. */
static double *make_input(const struct audited_output *o, int array, int which,
			  uint64_t seed)
{
	const struct problem_array *a = &o->problem->arrays[array];
	uint64_t rows = (uint64_t)problem_size(&o->size, a->rows);
	uint64_t columns = (uint64_t)problem_size(&o->size, a->columns);
	bool turned = o->form->by_columns >> array & 1;
	double *v = xcalloc(rows * columns + 1, sizeof(*v));

	for (uint64_t i = 0; i < rows * columns; i++)
		v[i] = get_audit_input(o, seed, which, turned ?
				 i % columns * rows + i / columns : i);
	return v;
}

/* Computes the reference from the inputs with these numbers, two bits each. The
 * recorder has chosen by names and positions which array gets which input, so
 * the audit tries several, each as fractions and as whole numbers. */
static void compute_reference(struct audited_output *o, uint64_t seed,
			      unsigned numbers)
{
	struct problem_case c = { .size = o->size, .unit = o->unit,
				  .whole = !o->fractions };
	int out = problem_output(o->problem);
	double *want = xcalloc(o->columns + 1, sizeof(*want));
	double *off = xcalloc(o->columns + 1, sizeof(*off));
	bool turned = o->form->by_columns >> out & 1;

	for (int i = 0; i < out; i++)
		c.in[i] = make_input(o, i, (int)(numbers >> 2 * i & 3), seed);
	for (uint64_t row = 0; row < o->rows; row++) {
		o->problem->row(&c, row, want, off);
		for (uint64_t j = 0; j < o->columns; j++) {
			uint64_t at = turned ? j * o->rows + row :
					       row * o->columns + j;

			o->want[at] = o->form->then ? o->form->then(want[j]) :
						      want[j];
			if (o->form->adds)
				o->want[at] += get_audit_input(o, seed, out, at);
			o->off[at] = off[j] + o->slack * fabs(o->want[at]);
		}
	}
	for (int i = 0; i < out; i++)
		free((double *)(uintptr_t)c.in[i]);
	free(want);
	free(off);
}

/* Compares an element with its reference. Whole numbers may differ by a
 * multiple of 2^bits. */
static bool is_audited_right(const struct trace_array *a, double got,
			     double want, double off)
{
	if (a->elem >= ELEM_I8)
		return fmod(got - want, ldexp(1, 8 * (int)a->elem_bytes)) == 0;
	return got == want || fabs(got - want) <= off;
}

static void lane_stores(const struct audit *a, struct audited_output *o,
			const struct trace_request *r, uint32_t lane)
{
	const struct trace_array *array = &a->i->arrays[o->array];
	uint32_t bytes = a->i->sites[r->site].bytes;

	for (uint32_t b = 0; b + array->elem_bytes <= bytes;
	     b += array->elem_bytes) {
		uint64_t n = (r->offset[lane] + b) / array->elem_bytes;
		double v;

		if (n < o->rows * o->columns && !o->right[n] &&
		    element_value(array->elem, &r->value[lane * 4], b, &v))
			o->right[n] = is_audited_right(array, v, o->want[n],
						       o->off[n]);
	}
}

static int stores_read(const struct audit *a, struct audited_output *o)
{
	struct trace_request r;
	uint32_t site;

	for (size_t w = 0; w < trace_warp_count(a->t); w++)
		for (uint32_t n = 0; n < trace_warp(a->t, w)->requests; n++) {
			if (trace_get_site(a->t, w, n, &site, a->e) < 0)
				return -1;
			if (a->i->sites[site].op != OP_ST ||
			    a->i->sites[site].array != o->array)
				continue;
			if (trace_get(a->t, w, n, &r, a->e) < 0)
				return -1;
			for (uint32_t l = 0; l < WARP_LANES; l++)
				if (r.mask >> l & 1)
					lane_stores(a, o, &r, l);
		}
	return 0;
}

/* Returns the first element that was never stored with its right value (one
 * that is not stored is 0); the number of elements when all are right. */
static uint64_t wrong_first(const struct audited_output *o)
{
	uint64_t n = 0;

	while (n < o->rows * o->columns &&
	       (o->right[n] || fabs(o->want[n]) <= o->off[n]))
		n++;
	return n;
}

static int output_audit(const struct audit *a, struct audited_output *o)
{
	const struct trace_array *array = &a->i->arrays[o->array];
	uint64_t all = o->rows * o->columns, wrong = 0;
	int inputs = problem_output(o->problem), rc = 0;
	unsigned usual = inputs > 1 ? 1 << 2 : 0;	/* 0, then 1 */

	o->slack = error_unit(array->elem);
	o->want = xcalloc(all + 1, sizeof(*o->want));
	o->off = xcalloc(all + 1, sizeof(*o->off));
	o->right = xcalloc(all + 1, sizeof(*o->right));
	for (unsigned n = 0; n < 2u << 2 * inputs && rc == 0; n++) {
		o->fractions = recorded_fractions(a->i) != n % 2;
		compute_reference(o, a->i->seed, n / 2 ^ usual);
		rc = stores_read(a, o);
		wrong = wrong_first(o);
		if (wrong == all)
			break;
		memset(o->right, 0, all * sizeof(*o->right));
	}
	if (rc == 0 && wrong < all) {
		char *why = xasprintf(_("it calls the result correct, but no "
					"store of the correct value of element "
					"%llu of %s was recorded"),
				      (unsigned long long)wrong,
				      text_show(array->name));

		rc = refuse_trace(a, why);
		free(why);
	}
	free(o->want);
	free(o->off);
	free(o->right);
	return rc;
}

/* The inputs of a softmax; see problem_softmax.c. */
#define LARGE_LEAST 60
#define LARGE_MOST 100

/* Tests for a factor of the output that is not as if there were none. */
static bool is_output_factor(const struct trace_argument *a)
{
	double v = strtod(a->value, NULL);

	return (!strcasecmp(a->name, "alpha") && v != 1) ||
	       (!strcasecmp(a->name, "beta") && v != 0);
}

/* Tests whether the inputs have the recorder's own values. The user, or an
 * array's type, may have required others. */
static bool inputs_usual(const struct trace_info *i, uint32_t output)
{
	for (size_t n = 0; n < i->argument_count; n++) {
		const struct trace_argument *a = &i->arguments[n];

		/* A program has its own. */
		if (a->decided == DECIDED_PROGRAM || is_output_factor(a))
			return false;
		if (a->array != TRACE_NO_ARRAY && a->array != output &&
		    !(a->low >= -9 && a->low < 0 && a->high <= 9) &&
		    !(a->low >= LARGE_LEAST && a->high <= LARGE_MOST))
			return false;
	}
	return true;
}

static bool has_op(const struct trace_info *i, enum op op)
{
	for (size_t n = 0; n < i->site_count; n++)
		if (i->sites[n].op == op)
			return true;
	return false;
}

static int answer_audit(const struct audit *a)
{
	const struct trace_info *i = a->i;
	struct audited_output o = {
		.problem = i->problem ? problem_find(i->problem) : NULL,
		.size = { (int)i->m, (int)i->n, (int)i->k },
	};
	const struct problem_array *out;
	bool none;

	if (!o.problem || !o.problem->row || !i->check || i->partial ||
	    !(i->spaces >> SPACE_GLOBAL & 1))
		return 0;
	o.form = problem_form(o.problem, i->check);
	if (!o.form || (o.problem->flops &&
			o.problem->flops(i->m, i->n, i->k) > REFERENCE_MOST))
		return 0;
	out = &o.problem->arrays[problem_output(o.problem)];
	o.rows = (uint64_t)problem_size(&o.size, out->rows);
	o.columns = (uint64_t)problem_size(&o.size, out->columns);
	if (output_find(i, &o, &none))
		return !i->values || o.rows * o.columns > OUTPUT_MOST ||
		       has_op(i, OP_TMA_ST) || !inputs_usual(i, o.array) ||
		       i->arrays[o.array].elem == ELEM_RAW ? 0 :
		       output_audit(a, &o);
	return none ? refuse_trace(a,
				   _("it calls the result correct, but no "
				     "store of it was recorded")) :
		      0;
}

/* ---- races ---- */

/* Tests for a word of a text that may order threads by other means than
 * __syncthreads(), or that may include a text that does. */
static bool may_order(const struct cpp_word *w)
{
	static const char *const words[] = {
		"atomic", "volatile", "asm", "__asm", "cuda", "cooperative",
		"__pipeline", "__nanosleep", "__threadfence", "barrier",
		"mbarrier", "wmma", "ptx", "tma", "cluster",
	};

	for (size_t i = 0; i < LENGTH(words); i++)
		if (w->kind == CPP_WORD && w->length >= strlen(words[i]) &&
		    !strncmp(w->at, words[i], strlen(words[i])))
			return true;
	return w->kind == CPP_DIRECTIVE && memmem(w->at, w->length, "include",
						  7) &&
	       memchr(w->at, '"', w->length);
}

/* Tests whether nothing but barriers of the block orders its warps. */
static bool only_barriers(const struct trace_info *i)
{
	struct cpp_text t = { i->text, strchr(i->text, '\0'), true, false };
	struct cpp_word w;

	for (size_t n = 0; n < i->site_count; n++)
		if (!op_is_access(i->sites[n].op) &&
		    i->sites[n].op != OP_BARRIER)
			return false;
	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t))
		if (may_order(&w))
			return false;
	return true;
}

/* A place in an interval of a block, and which warps accessed it there, plus
 * one; 0: none, SEVERAL: more than one. */
struct audit_place {
	uint32_t array, unit, phase;
};
#define SEVERAL UINT32_MAX
struct seen { uint32_t store, load, line; };

struct races {
	struct map places;
	struct seen *seen;
	size_t capacity;
	uint32_t block;
	uint64_t looks;
	uint32_t unit;			/* of the array in question, bytes */
};

static uint32_t merge_warps(uint32_t who, uint32_t warp)
{
	return !who || who == warp ? warp : SEVERAL;
}

/* Tests whether two warps access this address, and one stores. */
static bool races_at(const struct seen *s)
{
	return s->store == SEVERAL ||
	       (s->store && s->load && s->load != s->store);
}

static int report_race(const struct audit *a, const struct trace_site *site,
		       uint32_t line)
{
	char *why = xasprintf(_("two warps access %s between the same two "
				"barriers (lines %u and %u), but no finding "
				"reports it"),
			      text_show(a->i->arrays[site->array].name),
			      MIN(line, site->line), MAX(line, site->line));
	int rc = refuse_trace(a, why);

	free(why);
	return rc;
}

/* Returns the bytes of the narrowest access to the array, as the unit in which
 * accesses are compared: warps that store neighbouring bytes do not race. */
static uint32_t unit_accessed(const struct trace_info *i, uint32_t array)
{
	uint32_t unit = 4;

	for (size_t n = 0; n < i->site_count; n++)
		if (i->sites[n].array == array && i->sites[n].bytes)
			unit = MIN(unit, i->sites[n].bytes);
	return unit;
}

static int lane_races(const struct audit *a, struct races *all,
		      const struct trace_request *r, uint32_t lane,
		      uint32_t warp, uint32_t phase)
{
	const struct trace_site *site = &a->i->sites[r->site];
	uint64_t from = r->offset[lane] / all->unit;
	uint64_t end = (r->offset[lane] + site->bytes + all->unit - 1) /
		       all->unit;

	for (uint64_t n = from; n < end; n++) {
		const struct audit_place p = { site->array, (uint32_t)n,
					       phase };
		size_t known = all->places.count;
		uint32_t at = map_add(&all->places, &p, sizeof(p));
		struct seen *s;

		grow(&all->seen, &all->capacity, (size_t)at + 1,
		     sizeof(*all->seen));
		s = &all->seen[at];
		if (at == known)
			*s = (struct seen){ 0, 0, site->line };
		if (site->op == OP_ST)
			s->store = merge_warps(s->store, warp + 1);
		else
			s->load = merge_warps(s->load, warp + 1);
		if (races_at(s))
			return report_race(a, site, s->line);
	}
	return 0;
}

static int warp_races(const struct audit *a, struct races *all, size_t index)
{
	const struct trace_warp *w = trace_warp(a->t, index);
	struct trace_request r;
	uint32_t site, phase = 0;

	for (uint32_t n = 0; n < w->requests; n++) {
		const struct trace_site *s;

		if (trace_get_site(a->t, index, n, &site, a->e) < 0)
			return -1;
		s = &a->i->sites[site];
		phase += s->op == OP_BARRIER;
		if (s->op == OP_BARRIER || s->array == TRACE_NO_ARRAY ||
		    a->i->arrays[s->array].space != SPACE_SHARED)
			continue;
		if (trace_get_lanes(a->t, index, n, &r, a->e) < 0)
			return -1;
		all->unit = unit_accessed(a->i, s->array);
		for (uint32_t l = 0; l < WARP_LANES; l++)
			if (r.mask >> l & 1 &&
			    lane_races(a, all, &r, l, w->warp, phase) < 0)
				return -1;
		all->looks += WARP_LANES;
	}
	return 0;
}

/* Checks whether the warp passes each of its barriers with all lanes at once;
 * sets *whole. False with a->e for a damaged trace. */
static bool barriers_whole(const struct audit *a, size_t index, bool *whole)
{
	const struct trace_warp *w = trace_warp(a->t, index);
	uint32_t threads = a->i->block.x * a->i->block.y * a->i->block.z;
	uint32_t lanes = MIN(threads - w->warp * WARP_LANES, WARP_LANES);
	uint32_t all = lanes == WARP_LANES ? UINT32_MAX : (1u << lanes) - 1;
	struct trace_request r;
	uint32_t site;

	*whole = true;
	for (uint32_t n = 0; n < w->requests && *whole; n++) {
		if (trace_get_site(a->t, index, n, &site, a->e) < 0)
			return false;
		if (a->i->sites[site].op != OP_BARRIER)
			continue;
		if (trace_get_lanes(a->t, index, n, &r, a->e) < 0)
			return false;
		*whole = r.mask == all;
	}
	return true;
}

static int races_audit(const struct audit *a)
{
	struct races all = { .block = UINT32_MAX };
	bool whole = true;
	int rc = 0;

	if (!has_op(a->i, OP_ST) || !only_barriers(a->i))
		return 0;
	for (size_t w = 0; w < trace_warp_count(a->t) && rc == 0 &&
			   all.places.count < PLACES_MOST &&
			   all.looks < LOOKS_MOST; w++) {
		if (trace_warp(a->t, w)->block != all.block)
			map_done(&all.places);
		all.block = trace_warp(a->t, w)->block;
		if (!barriers_whole(a, w, &whole))
			rc = -1;
		if (rc || !whole)
			break;
		rc = warp_races(a, &all, w);
	}
	map_done(&all.places);
	free(all.seen);
	return rc;
}

int audit_trace(struct trace *t, struct error *e)
{
	const struct audit a = { t, trace_info(t), e };

	if (!is_faultless(a.i))
		return 0;
	return stop_audit(&a) < 0 || races_audit(&a) < 0 ||
	       answer_audit(&a) < 0 ? -1 : 0;
}
