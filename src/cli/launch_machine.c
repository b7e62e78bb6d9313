/* launch_machine: see launch_machine.h. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/config.h"
#include "cli/launch_machine.h"
#include "kernels/kernels.h"
#include "runner/runner.h"

#define PATIENCE 130

/* ---- the answer ---- */

static int whole_member(const json_t *o, const char *name, int low, int high,
		    int otherwise)
{
	const json_t *v = json_object_get(o, name);
	json_int_t n = json_integer_value(v);

	return json_is_integer(v) && n >= low && n <= high ? (int)n :
							     otherwise;
}

static void read_parameter_list(struct machine_code *c, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list) &&
	     i < MACHINE_PARAMETERS; i++) {
		const json_t *p = json_array_get(list, i);

		c->parameters[i].offset = (uint32_t)json_integer_value(
			json_array_get(p, 0)) & 0xffff;
		c->parameters[i].size = (uint32_t)json_integer_value(
			json_array_get(p, 1)) & 0xffff;
		c->parameter_count = (uint32_t)i + 1;
	}
}

/* Reads hexadecimal digits into a bank of constants. */
static void read_bank_digits(struct machine_code *c, uint32_t bank, const char *hex)
{
	size_t n = strlen(hex) / 2;
	unsigned v;

	if (bank >= RUN_BANKS || c->bank_data[bank])
		return;
	c->bank_data[bank] = xcalloc(n + 1, 1);
	for (size_t i = 0; i < n && sscanf(hex + 2 * i, "%2x", &v) == 1; i++)
		c->bank_data[bank][i] = (uint8_t)v;
	c->banks[bank] = (struct run_bank){ c->bank_data[bank], (uint32_t)n };
}

void machine_limits(struct job *job, const struct launch_options *l)
{
	job->timeout = l->job.timeout;
	job->memory = l->job.memory;
	job->unconfined = l->job.unconfined;
}

int machine_code_read(struct machine_code *c, const json_t *answer,
		      struct error *e)
{
	const char *text = json_string_value(json_object_get(answer, "text"));
	const char *entry = json_string_value(json_object_get(answer,
							      "entry"));
	const char *compiler = json_string_value(json_object_get(answer,
								 "compiler"));
	const char *name;
	json_t *v;

	*c = (struct machine_code){
		.arch = (uint32_t)whole_member(answer, "arch", 1, 999, 0),
		.registers = whole_member(answer, "registers", 0, 1024, NA),
		.spill_stores = whole_member(answer, "spill_stores", 0, 1 << 24,
					 NA),
		.spill_loads = whole_member(answer, "spill_loads", 0, 1 << 24,
					NA),
		.stack = (uint32_t)whole_member(answer, "stack", 0, 1 << 24, 0),
		.shared = (uint32_t)whole_member(answer, "shared", 0, 1 << 20, 0),
		.parameter_bytes = (uint32_t)whole_member(
			answer, "parameter_bytes", 0, 1 << 16, 0),
	};
	c->sass = sass_parse(text ? text : "", entry, e);
	if (!c->sass)
		return -1;
	c->compiler = compiler ? xstrdup(compiler) : NULL;
	read_parameter_list(c, json_object_get(answer, "parameters"));
	json_object_foreach(json_object_get(answer, "banks"), name, v)
		if (json_is_string(v))
			read_bank_digits(c, (uint32_t)strtoul(name, NULL, 10),
				  json_string_value(v));
	return 0;
}

/* A job that gemmviz-machine works on. */
struct early_machine {
	struct runner *runner;
	struct job job;
	long id;
	double until;	/* when it is given up, see seconds_now() */
};

/* Starts gemmviz-machine with a job. NULL with e. */
static struct runner *begin_request(const struct job *job, long *id,
				    struct error *e)
{
	char *const argv[] = { paths()->machine, NULL };
	struct runner *r;

	if (config()->cuda)
		setenv("CUDA_HOME", config()->cuda, true);
	r = runner_start(argv, e);
	if (r)
		*id = runner_send(r, job);
	return r;
}

/* Waits for the answer; NULL with e. */
static json_t *finish_request(struct runner *r, long id, struct error *e)
{
	struct runner_event ev = { 0 };
	json_t *answer = NULL;

	if (runner_wait(r, id, runner_patience(PATIENCE), &ev)) {
		*e = ev.error;
	} else {
		if (!runner_refused(&ev, e))
			answer = json_incref(ev.message);
		runner_event_done(&ev);
	}
	runner_free(r);
	return answer;
}

json_t *machine_request(const struct job *job, struct error *e)
{
	long id = 0;
	struct runner *r = begin_request(job, &id, e);

	return r ? finish_request(r, id, e) : NULL;
}

/* ---- the job ---- */

/* The trace's own launch, compiled for the architecture of the options. */
static void machine_job(struct job *job, const struct launch_options *l,
			const struct trace_info *i)
{
	struct job_kernel *k = &job->kernel;
	bool of_table = kernel_find(i->kernel) != NULL;

	job_launch(job, JOB_MACHINE, of_table ? i->kernel : NULL,
		   i->m ? (int)i->m : 1, i->n ? (int)i->n : 1,
		   i->k ? (int)i->k : 1, i->defines, i->define_count);
	machine_limits(job, l);
	k->arch = job_arch(&l->job.kernel);
	if (of_table)
		return;
	k->file = xstrdup(i->file);
	k->text = xstrdup(i->text);
	k->text_length = strlen(i->text);
	k->entry = xstrdup(i->kernel);
	k->headers = job_defines_copy(&l->job.kernel.headers);
	k->folders = job_defines_copy(&l->job.kernel.folders);
	k->has_block = k->has_grid = true;
	k->block = i->block;
	k->grid = i->grid;
}

/* ---- beside the recording ---- */

/* Tests whether both name a kernel of the table with the same parameters. */
static bool has_same_values(const struct job_kernel *a,
			    const struct job_kernel *b)
{
	const struct kernel *k = a->name && b->name &&
				 !strcmp(a->name, b->name) ?
				 kernel_find(a->name) : NULL;
	int x[KERNEL_PARAMS], y[KERNEL_PARAMS];

	if (!k)
		return false;
	kernel_values(k, x, job_defined, &a->defines);
	kernel_values(k, y, job_defined, &b->defines);
	return !memcmp(x, y, kernel_params(k) * sizeof(*x));
}

/* Tests whether both are compiled to the same code. */
static bool is_same_code(const struct job_kernel *a, const struct job_kernel *b)
{
	if (job_arch(a) != job_arch(b))
		return false;
	if (!a->text || !b->text)
		return has_same_values(a, b);
	if (strcmp(a->text, b->text) || strcmp(a->entry, b->entry) ||
	    a->defines.count != b->defines.count)
		return false;
	for (size_t i = 0; i < a->defines.count; i++) {
		const char *other = job_defined(&b->defines,
						a->defines.list[i].name);

		if (!other || strcmp(other, a->defines.list[i].value) != 0)
			return false;
	}
	return true;
}

void launch_machine_end(struct launch_options *l)
{
	if (!l->early)
		return;
	if (l->early->runner)
		runner_free(l->early->runner);
	job_done(&l->early->job);
	free(l->early);
	l->early = NULL;
}

/* Starts gemmviz-machine with a job, which is taken over. -1 with e. */
static int begin_early(struct launch_options *l, struct job *job,
		       struct error *e)
{
	struct early_machine *m = xcalloc(1, sizeof(*m));

	launch_machine_end(l);
	m->job = *job;
	m->runner = begin_request(&m->job, &m->id, e);
	m->until = seconds_now() + runner_patience(PATIENCE);
	l->early = m;
	return m->runner ? 0 : -1;
}

void launch_machine_early(struct launch_options *l)
{
	struct job job;
	struct error ignored;	/* a later request says it */

	if (!l->job.kernel.name && (!l->job.kernel.entry ||
				    l->job.kernel.program.run))
		return;
	job_init(&job, JOB_MACHINE);
	job.size = l->job.size;
	machine_limits(&job, l);
	job.kernel = job_kernel_copy(&l->job.kernel);
	job.kernel.arch = job_arch(&l->job.kernel);
	begin_early(l, &job, &ignored);
}

/* Takes the answer of the early job if it is of the same code. */
static json_t *request_code(const struct launch_options *l,
			    const struct job *job, struct error *e)
{
	struct early_machine *m = l->early;
	struct runner *r;

	if (!m || !m->runner || !is_same_code(&m->job.kernel, &job->kernel))
		return machine_request(job, e);
	r = m->runner;
	m->runner = NULL;
	return finish_request(r, m->id, e);
}

/* Runs the code of an answer, which is released; NULL: e says why there is none.
 * -1 with e. */
static int run_answer(json_t *answer, struct trace *t,
		      struct machine_launch *m, struct error *e)
{
	struct machine_code code;
	int rc;

	if (!answer)
		return -1;
	rc = machine_code_read(&code, answer, e);
	json_decref(answer);
	return rc < 0 ? -1 : machine_make(m, &code, t, e);
}

int launch_machine(const struct launch_options *l, struct trace *t,
		   struct machine_launch *m, struct error *e)
{
	struct job job;
	json_t *answer;

	machine_job(&job, l, trace_info(t));
	answer = request_code(l, &job, e);
	job_done(&job);
	return run_answer(answer, t, m, e);
}

/* ---- without waiting ---- */

/* Takes what has been sent. Returns 1 until the job is answered; then 0 with the
 * answer, or -1 with e. */
static int poll_answer(struct early_machine *m, json_t **answer,
		       struct error *e)
{
	struct runner_event ev = { 0 };
	int rc = -1;

	runner_step(m->runner, &ev);
	while (ev.kind == RUNNER_MESSAGE &&
	       (ev.id != m->id || !strcmp(runner_event_type(&ev), "progress"))) {
		runner_event_done(&ev);
		runner_step(m->runner, &ev);
	}
	if (ev.kind == RUNNER_NOTHING && seconds_now() < m->until)
		return 1;
	if (ev.kind == RUNNER_MESSAGE) {
		rc = runner_refused(&ev, e) ? -1 : 0;
		if (rc == 0)
			*answer = json_incref(ev.message);
		runner_event_done(&ev);
	} else if (ev.kind == RUNNER_NOTHING) {
		runner_silent(m->runner, runner_patience(PATIENCE), e);
	} else {
		*e = ev.error;
	}
	runner_free(m->runner);
	m->runner = NULL;
	return rc;
}

int launch_machine_poll(struct launch_options *l, struct trace *t,
			struct machine_launch *m, struct error *e)
{
	json_t *answer = NULL;
	struct job job;
	int rc;

	machine_job(&job, l, trace_info(t));
	if (!l->early || !l->early->runner ||
	    !is_same_code(&l->early->job.kernel, &job.kernel)) {
		if (begin_early(l, &job, e) < 0)
			return -1;
	} else {
		job_done(&job);
	}
	rc = poll_answer(l->early, &answer, e);
	return rc ? rc : run_answer(answer, t, m, e);
}
