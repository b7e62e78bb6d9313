/*
 * emu: gemmviz-emu, the recorder on the CPU. Requests come in on standard
 * input and answers go out on standard output, as runner.h says; it ends when
 * its input does.
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
#include "../runner.h"
#include "../text.h"
#include "launch.h"

#define READ_BYTES 65536
#define COPY_BYTES (1u << 20)

static struct {
	int out;		/* the protocol's; a kernel's printf has none */
	char *buffer;		/* what was read and not yet used */
	size_t used, capacity;
	volatile sig_atomic_t ending;
	long long id;		/* of the request being answered */
	struct launch launch;
} emu;

static void end_handler(int n)
{
	(void)n;
	emu.ending = 1;
}

/* ---- answers ---- */

/* Nobody to answer any more: there is nothing left to do. */
static void put(const void *data, size_t n)
{
	if (write_all(emu.out, data, n) < 0)
		exit(EXIT_DONE);
}

static void answer(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	if (!text)
		fatal("out of memory");
	put(text, strlen(text));
	put("\n", 1);
	free(text);
}

static void answer_error(const struct error *e)
{
	char *clean = text_clean(e->text, strlen(e->text), 0);

	answer(json_pack("{s:s, s:I, s:i, s:s}", "type", "error", "id",
			 (json_int_t)emu.id, "status", (int)e->status,
			 "message", clean));
	free(clean);
}

/* Whether the other end is still there; what it sends waits. */
static bool peer_there(void)
{
	struct pollfd p = { .fd = 0, .events = POLLIN };

	if (emu.ending)
		return false;
	if (poll(&p, 1, 0) <= 0)
		return true;
	return !(p.revents & (POLLHUP | POLLERR | POLLNVAL)) ||
	       p.revents & POLLIN;
}

static bool progress(uint64_t events, uint64_t blocks, uint64_t of)
{
	if (!peer_there())
		return false;
	answer(json_pack("{s:s, s:I, s:I, s:I, s:I}", "type", "progress",
			 "id", (json_int_t)emu.id, "events",
			 (json_int_t)events, "blocks", (json_int_t)blocks,
			 "of", (json_int_t)of));
	return true;
}

static int trace_send(int fd, struct error *e)
{
	off_t size = lseek(fd, 0, SEEK_END), done = 0;
	char *copy;

	if (size < 0)
		return error_set(e, EXIT_RUNNER, "the temporary file: %s",
				 strerror(errno));
	answer(json_pack("{s:s, s:I, s:I}", "type", "trace", "id",
			 (json_int_t)emu.id, "bytes", (json_int_t)size));
	copy = xmalloc(COPY_BYTES);
	while (done < size) {
		ssize_t n = pread(fd, copy, COPY_BYTES, done);

		if (n <= 0)
			fatal("the temporary file: %s", strerror(errno));
		put(copy, (size_t)n);
		done += n;
	}
	free(copy);
	return 0;
}

/* ---- requests ---- */

static int do_record(struct request *r, struct error *e)
{
	int fd, rc;

	if (launch_prepare(&emu.launch, r, e) < 0) {
		emu.launch.entry = NULL;
		return -1;
	}
	fd = temporary_file(e);
	if (fd < 0)
		return -1;
	rc = launch_record(&emu.launch, fd, progress, e);
	if (rc == 0)
		rc = trace_send(fd, e);
	close(fd);
	return rc;
}

static int do_locals(const struct request *r, struct error *e)
{
	json_t *o = launch_locals(&emu.launch, r, progress, e);

	if (!o)
		return -1;
	json_object_set_new(o, "id", json_integer(emu.id));
	answer(o);
	return 0;
}

static void do_line(const char *line, size_t length)
{
	struct request r;
	struct error e;
	int rc = request_parse(&r, line, length, &e);

	emu.id = r.id;
	if (rc == 0)
		rc = r.kind == REQUEST_RECORD ? do_record(&r, &e) :
						do_locals(&r, &e);
	if (rc < 0 && !emu.ending)
		answer_error(&e);
	request_done(&r);
}

/* ---- input ---- */

/* Uses up the whole lines that have come. */
static void lines_do(void)
{
	char *newline;

	while (!emu.ending &&
	       (newline = memchr(emu.buffer, '\n', emu.used))) {
		size_t n = (size_t)(newline - emu.buffer);

		do_line(emu.buffer, n);
		emu.used -= n + 1;
		memmove(emu.buffer, newline + 1, emu.used);
	}
}

/* False at the end of input. */
static bool input_more(void)
{
	ssize_t n;

	if (emu.used > RUNNER_LINE_MAX) {
		struct error e;

		error_set(&e, EXIT_USAGE, "bad request: a line of more than "
			  "%u bytes", RUNNER_LINE_MAX);
		emu.id = 0;
		answer_error(&e);
		return false;
	}
	grow(&emu.buffer, &emu.capacity, emu.used + READ_BYTES, 1);
	n = read(0, emu.buffer + emu.used, READ_BYTES);
	if (n < 0)
		return errno == EINTR;
	emu.used += (size_t)n;
	return n > 0;
}

static void hello(void)
{
	answer(json_pack("{s:s, s:i, s:s, s:s, s:s}", "type", "hello",
			 "protocol", RUNNER_PROTOCOL, "program",
			 "gemmviz-emu", "version", PACKAGE_VERSION, "on",
			 "cpu"));
}

/*
 * Standard output is the protocol's alone: what a kernel prints goes to
 * standard error.
 */
static void streams_set(void)
{
	emu.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (emu.out < 0)
		exit(EXIT_OUTPUT);
	dup2(2, 1);
}

static void signals_set(void)
{
	struct sigaction a = { .sa_handler = end_handler };

	sigemptyset(&a.sa_mask);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGHUP, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
	block_signals();
}

int main(void)
{
	streams_set();
	signals_set();
	hello();
	while (!emu.ending && input_more())
		lines_do();
	launch_done(&emu.launch);
	free(emu.buffer);
	return EXIT_DONE;
}
