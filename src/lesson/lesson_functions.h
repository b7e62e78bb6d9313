/* lesson_functions: the functions that a lesson's expressions can call. */
#ifndef LESSON_LESSON_FUNCTIONS_H
#define LESSON_LESSON_FUNCTIONS_H

#include "lesson/lesson.h"
#include "analysis/report.h"

/* Where an expression is evaluated: in this trace, at this request. */
struct standing {
	struct trace *trace;
	const struct trace_info *info;
	struct lesson_traces *traces;
	size_t record;	/* index of the record that the trace is of */
	size_t warp;
	uint32_t request, phase, lane;
	uint32_t turn;	/* of the program's work */
};

/* Gets the value of a name: a number drawn for the question, one of the launch,
 * or a define. Returns -1 with e if there is none. */
int lesson_name(const struct standing *s, const char *name, struct value *out,
		struct error *e);

/* Returns the coordinates of a linear index. */
struct trace_dim lesson_dim(struct trace_dim size, uint32_t linear);

/* Returns the report of the whole trace, computed once. NULL with e: the trace
 * is corrupt. */
const struct report *lesson_report(struct standing *s, struct error *e);

/* Finds the function's number in the table. Returns -1 with e and a
 * suggestion. */
int lesson_function_find(const char *name, struct error *e);
/* Returns whether the function takes a trace, which its first argument may
 * name. */
bool lesson_function_traced(int function);
/* Calls a function; args are the arguments after an alias. */
int lesson_function_call(int function, struct standing *s,
			 const struct value *args, size_t count,
			 struct value *out, struct error *e);

#endif
