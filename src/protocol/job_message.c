/*
 * job_message: writes a job as a message. See job.h; job_field.h has its
 * members.
 */
#include <jansson.h>

#include "protocol/job_field.h"

json_t *job_kernel_members(const struct job_kernel *k)
{
	static const struct job_kernel usual;
	json_t *o = json_object();

	if (k->baseline)
		json_object_set_new(o, "rival", json_string(k->baseline));
	else
		job_fields_write(&job_kernel_fields, JOB_TIME, k, &usual, o);
	return o;
}

json_t *job_message(const struct job *job)
{
	const char *type = job_type_name(job->kind);
	struct job usual;
	json_t *o;

	if (!type || job->kind == JOB_TIME || job->kind == JOB_CALIBRATE)
		fatal("a job without a message");
	job_init(&usual, job->kind);
	o = json_pack("{ss}", "type", type);
	if (job_has_kernel(job->kind))
		json_object_update_new(o, job_kernel_members(&job->kernel));
	/* A member with its usual value is left out: a recorder of another
	 * version need not know it. */
	job_fields_write(&job_fields, job->kind, job, &usual, o);
	return o;
}

json_t *job_time_message(const struct job_time *t)
{
	json_t *cases = json_array(), *sizes = json_array();

	for (size_t i = 0; i < t->case_count; i++)
		json_array_append_new(cases, job_kernel_members(&t->cases[i]));
	for (size_t i = 0; i < t->size_count; i++)
		json_array_append_new(sizes, json_pack(
			"[iii]", t->sizes[i].m, t->sizes[i].n, t->sizes[i].k));
	return json_pack("{ss so so sI sf sf sI sO*}", "type", "time",
			 "entrants", cases, "sizes", sizes, "repeat",
			 (json_int_t)t->repeat, "seconds", t->seconds,
			 "patience", t->patience, "seed",
			 (json_int_t)t->seed, "tuned", t->tuned);
}
