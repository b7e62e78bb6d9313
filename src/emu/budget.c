/*
 * budget: what a launch may take of events, steps, seconds and memory, and
 * the finding where it takes more. See scheduler.h.
 */
#include <inttypes.h>

#include "record/serve.h"
#include "emu/parts.h"
#include "emu/program.h"
#include "emu/scheduler.h"

/* ---- while it runs ---- */

uint64_t events_done(void)
{
	return run.launch->plan.job.max_events - rec.events_left -
	       rec.events_aside;
}

void run_stop(enum launch_stop why)
{
	rec.stop = true;
	run.launch->stop = why;
}

void run_tick(void)
{
	double t = seconds_now();
	uint64_t of = (uint64_t)rec.grid.x * rec.grid.y * rec.grid.z;

	if (rec.stop)
		return;
	if (run.steps_left < rec.ticks) {
		run_stop(STOP_STEPS);
		return;
	}
	run.steps_left -= rec.ticks;
	if (t >= run.deadline) {
		run_stop(STOP_SECONDS);
		return;
	}
	if (parts_is_helper()) {
		parts_progress(run.blocks);
		return;
	}
	if (t < run.report_at)
		return;
	run.report_at = t + PROGRESS_SECONDS;
	if (!serve_progress(events_done(), run.blocks + parts_blocks(), of))
		run_stop(STOP_GONE);
}

static volatile double nowhere, *due = &nowhere;

void budget_watch(volatile double *where)
{
	due = where;
}

double budget_due(double t)
{
	double was = *due;

	*due = t;
	return was;
}

/* ---- how it ended ---- */

/* Where the cap was reached, and how far the rest is. */
static struct trace_finding stopped_full(enum finding_cause cause,
					 uint64_t limit)
{
	uint64_t of = (uint64_t)rec.grid.x * rec.grid.y * rec.grid.z;
	uint32_t ended = 0;

	for (uint32_t i = 0; i < rec.thread_count; i++)
		ended += rec.threads[i].state == THREAD_ENDED;
	return (struct trace_finding) {
		.cause = cause,
		.number = { limit, run.blocks - rec.cluster, of, ended,
			    rec.thread_count },
	};
}

static struct trace_finding stopped_endless(enum finding_cause cause,
					    uint64_t limit)
{
	return (struct trace_finding) { .cause = cause, .number = { limit } };
}

static struct trace_finding stop_finding(const struct launch *l)
{
	uint64_t most = l->plan.job.max_events;

	switch (l->stop) {
	case STOP_STEPS:
		return stopped_endless(CAUSE_ENDLESS_STEPS, run.steps);
	case STOP_SECONDS:
		/* Where blocks came to their end, another most likely does;
		 * and a program's launch may have had little time. */
		if (run.blocks > rec.cluster ||
		    (program.host && l->plan.job.seconds <
					program.job.seconds / 2))
			return stopped_full(CAUSE_CAP_SECONDS, (uint64_t)
					    (l->plan.job.seconds * 1000));
		return stopped_endless(CAUSE_ENDLESS_SECONDS, (uint64_t)
				       (l->plan.job.seconds * 1000));
	case STOP_IDLE:
		return stopped_endless(CAUSE_ENDLESS_IDLE, 0);
	case STOP_MEMORY:
		return run.stopped_alone ?
		       stopped_endless(CAUSE_ENDLESS_MEMORY, events_done()) :
		       stopped_full(CAUSE_CAP_MEMORY, events_done());
	default:
		return run.stopped_alone ?
		       stopped_endless(CAUSE_ENDLESS_EVENTS, most) :
		       stopped_full(CAUSE_CAP_EVENTS, most);
	}
}

void block_stopped(struct launch *l)
{
	if (!run.stopped_in)
		return;
	if (l->stop == STOP_NONE)
		l->stop = rec.memory_left == 0 ? STOP_MEMORY : STOP_EVENTS;
	emu_finding(run.stopped_in, stop_finding(l));
}
