/*
 * user_hints: see user_hints.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "record/contents.h"
#include "record/user_hints.h"

void argument_reals(struct argument *a, double v)
{
	const struct debug_type *t = &a->var->type;
	uint64_t count = t->bytes / MAX(t->elem_bytes, 1u);

	for (uint64_t i = 0; i < count; i++)
		contents_set(t->elem, t->elem_bytes, a->value, i, v);
}

bool argument_is_vector(const struct debug_type *t)
{
	return t->kind == DEBUG_AGGREGATE && elem_is_real(t->elem) &&
	       t->bytes <= ARGUMENT_WORDS * sizeof(uint64_t);
}

static int user_hints_wrong(const char *option, const struct argument *a,
		       const char *needs, const char *value, struct error *e)
{
	return error_set(e, EXIT_USAGE, "%s: %s needs %s, not '%s'", option,
			 text_show(a->var->name), _(needs), text_show(value));
}

static int user_hints_integer(struct argument *a, const char *value,
			 struct error *e)
{
	const struct debug_type *t = &a->var->type;
	char *end;

	errno = 0;
	if (t->is_bool && !strcmp(value, "true"))
		value = "1";
	if (t->is_bool && !strcmp(value, "false"))
		value = "0";
	a->value[0] = *value == '-' ?
		(uint64_t)strtoll(value, &end, 0) : strtoull(value, &end, 0);
	if (end == value || *end || errno)
		return user_hints_wrong("--arg", a, "a whole number", value, e);
	return 0;
}

int user_hints_value(struct argument *a, const char *value, struct error *e)
{
	const struct debug_type *t = &a->var->type;
	double v;
	char *end;

	if (t->kind == DEBUG_INTEGER)
		return user_hints_integer(a, value, e);
	if (t->kind != DEBUG_REAL && !argument_is_vector(t))
		return user_hints_wrong("--arg", a, "to be a number", value, e);
	v = strtod(value, &end);
	if (end == value || *end)
		return user_hints_wrong("--arg", a, "a number", value, e);
	argument_reals(a, v);
	return 0;
}

/* Parses the value of --array: "4096" or "64x32". */
static int user_hints_size(struct argument *a, const char *value, struct error *e)
{
	const char *x = strchr(value, 'x');
	char *rows = xstrndup(value, x ? (size_t)(x - value) : strlen(value));
	long v[2] = { 0, 0 };
	bool right = parse_int(rows, 1, INT32_MAX, &v[0]) &&
		     (!x || parse_int(x + 1, 1, INT32_MAX, &v[1]));

	free(rows);
	a->dims[0] = (uint64_t)v[0];
	a->dims[1] = (uint64_t)v[1];
	return right ? 0 : user_hints_wrong("--array", a, "a size such as 4096 or "
				       "64x32", value, e);
}

/* "0..63" */
static int user_hints_contents(struct argument *a, const char *value,
			  struct error *e)
{
	const char *dots = strstr(value, "..");
	char *low = xstrndup(value, dots ? (size_t)(dots - value) : 0);
	long v[2];
	bool right = dots && parse_int(low, INT32_MIN, INT32_MAX, &v[0]) &&
		     parse_int(dots + 2, v[0], INT32_MAX, &v[1]);

	free(low);
	if (!right)
		return user_hints_wrong("--values", a, "a range such as 0..63",
				   value, e);
	a->filled = true;
	a->low = v[0];
	a->high = v[1];
	return 0;
}

static int user_hints_unknown(const struct debug_function *entry,
			 const char *option, const char *name,
			 struct error *e)
{
	const char *names[ARGUMENTS_MOST], *near;
	size_t n = 0;

	for (size_t i = 0; i < entry->var_count && n < LENGTH(names); i++)
		if (entry->vars[i].parameter)
			names[n++] = entry->vars[i].name;
	near = nearest_name(name, names, n);
	return error_set(
		e, EXIT_USAGE,
		near ? N_("%s: %s has no parameter %s; did you mean %s?") :
		       N_("%s: %s has no parameter %s%s"),
		option, text_show(entry->name), text_show(name),
		near ? text_show(near) : "");
}

/* Applies every NAME=VALUE of an option to the kernel's arguments; `take`
 * parses one value. -1 with e. */
static int user_hints_take(const struct debug_function *entry,
		      struct argument *arguments, int count,
		      const char *option, const struct job_defines *given,
		      int (*take)(struct argument *a, const char *value,
				  struct error *e), struct error *e)
{
	for (size_t g = 0; g < given->count; g++) {
		const char *name = given->list[g].name;
		int i = 0;

		while (i < count && strcmp(arguments[i].var->name, name) != 0)
			i++;
		if (i == count)
			return user_hints_unknown(entry, option, name, e);
		if (argument_is_array(arguments[i].var) != (take != user_hints_value))
			return error_set(e, EXIT_USAGE, "%s: %s is %s", option,
					 text_show(name),
					 take == user_hints_value ?
						 _("an array") :
						 _("no array"));
		if (take(&arguments[i], given->list[g].value, e) < 0)
			return -1;
	}
	return 0;
}

int user_hints_read(struct plan *p, const struct debug_function *entry,
		      struct argument *arguments, int count, struct error *e)
{
	const struct job *job = &p->job;

	if (p->kernel && (job->args.count || job->arrays.count ||
			  job->contents.count))
		return error_set(e, EXIT_USAGE, "--arg, --array and --values "
				 "are for the kernel of a file");
	/* Then another answer is no mistake. */
	if (job->args.count || job->arrays.count || job->contents.count)
		p->held = false;
	if (user_hints_take(entry, arguments, count, "--arg", &job->args,
		       user_hints_value, e) < 0 ||
	    user_hints_take(entry, arguments, count, "--array", &job->arrays,
		       user_hints_size, e) < 0)
		return -1;
	return user_hints_take(entry, arguments, count, "--values", &job->contents,
			  user_hints_contents, e);
}
