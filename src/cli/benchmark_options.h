/*
 * benchmark_options: turns command-line arguments into a benchmark: kernels,
 * sizes, how long, and who runs it.
 */
#ifndef CLI_BENCHMARK_OPTIONS_H
#define CLI_BENCHMARK_OPTIONS_H

#include "cli/command.h"
#include "timing/benchmark.h"

/* Options of a benchmark, besides -D. */
enum benchmark_option {
	BENCHMARK_SIZE = 1100, BENCHMARK_REPEAT, BENCHMARK_SECONDS,
	BENCHMARK_FROM, BENCHMARK_RUNNER, BENCHMARK_BLOCK, BENCHMARK_GRID,
	BENCHMARK_SHARED, BENCHMARK_ENTRY,
};
extern const struct option_def benchmark_option_defs[];

struct benchmark_options {
	struct benchmark_plan plan;	/* not completed */
	struct job_kernel own;	/* options of files: -D, --block, --grid, ... */
	bool shared;		/* --shared was given */
	const char *entry;	/* a file's kernel */
	char **runner;		/* NULL: gemmviz-gpu */
	const char *from;	/* a recorded file, or NULL */
};

void benchmark_options_init(struct benchmark_options *l);
void benchmark_options_done(struct benchmark_options *l);
/* Applies one option; -1 with e (EXIT_USAGE): its value is not valid. */
int benchmark_option(struct benchmark_options *l, int option, const char *value,
		     struct error *e);
/* Adds the kernels and files named after the options; -D applies to files, and
 * to kernels that have the name as a parameter. Without --runner it is the one
 * that the reader has set. */
int benchmark_options_kernels(struct benchmark_options *l, char **words,
			      int count, struct error *e);

#endif
