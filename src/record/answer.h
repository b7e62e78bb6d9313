/*
 * answer: whether what a launch has left in memory is what its problem says.
 */
#ifndef RECORD_ANSWER_H
#define RECORD_ANSWER_H

#include "record/arguments.h"
#include "record/findings.h"

struct answer {
	const struct plan *plan;
	const struct argument *arguments;
	int count;
	/* A copy of what the array of an argument holds now; NULL with e. */
	void *(*fetch)(void *ctx, int argument, struct error *e);
	void *ctx;
	bool partial;		/* not all of the launch has run */
	bool tainted;		/* something was wrong before it ended */
};

/*
 * Compares the output with the problem's reference and says in info what was
 * checked, or why nothing was. A kernel that is held to its problem and gives
 * another answer has a finding; of any other the problem is the one whose
 * answer it gives, if there is one. -1 with e: memory was not to be had.
 */
int answer_check(const struct answer *a, struct trace_info *info,
		 struct findings *f, struct error *e);

#endif
