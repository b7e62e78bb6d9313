/*
 * gemm_arguments: parameters, contents, the answer. See matrix.h.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/input.h"
#include "base/text.h"
#include "record/gemm_arguments.h"

/* Multiplications that checking the answer may take. */
#define COMPARE_MOST 20e9

/* ---- contents ---- */

/* A real of 16 bits: the bits of its fraction. */
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

static double real16_value(enum elem elem, uint16_t x)
{
	uint32_t word = x;
	double v = 0;

	element_value(elem, &word, 0, &v);
	return v;
}

static bool is_real16(enum elem e)
{
	return e == ELEM_F16 || e == ELEM_BF16;
}

static void element_set(const struct trace_array *a, void *to, uint64_t n,
			int v)
{
	void *p = (char *)to + n * a->elem_bytes;
	float f = (float)v;
	double d = v;
	int64_t i = v;
	uint16_t h;

	switch (a->elem) {
	case ELEM_F16:
	case ELEM_BF16:
		h = real16_round(a->elem, v);
		memcpy(p, &h, sizeof(h));
		break;
	case ELEM_F32:
		memcpy(p, &f, sizeof(f));
		break;
	case ELEM_F64:
		memcpy(p, &d, sizeof(d));
		break;
	default:
		if (a->elem_bytes <= sizeof(i))
			memcpy(p, &i, a->elem_bytes);
	}
}

void matrix_fill(const struct plan *p, const struct trace_array *array,
		 int matrix, void *to)
{
	const struct request *r = &p->request;
	uint64_t pitch = array->dims[1], n = array->dims[0] * pitch;
	uint64_t rows = (uint64_t)(matrix == MATRIX_A ? r->m : r->k);
	uint64_t columns = (uint64_t)(matrix == MATRIX_A ? r->k : r->n);

	if (matrix >= MATRIX_C) {
		memset(to, p->kernel ? 0xff : 0, n * array->elem_bytes);
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t row = i / pitch, col = i % pitch;
		bool inside = row < rows && col < columns;

		element_set(array, to, i, inside ?
			    input_at(r->seed, matrix, row * columns + col) : 0);
	}
}

int matrix_array(const struct plan *p, const struct argument *a,
		 struct trace_array *array, struct error *e)
{
	const struct debug_type *t = &a->var->type;

	*array = (struct trace_array) {
		.name = a->var->name,
		.space = SPACE_GLOBAL,
		.elem = t->elem,
		.elem_bytes = t->elem_bytes,
		.rank = 2,
		.dims = { (uint64_t)(a->matrix == MATRIX_B ? p->k : p->m),
			  (uint64_t)(a->matrix == MATRIX_A ? p->k : p->n) },
	};
	if (array->dims[0] * array->dims[1] * t->elem_bytes > UINT32_MAX / 2)
		return error_set(e, EXIT_USAGE, "%s of %" PRIu64 "x%" PRIu64
				 " elements is too large to be recorded",
				 text_show(array->name), array->dims[0],
				 array->dims[1]);
	return 0;
}

/* ---- parameters ---- */

/*
 * The words of a name: d_A, devA and matrix_a have two, the last of which is
 * A; numBColumns and n_cols_b have three.
 */
struct name_words {
	char letter;		/* the one word that is a letter, or 0 */
	bool rows, columns;
	bool more;		/* words that do not just say: a size */
};

static bool word_is_one_of(const char *word, size_t n,
			   const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == n && !strncasecmp(word, *words, n))
			return true;
	return false;
}

/* Where the word at s ends: before '_', a digit and the next capital. */
static size_t word_length(const char *s)
{
	size_t n = 1;

	while (isalpha((unsigned char)s[n]) &&
	       (!isupper((unsigned char)s[n]) ||
		(isupper((unsigned char)s[n - 1]) &&
		 !islower((unsigned char)s[n + 1]))))
		n++;
	return n;
}

/* Of several single letters, as in hA or d_A, the one that is among these. */
static struct name_words name_read(const char *name, const char *letters)
{
	static const char *const rows[] = { "h", "height", "row", "rows",
					    NULL };
	static const char *const columns[] = { "w", "width", "col", "cols",
					       "column", "columns", NULL };
	static const char *const size[] = { "dim", "ld", "len", "num", "size",
					    NULL };
	struct name_words w = { 0 };
	int count = 0;

	for (size_t n; *name; name += n) {
		n = 1;
		if (!isalpha((unsigned char)*name))
			continue;
		n = word_length(name);
		w.rows = w.rows || word_is_one_of(name, n, rows);
		w.columns = w.columns || word_is_one_of(name, n, columns);
		if (n == 1 && strchr(letters, toupper((unsigned char)*name))) {
			w.letter = (char)toupper((unsigned char)*name);
			count++;
		} else if (!word_is_one_of(name, n, size)) {
			w.more = true;
		}
	}
	if (count != 1)
		w.letter = 0;
	return w;
}

/* 0 for A, .. 3 for D; -1 for none of them. */
static int letter_of(const char *name)
{
	char letter = name_read(name, "ABCD").letter;

	return letter ? letter - 'A' : -1;
}

/* What a whole number of this name is, or 0. */
static int number_of(const struct plan *p, const char *name)
{
	struct name_words of = name_read(name, "ABC");
	struct name_words size = name_read(name, "MNK");
	char letter = size.more ? 0 : size.letter;

	if (!strcasecmp(name, "ldb") || !strcasecmp(name, "ldc"))
		return p->n;
	if (!strcasecmp(name, "lda"))
		return p->k;
	if (of.letter && of.rows != of.columns)
		return of.rows ? (of.letter == 'B' ? p->k : p->m) :
				 (of.letter == 'A' ? p->k : p->n);
	return letter == 'M' ? p->m : letter == 'N' ? p->n :
	       letter == 'K' ? p->k : 0;
}

static bool is_matrix(const struct debug_var *v)
{
	return v->parameter && (v->type.kind == DEBUG_POINTER ||
				v->type.kind == DEBUG_TENSOR_MAP);
}

/* The only matrix that the kernel may write to, where it has three: C
 * wherever it stands. NULL: there are others. */
static const struct debug_var *only_output(const struct debug_function *f)
{
	const struct debug_var *output = NULL;
	size_t inputs = 0;

	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];

		if (!is_matrix(v))
			continue;
		if (v->type.to_const)
			inputs++;
		else if (output)
			return NULL;
		else
			output = v;
	}
	return inputs == 2 ? output : NULL;
}

/* A bit for each letter of a matrix, when they all have one, each another; else
 * 0. */
static unsigned letters_of(const struct debug_function *f)
{
	unsigned seen = 0;

	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];
		int letter;

		if (!is_matrix(v))
			continue;
		letter = letter_of(v->name);
		if (letter < 0 || seen & 1u << letter)
			return 0;
		seen |= 1u << letter;
	}
	return seen;
}

/* True when some whole number has a name that says what it is: then those
 * that have none cannot be guessed. */
static bool integers_named(const struct plan *p,
			   const struct debug_function *f)
{
	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];

		if (v->parameter && v->type.kind == DEBUG_INTEGER &&
		    number_of(p, v->name))
			return true;
	}
	return false;
}

/* What the parameters seen so far stood for. */
struct naming {
	const struct plan *plan;
	const struct debug_function *entry;
	unsigned letters;		/* of the matrices; 0: by position */
	bool integers;			/* by name; else by position */
	const struct debug_var *output;
	int next_pointer, next_integer;
};

static int argument_pointer(struct naming *n, struct argument *a,
			    struct error *e)
{
	if (n->letters)
		a->matrix = letter_of(a->var->name);
	else
		a->matrix = a->var == n->output ? MATRIX_C :
						  n->next_pointer++;
	if (n->letters >> MATRIX_ADDED && a->matrix >= MATRIX_C)
		a->matrix = a->matrix == MATRIX_C ? MATRIX_ADDED : MATRIX_C;
	if (n->letters || a->matrix <= MATRIX_C)
		return 0;
	return error_set(e, EXIT_USAGE, "%s has more arrays than A, B and C: "
			 "what %s holds is not known", text_show(n->entry->name),
			 text_show(a->var->name));
}

static int argument_integer(struct naming *n, struct argument *a,
			    struct error *e)
{
	const struct plan *p = n->plan;
	const int in_order[] = { p->m, p->n, p->k };
	int known = number_of(p, a->var->name);

	if (!n->integers && n->next_integer < 3)
		known = in_order[n->next_integer++];
	else if (!n->integers)
		known = 0;
	if (!known)
		return error_set(e, EXIT_USAGE, "what the parameter %s of %s "
				 "is, is not known: M, N, K, lda, ldb and ldc "
				 "are", text_show(a->var->name),
				 text_show(n->entry->name));
	a->value = (uint64_t)known;
	return 0;
}

/* alpha is 1, beta 0. */
static void argument_real(struct argument *a)
{
	double d = strcasecmp(a->var->name, "beta") ? 1.0 : 0.0;
	float f = (float)d;

	if (is_real16(a->var->type.elem))
		a->value = real16_round(a->var->type.elem, d);
	else if (a->var->type.bytes == sizeof(f))
		memcpy(&a->value, &f, sizeof(f));
	else
		memcpy(&a->value, &d, sizeof(d));
}

static int argument_read(struct naming *n, struct argument *a, struct error *e)
{
	switch (a->var->type.kind) {
	case DEBUG_POINTER:
	case DEBUG_TENSOR_MAP:
		return argument_pointer(n, a, e);
	case DEBUG_INTEGER:
		return argument_integer(n, a, e);
	case DEBUG_REAL:
		argument_real(a);
		return 0;
	default:
		return error_set(e, EXIT_USAGE, "the parameter %s of %s is no "
				 "number and no pointer",
				 text_show(a->var->name),
				 text_show(n->entry->name));
	}
}

int matrix_arguments(const struct plan *p, const struct debug_function *entry,
		     struct argument *arguments, struct error *e)
{
	struct naming n = { p, entry, letters_of(entry),
			    integers_named(p, entry), only_output(entry), 0,
			    0 };
	int count = 0;

	for (size_t i = 0; i < entry->var_count; i++) {
		if (!entry->vars[i].parameter)
			continue;
		if (count >= MATRIX_ARGUMENTS)
			return error_set(e, EXIT_USAGE, "%s has more than %d "
					 "parameters", text_show(entry->name),
					 MATRIX_ARGUMENTS);
		arguments[count] = (struct argument) { &entry->vars[i], -1, 0 };
		if (argument_read(&n, &arguments[count], e) < 0)
			return -1;
		count++;
	}
	return count;
}

/* ---- the answer ---- */

static double element(const struct matrix *x, uint64_t i)
{
	if (is_real16(x->elem))
		return real16_value(x->elem, ((const uint16_t *)x->at)[i]);
	return ((const float *)x->at)[i];
}

/* The first of them as float64. */
static double *elements(const struct matrix *x, uint64_t count)
{
	double *v = xcalloc(count, sizeof(*v));

	for (uint64_t i = 0; i < count; i++)
		v[i] = element(x, i);
	return v;
}

/* One row of A B in float64, rounded as C's elements are. */
static void reference_row(const struct plan *p, enum elem c, const double *a,
			  const double *b, double *sums)
{
	uint64_t n = (uint64_t)p->n, k = (uint64_t)p->k;

	memset(sums, 0, n * sizeof(*sums));
	for (uint64_t i = 0; i < k; i++)
		for (uint64_t j = 0; j < n; j++)
			sums[j] += a[i] * b[i * n + j];
	for (uint64_t j = 0; is_real16(c) && j < n; j++)
		sums[j] = real16_value(c, real16_round(c, sums[j]));
}

/* A kernel of A, B, C and N alone may add vectors. */
static bool product_meant(const struct debug_function *entry)
{
	const struct plan names = { .m = 1, .n = 2, .k = 3 };
	const unsigned three = 1u << MATRIX_ADDED;
	bool inner = false;

	for (size_t i = 0; i < entry->var_count; i++) {
		const struct debug_var *v = &entry->vars[i];

		inner = inner || (v->parameter &&
				  v->type.kind == DEBUG_INTEGER &&
				  number_of(&names, v->name) == names.k);
	}
	return inner && letters_of(entry) % three == three - 1;
}

bool matrix_comparable(const struct plan *p, const struct debug_function *entry)
{
	return (p->kernel || product_meant(entry)) &&
	       (double)p->m * p->n * p->k <= COMPARE_MOST;
}

/* A reader's kernel that leaves nearly all of C as it was has other things to
 * do. */
static bool is_filled(const struct plan *p, const struct matrix *c)
{
	uint64_t all = (uint64_t)p->m * (uint64_t)p->n, filled = 0;

	for (uint64_t i = 0; i < all; i++)
		filled += element(c, i) != 0;
	return filled >= all / 8;
}

struct difference {
	uint64_t bad, first;	/* elements; the first of them */
	double want, got;	/* there */
};

/* A and B are stored by rows; so is C, or else by columns. */
static struct difference differ(const struct plan *p, const double *a,
				const double *b, const struct matrix *c,
				bool columns)
{
	uint64_t m = (uint64_t)p->m, n = (uint64_t)p->n;
	struct difference d = { 0 };
	double *sums = xcalloc(n, sizeof(*sums));

	for (uint64_t row = 0; row < m; row++) {
		reference_row(p, c->elem, a + row * (uint64_t)p->k, b, sums);
		for (uint64_t j = 0; j < n; j++) {
			double got = element(c, columns ? j * m + row :
							  row * n + j);

			if (got == sums[j])
				continue;
			if (d.bad++ == 0) {
				d.first = row * n + j;
				d.want = sums[j];
				d.got = got;
			}
		}
	}
	free(sums);
	return d;
}

/* What is stored by columns, by rows. */
static double *turned(const double *x, uint64_t rows, uint64_t columns)
{
	double *v = xcalloc(rows * columns, sizeof(*v));

	for (uint64_t i = 0; i < rows * columns; i++)
		v[i] = x[i % columns * rows + i / columns];
	return v;
}

/* Whether a reader's kernel has A, B or both stored by columns; C is only where
 * they are, as in BLAS. */
static bool is_turned(const struct plan *p, const double *a, const double *b,
		      const struct matrix *c)
{
	uint64_t k = (uint64_t)p->k;
	double *at = turned(a, (uint64_t)p->m, k);
	double *bt = turned(b, k, (uint64_t)p->n);
	bool right = differ(p, at, b, c, false).bad == 0 ||
		     differ(p, a, bt, c, false).bad == 0 ||
		     differ(p, at, bt, c, false).bad == 0 ||
		     differ(p, at, bt, c, true).bad == 0;

	free(at);
	free(bt);
	return right;
}

/* What a reader's kernel of these arguments is taken for is only a guess. */
static struct trace_finding wrong_element(const struct plan *p,
					  const struct matrix *c,
					  const struct difference *d)
{
	return (struct trace_finding) {
		.cause = isnan(d->got) ? CAUSE_NO_NUMBER : CAUSE_WRONG_ELEMENT,
		.offset = (int64_t)(d->first *
				    (is_real16(c->elem) ? sizeof(uint16_t) :
							  sizeof(float))),
		.word = p->kernel ? NULL : "A B",
		.number = { d->bad, (uint64_t)p->m * (uint64_t)p->n },
		.expected = d->want, .got = d->got,
	};
}

bool matrix_compare(const struct plan *p, const struct matrix x[MATRIX_C + 1],
		    struct trace_finding *wrong)
{
	uint64_t k = (uint64_t)p->k;
	struct difference d;
	double *a, *b;
	bool right;

	for (int i = 0; i <= MATRIX_C; i++)
		if (x[i].elem != ELEM_F32 && !is_real16(x[i].elem))
			return true;
	if (!p->kernel && !is_filled(p, &x[MATRIX_C]))
		return true;
	a = elements(&x[MATRIX_A], (uint64_t)p->m * k);
	b = elements(&x[MATRIX_B], k * (uint64_t)p->n);
	d = differ(p, a, b, &x[MATRIX_C], false);
	right = d.bad == 0 ||
		(!p->kernel && is_turned(p, a, b, &x[MATRIX_C]));
	free(a);
	free(b);
	if (!right)
		*wrong = wrong_element(p, &x[MATRIX_C], &d);
	return right;
}
