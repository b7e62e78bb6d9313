/*
 * runner: the interface's end of the protocol (protocol.h). A runner is a child
 * process that records.
 */
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

#include <jansson.h>
#include <sys/types.h>

#include "base/base.h"
#include "protocol/job.h"
#include "protocol/locals.h"
#include "protocol/protocol.h"
#include "trace/trace.h"

struct runner;

/* Starts the command argv (NULL-terminated); NULL: gemmviz-emu, found beside
 * this program. */
struct runner *runner_start(char *const *argv, struct error *e);
/* Tells whether recorders can repeat a launch, to tell its locals. */
bool runner_repeats(void);
/* Requires a recorder that works on the "cpu" or on the "gpu", as `on` says: a
 * runner whose hello says otherwise is lost. NULL accepts either. */
void runner_want(struct runner *r, const char *on);
void runner_free(struct runner *r);	/* kills a live one */

/* Returns the descriptor to read, for poll(); the second function the
 * descriptor to write while there is something to write, else -1. Both change
 * from step to step. */
int runner_read_fd(const struct runner *r);
int runner_write_fd(const struct runner *r);
const char *runner_name(const struct runner *r);
/* Returns "cpu" or "gpu", as the runner's hello says; NULL before the hello. */
const char *runner_on(const struct runner *r);
/* Returns the last line that the runner wrote to standard error, safe to show;
 * the caller frees it. NULL when there is none. */
char *runner_words(const struct runner *r);
/* Returns a counter that grows whenever the runner sends or writes anything. */
uint64_t runner_signs(const struct runner *r);
/*
 * Returns the seconds of silence after which a runner is given up: the
 * environment's GEMMVIZ_PATIENCE (if that is not a number, runner_start()
 * fails), or else `otherwise`.
 */
double runner_patience(double otherwise);
/* Sets e to say that the runner has been silent for so many seconds. */
void runner_silent(const struct runner *r, double seconds, struct error *e);

/* Queues a job to be sent; returns its "id". */
long runner_send(struct runner *r, const struct job *job);
/* Queues a timing job; the second function queues a message, whose "id" it sets
 * and whose reference it takes over. Both return the "id". */
long runner_send_time(struct runner *r, const struct job_time *job);
long runner_send_message(struct runner *r, json_t *message);

enum runner_event_kind {
	RUNNER_NOTHING,		/* wait for more input */
	RUNNER_MESSAGE,		/* `message` holds the message */
	RUNNER_TRACE,		/* fd, a temporary file with the trace; taken */
	RUNNER_LOST,		/* `error` says what happened; free the
				   runner */
};
struct runner_event {
	enum runner_event_kind kind;
	long id;
	json_t *message;
	int fd;
	/* Bytes of the trace that are of the first size, if a second size's
	 * follows; else 0. */
	int64_t first;
	struct error error;
};
/*
 * Sends and reads without blocking, and returns the next event. A peer that
 * violates the protocol is lost, and stays so. The hello is not passed on.
 * `message` has been checked for its members; it may be an "error", whose text
 * is safe to show. The caller decides whether silence has lasted too long.
 */
void runner_step(struct runner *r, struct runner_event *out);
/* Releases the event's message. */
void runner_event_done(struct runner_event *ev);
/* Returns the "type" of the event's message; "" for other events. */
const char *runner_event_type(const struct runner_event *ev);
/* Tests whether the message is an "error": the job was refused or failed, and e
 * says why. */
bool runner_refused(const struct runner_event *ev, struct error *e);
/* Reads how many blocks are recorded, and of how many, from a message
 * "progress"; 0 and 0 when it has no numbers. */
void runner_progress(const struct runner_event *ev, int64_t *blocks,
		     int64_t *of);
/* Returns the bytes of the first trace that a message "program" announces; 0
 * when there is none. */
int64_t runner_program_bytes(const struct runner_event *ev);
/* Returns the contents of a message "locals"; the caller knows which thread
 * they belong to. */
struct locals *runner_locals(const struct runner_event *ev);
/* Returns a number of a message "counters"; NA when that counter is not
 * known. */
double runner_counter(const struct runner_event *ev, const char *name);
/*
 * Opens the trace that arrived in fd, which is taken over. The whole trace is
 * checked, since other output may have come between its bytes, unless it is of
 * our own recorder and of a kernel of the table: then each part is when it is
 * read. NULL with e (EXIT_RUNNER) when it is not a valid trace.
 */
struct trace *runner_trace(const struct runner *r, int fd, struct error *e);
/* Waits for the answer to a job (the trace or the final message), at most
 * `seconds` without a sign of life. For commands without a screen. */
int runner_wait(struct runner *r, long id, double seconds,
		struct runner_event *out);

#endif
