#include "timing/benchmark.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "timing/timing_json.h"
#include "timing/tuned.h"

/* A float64 reference on the CPU takes its time; nothing else is silent. */
#define SILENCE 300
/* A recording of any length plays for about so long, but no faster than the
 * bars can be followed. */
#define PLAY_SECONDS 15
#define PACE_HIGHEST 60
/* What one step looks at: a runner that never stops holds nobody up. */
#define STEP_MESSAGES 1000

static void no_gpu(struct error *e, const char *why)
{
	error_set(e, EXIT_GPU, _("%s; --runner 'ssh HOST gemmviz-gpu' uses the "
				 "GPU of another machine, and gemmviz race "
				 "plays recorded times"), why);
}

static struct runner *start_runner(char *const *argv, struct error *e)
{
	char *const ours[] = { paths()->gpu, NULL };

	if (argv)
		return runner_start(argv, e);
	if (!access(paths()->gpu, X_OK))
		return runner_start(ours, e);
	no_gpu(e, _("gemmviz-gpu is not built here"));
	return NULL;
}

struct benchmark *benchmark_start(const struct job_time *job,
				  char *const *argv, struct error *e)
{
	struct job_time whole = job_time_copy(job);
	struct runner *runner = tuned_add(&whole, e) ? NULL :
						       start_runner(argv, e);
	struct benchmark *r = NULL;

	if (runner) {
		r = xcalloc(1, sizeof(*r));
		r->runner = runner;
		r->silence = runner_patience(SILENCE);
		r->repeat = (size_t)job->repeat;
		r->timing = timing_new(job);
		runner_send_time(runner, &whole);
		r->heard = seconds_now();
	}
	job_time_done(&whole);
	return r;
}

/* Counts the results of the size that is played; merged benchmarks play one
 * size. */
static size_t lead_of(const struct timing *t)
{
	size_t n = 0;

	if (!t->merged)
		return t->order_count;
	while (n < t->order_count && t->order[n] / t->case_count ==
				     t->order[0] / t->case_count)
		n++;
	return n;
}

struct benchmark *benchmark_play(struct timing *whole)
{
	struct benchmark *r = xcalloc(1, sizeof(*r));

	r->whole = whole;
	r->timing = timing_replay(whole);
	r->lead = lead_of(whole);
	r->pace = MIN(PACE_HIGHEST, (double)r->lead / PLAY_SECONDS);
	return r;
}

void benchmark_free(struct benchmark *r)
{
	if (!r)
		return;
	runner_free(r->runner);
	timing_free(r->timing);
	timing_free(r->whole);
	free(r);
}

bool benchmark_over(const struct benchmark *r)
{
	return r->whole ? r->timing->done : !r->runner;
}

bool benchmark_counting(const struct benchmark *r)
{
	return r->runner && r->counters && r->timing->done;
}

size_t benchmark_fds(const struct benchmark *r, struct pollfd *fds)
{
	if (!r->runner)
		return 0;
	fds[0] = (struct pollfd){ .fd = runner_read_fd(r->runner),
				  .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = runner_write_fd(r->runner),
				  .events = POLLOUT };
	return 2;
}

/* Returns the seconds of silence left before the runner is given up; negative
 * when silence is not limited. */
static double silence_left(const struct benchmark *r)
{
	if (!r->runner || r->paused || r->timing->place >= 0)
		return -1;
	return MAX(0, r->heard + r->silence - seconds_now());
}

int benchmark_patience(const struct benchmark *r)
{
	double left = silence_left(r);

	if (r->more)
		return 0;
	return left < 0 ? -1 : (int)(left * 1000) + 1;
}

static void end_benchmark(struct benchmark *r, const struct error *e)
{
	if (e)
		r->error = *e;
	runner_free(r->runner);
	r->runner = NULL;
	r->more = false;
}

/* Ends the benchmark without a runner. A failure during counting leaves the
 * times valid. */
static void lose_runner(struct benchmark *r, const struct error *e)
{
	bool counting = benchmark_counting(r);

	if (counting)
		r->counters_error = *e;
	end_benchmark(r, counting ? NULL : e);
}

static void end_refused(struct benchmark *r, const struct error *why)
{
	struct error e = *why;

	if (why->status == EXIT_GPU)
		no_gpu(&e, why->text);
	end_benchmark(r, &e);
}

/* ---- what the hardware counts ---- */

/* Sends a job that counts one timed kernel; returns its "id". */
static long ask_counters(struct runner *r, const struct timing *t,
			 size_t result)
{
	const struct timing_case *n = &t->cases[result % t->case_count];
	const struct problem_sizes *s = &t->sizes[result / t->case_count];
	const struct job_defines *tuned = &t->results[result].defines;
	struct job job;
	long id;

	job_init(&job, JOB_COUNTERS);
	job.kernel = job_kernel_copy(&n->what);
	job_defines_add(&job.kernel.defines, tuned);
	job.size = *s;
	job.optimized = true;
	id = runner_send(r, &job);
	job_done(&job);
	return id;
}

/* Asks for the counters of the next kernel that was timed, or ends. */
static void next_counters(struct benchmark *r)
{
	const struct timing *t = r->timing;

	r->counters_id = 0;
	while (!r->paused && r->counted < t->size_count * t->case_count) {
		size_t at = r->counted++;

		if (t->results[at].state != TIMING_TIMED)
			continue;
		r->counters_id = ask_counters(r->runner, t, at);
		return;
	}
	if (!r->paused)
		end_benchmark(r, NULL);
}

/* Stores the counters of a kernel. Ends at the first one that cannot be
 * counted, since the others could not either. */
static void take_counters(struct benchmark *r, const struct runner_event *ev)
{
	const struct timing *t = r->timing;
	size_t at = r->counted - 1, size = at / t->case_count;
	struct timing_case *n = &t->cases[at % t->case_count];
	const struct problem_sizes *s = &t->sizes[size];
	double bytes;

	if (runner_refused(ev, &r->counters_error)) {
		r->counters_error.status = EXIT_RUNNER;
		end_benchmark(r, NULL);
		return;
	}
	for (size_t i = 0; i < timing_count_count; i++)
		*timing_count(&n->counts[size], i) =
			runner_counter(ev, timing_count_name(i));
	bytes = n->counts[size].dram_bytes;
	if (bytes > 0)
		n->intensity[size] =
			problem_gemm.flops(s->m, s->n, s->k) / bytes;
	next_counters(r);
}

static void take_benchmark_message(struct benchmark *r,
				   const struct runner_event *ev)
{
	struct error what, e;
	int status = 0;

	if (benchmark_counting(r)) {
		if (ev->id == r->counters_id)
			take_counters(r, ev);
	} else if (runner_refused(ev, &what)) {
		end_refused(r, &what);
	} else if (timing_take(r->timing, ev->message, &status, &what) &&
		   status) {
		error_set(&e, EXIT_RUNNER, _("%s violates the protocol: %s"),
			  runner_name(r->runner), what.text);
		end_benchmark(r, &e);
	} else if (r->timing->done && r->counters) {
		next_counters(r);
	} else if (r->timing->done) {
		end_benchmark(r, NULL);
	}
}

void benchmark_pause(struct benchmark *r, bool paused)
{
	struct job job;

	r->paused = paused;
	r->heard = seconds_now();
	job_init(&job, JOB_PAUSE);
	job.paused = paused;
	if (benchmark_counting(r) && !paused && !r->counters_id)
		next_counters(r);
	else if (r->runner && !benchmark_counting(r))
		runner_send(r->runner, &job);
}

void benchmark_cancel(struct benchmark *r)
{
	struct job job;

	if (benchmark_counting(r))
		end_benchmark(r, NULL);
	r->counters = false;
	job_init(&job, JOB_CANCEL);
	if (r->runner)
		runner_send(r->runner, &job);
}

bool benchmark_step(struct benchmark *r)
{
	uint64_t signs = r->runner ? runner_signs(r->runner) : 0;
	struct runner_event ev;
	struct error e;
	bool any = false;

	r->more = r->runner != NULL;
	for (int i = 0; r->runner && i < STEP_MESSAGES; i++) {
		runner_step(r->runner, &ev);
		r->more = ev.kind != RUNNER_NOTHING;
		if (!r->more)
			break;
		any = true;
		r->heard = seconds_now();
		if (ev.kind == RUNNER_LOST)
			lose_runner(r, &ev.error);
		else
			take_benchmark_message(r, &ev);
		runner_event_done(&ev);
	}
	any |= r->runner && runner_signs(r->runner) != signs;
	if (!r->runner || silence_left(r) != 0)
		return any;
	runner_silent(r->runner, r->silence, &e);
	lose_runner(r, &e);
	return true;
}

bool benchmark_tick(struct benchmark *r, double seconds)
{
	size_t before = r->timing->order_count;

	if (!r->whole || r->paused)
		return false;
	r->credit += seconds * r->pace;
	while ((r->credit >= 1 || r->timing->order_count >= r->lead) &&
	       timing_replay_next(r->timing, r->whole))
		r->credit--;
	return r->timing->order_count != before;
}
