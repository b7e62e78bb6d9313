/*
 * record_bench: how long the CPU recorder takes for 64x64x64 of each kernel,
 * or the next size that it takes, from request to trace, how many events a
 * second it makes of a larger launch, and what a trace takes on disk.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "runner/runner.h"
#include "trace/trace.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Records and returns the seconds; *events and *bytes of the trace. */
static double record(struct runner *r, const char *kernel, int size,
		     uint64_t *events, long long *bytes)
{
	struct job job;
	struct runner_event ev;
	struct trace *t;
	struct error e;
	double start, seconds;

	job_launch(&job, JOB_RECORD, kernel, size, size, size, NULL, 0);
	start = now();
	runner_wait(r, runner_send(r, &job), 120, &ev);
	seconds = now() - start;
	job_done(&job);
	if (ev.kind != RUNNER_TRACE)
		fatal("%s was not recorded", kernel);
	*bytes = lseek(ev.fd, 0, SEEK_END);
	json_decref(ev.message);
	t = trace_open_fd(ev.fd, kernel, &e);
	if (!t)
		fatal("%s", e.text);
	*events = trace_event_count(t);
	trace_close(t);
	return seconds;
}

/* The first size from `size` on that the kernel takes. */
static int size_taken(const struct kernel *k, int size)
{
	int p[KERNEL_PARAMS];

	kernel_defaults(k, p);
	while (k->refuses && k->refuses(p, size, size, size))
		size += 64;
	return size;
}

int main(void)
{
	struct error e;
	struct runner *r = runner_start(NULL, &e);

	if (!r)
		fatal("%s", e.text);
	for (size_t i = 0; i < kernel_count; i++) {
		const char *name = kernels[i].name;
		uint64_t events;
		long long bytes;
		int small = size_taken(&kernels[i], 64);
		int large = size_taken(&kernels[i], 192);
		double s = record(r, name, small, &events, &bytes);

		printf("record_%s_%d %.1f ms\n", name, small, s * 1e3);
		printf("trace_%s_%d %.3f bytes/event\n", name, small,
		       (double)bytes / (double)events);
		s = record(r, name, large, &events, &bytes);
		printf("record_%s_%d %.1f million events/s\n", name, large,
		       (double)events / s / 1e6);
	}
	runner_free(r);
	return 0;
}
