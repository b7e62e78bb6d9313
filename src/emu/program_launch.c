/*
 * program_launch: a launch that a program makes. See program.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "emu/fibre.h"
#include "emu/hooks.h"
#include "emu/program.h"
#include "emu/program_call.h"
#include "emu/runtime.h"
#include "emu/stream_race.h"

#define TRACES_MOST 64		/* of a program */
#define LAUNCHES_TOLD 20000
/* Seconds that launches may take with the recorder's hooks, all together;
 * those that are recorded count, but do not end at it. */
#define CHECKED_ALL 2.0

/* ---- launches that a kernel makes ---- */

/*
 * They are done when the kernel has ended, in order, each with those that it
 * makes itself: by CUDA 12's rules a kernel never sees what they do, and they
 * see what it did.
 */
struct device_launch {
	struct device_launch *next;
	struct launch_config config;
	struct entry_call call;
	uint64_t stack[];
};
#define DEVICE_LAUNCHES 2048	/* of one kernel; cudaLimitDevRuntime... */

static struct device_launch *device_first, **device_next = &device_first;
static size_t device_count;
static struct launch_config device_config;

static void device_launch(const struct entry_call *c)
{
	const struct program_kernel *k = program_kernel(c->kernel);
	struct device_launch *d;
	size_t words;

	if (!k || !device_config.pending)
		program_unplayed(program.config.at, "a kernel that another "
				 "calls like a function");
	if (call_by_reference(k->recorded))
		program_unplayed(device_config.at, "a launch within a kernel "
				 "that passes an object with a constructor");
	if (device_count++ >= DEVICE_LAUNCHES)
		program_unplayed(device_config.at, "more than 2048 launches "
				 "within a kernel, which wait for its end");
	words = call_stack_words(k->recorded);
	d = xcalloc(1, sizeof(*d) + words * sizeof(*d->stack));
	d->call = *c;
	d->config = device_config;
	memcpy(d->stack, (const void *)(uintptr_t)c->stack,
	       words * sizeof(*d->stack));
	d->call.stack = (uintptr_t)d->stack;
	*device_next = d;
	device_next = &d->next;
	device_config.pending = false;
}

static int launch_one(const struct entry_call *c, struct program_kernel *k,
		      const struct launch_config *config);

/* The host waits for them as for the kernel that made them. */
static void device_launches_run(const struct launch_config *of)
{
	struct device_launch *d = device_first, *next;

	device_first = NULL;
	device_next = &device_first;
	device_count = 0;
	for (; d; d = next) {
		next = d->next;
		d->config.stream = of->stream;
		if (!program.sticky)
			launch_one(&d->call, program_kernel(d->call.kernel),
				   &d->config);
		free(d);
	}
}

/* ---- what is configured ---- */

void gemmviz_configured(const char *file, int line, const struct trace_dim *grid,
			const struct trace_dim *block, size_t shared,
			cudaStream_t stream);
void gemmviz_configured(const char *file, int line, const struct trace_dim *grid,
			const struct trace_dim *block, size_t shared,
			cudaStream_t stream)
{
	struct place at = program_place(file, line);

	struct launch_config *to = rec.thread ? &device_config :
						&program.config;

	*to = (struct launch_config) {
		.pending = true, .at = at, .grid = *grid, .block = *block,
		.shared = shared, .stream = stream,
	};
}

static int config_check(const struct launch_config *c,
			const struct program_kernel *k)
{
	const struct trace_dim *g = &c->grid, *b = &c->block;

	if (!b->x || !b->y || !b->z || !g->x || !g->y || !g->z ||
	    b->x > 1024 || b->y > 1024 || b->z > 64 ||
	    (uint64_t)b->x * b->y * b->z > BLOCK_THREADS_MAX ||
	    g->x > INT32_MAX || g->y > 65535 || g->z > 65535)
		return CUDA_ERROR_CONFIGURATION;
	if (c->cluster.x && (!c->cluster.y || !c->cluster.z ||
			     g->x % c->cluster.x || g->y % c->cluster.y ||
			     g->z % c->cluster.z))
		return CUDA_ERROR_CONFIGURATION;
	if (c->shared > MAX(k->bytes_of_shared, SHARED_USUAL))
		return CUDA_ERROR_VALUE;
	return 0;
}

/* ---- how it is run ---- */

static enum program_how how_to(const struct program_kernel *k)
{
	uint32_t wanted = program.job.kernel.program.launch;

	if (wanted ? program.launches == wanted :
	    k->launches == 1 && json_array_size(program.traces) < TRACES_MOST)
		return HOW_RECORDED;
	if (!program.fast || program.checked < CHECKED_ALL)
		return HOW_CHECKED;
	return HOW_FAST;
}

/* The trace, behind those that are in the file. */
static int trace_append(int from, struct error *e)
{
	char buffer[65536];
	off_t at = 0;
	ssize_t n;

	lseek(program.trace, 0, SEEK_END);
	while ((n = pread(from, buffer, sizeof(buffer), at)) > 0) {
		if (write_all(program.trace, buffer, (size_t)n) < 0)
			return error_set(e, EXIT_OUTPUT, "cannot store the "
					 "trace: %m");
		at += n;
	}
	json_array_append_new(program.traces, json_pack(
		"{sI sI}", "launch", (json_int_t)program.launches, "bytes",
		(json_int_t)at));
	return 0;
}

/* *how becomes HOW_RECORDED if a trace is kept for what was found. */
static int record(struct launch *l, enum program_how *how, struct error *e)
{
	int fd = memfd_create("trace", MFD_CLOEXEC), rc;

	if (fd < 0)
		return error_set(e, EXIT_RUNNER, "no memory for a trace");
	rc = launch_record_call(l, *how == HOW_RECORDED, fd, e);
	if (rc > 0 && json_array_size(program.traces) < TRACES_MOST) {
		*how = HOW_RECORDED;
		rc = trace_append(fd, e);
	}
	close(fd);
	return rc;
}

static int run_how(struct launch *l, enum program_how *how, struct error *e)
{
	double began = seconds_now();
	int rc;

	if (*how == HOW_FAST)
		return call_fast(l, e);
	rc = record(l, how, e);
	program.checked += seconds_now() - began;
	return rc;
}

/* ---- the list of launches ---- */

static json_t *dims(const struct trace_dim *d)
{
	return json_pack("[III]", (json_int_t)d->x, (json_int_t)d->y,
			 (json_int_t)d->z);
}

static void launch_note(const struct launch_config *c,
			const struct program_kernel *k, enum program_how how,
			int error)
{
	static const char *const words[] = {
		[HOW_RECORDED] = "recorded", [HOW_CHECKED] = "run",
		[HOW_FAST] = "run", [HOW_REFUSED] = "refused",
	};

	if (json_array_size(program.launch_list) >= LAUNCHES_TOLD &&
	    how != HOW_RECORDED)
		return;
	json_array_append_new(program.launch_list, json_pack(
		"{sI ss ss sI so so sI ss ss*}", "number",
		(json_int_t)program.launches, "kernel", k->recorded->name,
		"file", c->at.file ? c->at.file : "", "line",
		(json_int_t)c->at.line, "grid", dims(&c->grid), "block",
		dims(&c->block), "shared", (json_int_t)c->shared, "how",
		words[how], "error", error ? runtime_error_name(error) :
		NULL));
}

/* What a fault of the kernel's leaves: CUDA's tools stop a launch in the same
 * way. */
static int fault_error(void)
{
	if (rec.stop)
		return CUDA_ERROR_TIMEOUT;
	return rec.spoiled ? CUDA_ERROR_LAUNCH : 0;
}

static int launch_run(const struct entry_call *c, struct program_kernel *k,
		      const struct launch_config *config,
		      enum program_how *how)
{
	static struct launch l;
	struct error e = { .text = "" };
	int rc;

	call_prepare(&l, c, k, config);
	program.launching = true;
	device_open();
	rc = run_how(&l, how, &e);
	if (*how != HOW_FAST) {
		struct stream_work w = stream_begin(config->stream);

		host_race_launch(w, config->at, k->recorded->name);
		stream_race_launch(w, config->at, k->recorded->name);
	}
	device_close();
	program.launching = false;
	rec.thread = NULL;
	if (rc < 0)
		program_unplayed(config->at, e.text);
	if (l.stop == STOP_SECONDS)
		program_problem((struct program_fault) {
			.kind = "cut", .at = config->at });
	return fault_error();
}

static int launch_one(const struct entry_call *c, struct program_kernel *k,
		      const struct launch_config *config)
{
	enum program_how how;
	int error;

	program.launches++;
	k->launches++;
	error = program.sticky ? program.sticky : config_check(config, k);
	how = error ? HOW_REFUSED : how_to(k);
	if (!error) {
		error = launch_run(c, k, config, &how);
		program.sticky = error;
	}
	launch_note(config, k, how, error);
	device_launches_run(config);
	program.launched = error;
	return program_fail(error, config->at, k->recorded->name);
}

int program_launch(const struct entry_call *c)
{
	struct program_kernel *k = program_kernel(c->kernel);
	struct launch_config config = program.config;

	program.config.pending = false;
	if (!k || !config.pending)
		program_unplayed(config.at, "a kernel that is called like a "
				 "function");
	program.launched = 0;
	if (graph_captures(config.stream)) {
		graph_capture_launch(c, k, &config);
		return 0;
	}
	return launch_one(c, k, &config);
}

void entry_called(const struct entry_call *c)
{
	if (rec.thread)
		device_launch(c);
	else
		program_launch(c);
}
