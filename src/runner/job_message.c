/*
 * job_message: a job as a message. See job.h.
 */
#include <jansson.h>
#include <string.h>

#include "runner/headers.h"
#include "runner/job.h"

static json_t *dims(struct trace_dim d)
{
	return json_pack("[I, I, I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

json_t *job_defines_members(const struct job_defines *d)
{
	json_t *o = json_object();

	for (size_t i = 0; i < d->count; i++)
		json_object_set_new(o, d->list[i].name,
				    json_string(d->list[i].value));
	return o;
}

/* ---- kernels ---- */

json_t *job_kernel_members(const struct job_kernel *k)
{
	json_t *o = json_object();

	if (k->baseline) {
		json_object_set_new(o, "rival", json_string(k->baseline));
		return o;
	}
	if (k->name)
		json_object_set_new(o, "kernel", json_string(k->name));
	if (k->has_block)
		json_object_set_new(o, "block", dims(k->block));
	if (k->has_grid)
		json_object_set_new(o, "grid", dims(k->grid));
	if (k->shared_bytes)
		json_object_set_new(o, "shared_bytes",
				    json_integer(k->shared_bytes));
	if (k->text) {
		json_t *source = json_pack("{ss ss ss*}", "file", k->file,
					   "text", k->text, "entry", k->entry);

		headers_members(source, k);
		json_object_set_new(o, "source", source);
	}
	if (k->program.run)
		json_object_set_new(o, "program",
				    job_program_member(&k->program));
	json_object_set_new(o, "defines", job_defines_members(&k->defines));
	return o;
}

/* ---- what is recorded of a launch ---- */

static json_t *blocks_message(const struct job *job)
{
	json_t *list = json_array();

	for (size_t i = 0; i < job->block_count; i++)
		json_array_append_new(list, dims(job->blocks[i]));
	return list;
}

static json_t *warps_message(uint32_t warps)
{
	json_t *list = json_array();

	for (int i = 0; i < 32; i++)
		if (warps >> i & 1)
			json_array_append_new(list, json_integer(i));
	return list;
}

static json_t *spaces_message(uint32_t spaces)
{
	json_t *list = json_array();

	for (int i = 0; i < SPACE_COUNT; i++)
		if (spaces >> i & 1)
			json_array_append_new(list, json_string(
				space_name((enum space)i)));
	return list;
}

static void given_member(json_t *o, const char *name,
			 const struct job_defines *given)
{
	if (given->count)
		json_object_set_new(o, name, job_defines_members(given));
}

/* What is as it would be without a word is left out: a recorder of another
 * version need not know it. */
static void record_members(json_t *o, const struct job *job)
{
	struct job usual;

	job_init(&usual, JOB_RECORD);
	if (job->block_count)
		json_object_set_new(o, "blocks", blocks_message(job));
	else if (job->sample)
		json_object_set_new(o, "blocks", json_integer(job->sample));
	if (job->warps != usual.warps)
		json_object_set_new(o, "warps", warps_message(job->warps));
	if (job->spaces != usual.spaces)
		json_object_set_new(o, "spaces", spaces_message(job->spaces));
	if (!job->values)
		json_object_set_new(o, "values", json_false());
	if (job->max_events != usual.max_events)
		json_object_set_new(o, "max_events",
				    json_integer((json_int_t)job->max_events));
	if (job->seconds != usual.seconds)
		json_object_set_new(o, "seconds", json_real(job->seconds));
	if (job->timeout != usual.timeout)
		json_object_set_new(o, "timeout", json_real(job->timeout));
	if (job->memory != usual.memory)
		json_object_set_new(o, "memory",
				    json_integer((json_int_t)job->memory));
	if (job->unconfined)
		json_object_set_new(o, "unconfined", json_true());
	if (job->no_store)
		json_object_set_new(o, "no_store", json_true());
	if (job->order != usual.order)
		json_object_set_new(o, "order",
				    json_string(job_order_name(job->order)));
	if (job->seed != usual.seed)
		json_object_set_new(o, "seed",
				    json_integer((json_int_t)job->seed));
	if (job->problem)
		json_object_set_new(o, "problem", json_string(job->problem));
	given_member(o, "args", &job->args);
	given_member(o, "arrays", &job->arrays);
	given_member(o, "contents", &job->contents);
	if (job->optimized)
		json_object_set_new(o, "optimized", json_true());
}

static json_t *launch_message(const struct job *job, const char *type)
{
	json_t *o = json_pack("{ss si si si}", "type", type, "m",
			      job->size.m, "n", job->size.n, "k",
			      job->size.k);

	json_object_update_new(o, job_kernel_members(&job->kernel));
	record_members(o, job);
	return o;
}

static json_t *launches_message(const struct job *job)
{
	json_t *o = launch_message(job, "launches");

	json_object_set_new(o, "repeat", json_integer(job->repeat));
	json_object_set_new(o, "sample_seconds",
			    json_real(job->sample_seconds));
	return o;
}

/* ---- jobs ---- */

json_t *job_message(const struct job *job)
{
	switch (job->kind) {
	case JOB_RECORD:
		return launch_message(job, "record");
	case JOB_COUNTERS:
		return launch_message(job, "counters");
	case JOB_LAUNCHES:
		return launches_message(job);
	case JOB_LOCALS:
		return json_pack("{ss sI sI sI sI}", "type", "locals",
				 "block", (json_int_t)job->locals_block,
				 "thread", (json_int_t)job->locals_thread,
				 "first", (json_int_t)job->first, "count",
				 (json_int_t)job->count);
	case JOB_PAUSE:
		return json_pack("{ss sb}", "type", "pause", "paused",
				 job->paused);
	case JOB_CANCEL:
		return json_pack("{ss}", "type", "cancel");
	case JOB_TIME:
	case JOB_CALIBRATE:
		break;
	}
	fatal("a job without a message");
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
