/*
 * source_loop: for loops of a kernel's text.
 */
#ifndef ANALYSIS_SOURCE_LOOP_H
#define ANALYSIS_SOURCE_LOOP_H

#include "trace/trace.h"

/* A loop "for (int t = 0; ...; t++) { ... }". */
struct source_loop {
	char name[32];		/* of its variable */
	uint32_t first, last;	/* lines, from its head to its last brace */
	bool counted;		/* what follows is known */
	long start, step;
};

/* Finds the innermost for loop around both lines whose variable is known by
 * name. Returns false if there is none. */
bool source_loop_find(const struct trace_info *info, uint32_t line,
		      uint32_t other, struct source_loop *out);

#endif
