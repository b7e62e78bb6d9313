/*
 * answer: whether the output that a launch left in memory is the one that its
 * problem defines.
 */
#ifndef RECORD_ANSWER_H
#define RECORD_ANSWER_H

#include "record/arguments.h"
#include "record/findings.h"

struct answer {
	const struct plan *plan;
	const struct argument *arguments;
	int count;
	/* Copies the current contents of an argument's array; NULL with e. */
	void *(*fetch)(void *ctx, int argument, struct error *e);
	void *ctx;
	bool partial;		/* part of the launch has not run */
	bool tainted;	/* something went wrong before the launch ended */
};

/*
 * Compares the output with the problem's reference, and notes in info what was
 * checked, or why nothing was. A kernel that is held to its problem and gives
 * another answer gets a finding; for any other kernel, info's problem becomes
 * the one whose answer it gives, if there is one. -1 with e: out of memory.
 */
int answer_check(const struct answer *a, struct trace_info *info,
		 struct findings *f, struct error *e);

#endif
