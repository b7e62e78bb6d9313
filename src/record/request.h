/*
 * request: what the interface asks of the recorder, as it came over the
 * pipe, checked. See runner.h for the protocol.
 */
#ifndef RECORD_REQUEST_H
#define RECORD_REQUEST_H

#include <jansson.h>

#include "base/base.h"
#include "kernels/problem.h"
#include "trace/trace.h"

enum request_kind { REQUEST_RECORD, REQUEST_LOCALS, REQUEST_TIME,
		    REQUEST_PAUSE, REQUEST_CANCEL, REQUEST_COUNTERS };
enum request_order { ORDER_FORWARD, ORDER_REVERSE, ORDER_SHUFFLE };

#define SIZE_MAX_MNK 1048576
#define SHARED_MOST (227 << 10)		/* sm_90; no GPU has more yet */
#define EVENTS_DEFAULT 500000000
#define SECONDS_DEFAULT 60.0

struct request {
	enum request_kind kind;
	long long id;

	/* record, counters: a kernel of the table, or a text. */
	char *kernel;
	char *file, *text, *entry;
	size_t text_length;
	struct problem_sizes size;
	char *problem;			/* its name; NULL: found out */
	struct trace_define *defines;
	size_t define_count;
	bool has_block, has_grid;
	struct trace_dim block, grid;
	uint32_t shared_bytes;		/* of a text's extern __shared__ */
	struct trace_dim *blocks;	/* filter; none: all */
	size_t block_count;
	uint32_t warps;			/* filter, a bit each */
	uint32_t spaces;
	bool values;
	uint64_t max_events;
	double seconds;
	enum request_order order;
	uint64_t seed;
	bool optimized;

	json_t *message;	/* as it came: all there is of a race's */

	/* locals */
	uint32_t locals_block, locals_thread;
	uint64_t first, count;
};

/*
 * Reads one line. On failure -1 with e; the request's id is set where it had
 * one, else 0. The request is to be request_done() in any case.
 */
int request_parse(struct request *r, const char *line, size_t length,
		  struct error *e);
/* The same of an object. */
int request_object(struct request *r, const json_t *o, struct error *e);
void request_done(struct request *r);

#endif
