/*
 * job_read: a job's message, read and checked. See job.h.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "runner/headers.h"
#include "runner/job.h"

#define TEXT_MAX (1u << 20)
#define DEFINES_MAX 32
#define LOCALS_MAX 1000000

/* A member's reader. */
struct member {
	const char *name;
	int (*read)(struct job *job, const json_t *v, const char *name,
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

static int read_ignored(struct job *job, const json_t *v, const char *name,
			struct error *e)
{
	(void)job;
	(void)v;
	(void)name;
	(void)e;
	return 0;
}

static int read_kernel(struct job_kernel *k, const json_t *v, const char *name,
		       struct error *e)
{
	return read_text(v, name, 255, &k->name, e);
}

static int read_baseline(struct job_kernel *k, const json_t *v,
			 const char *name, struct error *e)
{
	return read_text(v, name, 64, &k->baseline, e);
}

static int read_source(struct job_kernel *k, const json_t *v, const char *name,
		       struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v))
		return wrong(e, name, "an object");
	json_object_foreach((json_t *)v, key, item) {
		int rc;

		if (!strcmp(key, "file"))
			rc = read_text(item, key, 4096, &k->file, e);
		else if (!strcmp(key, "text"))
			rc = read_text(item, key, TEXT_MAX, &k->text,
				       e);
		else if (!strcmp(key, "entry"))
			rc = json_is_null(item) ? 0 :
			     read_text(item, key, 255, &k->entry, e);
		else if (!strcmp(key, "headers") || !strcmp(key, "folders"))
			rc = headers_read(k, key, item, e);
		else
			return error_set(e, EXIT_USAGE, "bad request: "
					 "\"source\" has no \"%s\"",
					 text_show(key));
		if (rc < 0)
			return rc;
	}
	if (!k->text)
		return wrong(e, name, "an object with \"text\"");
	k->text_length = strlen(k->text);
	if (!k->file)
		k->file = xstrdup("kernel.cu");
	return 0;
}

static int read_program(struct job_kernel *k, const json_t *v,
			const char *name, struct error *e)
{
	(void)name;
	return job_program_read(&k->program, v, e);
}

static int read_size(struct job *job, const json_t *v, const char *name,
		     struct error *e)
{
	long long n;

	if (read_integer(v, name, 1, SIZE_MAX_MNK, &n, e) < 0)
		return -1;
	*(name[0] == 'm' ? &job->size.m : name[0] == 'n' ? &job->size.n :
							  &job->size.k) =
		(int)n;
	return 0;
}

static int read_problem(struct job *job, const json_t *v, const char *name,
			struct error *e)
{
	const char *names[16], *near;
	size_t n = 0;

	if (read_text(v, name, 63, &job->problem, e) < 0)
		return -1;
	if (problem_find(job->problem))
		return 0;
	while (n < problem_count && n < LENGTH(names)) {
		names[n] = problems[n]->name;
		n++;
	}
	near = nearest_name(job->problem, names, n);
	return error_set(e, EXIT_USAGE, "there is no problem %s%s%s%s",
			 text_show(job->problem), near ? "; did you mean " : "",
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

/* An object of names and texts. */
static int read_pairs(struct job_defines *to, const json_t *v, const char *name,
		      struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v) || json_object_size(v) > DEFINES_MAX ||
	    to->count)
		return wrong(e, name, "an object of names and values");
	json_object_foreach((json_t *)v, key, item) {
		char *value = NULL;

		if (!is_identifier(key))
			return error_set(e, EXIT_USAGE, "%s is no name that "
					 "can be defined", text_show(key));
		if (read_text(item, key, 255, &value, e) < 0)
			return -1;
		job_define(to, key, value);
		free(value);
	}
	return 0;
}

static int read_defines(struct job_kernel *k, const json_t *v, const char *name,
			struct error *e)
{
	return read_pairs(&k->defines, v, name, e);
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

static int read_block(struct job_kernel *k, const json_t *v, const char *name,
		      struct error *e)
{
	k->has_block = true;
	if (read_dim(v, name, 1, 1024, &k->block, e) < 0)
		return -1;
	if (k->block.z > 64 || (uint64_t)k->block.x *
							k->block.y *
							k->block.z >
						1024)
		return error_set(e, EXIT_USAGE, "a block has at most 1024 "
				 "threads, and 64 in z");
	return 0;
}

static int read_grid(struct job_kernel *k, const json_t *v, const char *name,
		     struct error *e)
{
	k->has_grid = true;
	if (read_dim(v, name, 1, INT32_MAX, &k->grid, e) < 0)
		return -1;
	if (k->grid.y > 65535 || k->grid.z > 65535 ||
	    (double)k->grid.x * k->grid.y *
			    k->grid.z >
		    INT32_MAX)
		return error_set(e, EXIT_USAGE, "a grid has at most 65535 "
				 "blocks in y and z, and 2147483647 in all");
	return 0;
}

static int read_shared(struct job_kernel *k, const json_t *v, const char *name,
		       struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, SHARED_MOST, &n, e) < 0)
		return -1;
	k->shared_bytes = (uint32_t)n;
	return 0;
}

static int read_blocks(struct job *job, const json_t *v, const char *name,
		       struct error *e)
{
	if (json_is_integer(v))
		return read_integer(v, name, 1, INT32_MAX, &job->sample, e);
	if (!json_is_array(v) || job->blocks)
		return wrong(e, name, "a list of blocks");
	job->blocks = xcalloc(json_array_size(v) + 1, sizeof(*job->blocks));
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (read_dim(json_array_get(v, i), name, 0, INT32_MAX,
			     &job->blocks[i], e) < 0)
			return -1;
		job->block_count++;
	}
	return 0;
}

static int read_warps(struct job *job, const json_t *v, const char *name,
		      struct error *e)
{
	if (!json_is_array(v))
		return wrong(e, name, "a list of numbers");
	if (json_array_size(v) > 0)
		job->warps = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		long long n;

		if (read_integer(json_array_get(v, i), name, 0, 31, &n, e) < 0)
			return -1;
		job->warps |= 1u << n;
	}
	return 0;
}

static int read_spaces(struct job *job, const json_t *v, const char *name,
		       struct error *e)
{
	if (!json_is_array(v) || json_array_size(v) == 0)
		return wrong(e, name, "a list of \"global\", \"shared\", "
			     "\"register\", \"constant\"");
	job->spaces = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		const char *word = json_string_value(json_array_get(v, i));
		int space = word ? space_from(word) : -1;

		if (space < 0)
			return wrong(e, name, "a list of \"global\", "
				     "\"shared\", \"register\", "
				     "\"constant\"");
		job->spaces |= 1u << space;
	}
	return 0;
}

static int read_repeat(struct job *job, const json_t *v, const char *name,
		       struct error *e)
{
	long long n;

	if (read_integer(v, name, 1, 1000000, &n, e) < 0)
		return -1;
	job->repeat = (long)n;
	return 0;
}

static int read_order(struct job *job, const json_t *v, const char *name,
		      struct error *e)
{
	int order = job_order_from(json_string_value(v));

	if (order < 0)
		return wrong(e, name,
			     "\"forward\", \"reverse\" or \"shuffle\"");
	job->order = (enum job_order)order;
	return 0;
}

static int read_seed(struct job *job, const json_t *v, const char *name,
		     struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT64_MAX, &n, e) < 0)
		return -1;
	job->seed = (uint64_t)n;
	return 0;
}

static int read_time(const json_t *v, const char *name, double most, double *to,
		     struct error *e)
{
	double s = json_number_value(v);

	if (!json_is_number(v) || !(s > 0) || !(s <= most))
		return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be a "
				 "number above 0, at most %g", name, most);
	*to = s;
	return 0;
}

static int read_flag(const json_t *v, const char *name, bool *to,
		     struct error *e)
{
	*to = json_is_true(v);
	return json_is_boolean(v) ? 0 : wrong(e, name, "true or false");
}

/* Members of a job that are read as they are. */
static const struct plain {
	const char *name;
	size_t at;
	enum { FLAG, TIME, PAIRS, WHOLE } kind;
	double most;
} plain[] = {
	{ "max_events", offsetof(struct job, max_events), WHOLE, 1ll << 40 },
	{ "memory", offsetof(struct job, memory), WHOLE, MEMORY_MAX },
	{ "values", offsetof(struct job, values), FLAG, 0 },
	{ "unconfined", offsetof(struct job, unconfined), FLAG, 0 },
	{ "no_store", offsetof(struct job, no_store), FLAG, 0 },
	{ "optimized", offsetof(struct job, optimized), FLAG, 0 },
	{ "seconds", offsetof(struct job, seconds), TIME, 86400 },
	{ "timeout", offsetof(struct job, timeout), TIME, 86400 },
	{ "sample_seconds", offsetof(struct job, sample_seconds), TIME, 3600 },
	{ "args", offsetof(struct job, args), PAIRS, 0 },
	{ "arrays", offsetof(struct job, arrays), PAIRS, 0 },
	{ "contents", offsetof(struct job, contents), PAIRS, 0 },
};

static int read_plain(struct job *job, const json_t *v, const char *name,
		      struct error *e)
{
	const struct plain *p = plain;
	long long whole;
	void *to;

	while (strcmp(p->name, name) != 0)
		p++;
	to = (char *)job + p->at;
	if (p->kind == WHOLE) {
		if (read_integer(v, name, 1, (long long)p->most, &whole, e) < 0)
			return -1;
		*(uint64_t *)to = (uint64_t)whole;
		return 0;
	}
	return p->kind == FLAG ? read_flag(v, name, to, e) :
	       p->kind == TIME ? read_time(v, name, p->most, to, e) :
				 read_pairs(to, v, name, e);
}

static int read_locals_place(struct job *job, const json_t *v,
			     const char *name, struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT32_MAX, &n, e) < 0)
		return -1;
	*(name[0] == 'b' ? &job->locals_block : &job->locals_thread) =
		(uint32_t)n;
	return 0;
}

static int read_first(struct job *job, const json_t *v, const char *name,
		      struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, INT64_MAX / 2, &n, e) < 0)
		return -1;
	job->first = (uint64_t)n;
	return 0;
}

static int read_count(struct job *job, const json_t *v, const char *name,
		      struct error *e)
{
	long long n;

	if (read_integer(v, name, 0, LOCALS_MAX, &n, e) < 0)
		return -1;
	job->count = (uint64_t)n;
	return 0;
}

static const struct kernel_member {
	const char *name;
	int (*read)(struct job_kernel *k, const json_t *v, const char *name,
		    struct error *e);
} kernel_members[] = {
	{ "kernel", read_kernel }, { "source", read_source },
	{ "rival", read_baseline }, { "defines", read_defines },
	{ "block", read_block }, { "grid", read_grid },
	{ "shared_bytes", read_shared }, { "program", read_program },
};

static const struct member record_members[] = {
	{ "type", read_ignored }, { "id", read_ignored },
	{ "m", read_size }, { "n", read_size }, { "k", read_size },
	{ "blocks", read_blocks }, { "warps", read_warps },
	{ "spaces", read_spaces }, { "values", read_plain },
	{ "max_events", read_plain }, { "seconds", read_plain },
	{ "order", read_order }, { "seed", read_seed },
	{ "problem", read_problem }, { "args", read_plain },
	{ "arrays", read_plain }, { "contents", read_plain },
	{ "timeout", read_plain }, { "memory", read_plain },
	{ "unconfined", read_plain }, { "no_store", read_plain },
	{ "optimized", read_plain },
	{ "repeat", read_repeat }, { "sample_seconds", read_plain },
	{ NULL, NULL },
};

static const struct member locals_members[] = {
	{ "type", read_ignored }, { "id", read_ignored },
	{ "block", read_locals_place }, { "thread", read_locals_place },
	{ "first", read_first }, { "count", read_count }, { NULL, NULL },
};

static const struct kernel_member *kernel_member(const char *name)
{
	for (size_t i = 0; i < LENGTH(kernel_members); i++)
		if (!strcmp(kernel_members[i].name, name))
			return &kernel_members[i];
	return NULL;
}

static int members_read(struct job *job, const json_t *o,
			const struct member *members, struct error *e)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)o, key, v) {
		const struct kernel_member *of_kernel =
			members == record_members ? kernel_member(key) : NULL;
		const struct member *m = members;

		while (m->name && strcmp(m->name, key) != 0)
			m++;
		if (!m->name && !of_kernel)
			return error_set(e, EXIT_USAGE, "bad request: unknown "
					 "member \"%s\"", text_show(key));
		if (of_kernel ? of_kernel->read(&job->kernel, v, key, e) :
				m->read(job, v, m->name, e))
			return -1;
	}
	return 0;
}

int job_kernel_read(struct job_kernel *k, const json_t *o, struct error *e)
{
	const char *key;
	json_t *v;

	*k = (struct job_kernel){ 0 };
	json_object_foreach((json_t *)o, key, v) {
		const struct kernel_member *m = kernel_member(key);

		if (m && m->read(k, v, key, e))
			return -1;
	}
	return 0;
}

static int record_check(const struct job *job, struct error *e)
{
	bool baseline = job->kernel.baseline && job->kind == JOB_COUNTERS;

	if (!job->kernel.name + !job->kernel.text + !baseline != 2)
		return error_set(e, EXIT_USAGE, "bad request: either "
				 "\"kernel\" or \"source\" is needed");
	if (job->kind == JOB_LAUNCHES && !job->kernel.program.run)
		return error_set(e, EXIT_USAGE, "bad request: \"program\" is "
				 "needed");
	if (!job->size.m || !job->size.n || !job->size.k)
		return error_set(e, EXIT_USAGE, "bad request: \"m\", \"n\" "
				 "and \"k\" are needed");
	if (job->kernel.text && !job->kernel.program.run &&
	    (!job->kernel.has_block || !job->kernel.has_grid))
		return error_set(e, EXIT_USAGE, "the block and the grid of "
				 "%s must be given: --block 16x16 --grid 4x4, "
				 "say", text_show(job->kernel.file));
	return 0;
}

/* The types there are, and what their members must be; no members: who does
 * it reads the message. */
static const struct job_type {
	const char *name;
	enum job_kind kind;
	const struct member *members;
} types[] = {
	{ "record", JOB_RECORD, record_members },
	{ "locals", JOB_LOCALS, locals_members },
	{ "time", JOB_TIME, NULL },
	{ "pause", JOB_PAUSE, NULL },
	{ "cancel", JOB_CANCEL, NULL },
	{ "counters", JOB_COUNTERS, record_members },
	{ "calibrate", JOB_CALIBRATE, NULL },
	{ "launches", JOB_LAUNCHES, record_members },
};

static int object_read(struct job *job, const json_t *o, struct error *e)
{
	const json_t *id = json_object_get(o, "id");
	const char *type = json_string_value(json_object_get(o, "type"));

	if (json_is_integer(id))
		job->id = json_integer_value(id);
	if (!type)
		return error_set(e, EXIT_USAGE,
				 "bad request: it has no \"type\"");
	if (!json_is_integer(id))
		return wrong(e, "id", "a whole number");
	for (size_t i = 0; i < LENGTH(types); i++) {
		const struct job_type *t = &types[i];

		if (strcmp(type, t->name) != 0)
			continue;
		job->kind = t->kind;
		if (!t->members) {
			job->message = json_incref((json_t *)o);
			return 0;
		}
		if (members_read(job, o, t->members, e) < 0)
			return -1;
		return t->members == record_members ? record_check(job, e) : 0;
	}
	return error_set(e, EXIT_USAGE, "bad request: unknown type \"%s\"",
			 text_show(type));
}

int job_object(struct job *job, const json_t *o, struct error *e)
{
	job_init(job, JOB_RECORD);
	return object_read(job, o, e);
}

int job_parse(struct job *job, const char *line, size_t length,
		  struct error *e)
{
	json_error_t why;
	json_t *o = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
	int rc;

	memset(job, 0, sizeof(*job));
	rc = json_is_object(o) ? job_object(job, o, e) :
	     error_set(e, EXIT_USAGE, "bad request: not a JSON object%s%s",
		       o ? "" : ": ", o ? "" : text_show(why.text));
	json_decref(o);
	return rc;
}
