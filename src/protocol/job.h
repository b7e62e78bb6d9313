/*
 * job: a request of the interface to a recorder, as plain data. One end of the
 * pipe writes a job as a message, the other end reads and checks it. protocol.h
 * describes the members of the message.
 */
#ifndef PROTOCOL_JOB_H
#define PROTOCOL_JOB_H

#include <jansson.h>

#include "base/base.h"
#include "kernels/problem.h"
#include "trace/trace.h"
#include "trace/device_work.h"

enum job_kind { JOB_RECORD, JOB_LOCALS, JOB_TIME,
		JOB_PAUSE, JOB_CANCEL, JOB_COUNTERS, JOB_CALIBRATE,
		JOB_LAUNCHES, JOB_MACHINE, JOB_TOOLS };
enum job_order { ORDER_FORWARD, ORDER_REVERSE, ORDER_SHUFFLE };

#define SIZE_MAX_MNK 1048576
/* Accesses that one job asks the locals of. */
#define LOCALS_MAX 1000000
/* Bytes of shared memory of a block: sm_90's, the most so far; what a kernel may
 * declare itself, or a launch give it that has not asked for more. */
#define SHARED_MOST (227u << 10)
#define SHARED_USUAL (48u << 10)
#define EVENTS_DEFAULT 500000000
#define SECONDS_DEFAULT 60.0
#define TIMEOUT_DEFAULT 60.0
/* Of memory, in MB: what a file may take, and the most that it may be given. */
#define MEMORY_DEFAULT 4096
#define MEMORY_MAX (1 << 24)

/* A list of NAME=VALUE macros for the compiler, in the order in which they were
 * given. */
struct job_defines {
	struct trace_define *list;
	size_t count;
};
/* Sets the value of a name, which is added if it is missing. */
void job_define(struct job_defines *d, const char *name, const char *value);
/* Returns the value of a name, or NULL. `defines` is a struct job_defines,
 * passed as kernel_values() passes it on. */
const char *job_defined(const void *defines, const char *name);
/* Adds all definitions of `others` to d. */
void job_defines_add(struct job_defines *d, const struct job_defines *others);
struct job_defines job_defines_copy(const struct job_defines *d);
void job_defines_done(struct job_defines *d);
/* The list as a JSON object. */
json_t *job_defines_members(const struct job_defines *d);

/* A reader's file with a main(), to be run as a program: its launches are
 * recorded as it makes them. */
#define PROGRAM_PATHS_MOST 64	/* names of each of its lists */
/* Of a function that is judged: its arguments, and the bytes of one array. */
#define JUDGED_ARGUMENTS_MOST 12
#define JUDGED_BYTES_MOST (1 << 20)
struct job_program {
	bool run;
	/* The program's own arguments, in order; lists of names and "". */
	struct trace_define *arguments;
	size_t argument_count;
	/* More files of the program, among the headers. */
	struct job_defines files;
	/* Where it runs, on the recorder's machine, and what of it it may
	 * read; folders that it may write to. */
	char *folder;
	struct job_defines readable, writable;
	uint32_t launch;	/* to record, from 1; 0: the first of each kernel */
	uint32_t devices;	/* that it is told of; 0: one */
	char *standard;		/* of C++: "c++17", or NULL */
	bool images;		/* in place of traces, what launches work on */
	uint32_t fail;	/* the call that must fail, from 1; 0: none */
	bool mute;		/* launches do nothing */
	bool unread;	/* tell what kernels store and nothing reads */
	json_t *judge;		/* what is called in place of main(); or NULL */
};
void job_program_argument(struct job_program *p, const char *argument);
struct job_program job_program_copy(const struct job_program *p);
void job_program_done(struct job_program *p);
/* Tests whether a text defines main(). */
bool job_program_main(const char *text);
/* Which kernel, how it is built and how it is launched. */
struct job_kernel {
	char *name;			/* a kernel of the table, or */
	char *baseline;			/* "cublas-fp32", to be timed, or */
	char *file, *text, *entry;	/* a reader's; entry NULL: the only */
	size_t text_length;
	bool decoded;			/* the file is not UTF-8 but GB18030 */
	/* The reader's own headers, by name, and folders (whose values are
	 * ""): see headers.h. */
	struct job_defines headers, folders;
	/* Files that its texts include and that it may not have, by the name
	 * in the include, and the value of -I that allows each, or "". */
	struct job_defines outside;
	struct job_defines defines;
	bool has_block, has_grid;	/* a reader's kernel has both */
	struct trace_dim block, grid;
	uint32_t shared_bytes;		/* a source's dynamic shared memory */
	uint32_t arch;		/* 90: sm_90; 0: JOB_ARCH_USUAL */
	uint32_t sms;		/* of the card; 0: of the usual one */
	uint32_t shown;		/* SHOWN_* bits: what its text's launch gives */
	struct job_program program;
};
/* The architecture where none is given: sm_90. */
#define JOB_ARCH_USUAL 90
uint32_t job_arch(const struct job_kernel *k);
/* The block, the grid and the bytes of shared memory are those of a launch in
 * the text; its local M, N and K have the values that it gives them; what it
 * passes counts. */
#define SHOWN_BLOCK 1u
#define SHOWN_GRID 2u
#define SHOWN_SHARED 4u
#define SHOWN_LITERAL 8u
#define SHOWN_ARGUMENTS 16u
struct job_kernel job_kernel_copy(const struct job_kernel *k);
void job_kernel_done(struct job_kernel *k);
/* Tests for the same kernel, built and launched in the same way. */
bool job_kernel_equal(const struct job_kernel *a, const struct job_kernel *b);
/*
 * Writes a kernel as the members "kernel", "source", ... of a message or a
 * file, and reads them. Reading returns -1 with e (EXIT_USAGE) when a member is
 * wrong; the caller calls job_kernel_done() in any case.
 */
json_t *job_kernel_members(const struct job_kernel *k);
int job_kernel_read(struct job_kernel *k, const json_t *o, struct error *e);

/* A job to time kernels against each other. */
struct job_time {
	struct job_kernel *cases;
	size_t case_count, case_capacity;
	struct problem_sizes *sizes;
	size_t size_count, size_capacity;
	/* A case is timed at a size after `repeat` samples, or after samples
	 * of `seconds` in all, whichever comes first. */
	long repeat;
	double seconds;
	double patience;		/* seconds until a launch hangs */
	uint64_t seed;
	json_t *tuned;			/* see tuned.h; NULL: none */
};
void job_time_init(struct job_time *t);	/* without cases and sizes */
struct job_time job_time_copy(const struct job_time *t);
void job_time_done(struct job_time *t);
/* Add a case or a size that the job does not have yet; `kernel` is taken
 * over. */
void job_time_case(struct job_time *t, struct job_kernel *kernel);
void job_time_size(struct job_time *t, struct problem_sizes size);
void job_time_drop(struct job_time *t, size_t at);	/* removes a case */

struct job {
	enum job_kind kind;
	long long id;

	/* record, counters */
	struct job_kernel kernel;
	struct problem_sizes size;
	char *problem;			/* NULL: the recorder guesses it */
	/* What a reader stated about parameters, by name; the rest is
	 * guessed. */
	struct job_defines args;	/* values of parameters: "0.5" */
	struct job_defines arrays;	/* sizes of arrays: "4096", "64x32" */
	struct job_defines contents;	/* contents of arrays: "0..63" */
	struct trace_dim *blocks;	/* blocks to record; none: all */
	size_t block_count;
	long long sample;		/* or this many of all; 0: all */
	uint32_t warps;			/* warps to record, a bit each */
	uint32_t spaces;
	bool values;
	uint64_t max_events;
	double seconds;
	double timeout;		/* seconds, to compile and load it */
	uint64_t memory;	/* MB that it may take */
	bool unconfined;	/* a reader's file has all rights */
	bool no_store;		/* compile it even if a store has its object */
	enum job_order order;
	uint64_t seed;
	/* SIZE_* bits: the sizes that nobody gave, which the recorder may
	 * change. */
	uint32_t open;
	bool second;	/* a second size is tried, if the first has no fault */
	bool whole;	/* a reader's inputs are whole numbers, as ours are */
	bool optimized;
	/* machine: a cubin, in hexadecimal digits, or a PTX text, in place of a
	 * kernel; or NULL; and which kernel of it, NULL: the only one. */
	char *code, *code_entry;

	/* locals */
	uint32_t locals_block, locals_thread;
	uint64_t first, count;

	bool paused;			/* pause */

	/* launches: samples of each, or samples of so many seconds in all */
	long repeat;
	double sample_seconds;

	json_t *message;			/* calibrate: all of it */
};

/* The order of a name such as "shuffle", or -1; and the name of an order. */
int job_order_from(const char *name);
const char *job_order_name(enum job_order order);
/* Returns the "type" of a job's message. */
const char *job_type_name(enum job_kind kind);
/* Returns whether jobs of this kind are about a launch of a kernel. */
bool job_has_kernel(enum job_kind kind);
/* Adds a block to the filter. */
void job_block(struct job *job, struct trace_dim block);

/* Initialises a job with the defaults of all members. */
void job_init(struct job *job, enum job_kind kind);
/* Initialises a job that records a launch, or collects its hardware
 * counters. */
void job_launch(struct job *job, enum job_kind kind, const char *kernel, int m,
		int n, int k, const struct trace_define *defines, size_t count);
void job_done(struct job *job);
/* Returns the job as a message, without "id". The members of JOB_TIME are in a
 * job of their own: use job_time_message(). */
json_t *job_message(const struct job *job);
json_t *job_time_message(const struct job_time *t);
/* Writes a key of what the job asks: jobs that ask the same have the same. */
#define JOB_KEY 17		/* its bytes, with its end */
void job_key(const struct job *job, char key[JOB_KEY]);

/*
 * Parses one line as a job. -1 with e on failure; the job's id is set if the
 * line has one, else 0. The caller calls job_done() in any case. The members of
 * "time" are not read here, because only gemmviz-gpu reads them
 * (gpu/race/benchmark_request.h).
 */
int job_parse(struct job *job, const char *line, size_t length,
	      struct error *e);
/* Reads a job from a JSON object, in the same way. */
int job_object(struct job *job, const json_t *o, struct error *e);

#endif
