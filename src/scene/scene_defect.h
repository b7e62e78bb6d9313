/*
 * scene_defect: a finding on stage: the threads that take part, what each did,
 * in which order, and to which element.
 *
 * A recorder reports a finding once, for the first thread that it applies to,
 * with the line and the element. Its place in the trace is looked up here: the
 * request at that line in which that lane accesses that element. An event that
 * is not in the trace, such as an access outside an array, comes after the last
 * request of its lane.
 */
#ifndef SCENE_SCENE_DEFECT_H
#define SCENE_SCENE_DEFECT_H

#include "trace/finding.h"

struct defect_actor {
	bool known;
	uint32_t block, thread;		/* linear */
	uint32_t line;			/* 0: unknown */
	enum op op;
	bool found;	/* the trace has the request, and what follows holds */
	size_t warp;
	uint32_t request, lane, phase;
	bool has_value;
	double value;	/* what was moved; NaN: the element was never stored */
};

struct defect {
	const struct trace_finding *finding;	/* NULL: there are none */
	size_t index, count;		/* of all findings of the trace */
	size_t groups;			/* as the report tells them */
	bool here;	/* the request at the cursor is one of the actors' */
	char *sentence;
	struct defect_actor access, other;
	bool other_first;		/* in the order of events */
	const struct trace_array *array;	/* NULL: none */
	/* The element in the array as a matrix; outside: beyond its end. */
	int64_t row, col;
	bool outside;
	char element[96];		/* "Bs[1][0]" */
};

/* A request of the cursor's warp to which a finding applies. */
struct defect_mark { uint32_t request; size_t finding; };

#endif
