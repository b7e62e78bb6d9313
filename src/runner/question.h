/*
 * question: what was asked of a runner, to check its answer. A runner may be on
 * another machine, of another version, or broken: a trace is accepted only if
 * it is of the requested kernel, text, sizes and launch, and needs no more
 * bytes and seconds than these can take.
 */
#ifndef RUNNER_QUESTION_H
#define RUNNER_QUESTION_H

#include "protocol/job.h"

struct question;

/* A copy of what the job asks. */
struct question *question_new(const struct job *job);
void question_free(struct question *q);

/* Returns the most bytes that its trace can have. */
uint64_t question_bytes(const struct question *q);
/* Returns the most seconds that it can take, without those in a queue. */
double question_seconds(const struct question *q);
/* Checks that the trace, made on the "cpu" or "gpu", is the answer; if not, -1
 * with e (EXIT_RUNNER), a sentence that begins with `name`. */
int question_answered(const struct question *q, const struct trace_info *i,
		      const char *on, const char *name, struct error *e);
/* Tests whether a program is to be run; q may be NULL. */
bool question_of_program(const struct question *q);
/* Tests whether it is about a user's file, not a kernel of the table. */
bool question_of_reader(const struct question *q);
/* Checks the rows of a "locals" answer, from the access `first` on. */
bool question_locals(const struct question *q, uint64_t first, size_t rows);

/* Adds help to an error about a missing header or source. Where only one change
 * would help, the message gets "adds", {"folder": -I} or {"source": FILE}, and
 * "for", the name that it provides. */
void question_explain(const struct question *q, json_t *message);

#endif
