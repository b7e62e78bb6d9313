/*
 * pending: the jobs that were sent to a runner and not yet answered, and the
 * time that each may take.
 */
#ifndef RUNNER_PENDING_H
#define RUNNER_PENDING_H

#include <jansson.h>

#include "runner/question.h"

struct pending {
	long id;
	char *type;
	struct question *question;	/* NULL: one that has no limits */
	double since, until;		/* when it began, and has failed; 0: it
					   has not begun */
};
struct pendings {
	struct pending *list;
	size_t count, capacity;
};

struct pending *pending_add(struct pendings *p, long id, const char *type);
/* Finds the job that the message answers, or NULL. */
struct pending *pending_find(const struct pendings *p, const json_t *message);
/* Removes a job that has been answered. */
void pending_settle(struct pendings *p, struct pending *settled);
void pendings_done(struct pendings *p);

/* Starts the job's time limit. */
void pending_begin(struct pending *p);
/* Restarts the job's time limit while other runs use its GPU first, as its
 * progress reports; for at most an hour. */
void pending_wait(struct pending *p, const json_t *progress);
/* Returns the seconds that the first job past its limit has taken; 0 when there
 * is none. */
double pendings_late(const struct pendings *p);

#endif
