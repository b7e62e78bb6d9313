/*
 * job_read: reads and checks a job's message. See job.h; job_field.h has its
 * members.
 */
#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "protocol/job_field.h"

/* The types of jobs. A job whose message is kept is read where it is done. */
static const struct job_type {
	const char *name;
	bool has_kernel, kept;
} types[] = {
	[JOB_RECORD] = { "record", true, false },
	[JOB_LOCALS] = { "locals", false, false },
	[JOB_TIME] = { "time", false, true },
	[JOB_PAUSE] = { "pause", false, true },
	[JOB_CANCEL] = { "cancel", false, true },
	[JOB_COUNTERS] = { "counters", true, false },
	[JOB_CALIBRATE] = { "calibrate", false, true },
	[JOB_LAUNCHES] = { "launches", true, false },
	[JOB_MACHINE] = { "machine", true, false },
	[JOB_TOOLS] = { "tools", false, false },
};

const char *job_type_name(enum job_kind kind)
{
	return types[kind].name;
}

bool job_has_kernel(enum job_kind kind)
{
	return types[kind].has_kernel;
}

static int read_members(struct job *job, const json_t *o, struct error *e)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)o, key, v) {
		const struct job_field *f =
			job_field_find(&job_fields, key, job->kind);
		const struct job_field *of_kernel =
			job_has_kernel(job->kind) ?
			job_field_find(&job_kernel_fields, key, job->kind) :
			NULL;

		if (!strcmp(key, "type") || !strcmp(key, "id"))
			continue;
		if (!f && !of_kernel)
			return error_set(e, EXIT_USAGE, "bad request: unknown "
					 "member \"%s\"", text_show(key));
		if (f ? job_field_read(f, job, v, e) :
			job_field_read(of_kernel, &job->kernel, v, e))
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
		const struct job_field *f =
			job_field_find(&job_kernel_fields, key, JOB_TIME);

		if (f && job_field_read(f, k, v, e) < 0)
			return -1;
	}
	return 0;
}

/* Checks the combinations of members. */
static int check_combinations(const struct job *job, struct error *e)
{
	bool baseline = job->kernel.baseline && job->kind == JOB_COUNTERS;

	if (job->code)
		return 0;
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
		return error_set(e, EXIT_USAGE, "%s needs a block and a grid, "
				 "such as --block 16x16 --grid 4x4",
				 text_show(job->kernel.file));
	return 0;
}

static int read_type(struct job *job, const char *type, struct error *e)
{
	for (size_t i = 0; i < LENGTH(types); i++)
		if (!strcmp(type, types[i].name)) {
			job->kind = (enum job_kind)i;
			return 0;
		}
	return error_set(e, EXIT_USAGE, "bad request: unknown type \"%s\"",
			 text_show(type));
}

int job_object(struct job *job, const json_t *o, struct error *e)
{
	const json_t *id = json_object_get(o, "id");
	const char *type = json_string_value(json_object_get(o, "type"));

	job_init(job, JOB_RECORD);
	if (json_is_integer(id))
		job->id = json_integer_value(id);
	if (!type)
		return error_set(e, EXIT_USAGE,
				 "bad request: it has no \"type\"");
	if (!json_is_integer(id))
		return job_field_wrong("id", "a whole number", e);
	if (read_type(job, type, e) < 0)
		return -1;
	if (types[job->kind].kept) {
		job->message = json_incref((json_t *)o);
		return 0;
	}
	if (read_members(job, o, e) < 0)
		return -1;
	return job_has_kernel(job->kind) ? check_combinations(job, e) : 0;
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
