/*
 * program: a user's program with a main(), run on the CPU. Its text is compiled
 * twice: for the host, where kernels are ordinary fast functions as well, and
 * with the recorder's hooks. The host's main() runs in this process; the CUDA
 * runtime's functions that it calls are those of runtime_*.c. A launch is
 * recorded, or only run, before its call returns.
 */
#ifndef CUDART_PROGRAM_H
#define CUDART_PROGRAM_H

#include <jansson.h>

#include <gemmviz_runtime_types.h>

#include "cudart/device_memory.h"
#include "emu/emu.h"
#include "cudart/host_race.h"
#include "emu/module/symbols.h"

/* How a launch is run: recorded; with the recorder's hooks, for findings alone;
 * as fast as it can. */
enum program_how { HOW_RECORDED, HOW_CHECKED, HOW_FAST, HOW_REFUSED };

/* What <<<>>> says, or the runtime's functions do. */
struct launch_config {
	bool pending;
	struct place at;
	struct trace_dim grid, block;
	uint64_t shared;
	bool cooperative;
	cudaStream_t stream;
	uint32_t device;	/* the one that was current */
	bool astray;		/* the stream is another device's */
	struct trace_dim cluster;	/* x 0: as the kernel says */
};

/* A fault of the program that no kernel shows, or a remark. The kind is a word
 * of the protocol; protocol.h lists them. */
struct program_fault {
	const char *kind;
	struct place at, other;	/* other: where the allocation was made ... */
	char word[96], name[64];
	uint64_t bytes, room;
	uint64_t count;
};

/* A kernel of the program. */
struct program_kernel {
	const struct symbol *symbol;	/* in the host's module */
	const struct debug_function *recorded;
	uint32_t launches, bytes_of_shared;	/* what it may have at most */
	uint32_t bounds;	/* threads of __launch_bounds__; 0: none */
	uint32_t static_shared;	/* bytes of its own __shared__ variables */
	bool waits;	/* its blocks wait for each other */
};

#define TRACES_MOST 64	/* of a program */
/* Of a judged function: as many launches of its first call are recorded, and of
 * others as long as there are fewer than this. */
#define TRACES_COUNTED 48
#define TRACES_SHOWN 16

struct program {
	struct job job;
	const char *file;	/* as messages have it */
	struct module *host, *recorder;
	struct symbols host_symbols, recorder_symbols;
	struct program_kernel *kernels;
	size_t kernel_count, kernel_capacity;
	bool fast;		/* kernels may run without hooks */

	struct launch_config config;
	uint64_t launches, number;	/* of the launch that runs */
	json_t *launch_list, *traces;

	int trace;		/* the file of all traces */
	/* and of the launch that is recorded, after those kept to the end */
	int parts[TRACES_MOST + 1];
	double deadline;
	bool launching;		/* a kernel runs */
	int whiles;		/* of graphs, in each other, that run */
	bool busy;		/* an algorithm of thrust does */
	double checked;		/* seconds that checked launches have taken */

	/* The runtime's state. */
	int error, sticky;	/* cudaError_t */
	struct place error_at;
	const char *error_word;	/* what failed */
	bool failed;		/* a call did, whoever looked */
	int launched;		/* the last launch's */
};
extern struct program program;

/* Compiles, runs and records the job's program; *summary becomes its summary,
 * its traces go to the file `trace`, what it writes to `output`. -1 with e.
 * `confine` is as in struct launch. */
int program_record(struct job *job, int trace, int output, json_t **summary,
		   int (*confine)(const struct launch *l,
				  enum launch_stage stage, struct error *e),
		   struct error *e);

/* ---- between program*.c, runtime*.c and crash.c ---- */

/* Loads the program (program_load.c), which it compiles; -1 with e.
 * program_function() returns the address of a function of its host, or 0. */
int program_load(struct error *e);
uintptr_t program_function(const char *name);
/* Returns the user's name of a file of the program. */
const char *program_file(const char *file);
struct place program_place(const char *file, int line);
/* Returns the line of the host's code that returns to, or is at, this
 * address. */
struct place program_line(uintptr_t address);
/* Makes a fault at a place; `word` is what did it. */
struct program_fault program_fault(const char *kind, struct place at,
				   const char *word);
/* Names the allocation that the fault is about, and the place where it was
 * made, in `other`. */
void program_fault_about(struct program_fault *p, const struct allocation *a);
/* Adds a fault; those of one kind and one place are counted. */
void program_problem(struct program_fault p);
json_t *program_faults_json(void);
json_t *program_place_json(struct place at);	/* null: not known */
json_t *program_dims_json(const struct trace_dim *d); /* [x, y, z] */
/* Stops the program at a place; `why` is a sentence. */
_Noreturn void program_stop(struct place at, const char *why);
/* Stops the program: gemmviz does not support `what`, such as "textures of
 * mipmapped arrays", on the CPU. */
_Noreturn void program_unplayed(struct place at, const char *what);
/* Allocates the thread-local variables of another thread of its host. */
void *program_thread_variables(void);
/* Ends the program: the threads of its host all wait for each other, as the one
 * whose stack is here. */
_Noreturn void program_deadlock(uintptr_t sp);
/* Ends the program: its host waits for what is never done. */
_Noreturn void program_waiting(struct place at);
/* Ends the program by exit() or main(), or by a signal. */
_Noreturn void program_exit(int status);
_Noreturn void program_killed(int signal_number);
/* Ends the program by an access of its host to memory that only kernels may
 * use. */
_Noreturn void program_stray(uintptr_t address, struct place at, bool writes);
/* Ends the program if its time is over. */
void program_due(void);
/* Handles a signal in the host's code. EMU_FAULT_OTHER: it is none of a
 * program's; otherwise the code goes on. */
enum emu_fault program_crash(int signal_number, uintptr_t pc, uintptr_t sp,
			     uintptr_t address, bool writes);
/* Finds the innermost line of the host's code on the stack from..until. */
struct place program_stack_line(uintptr_t from, uintptr_t until);
/* Finds the line where the host's thread is whose stack is here. */
struct place program_here(uintptr_t sp);
/* Finds where a word first stands in the program's text; line 0: nowhere. */
struct place program_word(const char *word, size_t length);
/* Writes the name of an allocation: the first argument of a call on the line
 * that allocates it; "" if that has none. */
void program_name(const struct allocation *a, char *to, size_t bytes);
/* Returns the kernel at an address of the host's module; NULL: there is
 * none. */
struct program_kernel *program_kernel(uintptr_t address);
/* Sets the failure that the next cudaGetLastError() returns, if there is none
 * yet. Returns it. */
int program_fail(int error, struct place at, const char *what);

/* Tests whether the text uses what the call of the function `what` returns: it
 * stores, tests or passes it. False where the text does not tell. */
bool program_uses_status(const char *what, const char *file, int line);

/* Sets a finding's cause for an address in no array of a program: freed memory,
 * another device's, or the host's. */
void program_wild(uintptr_t address, struct trace_finding *f);

/* Ends the traces, after the program (program_launch.c); -1 with e. */
int program_traces_end(struct error *e);
/* Lets the launch that runs wait for what the host does; see pending_launch_wait(). */
bool program_launch_waits(bool (*can_go)(void), uint32_t *line);
/* Runs the kernel that was called, as configured; returns a cudaError_t. */
int program_launch(const struct stub_call *c);
/* Runs a kernel likewise, given the addresses of its arguments, as
 * cudaLaunchKernel() has them. */
int program_launch_pointers(const struct program_kernel *k, void **arguments);

/* Copies the modules' variables: the host's to the recorder's module, and back
 * (program_variables.c), while device memory is open. */
void program_variables_in(void);
void program_variables_out(void);
void program_variables_keep(void);
/* Take what kernels have stored in variables from the host of a judged function,
 * and give it back. */
void program_variables_hide(void);
void program_variables_show(void);
/* Closes their pages again, which others have opened. */
void program_variables_close(void);
/* Returns whether the host has no access to a variable at this address. */
bool program_variable_hidden(uintptr_t address);
/* Returns where the host has the variable that the recorder's module has at an
 * address; 0: it is in no variable. */
uintptr_t program_variable_host(uintptr_t recorder);
/* Returns whether the address is in a variable, of either module. */
bool program_variable_at(uintptr_t address);
/* Replaces addresses of the host's variables by those of the recorder's. */
void program_variable_addresses(uint64_t *words, size_t count);

#endif
