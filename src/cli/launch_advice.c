/* launch_advice: advice on a launch. Changes that a program can make are tried:
 * the kernel's text is changed in memory and recorded like the launch. */
#include <stdlib.h>
#include <string.h>

#include "analysis/report.h"
#include "cli/launch_options.h"
#include "kernels/kernels.h"
#include "timing/kernel_resources.h"
#include "trace/finding.h"

#define ARCH "sm_90"

/* Returns the kernel as benchmarks write it, "tiled:TILE=32,K=8"; the caller
 * frees it. */
static char *spell_kernel(const struct trace_info *info)
{
	struct str s = { 0 };

	str_add(&s, info->kernel);
	for (size_t i = 0; i < info->define_count; i++)
		str_addf(&s, "%c%s=%s", i ? ',' : ':', info->defines[i].name,
			 info->defines[i].value);
	return str_take(&s);
}

/* The registers of a kernel of the table, if it was measured. */
static int registers_of(const struct trace_info *info)
{
	struct kernel_resources r;
	struct error e;
	char *name;
	int registers = 0;

	if (!kernel_find(info->kernel))
		return 0;
	name = spell_kernel(info);
	if (!kernel_resources_find(&r, name, &e)) {
		registers = r.registers;
		kernel_resources_done(&r);
	}
	free(name);
	return registers;
}

/* Turns the launch of a kernel of the table into that of a file. */
static void make_source_launch(struct job_kernel *k,
			       const struct trace_info *info)
{
	const struct kernel *of = k->name ? kernel_find(k->name) : NULL;
	int p[KERNEL_PARAMS];

	if (!of)
		return;
	kernel_defaults(of, p);
	kernel_values(of, p, job_defined, &k->defines);
	free(k->name);
	k->name = NULL;
	k->file = xasprintf("%s.cu", of->name);
	k->entry = xstrdup(of->entry);
	k->has_block = k->has_grid = true;
	k->block = info->block;
	k->grid = info->grid;
	k->shared_bytes = of->shared ? of->shared(p) : 0;
}

/* Sets the job's sizes to those of the trace, which its recorder may have
 * chosen. */
static void keep_sizes(struct job *job, const struct trace_info *info)
{
	if (info->m && info->n && info->k)
		job->size = (struct problem_sizes){ (int)info->m, (int)info->n,
						    (int)info->k };
	job->kernel.block = info->block;
	job->kernel.grid = info->grid;
	job->kernel.shown &= SHOWN_ARGUMENTS;
}

static struct trace *record_text(struct launch_options *l,
				 const struct trace_info *info, char *text,
				 bool exchange)
{
	struct job job = l->job;
	struct trace *t;
	struct error e;

	job.kernel = job_kernel_copy(&l->job.kernel);
	if (job.kernel.program.run) {
		job.kernel.program.launch = l->at_launch;
	} else {
		make_source_launch(&job.kernel, info);
		keep_sizes(&job, info);
	}
	free(job.kernel.text);
	job.kernel.text = text;
	job.kernel.text_length = strlen(text);
	if (exchange)
		job.kernel.block = (struct trace_dim){
			info->block.y, info->block.x, info->block.z };
	job.problem = info->problem;
	job.values = false;
	t = launch_job(l, &job, &e);
	job_kernel_done(&job.kernel);
	return t;
}

static size_t count_faults(const struct trace_info *info)
{
	size_t n = 0;

	for (size_t i = 0; i < info->finding_count; i++)
		n += finding_is_fault(&info->findings[i]);
	return n;
}

static bool has_wrong_result(const struct trace_info *info)
{
	for (size_t i = 0; i < info->finding_count; i++)
		if (info->findings[i].kind == FINDING_RESULT)
			return true;
	return false;
}

static int64_t count_changed_unit(const struct report *r,
				  const struct trace_info *info,
				  const struct advice *a)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->info->finding_count; i++)
		if (a->kind == ADVICE_BARRIER_MISSING &&
		    r->info->findings[i].kind == FINDING_RACE)
			n += (int64_t)r->info->findings[i].count;
	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];

		if (!op_is_access(s->op))
			continue;
		if (a->kind == ADVICE_EXCHANGE && s->space == SPACE_GLOBAL)
			n += s->sectors;
		else if (a->kind == ADVICE_PITCH && s->space == SPACE_SHARED &&
			 !strcmp(s->array, info->arrays[a->array].name))
			n += s->wavefronts;
	}
	return n;
}

static enum advice_answer answer_of(const struct trace_info *before,
				    const struct report *after)
{
	if (count_faults(after->info) > count_faults(before))
		return ADVICE_WRONG;
	if (has_wrong_result(after->info))
		return ADVICE_STILL_WRONG;
	return after->checked ? ADVICE_RIGHT : ADVICE_UNCHECKED;
}

/* Records the text with all advice of a kind applied; frees the text. */
static void try_advice(struct launch_options *l, const struct trace_info *info,
		       struct advice_list *all, enum advice_kind kind,
		       char *text)
{
	struct trace *t = record_text(l, info, text, kind == ADVICE_EXCHANGE);
	struct report r;
	struct error e;

	if (t && !report_build(t, &r, &e)) {
		for (size_t i = 0; i < all->count; i++) {
			struct advice *a = &all->list[i];

			if (a->kind != kind)
				continue;
			a->tried = true;
			a->got = count_changed_unit(&r, info, a);
			a->answer = answer_of(info, &r);
		}
		report_done(&r);
	}
	trace_close(t);
}

static void try_kind(struct launch_options *l, const struct trace_info *info,
		     struct advice_list *all, enum advice_kind kind)
{
	char *text = NULL;

	for (size_t i = 0; i < all->count; i++) {
		char *changed = all->list[i].kind != kind ? NULL :
				advice_apply(text ? text : info->text, info,
					     &all->list[i]);

		if (!changed)
			continue;
		free(text);
		text = changed;
	}
	if (text)
		try_advice(l, info, all, kind, text);
}

int launch_advice(struct launch_options *l, struct trace *t,
		  struct advice_list *out, struct error *e)
{
	const struct trace_info *info = trace_info(t);
	struct occupancy_arch arch;
	struct advice_machine machine = {
		.arch = occupancy_arch_get(&arch, ARCH, 0, NULL) ? NULL :
								    &arch,
		.registers = registers_of(info),
	};

	if (advice_find(t, &machine, out, e))
		return -1;
	/* A recording from a file has no launch to repeat. */
	if (l->job.kernel.program.run && l->at_launch) {
		try_kind(l, info, out, ADVICE_BARRIER_MISSING);
		try_kind(l, info, out, ADVICE_PITCH);
	} else if (l->job.kernel.name || l->job.kernel.text) {
		try_kind(l, info, out, ADVICE_BARRIER_MISSING);
		try_kind(l, info, out, ADVICE_PITCH);
		try_kind(l, info, out, ADVICE_EXCHANGE);
	}
	return 0;
}
