/*
 * benchmark_request: a "time" request (protocol.h), checked, and what has been
 * told of it. The supervisor and its worker both read it; the supervisor's own
 * member "resume" carries what a worker that was lost had done already.
 */
#ifndef GPU_BENCHMARK_REQUEST_H
#define GPU_BENCHMARK_REQUEST_H

#include <jansson.h>

#include "base/base.h"
#include "kernels/problem.h"

#define BENCHMARK_SIZE_LOWEST 64
#define BENCHMARK_SIZE_HIGHEST 16384
#define BENCHMARK_MOST 64		/* cases, sizes */

/* In the order in which they come; the last three are ends. */
enum benchmark_state {
	BENCHMARK_WAITING,
	BENCHMARK_CHECKING,
	BENCHMARK_READY,
	BENCHMARK_TIMED,
	BENCHMARK_SKIPPED,
	BENCHMARK_FAILED,
	BENCHMARK_STATES
};

/* One case at one size: what has been told, and its samples. */
struct benchmark_result {
	enum benchmark_state state;
	long samples;
	double seconds;			/* of all its launches that count */
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

/* EXIT_USAGE with the member that is wrong. The request is kept (a reference
 * is taken). benchmark_request_done() in any case. */
int benchmark_request_read(struct benchmark_request *r, json_t *request,
			   struct error *e);
void benchmark_request_done(struct benchmark_request *r);

struct benchmark_result *benchmark_result(const struct benchmark_request *r,
					  size_t size, size_t index);
bool benchmark_request_ended(const struct benchmark_result *r);
/* "checking"; and back, BENCHMARK_STATES: none. */
const char *benchmark_state_name(enum benchmark_state s);
enum benchmark_state benchmark_state_from(const char *name);
/* What "resume" holds. */
json_t *benchmark_request_resume(const struct benchmark_request *r);

#endif
