/*
 * answer: which answers the protocol allows for which jobs, and what each
 * answer must contain.
 */
#ifndef RUNNER_ANSWER_H
#define RUNNER_ANSWER_H

#include <jansson.h>
#include <stdbool.h>

struct answer_kind {
	const char *type, *job;		/* job: the "type" of the job; NULL:
					   any job */
	bool last;			/* it is the job's final answer */
	bool of_program;		/* only a job that runs one has it */
	/*
	 * Checks an answer: says what is wrong with it, or NULL; afterwards the
	 * untrusted text in the answer is clean. No function: nothing can be
	 * wrong, or the answer is checked elsewhere.
	 */
	const char *(*wrong)(json_t *message);
};

/* Finds the answer of this type to a job, which runs a program or does not;
 * NULL when it does not answer that job. */
const struct answer_kind *answer_find(const char *type, const char *job,
				      bool program);
/* Returns a member that is a whole number in low..high, or -1. */
json_int_t answer_whole(const json_t *message, const char *member,
			json_int_t low, json_int_t high);

#endif
