/*
 * commands: what `gemmviz NAME ...` can be. Each gets its own argv (argv[0]
 * is its name) and returns an exit status. main.c's table lists them.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

int cmd_access(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_fragment(int argc, char **argv);
int cmd_lesson(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_provenance(int argc, char **argv);
int cmd_race(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_table(int argc, char **argv);
int cmd_time(int argc, char **argv);
int cmd_view(int argc, char **argv);

/* Says an error on standard error and returns its status. */
int command_failed(const struct error *e);
/* Says what is wrong with the usage of a command; returns EXIT_USAGE. */
int command_usage(const char *command, const char *fmt, ...) PRINTF(2, 3);
/* After the last output: EXIT_OUTPUT when it could not be written. */
int command_flush(int status);
/* Prints a value on a line of its own, or an array with an element a line, and
 * takes it. */
void command_json(json_t *j, FILE *out);
void command_json_lines(json_t *array);
/* Unknown option: names the nearest of those there are. EXIT_USAGE. */
struct option;
int command_option(const char *command, char **argv,
		   const struct option *options);

#endif
