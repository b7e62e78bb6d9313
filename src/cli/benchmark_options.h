/*
 * benchmark_options: from the command line's words to a benchmark: kernels,
 * sizes, how long, and who runs it.
 */
#ifndef CLI_BENCHMARK_OPTIONS_H
#define CLI_BENCHMARK_OPTIONS_H

#include "cli/command.h"
#include "timing/benchmark.h"

/* Options of a benchmark, beside the letter D. */
enum benchmark_option {
	BENCHMARK_SIZE = 1100, BENCHMARK_REPEAT, BENCHMARK_SECONDS,
	BENCHMARK_FROM, BENCHMARK_RUNNER, BENCHMARK_BLOCK, BENCHMARK_GRID,
	BENCHMARK_SHARED, BENCHMARK_ENTRY,
};
extern const struct option_def benchmark_option_defs[];

struct benchmark_options {
	struct benchmark_plan plan;	/* not completed */
	struct job_kernel own;	/* of files: -D, --block, --grid, ... */
	bool shared;		/* --shared was given */
	const char *entry;	/* of a file */
	char **runner;		/* NULL: gemmviz-gpu */
	const char *from;	/* a recorded file, or NULL */
};

void benchmark_options_init(struct benchmark_options *l);
void benchmark_options_done(struct benchmark_options *l);
/* Takes one option; -1 with e (EXIT_USAGE) when its value is none. */
int benchmark_option(struct benchmark_options *l, int option, const char *value,
		     struct error *e);
/* The kernels and files behind the options; -D holds for files, and for
 * kernels that have the name. */
int benchmark_options_kernels(struct benchmark_options *l, char **words,
			      int count, struct error *e);

#endif
