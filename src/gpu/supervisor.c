/*
 * supervisor: handles input, output and workers. See supervisor.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "base/lang.h"
#include "config.h"
#endif
#include "protocol/protocol.h"
#include "base/text.h"
#include "gpu/supervisor.h"

#define READ_BYTES 65536

static struct {
	struct str in;			/* of the input, not yet a line */
	json_t *waiting;		/* requests, in order */
	bool input_ended;
	volatile sig_atomic_t signalled;
	sigset_t mask;			/* while waiting */
} super;

struct control supervisor_control;

static void signal_handler(int n)
{
	(void)n;
	super.signalled = 1;
}

double supervisor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- output ---- */

/* Writes bytes to the client. Ends the program when the client is gone; the
 * workers end with it. */
void supervisor_put(const void *data, size_t n)
{
	if (write_all(STDOUT_FILENO, data, n) < 0)
		_exit(EXIT_DONE);
}

static void put_message(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	if (!text)
		fatal("an invalid message");
	supervisor_put(text, strlen(text));
	supervisor_put("\n", 1);
	free(text);
}

void supervisor_say(json_int_t id, json_t *o)
{
	json_object_set_new(o, "id", json_integer(id));
	put_message(o);
}

void supervisor_say_error(json_int_t id, const struct error *e)
{
	char *clean = text_clean(e->text, strlen(e->text), 0);

	supervisor_say(id, json_pack("{ss si ss}", "type", "error", "status",
				     (int)e->status, "message", clean));
	free(clean);
}

/* ---- input ---- */

static json_int_t id_of(const json_t *o)
{
	return json_integer_value(json_object_get(o, "id"));
}

PRINTF(2, 3)
static void refuse_request(const json_t *o, const char *fmt, ...)
{
	struct error e;
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), _(fmt), ap);
	va_end(ap);
	error_set(&e, EXIT_USAGE, "bad request: %s", text);
	supervisor_say_error(id_of(o), &e);
}

/* Handles pause and cancel at once; without a benchmark they do nothing. False
 * for other messages. */
static bool take_control(const json_t *o, const char *type)
{
	const json_t *paused = json_object_get(o, "paused");

	if (!strcmp(type, "cancel")) {
		supervisor_control.cancelled = supervisor_control.racing;
		return true;
	}
	if (strcmp(type, "pause"))
		return false;
	if (!json_is_boolean(paused))
		refuse_request(o, "\"paused\" must be true or false");
	else
		supervisor_control.paused = supervisor_control.racing &&
					    json_is_true(paused);
	return true;
}

static void take_request(const char *line, size_t n)
{
	json_error_t why;
	json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, &why);
	const char *type = json_string_value(json_object_get(o, "type"));

	if (!json_is_object(o))
		refuse_request(NULL, "not a JSON object%s%s", o ? "" : ": ",
			       o ? "" : text_show(why.text));
	else if (!type)
		refuse_request(o, "it has no \"type\"");
	else if (!json_is_integer(json_object_get(o, "id")))
		refuse_request(o, "\"id\" must be a whole number");
	else if (!take_control(o, type))
		json_array_append(super.waiting, o);
	json_decref(o);
}

static void read_requests(void)
{
	char chunk[READ_BYTES];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof(chunk));
	char *newline;

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		super.input_ended = true;
		return;
	}
	str_addn(&super.in, chunk, (size_t)n);
	while ((newline = memchr(super.in.data, '\n', super.in.len))) {
		size_t used = (size_t)(newline + 1 - super.in.data);

		take_request(super.in.data, used - 1);
		super.in.len -= used;
		memmove(super.in.data, newline + 1, super.in.len);
	}
	if (super.in.len > PROTOCOL_LINE_MAX) {
		refuse_request(NULL, "a line is longer than %u bytes",
			       PROTOCOL_LINE_MAX);
		super.input_ended = true;
	}
}

/* ---- workers ---- */

int peer_start(struct peer *p, char *const *argv, struct error *e)
{
	if (p->there)
		return 0;
	str_clear(&p->in);
	p->used = 0;
	if (child_start(&p->child, argv, e) < 0)
		return -1;
	p->there = true;
	return 0;
}

void peer_stop(struct peer *p)
{
	if (p->there)
		child_done(&p->child);
	p->there = false;
	str_done(&p->in);
	p->used = 0;
}

/* Sends text to a worker. The loss of a worker that does not read is found when
 * it is next heard. */
void peer_send(struct peer *p, const char *text, size_t n)
{
	while (n) {
		ssize_t done = child_write(&p->child, text, n);
		struct pollfd ready = { .fd = p->child.in, .events = POLLOUT };

		if (done < 0 && errno == EAGAIN) {
			if (poll(&ready, 1, 1000) == 0)
				return;
			continue;
		}
		if (done < 0 && errno != EINTR)
			return;
		text += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

void peer_send_message(struct peer *p, json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	peer_send(p, text, strlen(text));
	peer_send(p, "\n", 1);
	free(text);
}

size_t peer_take(struct peer *p, char *to, size_t n)
{
	n = MIN(n, p->in.len - p->used);
	if (n == 0)
		return 0;
	memcpy(to, p->in.data + p->used, n);
	p->used += n;
	return n;
}

/* Returns a whole line of what was read; false when there is none. */
static bool peer_line(struct peer *p, const char **line, size_t *n)
{
	const char *start, *newline;

	if (p->used == p->in.len)
		return false;
	start = p->in.data + p->used;
	newline = memchr(start, '\n', p->in.len - p->used);
	if (!newline)
		return false;
	*line = start;
	*n = (size_t)(newline - start);
	p->used += *n + 1;
	return true;
}

/* Reads from a worker; false when it has ended. */
static bool peer_read(struct peer *p)
{
	char chunk[READ_BYTES];
	ssize_t n = child_read(&p->child, chunk, sizeof(chunk));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (p->used) {
		p->in.len -= p->used;
		memmove(p->in.data, p->in.data + p->used, p->in.len);
		p->used = 0;
	}
	str_addn(&p->in, chunk, (size_t)n);
	return n > 0;
}

/* ---- the one place that waits ---- */

/* Converts seconds, at most a day, to a timespec. */
static struct timespec timespec_of(double seconds)
{
	seconds = MIN(MAX(seconds, 0), 86400);
	return (struct timespec) {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9),
	};
}

enum heard supervisor_hear(struct peer *p, double deadline,
			      const char **line, size_t *n)
{
	const struct control before = supervisor_control;

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = STDIN_FILENO, .events = POLLIN },
			{ .fd = p ? p->child.events : -1, .events = POLLIN },
		};
		struct timespec rest = timespec_of(deadline - supervisor_now());

		if (super.signalled || super.input_ended)
			return HEARD_END;
		if (before.paused != supervisor_control.paused ||
		    before.cancelled != supervisor_control.cancelled)
			return HEARD_CONTROL;
		if (p && (line ? peer_line(p, line, n) : p->used < p->in.len))
			return HEARD_LINE;
		if (ppoll(fds, 2, &rest, &super.mask) == 0)
			return HEARD_NOTHING;
		if (fds[0].revents)
			read_requests();
		if (p && fds[1].revents && !peer_read(p))
			return HEARD_LOST;
		if (!supervisor_control.racing && !p &&
		    json_array_size(super.waiting))
			return HEARD_NOTHING;
	}
}

/* ---- jobs ---- */

static enum heard do_request(const struct workers *w, json_t *o)
{
	const char *type = json_string_value(json_object_get(o, "type"));

	if (!strcmp(type, "time"))
		return supervise_race(w, o, id_of(o));
	if (!strcmp(type, "record") || !strcmp(type, "locals") ||
	    !strcmp(type, "counters") || !strcmp(type, "calibrate") ||
	    !strcmp(type, "launches"))
		return supervise_record(w, o, id_of(o));
	refuse_request(o, "unknown type \"%s\"", text_show(type));
	return HEARD_NOTHING;
}

/* Lets signals interrupt the wait, and nothing else. */
static void signals_for_wait(void)
{
	static const int ends[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction a = { .sa_handler = signal_handler };
	sigset_t blocked;

	sigemptyset(&a.sa_mask);
	sigemptyset(&blocked);
	for (size_t i = 0; i < LENGTH(ends); i++) {
		sigaction(ends[i], &a, NULL);
		sigaddset(&blocked, ends[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &blocked, &super.mask);
	for (size_t i = 0; i < LENGTH(ends); i++)
		sigdelset(&super.mask, ends[i]);
}

int supervisor_main(const struct workers *w)
{
	enum heard heard = HEARD_NOTHING;

	super.waiting = json_array();
	signals_for_wait();
	put_message(json_pack("{ss si ss ss ss}", "type", "hello", "protocol",
			      PROTOCOL_VERSION, "program", "gemmviz-gpu",
			      "version", PACKAGE_VERSION, "on", "gpu"));
	while (heard != HEARD_END) {
		json_t *o = json_array_get(super.waiting, 0);

		if (!o) {
			heard = supervisor_hear(NULL, supervisor_now() + 3600,
						NULL, NULL);
			continue;
		}
		json_incref(o);
		json_array_remove(super.waiting, 0);
		heard = do_request(w, o);
		json_decref(o);
	}
	supervise_record_done();
	json_decref(super.waiting);
	str_done(&super.in);
	return EXIT_DONE;
}
