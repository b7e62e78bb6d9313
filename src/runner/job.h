/*
 * job: what the interface asks of a recorder, as plain data: written as a
 * message at one end of the pipe, read and checked at the other. See
 * protocol.h for the members of the message.
 */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include <jansson.h>

#include "base/base.h"
#include "kernels/problem.h"
#include "trace/trace.h"

enum job_kind { JOB_RECORD, JOB_LOCALS, JOB_TIME,
		JOB_PAUSE, JOB_CANCEL, JOB_COUNTERS };
enum job_order { ORDER_FORWARD, ORDER_REVERSE, ORDER_SHUFFLE };

#define SIZE_MAX_MNK 1048576
#define SHARED_MOST (227 << 10)		/* sm_90; no GPU has more yet */
#define EVENTS_DEFAULT 500000000
#define SECONDS_DEFAULT 60.0

/* NAME=VALUE as the compiler gets them, in the order in which they came. */
struct job_defines {
	struct trace_define *list;
	size_t count;
};
/* Defines a name, or defines it anew. */
void job_define(struct job_defines *d, const char *name, const char *value);
/* A name's value, or NULL; `defines` is a struct job_defines, as
 * kernel_values() hands it on. */
const char *job_defined(const void *defines, const char *name);
/* Defines all of the others, too. */
void job_defines_add(struct job_defines *d, const struct job_defines *others);
struct job_defines job_defines_copy(const struct job_defines *d);
void job_defines_done(struct job_defines *d);
/* As an object. */
json_t *job_defines_members(const struct job_defines *d);

/* Which kernel, how it is built and how it is launched. */
struct job_kernel {
	char *name;			/* of the table, or */
	char *baseline;			/* "cublas-fp32", to be timed, or */
	char *file, *text, *entry;	/* a reader's; entry: NULL, the only */
	size_t text_length;
	struct job_defines defines;
	bool has_block, has_grid;	/* a reader's has both */
	struct trace_dim block, grid;
	uint32_t shared_bytes;		/* of a text's extern __shared__ */
};
struct job_kernel job_kernel_copy(const struct job_kernel *k);
void job_kernel_done(struct job_kernel *k);
/* The same kernel, built and launched in the same way. */
bool job_kernel_equal(const struct job_kernel *a, const struct job_kernel *b);
/* The members "kernel", "source", ... of a message or a file, and back. -1
 * with e (EXIT_USAGE): wrong; to be job_kernel_done() in any case. */
json_t *job_kernel_members(const struct job_kernel *k);
int job_kernel_read(struct job_kernel *k, const json_t *o, struct error *e);

/* Kernels to be timed against each other. */
struct job_time {
	struct job_kernel *cases;
	size_t case_count, case_capacity;
	struct problem_sizes *sizes;
	size_t size_count, size_capacity;
	long repeat;			/* samples of each, at the least */
	double seconds;			/* and for so long */
	double patience;		/* a launch that takes longer hangs */
	uint64_t seed;
	json_t *tuned;			/* tables: see tuned.h; NULL: none */
};
void job_time_init(struct job_time *t);	/* with no case and no size */
struct job_time job_time_copy(const struct job_time *t);
void job_time_done(struct job_time *t);
/* Adds one that is not there yet; `kernel` is taken. */
void job_time_case(struct job_time *t, struct job_kernel *kernel);
void job_time_size(struct job_time *t, struct problem_sizes size);
void job_time_drop(struct job_time *t, size_t at);	/* a case */

struct job {
	enum job_kind kind;
	long long id;

	/* record, counters */
	struct job_kernel kernel;
	struct problem_sizes size;
	char *problem;			/* its name; NULL: found out */
	/* What a reader says of parameters, by name; else it is guessed. */
	struct job_defines args;	/* values: "0.5" */
	struct job_defines arrays;	/* sizes: "4096", "64x32" */
	struct job_defines contents;	/* of arrays: "0..63" */
	struct trace_dim *blocks;	/* filter; none: all */
	size_t block_count;
	uint32_t warps;			/* filter, a bit each */
	uint32_t spaces;
	bool values;
	uint64_t max_events;
	double seconds;
	enum job_order order;
	uint64_t seed;
	bool optimized;

	/* locals */
	uint32_t locals_block, locals_thread;
	uint64_t first, count;

	bool paused;			/* pause */
};

/* "shuffle" to its order; -1: none. And back. */
int job_order_from(const char *name);
const char *job_order_name(enum job_order order);
/* Adds a block to the filter. */
void job_block(struct job *job, struct trace_dim block);

/* A job with what holds where nothing is said. */
void job_init(struct job *job, enum job_kind kind);
/* To record a launch, or to count what it does. */
void job_launch(struct job *job, enum job_kind kind, const char *kernel, int m,
		int n, int k, const struct trace_define *defines, size_t count);
void job_done(struct job *job);
/* Its message, without "id"; time's members are of a job of their own. */
json_t *job_message(const struct job *job);
json_t *job_time_message(const struct job_time *t);

/*
 * Reads one line. On failure -1 with e; the job's id is set where it had one,
 * else 0. The job is to be job_done() in any case. Of "time" it reads no
 * members, for only gemmviz-gpu does (gpu/benchmark_request.h).
 */
int job_parse(struct job *job, const char *line, size_t length,
	      struct error *e);
/* The same of an object. */
int job_object(struct job *job, const json_t *o, struct error *e);

#endif
