/*
 * budget: what a launch may take of events, steps, seconds and memory, and
 * the finding where it takes more. See scheduler.h.
 */
#include <inttypes.h>

#include "record/serve.h"
#include "emu/scheduler.h"

/* ---- while it runs ---- */

uint64_t events_done(void)
{
	return run.launch->plan.request.max_events - rec.events_left -
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
	if (t < run.report_at)
		return;
	run.report_at = t + PROGRESS_SECONDS;
	if (!serve_progress(events_done(), run.blocks, of))
		run_stop(STOP_GONE);
}

/* ---- how it ended ---- */

static void stopped_endless(const struct thread *t, const char *after)
{
	uint32_t line = t->at ? t->at->line : 0;

	finding_say(&rec.findings, FINDING_ENDLESS, line,
		    "stopped after %s: "
		    "the kernel does not end, or needs more; thread %s of "
		    "block %s is in line %" PRIu32,
		    after, emu_finding_thread(t),
		    emu_finding_block(rec.block_number), line);
}

/* Where the cap was reached, and how far the rest is. */
static void stopped_full(const struct thread *t, const char *what)
{
	uint64_t of = (uint64_t)rec.grid.x * rec.grid.y * rec.grid.z;
	uint32_t ended = 0, line = t->at ? t->at->line : 0;

	for (uint32_t i = 0; i < rec.thread_count; i++)
		ended += rec.threads[i].state == THREAD_ENDED;
	finding_say(&rec.findings, FINDING_CAP, line,
		    "recording stopped at "
		    "%s: %" PRIu64 " of %" PRIu64 " blocks are complete; in "
		    "block %s, %" PRIu32 " of %" PRIu32 " threads had ended, "
		    "and thread %s was in line %" PRIu32,
		    what, run.blocks - rec.cluster, of,
		    emu_finding_block(rec.block_number), ended,
		    rec.thread_count, emu_finding_thread(t), line);
}

void block_stopped(struct launch *l)
{
	const struct thread *t = run.stopped_in;
	char what[100];

	if (!t)
		return;
	if (l->stop == STOP_NONE)
		l->stop = rec.memory_left == 0 ? STOP_MEMORY : STOP_EVENTS;
	switch (l->stop) {
	case STOP_STEPS:
		snprintf(what, sizeof(what), "%" PRIu64 " steps", run.steps);
		stopped_endless(t, what);
		return;
	case STOP_SECONDS:
		snprintf(what, sizeof(what), "%g seconds",
			 l->plan.request.seconds);
		stopped_endless(t, what);
		return;
	case STOP_IDLE:
		stopped_endless(t, "a second of an empty loop");
		return;
	case STOP_MEMORY:
		snprintf(what, sizeof(what), "%" PRIu64 " events, all that "
			 "one block has memory for", events_done());
		break;
	default:
		snprintf(what, sizeof(what), "the cap of %" PRIu64 " events",
			 l->plan.request.max_events);
	}
	if (run.stopped_alone)
		stopped_endless(t, what);
	else
		stopped_full(t, what);
}
