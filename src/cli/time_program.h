/* time_program: gemmviz time for a file with a main(): times each launch that
 * the program makes on the GPU, with the data of that moment. */
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

/* Returns whether the first word is such a file, and no option describes a
 * launch. */
bool time_is_program(const struct benchmark_options *o, char **words,
		     int count);
/* Runs and times the program; further words are more files and the program's
 * arguments. Returns an exit status. */
int time_program(const struct time_program *p, char **words, int count);

#endif
