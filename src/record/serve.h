/*
 * serve: a recorder's end of the protocol (protocol.h): it reads jobs from
 * standard input and writes answers to standard output, and ends when its input
 * does. What a kernel prints goes to standard error.
 */
#ifndef RECORD_SERVE_H
#define RECORD_SERVE_H

#include <jansson.h>

#include "protocol/job.h"

struct service {
	const char *program, *on;	/* for the hello */
	/* Does one job and answers it; or returns -1 with e, which is then sent
	 * as the answer. */
	int (*job)(struct job *job, struct error *e);
};

/* Sends the hello and serves jobs; returns at the end of input or at a
 * signal. */
void serve(const struct service *s);

/* Sends an object, adding the "id" of the current job; takes o. */
void serve_answer(const char *type, json_t *o);
void serve_error(const struct error *e);
/* Sends the trace in the file, and after its first `first` bytes that of a
 * second size; 0: there is none. */
int serve_trace(int fd, uint64_t first, struct error *e);
/* Tests whether the client still reads answers. Requests that it sends
 * meanwhile wait. */
bool serve_heard(void);
/* In a process whose answers another one relays: each goes to `put`, without a
 * newline, and the protocol's descriptors are closed. */
typedef void serve_put(const char *text, size_t n);
void serve_through(serve_put *put);
/* Reports how far a recording is; false: nobody is listening any more. */
bool serve_progress(uint64_t events, uint64_t blocks, uint64_t of);

#endif
