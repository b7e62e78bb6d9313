/*
 * launch: one launch of one kernel on the CPU, from the request to the trace.
 */
#ifndef EMU_LAUNCH_H
#define EMU_LAUNCH_H

#include <jansson.h>

#include "record/inferred_sizes.h"
#include "record/kernel_text.h"
#include "emu/launch_stub.h"
#include "emu/module/module.h"
#include "emu/parallel_record.h"

/* Why a launch stopped early. */
enum launch_stop { STOP_NONE, STOP_EVENTS, STOP_MEMORY, STOP_STEPS,
		   STOP_SECONDS, STOP_ENDLESS, STOP_IDLE, STOP_GONE };

/* Events that a launch of a program may have recorded before it stops recording
 * further blocks; the launch's own limit counts as well. */
#define CALL_EVENTS 30000000

enum launch_stage { STAGE_LOAD, STAGE_RUN };

/* A kernel ready to be launched, and how; kept for "locals" jobs. */
struct launch {
	/* Called before a module that was compiled is loaded, and before any of
	 * a module's code is to run; NULL: nothing is. -1 with e: it must
	 * not. */
	int (*confine)(const struct launch *l, enum launch_stage stage,
		       struct error *e);
	struct plan plan;
	struct module *module;
	struct kernel_text user_text;	/* without its host code */
	const struct debug_function *entry;
	struct argument arguments[ARGUMENTS_MOST];
	size_t argument_count;
	struct inferred_sizes assumed;	/* arrays that have grown */
	bool may_grow;		/* M, N and K may be enlarged */
	bool faulty;		/* the recording has a fault */
	bool only_findings;	/* no requests are written */
	/* What the kernel was found to compute, rightly; NULL: nothing. */
	const struct problem *computes;
	const struct problem_form *form;	/* in which form; or NULL */
	off_t first_bytes;	/* of the trace of the first size; 0: the only */
	struct array *array[ARGUMENT_ARRAYS];	/* NULL: the kernel has none */
	/* The tensor_map parameters; see cuda/ptx.h. */
	struct tensor {
		const struct array *matrix;
		unsigned char bytes[120];
	} tensors[ARGUMENTS_MOST];
	struct debug_var dynamic_shared;	/* with the launch's size */
	enum launch_stop stop;
	/* Of a program: the call as its host made it, and for the code with
	 * hooks; how many words of it may be on the stack; the kernel's code
	 * with hooks and without. NULL: the arguments are those above. */
	const struct stub_call *fast_call, *call;
	size_t stack_words;
	uintptr_t code, fast_code;
	const struct module *host;	/* without hooks */
	struct trace_dim cluster;	/* x 0: as the kernel says */
	/* All blocks are there at once; its chosen blocks are recorded. */
	bool cooperative, records;
};

/* Prepares a launch for a job, whose contents it takes over: finds or compiles
 * the kernel and checks the launch. Call once per process. -1 with e. */
int launch_from_job(struct launch *l, struct job *job, struct error *e);
/* Runs the launch and writes the trace to fd. A second size's, without requests,
 * follows it if the job wants one, after first_bytes. -1 with e, also for
 * STOP_GONE. */
int launch_record(struct launch *l, int fd, struct error *e);
/*
 * Records a launch that a program makes. Blocks that are not to be recorded are
 * run as well. Without `record` a trace is written only if something is found.
 * With `kept` the trace is not finished but left there, for its end to be
 * written later. Returns 1 if there is a trace, else 0; -1 with e.
 */
struct launch_kept { struct trace_writer *writer; struct trace_info info; };
int launch_record_call(struct launch *l, bool record, int fd,
		       struct launch_kept *kept, struct error *e);
/* Returns the members of the answer to a "locals" job; NULL with e. */
json_t *launch_locals(struct launch *l, const struct job *job,
		      struct error *e);

/* ---- between launch.c, bind.c, scheduler.c and locals.c ---- */

/* Makes the arrays with their contents, and the arguments (bind.c). */
int launch_bind(struct launch *l, struct error *e);
/* Makes the block's shared memory. */
int launch_shared_make(struct launch *l, struct error *e);
/* Splits the recorded text into rec.lines, which it replaces (launch.c). */
void launch_text_lines(const char *text);
/* Puts arguments where a call passes them; those that do not fit into registers
 * go to the stack. */
void launch_registers(const struct argument *arguments, size_t count,
		      struct stub_call *c, uint64_t *stack);
/* Calls the kernel in the running fibre. */
void launch_call(const struct launch *l);
/* Checks the use of shared memory; -1 with e: the kernel has used shared memory
 * that the launch does not give, or more than there is. */
int launch_shared_check(const struct launch *l, struct error *e);
/* Copies the array of an argument, for answer.h; NULL with e. */
void *launch_fetch(void *launch, int argument, struct error *e);

/* Prepares the recorder for a run (scheduler.c). */
int block_begin(struct launch *l, struct error *e);
/* Runs all threads of the cluster whose first block this is. Afterwards the
 * threads of the blocks whose bit is set in `record` hold their events. */
void cluster_run(uint32_t first, uint32_t record);
/* Starts the first thread of the first block, and leaves it. */
void block_peek(void);
/* Makes this block of the cluster the current one. */
void block_use(uint32_t rank);
/* Adds the findings of a run that was stopped. */
void block_stopped(struct launch *l);
/*
 * By when the kernel or the program that runs in each of the worker's processes
 * must have ended (budget.c), in seconds of seconds_now(); 0: none runs. A
 * process that waits in the system, or has left its stack, never gets to where
 * it would stop itself: another process reads this, and kills it.
 */
struct run_deadlines {
	volatile uint32_t processes;
	volatile double at[PARTS_MOST];
};
void budget_watch(struct run_deadlines *where);
/* Sets how many processes of `at` count; what others have written there does
 * not. */
void budget_processes(uint32_t count);
/* Sets by when this process must have ended; returns what was set before. */
double budget_due(double t);
/* Installs handlers for a kernel's crashes; once. */
void block_signals(void);

#endif
