/*
 * question: what was asked of a runner, to hold its answer to. A runner may be
 * another machine's, of another version, or broken: a trace is taken only if it
 * is of the kernel, text, sizes and launch that were asked for, in no more
 * bytes and minutes than these may need.
 */
#ifndef RUNNER_QUESTION_H
#define RUNNER_QUESTION_H

#include "runner/job.h"

struct question;

/* A copy of what the job asks. */
struct question *question_new(const struct job *job);
void question_free(struct question *q);

/* The bytes that its trace has at most. */
uint64_t question_bytes(const struct question *q);
/* The seconds that it takes at most, without those in a queue. */
double question_seconds(const struct question *q);
/* Whether the trace, made on the "cpu" or "gpu", is the answer: else -1 with e
 * (EXIT_RUNNER), a sentence that begins with `name`. */
int question_answered(const struct question *q, const struct trace_info *i,
		      const char *on, const char *name, struct error *e);
/* Whether a program is to be run; q may be NULL. */
bool question_of_program(const struct question *q);
/* Whether it is of a reader's file, not of a kernel of the table. */
bool question_of_reader(const struct question *q);
/* Likewise of locals: its rows, from the access `first` on. */
bool question_locals(const struct question *q, uint64_t first, size_t rows);

/* An error that is the answer to it: one about a missing header or source says
 * what would help, from then on; and where nothing else would, has it as "adds",
 * {"folder": -I} or {"source": FILE}, and what it has as "for". */
void question_explain(const struct question *q, json_t *message);

#endif
