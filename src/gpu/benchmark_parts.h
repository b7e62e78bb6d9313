/*
 * benchmark_parts: the worker that races kernels (benchmark_worker.h), of which
 * there is one in a process. Each of its jobs has a file:
 * benchmark_messages.c speaks with the supervisor, benchmark_trial.c tries
 * shapes, benchmark_check.c checks answers, benchmark_samples.c takes times;
 * benchmark_worker.c calls them in order.
 */
#ifndef GPU_BENCHMARK_PARTS_H
#define GPU_BENCHMARK_PARTS_H

#include <jansson.h>

#include "gpu/benchmark_case.h"

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
void say(const char *type, json_t *o);
/* An object that names the case (or NOBODY) and the size. */
json_t *about(int case_at);
void say_doing(int case_at);
/* Not yet a launch: it may take a compiler's time. */
void say_preparing(int case_at);
/* The GPU is lost to this process: another one goes on. */
_Noreturn void say_broken(int case_at, const struct error *e);
/* `more` (or NULL) has what else there is to say; takes its reference. */
void say_state(int case_at, enum benchmark_state state, const char *text,
	       json_t *more);
/* A case that goes no further: what is lost, what is wrong, what cannot
 * be. */
void give_up(int case_at, const struct error *e);
struct benchmark_result *result_of(int case_at);
bool waits(int case_at);
int case_count(void);

/* The next message; waits for it. */
json_t *message_wait(void);
const char *message_type(const json_t *o);
/* Between two launches: takes messages in, waits while paused; false: the race
 * is cancelled. */
bool goes_on(void);

/* ---- benchmark_trial.c ---- */

/* Of all that wait, where a model ranks several shapes first, the fastest is
 * taken. */
void try_all(void);

/* ---- benchmark_check.c ---- */

/* Holds the answers of all that wait to a reference. */
void check_all(void);

/* ---- benchmark_samples.c ---- */

/* `count` launches between two events; seconds of one. -1 with e. */
int launches_time(int case_at, int count, double *seconds, struct error *e);
/* Samples of all that wait, until each has as many as are asked for. */
void time_all(void);
/* What there is to say of the clock that the case's samples ran at; NULL:
 * nothing. */
json_t *clock_of(int case_at);

#endif
