/*
 * pending: the jobs that were sent to a runner and are not answered yet, and
 * how long each may take.
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
/* The one that the message answers, or NULL. */
struct pending *pending_find(const struct pendings *p, const json_t *message);
/* It is answered, and gone. */
void pending_settle(struct pendings *p, struct pending *settled);
void pendings_done(struct pendings *p);

/* From now on it takes its time. */
void pending_begin(struct pending *p);
/* Others on its GPU are first, as its progress says: that time is not its own,
 * up to an hour. */
void pending_wait(struct pending *p, const json_t *progress);
/* The seconds that one has taken which takes too long; 0: none does. */
double pendings_late(const struct pendings *p);

#endif
