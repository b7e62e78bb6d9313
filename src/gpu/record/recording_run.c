/*
 * recording_run: launches the kernel, and counts its events. See
 * recording_parts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/record/recording_parts.h"
#include "record/serve.h"
#include "trace/trace_format.h"

/* Bytes of events that one run leaves in the GPU's memory, at the most and
 * when there is no more room. */
#define EVENTS_MOST (1ull << 30)
#define EVENTS_LEAST (64ull << 20)
/* Events of one thread, labels counted, after which its kernel does not
 * end; and how many of them are kept then. */
#define BUDGET_MOST (1ull << 22)
#define BUDGET_KEPT (1ull << 14)
#define PROGRESS_SECONDS 0.2

static uint64_t recorded_events(const struct gpu_recording *r)
{
	return r->replay ? replay_events(r->replay) : 0;
}

/* Waits until the launch has ended. A kernel that never does keeps the GPU:
 * then r->lost is set. */
static int wait_for_end(struct gpu_recording *r, struct error *e)
{
	double begun = seconds_now(), said = begun;
	CUresult c;

	while ((c = cuda.StreamQuery(NULL)) == CUDA_ERROR_NOT_READY) {
		struct timespec nap = { 0, 200000 };
		double t = seconds_now();

		if (t - begun > r->plan.job.seconds) {
			r->lost = true;
			return error_set(e, EXIT_RUNNER, "the kernel did not "
					 "end within %g seconds",
					 r->plan.job.seconds);
		}
		if (t - said > PROGRESS_SECONDS) {
			said = t;
			if (!serve_progress(recorded_events(r), r->blocks_done,
					    r->chosen_count)) {
				r->lost = true;
				return error_set(e, EXIT_RUNNER, "cancelled");
			}
		}
		nanosleep(&nap, NULL);
	}
	if (c == CUDA_SUCCESS)
		return 0;
	r->lost = cuda_sticky(c);
	return cuda_check(e, r->entry->name, c);
}

/* One run, with fresh inputs. */
int recording_launch(struct gpu_recording *r, struct error *e)
{
	for (int m = 0; m < ARGUMENT_ARRAYS; m++)
		if (r->memory[m] &&
		    CUDA_TRY(e, MemcpyHtoD, r->memory[m], r->contents[m],
			     trace_array_bytes(&r->arrays[m])) < 0)
			return -1;
	for (size_t i = 0; i < r->global_count; i++)
		if (CUDA_TRY(e, MemcpyHtoD, r->globals[i].at,
			     r->globals[i].was, r->globals[i].bytes) < 0)
			return -1;
	if (launch_start(&r->plan, r->function, &r->values, false, e) < 0)
		return -1;
	return wait_for_end(r, e);
}

/* Launches once, recording what the state selects. */
int recording_run(struct gpu_recording *r, struct error *e)
{
	if (CUDA_TRY(e, MemcpyHtoD, r->state, &r->host, sizeof(r->host)) < 0)
		return -1;
	return recording_launch(r, e);
}

uint32_t recording_block(const struct gpu_recording *r, uint64_t i)
{
	return r->chosen ? r->chosen[i] : (uint32_t)i;
}

/* Selects the blocks `from` to `to` of those chosen for recording, in slots
 * from 0. */
int recording_slots(struct gpu_recording *r, uint64_t from, uint64_t to,
		    struct error *e)
{
	uint64_t blocks = plan_blocks(&r->plan);
	uint32_t *slots = xmalloc(blocks * sizeof(*slots));
	int rc;

	memset(slots, 0xff, blocks * sizeof(*slots));
	for (uint64_t i = from; i < to; i++)
		slots[recording_block(r, i)] = (uint32_t)(i - from);
	rc = CUDA_TRY(e, MemcpyHtoD, r->slots, slots,
		      blocks * sizeof(*slots));
	free(slots);
	if (rc < 0)
		return rc;
	return CUDA_TRY(e, MemsetD8, r->counts, 0,
			(to - from) * plan_threads(&r->plan) *
			sizeof(uint32_t));
}

int recording_state(struct gpu_recording *r, struct error *e)
{
	uint64_t threads = r->chosen_count * plan_threads(&r->plan);

	if (CUDA_TRY(e, MemAlloc, &r->slots, plan_blocks(&r->plan) *
		     sizeof(uint32_t)) < 0 ||
	    CUDA_TRY(e, MemAlloc, &r->counts, threads *
		     sizeof(uint32_t)) < 0 ||
	    CUDA_TRY(e, MemAlloc, &r->room, threads * sizeof(uint32_t)) < 0 ||
	    CUDA_TRY(e, MemAlloc, &r->first, threads * sizeof(uint64_t)) < 0)
		return -1;
	r->host.slots = r->slots;
	r->host.counts = r->counts;
	r->host.first = r->first;
	r->host.warps = r->plan.job.warps;
	r->host.budget = MIN(BUDGET_MOST, 64 + 8 *
			     r->plan.job.max_events);
	return 0;
}

int recording_count(struct gpu_recording *r, struct error *e)
{
	uint64_t threads = r->chosen_count * plan_threads(&r->plan);

	bool full = false;

	r->host.room = 0;
	r->count = xcalloc(threads, sizeof(*r->count));
	if (recording_slots(r, 0, r->chosen_count, e) < 0 ||
	    recording_run(r, e) < 0)
		return -1;
	if (CUDA_TRY(e, MemcpyDtoH, r->count, r->counts,
		     threads * sizeof(*r->count)) < 0)
		return -1;
	for (uint64_t i = 0; i < threads; i++)
		if (r->count[i] >= r->host.budget)
			full = true;
	if (!full)
		return 0;
	r->host.budget = MIN(r->host.budget, BUDGET_KEPT);
	for (uint64_t i = 0; i < threads; i++)
		r->count[i] = MIN(r->count[i], (uint32_t)r->host.budget);
	return 0;
}

int recording_room(struct gpu_recording *r, struct error *e)
{
	struct error small;
	size_t left, all;

	if (CUDA_TRY(e, MemGetInfo, &left, &all) < 0)
		return -1;
	r->events_bytes = MIN(EVENTS_MOST, left / 2);
	while (CUDA_TRY(&small, MemAlloc, &r->events, r->events_bytes) < 0) {
		r->events_bytes /= 2;
		if (r->events_bytes < EVENTS_LEAST)
			return error_set(e, EXIT_RUNNER, "no memory for "
					 "events on the GPU: %s", small.text);
	}
	r->host.events = r->events;
	return 0;
}
