/*
 * benchmark_parts: the worker that times kernels (benchmark_worker.h); a
 * process has one. Each of its jobs has a file: benchmark_messages.c
 * communicates with the supervisor, benchmark_trial.c tries shapes,
 * benchmark_check.c checks outputs, benchmark_samples.c takes times;
 * benchmark_worker.c calls them in order.
 */
#ifndef GPU_RACE_BENCHMARK_PARTS_H
#define GPU_RACE_BENCHMARK_PARTS_H

#include <jansson.h>

#include "gpu/race/benchmark_case.h"

#define NOBODY (-1)

struct benchmark_worker {
	int out;
	bool paused, cancelled;
	struct device device;
	struct benchmark_request request;
	struct benchmark_case *cases;
	double *launch;			/* seconds a launch takes, about */
	struct matrices matrices;
	CUevent start, stop;
	size_t size;			/* that is being done */
	/* of the SMs while the newest launches ran, NA: not known */
	double mhz;
};
extern struct benchmark_worker worker;

/* ---- benchmark_messages.c ---- */

/* Sends o, whose reference it takes. */
void worker_say(const char *type, json_t *o);
/* Returns an object that names the case (or NOBODY) and the size. */
json_t *case_members(int case_at);
void say_doing(int case_at);
/* Reports that the next step is not a launch yet: it may take as long as a
 * compiler. */
void say_preparing(int case_at);
/* Reports that this process has lost the GPU, and ends it: another one takes
 * over. */
_Noreturn void say_broken(int case_at, const struct error *e);
/* Reports a case's state. `more` has further members, or is NULL; takes its
 * reference. */
void worker_say_state(int case_at, enum benchmark_state state, const char *text,
		      json_t *more);
/* Ends a case that failed, and reports the error: the GPU is lost, the output
 * is wrong, or the launch is impossible. */
void drop_case(int case_at, const struct error *e);
struct benchmark_result *result_of(int case_at);
bool is_waiting(int case_at);
int case_count(void);

/* Waits for the next message. */
json_t *message_wait(void);
const char *message_type(const json_t *o);
/* Handles messages between two launches, and waits while paused; false when the
 * benchmark is cancelled. */
bool may_continue(void);

/* ---- benchmark_trial.c ---- */

/* Chooses the fastest shape of each waiting case for which the model ranks
 * several. */
void try_all(void);

/* ---- benchmark_check.c ---- */

/* Holds the answers of all that wait to a reference. */
void check_cases(void);

/* ---- benchmark_samples.c ---- */

/* `count` launches between two events; seconds of one. -1 with e. */
int time_launches(int case_at, int count, double *seconds, struct error *e);
/* Takes samples of all waiting cases, until each has the requested number. */
void time_all(void);
/* Returns the members about the clock during the case's samples; NULL when
 * nothing is known. */
json_t *clock_of(int case_at);

#endif
