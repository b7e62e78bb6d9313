/*
 * user_defines: applies -D to a user's own text. To a compiler, a #define in
 * the text would override it; a user who asks for TILE=8 wants 8.
 */
#ifndef RECORD_USER_DEFINES_H
#define RECORD_USER_DEFINES_H

#include "base/base.h"
#include "trace/trace.h"

/* A text and its name, for messages. */
struct user_text { char *text; const char *file; };

/*
 * Blanks the texts' own definitions of the macros that -D gives; lines and
 * columns stay the same. -1 with e (EXIT_USAGE), naming the line, if a name is
 * not a macro that can be given: it occurs in none of the texts, or one
 * declares it as a constant or as a macro with parameters.
 */
int user_defines_apply(const struct user_text *texts, size_t text_count,
		       const struct trace_define *defines, size_t count,
		       struct error *e);

#endif
