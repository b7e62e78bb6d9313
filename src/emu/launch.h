/*
 * launch: one launch of one kernel on the CPU, from the request to the trace.
 */
#ifndef EMU_LAUNCH_H
#define EMU_LAUNCH_H

#include <jansson.h>

#include "record/arguments.h"
#include "emu/module.h"

/* Why a launch ended before its end. */
enum launch_stop { STOP_NONE, STOP_EVENTS, STOP_MEMORY, STOP_STEPS,
		   STOP_SECONDS, STOP_IDLE, STOP_GONE };

/* A kernel that can be launched, and how; stays for `locals`. */
struct launch {
	struct plan plan;
	struct module *module;
	char *module_key;	/* what it was made from */
	struct strip_host_text user_text;	/* without its host code */
	const struct debug_function *entry;
	struct argument arguments[ARGUMENTS_MOST];
	size_t argument_count;
	struct array *array[PROBLEM_ARRAYS];	/* NULL: the kernel has none */
	/* What a parameter tensor_map is here: see cuda/ptx.h. */
	struct tensor {
		const struct array *matrix;
		unsigned char bytes[120];
	} tensors[ARGUMENTS_MOST];
	struct debug_var dynamic_shared;	/* with the launch's size */
	enum launch_stop stop;
};

/*
 * Takes the request over, finds or compiles the kernel, checks the launch.
 * A launch can be prepared again for another request; a module that is the
 * same is kept.
 */
int launch_prepare(struct launch *l, struct job *job, struct error *e);
/* Runs it and writes the trace to fd. STOP_GONE: -1. */
int launch_record(struct launch *l, int fd, struct error *e);
/* The members of the answer to a locals request; NULL with e. */
json_t *launch_locals(struct launch *l, const struct job *job,
		      struct error *e);
void launch_done(struct launch *l);

/* ---- between launch.c, bind.c, scheduler.c and locals.c ---- */

/* Arrays with their contents, and the arguments; bind.c. */
int launch_bind(struct launch *l, struct error *e);
/* Calls the kernel in the running fibre. */
void launch_call(const struct launch *l);
/* -1 with e: the kernel has used shared memory that the launch does not
 * give. */
int launch_shared_check(const struct launch *l, struct error *e);
/* A copy of the array of an argument, for answer.h. */
void *launch_fetch(void *launch, int argument, struct error *e);

/* Makes the recorder ready for a run; scheduler.c. */
int block_begin(struct launch *l, struct error *e);
/* Runs all threads of a cluster, whose first block this is. The threads of
 * those blocks whose bit is set hold their events after it. */
void cluster_run(uint32_t first, uint32_t record);
/* It is this block's turn. */
void block_use(uint32_t rank);
/* The findings of a run that was stopped. */
void block_stopped(struct launch *l);
/* Catches a kernel's crashes; once. */
void block_signals(void);

#endif
