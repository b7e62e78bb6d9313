/*
 * program_output: what a program writes to its standard output and error: a
 * file in memory, which the program's process fills while the process that
 * speaks the protocol reads it.
 */
#ifndef CUDART_PROGRAM_OUTPUT_H
#define CUDART_PROGRAM_OUTPUT_H

#include <jansson.h>
#include <sys/types.h>

#include "base/base.h"

/* Makes the file and returns its descriptor; -1 with e. */
int program_output_new(struct error *e);
/* Makes this process write its output there. */
void program_output_begin(int file);
/* Reads the whole lines that came after *told, and moves that past them; NULL:
 * there are none, or a program's limit was reached. The caller frees them. */
char *program_output_lines(int file, off_t *told);
/* Adds the output, up to its limit, to the summary (protocol.h). */
void program_output_end(int file, json_t *summary);

#endif
