/* session: the recordings that a screen or a command works with. Each is made
 * by a recorder process of its own, so that losing one does not affect the
 * others. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <poll.h>

#include "lesson/lesson.h"
#include "runner/runner.h"
#include "scene/scene.h"

struct recording {
	struct runner *runner;	/* NULL: never started, or lost */
	long record_id;		/* id of the pending job, 0: none */
	long locals_id;
	/* The locals that were requested last; they are not requested twice. */
	bool locals_asked;
	size_t locals_warp;
	uint32_t locals_lane, locals_first;
	struct trace *trace;	/* NULL: not recorded (yet) */
	struct stage *stage;
	struct error error;	/* if not empty, why there is no trace */
	bool uncompiled;	/* which is that the compiler is missing */
	/* likewise, why locals are no longer available */
	struct error gone;
	bool compiled;		/* or it could not be */
	uint64_t signs;		/* signs of life seen so far */
	struct recording_work {
		char *name;		/* of a kernel or a file */
		bool file, program;	/* which is to be compiled; and run */
		bool whole;		/* no filter leaves anything out */
		double since, heard;	/* when it was asked for, and when a
					   sign of life came last */
		bool compiled;
		int64_t blocks, of;	/* it has done; of 0: not known */
		int64_t bytes;		/* of a program's first trace, if not
					   0 */
	} work;
	bool fresh;		/* something arrived since last checked */
};

struct session {
	struct recording recordings[LESSON_MAX_RECORDS];
	size_t count;
};

/* Makes a kernel from a file's text; entry names the kernel in it, or is NULL
 * for the only one. -1 with e. */
int session_source(struct job_kernel *k, const char *path, const char *entry,
		   struct error *e);

/* Makes a kernel from one of our programs, which is run with these sizes as its
 * arguments. Returns -1 with e. Arguments that were not given are filled in. */
struct own_program;
int session_program(struct job_kernel *k, const struct own_program *p,
		    const struct problem_sizes *size, struct error *e);

/* Fills in the job of a lesson's record. Returns -1 with e if its file cannot be
 * read; job_done() must follow in either case. */
int session_record_job(struct job *job, const struct lesson_record *r,
		       struct error *e);
/* Starts a recorder for every record of the lesson. argv is as for
 * runner_start(), on as for runner_want(). */
void session_lesson(struct session *s, const struct lesson *l,
		    char *const *argv, const char *on);
/* Fills in the job that records a kernel, by its name in the table or as a
 * file. Returns -1 with e; job_done() must follow in either case. */
int session_job(struct job *job, const char *what, struct error *e);
/* Adds the recording of a job; argv and on as for session_lesson(). For a
 * program it is the first recorded launch. */
void session_launch(struct session *s, const struct job *job,
		    char *const *argv, const char *on);
/* Adds a trace that exists already. For a kernel of the table, locals come from
 * a recorder that repeats the launch. */
void session_trace_add(struct session *s, struct trace *t, char *const *argv);
void session_done(struct session *s);

/* Fills in the descriptors to poll(), two per recording; returns how many. */
size_t session_fds(const struct session *s, struct pollfd *fds);
/* Takes what can be taken without waiting. Returns whether something arrived,
 * even if only text on a recorder's standard error. */
bool session_step(struct session *s);
/* Requests the locals at a cursor if they are missing and available. */
void session_want_locals(struct recording *r, const struct cursor *p);
/* Returns the seconds since a missing trace was asked for; negative: none is
 * expected. */
double recording_seconds(const struct recording *r);
/* Waits until every trace has been recorded or has failed; for use without a
 * screen. */
void session_wait(struct session *s);
/* Returns the first recording's error, or NULL. */
const struct error *session_error(const struct session *s);
/* Returns why a lesson cannot be shown: no step has a trace, or one has none for
 * another reason than a missing compiler. NULL: it can be, without the steps that
 * need a compiler. */
const struct error *session_lesson_error(const struct session *s);

#endif
