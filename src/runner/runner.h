/*
 * runner: the interface's end of the protocol (protocol.h) with a recorder, a
 * child process.
 */
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

#include <jansson.h>
#include <sys/types.h>

#include "base/base.h"
#include "runner/job.h"
#include "runner/locals.h"
#include "runner/protocol.h"
#include "trace/trace.h"

struct runner;

/* Starts argv (NULL-terminated); NULL argv: gemmviz-emu beside us. */
struct runner *runner_start(char *const *argv, struct error *e);
/* From now on one that does not work on the "cpu" or the "gpu", as `on` has
 * it, is lost at its hello. NULL: either will do. */
void runner_want(struct runner *r, const char *on);
void runner_free(struct runner *r);	/* kills it if it lives */

/* For poll(): the descriptor to read, and to write while wanted, else -1.
 * Both change from step to step. */
int runner_read_fd(const struct runner *r);
int runner_write_fd(const struct runner *r);
const char *runner_name(const struct runner *r);
/* "cpu" or "gpu", as its hello says; NULL: none was heard yet. */
const char *runner_on(const struct runner *r);
/* What it said last on its standard error, clean; heap or NULL. */
char *runner_words(const struct runner *r);
/* Grows whenever it says anything. */
uint64_t runner_signs(const struct runner *r);
/* Seconds of silence after which it is given up: GEMMVIZ_PATIENCE of the
 * environment (runner_start() fails when that is no number), or these. */
double runner_patience(double otherwise);
/* That it has been silent for so long. */
void runner_silent(const struct runner *r, double seconds, struct error *e);

/* Queues a job; returns its "id". */
long runner_send(struct runner *r, const struct job *job);
/* The same of kernels to be timed, and of a message (the reference is
 * taken), whose "id" is set. */
long runner_send_time(struct runner *r, const struct job_time *job);
long runner_send_message(struct runner *r, json_t *message);

enum runner_event_kind {
	RUNNER_NOTHING,		/* wait for more */
	RUNNER_MESSAGE,		/* message holds it */
	RUNNER_TRACE,		/* fd: a temporary file that holds it; taken */
	RUNNER_LOST,		/* error says what happened; free it */
};
struct runner_event {
	enum runner_event_kind kind;
	long id;
	json_t *message;
	int fd;
	struct error error;
};
/*
 * Does what can be done without blocking: sends, reads, and returns the next
 * event. A peer that talks nonsense is lost, and stays so. The hello is not
 * handed on. `message` is checked for its members; it may be an "error",
 * whose text is clean. Whether silence has lasted too long is the caller's
 * to say.
 */
void runner_step(struct runner *r, struct runner_event *out);
/* Lets the message go. */
void runner_event_done(struct runner_event *ev);
/* A message's "type"; "" for other events. */
const char *runner_event_type(const struct runner_event *ev);
/* True when it is an "error": the job was refused, or failed, with e. */
bool runner_refused(const struct runner_event *ev, struct error *e);
/* What the message "locals" holds; whose they are the caller knows. */
struct locals *runner_locals(const struct runner_event *ev);
/* A number of the message "counters"; NA: the counter is not known. */
double runner_counter(const struct runner_event *ev, const char *name);
/* The trace that arrived in fd, which is taken, read whole, since others may
 * have written between its bytes; NULL with e (EXIT_RUNNER): it is none. */
struct trace *runner_trace(const struct runner *r, int fd, struct error *e);
/* Waits for the answer to id (trace or final message), at most `seconds`
 * without a sign of life. For the commands without a screen. */
int runner_wait(struct runner *r, long id, double seconds,
		struct runner_event *out);

#endif
