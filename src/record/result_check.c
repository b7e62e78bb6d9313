/*
 * result_check: see answer.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/result_check.h"
#include "record/applied_function.h"
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
	/* What the output held before, as it is stored; its elements that
	 * still have all bits of that. */
	double *before;
	bool *untouched;
	double unit;
	bool whole, any;	/* as in struct problem_case */
	/* The reference times alpha, plus beta times what was there. */
	double alpha, beta;
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

/* Returns what problem.row() needs, with the inputs as the form stores them. */
static struct problem_case form_case(const struct trial *t,
				     const struct problem_form *form)
{
	struct problem_case c = { .size = t->size, .unit = t->unit,
				  .whole = t->whole, .any = t->any };

	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		c.in[i] = form->by_columns >> i & 1 ? t->columns[i] :
						      t->rows[i];
	return c;
}

static struct output_difference compare_output(const struct trial *t,
					       const struct problem_form *form)
{
	struct problem_case c = form_case(t, form);
	int output = problem_output(t->problem);
	uint64_t rows = array_rows(t, output),
		 columns = array_columns(t, output);
	double *want = xcalloc(columns, sizeof(*want));
	double *off = xcalloc(columns, sizeof(*off));
	struct output_difference d = { 0 };

	for (uint64_t i = 0; i < rows * columns; i++) {
		uint64_t row = i / columns, j = i % columns;
		uint64_t at = form->by_columns >> output & 1 ?
			      j * rows + row : i;
		double x = t->got[at], w;

		if (j == 0)
			t->problem->row(&c, row, want, off);
		w = t->alpha * (form->then ? form->then(want[j]) : want[j]);
		off[j] *= fabs(t->alpha);
		if (form->adds || t->beta != 0) {
			w += (form->adds ? 1 : t->beta) * t->before[at];
			off[j] += t->unit * 2 * fabs(w);
		}
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
		if ((!forms[i].adds || t->before) &&
		    compare_output(t, &forms[i]).bad == 0)
			return &forms[i];
	return NULL;
}

/* Tests whether the output is a function, which is not known, of each element in
 * a form of the problem. (Attention divides by the root of k.) */
static bool is_applied_to(const struct trial *t, const struct problem_form *form)
{
	struct problem_case c = form_case(t, form);
	int output = problem_output(t->problem);
	uint64_t rows = array_rows(t, output), columns = array_columns(t, output);
	double *want = xcalloc(rows * columns, sizeof(*want));
	double *off = xcalloc(rows * columns, sizeof(*off));
	double *got = form->by_columns >> output & 1 ?
			      transpose_columns(t->got, rows, columns) :
			      NULL;
	const double *x = got ? got : t->got;
	bool is;

	for (uint64_t row = 0; row < rows; row++)
		t->problem->row(&c, row, want + row * columns,
				off + row * columns);
	for (uint64_t i = 0; i < rows * columns; i++)
		off[i] += rounding_unit(t->elem) * fabs(x[i]);
	is = is_applied_function(want, x, off, rows * columns,
				 1 / sqrt(t->size.k));
	free(got);
	free(off);
	free(want);
	return is;
}

/* Tests whether a product has a function applied to each of its elements. */
static bool is_applied(const struct trial *t)
{
	const struct problem_form *forms = t->problem->forms;

	if (t->problem != &problem_gemm || t->beta != 0)
		return false;
	for (size_t i = 0; i < PROBLEM_FORMS && forms[i].name; i++)
		if (!forms[i].then && !forms[i].adds &&
		    is_applied_to(t, &forms[i]))
			return true;
	return false;
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
	free(t->before);
	free(t->untouched);
}

static bool is_whole_number(const double *v, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (v[i] != floor(v[i]) || fabs(v[i]) > 9)
			return false;
	return true;
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
		t->whole = t->whole && is_whole_number(t->rows[i], array_rows(t, i) *
							    array_columns(t, i));
		t->columns[i] = transpose_columns(t->rows[i], array_rows(t, i),
						  array_columns(t, i));
	}
	return true;
}

/* Notes what the output held before, and which elements are as they were. */
static void take_before(const struct answer *a, struct trial *t,
			const void *now)
{
	int output = problem_output(t->problem);
	const struct argument *arg = &a->arguments[t->argument[output]];
	uint64_t count = array_rows(t, output) * array_columns(t, output);
	struct trace_array as;
	struct error e;
	char *was;

	t->untouched = xcalloc(count + 1, sizeof(*t->untouched));
	if (contents_array(a->plan, arg, &as, &e) < 0)
		return;
	was = xcalloc(count, as.elem_bytes);
	contents_fill(a->plan, arg, &as, was);
	for (uint64_t i = 0; i < count; i++)
		t->untouched[i] = !memcmp(was + i * as.elem_bytes,
					  (const char *)now + i * as.elem_bytes,
					  as.elem_bytes);
	t->before = read_elements(as.elem, was, count);
	free(was);
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
	t->whole = true;
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
	take_before(a, t, bytes);
	free(bytes);
	return t->got ? NULL : UNCHECKED_TYPES;
}

/* Checks that the launch's arrays are as large as the problem's. */
static bool sizes_agree(const struct answer *a, const struct trial *t)
{
	const struct problem *bound = a->plan->problem;

	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		const struct problem_array *of;
		const struct argument *arg;

		if (t->argument[i] < 0)
			continue;
		arg = &a->arguments[t->argument[i]];
		if (arg->dims[0] &&
		    array_rows(t, i) * array_columns(t, i) != arg->dims[0])
			return false;
		of = &bound->arrays[arg->array];
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

/* Adds a finding on the first wrong element. `word`: what is expected, or NULL;
 * `adds`: the line in which the kernel adds to what the output held before, or
 * 0. */
static void wrong_say(const struct trial *t, const struct trace_array *array,
		      const char *word, struct findings *f, uint32_t adds)
{
	struct output_difference d = compare_output(t, &t->problem->forms[0]);
	int output = problem_output(t->problem);

	finding_add(
		f,
		&(struct trace_finding){
			.cause = adds	      ? CAUSE_ADDED_TO :
				 isnan(d.got) ? CAUSE_NO_NUMBER :
						CAUSE_WRONG_ELEMENT,
			.access.line = adds,
			.offset = (int64_t)(d.first * array->elem_bytes),
			.word = word,
			.number = { d.bad, array_rows(t, output) *
						   array_columns(t, output) },
			.expected = d.want,
			.got = d.got,
		},
		array);
}

/* ---- elements that nothing has written ---- */

/* The rows and columns of a matrix that have untouched elements. */
struct region {
	uint64_t first_row, last_row, first_column, last_column, count;
};

static struct region untouched_region(const struct trial *t)
{
	int output = problem_output(t->problem);
	uint64_t rows = array_rows(t, output),
		 columns = array_columns(t, output);
	struct region r = { rows, 0, columns, 0, 0 };

	for (uint64_t i = 0; i < rows * columns; i++) {
		if (!t->untouched[i])
			continue;
		r.first_row = MIN(r.first_row, i / columns);
		r.last_row = MAX(r.last_row, i / columns);
		r.first_column = MIN(r.first_column, i % columns);
		r.last_column = MAX(r.last_column, i % columns);
		r.count++;
	}
	return r;
}

/* Untouched elements of small whole numbers that are no accident. */
#define UNTOUCHED_LEAST 4

/* Tests whether all elements of the region's rows and columns are
 * untouched. */
static bool is_rectangle(const struct region *r, enum elem elem)
{
	if (whole_bits(elem) && whole_bits(elem) < 32 &&
	    r->count < UNTOUCHED_LEAST)
		return false;
	return r->count && r->count == (r->last_row - r->first_row + 1) *
				       (r->last_column - r->first_column + 1);
}

/* Adds a finding on the part of the output that nothing has written, if it is a
 * range of rows and columns. Returns its elements, or 0. */
static uint64_t untouched_say(const struct trial *t,
			      const struct trace_array *array,
			      struct findings *f)
{
	const struct region r = untouched_region(t);

	if (!is_rectangle(&r, t->elem))
		return 0;
	finding_add(f, &(struct trace_finding){
			    .cause = CAUSE_UNTOUCHED,
			    .offset = (int64_t)((r.first_row * array->dims[1] +
						 r.first_column) *
						array->elem_bytes),
			    .number = { r.first_row, r.last_row,
					r.first_column, r.last_column,
					r.count } }, array);
	return r.count;
}

/* ---- an output that is read ---- */

/* Returns whether line `line` of a text has a word that begins with
 * "atomic". */
static bool is_atomic_line(const char *text, uint32_t line)
{
	const char *end, *at;

	while (text && line-- > 1) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	end = text ? strchrnul(text, '\n') : NULL;
	at = text ? strstr(text, "atomic") : NULL;
	return at && at < end;
}

/* How a kernel reads its output: not at all, by atomics alone, or plainly. */
enum reading { READS_NOT, READS_ATOMICALLY, READS_PLAINLY };

static enum reading output_reading(const struct answer *a,
				   const struct trial *t,
				   const struct trace_info *info,
				   uint32_t *line)
{
	int argument = t->argument[problem_output(t->problem)];
	uint32_t array = info->arguments[argument].array;
	enum reading found = READS_NOT;

	(void)a;
	*line = 0;
	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		if (s->array != array || s->op != OP_LD)
			continue;
		if (!is_atomic_line(info->text, s->line)) {
			*line = s->line;
			return READS_PLAINLY;
		}
		found = READS_ATOMICALLY;
	}
	return found;
}

/* Compares the output with the problem. Sets *check to a word for info's check.
 * Returns ANSWER_AGAIN if the launch must be recorded again for that. */
static int held_compare(const struct answer *a, struct trial *t,
			const struct trace_info *info, struct findings *f,
			const char **check)
{
	bool table = a->plan->kernel != NULL;
	const struct problem_form *form = form_find(t, table);
	uint64_t untouched;
	uint32_t line = 0;
	enum reading reading;
	struct trace_array array;
	struct error e;

	reading = table ? READS_NOT : output_reading(a, t, info, &line);
	if (form && (!form->adds || reading == READS_ATOMICALLY)) {
		*check = form->name;
		return 0;
	}
	*check = t->problem->forms[0].name;
	if (reading && !a->plan->numbers && !a->plan->job.whole)
		return ANSWER_AGAIN;
	if (contents_array(a->plan, &a->arguments[t->argument[problem_output(
					    t->problem)]], &array, &e) < 0)
		return 0;
	if (!table && !a->plan->job.problem && is_applied(t)) {
		*check = UNCHECKED_APPLIED;
		return 0;
	}
	untouched = table ? 0 : untouched_say(t, &array, f);
	if (!untouched || compare_output(t, &t->problem->forms[0]).bad >
				  untouched)
		wrong_say(t, &array, table ? NULL : t->problem->idea, f,
			  form ? line : 0);
	return 0;
}

/* ---- both kinds of kernels ---- */

/* Tests whether the reference would take too many operations. */
static bool is_large(const struct problem *p, const struct problem_sizes *s)
{
	return p->flops && p->flops(s->m, s->n, s->k) > REFERENCE_MOST;
}

/* Takes the factors of the launch. */
static void take_factors(const struct answer *a, struct trial *t)
{
	t->alpha = 1;
	for (int i = 0; i < a->count; i++) {
		arguments_real(&a->arguments[i], "alpha", &t->alpha);
		arguments_real(&a->arguments[i], "beta", &t->beta);
	}
}

static int held_check(const struct answer *a, struct trace_info *info,
		      struct findings *f, struct error *e)
{
	struct trial t = { a->plan->problem, a->plan->size, .alpha = 1 };
	const char *check = NULL;
	int rc = 0;

	take_factors(a, &t);

	if (!t.problem->row)
		check = UNCHECKED_UNKNOWN;
	else if (!arguments_fit(t.problem, a->arguments, a->count, t.argument))
		check = UNCHECKED_ARRAYS;
	else if (is_large(t.problem, &t.size))
		check = UNCHECKED_LARGE;
	if (!check)
		check = trial_make(a, &t, &rc, e);
	if (!check)
		rc = held_compare(a, &t, info, f, &check);
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
		struct trial t = { problems[i], a->plan->size, .alpha = 1 };

		take_factors(a, &t);
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

/* ---- of a program's launch ---- */

/* Operations of a reference for one of a program's launches. */
#define CALL_REFERENCE_MOST 1e9
/* The relative error of a product of floats that tensor cores round to bfloat16,
 * in a sum of k of which problem_gemm.c allows k + 4. */
#define ROUNDED_UNIT 0x1p-8

static bool has_nan(const double *v, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (isnan(v[i]))
			return true;
	return false;
}

/* Reads the arrays of a call. NULL, or a word for info's check: why they are
 * not compared. */
static const char *call_take(const struct answer_call *c, struct trial *t)
{
	const struct problem_array *arrays = t->problem->arrays;
	int output = problem_output(t->problem);

	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		uint64_t count;

		if (!arrays[i].name || arrays[i].optional)
			continue;
		count = array_rows(t, i) * array_columns(t, i);
		t->unit = MAX(t->unit, rounding_unit(c->arrays[i].elem));
		if (i == output)
			continue;
		t->rows[i] = read_elements(c->arrays[i].elem, c->arrays[i].was,
					   count);
		if (!t->rows[i])
			return UNCHECKED_TYPES;
		if (has_nan(t->rows[i], count))
			return UNCHECKED_PROGRAM;
		t->columns[i] = transpose_columns(t->rows[i], array_rows(t, i),
						  array_columns(t, i));
	}
	t->got = read_elements(t->elem, c->arrays[output].now,
			       array_rows(t, output) *
				       array_columns(t, output));
	t->before = read_elements(t->elem, c->arrays[output].was,
				  array_rows(t, output) *
					  array_columns(t, output));
	return t->got && t->before ? NULL : UNCHECKED_TYPES;
}

static struct trace_array call_output(const struct answer_call *c,
				      const struct trial *t)
{
	int output = problem_output(t->problem);

	return (struct trace_array){
		.name = (char *)(uintptr_t)c->arrays[output].name,
		.space = SPACE_GLOBAL, .elem = t->elem,
		.elem_bytes = elem_size(t->elem), .rank = 2,
		.dims = { array_rows(t, output), array_columns(t, output) },
	};
}

static const char *call_compare(const struct answer_call *c, struct trial *t,
				struct findings *f)
{
	const struct problem_form *form = form_find(t, false);
	double unit = t->unit;
	struct trace_array array;

	if (form)
		return form->name;
	t->unit = MAX(unit, ROUNDED_UNIT / (t->size.k + 4));
	form = form_find(t, false);
	t->unit = unit;
	if (form)
		return UNCHECKED_ROUNDED;
	if (!c->asked && is_applied(t))
		return UNCHECKED_APPLIED;
	array = call_output(c, t);
	wrong_say(t, &array, t->problem->idea, f, 0);
	return t->problem->forms[0].name;
}

void answer_of_call(const struct answer_call *c, struct trace_info *info,
		    struct findings *f)
{
	struct trial t = { c->problem, c->size, .any = true,
			   .alpha = c->alpha, .beta = c->beta };
	const char *check = NULL;

	t.elem = c->arrays[problem_output(c->problem)].elem;
	if (t.problem->flops && t.problem->flops(t.size.m, t.size.n, t.size.k) >
					CALL_REFERENCE_MOST)
		check = UNCHECKED_LARGE;
	if (!check)
		check = call_take(c, &t);
	if (!check)
		check = call_compare(c, &t, f);
	check_set(info, t.problem, check);
	trial_done(&t);
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
