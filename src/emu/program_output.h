/*
 * program_output: what a program writes to its standard output and error: a
 * file in memory, which the program's process fills and the one that speaks the
 * protocol reads meanwhile.
 */
#ifndef EMU_PROGRAM_OUTPUT_H
#define EMU_PROGRAM_OUTPUT_H

#include <jansson.h>
#include <sys/types.h>

#include "base/base.h"

/* The file; -1 with e. */
int program_output_new(struct error *e);
/* From now on this process writes there. */
void program_output_begin(int file);
/* The whole lines that came since *told, which goes on; NULL: none, or all that
 * is told of a program was. The caller frees it. */
char *program_output_lines(int file, off_t *told);
/* All of it, as far as it is told, into the summary (protocol.h). */
void program_output_end(int file, json_t *summary);

#endif
