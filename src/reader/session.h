/*
 * session: the recordings that a screen or a command works with, each made
 * by a recorder of its own, so that one that is lost takes nothing along.
 */
#ifndef READER_SESSION_H
#define READER_SESSION_H

#include <poll.h>

#include "lesson/lesson.h"
#include "runner/runner.h"
#include "scene/scene.h"

struct recording {
	struct runner *runner;	/* NULL: never started, or lost */
	long record_id;		/* of the request under way, 0: none */
	long locals_id;
	/* What locals were asked for last; the same is not asked twice. */
	bool locals_asked;
	size_t locals_warp;
	uint32_t locals_lane, locals_first;
	struct trace *trace;	/* NULL: not there (yet) */
	struct stage *stage;
	struct error error;	/* text not empty: why there is no trace */
	struct error gone;	/* ... why there are no locals any more */
	uint64_t signs;		/* of life that were seen */
	bool fresh;		/* something arrived since it was last asked */
};

struct session {
	struct recording recordings[LESSON_MAX_RECORDS];
	size_t count;
};

/* Makes a kernel of a file's text, with which kernel of it, or NULL for the
 * only one. -1 with e. */
int session_source(struct job_kernel *k, const char *path, const char *entry,
		   struct error *e);

/* Starts a recorder for every record of the lesson. argv as runner_start,
 * on as runner_want. */
void session_lesson(struct session *s, const struct lesson *l,
		    char *const *argv, const char *on);
/* A trace that is there already; locals come from a recorder that makes the
 * same launch again, where it is a kernel of the table. */
void session_trace(struct session *s, struct trace *t, char *const *argv);
void session_done(struct session *s);

/* What to poll for; returns how many were filled (two a recording). */
size_t session_fds(const struct session *s, struct pollfd *fds);
/* Does what can be done without waiting; true when something arrived, be it
 * only a word on a recorder's standard error. */
bool session_step(struct session *s);
/* Asks for the locals at a cursor when they are missing and can be had. */
void session_want_locals(struct recording *r, const struct cursor *p);
/* Waits until every trace is there or failed; for use without a screen. */
void session_wait(struct session *s);
/* The first recording's error, or NULL. */
const struct error *session_error(const struct session *s);

#endif
