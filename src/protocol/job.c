/*
 * job: the members of jobs, without their messages. See job.h.
 */
#include "protocol/job.h"

#include <stdlib.h>
#include <string.h>

/* ---- defines ---- */

void job_define(struct job_defines *d, const char *name, const char *value)
{
	for (size_t i = 0; i < d->count; i++) {
		if (strcmp(d->list[i].name, name) != 0)
			continue;
		free(d->list[i].value);
		d->list[i].value = xstrdup(value);
		return;
	}
	d->list = xrealloc(d->list, d->count + 1, sizeof(*d->list));
	d->list[d->count++] =
		(struct trace_define){ xstrdup(name), xstrdup(value) };
}

const char *job_defined(const void *defines, const char *name)
{
	const struct job_defines *d = defines;

	for (size_t i = 0; i < d->count; i++)
		if (!strcmp(d->list[i].name, name))
			return d->list[i].value;
	return NULL;
}

void job_defines_add(struct job_defines *d, const struct job_defines *others)
{
	for (size_t i = 0; i < others->count; i++)
		job_define(d, others->list[i].name, others->list[i].value);
}

struct job_defines job_defines_copy(const struct job_defines *d)
{
	struct job_defines c = { 0 };

	job_defines_add(&c, d);
	return c;
}

void job_defines_done(struct job_defines *d)
{
	for (size_t i = 0; i < d->count; i++) {
		free(d->list[i].name);
		free(d->list[i].value);
	}
	free(d->list);
	*d = (struct job_defines){ 0 };
}

static bool same_optional(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool equal_defines(const struct job_defines *a,
			  const struct job_defines *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = same_optional(a->list[i].value,
				     job_defined(b, a->list[i].name));
	return same;
}

/* ---- kernels ---- */

static char *copy_optional(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

struct job_kernel job_kernel_copy(const struct job_kernel *k)
{
	struct job_kernel c = *k;

	c.name = copy_optional(k->name);
	c.baseline = copy_optional(k->baseline);
	c.file = copy_optional(k->file);
	c.text = copy_optional(k->text);
	c.entry = copy_optional(k->entry);
	c.defines = job_defines_copy(&k->defines);
	c.headers = job_defines_copy(&k->headers);
	c.folders = job_defines_copy(&k->folders);
	c.outside = job_defines_copy(&k->outside);
	c.program = job_program_copy(&k->program);
	return c;
}

void job_kernel_done(struct job_kernel *k)
{
	free(k->name);
	free(k->baseline);
	free(k->file);
	free(k->text);
	free(k->entry);
	job_defines_done(&k->defines);
	job_defines_done(&k->headers);
	job_defines_done(&k->folders);
	job_defines_done(&k->outside);
	job_program_done(&k->program);
	*k = (struct job_kernel){ 0 };
}

static bool same_optional_dim(bool has_a, struct trace_dim a, bool has_b,
			      struct trace_dim b)
{
	return has_a == has_b &&
	       (!has_a || (a.x == b.x && a.y == b.y && a.z == b.z));
}

uint32_t job_arch(const struct job_kernel *k)
{
	return k->arch ? k->arch : JOB_ARCH_USUAL;
}

bool job_kernel_equal(const struct job_kernel *a, const struct job_kernel *b)
{
	return same_optional(a->name, b->name) &&
	       same_optional(a->baseline, b->baseline) &&
	       same_optional(a->file, b->file) &&
	       same_optional(a->text, b->text) &&
	       same_optional(a->entry, b->entry) &&
	       equal_defines(&a->defines, &b->defines) &&
	       equal_defines(&a->headers, &b->headers) &&
	       equal_defines(&a->folders, &b->folders) &&
	       same_optional_dim(a->has_block, a->block, b->has_block,
				 b->block) &&
	       same_optional_dim(a->has_grid, a->grid, b->has_grid, b->grid) &&
	       a->shared_bytes == b->shared_bytes &&
	       a->arch == b->arch && a->sms == b->sms &&
	       a->program.run == b->program.run;
}

/* ---- kernels to be timed ---- */

/* Sets the defaults of a timing job. */
void job_time_init(struct job_time *t)
{
	*t = (struct job_time){
		.repeat = 15, .seconds = 1, .patience = 20, .seed = 1,
	};
}

struct job_time job_time_copy(const struct job_time *t)
{
	struct job_time c = *t;

	c.cases = NULL;
	c.sizes = NULL;
	c.case_count = c.case_capacity = c.size_count = c.size_capacity = 0;
	for (size_t i = 0; i < t->case_count; i++) {
		struct job_kernel k = job_kernel_copy(&t->cases[i]);

		job_time_case(&c, &k);
	}
	for (size_t i = 0; i < t->size_count; i++)
		job_time_size(&c, t->sizes[i]);
	c.tuned = json_incref(t->tuned);
	return c;
}

void job_time_done(struct job_time *t)
{
	for (size_t i = 0; i < t->case_count; i++)
		job_kernel_done(&t->cases[i]);
	free(t->cases);
	free(t->sizes);
	json_decref(t->tuned);
	*t = (struct job_time){ 0 };
}

void job_time_case(struct job_time *t, struct job_kernel *kernel)
{
	for (size_t i = 0; i < t->case_count; i++)
		if (job_kernel_equal(&t->cases[i], kernel)) {
			job_kernel_done(kernel);
			return;
		}
	grow(&t->cases, &t->case_capacity, t->case_count + 1,
	     sizeof(*t->cases));
	t->cases[t->case_count++] = *kernel;
	*kernel = (struct job_kernel){ 0 };
}

void job_time_size(struct job_time *t, struct problem_sizes size)
{
	for (size_t i = 0; i < t->size_count; i++)
		if (t->sizes[i].m == size.m && t->sizes[i].n == size.n &&
		    t->sizes[i].k == size.k)
			return;
	grow(&t->sizes, &t->size_capacity, t->size_count + 1,
	     sizeof(*t->sizes));
	t->sizes[t->size_count++] = size;
}

void job_time_drop(struct job_time *t, size_t at)
{
	job_kernel_done(&t->cases[at]);
	t->case_count--;
	memmove(&t->cases[at], &t->cases[at + 1],
		(t->case_count - at) * sizeof(*t->cases));
}

/* ---- jobs ---- */

void job_init(struct job *job, enum job_kind kind)
{
	*job = (struct job){
		.kind = kind,
		.warps = UINT32_MAX,
		.spaces = (1u << SPACE_COUNT) - 1,
		.values = true,
		.max_events = EVENTS_DEFAULT,
		.seconds = SECONDS_DEFAULT, .timeout = TIMEOUT_DEFAULT,
		.memory = MEMORY_DEFAULT,
		.seed = 1,
		.count = 1,
		.repeat = 15, .sample_seconds = 1,
	};
}

void job_block(struct job *job, struct trace_dim block)
{
	job->blocks = xrealloc(job->blocks, job->block_count + 1,
			       sizeof(*job->blocks));
	job->blocks[job->block_count++] = block;
}

static const char *const orders[] = { "forward", "reverse", "shuffle" };

int job_order_from(const char *name)
{
	for (size_t i = 0; name && i < LENGTH(orders); i++)
		if (!strcmp(name, orders[i]))
			return (int)i;
	return -1;
}

const char *job_order_name(enum job_order order)
{
	return orders[order];
}

void job_launch(struct job *job, enum job_kind kind, const char *kernel, int m,
		int n, int k, const struct trace_define *defines, size_t count)
{
	job_init(job, kind);
	job->kernel.name = copy_optional(kernel);
	job->size = (struct problem_sizes){ m, n, k };
	for (size_t i = 0; i < count; i++)
		job_define(&job->kernel.defines, defines[i].name,
			   defines[i].value);
}

void job_done(struct job *job)
{
	job_kernel_done(&job->kernel);
	free(job->blocks);
	free(job->problem);
	free(job->code);
	free(job->code_entry);
	job_defines_done(&job->args);
	job_defines_done(&job->arrays);
	job_defines_done(&job->contents);
	json_decref(job->message);
	*job = (struct job){ 0 };
}
