/*
 * budget: limits a launch's events, steps, seconds and memory, and adds the
 * finding when a limit is reached. See scheduler.h.
 */
#include <inttypes.h>

#include "record/serve.h"
#include "emu/hang_check.h"
#include "emu/parallel_record.h"
#include "emu/scheduler.h"

/* ---- limits while a launch runs ---- */

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

/* Returns the limit that the launch has reached at time `now` (seconds_now());
 * STOP_NONE: none. */
static enum launch_stop limit_reached(double now)
{
	if (rec.memory_left == 0)
		return STOP_MEMORY;
	if (run.steps_left < rec.ticks)
		return STOP_STEPS;
	run.steps_left -= rec.ticks;
	return now >= run.deadline ? STOP_SECONDS : STOP_NONE;
}

void run_tick(void)
{
	double t = seconds_now();
	uint64_t of = (uint64_t)rec.grid.x * rec.grid.y * rec.grid.z;
	enum launch_stop why;

	if (rec.stop || hang_limited())
		return;
	why = limit_reached(t);
	if (why != STOP_NONE) {
		if (!hang_limit(why))
			run_stop(why);
		return;
	}
	if (parallel_is_helper()) {
		parallel_progress(run.blocks);
		return;
	}
	if (t < run.report_at)
		return;
	run.report_at = t + PROGRESS_SECONDS;
	if (!serve_progress(events_done(), run.blocks + parallel_blocks(), of))
		run_stop(STOP_GONE);
}

static struct run_deadlines nowhere, *due = &nowhere;

void budget_watch(struct run_deadlines *where)
{
	due = where;
	budget_processes(1);
}

void budget_processes(uint32_t count)
{
	due->processes = count;
}

double budget_due(double t)
{
	volatile double *own = &due->at[parallel_rank()];
	double was = *own;

	*own = t;
	return was;
}

/* ---- findings of stopped launches ---- */

/* Describes a launch that was stopped at `limit`: its blocks and threads that
 * had ended by then. */
static struct trace_finding describe_limit(enum finding_cause cause,
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

static struct trace_finding stop_finding(const struct launch *l)
{
	uint64_t most = l->plan.job.max_events;

	switch (l->stop) {
	case STOP_STEPS:
		return describe_limit(CAUSE_CAP_STEPS, run.steps);
	case STOP_SECONDS:
		return describe_limit(CAUSE_CAP_SECONDS,
				      (uint64_t)(l->plan.job.seconds * 1000));
	case STOP_ENDLESS:
		return (struct trace_finding) { .cause = CAUSE_ENDLESS_LOOP };
	case STOP_IDLE:
		return (struct trace_finding) { .cause = CAUSE_ENDLESS_IDLE };
	case STOP_MEMORY:
		return describe_limit(CAUSE_CAP_MEMORY, events_done());
	default:
		return describe_limit(CAUSE_CAP_EVENTS, most);
	}
}

void block_stopped(struct launch *l)
{
	struct trace_finding f;

	if (!run.stopped || rec.fast)
		return;
	f = stop_finding(l);
	f.access = run.stopped_at;
	finding_add(&rec.findings, &f, NULL);
}
