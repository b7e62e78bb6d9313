/*
 * recording_blocks: records groups of blocks, and passes their events to the
 * replay. See recording_parts.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/record/recording_parts.h"
#include "record/result_check.h"
#include "record/findings.h"
#include "trace/trace_format.h"

static uint64_t block_events(const struct gpu_recording *r, uint64_t i)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t sum = 0;

	for (uint32_t t = 0; t < threads; t++)
		sum += r->count[i * threads + t];
	return sum;
}

/* Returns the events that a run has room for. */
static uint64_t run_room(const struct gpu_recording *r)
{
	return r->events_bytes / sizeof(struct record_event);
}

/* Returns the end of the blocks from `from` on whose events fit into one run;
 * sets *events to their number. */
static uint64_t fitting_blocks(const struct gpu_recording *r, uint64_t from,
			       uint64_t *events)
{
	uint64_t most = run_room(r), i;

	*events = 0;
	for (i = from; i < r->chosen_count; i++) {
		uint64_t more = block_events(r, i);

		if (*events + more > most)
			break;
		*events += more;
	}
	return i;
}

/* Computes where each thread's events begin; copies that and each thread's room
 * to the GPU. */
static int room_set(struct gpu_recording *r, uint64_t from, uint64_t to,
		    uint64_t *first, struct error *e)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t n = (to - from) * threads, sum = 0;
	const uint32_t *room = r->count + from * threads;

	for (uint64_t i = 0; i < n; i++) {
		first[i] = sum;
		sum += room[i];
	}
	r->host.room = r->room;
	if (CUDA_TRY(e, MemcpyHtoD, r->first, first, n * sizeof(*first)) < 0)
		return -1;
	return CUDA_TRY(e, MemcpyHtoD, r->room, room, n * sizeof(*room));
}

/* What a run of some blocks came to. CAPPED: the cap on events was reached.
 * CROWDED: a thread had more events than were counted before; there is room
 * for twice as many now. */
enum { RECORDED, CAPPED, CROWDED };

/* A thread that waits for another block may go round more often than it did
 * before. */
#define CROWDED_MOST 8

static int counts_check(struct gpu_recording *r, uint64_t from, uint64_t to,
			struct error *e)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t n = (to - from) * threads;
	uint32_t *again = xcalloc(n, sizeof(*again));
	int rc = CUDA_TRY(e, MemcpyDtoH, again, r->counts,
			  n * sizeof(*again));

	for (uint64_t i = 0; i < n && rc >= 0; i++) {
		uint32_t *count = &r->count[from * threads + i];

		if (again[i] <= *count)
			continue;
		if (rc == RECORDED)
			error_set(e, EXIT_RUNNER, "a second run had more "
				  "events than the first: thread %s of block "
				  "%s had %" PRIu32 ", then %" PRIu32 "; its "
				  "behaviour depends on more than its input",
				  finding_index_text((uint32_t)(i % threads),
						     &r->plan.block),
				  finding_index_text(recording_block(r,
						from + i / threads),
						     &r->plan.grid),
				  *count, again[i]);
		*count = again[i] * 2;
		rc = CROWDED;
	}
	if (rc == RECORDED)
		memcpy(&r->count[from * threads], again, n * sizeof(*again));
	free(again);
	return rc;
}

static int chunk_record(struct gpu_recording *r, uint64_t from, uint64_t to,
			uint64_t events, struct error *e)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t *first = xcalloc((to - from) * threads, sizeof(*first));
	struct record_event *list = xmalloc(events * sizeof(*list) + 1);
	int rc = -1;

	if (recording_slots(r, from, to, e) < 0 ||
	    room_set(r, from, to, first, e) < 0 || recording_run(r, e) < 0)
		goto done;
	rc = counts_check(r, from, to, e);
	if (rc == RECORDED)
		rc = CUDA_TRY(e, MemcpyDtoH, list, r->events,
			      events * sizeof(*list));
	for (uint64_t i = from; i < to && rc == 0; i++) {
		uint64_t at = (i - from) * threads;

		if (replay_events(r->replay) >= r->plan.job.max_events) {
			rc = CAPPED;
			break;
		}
		rc = replay_block(r->replay, recording_block(r, i), list,
				  first + at, r->count + i * threads, e);
		r->blocks_done += rc == 0;
	}
done:
	free(first);
	free(list);
	return rc;
}

static void *array_fetch(void *recording, int argument, struct error *e)
{
	const struct gpu_recording *r = recording;
	int array = r->arguments[argument].array;
	uint64_t bytes = trace_array_bytes(&r->arrays[array]);
	void *copy = xmalloc(bytes);

	if (CUDA_TRY(e, MemcpyDtoH, copy, r->memory[array], bytes) == 0)
		return copy;
	free(copy);
	return NULL;
}

static int check_result(struct gpu_recording *r, bool capped, struct error *e)
{
	struct answer a = {
		.plan = &r->plan, .arguments = r->arguments,
		.count = r->argument_count, .fetch = array_fetch, .ctx = r,
		.partial = capped || r->chosen_count != plan_blocks(&r->plan),
		.tainted = replay_tainted(r->replay),
	};
	int rc = answer_check(&a, replay_info(r->replay),
			      replay_findings(r->replay), e);

	if (rc != ANSWER_AGAIN)
		return rc;
	r->plan.numbers = r->assumed.again = true;
	return 0;
}

static void cap_say(struct gpu_recording *r)
{
	const struct trace_finding f = {
		.cause = CAUSE_CAP_BLOCKS,
		.number = { r->plan.job.max_events, r->blocks_done,
			    r->chosen_count },
	};

	finding_add(replay_findings(r->replay), &f, NULL);
}

/* Records all blocks, as many at once as there is room for, or up to the
 * cap. */
int recording_blocks(struct gpu_recording *r, struct error *e)
{
	uint64_t from = 0, to, events;
	int rc = RECORDED, crowded = 0;

	while (from < r->chosen_count && rc == RECORDED) {
		to = fitting_blocks(r, from, &events);
		if (to == from)
			return error_set(e, EXIT_RUNNER, "block %s has "
					 "%" PRIu64 " events, but there is "
					 "room for %" PRIu64 ": record fewer "
					 "of its warps (--warps)",
					 finding_index_text(
						 recording_block(r, from),
						 &r->plan.grid),
					 block_events(r, from), run_room(r));
		rc = chunk_record(r, from, to, events, e);
		if (rc == CROWDED && ++crowded < CROWDED_MOST)
			rc = RECORDED;
		else
			from = to;
	}
	if (rc < 0 || rc == CROWDED)
		return -1;
	if (rc == CAPPED)
		cap_say(r);
	if (check_result(r, rc == CAPPED, e) < 0)
		return -1;
	return replay_finish(r->replay, rc == CAPPED, e);
}
