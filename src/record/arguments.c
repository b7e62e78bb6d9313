/*
 * arguments: see arguments.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "record/leading.h"
#include "record/contents.h"
#include "record/user_hints.h"

/* ---- names ---- */

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

/* Returns the length of the word at s, which ends before '_', a digit or the
 * next capital. */
static size_t name_word_length(const char *s)
{
	size_t n = 1;

	while (isalpha((unsigned char)s[n]) &&
	       (!isupper((unsigned char)s[n]) ||
		(isupper((unsigned char)s[n - 1]) &&
		 !islower((unsigned char)s[n + 1]))))
		n++;
	return n;
}

/* Splits a name into its known words. A single letter, as in hA or d_A, counts
 * if it is one of `letters`. */
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
		n = name_word_length(name);
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

/* Tests whether a list of words, separated by spaces, contains this one. */
static bool words_have(const char *words, const char *word, size_t n)
{
	for (const char *s = words; *s; s++)
		if (s[0] == ' ' && !strncasecmp(s + 1, word, n) &&
		    s[1 + n] == ' ')
			return true;
	return false;
}

/* Finds the array that a word of the name denotes; -1 when none or several are
 * denoted. */
static int array_by_name(const struct problem *p, const char *name)
{
	unsigned found = 0;

	for (size_t n; *name; name += n) {
		n = 1;
		if (!isalpha((unsigned char)*name))
			continue;
		n = name_word_length(name);
		for (int i = 0; i < PROBLEM_ARRAYS && p->arrays[i].name; i++)
			if (words_have(p->arrays[i].words, name, n))
				found |= 1u << i;
	}
	return found && !(found & (found - 1)) ? __builtin_ctz(found) : -1;
}

/* Returns the size, 'm', 'n' or 'k', that a whole number of this name is; 0
 * when its name tells nothing. */
static char size_by_name(const struct problem *p, const char *name)
{
	struct name_words of = name_read(name, "ABC");
	struct name_words size = name_read(name, "MNK");
	char letter = size.more ? 0 : size.letter;
	bool two = !strchr(p->order, 'k');
	int leading = leading_matrix(name);

	if (leading >= 0)
		return two ? 'n' : leading_size(leading, 0);
	if (two && !letter && of.rows != of.columns)
		return of.rows ? 'm' : 'n';
	if (of.letter && of.rows != of.columns)
		return of.rows ? (of.letter == 'B' ? 'k' : 'm') :
				 (of.letter == 'A' ? 'k' : 'n');
	return letter && strchr("MNK", letter) ? (char)tolower(letter) : 0;
}

/* ---- which parameter is which array ---- */

/* Tests whether the parameter is a pointer or a tensor map. */
bool argument_is_array(const struct debug_var *v)
{
	return v->parameter && (v->type.kind == DEBUG_POINTER ||
				v->type.kind == DEBUG_TENSOR_MAP);
}

/* Counts the arrays that every kernel of the problem has. */
static int required_arrays(const struct problem *p)
{
	int n = 0;

	while (n < PROBLEM_ARRAYS && p->arrays[n].name &&
	       !p->arrays[n].optional)
		n++;
	return n;
}

/* Finds the only array that the kernel may write, in a kernel with as many
 * arrays as the problem: it is the output, whatever its position. NULL when
 * there are several. */
static const struct debug_var *only_output(const struct problem *p,
					   const struct debug_var *const *vars,
					   int count)
{
	const struct debug_var *output = NULL;
	int inputs = 0;

	for (int i = 0; i < count; i++) {
		if (vars[i]->type.to_const)
			inputs++;
		else if (output)
			return NULL;
		else
			output = vars[i];
	}
	return inputs == required_arrays(p) - 1 ? output : NULL;
}

/* Returns a bit for each array that a name denotes, when each name denotes
 * another one; else 0. */
static unsigned arrays_named(const struct problem *p,
			     const struct debug_var *const *vars, int count)
{
	unsigned seen = 0;

	for (int i = 0; i < count; i++) {
		int array = array_by_name(p, vars[i]->name);

		if (array < 0 || seen & 1u << array)
			return 0;
		seen |= 1u << array;
	}
	return seen;
}

/*
 * Assigns the arrays of a kernel with an unknown problem and more arrays than a
 * product: the first two inputs and outputs like a product's, the rest as
 * inputs. A const array is an input; where none is const, all but the last are.
 */
static void arrays_many(const struct debug_var *const *vars, int count,
			int *array)
{
	int last = problem_output(&problem_unknown), in = 0, out = last;
	int more = PROBLEM_ARRAYS;
	bool any_const = false;

	for (int i = 0; i < count; i++)
		any_const = any_const || vars[i]->type.to_const;
	for (int i = 0; i < count; i++) {
		bool output = any_const ? !vars[i]->type.to_const :
					  i == count - 1;

		if (output && out < PROBLEM_ARRAYS)
			array[i] = out++;
		else if (!output && in < last)
			array[i] = in++;
		else
			array[i] = more++;
	}
}

/* Assigns a problem's array to each of these parameters; PROBLEM_ARRAYS or more
 * to one too many. */
static void arrays_number(const struct problem *p,
			  const struct debug_var *const *vars, int count,
			  int *array)
{
	unsigned named = arrays_named(p, vars, count);
	const struct debug_var *output = only_output(p, vars, count);
	int last = problem_output(p), next = 0;
	/* What is added takes the output's name where there is one more. */
	bool added = last + 1 < PROBLEM_ARRAYS && named >> (last + 1) & 1;

	if (p == &problem_unknown && !named && count > required_arrays(p)) {
		arrays_many(vars, count, array);
		return;
	}
	for (int i = 0; i < count; i++) {
		if (!named) {
			array[i] = vars[i] == output ? last : next++;
			if (array[i] > last)
				array[i] = PROBLEM_ARRAYS;
			continue;
		}
		array[i] = array_by_name(p, vars[i]->name);
		if (added && array[i] >= last)
			array[i] = array[i] == last ? last + 1 : last;
	}
}

/* Lists the kernel's arrays, at most ARGUMENTS_MOST. */
static int arrays_list(const struct debug_function *f,
		       const struct debug_var **vars)
{
	int count = 0;

	for (size_t i = 0; i < f->var_count && count < ARGUMENTS_MOST; i++)
		if (argument_is_array(&f->vars[i]))
			vars[count++] = &f->vars[i];
	return count;
}

bool arguments_fit(const struct problem *problem,
		   const struct argument *arguments, int count,
		   int argument[PROBLEM_ARRAYS])
{
	const struct debug_var *vars[ARGUMENTS_MOST] = { NULL };
	int at[ARGUMENTS_MOST], array[ARGUMENTS_MOST], arrays = 0;

	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		argument[i] = -1;
	for (int i = 0; i < count; i++)
		if (arguments[i].array >= 0) {
			at[arrays] = i;
			vars[arrays++] = arguments[i].var;
		}
	arrays_number(problem, vars, arrays, array);
	for (int i = 0; i < arrays; i++) {
		if (array[i] >= PROBLEM_ARRAYS || argument[array[i]] >= 0)
			return false;
		argument[array[i]] = at[i];
	}
	for (int i = 0; i < required_arrays(problem); i++)
		if (argument[i] < 0)
			return false;
	return problem->row != NULL;
}

const struct problem_array *argument_role(const struct plan *p,
					  const struct argument *a)
{
	static const struct problem_array input = {
		.name = "", .words = "", .rows = 'm', .columns = 'n',
	};

	return a->array < PROBLEM_ARRAYS ? &p->problem->arrays[a->array] :
					   &input;
}

/* ---- which problem ---- */

/* Tests whether names prove the problem: all arrays and the size that decides
 * are named. (A kernel of A, B, C and N alone may add vectors.) */
static bool is_surely(const struct problem *p, const struct debug_function *f)
{
	const struct debug_var *vars[ARGUMENTS_MOST] = { NULL };
	unsigned all = (1u << required_arrays(p)) - 1;
	int count = arrays_list(f, vars);
	bool size = false;

	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];

		size = size || (v->parameter && v->type.kind == DEBUG_INTEGER &&
				size_by_name(p, v->name) == p->surely);
	}
	return p->surely && size && (arrays_named(p, vars, count) & all) == all;
}

bool arguments_product(const struct debug_function *f, const int64_t *values,
		       struct problem_sizes *size)
{
	const struct problem *p = &problem_gemm;
	struct said_sizes said = { .contrary = false };

	if (!is_surely(p, f))
		return false;
	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];
		char known = v->parameter && v->type.kind == DEBUG_INTEGER ?
				     size_by_name(p, v->name) :
				     0;

		if (known)
			said_note(&said, known, v->name, values[i]);
	}
	if (!said_are_whole(&said))
		return false;
	for (int i = 0; i < 3; i++)
		if (said.of[i] < 1 || said.of[i] > INT32_MAX)
			return false;
	*size = (struct problem_sizes){ (int)said.of[0], (int)said.of[1],
					(int)said.of[2] };
	return true;
}

/* Returns the value of a whole number; 0 if it is no size. */
static int size_of_argument(const struct argument *a)
{
	int unused = 64 - 8 * (int)MIN(MAX(a->var->type.bytes, 1), 8);
	uint64_t v = a->value[0] << unused >> unused;

	return v && v <= INT32_MAX ? (int)v : 0;
}

bool arguments_sizes(const struct problem *p, const struct argument *arguments,
		     int count, struct problem_sizes *size)
{
	struct said_sizes s = { .contrary = false };
	int said = 0;
	bool named = false;
	size_t next = 0;

	for (int i = 0; i < count; i++)
		named = named ||
			(arguments[i].var->type.kind == DEBUG_INTEGER &&
			 size_by_name(p, arguments[i].var->name));
	for (int i = 0; i < count; i++) {
		const struct debug_var *v = arguments[i].var;
		char known;

		if (v->type.kind != DEBUG_INTEGER || v->type.is_bool)
			continue;
		known = named ? size_by_name(p, v->name) :
			next < strlen(p->order) ? p->order[next++] : 0;
		if (!known)
			continue;
		said_note(&s, known, v->name, size_of_argument(&arguments[i]));
		said = said ? said : size_of_argument(&arguments[i]);
	}
	if (!strchr(p->order, 'k'))
		s.of[1] = s.of[1] ? s.of[1] : s.leading[0];
	else if (!said_are_whole(&s))
		return false;
	for (int i = 0; i < 3; i++)
		s.of[i] = s.of[i] ? s.of[i] : said;
	*size = (struct problem_sizes){ (int)s.of[0], (int)s.of[1],
					(int)s.of[2] };
	return said > 0;
}

bool arguments_real(const struct argument *a, const char *name, double *v)
{
	enum elem elem = a->var->type.elem;

	if (a->var->type.kind != DEBUG_REAL || strcasecmp(a->var->name, name))
		return false;
	if (a->var->type.bytes == sizeof(float))
		elem = ELEM_F32;
	else if (a->var->type.bytes == sizeof(double))
		elem = ELEM_F64;
	return contents_value(elem, a->value, 0, v);
}

bool arguments_matrix(const char *name, const struct problem_sizes *size,
		      uint64_t *rows, uint64_t *columns)
{
	int array = array_by_name(&problem_gemm, name);
	const struct problem_array *a = &problem_gemm.arrays[MAX(array, 0)];

	*rows = (uint64_t)problem_size(size, a->rows);
	*columns = (uint64_t)problem_size(size, a->columns);
	return array >= 0;
}

/* The name suggests it, and there are as many arrays. */
static bool is_suggested(const struct problem *p,
			 const struct debug_function *f)
{
	const struct debug_var *vars[ARGUMENTS_MOST] = { NULL };

	return p->hint && strcasestr(f->name, p->hint) &&
	       arrays_list(f, vars) == required_arrays(p);
}

static void problem_choose(struct plan *p, const struct debug_function *f)
{
	if (p->held)
		return;
	p->problem = &problem_unknown;
	for (size_t i = 0; i < problem_count; i++) {
		if (is_surely(problems[i], f)) {
			p->problem = problems[i];
			p->held = true;
			return;
		}
		if (is_suggested(problems[i], f))
			p->problem = problems[i];
	}
}

/* ---- the arguments ---- */

/* Tests whether the name of any whole number tells what it is; then the others
 * cannot be guessed. */
static bool integers_named(const struct problem *p,
			   const struct debug_function *entry)
{
	for (size_t i = 0; i < entry->var_count; i++) {
		const struct debug_var *v = &entry->vars[i];

		if (v->parameter && v->type.kind == DEBUG_INTEGER &&
		    size_by_name(p, v->name))
			return true;
	}
	return false;
}

/* What the parameters seen so far stood for. */
struct naming {
	struct plan *plan;
	const struct debug_function *entry;
	size_t parameter;		/* its number */
	int array[ARGUMENTS_MOST];	/* of each parameter that is one */
	int next_array;
	uint32_t taken;	/* sizes that the text's launch has passed */
	bool integers;			/* by name; else by position */
	size_t next_integer;
};

static int argument_array(struct naming *n, struct argument *a,
			  struct error *e)
{
	const struct problem *p = n->plan->problem;
	char names[64] = "";

	a->array = n->array[n->next_array++];
	if (a->array < PROBLEM_ARRAYS || p == &problem_unknown)
		return 0;
	for (int i = 0; i < required_arrays(p); i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names),
			 "%s%s",
			 i == 0			    ? "" :
			 i + 1 < required_arrays(p) ? ", " :
						      " and ",
			 p->arrays[i].name);
	return error_set(e, EXIT_USAGE, "%s has more arrays than %s: the "
			 "contents of %s are unknown",
			 text_show(n->entry->name), names,
			 text_show(a->var->name));
}

static bool is_beta(const char *name)
{
	return !strcasecmp(name, "beta");
}

/* Tests for the name of a factor: alpha or beta. */
static bool is_factor(const char *name)
{
	return is_beta(name) || !strcasecmp(name, "alpha");
}

/* Returns what the launch in the text passes for this parameter, if its value
 * is shown; else NULL. */
static const struct shown_passed *argument_passed(const struct naming *n)
{
	const struct plan *p = n->plan;

	return n->parameter < p->passed_count && p->passed[n->parameter].known ?
		       &p->passed[n->parameter] :
		       NULL;
}

/* Sets the size that the launch in the text passes. */
static void take_passed_size(struct naming *n, char known, double v)
{
	struct problem_sizes *s = &n->plan->job.size;

	if (n->taken & size_bit(known) || v < 1 || v > SIZE_MAX_MNK)
		return;
	n->taken |= size_bit(known);
	*(known == 'm' ? &s->m : known == 'n' ? &s->n : &s->k) = (int)v;
	n->plan->size = *s;
}

/* Takes a whole number from the launch in the text. A size is the user's if
 * they gave it, and the grid's if they gave that. `known`: the size that it is,
 * or 0; `named`: its name says so. */
static bool take_integer(struct naming *n, struct argument *a, char known,
			 bool named)
{
	const struct shown_passed *passed = argument_passed(n);
	const struct job *job = &n->plan->job;

	if (!passed || (known && (!(job->kernel.shown & SHOWN_GRID) ||
				  !(job->open & size_bit(known)) ||
				  ((passed->sized || n->plan->resized) &&
				   *passed->name))))
		return false;
	a->value[0] = (uint64_t)(int64_t)passed->value;
	a->decided = DECIDED_LAUNCH;
	if (known && (named || *passed->name)) {
		a->size = known;
		take_passed_size(n, known, passed->value);
	}
	return true;
}

static int argument_integer(struct naming *n, struct argument *a,
			    struct error *e)
{
	const struct problem *p = n->plan->problem;
	const char *name = a->var->name;
	char known = size_by_name(p, name);
	int leading = leading_matrix(name);
	bool named = known;

	if (a->var->type.is_bool) {
		take_integer(n, a, 0, false);
		return 0;
	}
	if (leading >= 0 && n->plan->by_columns)
		known = leading_size(leading, n->plan->by_columns);
	a->decided = DECIDED_NAME;
	if (!known && is_factor(name)) {
		if (!take_integer(n, a, 0, false))
			a->value[0] = !is_beta(name);
		return 0;
	}
	if (!n->integers)
		a->decided = DECIDED_POSITION;
	if (!n->integers && n->next_integer < strlen(p->order))
		known = p->order[n->next_integer++];
	else if (!n->integers)
		known = 0;
	if (take_integer(n, a, known, named))
		return 0;
	if (!known)
		return error_set(e, EXIT_USAGE, "unknown parameter %s of %s "
				 "(known are M, N, K, lda, ldb and ldc): set "
				 "it with --arg %s=VALUE", text_show(name),
				 text_show(n->entry->name), text_show(name));
	a->value[0] = (uint64_t)problem_size(&n->plan->size, known);
	a->size = known;
	return 0;
}

static void argument_factor(const struct naming *n, struct argument *a)
{
	const struct shown_passed *passed = argument_passed(n);

	if (passed && a->var->type.kind == DEBUG_REAL) {
		argument_reals(a, passed->value);
		a->decided = DECIDED_LAUNCH;
		return;
	}
	argument_reals(a, is_beta(a->var->name) ? 0 : 1);
	if (is_factor(a->var->name))
		a->decided = DECIDED_NAME;
}

static int argument_read(struct naming *n, struct argument *a, struct error *e)
{
	const char *given = job_defined(&n->plan->job.args, a->var->name);

	if (given && !argument_is_array(a->var)) {
		a->decided = DECIDED_GIVEN;
		return user_hints_value(a, given, e);
	}
	switch (a->var->type.kind) {
	case DEBUG_POINTER:
	case DEBUG_TENSOR_MAP:
		return argument_array(n, a, e);
	case DEBUG_INTEGER:
		return argument_integer(n, a, e);
	case DEBUG_REAL:
		argument_factor(n, a);
		return 0;
	default:
		if (argument_is_vector(&a->var->type)) {
			argument_factor(n, a);
			return 0;
		}
		return error_set(e, EXIT_USAGE, "the parameter %s of %s is "
				 "neither a number nor a pointer",
				 text_show(a->var->name),
				 text_show(n->entry->name));
	}
}

/* ---- one dimension ---- */

/* Tests whether blocks and threads are counted along x alone. */
static bool is_along_x(const struct plan *p)
{
	return p->grid.y * p->grid.z * p->block.y * p->block.z == 1;
}

/* Returns the only size that the kernel's parameters get, or 0. */
static char only_size(const struct argument *arguments, int count)
{
	char only = 0;

	for (int i = 0; i < count; i++) {
		char size = arguments[i].size;

		if (size && only && only != size)
			return 0;
		only = size ? size : only;
	}
	return only;
}

/* Tests whether the kernel's arrays have one dimension: nothing says that they
 * are matrices, nor did the user give M, N and K. */
static bool is_one_dimensional(const struct plan *p,
			       const struct argument *arguments, int count)
{
	bool none = true;

	for (int i = 0; i < count; i++)
		none = none && !arguments[i].size;
	return !p->kernel && !p->held && p->problem == &problem_unknown &&
	       p->job.open && is_along_x(p) &&
	       (none || only_size(arguments, count));
}

/* Elements of an array of one dimension, if its size is less. */
#define FLAT_MOST 4096

/* Gives arrays of one dimension as many elements as a matrix would have, but no
 * more than FLAT_MOST or the kernel's size. */
static void flatten_arrays(const struct plan *p, struct argument *arguments,
			   int count)
{
	char only = only_size(arguments, count);
	int size = only ? problem_size(&p->size, only) : 0;

	for (int i = 0; i < count; i++) {
		struct argument *a = &arguments[i];
		const struct problem_array *of;

		if (a->array < 0 || a->dims[0])
			continue;
		of = argument_role(p, a);
		a->dims[0] = (uint64_t)problem_size(&p->size, of->rows) *
			     (uint64_t)problem_size(&p->size, of->columns);
		a->dims[0] = MIN(a->dims[0], (uint64_t)MAX(size, FLAT_MOST));
	}
}

/* ---- who decided ---- */

static bool is_integer_elem(enum elem e)
{
	return e >= ELEM_I8 && e <= ELEM_U64;
}

/* Tests whether the problem decides how large the arrays are: it is known, and
 * the user gave no sizes. */
static bool arrays_sized(const struct plan *p, bool held,
			 const struct argument *arguments, int count)
{
	for (int i = 0; i < count; i++)
		if (arguments[i].var->type.kind == DEBUG_INTEGER &&
		    job_defined(&p->job.args, arguments[i].var->name))
			return false;
	return held && p->problem->row;
}

/* Limits the values of a whole-number array in a kernel with an unknown
 * problem. They may be indices of another array, so none is negative or as
 * large as any of the launch's sizes. */
static void indices_assume(const struct plan *p, struct argument *a)
{
	const struct problem_array *of = argument_role(p, a);
	const struct problem_sizes *s = &p->size;

	if (a->filled || of->output || of->optional ||
	    !is_integer_elem(a->var->type.elem))
		return;
	a->filled = true;
	a->low = 0;
	a->high = MIN(MIN(MIN(s->m, s->n), s->k), INT8_MAX + 1) - 1;
}

static void arrays_decide(const struct plan *p, bool held,
			  struct argument *arguments, int count)
{
	bool sized = arrays_sized(p, held, arguments, count);

	for (int i = 0; i < count; i++) {
		struct argument *a = &arguments[i];

		if (a->array < 0)
			continue;
		a->decided = a->dims[0] ? DECIDED_GIVEN :
			     sized ? DECIDED_PROBLEM : DECIDED_ASSUMED;
		a->filled_by = a->filled ? DECIDED_GIVEN :
			       sized ? DECIDED_PROBLEM : DECIDED_ASSUMED;
		if (!sized)
			indices_assume(p, a);
	}
	if (!sized && is_one_dimensional(p, arguments, count))
		flatten_arrays(p, arguments, count);
}

int arguments_find(struct plan *p, const struct debug_function *entry,
		   struct argument *arguments, struct error *e)
{
	struct naming n = { .plan = p, .entry = entry };
	const struct debug_var *vars[ARGUMENTS_MOST] = { NULL };
	int count = arrays_list(entry, vars);
	bool held;

	problem_choose(p, entry);
	held = p->held;
	n.integers = integers_named(p->problem, entry);
	arrays_number(p->problem, vars, count, n.array);
	count = 0;
	for (size_t i = 0; i < entry->var_count; i++) {
		if (!entry->vars[i].parameter)
			continue;
		if (count >= ARGUMENTS_MOST)
			return error_set(e, EXIT_USAGE, "%s has more than %d "
					 "parameters", text_show(entry->name),
					 ARGUMENTS_MOST);
		n.parameter = (size_t)count;
		arguments[count] = (struct argument) {
			.var = &entry->vars[i], .array = -1,
			.decided = DECIDED_ASSUMED,
		};
		if (argument_read(&n, &arguments[count], e) < 0)
			return -1;
		count++;
	}
	if (user_hints_read(p, entry, arguments, count, e) < 0)
		return -1;
	arrays_decide(p, held, arguments, count);
	return count;
}
