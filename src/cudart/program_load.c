/*
 * program_load: compiles a program twice, loads both, and makes calls of its
 * kernels lead to the recorder. See program.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "emu/module/compile.h"
#include "cudart/program.h"
#include "cudart/program_call.h"
#include "cudart/program_judge.h"
#include "cudart/program_text.h"

uintptr_t program_function(const char *name)
{
	const struct symbol *s = symbols_named(&program.host_symbols, name, 0);

	return s && s->function ? program.host->load + s->at : 0;
}

/* Finds where a word first stands in the program, for messages. */
static bool find_word(const char *word, size_t length, const char **file,
		      uint32_t *line)
{
	struct place at = program_word(word, length);

	*file = at.file;
	*line = at.line;
	return at.line;
}

/* The program's texts as a compiler takes them, for one module of two. */
struct program_texts {
	char *text;
	struct job_defines headers;
	struct compile_job job;
};

static void make_program_texts(struct program_texts *t, enum compile_how how,
			       struct symbols *s)
{
	const struct job_kernel *k = &program.job.kernel;

	*t = (struct program_texts) { .text = program_text(k->text) };
	for (size_t i = 0; i < k->headers.count; i++) {
		char *calls = program_text(k->headers.list[i].value);

		job_define(&t->headers, k->headers.list[i].name, calls);
		free(calls);
	}
	t->job = (struct compile_job) {
		.name = k->file, .text = t->text, .length = strlen(t->text),
		.defines = k->defines.list, .define_count = k->defines.count,
		.headers = &t->headers, .folders = &k->folders,
		.outside = &k->outside, .how = how, .arch = job_arch(k),
		.program = &k->program, .symbols = s, .find_word = find_word,
		.unconfined = program.job.unconfined,
		.no_store = program.job.no_store };
}

static void free_program_texts(struct program_texts *t)
{
	job_defines_done(&t->headers);
	free(t->text);
}

/* Compiles both modules, side by side. */
static int compile_both_modules(struct error *e)
{
	struct program_texts host, recorder;
	pid_t ahead;

	make_program_texts(&host, COMPILE_HOST, &program.host_symbols);
	make_program_texts(&recorder, COMPILE_RECORDER,
			   &program.recorder_symbols);
	ahead = module_compile_ahead(&recorder.job);
	program.host = module_compile(&host.job, NULL, NULL, e);
	if (program.host) {
		emu_host_heap(program.host->handle);
		module_compile_await(ahead);
		program.recorder = module_compile(&recorder.job, NULL, NULL,
						  e);
	}
	free_program_texts(&host);
	free_program_texts(&recorder);
	return program.recorder ? 0 : -1;
}

/* Returns the bytes of the __shared__ variables of fixed size that are declared
 * within a kernel. */
static uint32_t program_shared_memory(const struct debug_function *f)
{
	const struct debug *d = program.recorder->debug;
	uint64_t bytes = 0;

	for (size_t i = 0; f && i < d->var_count; i++) {
		const struct debug_var *v = &d->vars[i];

		if (v->home == DEBUG_TLS && v->low >= f->low && v->low < f->high)
			bytes += v->type.bytes;
	}
	return (uint32_t)MIN(bytes, UINT32_MAX);
}

static void kernels_find(void)
{
	const struct debug *d = program.host->debug;

	for (size_t i = 0; i < d->function_count; i++) {
		const struct debug_function *f = &d->functions[i];
		bool kernel = f->alignment >= KERNEL_ALIGNMENT && !f->returns;
		const struct symbol *of = kernel ?
			symbols_at(&program.host_symbols, f->low) : NULL;
		const struct symbol *other = of ?
			symbols_named(&program.recorder_symbols, of->name,
				      of->nth) : NULL;
		struct program_kernel *k;

		if (!other)
			continue;
		grow(&program.kernels, &program.kernel_capacity,
		     program.kernel_count + 1, sizeof(*program.kernels));
		k = &program.kernels[program.kernel_count++];
		*k = (struct program_kernel) { .symbol = of, .recorded =
			debug_function_at(program.recorder->debug, other->at),
			.bounds = stub_bounds((const unsigned char *)
				program.host->load + of->at),
		};
		k->static_shared = program_shared_memory(k->recorded);
	}
}

struct program_kernel *program_kernel(uintptr_t address)
{
	for (size_t i = 0; i < program.kernel_count; i++)
		if (address == program.host->load +
			       program.kernels[i].symbol->at ||
		    address == program.recorder->load +
			       program.kernels[i].recorded->low)
			return &program.kernels[i];
	return NULL;
}

/* Checks a symbol's name: whether kernels can do it only with the recorder's
 * hooks. */
static bool is_hooked(const char *name)
{
	static const char *const words[] = { "gemmviz_asm_run", "gemmviz_space",
		"gemmviz_bar_sync", "gemmviz_cluster", "gemmviz_mbarrier",
		"gemmviz_tma", "gemmviz_bulk", "gemmviz_wgmma",
		"gemmviz_fence_", "gemmviz_ldmatrix", "gemmviz_stmatrix" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (!strncmp(name, words[i], strlen(words[i])))
			return true;
	return false;
}

void *program_thread_variables(void)
{
	void *v = xcalloc(1, program.host->tls_bytes + 256);

	if (program.host->tls_was_bytes)
		memcpy(v, program.host->tls_was, program.host->tls_was_bytes);
	return v;
}

static void fast_prepare(void)
{
	program.fast = true;
	for (size_t i = 0; i < program.host_symbols.wanted_count; i++)
		if (is_hooked(program.host_symbols.wanted[i]))
			program.fast = false;
	emu_host_tls_begin(program.host->tls, program_thread_variables());
}

/* Changes the kernels' code so that their calls lead to the recorder, while
 * memory can still be made executable. Kernels call those of the recorder's
 * module. */
static int kernels_patch(const struct module *m, struct error *e)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = m->text / page * page;
	size_t bytes = m->text + m->text_bytes - from;

	if (mprotect((void *)from, bytes, PROT_READ | PROT_WRITE) < 0)
		return error_set(e, EXIT_RUNNER, "the program's code cannot "
				 "be prepared: %s", strerror(errno));
	for (size_t i = 0; i < program.kernel_count; i++)
		stub_patch((void *)(m->load + (m == program.host ?
			program.kernels[i].symbol->at :
			program.kernels[i].recorded->low)));
	if (mprotect((void *)from, bytes, PROT_READ | PROT_EXEC) < 0)
		return error_set(e, EXIT_RUNNER, "the program's code cannot "
				 "be prepared: %s", strerror(errno));
	return 0;
}

/* Sets what the recorder calls of a program. */
static void set_callbacks(void)
{
	emu_program.explain_wild = program_wild;
	emu_program.launch_waits = program_launch_waits;
	emu_program.variables_in = program_variables_in;
	emu_program.variables_out = program_variables_out;
	emu_program.arrays_add = program_arrays_add;
	emu_program.hooks_until = call_hooks_until;
	emu_program.host_fault = program_crash;
	emu_program.host_stepped = host_race_stepped;
}

int program_load(struct error *e)
{
	set_callbacks();
	if (!stub_possible())
		return error_set(e, EXIT_RUNNER, "programs run on x86-64 only; "
				 "--entry records one kernel");
	if (compile_both_modules(e) < 0)
		return -1;
	kernels_find();
	if (judge_is_on() && judge_prepare(e) < 0)
		return -1;
	if (!judge_is_on() && !program_function("main"))
		return error_set(e, EXIT_INPUT, "%s has no main()",
				 text_show(program.file));
	fast_prepare();
	if (kernels_patch(program.host, e) < 0)
		return -1;
	return kernels_patch(program.recorder, e);
}
