/*
 * request: the parser. See request.h.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/request.h"

#define TEXT_MAX (1u << 20)
#define DEFINES_MAX 32
#define LOCALS_MAX 1000000

/* A member's reader. */
struct member {
	const char *name;
	int (*read)(struct request *r, const json_t *v, const char *name,
		    struct error *e);
};

static int wrong(struct error *e, const char *name, const char *expected)
{
	return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be %s",
			 name, expected);
}

static int read_integer(const json_t *v, const char *name, long long lowest,
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

/* Text without NUL, of at most `most` bytes. */
static int read_text(const json_t *v, const char *name, size_t most, char **to,
		     struct error *e)
{
	if (!json_is_string(v) || json_string_length(v) > most ||
	    strlen(json_string_value(v)) != json_string_length(v))
		return wrong(e, name, "text, and not too long");
	free(*to);
	*to = xstrdup(json_string_value(v));
	return 0;
}

static int read_ignored(struct request *r, const json_t *v, const char *name,
			struct error *e)
{
	(void)r;
	(void)v;
	(void)name;
	(void)e;
	return 0;
}

static int read_kernel(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	return read_text(v, name, 255, &r->kernel, e);
}

static int read_source(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v))
		return wrong(e, name, "an object");
	json_object_foreach((json_t *)v, key, item) {
		int rc;

		if (!strcmp(key, "file"))
			rc = read_text(item, key, 4096, &r->file, e);
		else if (!strcmp(key, "text"))
			rc = read_text(item, key, TEXT_MAX, &r->text, e);
		else if (!strcmp(key, "entry"))
			rc = json_is_null(item) ? 0 :
			     read_text(item, key, 255, &r->entry, e);
		else
			return error_set(e, EXIT_USAGE, "bad request: "
					 "\"source\" has no \"%s\"",
					 text_show(key));
		if (rc < 0)
			return rc;
	}
	if (!r->text)
		return wrong(e, name, "an object with \"text\"");
	r->text_length = strlen(r->text);
	if (!r->file)
		r->file = xstrdup("kernel.cu");
	return 0;
}

static int read_size(struct request *r, const json_t *v, const char *name,
		     struct error *e)
{
	long long n;

	if (read_integer(v, name, 1, SIZE_MAX_MNK, &n, e) < 0)
		return -1;
	*(name[0] == 'm' ? &r->size.m : name[0] == 'n' ? &r->size.n :
						    &r->size.k) = (int)n;
	return 0;
}

static int read_problem(struct request *r, const json_t *v, const char *name,
			struct error *e)
{
	const char *names[16], *near;
	size_t n = 0;

	if (read_text(v, name, 63, &r->problem, e) < 0)
		return -1;
	if (problem_find(r->problem))
		return 0;
	while (n < problem_count && n < LENGTH(names)) {
		names[n] = problems[n]->name;
		n++;
	}
	near = nearest_name(r->problem, names, n);
	return error_set(e, EXIT_USAGE, "there is no problem %s%s%s%s",
			 text_show(r->problem), near ? "; did you mean " : "",
			 near ? near : "", near ? "?" : "");
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

static int read_defines(struct request *r, const json_t *v, const char *name,
			struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v) || json_object_size(v) > DEFINES_MAX ||
	    r->defines)
		return wrong(e, name, "an object of names and values");
	r->defines = xcalloc(json_object_size(v) + 1, sizeof(*r->defines));
	json_object_foreach((json_t *)v, key, item) {
		struct trace_define *d = &r->defines[r->define_count];

		if (!is_identifier(key))
			return error_set(e, EXIT_USAGE, "%s is no name that "
					 "can be defined", text_show(key));
		if (read_text(item, key, 255, &d->value, e) < 0)
			return -1;
		d->name = xstrdup(key);
		r->define_count++;
	}
	return 0;
}

static int read_dim(const json_t *v, const char *name, long long lowest,
		    long long highest, struct trace_dim *to, struct error *e)
{
	long long n[3];

	if (!json_is_array(v) || json_array_size(v) != 3)
		return wrong(e, name, "a list of three numbers, x, y and z");
	for (size_t i = 0; i < 3; i++)
		if (read_integer(json_array_get(v, i), name, lowest, highest,
				 &n[i], e) < 0)
			return -1;
	*to = (struct trace_dim) { (uint32_t)n[0], (uint32_t)n[1],
				   (uint32_t)n[2] };
	return 0;
}

static int read_block(struct request *r, const json_t *v, const char *name,
		      struct error *e)
{
	r->has_block = true;
	if (read_dim(v, name, 1, 1024, &r->block, e) < 0)
		return -1;
	if (r->block.z > 64 ||
	    (uint64_t)r->block.x * r->block.y * r->block.z > 1024)
		return error_set(e, EXIT_USAGE, "a block has at most 1024 "
				 "threads, and 64 in z");
	return 0;
}

static int read_grid(struct request *r, const json_t *v, const char *name,
		     struct error *e)
{
	r->has_grid = true;
	if (read_dim(v, name, 1, INT32_MAX, &r->grid, e) < 0)
		return -1;
	if (r->grid.y > 65535 || r->grid.z > 65535 ||
	    (double)r->grid.x * r->grid.y * r->grid.z > INT32_MAX)
		return error_set(e, EXIT_USAGE, "a grid has at most 65535 "
				 "blocks in y and z, and 2147483647 in all");
	return 0;
}

static int read_shared(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, SHARED_MOST, &n, e) < 0)
		return -1;
	r->shared_bytes = (uint32_t)n;
	return 0;
}

static int read_blocks(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	if (!json_is_array(v) || r->blocks)
		return wrong(e, name, "a list of blocks");
	r->blocks = xcalloc(json_array_size(v) + 1, sizeof(*r->blocks));
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (read_dim(json_array_get(v, i), name, 0, INT32_MAX,
			     &r->blocks[i], e) < 0)
			return -1;
		r->block_count++;
	}
	return 0;
}

static int read_warps(struct request *r, const json_t *v, const char *name,
		      struct error *e)
{
	if (!json_is_array(v))
		return wrong(e, name, "a list of numbers");
	if (json_array_size(v) > 0)
		r->warps = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		long long n;

		if (read_integer(json_array_get(v, i), name, 0, 31, &n, e) < 0)
			return -1;
		r->warps |= 1u << n;
	}
	return 0;
}

static int read_spaces(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	if (!json_is_array(v) || json_array_size(v) == 0)
		return wrong(e, name, "a list of \"global\", \"shared\", "
			     "\"register\"");
	r->spaces = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		const char *word = json_string_value(json_array_get(v, i));
		int space = word ? space_from(word) : -1;

		if (space < 0)
			return wrong(e, name, "a list of \"global\", "
				     "\"shared\", \"register\"");
		r->spaces |= 1u << space;
	}
	return 0;
}

static int read_values(struct request *r, const json_t *v, const char *name,
		       struct error *e)
{
	if (!json_is_boolean(v))
		return wrong(e, name, "true or false");
	r->values = json_is_true(v);
	return 0;
}

static int read_max_events(struct request *r, const json_t *v,
			   const char *name, struct error *e)
{
	long long n;

	if (read_integer(v, name, 1, 1ll << 40, &n, e) < 0)
		return -1;
	r->max_events = (uint64_t)n;
	return 0;
}

static int read_seconds(struct request *r, const json_t *v, const char *name,
			struct error *e)
{
	double s = json_number_value(v);

	if (!json_is_number(v) || !(s > 0) || !(s <= 86400))
		return wrong(e, name, "a number above 0, at most 86400");
	r->seconds = s;
	return 0;
}

static int read_optimized(struct request *r, const json_t *v,
			  const char *name, struct error *e)
{
	if (!json_is_boolean(v))
		return wrong(e, name, "true or false");
	r->optimized = json_is_true(v);
	return 0;
}

static int read_order(struct request *r, const json_t *v, const char *name,
		      struct error *e)
{
	static const char *const words[] = { "forward", "reverse", "shuffle" };
	const char *word = json_string_value(v);

	for (size_t i = 0; word && i < LENGTH(words); i++) {
		if (!strcmp(word, words[i])) {
			r->order = (enum request_order)i;
			return 0;
		}
	}
	return wrong(e, name, "\"forward\", \"reverse\" or \"shuffle\"");
}

static int read_seed(struct request *r, const json_t *v, const char *name,
		     struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT64_MAX, &n, e) < 0)
		return -1;
	r->seed = (uint64_t)n;
	return 0;
}

static int read_locals_place(struct request *r, const json_t *v,
			     const char *name, struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT32_MAX, &n, e) < 0)
		return -1;
	*(name[0] == 'b' ? &r->locals_block : &r->locals_thread) =
		(uint32_t)n;
	return 0;
}

static int read_first(struct request *r, const json_t *v, const char *name,
		      struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT64_MAX / 2, &n, e) < 0)
		return -1;
	r->first = (uint64_t)n;
	return 0;
}

static int read_count(struct request *r, const json_t *v, const char *name,
		      struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, LOCALS_MAX, &n, e) < 0)
		return -1;
	r->count = (uint64_t)n;
	return 0;
}

static const struct member record_members[] = {
	{ "type", read_ignored }, { "id", read_ignored },
	{ "kernel", read_kernel }, { "source", read_source },
	{ "m", read_size }, { "n", read_size }, { "k", read_size },
	{ "defines", read_defines }, { "block", read_block },
	{ "grid", read_grid }, { "shared_bytes", read_shared },
	{ "blocks", read_blocks },
	{ "warps", read_warps }, { "spaces", read_spaces },
	{ "values", read_values }, { "max_events", read_max_events },
	{ "seconds", read_seconds }, { "order", read_order },
	{ "seed", read_seed }, { "problem", read_problem }, { "optimized", read_optimized },
	{ NULL, NULL },
};

static const struct member locals_members[] = {
	{ "type", read_ignored }, { "id", read_ignored },
	{ "block", read_locals_place }, { "thread", read_locals_place },
	{ "first", read_first }, { "count", read_count }, { NULL, NULL },
};

static int members_read(struct request *r, const json_t *o,
			const struct member *members, struct error *e)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)o, key, v) {
		const struct member *m = members;

		while (m->name && strcmp(m->name, key) != 0)
			m++;
		if (!m->name)
			return error_set(e, EXIT_USAGE, "bad request: unknown "
					 "member \"%s\"", text_show(key));
		if (m->read(r, v, m->name, e) < 0)
			return -1;
	}
	return 0;
}

static int record_check(const struct request *r, struct error *e)
{
	if (!r->kernel == !r->text)
		return error_set(e, EXIT_USAGE, "bad request: either "
				 "\"kernel\" or \"source\" is needed");
	if (!r->size.m || !r->size.n || !r->size.k)
		return error_set(e, EXIT_USAGE, "bad request: \"m\", \"n\" "
				 "and \"k\" are needed");
	if (r->text && (!r->has_block || !r->has_grid))
		return error_set(e, EXIT_USAGE, "the block and the grid of "
				 "%s must be given: --block 16x16 --grid 4x4, "
				 "say", text_show(r->file));
	return 0;
}

/* The types there are, and what their members must be; no members: who does
 * it reads the message. */
static const struct request_type {
	const char *name;
	enum request_kind kind;
	const struct member *members;
} types[] = {
	{ "record", REQUEST_RECORD, record_members },
	{ "locals", REQUEST_LOCALS, locals_members },
	{ "time", REQUEST_TIME, NULL },
	{ "pause", REQUEST_PAUSE, NULL },
	{ "cancel", REQUEST_CANCEL, NULL },
	{ "counters", REQUEST_COUNTERS, record_members },
};

static int object_read(struct request *r, const json_t *o, struct error *e)
{
	const json_t *id = json_object_get(o, "id");
	const char *type = json_string_value(json_object_get(o, "type"));

	if (json_is_integer(id))
		r->id = json_integer_value(id);
	if (!type)
		return error_set(e, EXIT_USAGE,
				 "bad request: it has no \"type\"");
	if (!json_is_integer(id))
		return wrong(e, "id", "a whole number");
	for (size_t i = 0; i < LENGTH(types); i++) {
		const struct request_type *t = &types[i];

		if (strcmp(type, t->name) != 0)
			continue;
		r->kind = t->kind;
		r->message = json_incref((json_t *)o);
		if (!t->members)
			return 0;
		if (members_read(r, o, t->members, e) < 0)
			return -1;
		return t->members == record_members ? record_check(r, e) : 0;
	}
	return error_set(e, EXIT_USAGE, "bad request: unknown type \"%s\"",
			 text_show(type));
}

int request_object(struct request *r, const json_t *o, struct error *e)
{
	memset(r, 0, sizeof(*r));
	r->warps = UINT32_MAX;
	r->spaces = (1u << SPACE_COUNT) - 1;
	r->values = true;
	r->max_events = EVENTS_DEFAULT;
	r->seconds = SECONDS_DEFAULT;
	r->seed = 1;
	r->count = 1;
	return object_read(r, o, e);
}

int request_parse(struct request *r, const char *line, size_t length,
		  struct error *e)
{
	json_error_t why;
	json_t *o = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
	int rc;

	memset(r, 0, sizeof(*r));
	if (json_is_object(o))
		rc = request_object(r, o, e);
	else
		rc = error_set(e, EXIT_USAGE, "bad request: not a JSON object"
			       "%s%s", o ? "" : ": ",
			       o ? "" : text_show(why.text));
	json_decref(o);
	return rc;
}

void request_done(struct request *r)
{
	for (size_t i = 0; i < r->define_count; i++) {
		free(r->defines[i].name);
		free(r->defines[i].value);
	}
	json_decref(r->message);
	free(r->defines);
	free(r->blocks);
	free(r->kernel);
	free(r->file);
	free(r->text);
	free(r->entry);
	free(r->problem);
	memset(r, 0, sizeof(*r));
}
