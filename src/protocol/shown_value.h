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

/* Names of variables in the launch's function, with values that replace what
 * the text shows. */
#define SHOWN_NAMES 16
struct shown_names {
	struct shown_name {
		char name[64];
		int64_t value;
	} list[SHOWN_NAMES];
	size_t count;
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
	/* SIZE_* bits: those of M, N and K that the text's own values, where it
	 * shows them, stand before. */
	uint32_t literal;
	const struct shown_names *set;		/* or NULL */
	/* Where the expression stands: variables are looked for before it. */
	const struct shown_text *here;
	size_t at;
	char unknown[64];	/* the first name whose value is not shown */
	bool sized;		/* M, N or K were taken from `size` */
	/* A dimension of a grid or a block is known, and below 1. */
	bool none;
};

void shown_texts_init(struct shown_texts *t, const struct job *job);
void shown_texts_done(struct shown_texts *t);

/* Computes the value of the words from..until; false when the text does not
 * show it. */
bool shown_value(struct shown_texts *t, const struct cpp_word *w, size_t from,
		 size_t until, int64_t *out);
/* Computes the same as a real. */
bool shown_real(struct shown_texts *t, const struct cpp_word *w, size_t from,
		size_t until, double *out);
/* Copies the name to `to`, of 64 bytes, and returns true if the words are just
 * the name of a variable or parameter of the launch's function, which another
 * value may take the place of. */
bool shown_is_local(const struct shown_texts *t, const struct cpp_word *w,
		    size_t from, size_t until, char *to);
/* Computes a dim3, or an expression that makes one. */
bool shown_dims(struct shown_texts *t, const struct cpp_word *w, size_t from,
		size_t until, struct trace_dim *out);
/* Returns the word after the argument that begins at i: a comma of this level,
 * or `until`. */
size_t shown_argument_end(const struct cpp_word *w, size_t i, size_t until);

#endif
