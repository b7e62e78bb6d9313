/* compiled: see compiled.h. */
#include "timing/compiled.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "kernels/kernels.h"

#define FILE_LIMIT (1u << 20)

/* Returns the lines of the file, which are read once; NULL: there is none. */
static const json_t *read_launches(void)
{
	static json_t *all;
	char *path, *text, *save = NULL;
	size_t length;

	if (all)
		return all;
	all = json_array();
	path = xasprintf("%s/compiled.jsonl", paths()->data);
	text = file_read(path, FILE_LIMIT, &length, NULL);
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		json_t *o = json_loads(line, 0, NULL);

		if (o)
			json_array_append_new(all, o);
	}
	free(text);
	free(path);
	return all;
}

static const char *line_define(const void *from, const char *name)
{
	return json_string_value(json_object_get(from, name));
}

/* Tests whether a line is of this launch. */
static bool is_recorded_launch(const json_t *o, const struct trace_info *i)
{
	const char *name = json_string_value(json_object_get(o, "kernel"));
	const struct kernel *k = name && !strcmp(name, i->kernel) ?
				 kernel_find(name) : NULL;
	int x[KERNEL_PARAMS], y[KERNEL_PARAMS];

	if (!k || json_integer_value(json_object_get(o, "m")) != i->m ||
	    json_integer_value(json_object_get(o, "n")) != i->n ||
	    json_integer_value(json_object_get(o, "k")) != i->k)
		return false;
	kernel_values(k, x, line_define, json_object_get(o, "defines"));
	kernel_values(k, y, trace_define, i);
	return !memcmp(x, y, kernel_params(k) * sizeof(*x));
}

/* Tests whether a member is this word. */
static bool has_member_word(const json_t *o, const char *name, const char *word)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s && !strcmp(s, word);
}

bool compiled_find(struct compiled_counts *c, const struct trace_info *i,
		   const char *array, enum op op)
{
	const json_t *all = read_launches(), *o, *a;
	size_t n, k;

	json_array_foreach(all, n, o)
		json_array_foreach(json_object_get(o, "accesses"), k, a) {
			if (!has_member_word(a, "array", array) ||
			    !has_member_word(a, "op", op_name(op)) ||
			    !is_recorded_launch(o, i))
				continue;
			snprintf(c->by, sizeof(c->by), "%s, %s",
				 json_string_value(json_object_get(
					 o, "compiler")),
				 json_string_value(json_object_get(o, "arch")));
			c->bytes = (int)json_integer_value(
				json_object_get(a, "bytes"));
			c->requests = json_integer_value(
				json_object_get(a, "requests"));
			c->wavefronts = json_integer_value(
				json_object_get(a, "wavefronts"));
			return true;
		}
	return false;
}
