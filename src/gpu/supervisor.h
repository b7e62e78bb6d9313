/*
 * supervisor: the process that speaks the protocol (protocol.h). It never uses
 * the GPU: workers do, which it starts when they are needed, and kills and
 * replaces when a kernel faults, hangs or makes the GPU unusable. No worker is
 * left when the input ends or the supervisor dies.
 */
#ifndef GPU_SUPERVISOR_H
#define GPU_SUPERVISOR_H

#include <jansson.h>

struct workers {
	char *const *benchmark;	/* commands; benchmark_worker.h */
	char *const *recorder;	/* serve()s "record", "locals", "counters",
					   "calibrate", "launches" */
	const char *queues;	/* see queue.h */
};

/* Serves until the end of input or a signal; returns the exit status. */
int supervisor_main(const struct workers *w);

/* ---- between supervisor.c, supervise_benchmark.c, supervise_record.c ---- */

#include "base/child.h"

/* A worker, and its output that has not been read yet. */
struct peer {
	struct child child;
	bool there;
	struct str in;
	size_t used;
};

int peer_start(struct peer *p, char *const *argv, struct error *e);
void peer_stop(struct peer *p);
void peer_send(struct peer *p, const char *text, size_t n);
void peer_send_message(struct peer *p, json_t *o);	/* o is taken */

enum heard {
	HEARD_LINE,		/* *line and *n, valid until the next call */
	HEARD_NOTHING,		/* no line by the deadline */
	HEARD_CONTROL,		/* supervisor_control was changed */
	HEARD_LOST,		/* the worker ended; child_epitaph() says how */
	HEARD_END,		/* the supervisor is to end */
};
/* Waits until `deadline`, in terms of supervisor_now(), for a line from the
 * worker, or if line is NULL for any bytes; p may be NULL. Requests that arrive
 * meanwhile are kept. */
enum heard supervisor_hear(struct peer *p, double deadline, const char **line,
			   size_t *n);
/* Takes up to n raw bytes of what has arrived. */
size_t peer_take(struct peer *p, char *to, size_t n);
double supervisor_now(void);

/* What "pause" and "cancel" requested of the running race. */
struct control { bool racing, paused, cancelled; };
extern struct control supervisor_control;

/* Send an answer: sets its `id`, and takes o. */
void supervisor_say(json_int_t id, json_t *o);
void supervisor_say_error(json_int_t id, const struct error *e);
void supervisor_put(const void *data, size_t n);

/* Serves one request; HEARD_END when the supervisor must end. So does the next
 * function. */
enum heard supervise_race(const struct workers *w, json_t *request,
			     json_int_t id);
enum heard supervise_record(const struct workers *w, const json_t *request,
			       json_int_t id);
void supervise_record_done(void);

#endif
