/*
 * serve: the protocol's loop. See serve.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "protocol/protocol.h"
#include "base/text.h"
#include "record/serve.h"

#define READ_BYTES 65536
#define COPY_BYTES (1u << 20)

static struct {
	const struct service *service;
	int out;		/* the protocol's; a kernel's printf has none */
	serve_put *through;	/* instead of it, if not NULL */
	char *buffer;		/* what was read and not yet used */
	size_t used, capacity;
	volatile sig_atomic_t ending;
	long long id;		/* of the job being answered */
} serving;

static void end_handler(int n)
{
	(void)n;
	serving.ending = 1;
}

/* ---- answers ---- */

/* Writes bytes to the client. Ends the program when the client is gone. */
static void write_output(const void *data, size_t n)
{
	if (write_all(serving.out, data, n) < 0)
		exit(EXIT_DONE);
}

static void send_message(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	if (!text)
		fatal("out of memory");
	if (serving.through) {
		serving.through(text, strlen(text));
	} else {
		write_output(text, strlen(text));
		write_output("\n", 1);
	}
	free(text);
}

void serve_through(serve_put *through)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(serving.out);
	if (nothing < 0 || dup2(nothing, 0) < 0)
		close(0);
	close(nothing);
	serving.through = through;
}

void serve_answer(const char *type, json_t *o)
{
	json_object_set_new(o, "type", json_string(type));
	json_object_set_new(o, "id", json_integer(serving.id));
	send_message(o);
}

void serve_error(const struct error *e)
{
	char *clean = text_clean(e->text, strlen(e->text), 0);

	send_message(json_pack("{s:s, s:I, s:i, s:s}", "type", "error", "id",
			       (json_int_t)serving.id, "status", (int)e->status,
			       "message", clean));
	free(clean);
}

bool serve_heard(void)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	if (serving.through)
		return true;
	if (serving.ending)
		return false;
	if (poll(&p, 1, 0) <= 0)
		return true;
	return !(p.revents & (POLLHUP | POLLERR | POLLNVAL)) ||
	       p.revents & POLLIN;
}

bool serve_progress(uint64_t events, uint64_t blocks, uint64_t of)
{
	if (!serve_heard())
		return false;
	send_message(json_pack("{s:s, s:I, s:I, s:I, s:I}", "type", "progress",
			       "id", (json_int_t)serving.id, "events",
			       (json_int_t)events, "blocks", (json_int_t)blocks,
			       "of", (json_int_t)of));
	return true;
}

int serve_trace(int fd, uint64_t first, struct error *e)
{
	off_t size = lseek(fd, 0, SEEK_END), done = 0;
	char *copy;

	if (size < 0)
		return error_set(e, EXIT_RUNNER, "the temporary file: %s",
				 strerror(errno));
	if (first && first < (uint64_t)size)
		send_message(json_pack("{s:s, s:I, s:I, s:I}", "type", "trace",
				       "id", (json_int_t)serving.id, "bytes",
				       (json_int_t)size, "first",
				       (json_int_t)first));
	else
		send_message(json_pack("{s:s, s:I, s:I}", "type", "trace",
				       "id", (json_int_t)serving.id, "bytes",
				       (json_int_t)size));
	copy = xmalloc(COPY_BYTES);
	while (done < size) {
		ssize_t n = pread(fd, copy, COPY_BYTES, done);

		if (n <= 0)
			fatal("the temporary file: %s", strerror(errno));
		write_output(copy, (size_t)n);
		done += n;
	}
	free(copy);
	return 0;
}

/* ---- jobs ---- */

static void do_line(const char *line, size_t length)
{
	struct job job;
	struct error e;
	int rc = job_parse(&job, line, length, &e);

	serving.id = job.id;
	if (rc == 0)
		rc = serving.service->job(&job, &e);
	if (rc < 0 && !serving.ending)
		serve_error(&e);
	job_done(&job);
}

/* Uses up the whole lines that have come. */
static void lines_do(void)
{
	char *newline;

	while (!serving.ending &&
	       (newline = memchr(serving.buffer, '\n', serving.used))) {
		size_t n = (size_t)(newline - serving.buffer);

		do_line(serving.buffer, n);
		serving.used -= n + 1;
		memmove(serving.buffer, newline + 1, serving.used);
	}
}

/* Reads more input into the buffer; false at the end of input. */
static bool input_more(void)
{
	ssize_t n;

	if (serving.used > PROTOCOL_LINE_MAX) {
		struct error e;

		error_set(&e, EXIT_USAGE, "bad request: a line of more than "
			  "%u bytes", PROTOCOL_LINE_MAX);
		serving.id = 0;
		serve_error(&e);
		return false;
	}
	grow(&serving.buffer, &serving.capacity, serving.used + READ_BYTES, 1);
	n = read(0, serving.buffer + serving.used, READ_BYTES);
	if (n < 0)
		return errno == EINTR;
	serving.used += (size_t)n;
	return n > 0;
}

static void send_hello(void)
{
	send_message(json_pack("{s:s, s:i, s:s, s:s, s:s}", "type", "hello",
			       "protocol", PROTOCOL_VERSION, "program",
			       serving.service->program, "version",
			       PACKAGE_VERSION, "on", serving.service->on));
}

static void streams_set(void)
{
	serving.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (serving.out < 0)
		exit(EXIT_OUTPUT);
	dup2(2, 1);
}

static void catch_signals(void)
{
	struct sigaction a = { .sa_handler = end_handler };

	sigemptyset(&a.sa_mask);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void serve(const struct service *s)
{
	serving.service = s;
	streams_set();
	catch_signals();
	send_hello();
	while (!serving.ending && input_more())
		lines_do();
	free(serving.buffer);
}
