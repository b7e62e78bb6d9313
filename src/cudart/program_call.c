/*
 * program_call: see program_call.h.
 */
#include "base/lang.h"
#include "cudart/program_call.h"
#include "cudart/program_judge.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/program_work.h"
#include "protocol/headers.h"

/* Seconds that those blocks of a recorded launch that are not recorded may take
 * with the recorder's hooks. */
#define REST_SECONDS 0.5

/* ---- the launch ---- */

/* Sets the plan's text and file to those that the kernel stands in; returns the
 * file as the compiler names it. Lines of a file that is not there, which #line
 * names, are those of no text: "". */
static const char *file_choose(struct plan *p, const struct debug *d,
			       const struct debug_function *f)
{
	const struct debug_line *l = debug_line_at(d, f->low);
	const struct job_kernel *k = &program.job.kernel;
	char *name = l && l->file ? headers_name(l->file) : NULL;
	const char *text = name ? job_defined(&k->headers, name) : NULL;

	free(name);
	if (l && l->file && !text &&
	    strcmp(program_file(l->file), program.file) != 0)
		l = NULL;
	p->text = (char *)(text ? text : k->text);
	p->length = strlen(p->text);
	p->job.kernel.file = (char *)(text ? l->file : program.file);
	return l && l->file ? l->file : "";
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

/* Copies the call, with addresses of the recorder's variables in place of the
 * host's. */
static const struct stub_call *call_recorder(const struct stub_call *c,
					      size_t stack_words)
{
	static struct stub_call its;
	static uint64_t stack[STACK_WORDS];

	its = *c;
	memcpy(stack, (const void *)c->stack, stack_words * sizeof(*stack));
	its.stack = (uintptr_t)stack;
	program_variable_addresses(its.integer, LENGTH(its.integer));
	program_variable_addresses(stack, stack_words);
	return &its;
}

void call_prepare(struct launch *l, const struct stub_call *c,
		  const struct program_kernel *k,
		  const struct launch_config *config)
{
	struct plan *p = &l->plan;

	memset(l, 0, sizeof(*l));
	l->module = program.recorder;
	l->host = program.host;
	l->entry = k->recorded;
	l->stack_words = call_stack_words(k->recorded);
	l->fast_call = c;
	l->call = call_recorder(c, l->stack_words);
	l->code = program.recorder->load + k->recorded->low + STUB_BYTES;
	l->fast_code = program.host->load + k->symbol->at + STUB_BYTES;
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
	debug_own(program.recorder->debug,
		  file_choose(p, program.recorder->debug, k->recorded));
}

double call_hooks_until(void)
{
	return program.fast && !device_has_peers(devices.current) &&
	       !judge_is_on() ?
	       seconds_now() + REST_SECONDS : program.deadline + 1;
}

/* ---- arrays ---- */

void program_array_make(const struct allocation *a)
{
	char name[64];

	program_name(a, name, sizeof(name));
	emu_array_add(&(struct emu_memory) {
		.name = *name ? name : "memory", .lo = a->lo, .bytes = a->bytes,
		.slot = a->slot, .slot_bytes = a->slot_bytes, .base = a->base,
		.unwritten = a->uninit, .made = a->made.line,
		.copy = a->copy.line, .copied = a->copied, .heap = a->heap,
		.pitch = a->pitch, .width = a->width,
	});
}

void program_arrays_add(void)
{
	for (size_t i = 0; i < device_memory.count; i++)
		if (device_memory.list[i]->live &&
		    device_may_use(devices.current, device_memory.list[i]))
			program_array_make(device_memory.list[i]);
}

/* ---- arguments by their addresses ---- */

void call_from_pointers(const struct program_kernel *k, void **arguments,
			struct place at, struct stub_call *c, uint64_t *stack)
{
	const struct debug_function *f = k->recorded;
	struct argument list[ARGUMENTS_MOST];
	size_t n = 0;

	*c = (struct stub_call) {
		.kernel = program.host->load + k->symbol->at,
		.stack = (uintptr_t)stack,
	};
	for (size_t i = 0; i < f->var_count && n < ARGUMENTS_MOST; i++) {
		const struct debug_var *v = &f->vars[i];

		if (!v->parameter)
			continue;
		if (!arguments || v->type.bytes > sizeof(list[n].value))
			program_unplayed(
				at,
				arguments ?
					_("a large structure "
					  "as an argument of "
					  "cudaLaunchKernel()") :
					_("a launch without the arguments of "
					  "the kernel"));
		list[n] = (struct argument) { .var = v, .array = -1 };
		memcpy(list[n].value, arguments[n], v->type.bytes);
		n++;
	}
	launch_registers(list, n, c, stack);
}

int program_launch_pointers(const struct program_kernel *k, void **arguments)
{
	uint64_t stack[STACK_WORDS] = { 0 };
	struct stub_call c;

	call_from_pointers(k, arguments, program.config.at, &c, stack);
	return program_launch(&c);
}
