/*
 * progress: what a reader has done of the course, kept from one day to the
 * next.
 *
 * The file $XDG_STATE_HOME/gemmviz/progress.json (~/.local/state/...) holds an
 * object: "version": 1 and "lessons", an object that gives each lesson begun
 * its "step" (how many steps were reached; all of them: it was finished) and
 * its "answers", a letter for each question of the lesson in order, for the
 * first time that it was asked: 'r' answered right at once, 'w' after a wrong
 * answer or not at all, '-' not yet. "practice" gives each rung begun its
 * "tries", "hints", the "stage" of the last try, the date "passed" of the first
 * pass, the "hash" of the text that passed and the best "costs". What else the
 * file has is left as it is. Where
 * neither XDG_STATE_HOME nor HOME is set, or GEMMVIZ_PROGRESS is off, nothing is
 * kept.
 */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "base/base.h"

struct progress_lesson { char *name, *answers; int step; };
/* A rung of gemmviz practice. */
#define PROGRESS_COSTS 16
struct progress_rung {
	int tries, hints;
	char passed[16];	/* "2025-03-14", or "": not yet */
	char stage[16];		/* of the last try that failed, or "" */
	uint64_t hash;		/* of the text that passed */
	uint64_t skeleton;	/* its hash, when the file was made; 0: unknown */
	/* The least of each cost of a text that passed; NA: not known. */
	int64_t costs[PROGRESS_COSTS];
};
struct progress {
	struct json_t *others;	/* what else the file has; NULL: nothing */
	struct progress_lesson *lessons;
	size_t count, capacity;
	char *path;		/* NULL: nothing is kept */
};

/* Reads what was kept. A file that is damaged or of a later version is put
 * aside as progress.json.damaged: -1 with e, and nothing is done yet. */
int progress_open(struct progress *p, struct error *e);
void progress_done(struct progress *p);

/* Returns the progress of a lesson; without any it has no answers and step
 * 0. */
struct progress_lesson progress_of(const struct progress *p, const char *name);
/* Record that a step was reached, or how the nth of `questions` questions was
 * answered, unless that is known already, and write the file. Return -1 with e
 * if it could not be written. */
int progress_step(struct progress *p, const char *name, int step,
		  struct error *e);
int progress_answer(struct progress *p, const char *name, size_t question,
		    size_t questions, bool right, struct error *e);
/* Returns the progress of a rung; without any it has no tries. `costs` are the
 * names of its costs, NULL-terminated. */
struct progress_rung progress_rung_of(const struct progress *p,
				      const char *name,
				      const char *const *costs);
/* Keeps the progress of a rung, and writes the file. Returns -1 with e. */
int progress_rung_set(struct progress *p, const char *name,
		      const struct progress_rung *r, const char *const *costs,
		      struct error *e);
/* Clears all progress. Returns -1 with e. */
int progress_forget(struct progress *p, struct error *e);

#endif
