/*
 * launch_options: turns command-line arguments into a trace: a kernel of the
 * table or of a file, with its sizes and filters, recorded by a recorder; or a
 * .gvt file that is opened.
 */
#ifndef CLI_LAUNCH_OPTIONS_H
#define CLI_LAUNCH_OPTIONS_H

#include "analysis/advice.h"
#include "analysis/verdict.h"
#include "cli/command.h"
#include "app/session.h"

/* Options of a launch, besides -m, -n, -k and -D. */
enum launch_option {
	LAUNCH_ON = 1000, LAUNCH_BLOCKS, LAUNCH_WARPS, LAUNCH_SPACES,
	LAUNCH_EVENTS, LAUNCH_SECONDS, LAUNCH_ORDER, LAUNCH_SEED,
	LAUNCH_NO_VALUES, LAUNCH_RUNNER, LAUNCH_ENTRY, LAUNCH_BLOCK,
	LAUNCH_GRID, LAUNCH_SHARED, LAUNCH_OPTIMIZED, LAUNCH_PROBLEM,
	LAUNCH_ARG, LAUNCH_ARRAY, LAUNCH_VALUES, LAUNCH_TIMEOUT, LAUNCH_MEMORY,
	LAUNCH_UNCONFINED, LAUNCH_NO_CACHE, LAUNCH_SAMPLE, LAUNCH_SIZES,
	/* program_options.h */
	LAUNCH_NUMBER, LAUNCH_KERNEL_ONLY, LAUNCH_WRITE, LAUNCH_STANDARD,
	LAUNCH_ARCH, LAUNCH_DEVICES,
};
extern const struct option_def launch_option_defs[];

struct early_machine;

struct launch_options {
	struct job job;		/* the job to record, as far as it is known */
	char **runner;		/* NULL: gemmviz-emu */
	const char *on;		/* "cpu" or "gpu", if given; else NULL */
	char *entry;
	bool all_sizes;		/* a second size is tried, where none is given */
	bool multiples;		/* sizes are meant to be multiples of a tile */
	struct trace *second;	/* of a second size, without requests, or NULL */
	bool shown;		/* sizes that were not given are kernel_shown() */
	bool kernel_only;	/* a FILE.cu is not run as a program */
	bool must_run;		/* it must be one */
	bool on_screen;		/* nothing is printed on standard error */
	/* Values are not shown: they are recorded only for a reader's kernel,
	 * if checking its result (runner/audit.h) costs little. */
	bool figures;
	bool machine;		/* it is compiled as well */
	struct early_machine *early;	/* launch_machine.h; NULL: not yet */
	/* For a program that was run: its summary (protocol.h), and the traces
	 * of its launches, the first of which launch_trace() returned. */
	json_t *program;
	FILE *output;		/* gets what it writes as it comes; NULL: none */
	size_t output_shown;	/* bytes that it got */
	uint32_t at_launch;	/* to which advice is about; 0: none is tried */
	struct trace **traces;
	size_t trace_count;
	/* For a program that our recorder refused: the only file or folder that
	 * has what it lacks (runner/question.h); NULL: not known. */
	json_t *adds;
	/* Sentences: which files of the program's own folder were taken
	 * without being named; NULL: none. They are printed to taken_out, or,
	 * if that is NULL, are the member "taken" of the command's JSON. */
	json_t *taken;
	FILE *taken_out;
};

void launch_options_init(struct launch_options *l);
void launch_options_done(struct launch_options *l);
/* Applies one option; -1 with e (EXIT_USAGE): its value is not valid. */
int launch_option(struct launch_options *l, int option, const char *value,
		  struct error *e);
/* Options as they were given, for launches that are recorded again. */
struct launch_given {
	struct launch_option_given { int id; const char *value; } *list;
	size_t count, capacity;
};
void launch_given_add(struct launch_given *g, int id, const char *value);
int launch_given_apply(const struct launch_given *g, struct launch_options *l,
		       struct error *e);
void launch_given_done(struct launch_given *g);

/* Opens F.gvt as *t; or *t is NULL, and l->job is to record KERNEL or FILE.cu. -1
 * with e. */
int launch_prepare(struct launch_options *l, const char *what,
		   struct trace **t, struct error *e);
/* Prints a note about a text that was decoded as GB18030, or is a cell. */
void launch_say_source(const struct job_kernel *k);
/* The trace of KERNEL, FILE.cu or F.gvt; NULL with e. */
struct trace *launch_trace(struct launch_options *l, const char *what,
			   struct error *e);

/* Takes what is not known of a FILE.cu's launch from one in its text, and says
 * so on standard error. -1 with e: the text has one, but does not show all. */
int launch_suggest(struct launch_options *l, struct error *e);

/* Returns at which sizes the launch was tried that was just recorded. */
struct sizes_tried launch_sizes_tried(const struct launch_options *l);

/* Copies bytes of a file into a temporary file. Returns its descriptor, or -1
 * with e. */
int launch_copy_part(int from, off_t at, int64_t bytes, struct error *e);

/* Adds "taken" to the JSON of a command, which it returns. */
json_t *launch_taken_json(const struct launch_options *l, json_t *o);

/* Records another job by the same runner; NULL with e. */
struct trace *launch_job(const struct launch_options *l, const struct job *job,
			 struct error *e);
/* Finds advice on a trace of launch_trace(). Changes that a program can make
 * are recorded as well. Returns -1 with e. */
int launch_advice(struct launch_options *l, struct trace *t,
		  struct advice_list *out, struct error *e);
/* Records the job. Returns the trace, of a program that of its first recorded
 * launch. NULL with e. */
struct trace *launch_record_job(struct launch_options *l, struct error *e);

/* Sets the runner that --on asks for, unless one was given. -1 with e. */
int launch_runner_choose(struct launch_options *l, struct error *e);
/* Reads sizes such as 16x16; -1 with e, which names the option: they are not
 * valid. */
int launch_dims(struct trace_dim *to, const char *value, const char *option,
		struct error *e);
/* Reads NAME=VALUE; -1 with e. */
int launch_define(struct job_defines *d, const char *value, struct error *e);

/* Returns the command of the runner that is set, else of that for this
 * machine's GPU; NULL with e (EXIT_GPU) if there is neither. */
char **launch_gpu(struct error *e);

/* Gets the GPU's performance counters for a launch like the trace's: an object
 * as in src/gpu/race/counters.h; NULL with e. */
json_t *launch_counters(struct launch_options *l, const struct trace_info *i,
			struct error *e);

/* Splits a command into an argument vector, as a shell does with plain words
 * and quotes; NULL with e. To be freed with launch_runner_free(). */
char **launch_runner(const char *command, struct error *e);
char **launch_runner_copy(char *const *argv);
void launch_runner_free(char **argv);

#endif
