#include "app/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "protocol/embedded_source.h"
#include "protocol/headers.h"

/* Rows of locals that are requested at once, and how many of them before the
 * cursor. */
#define LOCALS_ROWS 1024
#define LOCALS_BEHIND 128
/* Seconds without a sign of life before a recorder counts as hung. */
#define PATIENCE 120
/* A kernel's text is a page or ten; a megabyte is no kernel. */
#define SOURCE_MAX (1u << 20)

/* The name of the standard input, as compilers say it. */
#define INPUT_NAME "<stdin>"

/* Takes the text of a Python file or notebook. Returns -1 with e. */
static int take_embedded(struct embedded_source *s, const char *path,
			 const char *entry, struct error *e)
{
	char *text = s->text, *file = s->file;
	int rc = embedded_source_find(s, file, text, entry, e);

	if (rc == 0 && strlen(s->text) > SOURCE_MAX)
		rc = error_set(e, EXIT_INPUT, _("%s: larger than %zu bytes"),
			       text_show(path), (size_t)SOURCE_MAX);
	free(text);
	free(file);
	return rc;
}

/* Puts the file's bytes, which it frees, into the message: the recorder may be
 * elsewhere. */
static int take_source(struct job_kernel *k, char *bytes, size_t len,
		       const char *path, const char *entry, struct error *e)
{
	struct embedded_source s = { .text = NULL };

	if (!bytes)
		return -1;
	if (strlen(bytes) == len)
		s.text = text_decoded(bytes, &k->decoded);
	free(bytes);
	if (!s.text)
		return error_set(e, EXIT_INPUT, "%s is neither UTF-8 nor "
				 "GB18030 (GBK) text", kernel_is_input(path) ?
				 INPUT_NAME : text_show(path));
	s.file = kernel_is_input(path) ? xstrdup(INPUT_NAME) :
					 text_utf8(file_base(path));
	if (kernel_is_python(path)) {
		if (take_embedded(&s, path, entry, e)) {
			embedded_source_done(&s);
			return -1;
		}
	} else if (entry) {
		s.entry = xstrdup(entry);
	}
	free(k->file);
	free(k->text);
	free(k->entry);
	k->file = s.file;
	k->text = s.text;
	k->text_length = strlen(s.text);
	k->entry = s.entry;
	headers_find(k, path);
	return 0;
}

int session_source(struct job_kernel *k, const char *path, const char *entry,
		   struct error *e)
{
	size_t len = 0;
	size_t most = embedded_is_notebook(path) ? NOTEBOOK_MOST : SOURCE_MAX;
	char *bytes = kernel_is_input(path) ?
			      file_read_input(INPUT_NAME, most, &len, e) :
			      file_read(path, most, &len, e);

	return take_source(k, bytes, len, path, entry, e);
}

/* Reads the file that a lesson names, from the lesson's folder or below it. */
static int read_lesson_file(struct job_kernel *k, const struct lesson_record *r,
			    struct error *e)
{
	size_t len = 0;
	char *bytes = file_read_below(r->folder, r->file, SOURCE_MAX, &len, e);
	char *path = xasprintf("%s%s", r->folder, r->file);
	int status = take_source(k, bytes, len, path, r->entry, e);

	/* No option allows it more. */
	for (size_t i = 0; i < k->outside.count; i++)
		*k->outside.list[i].value = '\0';
	free(path);
	return status;
}

int session_program(struct job_kernel *k, const struct own_program *p,
		    const struct problem_sizes *size, struct error *e)
{
	const int sizes[] = { size->m, size->n, size->k };
	char *path = xasprintf("%s/%s.cu", paths()->kernels, p->name);
	int rc = session_source(k, path, NULL, e);

	free(path);
	k->program.run = true;
	if (!k->program.devices)
		k->program.devices = p->devices;
	for (size_t i = 0; i < LENGTH(sizes) &&
			   k->program.argument_count == i; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%d", sizes[i]);
		job_program_argument(&k->program, number);
	}
	return rc;
}

static void recording_lost(struct recording *r, const struct error *e)
{
	runner_free(r->runner);
	r->runner = NULL;
	r->record_id = r->locals_id = 0;
	r->fresh = true;
	/* If the trace is there, only the locals are lost; its own error says
	 * more than a later one. */
	if (r->trace)
		r->gone = *e;
	else if (!r->error.text[0])
		r->error = *e;
}

static struct recording_work work_of(const struct job *job)
{
	const struct job_kernel *k = &job->kernel;
	double now = seconds_now();

	return (struct recording_work){
		.name = xstrdup(k->text ? k->file : k->name),
		.file = k->text, .program = k->program.run,
		.whole = !job->block_count && !job->sample &&
			 job->warps == UINT32_MAX &&
			 job->spaces == (1u << SPACE_COUNT) - 1,
		.since = now, .heard = now,
	};
}

static void recording_start(struct recording *r, char *const *argv,
			    const char *on, const struct job *job)
{
	r->work = work_of(job);
	r->runner = runner_start(argv, &r->error);
	if (!r->runner) {
		r->fresh = true;
		return;
	}
	runner_want(r->runner, on);
	r->record_id = runner_send(r->runner, job);
}

int session_record_job(struct job *job, const struct lesson_record *r,
		       struct error *e)
{
	struct job_kernel *k = &job->kernel;

	job_launch(job, JOB_RECORD, r->file || r->program ? NULL : r->kernel,
		   r->m, r->n, r->k, r->defines, r->define_count);
	job->whole = true;	/* as the lesson's text expects */
	job->values = !r->no_values;
	if (r->spaces)
		job->spaces = r->spaces;
	if (r->program) {
		k->program.devices = r->devices;
		return session_program(k, r->program, &job->size, e);
	}
	if (!r->file)
		return 0;
	k->has_block = k->has_grid = true;
	k->block = r->block;
	k->grid = r->grid;
	k->shared_bytes = (uint32_t)r->shared_bytes;
	return read_lesson_file(k, r, e);
}

void session_lesson(struct session *s, const struct lesson *l,
		    char *const *argv, const char *on)
{
	*s = (struct session){ .count = l->record_count };
	for (size_t i = 0; i < l->record_count; i++) {
		struct recording *r = &s->recordings[i];
		struct job job;

		if (session_record_job(&job, &l->records[i], &r->error))
			r->fresh = true;
		else
			recording_start(r, argv, on, &job);
		job_done(&job);
	}
}

int session_job(struct job *job, const char *what, struct error *e)
{
	const struct kernel *k = kernel_find(what);
	const struct own_program *own = own_program_find(what);
	struct problem_sizes size = { 64, 64, 64 };
	int p[KERNEL_PARAMS];

	if (k) {
		kernel_defaults(k, p);
		size = kernel_shown(k, p);
	}
	job_launch(job, JOB_RECORD, k ? what : NULL, size.m, size.n, size.k,
		   NULL, 0);
	if (kernel_is_input(what))
		return error_set(e, EXIT_USAGE, _("the screen's keys come from "
						  "the standard input; give a "
						  "file, or --plain"));
	return k ? 0 : own ? session_program(&job->kernel, own, &size, e) :
	       session_source(&job->kernel, what, NULL, e);
}

void session_launch(struct session *s, const struct job *job,
		    char *const *argv, const char *on)
{
	recording_start(&s->recordings[s->count++], argv, on, job);
}

void session_trace_add(struct session *s, struct trace *t, char *const *argv)
{
	const struct trace_info *i = trace_info(t);
	struct recording *r = &s->recordings[s->count++];
	struct job job;

	r->trace = t;
	r->stage = stage_new(t);
	job_launch(&job, JOB_RECORD, i->kernel, (int)i->m, (int)i->n, (int)i->k,
		   i->defines, i->define_count);
	if (runner_repeats() && !i->partial && !strcmp(i->on, "cpu") &&
	    kernel_find(i->kernel))
		recording_start(r, argv, "cpu", &job);
	job_done(&job);
	r->gone = r->error;	/* nothing is lost but the locals */
	r->error.text[0] = 0;
}

void session_done(struct session *s)
{
	for (size_t i = 0; i < s->count; i++) {
		runner_free(s->recordings[i].runner);
		stage_free(s->recordings[i].stage);
		trace_close(s->recordings[i].trace);
		free(s->recordings[i].work.name);
	}
	*s = (struct session){0};
}

size_t session_fds(const struct session *s, struct pollfd *fds)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct runner *r = s->recordings[i].runner;

		if (!r)
			continue;
		fds[n++] = (struct pollfd){ .fd = runner_read_fd(r),
					    .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = runner_write_fd(r),
					    .events = POLLOUT };
	}
	return n;
}

/* Returns whether the recorder is kept for locals: a GPU has none, and others
 * may be waiting for it; a program's launch is over; and in a part of a launch
 * the accesses have other numbers. */
static bool tells_locals(const struct recording *r)
{
	return runner_repeats() && strcmp(runner_on(r->runner), "gpu") &&
	       r->work.whole && !r->work.program;
}

static void take_recorded_trace(struct recording *r, int fd)
{
	struct trace *t;

	/* Behind a program's first trace there are others. */
	if (r->work.bytes > 0 && ftruncate(fd, r->work.bytes))
		error_set(&r->error, EXIT_RUNNER, "ftruncate: %m");
	t = runner_trace(r->runner, fd, &r->error);
	r->record_id = 0;
	if (r->trace) {		/* made again, for its locals only */
		trace_close(t);
		r->error.text[0] = 0;
		return;
	}
	r->trace = t;
	if (t)
		r->stage = stage_new(t);
	if (!tells_locals(r)) {
		runner_free(r->runner);
		r->runner = NULL;
	}
}

static struct locals *read_locals(const struct recording *r,
				  const struct runner_event *ev)
{
	struct locals *l = runner_locals(ev);

	l->warp = r->locals_warp;
	l->lane = r->locals_lane;
	return l;
}

static void handle_message(struct recording *r, const struct runner_event *ev)
{
	bool progress = !strcmp(runner_event_type(ev), "progress");
	struct error e;

	if (ev->id == r->locals_id && !progress) {
		r->locals_id = 0;
		if (runner_refused(ev, &e))
			r->gone = e;
		else if (r->stage)
			stage_locals(r->stage, read_locals(r, ev));
	} else if (ev->id == r->record_id && runner_refused(ev, &e)) {
		r->record_id = 0;
		if (!r->trace) {
			r->error = e;
			r->uncompiled = e.status == EXIT_RUNNER &&
					!r->work.compiled;
		}
	} else if (ev->id == r->record_id) {
		r->work.compiled = true;
		runner_progress(ev, &r->work.blocks, &r->work.of);
		r->work.bytes = runner_program_bytes(ev);
	}
}

double recording_seconds(const struct recording *r)
{
	return r->record_id && !r->trace ? seconds_now() - r->work.since : -1;
}

static void give_up_recording(struct recording *r, double patience)
{
	struct error e;

	runner_silent(r->runner, patience, &e);
	recording_lost(r, &e);
}

/* Ends a recorder that hangs while a trace is expected. Returns whether it
 * did. */
static bool give_up_silent(struct recording *r)
{
	double patience;

	if (!r->runner || recording_seconds(r) < 0)
		return false;
	patience = runner_patience(PATIENCE);
	if (seconds_now() < r->work.heard + patience)
		return false;
	give_up_recording(r, patience);
	return true;
}

static bool recording_step(struct recording *r)
{
	struct runner_event ev;
	bool any = false;

	while (r->runner) {
		runner_step(r->runner, &ev);
		if (ev.kind == RUNNER_NOTHING)
			break;
		any = true;
		if (ev.kind == RUNNER_LOST) {
			recording_lost(r, &ev.error);
		} else if (ev.kind == RUNNER_TRACE) {
			take_recorded_trace(r, ev.fd);
		} else {
			handle_message(r, &ev);
			runner_event_done(&ev);
		}
	}
	any |= r->fresh;
	r->fresh = false;
	if (r->runner && r->record_id && runner_signs(r->runner) != r->signs) {
		r->signs = runner_signs(r->runner);
		r->work.heard = seconds_now();
		any = true;
	}
	return give_up_silent(r) || any;
}

bool session_step(struct session *s)
{
	bool any = false;

	for (size_t i = 0; i < s->count; i++)
		any |= recording_step(&s->recordings[i]);
	return any;
}

void session_want_locals(struct recording *r, const struct cursor *p)
{
	const struct trace_warp *w;
	uint32_t ordinal, first;
	struct job job;

	if (!r->runner || !r->stage || r->record_id || r->locals_id ||
	    !stage_wants_locals(r->stage, p))
		return;
	w = trace_warp(r->trace, p->warp);
	ordinal = stage_ordinal(r->stage, p->warp, p->request, p->lane);
	first = ordinal > LOCALS_BEHIND ? ordinal - LOCALS_BEHIND : 0;
	if (r->locals_asked && r->locals_warp == p->warp &&
	    r->locals_lane == p->lane && r->locals_first == first)
		return;
	job_init(&job, JOB_LOCALS);
	job.locals_block = w->block;
	job.locals_thread = w->warp * WARP_LANES + p->lane;
	job.first = first;
	job.count = LOCALS_ROWS;
	r->locals_warp = p->warp;
	r->locals_lane = p->lane;
	r->locals_first = first;
	r->locals_asked = true;
	r->locals_id = runner_send(r->runner, &job);
}

static bool is_awaited(const struct recording *r)
{
	return r->record_id || r->locals_id;
}

void session_wait(struct session *s)
{
	double patience = runner_patience(PATIENCE);

	for (;;) {
		struct pollfd fds[2 * LESSON_MAX_RECORDS];
		bool busy = false;

		session_step(s);
		for (size_t i = 0; i < s->count; i++)
			busy |= is_awaited(&s->recordings[i]);
		if (!busy)
			return;
		if (poll(fds, session_fds(s, fds), (int)(patience * 1000)))
			continue;
		for (size_t i = 0; i < s->count; i++)
			if (is_awaited(&s->recordings[i]))
				give_up_recording(&s->recordings[i], patience);
	}
}

const struct error *session_error(const struct session *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->recordings[i].error.text[0])
			return &s->recordings[i].error;
	return NULL;
}

const struct error *session_lesson_error(const struct session *s)
{
	bool any = false;

	for (size_t i = 0; i < s->count; i++) {
		const struct recording *r = &s->recordings[i];

		if (r->error.text[0] && !r->uncompiled)
			return &r->error;
		any |= r->trace != NULL;
	}
	return any ? NULL : session_error(s);
}
