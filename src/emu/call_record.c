/*
 * call_record: see call_record.h.
 */
#include "emu/call_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/emu.h"
#include "emu/uninit.h"
#include "emu/parked_blocks.h"
#include "emu/scheduler.h"
#include "emu/unit.h"
#include "record/contents.h"
#include "trace/trace_format.h"

/* Elements of an array whose range is found. */
#define RANGE_MOST (1u << 24)
/* Arrays that are named by a pointer in a structure. */
#define HELD_MOST 1024

/* ---- the modules ---- */

static struct access_site **recorder_slots;

static void use_recorder(const struct launch *l)
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

static void use_host(const struct launch *l)
{
	const struct module *m = l->host;

	rec.fast = true;
	rec.load = m->load;
	rec.text = m->text;
	rec.text_bytes = m->text_bytes;
	rec.debug = m->debug;
	rec.slots = NULL;
}

/* Allocates the block's shared memory for code without hooks: what the module
 * declares, then what the launch gives; after it no address is accessible. */
static void fast_shared_make(const struct launch *l)
{
	struct host_tls *t = &rec.host_tls;
	size_t bytes = (l->host->tls_bytes + 255) / 256 * 256;

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

	use_host(l);
	emu_program.end_all_unwritten();
	fast_shared_make(l);
	for (; from < blocks && !rec.stop; from += rec.cluster) {
		cluster_run((uint32_t)from, 0);
		if (seconds_now() >= run.deadline)
			run_stop(STOP_SECONDS);
	}
	rec.fast = false;
}

/* Runs blocks with the recorder's hooks, until that moment; returns the first
 * block that is left. */
static uint64_t blocks_checked(struct launch *l, uint64_t from, double until)
{
	uint64_t blocks = plan_blocks(&l->plan);

	for (; from < blocks && !rec.stop &&
	       (seconds_now() < until || parked_any());
	     from += rec.cluster)
		cluster_run((uint32_t)from, 0);
	return from;
}

int call_rest(struct launch *l, uint64_t from, struct error *e)
{
	from = blocks_checked(l, from, emu_program.hooks_until());
	if (launch_shared_check(l, e) < 0 ||
	    units_launch_check(l->plan.job.kernel.file, e) < 0)
		return -1;
	if (from < plan_blocks(&l->plan) && !rec.stop)
		blocks_fast(l, from);
	use_recorder(l);
	return 0;
}

int emu_run_fast(struct launch *l, struct error *e)
{
	use_host(l);
	recorder_reset();
	rec.cluster = 1;
	rec.memory.ranks = 1;
	if (block_begin(l, e) < 0)
		return -1;
	blocks_fast(l, 0);
	use_recorder(l);
	return 0;
}

/* ---- arguments ---- */

static struct launch *peeked;

/* Pointers that the arguments contain or point to, besides those that are
 * arguments. */
static struct held_pointer {
	uintptr_t value;
	const struct debug_type *type;
	char name[64];
} held[HELD_MOST];
static size_t held_count;

/* Adds the pointers in a structure; `name` is how the text writes it. */
static void hold_pointers(const struct debug_var *v, const char *name,
			  uintptr_t at)
{
	for (size_t i = 0; i < v->pointer_count && held_count < HELD_MOST;
	     i++) {
		const struct debug_pointer *p = &v->pointers[i];
		struct held_pointer *h = &held[held_count++];

		memcpy(&h->value, (const void *)(at + p->at), sizeof(h->value));
		h->type = &p->type;
		snprintf(h->name, sizeof(h->name), "%s%s", name, p->name);
	}
}

/* Adds the pointers in what an argument points to. */
static void hold_pointees(const struct argument *arg, const struct array *a)
{
	const struct debug_var *v = arg->var;
	uint64_t from = arg->value[0] - a->lo, n = v->pointer_stride ?
		(a->bytes - from) / v->pointer_stride : 0;

	for (uint64_t i = 0; i < n && held_count < HELD_MOST; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s[%llu]", v->name,
			 (unsigned long long)i);
		hold_pointers(v, name, a->lo + from + i * v->pointer_stride);
	}
}

/* Reads the arguments in the frame of the first thread, which is in the
 * kernel's body. */
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
				hold_pointers(v, v->name, at);
		}
		l->argument_count++;
	}
}

/* Sets an array's elements by the type of a pointer to it. */
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

/* Gives an array two dimensions if it is as large as a matrix of the product
 * that the kernel computes. */
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
	char *old = a->info.name;

	a->info.name = xstrdup(name);
	free(old);
	array_type(a, t);
}

/* Finds the array that a pointer points into; NULL: none. */
static struct array *array_of_pointer(uintptr_t value)
{
	struct array *a = memory_at(&rec.memory, value, 1);

	return a && value >= a->lo && value < a->lo + a->bytes ? a : NULL;
}

/* Names the arrays that no parameter points to: by the first pointer that leads
 * there, if it leads to the first element. */
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
			array_name(of[i], held[i].value == of[i]->lo ?
					  held[i].name : of[i]->info.name,
				   held[i].type);
	}
}

/* Returns the name of array a in a kernel that parameter `arg` leads to: the
 * parameter's, or the host's where another one leads elsewhere in it. */
static const char *find_kernel_name(const struct launch *l,
				    const struct argument *arg,
				    const struct array *a)
{
	for (size_t i = 0; i < l->argument_count; i++) {
		const struct argument *other = &l->arguments[i];

		if (other->var->type.kind == DEBUG_POINTER &&
		    other->value[0] != arg->value[0] &&
		    array_of_pointer(other->value[0]) == a)
			return a->info.name;
	}
	return arg->var->name;
}

/* Names the arrays by their parameters, and gives them the order of these. */
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
		array_name(a, find_kernel_name(l, arg, a), &arg->var->type);
		array_matrix(l, a, arg->var->name);
		hold_pointees(arg, a);
		arg->array = number;
		l->array[number++] = a;
	}
	held_name(l, number);
}

/* Finds the range of what an array holds before the launch, where it was
 * written; of a large one, at its beginning. */
static void range_note(struct argument *arg, const struct array *a)
{
	uint64_t n = MIN(trace_array_bytes(&a->info) / a->info.elem_bytes,
			 RANGE_MOST);
	double v;

	arg->least = arg->most = NAN;
	for (uint64_t i = 0; i < n; i++) {
		if (i * a->info.elem_bytes < a->uninit &&
		    uninit_at(a->lo + i * a->info.elem_bytes))
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

/* Starts the first thread and stops it in the kernel's body, where look() sees
 * it. -1 with e. */
static int call_peek(struct launch *l, void (*look)(const struct thread *t),
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

/* Returns the blocks per cluster, by the launch, or else by the kernel. */
static uint32_t cluster_of(const struct launch *l, struct error *e)
{
	if (!l->cluster.x)
		return module_cluster(l->entry, e);
	return cluster_along_x(l->entry, &l->cluster, e);
}

/* Sets the recorder up for the module and text of a launch, without arrays. */
static void call_start(struct launch *l)
{
	use_recorder(l);
	recorder_reset();
	launch_text_lines(l->plan.text);
	rec.source = l->plan.text;
	rec.headers = &l->plan.job.kernel.headers;
	l->assumed = (struct inferred_sizes){ .count = 0 };
	rec.assumed = &l->assumed;
	rec.cluster = rec.memory.ranks = 1;
}

int call_bind(struct launch *l, struct error *e)
{
	call_start(l);
	rec.cluster = cluster_of(l, e);
	if (rec.cluster == 0)
		return -1;
	rec.memory.ranks = rec.cluster;
	emu_program.variables_in();
	emu_program.arrays_add();
	if (launch_shared_make(l, e) < 0 || arguments_read(l, e) < 0)
		return -1;
	arrays_name(l);
	arrays_finish(l);
	return 0;
}

/* ---- arguments for program_image.c ---- */

static void (*frame_look)(uintptr_t frame);

/* Calls frame_look() for the thread's outermost frame. */
static void look_at_frame(const struct thread *t)
{
	frame_look(t->frames[0].cfa);
}

int emu_look_at_arguments(struct launch *l, void (*look)(uintptr_t frame),
			  struct error *e)
{
	frame_look = look;
	call_start(l);
	return call_peek(l, look_at_frame, e);
}
