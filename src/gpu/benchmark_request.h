/*
 * trial: a "time" request (runner.h), checked, and what has been told of it.
 * The supervisor and its worker both read it; the supervisor's own member
 * "resume" carries what a worker that was lost had done already.
 */
#ifndef GPU_TRIAL_H
#define GPU_TRIAL_H

#include <jansson.h>

#include "base/base.h"

#define TRIAL_SIZE_LOWEST 64
#define TRIAL_SIZE_HIGHEST 16384
#define TRIAL_MOST 64		/* entrants, sizes */

/* In the order in which they come; the last three are ends. */
enum trial_state { TRIAL_WAITING, TRIAL_CHECKING, TRIAL_READY, TRIAL_TIMED,
		  TRIAL_SKIPPED, TRIAL_FAILED, TRIAL_STATES };

/* One entrant at one size: what has been told, and its samples. */
struct trial_result {
	enum trial_state state;
	long samples;
	double seconds;			/* of all its launches that count */
};

struct trial_size { int m, n, k; };

struct trial {
	json_t *request;
	json_t *entrants, *tuned;	/* in the request; tuned: or NULL */
	size_t entrant_count, size_count;
	struct trial_size *sizes;
	long repeat;
	double seconds, patience;
	uint64_t seed;
	struct trial_result *results;	/* [size * entrant_count + entrant] */
};

/* EXIT_USAGE with the member that is wrong. The request is kept (a reference
 * is taken). trial_done() in any case. */
int trial_read(struct trial *r, json_t *request, struct error *e);
void trial_done(struct trial *r);

struct trial_result *trial_result(const struct trial *r, size_t size,
				size_t entrant);
bool trial_ended(const struct trial_result *r);
/* "checking"; and back, TRIAL_STATES: none. */
const char *trial_state_name(enum trial_state s);
enum trial_state trial_state_from(const char *name);
/* What "resume" holds. */
json_t *trial_resume(const struct trial *r);

#endif
