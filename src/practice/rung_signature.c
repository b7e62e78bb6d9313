/* rung_signature: the parameters of a rung's launch(), as its skeleton declares
 * them; those of a reference, as it does. */
#include "practice/rung_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/lang.h"
#include "base/text.h"

/* A parameter as it is declared. */
struct declared {
	char *name;
	bool pointer, constant;
};

/* Finds the words after NAME( in a text; false: it does not have it. */
static bool find_function(const char *text, const char *name,
			  struct cpp_text *after)
{
	struct cpp_text t = { text, strchr(text, '\0'), true, false };
	struct cpp_word w;

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		*after = t;
		if (cpp_is(&w, name) && cpp_next_code(after).kind == '(')
			return true;
	}
	return false;
}

/* Reads the parameters of the function up to its ')'; returns how many. */
static size_t read_declared(struct cpp_text t,
			    struct declared list[RUNG_ARGUMENTS])
{
	struct declared now = { NULL, false, false };
	struct cpp_word w;
	size_t count = 0;
	int depth = 1;

	while (depth > 0 && (w = cpp_next_code(&t)).kind) {
		depth += (w.kind == '(') - (w.kind == ')');
		if (w.kind == '*')
			now.pointer = true;
		else if (cpp_is(&w, "const"))
			now.constant |= !now.pointer;
		else if (w.kind == CPP_WORD && !cpp_is(&w, "__restrict__")) {
			free(now.name);
			now.name = xstrndup(w.at, w.length);
		} else if ((w.kind == ',' && depth == 1) || depth == 0) {
			if (now.name && count < RUNG_ARGUMENTS)
				list[count++] = now;
			else
				free(now.name);
			now = (struct declared){ NULL, false, false };
		}
	}
	free(now.name);
	return count;
}

/* Returns which size an integer is: by its name, else by its place among the
 * problem's. */
static char choose_size(const struct rung *r, const char *name, size_t nth)
{
	const char *order = r->problem ? r->problem->order : "mnk";
	char c = (char)tolower((unsigned char)*name);

	if (!name[1] && size_bit(c))
		return c;
	return nth < strlen(order) ? order[nth] : 0;
}

/* Takes the elements of an array that the directives give; an argument's own
 * name is then that of the directive. */
static char *take_count(struct rung *r, const struct rung_argument *given,
			const char *name)
{
	(void)r;
	for (size_t i = 0; i < RUNG_ARGUMENTS; i++)
		if (given[i].name && !strcmp(given[i].name, name))
			return xstrdup(given[i].count);
	return NULL;
}

/* Returns the number of the problem's array that is passed as the nth; -1: it
 * has no such one. */
static int nth_problem_array(const struct problem *p, size_t nth)
{
	for (int i = 0; i < PROBLEM_ARRAYS && p->arrays[i].name; i++)
		if (!p->arrays[i].optional && !nth--)
			return i;
	return -1;
}

static int add_array(struct rung_parser *p, const struct declared *d,
		     const struct rung_argument *given, size_t nth,
		     struct rung_argument *to)
{
	struct rung *r = p->rung;

	*to = (struct rung_argument) { .elem = given[nth].elem, .array = -1 };
	if (r->kind == RUNG_REFERENCE) {
		to->output = !d->constant;
		to->count = take_count(r, given, d->name);
		if (!to->count)
			return rung_fail(p, _("expected: array %s and how many "
					      "elements it has"),
					 text_show(d->name));
		return 0;
	}
	to->array = nth_problem_array(r->problem, nth);
	if (to->array < 0)
		return rung_fail(p, _("launch() has more arrays than the "
				      "problem %s"), r->problem->name);
	to->output = r->problem->arrays[to->array].output;
	return 0;
}

static int add_arguments(struct rung_parser *p, struct declared *list,
			 size_t count)
{
	struct rung_argument given[RUNG_ARGUMENTS];
	size_t arrays = 0, numbers = 0;
	struct rung *r = p->rung;
	int rc = 0;

	memcpy(given, r->arguments, sizeof(given));
	memset(r->arguments, 0, sizeof(r->arguments));
	for (size_t i = 0; i < count && rc == 0; i++) {
		struct rung_argument *a = &r->arguments[i];

		if (list[i].pointer)
			rc = add_array(p, &list[i], given, arrays++, a);
		else
			a->size = choose_size(r, list[i].name, numbers++);
		a->name = list[i].name;
		list[i].name = NULL;
		r->argument_count++;
		if (rc == 0 && !list[i].pointer && !a->size)
			rc = rung_fail(p, _("launch(): it is not known what %s "
					    "gets"), text_show(a->name));
	}
	for (size_t i = 0; i < RUNG_ARGUMENTS; i++) {
		free(given[i].name);
		free(given[i].count);
	}
	return rc;
}

int rung_signature(struct rung_parser *p)
{
	struct rung *r = p->rung;
	bool reference = r->kind == RUNG_REFERENCE;
	struct declared list[RUNG_ARGUMENTS] = { { NULL, false, false } };
	struct cpp_text after;
	size_t count;
	int rc;

	if (r->kind == RUNG_PROGRAM)
		return 0;
	for (size_t i = 0; i < RUNG_ARGUMENTS; i++)
		if (r->arguments[i].elem == ELEM_RAW)
			r->arguments[i].elem = ELEM_F32;
	if (!find_function(reference ? r->reference : r->skeleton,
			   reference ? "reference" : "launch", &after))
		return rung_fail(p, reference ?
				 _("expected a function reference() in the "
				   "block `cuda reference`") :
				 _("expected a function launch() in the "
				   "skeleton"));
	count = read_declared(after, list);
	rc = add_arguments(p, list, count);
	for (size_t i = 0; i < count; i++)
		free(list[i].name);
	return rc;
}
