/*
 * launch: prepare, run, write. See launch.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/module/asm_text.h"
#include "emu/module/scalar_text.h"
#include "emu/call_answer.h"
#include "emu/call_record.h"
#include "emu/emu.h"
#include "emu/fibre.h"
#include "emu/hooks.h"
#include "emu/launch.h"
#include "emu/output.h"
#include "emu/parallel_record.h"
#include "emu/parked_blocks.h"
#include "emu/unit.h"
#include "record/leading.h"
#include "record/result_check.h"
#include "record/size_choice.h"

/* ---- the module ---- */

/* Returns copies of the user's headers whose asm statements are calls; to be
 * freed with job_defines_done(). */
static struct job_defines headers_calls(const struct kernel_text *t)
{
	struct job_defines to = { .count = 0 };

	for (size_t i = 0; i < t->headers.count; i++) {
		char *calls =
			hook_scalars(asm_calls(t->headers.list[i].value));

		job_define(&to, t->headers.list[i].name, calls);
		free(calls);
	}
	return to;
}

static int compiled(const void *ctx, struct error *e)
{
	const struct launch *l = ctx;

	parallel_begin(&l->plan);
	return l->confine ? l->confine(l, STAGE_LOAD, e) : 0;
}

/* Compiles the user's text without its host functions, its asm statements as
 * calls, into l->module. */
static int module_user(struct launch *l, struct error *e)
{
	const struct job_kernel *k = &l->plan.job.kernel;
	struct job_defines headers;
	struct str text = { 0 };
	char *calls;

	if (kernel_text_make(&l->user_text, k, l->plan.text, l->plan.length,
			     e) < 0)
		return -1;
	calls = hook_scalars(asm_calls(l->user_text.own.text));
	str_add(&text, calls);
	free(calls);
	if (k->entry && strchr(k->entry, '<')) {
		char *instance = module_instance(k->entry);

		str_add(&text, instance);
		free(instance);
	}
	headers = headers_calls(&l->user_text);
	l->module = module_compile(&(struct compile_job) {
		.name = k->file, .text = text.data, .length = text.len,
		.defines = k->defines.list, .define_count = k->defines.count,
		.headers = &headers, .folders = &k->folders,
		.outside = &k->outside, .arch = job_arch(k),
		.unconfined = l->plan.job.unconfined,
		.no_store = l->plan.job.no_store }, compiled, l, e);
	job_defines_done(&headers);
	free(text.data);
	return l->module ? 0 : -1;
}

static int load_or_compile(struct launch *l, struct error *e)
{
	const struct plan *p = &l->plan;

	if (p->kernel) {
		char *build = plan_build(p);
		char *path = xasprintf("%s/%s.so", paths()->modules, build);

		if (access(path, R_OK) == 0)
			l->module = module_open(path, e);
		free(build);
		free(path);
		if (l->module) {
			parallel_begin(&l->plan);
			return 0;
		}
	}
	return module_user(l, e);
}

void launch_text_lines(const char *text)
{
	char *copy = xstrdup(text);
	size_t capacity = 0;

	if (rec.lines)
		free(rec.lines[0]);
	free(rec.lines);
	rec.lines = NULL;
	rec.line_count = 0;
	for (char *next, *l = copy; l; l = next) {
		next = strchr(l, '\n');
		if (next)
			*next++ = '\0';
		grow(&rec.lines, &capacity, rec.line_count + 1,
		     sizeof(*rec.lines));
		rec.lines[rec.line_count++] = l;
	}
}

static void module_use(struct launch *l)
{
	rec.load = l->module->load;
	rec.text = l->module->text;
	rec.text_bytes = l->module->text_bytes;
	rec.debug = l->module->debug;
	rec.slots = xcalloc(rec.text_bytes + 1, sizeof(*rec.slots));
	launch_text_lines(l->plan.text);
}

static int module_begin(struct launch *l, struct error *e)
{
	rec.source = l->plan.text;
	rec.headers = &l->plan.job.kernel.headers;
	if (load_or_compile(l, e) < 0)
		return -1;
	module_use(l);
	if (l->confine && l->confine(l, STAGE_RUN, e) < 0)
		return -1;
	module_construct(l->module);
	return 0;
}

/* ---- preparing ---- */

int launch_from_job(struct launch *l, struct job *job, struct error *e)
{
	const struct plan *p = &l->plan;

	if (job->optimized)
		return error_set(e, EXIT_GPU, "the CPU records the accesses of "
				 "the source: optimized code needs the GPU "
				 "(--on gpu)");
	if (plan_make(&l->plan, job, plan_text_file, e) < 0 ||
	    plan_fits(&l->plan, e) < 0 || module_begin(l, e) < 0)
		return -1;
	l->entry = module_entry(l->module, &l->user_text.own, p->kernel ?
				p->kernel->entry : p->job.kernel.entry, e);
	return l->entry ? 0 : -1;
}

/* ---- writing ---- */

static void info_begin(struct trace_output *o)
{
	const struct launch *l = o->launch;

	plan_info(&l->plan, "cpu", "", l->entry->name, &o->info);
	/* The matrices are listed whether the kernel accesses them or not. */
	for (size_t a = 0; a < LENGTH(l->array); a++)
		if (l->array[a])
			output_array(o, l->array[a]);
	arguments_tell(l->arguments, (int)l->argument_count, &o->info);
}

/* ---- running ---- */

/* Finds the cluster of the i-th block that is to be recorded: its first block,
 * and in *record a bit for each of the cluster's blocks that are to be. Returns
 * how many these are. */
static uint64_t cluster_chosen(const uint32_t *chosen, uint64_t i,
			       uint64_t count, uint32_t *first,
			       uint32_t *record)
{
	uint64_t n = 0;

	*first = (chosen ? chosen[i] : (uint32_t)i) / rec.cluster *
		 rec.cluster;
	*record = 0;
	for (; i + n < count; n++) {
		uint32_t b = chosen ? chosen[i + n] : (uint32_t)(i + n);

		if (b - *first >= rec.cluster)
			break;
		*record |= 1u << (b - *first);
	}
	return n;
}

static int cluster_write(struct trace_output *o, uint32_t first,
			 uint32_t record, struct error *e)
{
	int rc = 0;

	if (o->launch->stop == STOP_GONE)
		return error_set(e, EXIT_RUNNER, "cancelled");
	for (; record && rc == 0; record &= record - 1) {
		uint32_t rank = (uint32_t)__builtin_ctz(record);

		rec.threads = rec.blocks[rank].threads;
		rc = output_block(o, first + rank, e);
	}
	return rc;
}

/* Runs the cluster of block *i of those to be recorded, and goes on to the
 * next. */
static int cluster_do(struct trace_output *o, const uint32_t *chosen,
		      uint64_t *i, uint64_t count, struct error *e)
{
	struct launch *l = o->launch;
	uint32_t first, record;

	*i += cluster_chosen(chosen, *i, count, &first, &record);
	output_cluster(o, first, record);
	if (launch_shared_check(l, e) < 0 ||
	    units_launch_check(l->plan.job.kernel.file, e) < 0)
		return -1;
	return cluster_write(o, first, record, e);
}

/* Runs the clusters of this process; which these are is known after the first
 * one. */
static int clusters_do(struct trace_output *o, const uint32_t *chosen,
		       uint64_t count, bool *tainted, struct error *e)
{
	struct launch *l = o->launch;
	uint64_t i = 0, end = count;
	int rc = 0;

	while (i < end && rc == 0 && !rec.stop && !l->assumed.again) {
		bool begin = i == 0;

		rc = cluster_do(o, chosen, &i, count, e);
		*tainted = *tainted || rec.tainted;
		if (!begin || rc < 0)
			continue;
		parallel_divide(l, &o->info, chosen, &i, &end);
		if (parallel_is_helper())
			o->writer = parallel_writer(l, chosen, i);
	}
	if (parallel_is_helper())
		parallel_hand_over(o->writer, &o->info);
	return rc;
}

/* Joins the helpers' parts to the trace; sets assumed.again if the launch is to
 * be recorded again. */
static int parallel_take(struct trace_output *o, struct error *e)
{
	int rc = 0;

	if (parallel_divided() && !rec.stop && !o->launch->assumed.again)
		rc = parallel_join(o->writer, &o->info, output_site, o, e);
	parallel_done();
	if (rc > 0)
		o->launch->assumed.again = true;
	return MIN(rc, 0);
}

static int blocks_run(struct trace_output *o, struct error *e)
{
	struct launch *l = o->launch;
	uint64_t count;
	uint32_t *chosen = plan_chosen(&l->plan, &count);
	bool tainted = false;
	int rc = clusters_do(o, chosen, count, &tainted, e);

	if (rc == 0)
		rc = parallel_take(o, e);
	if (rec.stop && rc == 0)
		block_stopped(l);
	tainted = tainted || rec.stop;
	o->info.partial = o->info.partial || tainted;
	if (!rc && !l->assumed.again)
		rc = answer_check(&(struct answer) {
			.plan = &l->plan, .arguments = l->arguments,
			.count = (int)l->argument_count,
			.fetch = launch_fetch, .ctx = l,
			.partial = count != plan_blocks(&l->plan),
			.tainted = tainted }, &o->info, &rec.findings, e);
	free(chosen);
	if (rc == ANSWER_AGAIN) {
		l->plan.numbers = l->assumed.again = true;
		rc = 0;
	}
	return rc;
}

static bool info_has_fault(const struct trace_info *info)
{
	for (size_t i = 0; i < info->finding_count; i++)
		if (finding_is_fault(&info->findings[i]))
			return true;
	return false;
}

/* Notes the problem, and its form, that the output was compared with. */
static void note_computed(struct launch *l, const struct trace_info *info)
{
	const struct problem *p =
		info->problem ? problem_find(info->problem) : NULL;

	l->form = p && info->check ? problem_form(p, info->check) : NULL;
	l->computes = l->form ? p : NULL;
}

static int record_once(struct launch *l, int fd, struct error *e)
{
	struct trace_output o = { .launch = l };
	int rc;

	recorder_reset();
	if (launch_bind(l, e) < 0 || block_begin(l, e) < 0)
		return -1;
	l->assumed.open = l->may_grow &&
			  sizes_are_open(&l->plan, l->arguments,
					 (int)l->argument_count);
	info_begin(&o);
	if (!parallel_is_helper())
		o.writer = trace_writer_new(fd, l->plan.job.values);
	rc = blocks_run(&o, e);
	if (rc == 0 && !l->assumed.again) {
		inferred_note(&l->assumed, &rec.findings, &o.info);
		findings_headers(&rec.findings, &l->module->left_out);
		findings_take(&rec.findings, &o.info);
		l->faulty = info_has_fault(&o.info);
		note_computed(l, &o.info);
		o.info.partial = o.info.partial || l->only_findings;
		rc = trace_writer_finish(o.writer, &o.info, e);
	} else {
		trace_writer_free(o.writer);
	}
	trace_info_done(&o.info);
	return rc;
}

/* ---- at which sizes ---- */

/* Records the launch at the plan's sizes, with arrays that are large enough. */
static int record_size(struct launch *l, int fd, off_t from, struct error *e)
{
	int rc;

	l->assumed = (struct inferred_sizes){ .count = 0 };
	do
		rc = record_once(l, fd, e);
	while (rc == 0 && !l->assumed.larger &&
	       (rc = inferred_again(&l->assumed, fd, from, e)) > 0);
	return rc;
}

static bool has_grown(const struct launch *l)
{
	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].decided == DECIDED_GROWN)
			return true;
	return false;
}

/* Tests whether the sizes, which nobody gave, seem not to suit the launch: then
 * others are to be tried. */
static bool is_unfit(const struct launch *l)
{
	return l->assumed.larger ||
	       (l->faulty && !rec.stop && (has_grown(l) || !sizes_fit(&l->plan)) &&
		sizes_are_open(&l->plan, l->arguments,
			       (int)l->argument_count));
}

/* The share of a launch's seconds after which no other size is tried. */
#define SIZES_SECONDS 0.25

static bool has_time(const struct launch *l, double began)
{
	return seconds_now() - began < SIZES_SECONDS * l->plan.job.seconds;
}

/* Records the launch in place of what was recorded. Only a process that has
 * recorded may do this: others may have begun to write. */
static int record_size_again(struct launch *l, int fd, struct error *e)
{
	return trace_rewind(fd, 0, e) < 0 ? -1 : record_size(l, fd, 0, e);
}

/* Tests whether leading dimensions depend on how the matrices are stored. */
static bool has_leading(const struct launch *l)
{
	const struct problem_sizes *s = &l->plan.size;

	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].decided == DECIDED_NAME &&
		    leading_matrix(l->arguments[i].var->name) >= 0)
			return s->m != s->n || s->n != s->k;
	return false;
}

/* Records a launch with faults again, with matrices stored in another way, which
 * nothing says. If it is right in none, it stays as it was. */
static int record_stored(struct launch *l, int fd, struct error *e)
{
	const struct problem_form *forms = l->plan.problem->forms;
	int rc = 0;

	if (l->plan.kernel || !l->faulty || rec.stop || !has_leading(l))
		return 0;
	l->may_grow = false;
	for (int i = 0; i < PROBLEM_FORMS && forms[i].name && !rc; i++) {
		if (!forms[i].by_columns)
			continue;
		l->plan.by_columns = forms[i].by_columns;
		rc = record_size_again(l, fd, e);
		if (!rc && !l->faulty)
			return 0;
	}
	l->plan.by_columns = 0;
	return rc ? rc : record_size_again(l, fd, e);
}

/* Records the launch at the first size that suits it. If none does, the first is
 * recorded, with its faults. */
static int record_first(struct launch *l, int fd, struct error *e)
{
	struct launch_size first;
	double began = seconds_now();
	int rc;

	l->may_grow = !l->plan.kernel && l->plan.job.open;
	rc = record_size(l, fd, 0, e);
	if (rc < 0 || !l->may_grow || !is_unfit(l))
		return rc;
	first = launch_size_of(&l->plan);
	for (int i = 0; has_time(l, began) &&
		    sizes_grow(&l->plan, l->arguments,
			       (int)l->argument_count, &first, i); i++) {
		rc = record_size_again(l, fd, e);
		if (rc < 0 || (!l->assumed.larger && !l->faulty))
			return rc;
	}
	launch_size_set(&l->plan, &first);
	l->may_grow = false;
	return record_size_again(l, fd, e);
}

/* Tests whether a parameter is a size by its position alone. */
static bool has_guessed_size(const struct launch *l)
{
	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].size &&
		    l->arguments[i].decided == DECIDED_POSITION)
			return true;
	return false;
}

/* Records the launch at a second size, of which only what is found is
 * kept. The launch is then as it was. */
static int record_second(struct launch *l, int fd, struct error *e)
{
	struct launch_size first = launch_size_of(&l->plan);
	bool held = l->plan.held;
	unsigned by_columns = l->plan.by_columns;
	int rc;

	if (!sizes_are_open(&l->plan, l->arguments, (int)l->argument_count) ||
	    plan_partial(&l->plan) || (!held && !l->computes &&
				       has_guessed_size(l)) ||
	    !sizes_second(&l->plan, l->arguments, (int)l->argument_count))
		return 0;
	l->first_bytes = lseek(fd, 0, SEEK_END);
	l->may_grow = false;
	l->only_findings = true;
	l->plan.by_columns = l->form ? l->form->by_columns : by_columns;
	/* If the sizes are one, there is no doubt which is which. */
	if (!held && l->computes && sizes_are_one(l->arguments,
						  (int)l->argument_count)) {
		l->plan.problem = l->computes;
		l->plan.held = true;
	}
	rc = record_size(l, fd, l->first_bytes, e);
	l->only_findings = false;
	l->plan.by_columns = by_columns;
	l->plan.held = held;
	l->plan.problem = held ? l->plan.problem : &problem_unknown;
	launch_size_set(&l->plan, &first);
	return rc;
}

/* ---- of a program ---- */

/* The share of a launch's seconds after which no other block is recorded,
 * unless all are to be. */
#define CALL_SECONDS 0.25

static bool call_room(const struct launch *l, uint64_t most, double began)
{
	const struct job *job = &l->plan.job;
	uint64_t used = job->max_events - rec.events_left - rec.events_aside;

	return used + most < MIN(job->max_events, CALL_EVENTS) &&
	       (job->block_count || job->sample || job->kernel.program.judge ||
		seconds_now() - began < CALL_SECONDS * job->seconds);
}

/* Runs the blocks that are to be recorded, as long as there is room; *done
 * becomes the number of blocks that have been run. */
static int call_blocks(struct trace_output *o, uint64_t *done, struct error *e)
{
	struct launch *l = o->launch;
	uint64_t count, blocks = plan_blocks(&l->plan), most = 0;
	double began = seconds_now();
	uint32_t *chosen = plan_chosen(&l->plan, &count);
	int rc = 0;

	*done = 0;
	for (uint64_t i = 0, n = 0; i < count && !rc && !rec.stop; i += n) {
		uint64_t before = rec.events_left;
		uint32_t first, record;

		n = cluster_chosen(chosen, i, count, &first, &record);
		if (i + n > plan_blocks_most(&l->plan) ||
		    !call_room(l, most, began) ||
		    (parked_any() && !parked_recorded(chosen ? chosen[i] :
							  (uint32_t)i)))
			break;
		for (; *done < first && !rec.stop; *done += rec.cluster)
			cluster_run((uint32_t)*done, 0);
		output_cluster(o, first, record);
		*done = first + rec.cluster;
		most = MAX(most, before - rec.events_left);
		rc = launch_shared_check(l, e);
		if (rc == 0)
			rc = units_launch_check(l->plan.job.kernel.file, e);
		if (rc == 0)
			rc = cluster_write(o, first, record, e);
	}
	o->info.partial = o->info.partial || rec.stop || *done < blocks;
	free(chosen);
	return rc;
}

static int call_end(struct trace_output *o, struct launch_kept *kept,
		    struct error *e)
{
	int rc;

	findings_take(&rec.findings, &o->info);
	if (kept) {
		*kept = (struct launch_kept) { o->writer, o->info };
		return 0;
	}
	rc = trace_writer_finish(o->writer, &o->info, e);
	trace_info_done(&o->info);
	return rc;
}

int launch_record_call(struct launch *l, bool record, int fd,
		       struct launch_kept *kept, struct error *e)
{
	struct trace_output o = { .launch = l };
	uint64_t done = 0;
	bool cut = false;	/* by time, which an honest kernel may need */
	int rc = 0;

	if (call_bind(l, e) < 0)
		return -1;
	if (record)
		call_answer_begin(l);
	info_begin(&o);
	o.info.check = xstrdup(UNCHECKED_PROGRAM);
	o.info.partial = o.info.partial || !record;
	o.writer = trace_writer_new(fd, l->plan.job.values);
	l->records = record;
	if (record)
		rc = call_blocks(&o, &done, e);
	if (rc == 0 && !rec.stop) {
		rc = call_rest(l, done, e);
		cut = rec.stop && l->stop == STOP_SECONDS;
	}
	if (rec.stop && rc == 0 && !cut)
		block_stopped(l);
	if (rc == 0 && record)
		call_answer_end(l, &o.info, !rec.spoiled);
	record = record || rec.findings.count;
	if (rc == 0 && record) {
		rc = call_end(&o, kept, e);
	} else {
		trace_writer_free(o.writer);
		trace_info_done(&o.info);
	}
	emu_program.variables_out();
	return rc < 0 ? -1 : record;
}

int launch_record(struct launch *l, int fd, struct error *e)
{
	double began = seconds_now();
	int rc;

	l->cooperative = l->records = true;
	l->first_bytes = 0;
	rc = record_first(l, fd, e);
	if (rc == 0)
		rc = record_stored(l, fd, e);
	if (rc == 0 && l->plan.job.second && !l->faulty && !rec.stop &&
	    has_time(l, began))
		rc = record_second(l, fd, e);
	return rc;
}
