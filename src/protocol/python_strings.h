/*
 * python_strings: reads the string literals of a Python text, which is never
 * executed.
 */
#ifndef PROTOCOL_PYTHON_STRINGS_H
#define PROTOCOL_PYTHON_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct python_string {
	size_t from, to;	/* bytes of the contents in the Python text */
	unsigned line;		/* of the opening quote, from 1 */
	bool raw, bytes;	/* its prefix has an r, a b */
	/* What Python makes of it is known only when it runs: */
	bool formatted;		/* its prefix has an f or a t */
	bool joined;		/* other strings are added to it */
	bool changed;		/* a method or % replaces parts of it */
	bool open;		/* its closing quotes are missing */
};

struct python_strings {
	struct python_string *list;
	size_t count, capacity;
};

/* Fills *s with the literals of a text, in order, whatever its bytes are;
 * adjacent literals, which Python joins, are one each. A line ends with \n. */
void python_strings_read(struct python_strings *s, const char *text,
			 size_t length);
void python_strings_done(struct python_strings *s);

/*
 * Returns the literal's value, heap, with a line for each of its lines in
 * Python. Returns NULL with e, a reason after `file` and the line (EXIT_USAGE),
 * for a literal whose value Python makes when it runs, or that has an escape
 * that cannot be taken. An escape \n within a line becomes a blank, so that no
 * line gets another number; where CUDA needs the newline, the literal is
 * refused.
 */
char *python_string_value(const char *text, const struct python_string *s,
			  const char *file, struct error *e);
/* Returns the value where it stands in its Python text, with empty lines and
 * blanks before it; heap. */
char *python_string_place(const char *text, const struct python_string *s,
			  const char *value);

#endif
