#include <config.h>

#include "runner/runner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "runner/answer.h"
#include "runner/audit.h"
#include "protocol/hello.h"
#include "runner/pending.h"

/* What one step reads at most, so that a flood cannot hold the caller. */
#define STEP_BYTES (1u << 20)
#define CHUNK_BYTES (1u << 16)
/* ... and about how many messages, until the caller has looked at all. */
#define STEP_LINES 256
#define PATIENCE_MAX 1000000
/* A trace comes at a slow line's pace, at least, which begins at once. */
#define TRACE_RATE 10000.0
#define TRACE_SECONDS 60.0

struct runner {
	struct child child;
	bool own;			/* gemmviz-emu beside this program */
	bool greeted;			/* its hello was seen */
	const char *want, *on;		/* "cpu", "gpu", or NULL */
	bool lost;
	struct error reason;		/* when lost */
	uint64_t received;		/* bytes, ever: its signs of life */

	struct str out;			/* jobs; `sent` bytes are gone */
	size_t sent;
	long last_id;
	struct pendings pending;

	/* What was read: in.data[used..in.len) is still to be looked at, and
	 * up to `scanned` there is no newline. */
	struct str in;
	size_t used, scanned;
	unsigned lines;			/* since there was nothing to tell */

	int trace_fd;			/* -1, or a trace is coming in */
	uint64_t trace_left;
	int64_t trace_first;		/* as in struct runner_event */
	long trace_id;
	double trace_until;
	struct question *question;	/* what it is the answer to */
};

static bool read_patience(long *seconds)
{
	return parse_int(getenv("GEMMVIZ_PATIENCE"), 1, PATIENCE_MAX,
			 seconds);
}

static int check_patience(struct error *e)
{
	const char *asked = getenv("GEMMVIZ_PATIENCE");
	long v;

	if (!asked || read_patience(&v))
		return 0;
	return error_set(e, EXIT_USAGE, _("GEMMVIZ_PATIENCE: expected 1 to %d "
					  "seconds, got '%s'"),
			 PATIENCE_MAX, text_show(asked));
}

double runner_patience(double otherwise)
{
	long v;

	return getenv("GEMMVIZ_PATIENCE") && read_patience(&v) ? (double)v :
								 otherwise;
}

struct runner *runner_start(char *const *argv, struct error *e)
{
	char *const ours[] = { paths()->emu, NULL };
	struct runner *r;

	if (check_patience(e) < 0)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->trace_fd = -1;
	r->own = !argv;
	if (child_start(&r->child, argv ? argv : ours, e) < 0) {
		if (!argv && access("/proc/self/exe", F_OK) < 0)
			error_set(e, EXIT_RUNNER, _("gemmviz-emu cannot be "
						    "found: /proc is not "
						    "mounted"));
		free(r);
		return NULL;
	}
	return r;
}

bool runner_repeats(void)
{
	return true;
}

void runner_want(struct runner *r, const char *on)
{
	r->want = on;
}

static void drop_trace(struct runner *r)
{
	if (r->trace_fd >= 0)
		close(r->trace_fd);
	r->trace_fd = -1;
}

void runner_free(struct runner *r)
{
	if (!r)
		return;
	child_done(&r->child);
	drop_trace(r);
	pendings_done(&r->pending);
	question_free(r->question);
	str_done(&r->in);
	str_done(&r->out);
	free(r);
}

int runner_read_fd(const struct runner *r)
{
	return r->lost ? -1 : r->child.events;
}

int runner_write_fd(const struct runner *r)
{
	return r->sent < r->out.len ? r->child.in : -1;
}

const char *runner_name(const struct runner *r)
{
	return r->child.name;
}

const char *runner_on(const struct runner *r)
{
	return r->on;
}

char *runner_words(const struct runner *r)
{
	return child_words(&r->child);
}

uint64_t runner_signs(const struct runner *r)
{
	return r->received + r->child.complained;
}

long runner_send_message(struct runner *r, json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));
	char *text;

	json_object_set_new(message, "id", json_integer(++r->last_id));
	text = json_dumps(message, JSON_COMPACT);
	if (!type || !text)
		fatal("an invalid message");
	str_add(&r->out, text);
	str_addc(&r->out, '\n');
	free(text);
	pending_add(&r->pending, r->last_id, type);
	json_decref(message);
	return r->last_id;
}

long runner_send(struct runner *r, const struct job *job)
{
	long id = runner_send_message(r, job_message(job));
	struct pending *p = &r->pending.list[r->pending.count - 1];

	if (job->kind == JOB_RECORD || job->kind == JOB_LOCALS ||
	    job->kind == JOB_COUNTERS || job->kind == JOB_LAUNCHES)
		p->question = question_new(job);
	if (r->greeted)
		pending_begin(p);
	return id;
}

long runner_send_time(struct runner *r, const struct job_time *job)
{
	return runner_send_message(r, job_time_message(job));
}

/* ---- losing it ---- */

static void give_up_runner(struct runner *r, const struct error *why)
{
	r->lost = true;
	r->reason = *why;
	drop_trace(r);
	child_stop(&r->child);
	str_clear(&r->out);
	r->sent = 0;
}

PRINTF(2, 3)
static int fail_peer(struct runner *r, const char *fmt, ...)
{
	struct error e;
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), _(fmt), ap);
	va_end(ap);
	error_set(&e, EXIT_RUNNER, _("%s violates the protocol: %s"),
		  r->child.name, what);
	give_up_runner(r, &e);
	return -1;
}

static void lose_ended(struct runner *r)
{
	struct error e, end;

	child_epitaph(&r->child, &end);
	if (r->trace_fd >= 0)
		error_set(&e, EXIT_RUNNER, _("%s in the middle of a trace"),
			  end.text);
	else
		e = end;
	give_up_runner(r, &e);
}

/* ---- messages ---- */

static int read_hello(struct runner *r, const json_t *hello, const char *type)
{
	struct error e;

	if (strcmp(type, "hello"))
		return fail_peer(r, _("expected its hello first, got \"%s\""),
				 text_show(type));
	if (hello_read(hello, r->child.name, r->want, &r->on, &e) < 0) {
		give_up_runner(r, &e);
		return -1;
	}
	r->greeted = true;
	for (size_t i = 0; i < r->pending.count; i++)
		pending_begin(&r->pending.list[i]);
	return 0;
}

/* Prepares to receive a trace, of a size that question and disk allow. */
static int begin_trace(struct runner *r, const json_t *message, long id)
{
	uint64_t most = r->question ? question_bytes(r->question) :
				      PROTOCOL_TRACE_MAX;
	json_int_t bytes = answer_whole(message, "bytes", 1, INT64_MAX);
	struct error e;

	if (bytes < 0)
		return fail_peer(r, _("expected a trace's size in bytes"));
	if ((uint64_t)bytes > most)
		return fail_peer(r, _("a trace of %lld MB; the limit is %llu "
				      "MB"), (long long)bytes >> 20,
				 (unsigned long long)most >> 20);
	r->trace_fd = temporary_file(&e);
	if (r->trace_fd >= 0 &&
	    temporary_room(r->trace_fd, (uint64_t)bytes, &e) < 0)
		drop_trace(r);
	if (r->trace_fd < 0) {
		give_up_runner(r, &e);
		return -1;
	}
	r->trace_left = bytes;
	r->trace_first = MAX(answer_whole(message, "first", 0, bytes), 0);
	r->trace_id = id;
	r->trace_until = seconds_now() + runner_patience(TRACE_SECONDS) +
			 (double)bytes / TRACE_RATE;
	return 0;
}

static const char *locals_fit(const struct pending *p, const json_t *message)
{
	json_int_t first = answer_whole(message, "first", 0, INT64_MAX);
	size_t rows = json_array_size(json_object_get(message, "rows"));

	return first < 0 || !p->question ||
	       question_locals(p->question, (uint64_t)first, rows) ? NULL :
	       _("locals that were not requested");
}

/* Checks an answer against the job it belongs to. */
static int accept_answer(struct runner *r, json_t *message, const char *type)
{
	struct pending *p = pending_find(&r->pending, message);
	const struct answer_kind *a;
	const char *wrong = NULL;
	long id;

	if (!p)
		return fail_peer(r, _("\"%s\" answers a request that was not "
				      "sent"), text_show(type));
	a = answer_find(type, p->type, question_of_program(p->question));
	if (!a)
		return fail_peer(r, _("\"%s\" is not an answer to \"%s\""),
				 text_show(type), p->type);
	if (a->wrong)
		wrong = a->wrong(message);
	if (!wrong && !strcmp(type, "locals"))
		wrong = locals_fit(p, message);
	if (wrong)
		return fail_peer(r, "%s", wrong);
	if (!strcmp(type, "error") && p->question)
		question_explain(p->question, message);
	if (!strcmp(type, "progress") && *r->on == 'g')
		pending_wait(p, message);
	id = p->id;
	if (strcmp(type, "trace")) {
		if (a->last)
			pending_settle(&r->pending, p);
		return 0;
	}
	question_free(r->question);
	r->question = p->question;
	p->question = NULL;
	pending_settle(&r->pending, p);
	return begin_trace(r, message, id);
}

static void handle_line(struct runner *r, const char *line, size_t n,
			struct runner_event *out)
{
	json_error_t problem;
	json_t *message = json_loadb(line, n, JSON_REJECT_DUPLICATES, &problem);
	const char *type = json_string_value(json_object_get(message, "type"));
	char *shown;

	if (!type) {
		shown = text_clean(line, MIN(n, 60), 0);
		fail_peer(r, r->greeted ?
			  _("expected a message, got \"%s\"") :
			  _("expected its hello first, got \"%s\" (does a "
			    "login script print?)"), shown);
		free(shown);
	} else if (!r->greeted) {
		read_hello(r, message, type);
	} else if (accept_answer(r, message, type) == 0 && r->trace_fd < 0) {
		out->kind = RUNNER_MESSAGE;
		out->id = json_integer_value(json_object_get(message, "id"));
		out->message = json_incref(message);
	}
	json_decref(message);
}

/* ---- what was read ---- */

/* Returns the bytes that were read and not yet used. */
static size_t unread_bytes(const struct runner *r)
{
	return r->in.len - r->used;
}

static void store_trace(struct runner *r, struct runner_event *out)
{
	size_t n = MIN(unread_bytes(r), r->trace_left);
	struct error e;

	if (write_all(r->trace_fd, r->in.data + r->used, n) < 0) {
		error_resource(&e, errno, EXIT_OUTPUT,
			       _("cannot store the trace"));
		give_up_runner(r, &e);
		return;
	}
	r->used += n;
	r->scanned = r->used;
	r->trace_left -= n;
	if (r->trace_left)
		return;
	lseek(r->trace_fd, 0, SEEK_SET);
	out->kind = RUNNER_TRACE;
	out->id = r->trace_id;
	out->fd = r->trace_fd;
	out->first = r->trace_first;
	r->trace_fd = -1;
}

/* Handles the next line, if there is a whole one. */
static bool next_line(struct runner *r, struct runner_event *out)
{
	const char *start = r->in.data + r->used;
	const char *end = memchr(r->in.data + r->scanned, '\n',
				 r->in.len - r->scanned);
	size_t n = end ? (size_t)(end - start) : unread_bytes(r);

	r->scanned = r->in.len;
	if (n > PROTOCOL_LINE_MAX) {
		fail_peer(r, _("a message longer than %u bytes"),
			  PROTOCOL_LINE_MAX);
		return false;
	}
	if (!end)
		return false;
	r->used += n + 1;
	r->scanned = r->used;
	r->lines++;
	/* A greeting's empty lines tell nothing: what follows does. */
	if (r->greeted || strspn(start, " \t\r") < n)
		handle_line(r, start, n, out);
	return true;
}

/* Handles what was read; true when there is an event to report. */
static bool handle_input(struct runner *r, struct runner_event *out)
{
	while (!r->lost && out->kind == RUNNER_NOTHING && unread_bytes(r)) {
		if (r->trace_fd >= 0)
			store_trace(r, out);
		else if (!next_line(r, out))
			break;
	}
	return r->lost || out->kind != RUNNER_NOTHING;
}

/* Drops used input from the buffer, in large steps, since moving costs. */
static void compact_input(struct runner *r)
{
	size_t rest = unread_bytes(r);

	if (rest && r->used < STEP_BYTES)
		return;
	memmove(r->in.data, r->in.data + r->used, rest);
	r->in.len = rest;
	r->scanned -= r->used;
	r->used = 0;
}

/* Reads more behind what is there; false when there is no more for now. */
static bool read_more(struct runner *r)
{
	char chunk[CHUNK_BYTES];
	ssize_t n = child_read(&r->child, chunk, sizeof(chunk));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		lose_ended(r);
		return false;
	}
	if (r->used)
		compact_input(r);
	str_addn(&r->in, chunk, n);
	r->received += n;
	return true;
}

static void write_more(struct runner *r)
{
	ssize_t n;

	while (r->sent < r->out.len) {
		n = child_write(&r->child, r->out.data + r->sent,
				r->out.len - r->sent);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		r->sent += n;
	}
	/* All is sent, or nobody listens; why that is, its end will say. */
	str_clear(&r->out);
	r->sent = 0;
}

/* It sends and sends, and the answer does not come. */
static void check_time(struct runner *r)
{
	double late = pendings_late(&r->pending);
	struct error e;

	if (r->trace_fd >= 0 && seconds_now() > r->trace_until)
		error_set(&e, EXIT_RUNNER, _("%s is too slow: its trace does "
					     "not end"),
			  r->child.name);
	else if (late > 0)
		error_set(&e, EXIT_RUNNER, _("%s has sent no answer for %.0f "
					     "seconds"), r->child.name, late);
	else
		return;
	give_up_runner(r, &e);
}

void runner_step(struct runner *r, struct runner_event *out)
{
	uint64_t until = r->received + STEP_BYTES;

	*out = (struct runner_event){ .kind = RUNNER_NOTHING, .fd = -1 };
	if (!r->lost)
		write_more(r);
	while (!handle_input(r, out) && r->received < until &&
	       r->lines < STEP_LINES && read_more(r))
		;
	if (out->kind == RUNNER_NOTHING)
		r->lines = 0;
	if (!r->lost && out->kind == RUNNER_NOTHING)
		check_time(r);
	if (r->lost && out->kind == RUNNER_NOTHING) {
		out->kind = RUNNER_LOST;
		out->error = r->reason;
	}
}

struct trace *runner_trace(const struct runner *r, int fd, struct error *e)
{
	char *name = xasprintf(_("the trace of %s"), r->child.name);
	struct trace *t = trace_open_fd(fd, name, e);
	bool file = !r->question || question_of_reader(r->question);

	free(name);
	if (!t || ((!r->own || file) && trace_check(t, e)) ||
	    (r->question &&
	     question_answered(r->question, trace_info(t), r->on,
			       r->child.name, e) < 0))
		e->status = EXIT_RUNNER;
	/* On the CPU a file's code runs where it is recorded. */
	else if (!r->question || !file || strcmp(r->on, "cpu") ||
		 audit_trace(t, e) == 0)
		return t;
	trace_close(t);
	return NULL;
}

/* ---- waiting ---- */

void runner_silent(const struct runner *r, double seconds, struct error *e)
{
	char *words = child_words(&r->child);

	error_set(e, EXIT_RUNNER, _("%s has sent nothing for %g seconds%s%s"),
		  r->child.name, seconds, words ? ": " : "",
		  words ? words : "");
	free(words);
}

static void wait_ready(const struct runner *r, double seconds)
{
	struct pollfd fds[2] = {
		{ .fd = runner_read_fd(r), .events = POLLIN },
		{ .fd = runner_write_fd(r), .events = POLLOUT },
	};

	poll(fds, 2, MAX(1, (int)(MIN(seconds, 3600) * 1000)));
}

/* Frees an event that no caller waits for. */
static void discard_event(struct runner_event *event)
{
	json_decref(event->message);
	if (event->fd >= 0)
		close(event->fd);
}

static bool is_final_answer(const struct runner_event *event, long id)
{
	const json_t *type = json_object_get(event->message, "type");

	if (event->kind == RUNNER_NOTHING || event->id != id)
		return false;
	return event->kind == RUNNER_TRACE ||
	       strcmp(json_string_value(type), "progress");
}

int runner_wait(struct runner *r, long id, double seconds,
		struct runner_event *out)
{
	double limit = seconds_now() + seconds;
	uint64_t heard = r->received;

	for (;;) {
		runner_step(r, out);
		if (out->kind == RUNNER_LOST)
			return -1;
		if (is_final_answer(out, id))
			return 0;
		if (r->received != heard)
			limit = seconds_now() + seconds;
		heard = r->received;
		if (out->kind != RUNNER_NOTHING)
			discard_event(out);
		else if (seconds_now() < limit)
			wait_ready(r, limit - seconds_now());
		else
			break;
	}
	runner_silent(r, seconds, &out->error);
	give_up_runner(r, &out->error);
	out->kind = RUNNER_LOST;
	return -1;
}
