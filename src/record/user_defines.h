/*
 * user_defines: what -D means for a reader's own text. To a compiler, a #define
 * in the text would override it; a reader who asks for TILE=8 wants 8.
 */
#ifndef RECORD_USER_DEFINES_H
#define RECORD_USER_DEFINES_H

#include "base/base.h"
#include "trace/trace.h"

/*
 * Blanks the text's own definitions of the macros that -D gives; lines and
 * columns stay the same. -1 with e (EXIT_USAGE), naming the line, if a name is
 * not a macro that can be given: it does not occur in the text, or the text
 * declares it as a constant or as a macro with parameters.
 */
int user_defines_apply(char *text, const char *file,
		       const struct trace_define *defines, size_t count,
		       struct error *e);

#endif
