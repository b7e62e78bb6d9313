/* judge_pool: judges several files side by side, as many at a time as there are
 * processors. */
#ifndef PRACTICE_JUDGE_POOL_H
#define PRACTICE_JUDGE_POOL_H

#include "practice/judge.h"

struct judge_task {
	const struct rung *rung;
	char *path;
	struct judge_options options;
	struct judgement out;
};

/* Judges all tasks, and calls `done` for each, in their order; NULL: nothing is
 * called. -1 with e: the recorder does not start. */
int judge_all(struct judge_task *tasks, size_t count,
	      void (*done)(void *ctx, struct judge_task *task), void *ctx,
	      struct error *e);

#endif
