/*
 * benchmark_request: a checked "time" request (protocol.h), and the results
 * reported so far. The supervisor and its worker both read it; the supervisor
 * adds the member "resume", which lists the work that a lost worker had done.
 */
#ifndef GPU_RACE_BENCHMARK_REQUEST_H
#define GPU_RACE_BENCHMARK_REQUEST_H

#include <jansson.h>

#include "base/base.h"
#include "kernels/problem.h"
#include "timing/timing.h"

#define BENCHMARK_SIZE_LOWEST 64
#define BENCHMARK_SIZE_HIGHEST 16384

/* The states of a result, in order; the last three are final. */
enum benchmark_state {
	BENCHMARK_WAITING,
	BENCHMARK_CHECKING,
	BENCHMARK_READY,
	BENCHMARK_TIMED,
	BENCHMARK_SKIPPED,
	BENCHMARK_FAILED,
	BENCHMARK_STATES
};

/* One case at one size: what has been reported, and its samples. */
struct benchmark_result {
	enum benchmark_state state;
	long samples;
	double seconds;			/* total of the launches that count */
};

struct benchmark_request {
	json_t *request;
	json_t *cases, *tuned;	/* in the request; tuned: or NULL */
	size_t case_count, size_count;
	struct problem_sizes *sizes;
	long repeat;
	double seconds, patience;
	uint64_t seed;
	struct benchmark_result *results;	/* [size * case_count + case] */
};

/* Checks a request; EXIT_USAGE names the member that is wrong. Takes a
 * reference to the request. benchmark_request_done() is due in either case. */
int benchmark_request_read(struct benchmark_request *r, json_t *request,
			   struct error *e);
void benchmark_request_done(struct benchmark_request *r);

struct benchmark_result *benchmark_result(const struct benchmark_request *r,
					  size_t size, size_t index);
bool benchmark_request_ended(const struct benchmark_result *r);
/* The name of a state ("checking"), and the state of a name; BENCHMARK_STATES:
 * there is none. */
const char *benchmark_state_name(enum benchmark_state s);
enum benchmark_state benchmark_state_from(const char *name);
/* Returns the value of the member "resume". */
json_t *benchmark_request_resume(const struct benchmark_request *r);

#endif
