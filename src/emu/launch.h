/*
 * launch: one launch of one kernel on the CPU, from the request to the trace.
 */
#ifndef EMU_LAUNCH_H
#define EMU_LAUNCH_H

#include <jansson.h>

#include "../kernels/kernels.h"
#include "module.h"
#include "request.h"

#define LAUNCH_ARGUMENTS 16

/* Why a launch ended before its end. */
enum launch_stop { STOP_NONE, STOP_EVENTS, STOP_MEMORY, STOP_STEPS,
		   STOP_SECONDS, STOP_GONE };

/* A kernel that can be launched, and how; stays for `locals`. */
struct launch {
	struct request request;
	const struct kernel *kernel;	/* NULL: the reader's own text */
	char *text;
	size_t length;
	struct module *module;
	char *module_key;	/* what it was made from */
	const struct debug_function *entry;
	struct trace_dim grid, block;
	uint64_t arguments[LAUNCH_ARGUMENTS];
	struct array *array[3];	/* A, B, C; NULL: the kernel has none */
	enum launch_stop stop;
};

/* How a caller learns how far it is; false ends the launch (STOP_GONE). */
typedef bool (*launch_progress)(uint64_t events, uint64_t blocks,
				uint64_t of);

/*
 * Takes the request over, finds or compiles the kernel, checks the launch.
 * A launch can be prepared again for another request; a module that is the
 * same is kept.
 */
int launch_prepare(struct launch *l, struct request *r, struct error *e);
/* Runs it and writes the trace to fd. STOP_GONE: -1. */
int launch_record(struct launch *l, int fd, launch_progress progress,
		  struct error *e);
/* The answer to a locals request, without "id"; NULL with e. */
json_t *launch_locals(struct launch *l, const struct request *r,
		      launch_progress progress, struct error *e);
void launch_done(struct launch *l);

/* ---- between launch.c, bind.c, block.c and locals.c ---- */

/* Arrays with their contents, and the arguments; bind.c. */
int launch_bind(struct launch *l, struct error *e);
/* Calls the kernel in the running fibre. */
void launch_call(const struct launch *l);
/* Compares C with a float64 reference; adds a finding. */
void launch_compare(const struct launch *l);

/* Makes the recorder ready for a run; block.c. */
int block_begin(struct launch *l, launch_progress progress, struct error *e);
/* Runs all threads of one block. The threads hold their events after it. */
void block_run(struct launch *l, uint32_t block);
/* The findings of a run that was stopped. */
void block_stopped(struct launch *l);
/* Catches a kernel's crashes; once. */
void block_signals(void);

#endif
