/*
 * answer: what the protocol has as answers to which jobs, and what must be in
 * them.
 */
#ifndef RUNNER_ANSWER_H
#define RUNNER_ANSWER_H

#include <jansson.h>
#include <stdbool.h>

struct answer {
	const char *type, *job;		/* job: its "type"; NULL: any */
	bool last;			/* no other comes behind it */
	/* What of it is wrong, or NULL; somebody else's words in it are clean
	 * from then on. No function: nothing can be, or others look. */
	const char *(*wrong)(json_t *message);
};

/* NULL: it is no answer to that job. */
const struct answer *answer_find(const char *type, const char *job);
/* A whole number in low..high, or -1. */
json_int_t answer_whole(const json_t *message, const char *member,
			json_int_t low, json_int_t high);

#endif
