/*
 * worker: a launch is compiled, loaded and recorded in a process of its own,
 * the worker, for a user's file may do anything there. The process that speaks
 * the protocol never loads it: it starts the worker, relays what it answers,
 * and kills it with all that it has started when time is up, nobody listens any
 * more, or the next job comes.
 *
 * Each answer of the worker begins with the job's token, 16 random bytes that
 * only its recorder knows: anything else that comes through that pipe was
 * written by the file, and ends the job as a forgery (EXIT_REFUSED). This holds
 * as long as the file does not find the token, which stands in the worker's
 * memory: every access of a kernel goes through the recorder's hooks, but a
 * file that computes addresses outside of them is not kept from reading it.
 * What it could forge then is its own report, and nothing else.
 */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

#include "base/lang.h"
#include "emu/launch.h"
#include "worker/worker_memory.h"

#define TOKEN_BYTES 16

/* What precedes an answer, which is a JSON text of that many bytes. */
struct answer_head {
	unsigned char token[TOKEN_BYTES];
	uint32_t bytes;
};
/* A "locals" job, as it is passed on; see struct job. */
struct locals_request {
	long long id;
	uint32_t block, thread;
	uint64_t first, count;
};

/* Records a job in a new worker, and answers it; -1 with e. */
int worker_record(struct job *job, struct error *e);
/* Lets the worker of the launch recorded last answer a "locals" job; -1 with
 * e. */
int worker_locals(const struct job *job, struct error *e);
/* Kills the worker with all of its group, if there is one; returns its status,
 * as of waitpid(). */
int worker_end(void);

/* Returns the name of what a job records, for messages. */
static inline const char *worker_file(const struct job *job)
{
	return job->kernel.file ? job->kernel.file :
	       job->kernel.name ? job->kernel.name : _("the launch");
}

/* ---- in the worker ---- */

/* The files that the worker fills and the other process reads. */
struct worker_files {
	int trace;
	int output;	/* of a program (program_output.h), or -1 */
	struct run_deadlines *due; /* shared; see launch.h */
	struct worker_memory memory;
};
/* Records the job, and answers through `socket` until that is closed. */
_Noreturn void worker_main(struct job *job, int socket,
			   const struct worker_files *files,
			   const unsigned char token[TOKEN_BYTES]);

#endif
