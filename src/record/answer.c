/*
 * answer: see answer.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/answer.h"
#include "record/contents.h"

/* Floating-point operations that a reference may take. */
#define REFERENCE_MOST 40e9

/* ---- elements ---- */

/* Returns the bits of a whole number's type; 0 for another type. */
static int whole_bits(enum elem e)
{
	switch (e) {
	case ELEM_I8: case ELEM_U8:
		return 8;
	case ELEM_I16: case ELEM_U16:
		return 16;
	case ELEM_I32: case ELEM_U32:
		return 32;
	case ELEM_I64: case ELEM_U64:
		return 64;
	default:
		return 0;
	}
}

/* Returns the relative error of one operation in a kernel of such elements: it
 * may compute in their own type, and for wider ones in float. */
static double rounding_unit(enum elem e)
{
	return e == ELEM_F16 ? 0x1p-11 : e == ELEM_BF16 ? 0x1p-8 : 0x1p-24;
}

/* Returns the type to read elements as. Unsigned words hold negative inputs as
 * their remainder; read as signed, sums of products are right. */
static enum elem elem_read_as(enum elem e)
{
	return e == ELEM_U32 ? ELEM_I32 : e == ELEM_U64 ? ELEM_I64 : e;
}

/* Reads elements as doubles, on the heap; NULL for a type that is not
 * compared. */
static double *read_elements(enum elem elem, const void *from, uint64_t count)
{
	double *v = xcalloc(count, sizeof(*v));

	for (uint64_t i = 0; i < count; i++)
		if (!contents_value(elem_read_as(elem), from, i, &v[i])) {
			free(v);
			return NULL;
		}
	return v;
}

/* Transposes a matrix stored by columns to one stored by rows; heap. */
static double *transpose_columns(const double *x, uint64_t rows,
				 uint64_t columns)
{
	double *v = xcalloc(rows * columns, sizeof(*v));

	for (uint64_t i = 0; i < rows * columns; i++)
		v[i] = x[i % columns * rows + i / columns];
	return v;
}

/* ---- one problem's answer ---- */

/* An output beside its reference. */
struct trial {
	const struct problem *problem;
	struct problem_sizes size;
	int argument[PROBLEM_ARRAYS];
	double *rows[PROBLEM_ARRAYS];		/* inputs as they are stored */
	double *columns[PROBLEM_ARRAYS];	/* taken for stored by columns */
	enum elem elem;				/* of the output */
	double *got;
	double unit;
};

struct output_difference {
	uint64_t bad, first;	/* elements; the first of them */
	double want, got;	/* there */
};

static uint64_t array_rows(const struct trial *t, int array)
{
	return (uint64_t)problem_size(&t->size,
				      t->problem->arrays[array].rows);
}

static uint64_t array_columns(const struct trial *t, int array)
{
	return (uint64_t)problem_size(&t->size,
				      t->problem->arrays[array].columns);
}

/* Compares an element with its reference, so that NaN is wrong. Whole numbers
 * may differ by a multiple of 2^bits. */
static bool is_within_error(enum elem elem, double got, double want, double off)
{
	int bits = whole_bits(elem);

	if (bits)
		return fmod(got - want, ldexp(1, bits)) == 0;
	return got == want || fabs(got - want) <= off;
}

static struct output_difference compare_output(const struct trial *t,
					       const struct problem_form *form)
{
	struct problem_case c = { .size = t->size, .unit = t->unit };
	int output = problem_output(t->problem);
	uint64_t rows = array_rows(t, output),
		 columns = array_columns(t, output);
	double *want = xcalloc(columns, sizeof(*want));
	double *off = xcalloc(columns, sizeof(*off));
	struct output_difference d = { 0 };

	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		c.in[i] = form->by_columns >> i & 1 ? t->columns[i] :
						      t->rows[i];
	for (uint64_t i = 0; i < rows * columns; i++) {
		uint64_t row = i / columns, j = i % columns;
		double x = t->got[form->by_columns >> output & 1 ?
				  j * rows + row : i], w;

		if (j == 0)
			t->problem->row(&c, row, want, off);
		w = form->then ? form->then(want[j]) : want[j];
		w = contents_rounded(t->elem, w);
		if (is_within_error(t->elem, x, w, off[j]))
			continue;
		if (d.bad++ == 0) {
			d.first = i;
			d.want = w;
			d.got = x;
		}
	}
	free(want);
	free(off);
	return d;
}

/* Finds the form in which the output is right, or NULL. The table's kernels
 * have only the first form. */
static const struct problem_form *form_find(const struct trial *t, bool table)
{
	const struct problem_form *forms = t->problem->forms;
	size_t count = table ? 1 : PROBLEM_FORMS;

	for (size_t i = 0; i < count && forms[i].name; i++)
		if (compare_output(t, &forms[i]).bad == 0)
			return &forms[i];
	return NULL;
}

/* ---- what is compared ---- */

/* Frees the matrices of a comparison. */
static void trial_done(struct trial *t)
{
	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		free(t->rows[i]);
		free(t->columns[i]);
	}
	free(t->got);
}

/* Makes an input's elements as they were before the launch; NULL for a type
 * that is not compared. The caller frees them. */
static double *input_make(const struct answer *a, struct trial *t, int array)
{
	const struct argument *arg = &a->arguments[t->argument[array]];
	uint64_t count = array_rows(t, array) * array_columns(t, array);
	struct trace_array as;
	struct error e;
	double *v = NULL;
	void *bytes;

	if (contents_array(a->plan, arg, &as, &e) < 0)
		return NULL;
	bytes = xcalloc(count, as.elem_bytes);
	contents_fill(a->plan, arg, &as, bytes);
	v = read_elements(as.elem, bytes, count);
	free(bytes);
	return v;
}

static bool inputs_make(const struct answer *a, struct trial *t)
{
	const struct problem_array *arrays = t->problem->arrays;
	int bits = whole_bits(t->elem);

	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		enum elem elem;

		if (!arrays[i].name || arrays[i].output || arrays[i].optional)
			continue;
		elem = a->arguments[t->argument[i]].var->type.elem;
		if (elem != elem_read_as(elem) &&
		    (!bits || bits > whole_bits(elem)))
			return false;
		t->unit = MAX(t->unit, rounding_unit(elem));
		t->rows[i] = input_make(a, t, i);
		if (!t->rows[i])
			return false;
		t->columns[i] = transpose_columns(t->rows[i], array_rows(t, i),
						  array_columns(t, i));
	}
	return true;
}

/* Reads what is compared. A reason why nothing is, NULL: something is; -1 with
 * e in *rc. */
static const char *trial_make(const struct answer *a, struct trial *t, int *rc,
			      struct error *e)
{
	int output = problem_output(t->problem);
	int argument = t->argument[output];
	void *bytes;

	t->elem = a->arguments[argument].var->type.elem;
	t->unit = rounding_unit(t->elem);
	if (!inputs_make(a, t))
		return UNCHECKED_TYPES;
	/* The table's kernels add up in float, whatever their elements are. */
	if (a->plan->kernel)
		t->unit = 0x1p-24;
	bytes = a->fetch(a->ctx, argument, e);
	if (!bytes) {
		*rc = -1;
		return UNCHECKED_STOPPED;
	}
	t->got =
		read_elements(t->elem, bytes,
			      array_rows(t, output) * array_columns(t, output));
	free(bytes);
	return t->got ? NULL : UNCHECKED_TYPES;
}

/* Checks that the launch's arrays are as large as the problem's. */
static bool sizes_agree(const struct answer *a, const struct trial *t)
{
	const struct problem *bound = a->plan->problem;

	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		const struct problem_array *of;

		if (t->argument[i] < 0)
			continue;
		of = &bound->arrays[a->arguments[t->argument[i]].array];
		if (array_rows(t, i) * array_columns(t, i) !=
		    (uint64_t)problem_size(&t->size, of->rows) *
			    (uint64_t)problem_size(&t->size, of->columns))
			return false;
	}
	return true;
}

/* ---- what is said ---- */

/* Stores in info which problem was checked, and the result. */
static void check_set(struct trace_info *info, const struct problem *p,
		      const char *check)
{
	free(info->problem);
	free(info->check);
	info->problem = xstrdup(p->name);
	info->check = xstrdup(check);
}

static void wrong_say(const struct answer *a, const struct trial *t,
		      struct findings *f)
{
	struct output_difference d = compare_output(t, &t->problem->forms[0]);
	int output = problem_output(t->problem);
	struct trace_array array;
	struct error e;

	if (contents_array(a->plan, &a->arguments[t->argument[output]], &array,
			   &e) < 0)
		return;
	finding_add(
		f,
		&(struct trace_finding){
			.cause = isnan(d.got) ? CAUSE_NO_NUMBER :
						CAUSE_WRONG_ELEMENT,
			.offset = (int64_t)(d.first * array.elem_bytes),
			.word = a->plan->kernel ? NULL : t->problem->idea,
			.number = { d.bad, array_rows(t, output) *
						   array_columns(t, output) },
			.expected = d.want,
			.got = d.got,
		},
		&array);
}

/* Tests whether the kernel wrote at least an eighth of its output. A user's
 * kernel that leaves more of it unchanged has another purpose, unless its
 * problem was requested. */
static bool is_filled(const struct trial *t)
{
	int output = problem_output(t->problem);
	uint64_t all = array_rows(t, output) * array_columns(t, output),
		 filled = 0;

	for (uint64_t i = 0; i < all; i++)
		filled += t->got[i] != 0;
	return filled >= all / 8;
}

/* Compares the output with the problem. Returns a word for info's check. */
static const char *held_compare(const struct answer *a, const struct trial *t,
				struct findings *f)
{
	bool table = a->plan->kernel != NULL;
	const struct problem_form *form;

	if (!table && !a->plan->job.problem && !is_filled(t))
		return UNCHECKED_UNTOUCHED;
	form = form_find(t, table);
	if (!form) {
		wrong_say(a, t, f);
		form = &t->problem->forms[0];
	}
	return form->name;
}

/* ---- both kinds of kernels ---- */

/* Tests whether the reference would take too many operations. */
static bool is_large(const struct problem *p, const struct problem_sizes *s)
{
	return p->flops && p->flops(s->m, s->n, s->k) > REFERENCE_MOST;
}

static int held_check(const struct answer *a, struct trace_info *info,
		      struct findings *f, struct error *e)
{
	struct trial t = { a->plan->problem, a->plan->size, .got = NULL };
	const char *check = NULL;
	int rc = 0;

	if (!t.problem->row)
		check = UNCHECKED_UNKNOWN;
	else if (!arguments_fit(t.problem, a->arguments, a->count, t.argument))
		check = UNCHECKED_ARRAYS;
	else if (is_large(t.problem, &t.size))
		check = UNCHECKED_LARGE;
	if (!check)
		check = trial_make(a, &t, &rc, e);
	if (!check)
		check = held_compare(a, &t, f);
	check_set(info, t.problem, check);
	trial_done(&t);
	return rc;
}

static int any_check(const struct answer *a, struct trace_info *info,
		     struct error *e)
{
	const struct problem_form *form = NULL;
	int rc = 0;

	check_set(info, &problem_unknown, UNCHECKED_UNKNOWN);
	for (size_t i = 0; i < problem_count && !form && !rc; i++) {
		struct trial t = { problems[i], a->plan->size, .got = NULL };

		if (!arguments_fit(t.problem, a->arguments, a->count,
				   t.argument) ||
		    is_large(t.problem, &t.size) || !sizes_agree(a, &t))
			continue;
		if (!trial_make(a, &t, &rc, e))
			form = form_find(&t, false);
		if (form)
			check_set(info, t.problem, form->name);
		trial_done(&t);
	}
	return rc;
}

static bool any_grown(const struct answer *a)
{
	for (int i = 0; i < a->count; i++)
		if (a->arguments[i].decided == DECIDED_GROWN)
			return true;
	return false;
}

int answer_check(const struct answer *a, struct trace_info *info,
		 struct findings *f, struct error *e)
{
	const struct plan *p = a->plan;

	if (a->partial || a->tainted) {
		check_set(info, p->held ? p->problem : &problem_unknown,
			  a->tainted ? UNCHECKED_STOPPED : UNCHECKED_PARTIAL);
		return 0;
	}
	if (p->job.arrays.count || p->job.contents.count) {
		check_set(info, &problem_unknown, UNCHECKED_GIVEN);
		return 0;
	}
	if (any_grown(a)) {
		check_set(info, &problem_unknown, UNCHECKED_SIZES);
		return 0;
	}
	return p->held ? held_check(a, info, f, e) : any_check(a, info, e);
}
