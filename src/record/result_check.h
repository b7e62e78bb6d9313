/*
 * result_check: whether the output that a launch left in memory is the one that its
 * problem defines.
 */
#ifndef RECORD_RESULT_CHECK_H
#define RECORD_RESULT_CHECK_H

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
 * the one whose answer it gives, if there is one. Returns ANSWER_AGAIN if a
 * reader's kernel reads its output, which was not set: the launch is to be
 * recorded again with numbers in it (plan.numbers). -1 with e: out of memory.
 */
#define ANSWER_AGAIN 1
int answer_check(const struct answer *a, struct trace_info *info,
		 struct findings *f, struct error *e);

/* A launch that a program makes, whose arrays are those of a problem. */
struct answer_call {
	const struct problem *problem;
	struct problem_sizes size;
	/* By the problem's arrays: the elements before the launch and now. */
	struct {
		const char *name;
		enum elem elem;
		const void *was, *now;
	} arrays[PROBLEM_ARRAYS];
	double alpha, beta;
	bool asked;	/* the user has named the problem */
};
/* Compares the output with the problem's reference and notes in info how, or
 * why not. What no order of a float's additions explains is a finding, unless
 * tensor cores that round their inputs do. */
void answer_of_call(const struct answer_call *c, struct trace_info *info,
		    struct findings *f);

#endif
