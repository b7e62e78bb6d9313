/* program_out: prints what a program did, from the summary that its recorder
 * sends (protocol.h). */
#ifndef CLI_PROGRAM_OUT_H
#define CLI_PROGRAM_OUT_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/* Prints the program's output, how it ended, its launches and its problems.
 * `shown` bytes of the output were printed while it ran. */
void program_print(const json_t *summary, const char *file, size_t shown,
		   FILE *out);
/* Prints more of its output, the first of it below a heading. Each line begins
 * with "| ", so that it cannot be taken for one of ours. */
void program_output_print(const char *text, const char *file, bool first,
			  FILE *out);
/* Returns EXIT_CHECK if something is wrong with the program, else EXIT_DONE. */
int program_status(const json_t *summary);

/* Return whether one of the summary's "problems" is a fault, and its
 * description, which the caller frees. */
bool program_is_fault(const json_t *problem);
char *program_problem_words(const json_t *problem);
/* Adds a launch's grid or block, such as "16x16". */
void program_dims_add(struct str *s, const json_t *dims);
/* Describes how the program ended; the caller frees it. */
char *program_end_words(const json_t *summary);
/* Returns whether the program ended by itself; and with status 0. */
bool program_ended(const json_t *summary);
/* Returns whether the program ended with status 0 and tried no launch. */
bool program_launches_nothing(const json_t *summary);
bool program_succeeded(const json_t *summary);
/* Returns whether the program, or one of its launches, was ended at one of the
 * recorder's limits: of time, of events or of memory. */
bool program_was_cut(const json_t *summary);

#endif
