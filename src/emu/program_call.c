/*
 * program_call: see program_call.h.
 */
#include "emu/program_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "emu/devices.h"
#include "emu/fibre.h"
#include "emu/fresh.h"
#include "emu/program_work.h"
#include "emu/hooks.h"
#include "emu/resident.h"
#include "emu/resolve.h"
#include "emu/scheduler.h"
#include "emu/unit.h"
#include "record/contents.h"
#include "trace/trace_format.h"
#include "runner/headers.h"

/* What the blocks of a recorded launch that are not recorded may take with the
 * recorder's hooks. */
#define REST_SECONDS 0.5
/* Elements of an array that are looked at. */
#define RANGE_MOST (1u << 24)
/* Arrays that are named by a pointer in a structure. */
#define HELD_MOST 1024

/* ---- the modules ---- */

static struct slot **recorder_slots;

void call_use_recorder(const struct launch *l)
{
	const struct module *m = l->module;

	rec.fast = false;
	rec.load = m->load;
	rec.text = m->text;
	rec.text_bytes = m->text_bytes;
	rec.debug = m->debug;
	if (!recorder_slots)
		recorder_slots = xcalloc(rec.text_bytes + 1,
					 sizeof(*recorder_slots));
	rec.slots = recorder_slots;
}

void call_use_host(void)
{
	const struct module *m = program.host;

	rec.fast = true;
	rec.load = m->load;
	rec.text = m->text;
	rec.text_bytes = m->text_bytes;
	rec.debug = m->debug;
	rec.slots = NULL;
}

/* The block's shared memory for code without hooks: what the module declares,
 * then what the launch gives; behind it, there is nothing. */
static void fast_shared_make(const struct launch *l)
{
	struct host_tls *t = &rec.host_tls;
	size_t bytes = (program.host->tls_bytes + 255) / 256 * 256;

	memory_fenced_done(t->shared, t->bytes);
	t->bytes = bytes + plan_shared(&l->plan);
	t->shared = memory_fenced(t->bytes);
	if (!t->shared)
		fatal("out of memory (%zu bytes of shared memory)", t->bytes);
	t->dynamic = (char *)t->shared + bytes;
}

static void blocks_fast(struct launch *l, uint64_t from)
{
	uint64_t blocks = plan_blocks(&l->plan);

	call_use_host();
	fresh_end_all();
	fast_shared_make(l);
	for (; from < blocks && !rec.stop; from += rec.cluster) {
		cluster_run((uint32_t)from, 0);
		if (seconds_now() >= run.deadline)
			run_stop(STOP_SECONDS);
	}
	rec.fast = false;
}

/* With the recorder's hooks, until that moment; the first block that is
 * left. */
static uint64_t blocks_checked(struct launch *l, uint64_t from, double until)
{
	uint64_t blocks = plan_blocks(&l->plan);

	for (; from < blocks && !rec.stop &&
	       (seconds_now() < until || resident_any());
	     from += rec.cluster)
		cluster_run((uint32_t)from, 0);
	return from;
}

int call_rest(struct launch *l, uint64_t from, struct error *e)
{
	double until = program.fast && !device_has_peers(devices.current) ?
		       seconds_now() + REST_SECONDS : program.deadline + 1;

	from = blocks_checked(l, from, until);
	if (launch_shared_check(l, e) < 0 ||
	    units_launch_check(l->plan.job.kernel.file, e) < 0)
		return -1;
	if (from < plan_blocks(&l->plan) && !rec.stop)
		blocks_fast(l, from);
	call_use_recorder(l);
	return 0;
}

int call_fast(struct launch *l, struct error *e)
{
	call_use_host();
	recorder_reset();
	rec.cluster = 1;
	rec.memory.ranks = 1;
	if (block_begin(l, e) < 0)
		return -1;
	blocks_fast(l, 0);
	call_use_recorder(l);
	return 0;
}

/* ---- the launch ---- */

/* The file that the kernel stands in, and its text. */
static const char *file_choose(struct plan *p, const struct debug *d,
			       const struct debug_function *f)
{
	const struct debug_line *l = debug_line_at(d, f->low);
	const struct job_kernel *k = &program.job.kernel;
	char *name = l && l->file ? headers_name(l->file) : NULL;
	const char *text = name ? job_defined(&k->headers, name) : NULL;

	free(name);
	p->text = (char *)(text ? text : k->text);
	p->length = strlen(p->text);
	p->job.kernel.file = (char *)(text ? l->file : program.file);
	return l ? l->file : NULL;
}

size_t call_stack_words(const struct debug_function *f)
{
	size_t words = 0, count = 0;
	bool plain = true;

	for (size_t i = 0; i < f->var_count; i++) {
		const struct debug_var *v = &f->vars[i];

		if (!v->parameter)
			continue;
		words += (v->type.bytes + 7) / 8 + 1;
		plain = plain && v->type.bytes <= 8 && ++count <= 6;
	}
	return plain ? 0 : MIN(words, STACK_WORDS);
}

bool call_by_reference(const struct debug_function *f)
{
	for (size_t i = 0; i < f->var_count; i++)
		if (f->vars[i].parameter &&
		    f->vars[i].home == DEBUG_FRAME_ADDRESS)
			return true;
	return false;
}

/* The call with the recorder's variables in place of the host's. */
static const struct entry_call *call_recorder(const struct entry_call *c,
					      size_t stack_words)
{
	static struct entry_call its;
	static uint64_t stack[STACK_WORDS];

	its = *c;
	memcpy(stack, (const void *)c->stack, stack_words * sizeof(*stack));
	its.stack = (uintptr_t)stack;
	program_variable_addresses(its.integer, LENGTH(its.integer));
	program_variable_addresses(stack, stack_words);
	return &its;
}

void call_prepare(struct launch *l, const struct entry_call *c,
		  const struct program_kernel *k,
		  const struct launch_config *config)
{
	struct plan *p = &l->plan;
	const char *file;

	memset(l, 0, sizeof(*l));
	l->module = program.recorder;
	l->entry = k->recorded;
	l->stack_words = call_stack_words(k->recorded);
	l->fast_call = c;
	l->call = call_recorder(c, l->stack_words);
	l->code = program.recorder->load + k->recorded->low + ENTRY_BYTES;
	l->fast_code = program.host->load + k->symbol->at + ENTRY_BYTES;
	p->job = program.job;
	p->job.seconds = MAX(program.deadline - seconds_now(), 0.1);
	p->job.kernel.shared_bytes = (uint32_t)config->shared;
	p->job.size = (struct problem_sizes){ 0, 0, 0 };
	p->problem = call_product(k, c, &p->job.size) ? &problem_gemm :
							&problem_unknown;
	p->grid = config->grid;
	p->block = config->block;
	l->cluster = config->cluster;
	l->cooperative = config->cooperative;
	file = file_choose(p, program.recorder->debug, k->recorded);
	if (file)
		debug_own(program.recorder->debug, file);
}

/* ---- arrays ---- */

void program_array_make(const struct allocation *a)
{
	struct array *to;
	struct debug_type bytes = {
		.elem = ELEM_RAW, .elem_bytes = a->bytes % 4 ? 1 : 4,
		.rank = 1,
	};
	char name[64];

	program_name(a, name, sizeof(name));
	bytes.dims[0] = MAX(a->bytes / bytes.elem_bytes, 1);
	to = memory_borrow(&rec.memory, *name ? name : "memory", &bytes,
			   a->lo, a->slot, a->slot_bytes, a->base);
	to->fresh = a->fresh;
	to->made = a->made.line;
	to->heap = a->heap;
	to->pitch = a->pitch;
	to->width = a->width;
}

static void arrays_make(void)
{
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->live &&
		    device_may_use(devices.current, device_memory.list[i]))
			program_array_make(device_memory.list[i]);
}

/* ---- arguments ---- */

static struct launch *peeked;

/* Pointers that the arguments lead to, besides those that they are. */
static struct held {
	uintptr_t value;
	const struct debug_type *type;
	char name[64];
} held[HELD_MOST];
static size_t held_count;

/* Those in a structure, whose name is written so. */
static void hold(const struct debug_var *v, const char *name, uintptr_t at)
{
	for (size_t i = 0; i < v->pointer_count && held_count < HELD_MOST;
	     i++) {
		const struct debug_pointer *p = &v->pointers[i];
		struct held *h = &held[held_count++];

		memcpy(&h->value, (const void *)(at + p->at), sizeof(h->value));
		h->type = &p->type;
		snprintf(h->name, sizeof(h->name), "%s%s", name, p->name);
	}
}

/* Those in what a pointer points to. */
static void hold_pointees(const struct argument *arg, const struct array *a)
{
	const struct debug_var *v = arg->var;
	uint64_t from = arg->value[0] - a->lo, n = v->pointer_stride ?
		(a->bytes - from) / v->pointer_stride : 0;

	for (uint64_t i = 0; i < n && held_count < HELD_MOST; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s[%llu]", v->name,
			 (unsigned long long)i);
		hold(v, name, a->lo + from + i * v->pointer_stride);
	}
}

/* The first thread is in the kernel's body: its arguments are in its frame. */
static void peek(const struct thread *t)
{
	struct launch *l = peeked;
	const struct debug_function *f = l->entry;
	uintptr_t cfa = t->frames[0].cfa;

	for (size_t i = 0; i < f->var_count &&
			   l->argument_count < ARGUMENTS_MOST; i++) {
		const struct debug_var *v = &f->vars[i];
		struct argument *a = &l->arguments[l->argument_count];
		uintptr_t at = cfa + (uintptr_t)v->at;

		if (!v->parameter)
			continue;
		*a = (struct argument) { .var = v, .array = -1,
					 .decided = DECIDED_PROGRAM,
					 .filled_by = DECIDED_PROGRAM };
		if (v->home == DEBUG_FRAME_ADDRESS) {
			memcpy(&at, (void *)at, sizeof(at));
			rec.passed[rec.passed_count].lo = at;
			rec.passed[rec.passed_count++].bytes = v->type.bytes;
		}
		if (v->home == DEBUG_FRAME || v->home == DEBUG_FRAME_ADDRESS) {
			memcpy(a->value, (void *)at,
			       MIN(v->type.bytes, sizeof(a->value)));
			if (v->type.kind != DEBUG_POINTER)
				hold(v, v->name, at);
		}
		l->argument_count++;
	}
}

/* A pointer's type says what the array's elements are. */
static void array_type(struct array *a, const struct debug_type *t)
{
	uint64_t elements = t->elem_bytes ? a->bytes / t->elem_bytes : 0;

	/* Of void there are none. */
	if ((t->elem == ELEM_RAW && t->elem_bytes == 1) || !elements ||
	    a->bytes % t->elem_bytes)
		return;
	a->info.elem = t->elem;
	a->info.elem_bytes = t->elem_bytes;
	a->info.rank = 1;
	a->info.dims[0] = elements;
}

/* One that is as large as a matrix of the product that is computed is that. */
static void array_matrix(const struct launch *l, struct array *a,
			 const char *name)
{
	uint64_t rows, columns;

	if (l->plan.problem != &problem_gemm ||
	    !arguments_matrix(name, &l->plan.job.size, &rows, &columns) ||
	    a->info.rank != 1 || a->info.dims[0] != rows * columns)
		return;
	a->info.rank = 2;
	a->info.dims[0] = rows;
	a->info.dims[1] = columns;
}

static void array_name(struct array *a, const char *name,
		       const struct debug_type *t)
{
	free(a->info.name);
	a->info.name = xstrdup(name);
	array_type(a, t);
}

/* The array that a pointer points into; NULL: none. */
static struct array *array_of_pointer(uintptr_t value)
{
	struct array *a = memory_at(&rec.memory, value, 1);

	return a && value >= a->lo && value < a->lo + a->bytes ? a : NULL;
}

/* Arrays that no parameter is: the first pointer that leads there names them.
 */
static void held_name(const struct launch *l, int number)
{
	struct array *of[HELD_MOST];

	for (size_t i = 0; i < held_count; i++) {
		bool named;

		of[i] = array_of_pointer(held[i].value);
		named = !of[i];
		for (int n = 0; n < number && !named; n++)
			named = l->array[n] == of[i];
		for (size_t k = 0; k < i && !named; k++)
			named = of[k] == of[i];
		if (!named)
			array_name(of[i], held[i].name, held[i].type);
	}
}

/* Arrays have the numbers of their first parameters, in order. */
static void arrays_name(struct launch *l)
{
	int number = 0;

	for (size_t i = 0; i < l->argument_count; i++) {
		struct argument *arg = &l->arguments[i];
		struct array *a;

		if (arg->var->type.kind != DEBUG_POINTER)
			continue;
		a = array_of_pointer(arg->value[0]);
		if (!a)
			continue;
		for (int n = 0; n < number; n++)
			if (l->array[n] == a)
				arg->array = n;
		arg->before = (arg->value[0] - a->lo) /
			      MAX(arg->var->type.elem_bytes, 1u);
		if (arg->array >= 0)
			continue;
		array_name(a, arg->var->name, &arg->var->type);
		array_matrix(l, a, arg->var->name);
		hold_pointees(arg, a);
		arg->array = number;
		l->array[number++] = a;
	}
	held_name(l, number);
}

/* What an array holds before the launch, where it was written; of a large one,
 * at its beginning. */
static void range_note(struct argument *arg, const struct array *a)
{
	uint64_t n = MIN(trace_array_bytes(&a->info) / a->info.elem_bytes,
			 RANGE_MOST);
	double v;

	arg->least = arg->most = NAN;
	for (uint64_t i = 0; i < n; i++) {
		if (i * a->info.elem_bytes < a->fresh &&
		    fresh_at(a->lo + i * a->info.elem_bytes))
			continue;
		if (!contents_value(a->info.elem, (void *)a->lo, i, &v) ||
		    isnan(v)) {
			arg->least = arg->most = NAN;
			return;
		}
		arg->least = fmin(arg->least, v);
		arg->most = fmax(arg->most, v);
	}
}

static void arrays_finish(struct launch *l)
{
	for (size_t i = 0; i < rec.memory.count; i++)
		memory_shadow(rec.memory.arrays[i]);
	for (size_t i = 0; i < l->argument_count; i++) {
		struct argument *a = &l->arguments[i];

		if (a->array >= 0)
			range_note(a, l->array[a->array]);
	}
}

int call_peek(struct launch *l, void (*look)(const struct thread *t),
	      struct error *e)
{
	if (block_begin(l, e) < 0)
		return -1;
	rec.peek = look;
	block_peek();
	rec.peek = NULL;
	return 0;
}

static int arguments_read(struct launch *l, struct error *e)
{
	peeked = l;
	held_count = 0;
	rec.passed_count = 0;
	return call_peek(l, peek, e);
}

/* Blocks per cluster, as the launch says, or else the kernel. */
static uint32_t cluster_of(const struct launch *l, struct error *e)
{
	if (!l->cluster.x)
		return module_cluster(l->entry, e);
	return cluster_along_x(l->entry, &l->cluster, e);
}

void call_begin(struct launch *l)
{
	call_use_recorder(l);
	recorder_reset();
	launch_text_lines(l->plan.text);
	rec.source = l->plan.text;
	rec.headers = &program.job.kernel.headers;
	l->assumed = (struct assumed){ .count = 0 };
	rec.assumed = &l->assumed;
	rec.cluster = rec.memory.ranks = 1;
}

int call_bind(struct launch *l, struct error *e)
{
	call_begin(l);
	rec.cluster = cluster_of(l, e);
	if (rec.cluster == 0)
		return -1;
	rec.memory.ranks = rec.cluster;
	program_variables_in();
	arrays_make();
	if (launch_shared_make(l, e) < 0 || arguments_read(l, e) < 0)
		return -1;
	arrays_name(l);
	arrays_finish(l);
	return 0;
}

/* ---- arguments by their addresses ---- */

void call_from_pointers(const struct program_kernel *k, void **arguments,
			struct place at, struct entry_call *c, uint64_t *stack)
{
	const struct debug_function *f = k->recorded;
	struct argument list[ARGUMENTS_MOST];
	size_t n = 0;

	*c = (struct entry_call) {
		.kernel = program.host->load + k->symbol->at,
		.stack = (uintptr_t)stack,
	};
	for (size_t i = 0; i < f->var_count && n < ARGUMENTS_MOST; i++) {
		const struct debug_var *v = &f->vars[i];

		if (!v->parameter)
			continue;
		if (!arguments || v->type.bytes > sizeof(list[n].value))
			program_unplayed(at, arguments ? "a large structure "
					 "as an argument of cudaLaunchKernel()"
					 : "a kernel without its arguments");
		list[n] = (struct argument) { .var = v, .array = -1 };
		memcpy(list[n].value, arguments[n], v->type.bytes);
		n++;
	}
	launch_registers(list, n, c, stack);
}

int program_launch_pointers(const struct program_kernel *k, void **arguments)
{
	uint64_t stack[STACK_WORDS] = { 0 };
	struct entry_call c;

	call_from_pointers(k, arguments, program.config.at, &c, stack);
	return program_launch(&c);
}
