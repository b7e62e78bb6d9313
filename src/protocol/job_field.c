/* job_field: writes and reads members by their type. See job_field.h. */
#include "base/lang.h"
#include "protocol/job_field.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define PAIRS_MAX 32

const struct job_field *job_field_find(const struct job_fields *fields,
				       const char *name, enum job_kind kind)
{
	for (size_t i = 0; i < fields->count; i++)
		if (!strcmp(fields->list[i].name, name) &&
		    fields->list[i].jobs & IN(kind))
			return &fields->list[i];
	return NULL;
}

/* ---- writing ---- */

json_t *job_defines_members(const struct job_defines *d)
{
	json_t *o = json_object();

	for (size_t i = 0; i < d->count; i++)
		json_object_set_new(o, d->list[i].name,
				    json_string(d->list[i].value));
	return o;
}

/* Returns the names of a list, without values. */
static json_t *write_names(const struct job_defines *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->count; i++)
		json_array_append_new(list, json_string(d->list[i].name));
	return list;
}

/* Returns a whole number of any of the types. */
static json_int_t get_whole(enum job_field_type type, const void *at)
{
	switch (type) {
	case FIELD_INT:
		return *(const int *)at;
	case FIELD_LONG:
		return *(const long *)at;
	case FIELD_U32:
		return *(const uint32_t *)at;
	default:
		return (json_int_t)*(const uint64_t *)at;
	}
}

/* Returns whether a member has the value that it has if it is left out. */
static bool is_usual(enum job_field_type type, const void *at,
		     const void *usual)
{
	switch (type) {
	case FIELD_FLAG:
		return *(const bool *)at == *(const bool *)usual;
	case FIELD_SECONDS:
		return *(const double *)at == *(const double *)usual;
	case FIELD_TEXT:
		return !*(char *const *)at;
	case FIELD_PAIRS: case FIELD_NAMES:
		return ((const struct job_defines *)at)->count == 0;
	default:
		return get_whole(type, at) == get_whole(type, usual);
	}
}

static json_t *write_value(const struct job_field *f, const void *at)
{
	switch (f->type) {
	case FIELD_FLAG:
		return json_boolean(*(const bool *)at);
	case FIELD_SECONDS:
		return json_real(*(const double *)at);
	case FIELD_TEXT:
		return json_string(*(char *const *)at);
	case FIELD_PAIRS:
		return job_defines_members(at);
	case FIELD_NAMES:
		return write_names(at);
	default:
		return json_integer(get_whole(f->type, at));
	}
}

void job_fields_write(const struct job_fields *fields, enum job_kind kind,
		      const void *from, const void *usual, json_t *o)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct job_field *f = &fields->list[i];
		const char *at = (const char *)from + f->at;
		json_t *value = NULL;

		if (!(f->jobs & IN(kind)))
			continue;
		if (f->type == FIELD_OWN)
			value = f->codec->write(from);
		else if (f->always ||
			 !is_usual(f->type, at, (const char *)usual + f->at))
			value = write_value(f, at);
		if (value)
			json_object_set_new(o, f->name, value);
	}
}

/* ---- reading ---- */

int job_field_wrong(const char *name, const char *expected, struct error *e)
{
	return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be %s", name,
			 _(expected));
}

int job_field_number(const json_t *v, const char *name, long long lowest,
		     long long highest, long long *to, struct error *e)
{
	*to = lowest;
	if (!json_is_integer(v) || json_integer_value(v) < lowest ||
	    json_integer_value(v) > highest)
		return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be "
				 "a whole number from %lld to %lld", name,
				 lowest, highest);
	*to = json_integer_value(v);
	return 0;
}

int job_field_text(const json_t *v, const char *name, size_t most, char **to,
		   struct error *e)
{
	if (!json_is_string(v) || json_string_length(v) > most ||
	    strlen(json_string_value(v)) != json_string_length(v))
		return job_field_wrong(name, "text, and not too long", e);
	free(*to);
	*to = xstrdup(json_string_value(v));
	return 0;
}

static int read_whole_number(const struct job_field *f, void *at,
			     const json_t *v, struct error *e)
{
	long long n;

	if (job_field_number(v, f->name, f->lowest, f->highest, &n, e) < 0)
		return -1;
	switch (f->type) {
	case FIELD_INT:
		*(int *)at = (int)n;
		break;
	case FIELD_LONG:
		*(long *)at = (long)n;
		break;
	case FIELD_U32:
		*(uint32_t *)at = (uint32_t)n;
		break;
	default:
		*(uint64_t *)at = (uint64_t)n;
	}
	return 0;
}

static int read_seconds(const struct job_field *f, double *at, const json_t *v,
			struct error *e)
{
	double s = json_number_value(v);

	if (!json_is_number(v) || !(s > 0) || !(s <= (double)f->highest))
		return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be a "
				 "number above 0, at most %lld", f->name,
				 f->highest);
	*at = s;
	return 0;
}

static bool is_identifier(const char *s)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

	if (!*s || !strchr(first, *s) || strlen(s) > 63)
		return false;
	while (*s && (strchr(first, *s) || (*s >= '0' && *s <= '9')))
		s++;
	return *s == '\0';
}

static int read_pairs(const struct job_field *f, struct job_defines *to,
		      const json_t *v, struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v) || json_object_size(v) > PAIRS_MAX || to->count)
		return job_field_wrong(f->name, "an object of names and values",
				       e);
	json_object_foreach((json_t *)v, key, item) {
		char *value = NULL;

		if (!is_identifier(key))
			return error_set(e, EXIT_USAGE, "%s is not a name that "
					 "can be defined", text_show(key));
		if (job_field_text(item, key, 255, &value, e) < 0)
			return -1;
		job_define(to, key, value);
		free(value);
	}
	return 0;
}

static int read_names(const struct job_field *f, struct job_defines *to,
		      const json_t *v, struct error *e)
{
	size_t count = json_array_size(v);

	if (!json_is_array(v) || count > PROGRAM_PATHS_MOST)
		return job_field_wrong(f->name, "a list of names, and not too "
				       "long", e);
	for (size_t i = 0; i < count; i++) {
		char *name = NULL;
		int rc = job_field_text(json_array_get(v, i), f->name,
					(size_t)f->highest, &name, e);

		if (rc == 0 && !*name)
			rc = job_field_wrong(f->name, "a list of names", e);
		if (rc == 0)
			job_define(to, name, "");
		free(name);
		if (rc < 0)
			return -1;
	}
	return 0;
}

int job_field_read(const struct job_field *f, void *to, const json_t *v,
		   struct error *e)
{
	void *at = (char *)to + f->at;

	switch (f->type) {
	case FIELD_FLAG:
		*(bool *)at = json_is_true(v);
		return json_is_boolean(v) ? 0 :
		       job_field_wrong(f->name, "true or false", e);
	case FIELD_SECONDS:
		return read_seconds(f, at, v, e);
	case FIELD_TEXT:
		return job_field_text(v, f->name, (size_t)f->highest, at, e);
	case FIELD_PAIRS:
		return read_pairs(f, at, v, e);
	case FIELD_NAMES:
		return read_names(f, at, v, e);
	case FIELD_OWN:
		return f->codec->read(to, v, f, e);
	default:
		return read_whole_number(f, at, v, e);
	}
}
