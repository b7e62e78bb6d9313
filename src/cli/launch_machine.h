/*
 * launch_machine: what the compiler makes of a recorded launch, by
 * gemmviz-machine (protocol.h).
 */
#ifndef CLI_LAUNCH_MACHINE_H
#define CLI_LAUNCH_MACHINE_H

#include "cli/launch_options.h"
#include "machine/machine.h"

/* Compiles the launch's kernel, and runs what comes for the trace. -1 with e;
 * EXIT_RUNNER if the tools are missing: the sentence says what to install. */
int launch_machine(const struct launch_options *l, struct trace *t,
		   struct machine_launch *m, struct error *e);
/* Does so without waiting: returns 1 while the compiler is at work, and is then
 * to be called again for the same trace. */
int launch_machine_poll(struct launch_options *l, struct trace *t,
			struct machine_launch *m, struct error *e);
/* Starts to compile before the launch is recorded, if it is known already what
 * will be; the two above then use its answer. And ends that. */
void launch_machine_early(struct launch_options *l);
void launch_machine_end(struct launch_options *l);
/* Gets the machine code of an answer "machine". -1 with e. */
int machine_code_read(struct machine_code *c, const json_t *answer,
		      struct error *e);
/* Copies the launch's limits of time and memory into a job. */
void machine_limits(struct job *job, const struct launch_options *l);
/* Sends a job to gemmviz-machine; the answer, or NULL with e. */
json_t *machine_request(const struct job *job, struct error *e);

#endif
