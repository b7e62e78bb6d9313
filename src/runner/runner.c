#include <config.h>

#include "runner/runner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/lang.h"
#include "base/text.h"
#include "runner/answer.h"

/* What one step reads at most, so that a flood cannot hold the caller. */
#define STEP_BYTES (1u << 20)
#define CHUNK_BYTES (1u << 16)
/* ... and about how many messages, until the caller has looked at all. */
#define STEP_LINES 256
#define PATIENCE_MAX 1000000

/* A job that was sent and not answered. */
struct pending {
	long id;
	char *type;
};

struct runner {
	struct child child;
	bool greeted;			/* its hello was seen */
	const char *want, *on;		/* "cpu", "gpu", or NULL */
	bool lost;
	struct error reason;		/* when lost */
	uint64_t received;		/* bytes, ever: its signs of life */

	struct str out;			/* jobs; `sent` bytes are gone */
	size_t sent;
	long last_id;
	struct pending *pending;
	size_t pending_count, pending_capacity;

	/* What was read: in.data[used..in.len) is still to be looked at, and
	 * up to `scanned` there is no newline. */
	struct str in;
	size_t used, scanned;
	unsigned lines;			/* since there was nothing to tell */

	int trace_fd;			/* -1, or a trace is coming in */
	uint64_t trace_left;
	long trace_id;
};

static bool patience(long *seconds)
{
	return parse_int(getenv("GEMMVIZ_PATIENCE"), 1, PATIENCE_MAX,
			 seconds);
}

static int check_patience(struct error *e)
{
	const char *asked = getenv("GEMMVIZ_PATIENCE");
	long v;

	if (!asked || patience(&v))
		return 0;
	return error_set(e, EXIT_USAGE, _("GEMMVIZ_PATIENCE: expected 1 to %d "
					  "seconds, got '%s'"),
			 PATIENCE_MAX, text_show(asked));
}

double runner_patience(double otherwise)
{
	long v;

	return getenv("GEMMVIZ_PATIENCE") && patience(&v) ? (double)v :
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
	if (child_start(&r->child, argv ? argv : ours, e) < 0) {
		free(r);
		return NULL;
	}
	return r;
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
	for (size_t i = 0; i < r->pending_count; i++)
		free(r->pending[i].type);
	free(r->pending);
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
		fatal("a message that is none");
	str_add(&r->out, text);
	str_addc(&r->out, '\n');
	free(text);
	grow(&r->pending, &r->pending_capacity, r->pending_count + 1,
	     sizeof(*r->pending));
	r->pending[r->pending_count++] =
		(struct pending){ r->last_id, xstrdup(type) };
	json_decref(message);
	return r->last_id;
}

long runner_send(struct runner *r, const struct job *job)
{
	return runner_send_message(r, job_message(job));
}

long runner_send_time(struct runner *r, const struct job_time *job)
{
	return runner_send_message(r, job_time_message(job));
}

/* ---- losing it ---- */

static void lose(struct runner *r, const struct error *why)
{
	r->lost = true;
	r->reason = *why;
	drop_trace(r);
	child_stop(&r->child);
	str_clear(&r->out);
	r->sent = 0;
}

PRINTF(2, 3)
static int nonsense(struct runner *r, const char *fmt, ...)
{
	struct error e;
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	error_set(&e, EXIT_RUNNER, _("%s violates the protocol: %s"),
		  r->child.name, what);
	lose(r, &e);
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
	lose(r, &e);
}

/* ---- messages ---- */

/* A sentence about the runner, which is lost. */
PRINTF(2, 3)
static int unfit(struct runner *r, const char *fmt, ...)
{
	struct error e;
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	error_set(&e, EXIT_RUNNER, "%s: %s", r->child.name, what);
	lose(r, &e);
	return -1;
}

static const char *hello_word(const json_t *hello, const char *member)
{
	const char *word = json_string_value(json_object_get(hello, member));

	return word ? text_show(word) : "?";
}

static int check_place(struct runner *r, const json_t *hello)
{
	const char *on = json_string_value(json_object_get(hello, "on"));

	if (on && !strcmp(on, "cpu"))
		r->on = "cpu";
	else if (on && !strcmp(on, "gpu"))
		r->on = "gpu";
	else
		return nonsense(r, _("its hello has neither \"cpu\" nor "
				     "\"gpu\" in \"on\""));
	if (!r->want || !strcmp(r->want, r->on))
		return 0;
	return unfit(r, *r->on == 'c' ?
		     _("it runs on the CPU, but the GPU was requested") :
		     _("it runs on the GPU, but the CPU was requested"));
}

static int greet(struct runner *r, const json_t *hello, const char *type)
{
	const json_t *v = json_object_get(hello, "protocol");

	if (strcmp(type, "hello"))
		return nonsense(r, _("expected its hello first, got \"%s\""),
				text_show(type));
	if (!json_is_integer(v))
		return nonsense(r, _("its hello has no protocol number"));
	if (json_integer_value(v) != PROTOCOL_VERSION)
		return unfit(r, _("%s %s speaks protocol %lld, gemmviz %s "
				  "speaks protocol %d; both must be the same "
				  "version"), hello_word(hello, "program"),
			     hello_word(hello, "version"),
			     (long long)json_integer_value(v),
			     PACKAGE_VERSION, PROTOCOL_VERSION);
	if (check_place(r, hello))
		return -1;
	r->greeted = true;
	return 0;
}

static struct pending *find_pending(struct runner *r, const json_t *message)
{
	const json_t *id = json_object_get(message, "id");

	for (size_t i = 0; json_is_integer(id) && i < r->pending_count; i++)
		if (r->pending[i].id == json_integer_value(id))
			return &r->pending[i];
	return NULL;
}

static void settle(struct runner *r, struct pending *p)
{
	free(p->type);
	*p = r->pending[--r->pending_count];
}

static int take_trace(struct runner *r, const json_t *message, long id)
{
	json_int_t bytes =
		answer_whole(message, "bytes", 1, PROTOCOL_TRACE_MAX);
	struct error e;

	if (bytes < 0)
		return nonsense(r, _("expected a trace's size of 1 to %llu "
				     "bytes"), PROTOCOL_TRACE_MAX);
	r->trace_fd = temporary_file(&e);
	if (r->trace_fd < 0) {
		lose(r, &e);
		return -1;
	}
	r->trace_left = bytes;
	r->trace_id = id;
	return 0;
}

/* Checks an answer against the job it belongs to. */
static int accept(struct runner *r, json_t *message, const char *type)
{
	struct pending *p = find_pending(r, message);
	const struct answer *a;
	const char *wrong;
	long id;

	if (!p)
		return nonsense(r, _("\"%s\" answers a request that was not "
				     "sent"), text_show(type));
	a = answer_find(type, p->type);
	if (!a)
		return nonsense(r, _("\"%s\" is not an answer to \"%s\""),
				text_show(type), p->type);
	id = p->id;
	if (a->last)
		settle(r, p);
	if (!strcmp(type, "trace"))
		return take_trace(r, message, id);
	wrong = a->wrong ? a->wrong(message) : NULL;
	return wrong ? nonsense(r, "%s", wrong) : 0;
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
		nonsense(r, r->greeted ?
			 _("expected a message, got \"%s\"") :
			 _("expected its hello first, got \"%s\" (does a "
			   "login script print?)"), shown);
		free(shown);
	} else if (!r->greeted) {
		greet(r, message, type);
	} else if (accept(r, message, type) == 0 && r->trace_fd < 0) {
		out->kind = RUNNER_MESSAGE;
		out->id = json_integer_value(json_object_get(message, "id"));
		out->message = json_incref(message);
	}
	json_decref(message);
}

/* ---- what was read ---- */

static size_t unread(const struct runner *r)
{
	return r->in.len - r->used;
}

static void spool(struct runner *r, struct runner_event *out)
{
	size_t n = MIN(unread(r), r->trace_left);
	struct error e;

	if (write_all(r->trace_fd, r->in.data + r->used, n) < 0) {
		error_set(&e, EXIT_OUTPUT, _("cannot store the trace: %s"),
			  strerror(errno));
		lose(r, &e);
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
	r->trace_fd = -1;
}

/* Handles the next line, if there is a whole one. */
static bool next_line(struct runner *r, struct runner_event *out)
{
	const char *start = r->in.data + r->used;
	const char *end = memchr(r->in.data + r->scanned, '\n',
				 r->in.len - r->scanned);
	size_t n = end ? (size_t)(end - start) : unread(r);

	r->scanned = r->in.len;
	if (n > PROTOCOL_LINE_MAX) {
		nonsense(r, _("a message longer than %u bytes"),
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

/* True when there is something to tell. */
static bool digest(struct runner *r, struct runner_event *out)
{
	while (!r->lost && out->kind == RUNNER_NOTHING && unread(r)) {
		if (r->trace_fd >= 0)
			spool(r, out);
		else if (!next_line(r, out))
			break;
	}
	return r->lost || out->kind != RUNNER_NOTHING;
}

/* Forgets what was looked at, not too often: moving costs. */
static void compact(struct runner *r)
{
	size_t rest = unread(r);

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
		compact(r);
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

void runner_step(struct runner *r, struct runner_event *out)
{
	uint64_t until = r->received + STEP_BYTES;

	*out = (struct runner_event){ .kind = RUNNER_NOTHING, .fd = -1 };
	if (!r->lost)
		write_more(r);
	while (!digest(r, out) && r->received < until &&
	       r->lines < STEP_LINES && read_more(r))
		;
	if (out->kind == RUNNER_NOTHING)
		r->lines = 0;
	if (r->lost && out->kind == RUNNER_NOTHING) {
		out->kind = RUNNER_LOST;
		out->error = r->reason;
	}
}

struct trace *runner_trace(const struct runner *r, int fd, struct error *e)
{
	char *name = xasprintf(_("the trace of %s"), r->child.name);
	struct trace *t = trace_open_fd(fd, name, e);

	free(name);
	if (t && trace_check(t, e)) {
		trace_close(t);
		t = NULL;
	}
	if (!t)
		e->status = EXIT_RUNNER;
	return t;
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

/* An event that nobody waits for. */
static void discard(struct runner_event *event)
{
	json_decref(event->message);
	if (event->fd >= 0)
		close(event->fd);
}

static bool is_answer(const struct runner_event *event, long id)
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
		if (is_answer(out, id))
			return 0;
		if (r->received != heard)
			limit = seconds_now() + seconds;
		heard = r->received;
		if (out->kind != RUNNER_NOTHING)
			discard(out);
		else if (seconds_now() < limit)
			wait_ready(r, limit - seconds_now());
		else
			break;
	}
	runner_silent(r, seconds, &out->error);
	lose(r, &out->error);
	out->kind = RUNNER_LOST;
	return -1;
}
