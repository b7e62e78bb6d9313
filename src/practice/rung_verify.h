/* rung_verify: what an author's rung promises: its skeleton compiles and does
 * not pass, ours and all right files pass, each wrong one fails as it says, and
 * each limit is needed. */
#ifndef PRACTICE_RUNG_VERIFY_H
#define PRACTICE_RUNG_VERIFY_H

#include "practice/judge.h"

/* Called for each promise: the line of the rung's file (0: none), what is
 * promised, and why it is not kept; NULL: it is. */
typedef void rung_verdict(void *ctx, const struct rung *r, int line,
			  const char *what, const char *why);

/* Checks a rung; returns the promises that are not kept, or -1 with e: the
 * recorder does not start. */
int rung_verify(const struct rung *r, const struct judge_options *o,
		rung_verdict *tell, void *ctx, struct error *e);
/* Checks that a translation of a rung has the same directives. */
int rung_verify_same(const struct rung *r, const struct rung *other,
		     rung_verdict *tell, void *ctx);

#endif
