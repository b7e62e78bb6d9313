/*
 * launch_race: from the command line's words to a race: kernels, sizes, how
 * long, and who runs it.
 */
#ifndef LAUNCH_RACE_H
#define LAUNCH_RACE_H

#include <getopt.h>

#include "timing/benchmark.h"

/* Option values for getopt_long, beyond launch.h's. */
enum launch_race_option {
	RACE_SIZE = 1100, RACE_REPEAT, RACE_SECONDS, RACE_FROM, RACE_RUNNER,
	RACE_BLOCK, RACE_GRID, RACE_SHARED, RACE_ENTRY,
};
#define LAUNCH_RACE_SHORT "D:"
#define LAUNCH_RACE_LONG \
	{ "size", required_argument, NULL, RACE_SIZE }, \
	{ "repeat", required_argument, NULL, RACE_REPEAT }, \
	{ "seconds", required_argument, NULL, RACE_SECONDS }, \
	{ "from", required_argument, NULL, RACE_FROM }, \
	{ "runner", required_argument, NULL, RACE_RUNNER }, \
	{ "block", required_argument, NULL, RACE_BLOCK }, \
	{ "grid", required_argument, NULL, RACE_GRID }, \
	{ "shared", required_argument, NULL, RACE_SHARED }, \
	{ "entry", required_argument, NULL, RACE_ENTRY }

struct launch_race {
	struct race_plan plan;	/* not completed */
	json_t *defines;	/* of -D */
	json_t *shape;		/* of a file's launch: "block", "grid", ... */
	const char *entry;	/* of a file */
	char **runner;		/* NULL: gemmviz-gpu */
	const char *from;	/* a recorded file, or NULL */
};

void launch_race_init(struct launch_race *l);
void launch_race_done(struct launch_race *l);
/* Takes one option; -1 with e (EXIT_USAGE) when its value is none. */
int launch_race_option(struct launch_race *l, int option, const char *value,
		       struct error *e);
/* The kernels and files behind the options; -D holds for files, and for
 * kernels that have the name. */
int launch_race_kernels(struct launch_race *l, char **words, int count,
			struct error *e);
/* The options' part of a --help. */
const char *launch_race_help(void);

#endif
