/*
 * program_out: what a program did, from the summary that its recorder sends
 * (protocol.h), for people.
 */
#ifndef CLI_PROGRAM_OUT_H
#define CLI_PROGRAM_OUT_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/* Prints how the program ended, its output, its launches and what is wrong with
 * it. Each line of its output begins with "| ", so that it cannot be taken for
 * one of these. */
void program_print(const json_t *summary, const char *file, FILE *out);
/* EXIT_CHECK if something is wrong with the program, else EXIT_DONE. */
int program_status(const json_t *summary);

/* One of its "problems": whether it is a fault, and in words, which the caller
 * frees. */
bool program_is_fault(const json_t *problem);
char *program_problem_words(const json_t *problem);
/* How it ended, in words, which the caller frees. */
char *program_end_words(const json_t *summary);

#endif
