/*
 * time_program: gemmviz time of a file with a main(): the launches that the
 * program makes, each timed on the GPU with what it works on there.
 */
#ifndef CLI_TIME_PROGRAM_H
#define CLI_TIME_PROGRAM_H

#include "cli/benchmark_options.h"
#include "cli/launch_options.h"

struct time_program {
	const struct benchmark_options *options;
	struct launch_options *launch;	/* -I, --std and the like */
	const char *output;		/* a file for the JSON, or NULL */
	bool force, json;
};

/* Whether the first word is such a file, and no option describes a launch. */
bool time_is_program(const struct benchmark_options *o, char **words,
		     int count);
/* Times it; behind the file stand more files and the program's arguments. The
 * status to end with. */
int time_program(const struct time_program *p, char **words, int count);

#endif
