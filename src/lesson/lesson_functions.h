/*
 * lesson_functions: what a lesson's expressions can ask a trace.
 */
#ifndef LESSON_LESSON_FUNCTIONS_H
#define LESSON_LESSON_FUNCTIONS_H

#include "lesson/lesson.h"
#include "analysis/report.h"

/* Where an expression stands: in this trace, at this request. */
struct standing {
	struct trace *trace;
	const struct trace_info *info;
	struct lesson_traces *traces;
	size_t record;			/* whose trace it is */
	size_t warp;
	uint32_t request, phase, lane;
};

/* Coordinates of a linear index. */
struct trace_dim lesson_dim(struct trace_dim size, uint32_t linear);

/* The whole trace counted, once. NULL with e when the trace is bad. */
const struct report *lesson_report(struct standing *s, struct error *e);

/* The function's number in the table, or -1 with e and a suggestion. */
int lesson_function_find(const char *name, struct error *e);
/* It asks a recorded race; its arguments name kernels, not a trace. */
bool lesson_function_races(int function);
/* args are those behind an alias. */
int lesson_function_call(int function, struct standing *s,
			 const struct value *args, size_t count,
			 struct value *out, struct error *e);

#endif
