/*
 * user_defines: what -D means for a reader's own text. A compiler would let a
 * #define of the text have the last word; readers who ask for TILE=8 want 8.
 */
#ifndef RECORD_USER_DEFINES_H
#define RECORD_USER_DEFINES_H

#include "base/base.h"
#include "trace/trace.h"

/*
 * Blanks the text's own definitions of macros that are given; lines and
 * columns stay. -1 with e (EXIT_USAGE), naming the line, where a name is no
 * macro that can be given: the text has no such word, declares it as a
 * constant, or as a macro with parameters.
 */
int user_defines_apply(char *text, const char *file,
		       const struct trace_define *defines, size_t count,
		       struct error *e);

#endif
