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
	{ UNCHECKED_UNKNOWN, N_("not checked: because what the kernel computes "
				"is not known; name it with --problem") },
	{ UNCHECKED_OLD, N_("not checked: because the trace does not say "
			    "whether it was") },
	{ UNCHECKED_PARTIAL, N_("not checked: because only a part of the "
				"launch was recorded") },
	{ UNCHECKED_STOPPED, N_("not checked: because of what was found before "
				"the kernel had ended") },
	{ UNCHECKED_ARRAYS, N_("not checked: because the kernel does not have "
			       "all arrays of the problem") },
	{ UNCHECKED_UNTOUCHED, N_("not checked: because the kernel left nearly "
				  "all of the output as it was") },
	{ UNCHECKED_TYPES, N_("not checked: because elements of this type are "
			      "not compared") },
	{ UNCHECKED_LARGE, N_("not checked: because at this size it would take "
			      "too long") },
	{ UNCHECKED_GIVEN, N_("not checked: because arrays are as --array and "
			      "--values say") },
	{ UNCHECKED_SIZES, N_("not checked: because the kernel accesses more "
			      "than the size that was assumed of an array") },
	{ UNCHECKED_PROGRAM, N_("not checked: the launch is a program's, "
				"which may check it itself") },
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
