/*
 * recording: see recording.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record/findings.h"
#include "record/answer.h"
#include "record/contents.h"
#include "record/serve.h"
#include "base/text.h"
#include "trace/trace_format.h"
#include "gpu/compile.h"
#include "gpu/launch.h"
#include "gpu/recording.h"
#include "gpu/replay.h"
#include "gpu/signature.h"
#include "gpu/embedded.h"

/* Bytes between variables of a module that may be for their alignment. */
#define GLOBAL_GAP 16
/* Bytes of events that one run leaves in the GPU's memory, at the most and
 * when there is no more room. */
#define EVENTS_MOST (1ull << 30)
#define EVENTS_LEAST (64ull << 20)
/* Events of one thread, labels counted, after which its kernel does not
 * end; and how many of them are kept then. */
#define BUDGET_MOST (1ull << 22)
#define BUDGET_KEPT (1ull << 14)
#define PROGRESS_SECONDS 0.2

struct recording {
	struct plan plan;
	const struct device *device;
	struct compiled compiled[3];
	const char *debug, *shared, *optimized;	/* PTX; NULL: not wanted */
	struct ptx *ptx, *debug_ptx;	/* what runs; what knows the names */
	struct ptx *shared_ptx;		/* of NVRTC's: names of shared arrays */
	struct dwarf names, shared_names;
	const struct debug_function *entry;
	struct debug_function *signature;	/* or NULL */
	struct argument arguments[ARGUMENTS_MOST];
	int argument_count;
	struct launch_arguments values;
	/* Of the problem; where the kernel has none, memory is 0. */
	struct trace_array arrays[PROBLEM_ARRAYS];
	void *contents[PROBLEM_ARRAYS];	/* before the launch */
	CUdeviceptr memory[PROBLEM_ARRAYS];
	CUmodule module;
	CUfunction function;
	CUdeviceptr state, slots, counts, first, room, events;
	uint64_t events_bytes;
	uint32_t *chosen;		/* blocks, ascending; NULL: all */
	uint64_t chosen_count;
	uint32_t *count;		/* a thread of a chosen block */
	/* Variables of the module, and what they are before a launch. */
	struct global { CUdeviceptr at; void *was; size_t bytes; } *globals;
	size_t global_count, global_capacity;
	uint32_t ranges;		/* global arrays */
	int reserved;			/* bytes of shared memory, first */
	struct record_state host;
	struct replay *replay;
	uint64_t blocks_done;
	bool lost;
};

/* ---- the code ---- */

/* A text with one kernel in it needs not say which. */
static int entry_name(struct plan *p, struct error *e)
{
	struct debug_function *f;

	if (p->kernel || p->job.kernel.entry)
		return 0;
	f = signature_read(p->text, NULL, e);
	if (!f)
		return -1;
	p->job.kernel.entry = xstrdup(f->name);
	signature_free(f);
	return 0;
}

static int code_compile(const struct recording *r, enum compile_for what,
			struct compiled *to, struct error *e)
{
	const struct job *job = &r->plan.job;

	return compile(to, what, job->kernel.file, r->plan.text,
		       r->plan.kernel ? r->plan.kernel->entry :
					job->kernel.entry,
		       job->kernel.defines.list, job->kernel.defines.count,
		       r->device->major, r->device->minor, e);
}

/* What nvcc made of it when the program was built; NULL: nothing. */
static const struct embedded *code_stored(const struct plan *p)
{
	const struct embedded *s;
	char *build;

	if (!p->kernel)
		return NULL;
	build = plan_build(p);
	s = embedded_find(build, p->text, p->length);
	free(build);
	return s;
}

static int code_find(struct recording *r, struct error *e)
{
	const struct embedded *s = code_stored(&r->plan);
	bool optimized = r->plan.job.optimized;
	struct error no_names;

	if (s) {
		r->debug = s->ptx_debug;
		r->optimized = optimized ? s->ptx_optimized : NULL;
		return 0;
	}
	if (entry_name(&r->plan, e) < 0 ||
	    code_compile(r, COMPILE_DEBUG, &r->compiled[0], e) < 0 ||
	    (optimized &&
	     code_compile(r, COMPILE_OPTIMIZED, &r->compiled[2], e) < 0))
		return -1;
	/* A text that cannot do without the word __shared__ goes without. */
	code_compile(r, COMPILE_NAMES, &r->compiled[1], &no_names);
	r->debug = r->compiled[0].code;
	r->shared = r->compiled[1].code;
	r->optimized = r->compiled[2].code;
	return 0;
}

/* Their accesses are no instructions of a thread. */
static int unit_check(const struct recording *r, struct error *e)
{
	static const struct { const char *start, *what; } units[] = {
		{ "cp.async.bulk", "TMA" }, { "wgmma.", "wgmma" },
		{ "mbarrier.", "mbarriers" },
	};

	for (size_t i = 0; i < LENGTH(units); i++)
		if (strstr(r->debug, units[i].start))
			return error_set(e, EXIT_USAGE, "%s uses %s, which "
					 "cannot be recorded on the GPU; it "
					 "can be recorded on the CPU",
					 text_show(r->plan.job.kernel.file),
					 units[i].what);
	return 0;
}

static struct ptx *instrument(const char *code, struct error *e)
{
	return ptx_instrument(code, strlen(code), embedded_record_ptx, e);
}

static int names_find(struct recording *r, struct error *e)
{
	r->debug_ptx = instrument(r->debug, e);
	if (!r->debug_ptx || dwarf_read(&r->names, r->debug_ptx, e) < 0)
		return -1;
	if (r->shared) {
		r->shared_ptx = instrument(r->shared, e);
		if (!r->shared_ptx ||
		    dwarf_read(&r->shared_names, r->shared_ptx, e) < 0)
			return -1;
	}
	r->ptx = r->optimized ? instrument(r->optimized, e) : r->debug_ptx;
	return r->ptx ? 0 : -1;
}

static bool is_entry(const struct ptx *p, const char *linkage)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].entry &&
		    !strcmp(p->functions[i].name, linkage))
			return true;
	return false;
}

static int entry_find(struct recording *r, struct error *e)
{
	const struct debug *d = r->names.debug;
	const char *wanted = r->plan.kernel ? r->plan.kernel->entry :
			     r->plan.job.kernel.entry;
	const char *linkage = r->compiled[0].entry;

	for (size_t i = 0; i < d->function_count && !r->entry; i++)
		if (is_entry(r->debug_ptx, d->functions[i].linkage) &&
		    (linkage ? !strcmp(linkage, d->functions[i].linkage) :
			       !strcmp(wanted, d->functions[i].name)))
			r->entry = &d->functions[i];
	if (r->entry)
		return 0;
	return error_set(e, EXIT_USAGE, "there is no kernel %s in %s",
			 text_show(wanted), text_show(r->plan.job.kernel.file));
}

static int module_load(struct recording *r, const char *code, int level,
		       struct error *e)
{
	char log[1024] = "";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
				   CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
				   CU_JIT_OPTIMIZATION_LEVEL };
	void *values[] = { log, (void *)(uintptr_t)sizeof(log),
			   (void *)(uintptr_t)level };
	CUresult c = cuda.ModuleLoadDataEx(&r->module, code, LENGTH(options),
					   options, values);

	if (c != CUDA_SUCCESS) {
		cuda_check(e, "cuModuleLoadDataEx", c);
		log[strcspn(log, "\n")] = '\0';
		return log[0] ? error_set(e, EXIT_RUNNER, "the driver does "
					  "not take %s's code: %s", text_show(
						  r->plan.job.kernel.file),
					  text_show(log)) : -1;
	}
	return CUDA_TRY(e, ModuleGetFunction, &r->function, r->module,
			r->entry->linkage);
}

/* ---- memory ---- */

static int upload(CUdeviceptr *to, const void *from, uint64_t bytes,
		  struct error *e)
{
	if (CUDA_TRY(e, MemAlloc, to, bytes) < 0)
		return -1;
	return CUDA_TRY(e, MemcpyHtoD, *to, from, bytes);
}

/* With more than there is room for, nothing is checked. */
static void range_add(struct recording *r, uint64_t lo, uint64_t bytes)
{
	if (r->ranges < RECORD_RANGES) {
		r->host.range[r->ranges][0] = lo;
		r->host.range[r->ranges][1] = lo + bytes;
	}
	r->ranges++;
	r->host.range_count = r->ranges <= RECORD_RANGES ? r->ranges : 0;
}

static int matrix_make(struct recording *r, int argument, struct error *e)
{
	const struct argument *a = &r->arguments[argument];
	int m = a->array;
	uint64_t bytes;

	if (contents_array(&r->plan, a, &r->arrays[m], e) < 0)
		return -1;
	bytes = trace_array_bytes(&r->arrays[m]);
	r->contents[m] = xmalloc(bytes);
	contents_fill(&r->plan, &r->arrays[m], m, r->contents[m]);
	if (upload(&r->memory[m], r->contents[m], bytes, e) < 0)
		return -1;
	range_add(r, r->memory[m], bytes);
	return launch_array(&r->values, argument, a, r->memory[m],
			     (int)r->arrays[m].dims[0],
			     (int)r->arrays[m].dims[1], e);
}

static uint64_t matrix_bytes(const struct recording *r, int argument)
{
	return trace_array_bytes(&r->arrays[r->arguments[argument].array]);
}

/*
 * What runs over the end of one matrix must not be in the next: between two,
 * as much is taken and given back. (Of another size, it would come from
 * elsewhere.)
 */
static int matrices_make(struct recording *r, struct error *e)
{
	CUdeviceptr gaps[ARGUMENTS_MOST] = { 0 };
	int rc = 0;

	r->argument_count = arguments_find(&r->plan, r->signature ?
					     r->signature : r->entry,
					     r->arguments, e);
	if (r->argument_count < 0)
		return -1;
	for (int i = 0; i < r->argument_count && rc == 0; i++) {
		if (r->arguments[i].array < 0) {
			launch_value(&r->values, i, &r->arguments[i]);
			continue;
		}
		rc = matrix_make(r, i, e);
		if (rc == 0)
			rc = CUDA_TRY(e, MemAlloc, &gaps[i],
				      matrix_bytes(r, i));
	}
	for (int i = 0; i < r->argument_count; i++)
		if (gaps[i])
			cuda.MemFree(gaps[i]);
	return rc;
}

/* Shared memory that the kernel may touch. */
static int shared_bound(struct recording *r, struct error *e)
{
	int bytes;

	if (CUDA_TRY(e, FuncGetAttribute, &bytes,
		     CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, r->function) < 0 ||
	    launch_shared(&r->plan, r->function, e) < 0)
		return -1;
	r->host.shared_first = (unsigned)r->reserved;
	r->host.shared_end = (unsigned)(r->reserved + bytes) +
			     plan_shared(&r->plan);
	return 0;
}

static int global_keep(struct recording *r, CUdeviceptr at, size_t bytes,
		       struct error *e)
{
	void *was = xmalloc(bytes);

	grow(&r->globals, &r->global_capacity, r->global_count + 1,
	     sizeof(*r->globals));
	r->globals[r->global_count].at = at;
	r->globals[r->global_count].bytes = bytes;
	r->globals[r->global_count++].was = was;
	return CUDA_TRY(e, MemcpyDtoH, was, at, bytes);
}

static int by_address(const void *a, const void *b)
{
	const struct global *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* They stand side by side, dozens where headers have asserts: what is between
 * two is taken for both. */
static void globals_bound(struct recording *r)
{
	const struct global *g = r->globals;

	if (r->global_count)
		qsort(r->globals, r->global_count, sizeof(*g), by_address);
	for (size_t i = 0, first = 0; i < r->global_count; i++) {
		uint64_t end = g[i].at + g[i].bytes;

		if (i + 1 < r->global_count && g[i + 1].at < end + GLOBAL_GAP)
			continue;
		range_add(r, g[first].at, end - g[first].at);
		first = i + 1;
	}
}

/* Variables that the module has in global memory; one is the recorder's. */
static int globals_find(struct recording *r, struct error *e)
{
	size_t bytes;

	if (CUDA_TRY(e, ModuleGetGlobal, &r->state, &bytes, r->module,
		     "gemmviz_state") < 0)
		return -1;
	for (size_t i = 0; i < r->ptx->symbol_count; i++) {
		const struct ptx_symbol *s = &r->ptx->symbols[i];
		CUdeviceptr at;

		if (s->space != PTX_GLOBAL)
			continue;
		if (CUDA_TRY(e, ModuleGetGlobal, &at, &bytes, r->module,
			     s->name) < 0 ||
		    global_keep(r, at, bytes, e) < 0)
			return -1;
		replay_global(r->replay, s->name, at);
	}
	globals_bound(r);
	return 0;
}

static int replay_make(struct recording *r, int fd, struct error *e)
{
	r->reserved = MAX(0, device_attribute(r->device,
		CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
	r->replay = replay_new(&r->plan, r->ptx, &r->names,
			       r->shared_names.debug, r->debug_ptx,
			       r->device->name, r->entry->name,
			       (uint64_t)r->reserved, fd);
	for (int m = 0; m < PROBLEM_ARRAYS; m++)
		for (int i = 0; i < r->argument_count; i++)
			if (r->arguments[i].array == m)
				replay_matrix(r->replay, &r->arrays[m],
					(uint32_t)i,
					r->arguments[i].var->type.to_const,
					r->memory[m]);
	return shared_bound(r, e) < 0 ? -1 : globals_find(r, e);
}

/* ---- running ---- */

static uint64_t recorded(const struct recording *r)
{
	return r->replay ? replay_events(r->replay) : 0;
}

/* Until the launch has ended; a kernel that never does keeps the GPU. */
static int wait_for_end(struct recording *r, struct error *e)
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
			if (!serve_progress(recorded(r), r->blocks_done,
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
static int launch(struct recording *r, struct error *e)
{
	for (int m = 0; m < PROBLEM_ARRAYS; m++)
		if (r->memory[m] &&
		    CUDA_TRY(e, MemcpyHtoD, r->memory[m], r->contents[m],
			     trace_array_bytes(&r->arrays[m])) < 0)
			return -1;
	for (size_t i = 0; i < r->global_count; i++)
		if (CUDA_TRY(e, MemcpyHtoD, r->globals[i].at,
			     r->globals[i].was, r->globals[i].bytes) < 0)
			return -1;
	if (launch_start(&r->plan, r->function, &r->values, e) < 0)
		return -1;
	return wait_for_end(r, e);
}

/* One that records what the state says. */
static int run(struct recording *r, struct error *e)
{
	if (CUDA_TRY(e, MemcpyHtoD, r->state, &r->host, sizeof(r->host)) < 0)
		return -1;
	return launch(r, e);
}

static uint32_t block_at(const struct recording *r, uint64_t i)
{
	return r->chosen ? r->chosen[i] : (uint32_t)i;
}

/* Blocks `from` to `to` of those chosen record, in slots from 0. */
static int slots_set(struct recording *r, uint64_t from, uint64_t to,
		     struct error *e)
{
	uint64_t blocks = plan_blocks(&r->plan);
	uint32_t *slots = xmalloc(blocks * sizeof(*slots));
	int rc;

	memset(slots, 0xff, blocks * sizeof(*slots));
	for (uint64_t i = from; i < to; i++)
		slots[block_at(r, i)] = (uint32_t)(i - from);
	rc = CUDA_TRY(e, MemcpyHtoD, r->slots, slots,
		      blocks * sizeof(*slots));
	free(slots);
	if (rc < 0)
		return rc;
	return CUDA_TRY(e, MemsetD8, r->counts, 0,
			(to - from) * plan_threads(&r->plan) *
			sizeof(uint32_t));
}

static int state_make(struct recording *r, struct error *e)
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

static int events_count(struct recording *r, struct error *e)
{
	uint64_t threads = r->chosen_count * plan_threads(&r->plan);

	bool endless = false;

	r->host.room = 0;
	r->count = xcalloc(threads, sizeof(*r->count));
	if (slots_set(r, 0, r->chosen_count, e) < 0 || run(r, e) < 0)
		return -1;
	if (CUDA_TRY(e, MemcpyDtoH, r->count, r->counts,
		     threads * sizeof(*r->count)) < 0)
		return -1;
	for (uint64_t i = 0; i < threads; i++)
		if (r->count[i] >= r->host.budget)
			endless = true;
	if (!endless)
		return 0;
	r->host.budget = MIN(r->host.budget, BUDGET_KEPT);
	for (uint64_t i = 0; i < threads; i++)
		r->count[i] = MIN(r->count[i], (uint32_t)r->host.budget);
	return 0;
}

static int events_room(struct recording *r, struct error *e)
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

/* ---- from events to requests ---- */

static uint64_t block_events(const struct recording *r, uint64_t i)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t sum = 0;

	for (uint32_t t = 0; t < threads; t++)
		sum += r->count[i * threads + t];
	return sum;
}

/* The events that a run has room for. */
static uint64_t run_room(const struct recording *r)
{
	return r->events_bytes / sizeof(struct record_event);
}

/* The blocks from `from` on whose events fit. */
static uint64_t chunk_end(const struct recording *r, uint64_t from,
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

/* Where each thread's events begin; the room that each has. */
static int room_set(struct recording *r, uint64_t from, uint64_t to,
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

static int counts_check(struct recording *r, uint64_t from, uint64_t to,
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
				  "events than the first: thread %s of "
				  "block %s had %" PRIu32 ", then "
				  "%" PRIu32 "; what it does depends on "
				  "more than its input",
				  finding_index_text((uint32_t)(i % threads),
						     &r->plan.block),
				  finding_index_text(block_at(r, from +
							      i / threads),
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

static int chunk_record(struct recording *r, uint64_t from, uint64_t to,
			uint64_t events, struct error *e)
{
	uint32_t threads = plan_threads(&r->plan);
	uint64_t *first = xcalloc((to - from) * threads, sizeof(*first));
	struct record_event *list = xmalloc(events * sizeof(*list) + 1);
	int rc = -1;

	if (slots_set(r, from, to, e) < 0 ||
	    room_set(r, from, to, first, e) < 0 || run(r, e) < 0)
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
		rc = replay_block(r->replay, block_at(r, i), list, first + at,
				  r->count + i * threads, e);
		r->blocks_done += rc == 0;
	}
done:
	free(first);
	free(list);
	return rc;
}

static void *array_fetch(void *recording, int argument, struct error *e)
{
	const struct recording *r = recording;
	int array = r->arguments[argument].array;
	uint64_t bytes = trace_array_bytes(&r->arrays[array]);
	void *copy = xmalloc(bytes);

	if (CUDA_TRY(e, MemcpyDtoH, copy, r->memory[array], bytes) == 0)
		return copy;
	free(copy);
	return NULL;
}

static int answer(struct recording *r, bool capped, struct error *e)
{
	struct answer a = {
		.plan = &r->plan, .arguments = r->arguments,
		.count = r->argument_count, .fetch = array_fetch, .ctx = r,
		.partial = capped || r->chosen_count != plan_blocks(&r->plan),
		.tainted = replay_tainted(r->replay),
	};

	return answer_check(&a, replay_info(r->replay),
			    replay_findings(r->replay), e);
}

static void cap_say(struct recording *r)
{
	const struct trace_finding f = {
		.cause = CAUSE_CAP_BLOCKS,
		.number = { r->plan.job.max_events, r->blocks_done,
			    r->chosen_count },
	};

	finding_add(replay_findings(r->replay), &f, NULL);
}

/* All blocks, as many at once as there is room for, or up to the cap. */
static int blocks_record(struct recording *r, struct error *e)
{
	uint64_t from = 0, to, events;
	int rc = RECORDED, crowded = 0;

	while (from < r->chosen_count && rc == RECORDED) {
		to = chunk_end(r, from, &events);
		if (to == from)
			return error_set(e, EXIT_RUNNER,
					 "block %s has "
					 "%" PRIu64
					 " events, and there is room "
					 "for %" PRIu64 ": record fewer of its "
					 "warps (--warps)",
					 finding_index_text(block_at(r, from),
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
	if (answer(r, rc == CAPPED, e) < 0)
		return -1;
	return replay_finish(r->replay, rc == CAPPED, e);
}

static int record(struct recording *r, int fd, struct error *e)
{
	/* Recording code is not worth the driver's optimizing. */
	if (device_suits(r->device, r->plan.kernel, e) < 0 ||
	    code_find(r, e) < 0 || unit_check(r, e) < 0 ||
	    names_find(r, e) < 0 || entry_find(r, e) < 0 ||
	    module_load(r, r->ptx->text, 1, e) < 0 ||
	    matrices_make(r, e) < 0 || replay_make(r, fd, e) < 0)
		return -1;
	r->chosen = plan_chosen(&r->plan, &r->chosen_count);
	if (state_make(r, e) < 0 || events_count(r, e) < 0 ||
	    events_room(r, e) < 0)
		return -1;
	return blocks_record(r, e);
}

static void recording_done(struct recording *r)
{
	const CUdeviceptr memory[] = { r->slots, r->counts, r->first, r->room,
				       r->events };

	for (size_t i = 0; i < LENGTH(memory) && !r->lost; i++)
		if (memory[i])
			cuda.MemFree(memory[i]);
	for (int m = 0; m < PROBLEM_ARRAYS; m++) {
		if (r->memory[m] && !r->lost)
			cuda.MemFree(r->memory[m]);
		free(r->contents[m]);
	}
	if (r->module && !r->lost)
		cuda.ModuleUnload(r->module);
	replay_free(r->replay);
	if (r->ptx != r->debug_ptx)
		ptx_free(r->ptx);
	ptx_free(r->debug_ptx);
	ptx_free(r->shared_ptx);
	signature_free(r->signature);
	dwarf_done(&r->names);
	dwarf_done(&r->shared_names);
	for (size_t i = 0; i < LENGTH(r->compiled); i++)
		compiled_done(&r->compiled[i]);
	for (size_t i = 0; i < r->global_count; i++)
		free(r->globals[i].was);
	free(r->globals);
	free(r->chosen);
	free(r->count);
	plan_done(&r->plan);
}

int recording_make(struct job *job, const struct device *d, int fd,
		   bool *lost, struct error *e)
{
	struct recording r = { .device = d };
	int rc = plan_make(&r.plan, job, embedded_text, e);

	if (rc == 0)
		rc = record(&r, fd, e);
	*lost = r.lost;
	recording_done(&r);
	return rc;
}

/* ---- without recording ---- */

/* Accesses as in the source, or the build that is timed. */
static int plain_load(struct recording *r, struct error *e)
{
	const struct embedded *s = code_stored(&r->plan);
	struct compiled timed = { 0 };
	char *plain;
	int rc;

	if (!r->plan.job.optimized) {
		plain = ptx_plain(r->debug, strlen(r->debug), e);
		rc = plain ? module_load(r, plain, 0, e) : -1;
		free(plain);
		return rc;
	}
	if (s)
		return module_load(r, s->fatbin, 4, e);
	rc = code_compile(r, COMPILE_TIMED, &timed, e);
	if (rc == 0)
		rc = module_load(r, timed.code, 4, e);
	compiled_done(&timed);
	return rc;
}

/* nvcc's debug information says nothing of what tensor maps are made of. A
 * text that cannot be read has none. */
static void signature_take(struct recording *r)
{
	struct error unread;

	r->signature = signature_read(r->plan.text, r->entry->name, &unread);
	if (r->signature)
		signature_resolve(r->signature, r->entry->linkage);
}

int recording_plain(struct job *job, const struct device *d,
		    struct error *e)
{
	struct recording r = { .device = d };
	int rc = -1;

	if (plan_make(&r.plan, job, embedded_text, e) == 0 &&
	    device_suits(d, r.plan.kernel, e) == 0 && code_find(&r, e) == 0 &&
	    names_find(&r, e) == 0 && entry_find(&r, e) == 0 &&
	    plain_load(&r, e) == 0) {
		signature_take(&r);
		if (matrices_make(&r, e) == 0 &&
		    launch_shared(&r.plan, r.function, e) == 0 &&
		    launch_spread(&r.plan, d, r.function, e) == 0)
			rc = launch(&r, e);
	}
	recording_done(&r);
	return rc;
}
