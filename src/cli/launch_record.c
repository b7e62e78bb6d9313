/* launch_record: sends a job to a recorder, and takes its answer. See
 * launch_options.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "kernels/kernels.h"

/* Seconds without a sign of life before a recorder counts as hung. */
#define PATIENCE 120
/* The most bytes of a program's output that are shown, from any recorder. */
#define OUTPUT_MOST (4u << 20)

/* Prints lines that the program has written. Returns -1 with e if the output is
 * closed. */
static int print_output(struct launch_options *l, const json_t *message,
			struct error *e)
{
	const char *text = json_string_value(json_object_get(message, "text"));

	if (!l->output || l->output_shown > OUTPUT_MOST)
		return 0;
	program_output_print(text, l->job.kernel.file, !l->output_shown,
			     l->output);
	l->output_shown += strlen(text);
	return fflush(l->output) == 0 ? 0 :
	       error_set(e, EXIT_OUTPUT, "cannot write the output: %m");
}

/* Sends the job and waits for its answer, which goes to ev; takes a program's
 * summary and output before it. Returns -1 with e. */
static int send_and_wait(struct launch_options *l, struct runner *r,
			 const struct job *job, struct runner_event *ev,
			 struct error *e)
{
	long id = runner_send(r, job);
	int rc = 0;

	while (rc == 0) {
		if (runner_wait(r, id, runner_patience(PATIENCE), ev)) {
			*e = ev->error;
			return -1;
		}
		if (!strcmp(runner_event_type(ev), "program")) {
			json_decref(l->program);
			l->program = ev->message;
		} else if (!strcmp(runner_event_type(ev), "output")) {
			rc = print_output(l, ev->message, e);
			runner_event_done(ev);
		} else {
			break;
		}
	}
	if (rc == 0 && !runner_refused(ev, e))
		return 0;
	if (rc == 0 && !l->runner)
		l->adds = json_incref(json_object_get(ev->message, "adds"));
	runner_event_done(ev);
	return -1;
}

/* Drops a program's summary when its traces could not be taken, for it may be
 * wrong; it is kept if the program just recorded none (EXIT_CHECK). */
static void drop_program(struct launch_options *l, const struct error *e)
{
	if (e->status == EXIT_CHECK)
		return;
	json_decref(l->program);
	l->program = NULL;
}

int launch_copy_part(int from, off_t at, int64_t bytes, struct error *e)
{
	int fd = temporary_file(e);
	char buffer[65536];

	while (fd >= 0 && bytes > 0) {
		ssize_t n = pread(from, buffer, (size_t)MIN(
			bytes, (int64_t)sizeof(buffer)), at);

		if (n <= 0 || write_all(fd, buffer, (size_t)n) < 0) {
			error_set(e, EXIT_RUNNER, "the trace is incomplete");
			close(fd);
			return -1;
		}
		at += n;
		bytes -= n;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Takes the trace of a second size from the end of the file that arrived. The
 * file then has the first alone. -1 with e. */
static int split_second(struct launch_options *l, struct runner *r,
			const struct runner_event *ev, struct error *e)
{
	off_t end = lseek(ev->fd, 0, SEEK_END);
	int fd = launch_copy_part(ev->fd, ev->first, end - ev->first, e);

	if (fd < 0)
		return -1;
	if (ftruncate(ev->fd, ev->first) < 0)
		error_set(e, EXIT_RUNNER, "the trace is incomplete");
	else
		l->second = runner_trace(r, fd, e);
	return l->second ? 0 : -1;
}

struct trace *launch_record_job(struct launch_options *l, struct error *e)
{
	struct runner *r = runner_start(l->runner, e);
	struct runner_event ev = {0};
	struct trace *t = NULL;

	if (!r)
		return NULL;
	runner_want(r, l->on);
	if (!send_and_wait(l, r, &l->job, &ev, e) &&
	    (!ev.first || !split_second(l, r, &ev, e)))
		t = l->program ? program_traces(l, r, ev.fd, e) :
				 runner_trace(r, ev.fd, e);
	if (!t)
		drop_program(l, e);
	runner_free(r);
	return t;
}

json_t *launch_taken_json(const struct launch_options *l, json_t *o)
{
	if (l->taken)
		json_object_set(o, "taken", l->taken);
	return o;
}

struct trace *launch_job(const struct launch_options *l, const struct job *job,
			 struct error *e)
{
	struct launch_options other = { .job = *job, .runner = l->runner,
					.on = l->on };
	struct trace *t;

	other.job.open = 0;
	other.job.second = false;
	t = launch_record_job(&other, e);

	for (size_t i = 1; i < other.trace_count; i++)
		trace_close(other.traces[i]);
	free(other.traces);
	json_decref(other.program);
	json_decref(other.adds);
	return t;
}

/* Sets the sizes of arrays that were enlarged in the recording. */
static void copy_grown_sizes(struct job *job, const struct trace_info *i)
{
	for (size_t a = 0; a < i->argument_count; a++) {
		const struct trace_argument *of = &i->arguments[a];
		char elements[32];

		if (of->decided != DECIDED_GROWN)
			continue;
		snprintf(elements, sizeof(elements), "%llu",
			 (unsigned long long)i->arrays[of->array].dims[0]);
		job_define(&job->arrays, of->name, elements);
	}
}

/* The trace's own launch; what the text is of a reader's kernel, it says
 * itself. */
static void counters_job(struct job *job, const struct launch_options *l,
			 const struct trace_info *i)
{
	struct job_kernel *k = &job->kernel;
	bool of_table = kernel_find(i->kernel) != NULL;

	job_launch(job, JOB_COUNTERS, of_table ? i->kernel : NULL, (int)i->m,
		   (int)i->n, (int)i->k, i->defines, i->define_count);
	job->optimized = l->job.optimized;
	job->timeout = l->job.timeout;
	job->unconfined = l->job.unconfined;
	if (of_table)
		return;
	job->args = job_defines_copy(&l->job.args);
	job->arrays = job_defines_copy(&l->job.arrays);
	job->contents = job_defines_copy(&l->job.contents);
	copy_grown_sizes(job, i);
	k->shown = l->job.kernel.shown & SHOWN_ARGUMENTS;
	k->file = xstrdup(i->file);
	k->text = xstrdup(i->text);
	k->headers = job_defines_copy(&l->job.kernel.headers);
	k->folders = job_defines_copy(&l->job.kernel.folders);
	k->text_length = strlen(i->text);
	k->entry = xstrdup(i->kernel);
	k->has_block = k->has_grid = true;
	k->block = i->block;
	k->grid = i->grid;
}

json_t *launch_counters(struct launch_options *l, const struct trace_info *i,
			struct error *e)
{
	char *const *argv = l->runner;
	char **own = NULL;
	struct runner_event ev = {0};
	struct job job;
	struct runner *r;
	json_t *counters = NULL;

	if (!argv) {
		own = launch_gpu(e);
		if (!own)
			return NULL;
		argv = own;
	}
	r = runner_start(argv, e);
	launch_runner_free(own);
	if (!r)
		return NULL;
	counters_job(&job, l, i);
	if (send_and_wait(l, r, &job, &ev, e) == 0) {
		counters = json_incref(json_object_get(ev.message,
						       "counters"));
		runner_event_done(&ev);
	}
	job_done(&job);
	runner_free(r);
	return counters;
}
