/*
 * problem: the list. See problem.h.
 */
#include <string.h>

#include "base/lang.h"
#include "kernels/problem.h"

#define PROBLEM_ADDRESS(name) &problem_##name,
const struct problem *const problems[] = { PROBLEMS(PROBLEM_ADDRESS) };
const size_t problem_count = LENGTH(problems);

static const char *const unchecked[][2] = {
	{ UNCHECKED_UNKNOWN, N_("what the kernel computes is not known; name "
				"it with --problem") },
	{ UNCHECKED_OLD, N_("the trace does not say whether the output was "
			    "compared") },
	{ UNCHECKED_PARTIAL, N_("only a part of the launch was recorded") },
	{ UNCHECKED_STOPPED, N_("the kernel was stopped before it ended") },
	{ UNCHECKED_ARRAYS, N_("the kernel does not have all arrays of the "
			       "problem") },
	{ UNCHECKED_UNTOUCHED, N_("the kernel left nearly all of the output "
				  "as it was") },
	{ UNCHECKED_TYPES, N_("elements of this type are not compared") },
	{ UNCHECKED_LARGE, N_("at this size the comparison would take too "
			      "long") },
	{ UNCHECKED_GIVEN, N_("arrays are as --array and --values say, and "
			      "not those of a problem") },
	{ UNCHECKED_SIZES, N_("the kernel accesses more than the size that "
			      "was assumed of an array") },
	{ UNCHECKED_PROGRAM, N_("what the kernel computes is not known; the "
				"program may compare its result itself") },
	{ UNCHECKED_ROUNDED, N_("the output is near the product, but by more "
				"off than rounding to float explains") },
	{ UNCHECKED_CUT, N_("the launch took too long and was ended") },
	{ UNCHECKED_APPLIED, N_("the kernel applies a function to each element "
				"of the product, and nothing says which") },
};

const struct problem *problem_find(const char *name)
{
	for (size_t i = 0; i < problem_count; i++)
		if (!strcmp(problems[i]->name, name))
			return problems[i];
	return NULL;
}

int problem_output(const struct problem *p)
{
	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		if (p->arrays[i].output)
			return i;
	return -1;
}

double problem_elements(const struct problem *p, double m, double n, double k)
{
	const struct problem_array *a = &p->arrays[problem_output(p)];
	double rows = a->rows == 'm' ? m : a->rows == 'n' ? n : k;

	return rows * (a->columns == 'm' ? m : a->columns == 'n' ? n : k);
}

int problem_size(const struct problem_sizes *s, char which)
{
	return which == 'm' ? s->m : which == 'n' ? s->n : s->k;
}

uint32_t size_bit(int letter)
{
	static const char letters[] = "mnkMNK";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? 1u << (at - letters) % 3 : 0;
}

const struct problem_form *problem_form(const struct problem *p,
					const char *word)
{
	for (size_t i = 0; i < PROBLEM_FORMS && p->forms[i].name; i++)
		if (!strcmp(p->forms[i].name, word))
			return &p->forms[i];
	return NULL;
}

const char *problem_says(const struct problem *p, const char *word,
			 bool *checked)
{
	const struct problem_form *form = problem_form(p, word);

	*checked = form;
	if (form)
		return form->checked;
	for (size_t i = 0; i < LENGTH(unchecked); i++)
		if (!strcmp(unchecked[i][0], word))
			return unchecked[i][1];
	return unchecked[0][1];
}
