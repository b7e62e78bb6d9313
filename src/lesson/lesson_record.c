/* lesson_record: the directive `record`. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "lesson/lesson_parse.h"

#define MAX_SIZE 4096

static int unknown_kernel(struct parser *p, const char *name)
{
	size_t count;
	const char **names = own_names(&count);

	parse_fail_name(p, _("a kernel"), name, names, count);
	free(names);
	return -1;
}

static const struct kernel_param *param_of(const struct lesson_record *r,
					   const char *name)
{
	return r->program ? own_program_param(r->program, name) :
			    kernel_param(kernel_find(r->kernel), name);
}

static int check_param(struct parser *p, const struct lesson_record *r,
		       const char *name, const char *value)
{
	const struct kernel_param *param = param_of(r, name);
	long v;

	if (!param)
		return parse_fail(p, _("expected m, n, k or a parameter of %s, "
				       "got '%s'"), r->kernel,
				  text_show(name));
	if (!parse_int(value, param->lowest, param->highest, &v))
		return parse_fail(p, _("expected %s of %d to %d, got '%s'"),
				  name, param->lowest, param->highest,
				  text_show(value));
	return 0;
}

static int add_record_define(struct parser *p, struct lesson_record *r,
			     const char *name, const char *value)
{
	struct trace_define *d;

	if (!r->file && check_param(p, r, name, value) < 0)
		return -1;
	if (!parse_is_name(name))
		return parse_fail(p, _("expected NAME=VALUE, got '%s'"),
				  text_show(name));
	for (size_t i = 0; i < r->define_count; i++)
		if (!strcmp(r->defines[i].name, name))
			return parse_fail(p, _("expected %s only once"), name);
	d = parse_append(&r->defines, &r->define_count, sizeof(*d));
	d->name = xstrdup(name);
	d->value = xstrdup(value);
	return 0;
}

static int set_size(struct parser *p, int *size, const char *name,
		    const char *value)
{
	long v;

	if (!parse_int(value, 1, MAX_SIZE, &v))
		return parse_fail(p, _("expected %s of 1 to %d, got '%s'"),
				  name, MAX_SIZE, text_show(value));
	*size = v;
	return 0;
}

/* Parses one to three numbers, such as "16x16". */
static int set_dim(struct parser *p, struct trace_dim *dim, const char *name,
		   const char *value)
{
	uint32_t *part[] = { &dim->x, &dim->y, &dim->z };
	char *copy = xstrdup(value), *rest = copy;
	bool good = true;
	size_t n = 0;
	long v;

	*dim = (struct trace_dim){ 1, 1, 1 };
	while (good && rest && n < 3) {
		good = parse_int(strsep(&rest, "x"), 1, INT32_MAX, &v);
		*part[n++] = good ? (uint32_t)v : 0;
	}
	good = good && !rest;
	free(copy);
	return good ? 0 : parse_fail(p, _("expected %s=16x16 or similar, got "
				       "'%s'"), name, text_show(value));
}

/* Takes an option that says how a file's kernel is launched. Returns 1 if it is
 * another option. */
static int take_launch_option(struct parser *p, struct lesson_record *r,
			      const char *option, const char *value)
{
	if (!strcmp(option, "block"))
		return set_dim(p, &r->block, option, value);
	if (!strcmp(option, "grid"))
		return set_dim(p, &r->grid, option, value);
	if (!strcmp(option, "shared"))
		return parse_int(value, 0, INT32_MAX, &r->shared_bytes) ? 0 :
		       parse_fail(p, _("expected shared=BYTES, got '%s'"),
				  text_show(value));
	if (strcmp(option, "entry"))
		return 1;
	free(r->entry);
	r->entry = xstrdup(value);
	return 0;
}

static int set_devices(struct parser *p, struct lesson_record *r,
		       const char *value)
{
	long v;

	if (!parse_int(value, 1, DEVICES_MOST, &v))
		return parse_fail(p, _("expected devices of 1 to %d, got "
				       "'%s'"), DEVICES_MOST,
				  text_show(value));
	r->devices = (uint32_t)v;
	return 0;
}

static int set_record_spaces(struct parser *p, struct lesson_record *r,
		      const char *value)
{
	r->spaces = spaces_from(value);
	return r->spaces ? 0 :
	       parse_fail(p, _("expected spaces=global,shared or similar, got "
			       "'%s'"), text_show(value));
}

static int set_values(struct parser *p, struct lesson_record *r,
		      const char *value)
{
	r->no_values = !strcmp(value, "no");
	return r->no_values ? 0 :
	       parse_fail(p, _("expected values=no, got '%s'"),
			  text_show(value));
}

static int record_option(struct parser *p, struct lesson_record *r,
			 char *option)
{
	char *value = strchr(option, '=');
	int status = 1;

	if (!value)
		return parse_fail(p, _("expected NAME=VALUE, got '%s'"),
				  text_show(option));
	*value++ = '\0';
	if (!strcmp(option, "m"))
		return set_size(p, &r->m, option, value);
	if (!strcmp(option, "n"))
		return set_size(p, &r->n, option, value);
	if (!strcmp(option, "k"))
		return set_size(p, &r->k, option, value);
	if (!strcmp(option, "spaces"))
		return set_record_spaces(p, r, value);
	if (!strcmp(option, "values"))
		return set_values(p, r, value);
	if (r->file)
		status = take_launch_option(p, r, option, value);
	if (r->program && !strcmp(option, "devices"))
		status = set_devices(p, r, value);
	return status <= 0 ? status : add_record_define(p, r, option, value);
}

static int check_record_file(struct parser *p, const struct lesson_record *r)
{
	if (!parse_is_name(r->alias))
		return parse_fail(p, _("expected 'as' and a name for %s"),
				  text_show(r->alias));
	if (!r->block.x || !r->grid.x)
		return parse_fail(p, _("expected block= and grid=, how the "
				       "kernel of %s is launched"),
				  text_show(r->kernel));
	return 0;
}

/* Checks the launcher's own conditions. */
static int check_record_kernel(struct parser *p, const struct lesson_record *r)
{
	const struct kernel *kernel = kernel_find(r->kernel);
	int values[KERNEL_PARAMS];
	const char *why;

	kernel_defaults(kernel, values);
	for (size_t i = 0; i < r->define_count; i++)
		values[kernel_param(kernel, r->defines[i].name) -
		       kernel->params] = atoi(r->defines[i].value);
	why = kernel->refuses ?
		kernel->refuses(values, r->m, r->n, r->k) : NULL;
	return why ? parse_fail(p, _("%s does not support this size: %s"),
				r->kernel,
				_(why)) : 0;
}

static int take_alias(struct parser *p, struct lesson_record *r, char *rest)
{
	char *alias = parse_word(&rest);

	if (!alias || !parse_is_name(alias) || parse_word(&rest))
		return parse_fail(p, _("expected one name after 'as'"));
	free(r->alias);
	r->alias = xstrdup(alias);
	return 0;
}

static int record_words(struct parser *p, struct lesson_record *r, char *rest)
{
	char *word;

	while ((word = parse_word(&rest))) {
		if (!strcmp(word, "as"))
			return take_alias(p, r, rest);
		if (record_option(p, r, word) < 0)
			return -1;
	}
	return 0;
}

static struct lesson_record new_record(const struct parser *p,
				       const char *name)
{
	struct lesson_record r = { .line = p->line, .m = 32, .n = 32, .k = 32 };

	r.kernel = xstrdup(file_base(name));
	r.program = own_program_find(name);
	if (kernel_is_file(name)) {
		r.file = xstrdup(name);
		lesson_path_lang(p->lesson->path, &r.folder);
		*strrchr(r.kernel, '.') = '\0';
	}
	r.alias = xstrdup(r.kernel);
	return r;
}

int lesson_record_directive(struct parser *p, char *rest)
{
	struct lesson *l = p->lesson;
	struct lesson_record *r = &l->records[l->record_count];
	char *name = parse_word(&rest);

	if (!name)
		return parse_fail(p, _("expected a kernel after 'record'"));
	if (!kernel_is_file(name) && !kernel_find(name) &&
	    !own_program_find(name))
		return unknown_kernel(p, name);
	if (l->record_count == LESSON_MAX_RECORDS)
		return parse_fail(p, _("expected at most %d records"),
				  LESSON_MAX_RECORDS);
	*r = new_record(p, name);
	/* Counted at once, so that it is freed in any case; looked up by its
	 * alias only when that is final. */
	l->record_count++;
	if (record_words(p, r, rest) < 0)
		return -1;
	if (lesson_record_find(l, r->alias) != (long)l->record_count - 1)
		return parse_fail(p, _("expected an alias other than '%s', "
				       "which is taken"), r->alias);
	return r->file ? check_record_file(p, r) : r->program ? 0 :
	       check_record_kernel(p, r);
}
