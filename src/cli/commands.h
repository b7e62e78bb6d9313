/*
 * commands: the commands of `gemmviz NAME ...`, in the order of its --help.
 * Each is a const struct command at the end of a cmd_*.c.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/command.h"

#define COMMANDS(X) \
	X(list) X(drill) X(practice) X(class) X(record) X(run) X(view) X(report) X(check) \
	X(diff) X(watch) X(provenance) X(dump) X(time) \
	X(race) X(calibrate) X(export) X(access) X(occupancy) X(table) X(fragment) \
	X(glossary) X(doctor) X(help)

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARE)
/* gemmviz without a command: the lessons. */
extern const struct command command_lesson;
/* All others. */
extern const struct command *const commands[];
extern const size_t command_count;

/* Finds a command by its name; NULL when there is none. */
const struct command *command_find(const char *name);
/* Prints that there is no such command. Returns EXIT_USAGE. */
int command_unknown(const char *name);
/* Prints the commands' names and summaries. */
void commands_print(void);

#endif
