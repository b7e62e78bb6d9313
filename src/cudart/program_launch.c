/*
 * program_launch: a launch that a program makes. See program.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cudart/devices.h"
#include "cudart/pending_launch.h"
#include "cudart/launch_limits.h"
#include "cudart/part_written.h"
#include "cudart/program.h"
#include "cudart/program_call.h"
#include "cudart/program_failing.h"
#include "cudart/program_image.h"
#include "cudart/program_judge.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"

#define LAUNCHES_TOLD 20000
/* Seconds that launches may take with the recorder's hooks, all together;
 * those that are recorded count, but do not end at it. */
#define CHECKED_ALL 2.0

/* ---- launches that a kernel makes ---- */

/*
 * Launches that a kernel makes are done when it has ended, in order, each with
 * those that it makes itself: by CUDA 12's rules a kernel never sees what they
 * do, and they see what it did.
 */
struct device_launch {
	struct device_launch *next;
	struct launch_config config;
	struct stub_call call;
	uint64_t stack[];
};
#define DEVICE_LAUNCHES 2048	/* of one kernel; cudaLimitDevRuntime... */

static struct device_launch *device_first, **device_next = &device_first;
static size_t device_count;
static struct launch_config device_config;

static void device_launch(const struct stub_call *c)
{
	const struct program_kernel *k = program_kernel(c->kernel);
	struct device_launch *d;
	size_t words;

	if (!k || !device_config.pending)
		program_unplayed(program.config.at, "a kernel that another "
				 "kernel calls like a function");
	if (call_by_reference(k->recorded))
		program_unplayed(device_config.at, "a launch in a kernel that "
				 "passes an object with a constructor");
	if (device_count++ >= DEVICE_LAUNCHES)
		program_unplayed(device_config.at, "more than 2048 launches in "
				 "one kernel");
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

static int launch_one(const struct stub_call *c, struct program_kernel *k,
		      const struct launch_config *config);

/* Runs the launches that a kernel has made, in its stream: the host waits for
 * them as for the kernel. */
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

/* ---- configure ---- */

void device_of_launch(struct launch_config *c)
{
	c->device = devices.current;
	c->astray = stream_device(c->stream) != devices.current;
}

/* Reports that the host chose another device than the stream's; returns CUDA's
 * error. */
static int report_astray(const struct launch_config *c, const char *kernel)
{
	struct program_fault p = program_fault("stream-device", c->at, kernel);

	p.bytes = stream_device(c->stream);
	p.room = c->device;
	program_problem(p);
	return cudaErrorInvalidResourceHandle;
}

void gemmviz_configured(const char *file, int line, const struct trace_dim *grid,
			const struct trace_dim *block, size_t shared,
			cudaStream_t stream);
void gemmviz_configured(const char *file, int line, const struct trace_dim *grid,
			const struct trace_dim *block, size_t shared,
			cudaStream_t stream)
{
	struct place at = program_place(file, line);

	struct launch_config *to = emu_in_kernel() ? &device_config :
						     &program.config;

	*to = (struct launch_config) {
		.pending = true, .at = at, .grid = *grid, .block = *block,
		.shared = shared, .stream = stream,
	};
	if (!emu_in_kernel())
		device_of_launch(to);
}

static int config_check(const struct launch_config *c,
			const struct program_kernel *k)
{
	const struct trace_dim *g = &c->grid, *b = &c->block;
	int error = launch_limits(c, k);

	if (error)
		return error;
	if (c->astray)
		return report_astray(c, k->recorded->name);
	if (c->cluster.x && (!c->cluster.y || !c->cluster.z ||
			     g->x % c->cluster.x || g->y % c->cluster.y ||
			     g->z % c->cluster.z))
		return cudaErrorInvalidClusterSize;
	if (c->cooperative && (uint64_t)g->x * g->y * g->z >
			      runtime_resident(b->x * b->y * b->z, c->shared))
		return cudaErrorCooperativeLaunchTooLarge;
	return graph_capture_work(c->stream);
}

/* ---- how it is run ---- */

/* Appends the trace to those that are in the file. */
static int trace_append(int from, uint64_t launch, struct error *e)
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
		"{sI sI}", "launch", (json_int_t)launch, "bytes",
		(json_int_t)at));
	return 0;
}

/* Traces of a program with several devices, which also have what all devices do
 * until it ends. */
static struct kept_trace {
	struct launch_kept trace;
	int fd;
	uint64_t launch;
	uint32_t work;
} kept[TRACES_MOST];
static size_t kept_count;

static bool has_trace_room(void)
{
	return json_array_size(program.traces) + kept_count < TRACES_MOST;
}

/* Returns whether a launch of a judged function is recorded also if nothing is
 * wrong with it: costs are counted at the first call, others are to be looked at.
 * The rest of the room is for faults. */
static bool is_judged_recorded(void)
{
	return judge_is_calling() && json_array_size(program.traces) <
	       (judge_counts() ? TRACES_COUNTED : TRACES_SHOWN);
}

/* Records the launch; *how becomes HOW_RECORDED if a trace is kept for what was
 * found. */
static int record_checked_launch(struct launch *l, enum program_how *how,
				 struct error *e)
{
	struct launch_kept trace = { NULL, { .kernel = NULL } };
	bool room = has_trace_room() && !program.job.kernel.program.images;
	bool keeps = room && devices.count > 1;
	int fd = program.parts[kept_count], rc;

	if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return error_set(e, EXIT_OUTPUT, "cannot store the trace: %m");
	rc = launch_record_call(l, *how == HOW_RECORDED, fd,
				keeps ? &trace : NULL, e);
	if (rc > 0 && room)
		*how = HOW_RECORDED;
	if (trace.writer) {
		kept[kept_count++] =
			(struct kept_trace){ trace, fd, program.number, 0 };
		return rc;
	}
	if (rc > 0 && room)
		rc = trace_append(fd, program.number, e);
	return rc;
}

static int kept_end(struct kept_trace *k, struct error *e)
{
	struct trace_info *info = &k->trace.info;
	int rc;

	info->devices = devices.count;
	info->works = program_works.list;
	info->work_count = program_works.count;
	info->own = k->work;
	rc = trace_writer_finish(k->trace.writer, info, e);
	info->works = NULL;	/* not the trace's */
	info->work_count = 0;
	trace_info_done(info);
	if (rc == 0)
		rc = trace_append(k->fd, k->launch, e);
	return rc;
}

int program_traces_end(struct error *e)
{
	int rc = 0;

	for (size_t i = 0; i < kept_count && rc == 0; i++)
		rc = kept_end(&kept[i], e);
	return rc;
}

static enum program_how how_to(const struct program_kernel *k)
{
	uint32_t wanted = program.job.kernel.program.launch;

	if (program.job.kernel.program.images)
		return program.fast ? HOW_FAST : HOW_CHECKED;
	if (judge_is_on())
		return is_judged_recorded() ? HOW_RECORDED : HOW_CHECKED;
	if (wanted ? program.launches == wanted :
		     k->launches == 1 && has_trace_room())
		return HOW_RECORDED;
	/* Its first launch tells whether its blocks wait for each other. */
	if (!program.fast || k->launches == 1 || k->waits ||
	    program.checked < CHECKED_ALL ||
	    device_has_peers(devices.current))
		return HOW_CHECKED;
	return HOW_FAST;
}

static int run_how(struct launch *l, enum program_how *how, struct error *e)
{
	double began = seconds_now();
	int rc;

	if (*how == HOW_FAST)
		return emu_run_fast(l, e);
	rc = record_checked_launch(l, how, e);
	program.checked += seconds_now() - began;
	return rc;
}

/* ---- the list of launches ---- */

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
	json_array_append_new(
		program.launch_list,
		json_pack("{sI sI ss ss sI so so sI ss ss*}", "number",
			  (json_int_t)program.number, "device",
			  (json_int_t)c->device, "kernel", k->recorded->name,
			  "file", c->at.file ? c->at.file : "", "line",
			  (json_int_t)c->at.line, "grid",
			  program_dims_json(&c->grid), "block",
			  program_dims_json(&c->block), "shared",
			  (json_int_t)c->shared, "how", words[how], "error",
			  error ? runtime_error_name(error) : NULL));
}

/* Returns the error that a fault of the kernel leaves: CUDA's tools stop a
 * launch in the same way. */
static int fault_error(void)
{
	enum emu_end end = emu_launch_end();

	return end == EMU_END_STOPPED ? CUDA_ERROR_TIMEOUT :
	       end == EMU_END_FAULT ? CUDA_ERROR_LAUNCH : 0;
}

static bool waited;	/* the launch that runs has, for its host */

static bool (*waits_over)(void);

/* Checks what the launch waits for, with memory as the kernel sees it, whoever
 * runs. */
static bool can_go_on(void)
{
	bool was = device_memory.open, over;

	device_open_told();
	program_variables_in();
	over = waits_over();
	if (!was)
		device_close();
	return over;
}

bool program_launch_waits(bool (*can_go)(void), uint32_t *line)
{
	double due = budget_due(program.deadline);
	bool goes;

	waited = true;
	waits_over = can_go;
	program_variables_out();
	device_close();
	program.launching = false;
	goes = pending_launch_wait(can_go_on, line);
	program.launching = true;
	device_open_for(devices.current);
	program_variables_in();
	budget_due(due);
	return goes;
}

static int launch_run(const struct stub_call *c, struct program_kernel *k,
		      const struct launch_config *config,
		      enum program_how *how)
{
	static struct launch l;
	bool imaged = program.job.kernel.program.images &&
		      image_wanted(k, config);
	struct error e = { .text = "" };
	struct stream_work w;
	uint32_t number;
	int rc = 0;

	call_prepare(&l, c, k, config);
	waited = false;
	program.launching = true;
	device_open_for(devices.current);
	if (imaged)
		rc = image_before(&l, config, k, &e);
	if (rc == 0)
		rc = run_how(&l, how, &e);
	if (imaged && rc >= 0 && !fault_error())
		rc = image_after(&e);
	w = stream_begin(config->stream);
	if (*how != HOW_FAST) {
		host_race_launch(w, config->at, k->recorded->name);
		stream_race_launch(w, config->at, k->recorded->name);
		part_written_launch(&l);
	}
	number = work_launch(w, config, k, c, *how != HOW_FAST);
	if (kept_count && kept[kept_count - 1].launch == program.number)
		kept[kept_count - 1].work = number;
	device_close();
	k->waits = k->waits || waited ||
		   (emu_blocks_waited() && !config->cooperative);
	program.launching = false;
	emu_leave_kernel();
	if (rc < 0)
		program_stop(config->at, e.text);
	if (l.stop == STOP_SECONDS)
		program_problem((struct program_fault) {
			.kind = "cut", .at = config->at });
	return fault_error();
}

/* A launch, from its call to its end. */
struct launched {
	struct launch_config config;
	struct stub_call call;
	struct program_kernel *kernel;
	enum program_how how;
	uint64_t number;
	uint64_t stack[];
};

static void launch_do(void *with)
{
	struct launched *l = with;
	int error = program.sticky;

	program.number = l->number;
	l->call.stack = (uintptr_t)l->stack;
	if (error || program.job.kernel.program.mute)
		l->how = HOW_REFUSED;
	else
		error = launch_run(&l->call, l->kernel, &l->config, &l->how);
	program.sticky = error;
	launch_note(&l->config, l->kernel, l->how, error);
	device_launches_run(&l->config);
	program.launched = error;
	program_fail(error, l->config.at, l->kernel->recorded->name);
}

static void launch_make(const struct stub_call *c, struct program_kernel *k,
			const struct launch_config *config)
{
	size_t words = call_stack_words(k->recorded);
	size_t bytes = sizeof(struct launched) + words * sizeof(uint64_t);
	struct launched *l = xcalloc(1, bytes);

	*l = (struct launched) { .config = *config, .call = *c, .kernel = k,
				 .how = how_to(k),
				 .number = program.launches };
	memcpy(l->stack, (const void *)c->stack, words * sizeof(*l->stack));
	pending_do(config->stream, config->at, launch_do, l, bytes,
		   call_by_reference(k->recorded) ?
			   N_("an object with a copy constructor as an "
			      "argument of a "
			      "kernel that waits for the host") :
			   NULL);
	free(l);
}

/* Refuses a launch, which has done nothing, with a CUDA error. */
static void launch_refuse(struct program_kernel *k,
			  const struct launch_config *config, int error)
{
	program.number = program.launches;
	launch_note(config, k, HOW_REFUSED, error);
	program.launched = error;
	program_fail(error, config->at, k->recorded->name);
}

static int launch_one(const struct stub_call *c, struct program_kernel *k,
		      const struct launch_config *config)
{
	int error;

	program_due();
	program.launches++;
	error = program.sticky ? program.sticky : config_check(config, k);
	if (failing_call(k->recorded->name, config->at,
			 cudaErrorLaunchOutOfResources) && !error)
		error = cudaErrorLaunchOutOfResources;
	if (error) {
		launch_refuse(k, config, error);
		return error;
	}
	k->launches++;
	launch_make(c, k, config);
	return program.launched;
}

int program_launch(const struct stub_call *c)
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

void stub_called(const struct stub_call *c)
{
	if (emu_in_kernel())
		device_launch(c);
	else
		program_launch(c);
}
