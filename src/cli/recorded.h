/* recorded: the recording of a kernel, a file or a trace: its report, or those
 * of all launches that a program recorded; and the changes between two. */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include <stdio.h>

#include "analysis/report.h"
#include "cli/launch_options.h"

struct recorded {
	struct launch_options launch;
	struct trace *trace;	/* the first launch's; NULL: none */
	struct report *reports;
	size_t count;
	struct verdict verdict;		/* on all of it */
};

/* Records as r->launch says, which has its options already; -1 with e, and
 * r->count is 0. */
int recorded_make(struct recorded *r, const char *what, struct error *e);
void recorded_done(struct recorded *r);

/* Prints what `gemmviz report` prints; or the same as an object. */
void recorded_print(struct recorded *r, const char *what, FILE *out);
json_t *recorded_json(struct recorded *r);

/* Prints what has changed, launch by launch; kernels' launches are the same if
 * they have the same number among those of their kernel. */
void recorded_diff_print(const struct recorded *before,
			 const struct recorded *after, FILE *out);
/* As report_diff_json() where both have one launch; else "launches", each with
 * "kernel" and "diff", "gone" and "come", the kernels of launches that only one
 * has; and of programs "problems_gone" and "problems_come". */
json_t *recorded_diff_json(const struct recorded *before,
			   const struct recorded *after);
/* Returns whether there is a fault that was not there before. */
bool recorded_worse(const struct recorded *before,
		    const struct recorded *after);

#endif
