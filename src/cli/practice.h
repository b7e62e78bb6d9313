/* practice: what the files of `gemmviz practice` share. */
#ifndef CLI_PRACTICE_H
#define CLI_PRACTICE_H

#include "cli/screen_options.h"
#include "practice/judge_pool.h"
#include "practice/rung.h"

/* The folder of a learner's files, unless --folder names another. */
#define PRACTICE_FOLDER "gemmviz-practice"

/* What the command line asks for. */
struct practice_wish {
	struct screen screen;
	const char *folder, *junit;
	uint64_t seed;
	bool json, yes, force;
	bool own;		/* the rungs are not ours, but from files */
};

/* Returns how the judge is to work. */
struct judge_options practice_judge_options(const struct practice_wish *w);
/* Returns the path of a rung's file in the learner's folder; heap. */
char *practice_path(const struct practice_wish *w, const struct rung *r);
/* Returns the command that a learner types, "gemmviz practice check naive"; the
 * action is "" or "check ". The caller frees it. */
char *practice_command(const struct practice_wish *w, const char *action,
		       const struct rung *r);
/* Loads our rungs, or those of a file or a folder that is named. A file is a
 * track of one. -1 with e. */
int practice_load(struct rung_track *t, const char *what, struct error *e);
/* Returns whether a word is a rung's file or a folder of these. */
bool practice_is_path(const char *word);

/* The commands: `what` is a rung, or a file or folder of rungs; NULL: all. Each
 * returns an exit status. */
int practice_check(const struct practice_wish *w, const char *what);
int practice_verify(const struct practice_wish *w, const char *what);
int practice_open(const struct practice_wish *w, const char *what);
int practice_reset(const struct practice_wish *w, const char *what);

#endif
