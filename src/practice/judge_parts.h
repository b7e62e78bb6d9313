/* judge_parts: what the files of the judge share. */
#ifndef PRACTICE_JUDGE_PARTS_H
#define PRACTICE_JUDGE_PARTS_H

#include "practice/judge.h"

/* A place that a recorder names; file NULL: the learner's. */
struct judge_place { const char *file; uint32_t line; };
#define JUDGE_NOWHERE ((struct judge_place) { NULL, 0 })

struct judging {
	const struct rung *rung;
	struct judge_options options;
	char *path, *text;
	struct runner *runner;	/* NULL: done */
	long id;
	double began;
	bool compiled;		/* the last job's text, and it has begun to run */
	size_t round;		/* of jobs, from 0 */
	size_t calls;		/* of a program, that may fail */
	/* What the recorder answered to the last job. */
	json_t *program;	/* the summary; NULL: none */
	struct error error;	/* status EXIT_DONE: none */
	struct trace **traces;
	uint64_t *launches;	/* of each trace: its number */
	size_t trace_count;
	struct judgement out;
};

/* Makes the job that judges the text with inputs of this seed; -1 with e. */
int judge_job_make(const struct judging *j, uint64_t seed, struct job *job,
		   struct error *e);
/* Returns the number of calls: one for each size, and one more of the last; for
 * costs alone, one of the first. */
size_t judge_calls(const struct judging *j);
/* Returns the size of a call, and its number among the rung's. */
size_t judge_size_of(const struct rung *r, size_t call);

/* Compares the outputs of a call. Returns NULL if they are right, else a
 * sentence that the caller frees. */
char *judge_answer(const struct judging *j, uint64_t seed, size_t call);
/* Counts costs and checks limits; the first that fails is the judgement's. */
void judge_costs(struct judging *j);

/* Judges the calls of a recording, the stages in their order; or an error in
 * place of a recording. */
void judge_recording(struct judging *j);
void judge_job_error(struct judging *j);
/* Judges one run of a program; returns whether there is another to be made. */
void judge_program(struct judging *j);
bool judge_program_goes_on(const struct judging *j);
/* Returns the fault of a launch that matters most, or NULL. */
const struct trace_finding *judge_find_fault(const struct trace_info *info);

/* Returns the place "at" of a program's problem, or of its end. */
struct judge_place judge_place_of(const json_t *o);
/* Returns the line if the place is in the learner's file; else 0, and the message
 * begins with the place. */
uint32_t judge_own_line(const struct judging *j, struct judge_place at,
			char **message);
/* Sets the judgement to a failure; takes `message`. */
void judge_fail(struct judging *j, enum judge_stage stage, size_t size,
		const char *word, struct judge_place at, char *message);

#endif
