/*
 * launch_options: from the command line's words to a trace: a kernel of the
 * table or a file's, its sizes and filters, recorded by a recorder; or a .gvt
 * opened.
 */
#ifndef CLI_LAUNCH_OPTIONS_H
#define CLI_LAUNCH_OPTIONS_H

#include "cli/command.h"
#include "reader/session.h"

/* Options of a launch, beside the letters m, n, k and D. */
enum launch_option {
	LAUNCH_ON = 1000, LAUNCH_BLOCKS, LAUNCH_WARPS, LAUNCH_SPACES,
	LAUNCH_EVENTS, LAUNCH_SECONDS, LAUNCH_ORDER, LAUNCH_SEED,
	LAUNCH_NO_VALUES, LAUNCH_RUNNER, LAUNCH_ENTRY, LAUNCH_BLOCK,
	LAUNCH_GRID, LAUNCH_SHARED, LAUNCH_OPTIMIZED, LAUNCH_PROBLEM,
	LAUNCH_ARG, LAUNCH_ARRAY, LAUNCH_VALUES,
};
extern const struct option_def launch_option_defs[];

struct launch_options {
	struct job job;		/* to record, so far */
	char **runner;		/* NULL: gemmviz-emu */
	const char *on;		/* "cpu", "gpu" when it was said, else NULL */
	char *entry;
};

void launch_options_init(struct launch_options *l);
void launch_options_done(struct launch_options *l);
/* Takes one option; -1 with e (EXIT_USAGE) when its value is none. */
int launch_option(struct launch_options *l, int option, const char *value,
		  struct error *e);
/* The trace of KERNEL, FILE.cu or F.gvt; NULL with e. */
struct trace *launch_trace(struct launch_options *l, const char *what,
			   struct error *e);

/* Sets the runner that --on asks for, unless one was given. -1 with e. */
int launch_runner_choose(struct launch_options *l, struct error *e);
/* Sizes such as 16x16; -1 with e, which names the option, when they are
 * none. */
int launch_dims(struct trace_dim *to, const char *value, const char *option,
		struct error *e);
/* NAME=VALUE. */
int launch_define(struct job_defines *d, const char *value, struct error *e);

/* The runner on this machine's GPU; NULL with e (EXIT_GPU): not built. */
char **launch_gpu(struct error *e);

/* What the GPU's counters say of a launch such as the trace's: an object as
 * in src/gpu/counters.h; NULL with e. */
json_t *launch_counters(struct launch_options *l, const struct trace_info *i,
			struct error *e);

/* A command as an argument vector, as a shell would split plain words and
 * quotes; NULL with e. Freed with launch_runner_free. */
char **launch_runner(const char *command, struct error *e);
void launch_runner_free(char **argv);

#endif
