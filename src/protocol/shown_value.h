/*
 * shown_value: the value of a constant expression in a user's text, as far as
 * the text shows it: numbers, macros, variables that are initialised with such
 * expressions, dim3. Nothing is compiled.
 */
#ifndef PROTOCOL_SHOWN_VALUE_H
#define PROTOCOL_SHOWN_VALUE_H

#include "base/cpp_words.h"
#include "kernels/problem.h"
#include "protocol/job.h"

struct shown_macro {
	struct cpp_word name, parameters[8];
	bool function;
	size_t parameter_count, body_count;
	struct cpp_word *body;
};

struct shown_text {
	const char *name;		/* of the file or header */
	struct cpp_word *words;		/* directives are one word each */
	size_t count;
	struct shown_macro *macros;
	size_t macro_count, macro_capacity;
};

/* A kernel's text, and behind it its headers. */
struct shown_texts {
	struct shown_text *list;
	size_t count;
	const struct job_defines *defines;	/* -D */
	const struct problem_sizes *size;	/* what local M, N, K are */
	/* Where the expression stands: variables are looked for before it. */
	const struct shown_text *here;
	size_t at;
	char unknown[64];	/* the first name whose value is not shown */
	bool sized;		/* M, N or K were taken from `size` */
};

void shown_texts_init(struct shown_texts *t, const struct job *job);
void shown_texts_done(struct shown_texts *t);

/* Computes the value of the words from..until; false when the text does not
 * show it. */
bool shown_value(struct shown_texts *t, const struct cpp_word *w, size_t from,
		 size_t until, int64_t *out);
/* Computes a dim3, or an expression that makes one. */
bool shown_dims(struct shown_texts *t, const struct cpp_word *w, size_t from,
		size_t until, struct trace_dim *out);
/* Returns the word after the argument that begins at i: a comma of this level,
 * or `until`. */
size_t shown_argument_end(const struct cpp_word *w, size_t i, size_t until);

#endif
