#include "cli/launch_machine.h"
#include "cli/launch_options.h"
#include "cli/config.h"
#include "cli/program_options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "base/lang.h"
#include "hardware/occupancy.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "base/text.h"
#include "protocol/missing_files.h"

#define SIZE_MAX_ELEMENTS 16384
#define BLOCK_MOST 1024		/* threads */
/* M N K up to which to record values takes a fifth of a second at most. */
#define VALUES_MOST (128.0 * 128 * 128)

const struct option_def launch_option_defs[] = {
	{ NULL, OPTION_GROUP, NULL, N_("sizes and macros:") },
	{ NULL, 'm', "M",
	  N_("rows of C (default: 64, or what the kernel requires)") },
	{ NULL, 'n', "N", N_("columns of C (same default)") },
	{ NULL, 'k', "K", N_("inner dimension (same default)") },
	{ "sizes", LAUNCH_SIZES, "all|multiples",
	  N_("sizes that the kernel is meant for: multiples of its tile, or all "
	     "(default)") },
	{ NULL, 'D', "MACRO=VALUE",
	  N_("define a macro of the kernel, such as TILE=16") },
	{ NULL, OPTION_GROUP, NULL, N_("the launch of a kernel in a FILE.cu:") },
	{ "entry", LAUNCH_ENTRY, "NAME",
	  N_("the kernel to record, if a FILE.cu has several; NAME@LINE or "
	     "NAME@CELL if several of a Python file or notebook have the "
	     "name") },
	{ "block", LAUNCH_BLOCK, "16x16",
	  N_("threads per block, for a FILE.cu") },
	{ "grid", LAUNCH_GRID, "4x4",
	  N_("blocks in the grid, for a FILE.cu") },
	{ "shared", LAUNCH_SHARED, "BYTES",
	  N_("dynamic shared memory per block, for a FILE.cu") },
	{ "arg", LAUNCH_ARG, "NAME=VALUE",
	  N_("value of a kernel parameter in a FILE.cu, such as alpha=0.5") },
	{ "array", LAUNCH_ARRAY, "NAME=SIZE",
	  N_("size of a kernel's array in a FILE.cu: elements, or "
	     "ROWSxCOLUMNS") },
	{ "values", LAUNCH_VALUES, "NAME=LOW..HIGH",
	  N_("fill a kernel's array in a FILE.cu with integers in this range, "
	     "such as indices") },
	{ "problem", LAUNCH_PROBLEM, "PROBLEM",
	  N_("what the kernel in a FILE.cu computes, to check its result: "
	     "gemm, transpose, softmax, unknown or auto (default)") },
	{ NULL, OPTION_GROUP, NULL, N_("the recorder:") },
	{ "on", LAUNCH_ON, "cpu|gpu",
	  N_("record on the CPU or on the GPU (default cpu)") },
	{ "runner", LAUNCH_RUNNER, "COMMAND",
	  N_("command that starts the recorder, such as 'ssh HOST gemmviz-gpu'") },
	{ "optimized", LAUNCH_OPTIMIZED, NULL,
	  N_("on the GPU: record the kernel as optimized by the compiler") },
	{ "order", LAUNCH_ORDER, "forward|reverse|shuffle",
	  N_("order in which the CPU runs the threads of a block") },
	{ "seed", LAUNCH_SEED, "S",
	  N_("seed for the inputs, for --sample and for --order shuffle") },
	{ NULL, OPTION_GROUP, NULL, N_("what to record:") },
	{ "blocks", LAUNCH_BLOCKS, "X,Y[:X,Y]",
	  N_("record only these blocks") },
	{ "sample", LAUNCH_SAMPLE, "N",
	  N_("record only N blocks, drawn from the whole grid") },
	{ "warps", LAUNCH_WARPS, "W,W", N_("record only these warps") },
	{ "spaces", LAUNCH_SPACES, "global,shared,register,constant",
	  N_("record only accesses to these kinds of memory") },
	{ "no-values", LAUNCH_NO_VALUES, NULL,
	  N_("do not record values") },
	{ NULL, OPTION_GROUP, NULL, N_("limits:") },
	{ "max-events", LAUNCH_EVENTS, "N",
	  N_("stop after this many accesses") },
	{ "seconds", LAUNCH_SECONDS, "S", N_("stop after this many seconds") },
	{ "timeout", LAUNCH_TIMEOUT, "S",
	  N_("time limit for compiling and loading a FILE.cu, in seconds "
	     "(default 60)") },
	{ "memory", LAUNCH_MEMORY, "MB",
	  N_("memory limit of a FILE.cu on the CPU, in megabytes (default "
	     "4096)") },
	{ NULL, OPTION_GROUP, NULL, N_("compiling and the sandbox:") },
	{ NULL, 'I', "FOLDER",
	  N_("let a FILE.cu include files from this folder, too; its own "
	     "folder and those below it are always allowed. A file that a "
	     "program lacks is taken from its own folder only, and listed") },
	{ "no-cache", LAUNCH_NO_CACHE, NULL,
	  N_("compile a FILE.cu again, and do not store the result") },
	{ "unconfined", LAUNCH_UNCONFINED, NULL,
	  N_("run a FILE.cu without the sandbox, with your rights") },
	{0}
};

void launch_options_init(struct launch_options *l)
{
	*l = (struct launch_options){ .taken_out = stdout };
	job_launch(&l->job, JOB_RECORD, NULL, 0, 0, 0, NULL, 0);
}

void launch_options_done(struct launch_options *l)
{
	launch_machine_end(l);
	job_done(&l->job);
	launch_runner_free(l->runner);
	free(l->entry);
	json_decref(l->program);
	json_decref(l->adds);
	json_decref(l->taken);
	/* The first is the caller's. */
	for (size_t i = 1; i < l->trace_count; i++)
		trace_close(l->traces[i]);
	free(l->traces);
	trace_close(l->second);
}

static int parse_option_int(long *to, const char *value, long lowest,
			    long highest, const char *option, struct error *e)
{
	if (parse_int(value, lowest, highest, to))
		return 0;
	return error_set(e, EXIT_USAGE, "%s needs a whole number from %ld to "
			 "%ld, not '%s'", option, lowest, highest,
			 text_show(value));
}

/* Parses "1,2" or "16x16", at most `most` numbers. Returns how many there are,
 * or -1. */
static int parse_number_list(const char *text, char between, int most,
			     long lowest, long highest, long *to)
{
	char *copy = xstrdup(text), *p = copy;
	int n = 0;

	while (p) {
		char *next = strchr(p, between);

		if (next)
			*next++ = 0;
		if (n == most || !parse_int(p, lowest, highest, &to[n])) {
			n = -1;
			break;
		}
		n++;
		p = next;
	}
	free(copy);
	return n;
}

/* Parses one to three numbers; missing ones are set to `rest`. */
static bool parse_dim(const char *text, char between, long lowest, long rest,
		      struct trace_dim *to)
{
	long v[3];
	int n = parse_number_list(text, between, 3, lowest, INT32_MAX, v);

	if (n < 0)
		return false;
	while (n < 3)
		v[n++] = rest;
	*to = (struct trace_dim){ (uint32_t)v[0], (uint32_t)v[1],
				  (uint32_t)v[2] };
	return true;
}

int launch_dims(struct trace_dim *to, const char *value, const char *option,
		struct error *e)
{
	bool block = !strcmp(option, "--block");

	if (parse_dim(value, 'x', 1, 1, to) &&
	    !(block && (double)to->x * to->y * to->z > BLOCK_MOST))
		return 0;
	if (block && parse_dim(value, 'x', 1, 1, to))
		return error_set(e, EXIT_USAGE, _("--block %s: a block has at "
						  "most %d threads"),
				 text_show(value), BLOCK_MOST);
	return error_set(e, EXIT_USAGE, "%s needs sizes such as 16x16, not "
			 "'%s'", option, text_show(value));
}

static int blocks_once(const struct job *job, struct error *e)
{
	if (!job->block_count || !job->sample)
		return 0;
	return error_set(e, EXIT_USAGE, "--blocks and --sample cannot be "
			 "combined");
}

/* Adds the blocks of a --blocks option, which may be repeated, or have several
 * blocks: 0,0:1,0. */
static int add_blocks(struct launch_options *l, const char *value,
		      struct error *e)
{
	char *copy = xstrdup(value), *save, *p;
	int status = 0;

	for (p = strtok_r(copy, ":", &save); p && !status;
	     p = strtok_r(NULL, ":", &save)) {
		struct trace_dim b;

		if (parse_dim(p, ',', 0, 0, &b))
			job_block(&l->job, b);
		else
			status = error_set(e, EXIT_USAGE, "--blocks needs "
					   "blocks such as 0,0:1,0, not '%s'",
					   text_show(value));
	}
	free(copy);
	return status ? status : blocks_once(&l->job, e);
}

static int set_warps(struct launch_options *l, const char *value,
		     struct error *e)
{
	long v[32];
	int n = parse_number_list(value, ',', 32, 0, 31, v);

	if (n < 0)
		return error_set(e, EXIT_USAGE, "--warps needs numbers such "
				 "as 0,1, not '%s'", text_show(value));
	for (l->job.warps = 0; n > 0; n--)
		l->job.warps |= 1u << v[n - 1];
	return 0;
}

static int set_spaces(struct launch_options *l, const char *value,
		      struct error *e)
{
	uint32_t spaces = spaces_from(value);

	if (!spaces)
		return error_set(e, EXIT_USAGE, "--spaces needs one or more of "
				 "global, shared, register and constant, not "
				 "'%s'", text_show(value));
	l->job.spaces = spaces;
	return 0;
}

/* NAME=... of an option; false: it has no name. */
static bool define(struct job_defines *d, const char *value)
{
	const char *eq = strchr(value, '=');
	char *name = xstrndup(value, eq ? (size_t)(eq - value) : 0);
	bool named = *name;

	if (named)
		job_define(d, name, eq + 1);
	free(name);
	return named;
}

int launch_define(struct job_defines *d, const char *value, struct error *e)
{
	/* -D NAME is 1, as for a compiler. */
	if (define(d, value))
		return 0;
	if (cpp_letter(*value) && !strchr(value, '=')) {
		job_define(d, value, "1");
		return 0;
	}
	return error_set(e, EXIT_USAGE, "-D needs NAME=VALUE, not '%s'",
			 text_show(value));
}

/* Adds --arg, --array or --values; the recorder checks the names. */
static int add_given(struct job *job, int option, const char *value,
		     struct error *e)
{
	if (define(option == LAUNCH_ARG ? &job->args :
		   option == LAUNCH_ARRAY ? &job->arrays : &job->contents,
		   value))
		return 0;
	return error_set(
		e, EXIT_USAGE, "%s, not '%s'",
		option == LAUNCH_ARG   ? _("--arg needs NAME=VALUE") :
		option == LAUNCH_ARRAY ? _("--array needs NAME=SIZE") :
					 _("--values needs NAME=LOW..HIGH"),
		text_show(value));
}

static int set_order(struct launch_options *l, const char *value,
		     struct error *e)
{
	int order = job_order_from(value);

	if (order < 0)
		return error_set(e, EXIT_USAGE, "--order needs forward, "
				 "reverse or shuffle, not '%s'",
				 text_show(value));
	l->job.order = (enum job_order)order;
	return 0;
}

static int set_sizes(struct launch_options *l, const char *value,
		     struct error *e)
{
	if (strcmp(value, "all") != 0 && strcmp(value, "multiples") != 0)
		return error_set(e, EXIT_USAGE, "--sizes needs all or "
				 "multiples, not '%s'", text_show(value));
	l->multiples = *value == 'm';
	return 0;
}

static int set_on(struct launch_options *l, const char *value, struct error *e)
{
	if (strcmp(value, "cpu") != 0 && strcmp(value, "gpu") != 0)
		return error_set(e, EXIT_USAGE, "--on needs cpu or gpu, not "
				 "'%s'", text_show(value));
	l->on = *value == 'c' ? "cpu" : "gpu";
	return 0;
}

char **launch_gpu(struct error *e)
{
	char **argv = launch_runner_copy(config()->runner);

	if (argv)
		return argv;
	if (access(paths()->gpu, X_OK)) {
		error_set(e, EXIT_GPU, "gemmviz-gpu, which runs kernels on a "
			  "GPU, was not built; to use the GPU of another "
			  "machine, give --runner 'ssh HOST gemmviz-gpu'");
		return NULL;
	}
	argv = xcalloc(2, sizeof(*argv));
	argv[0] = xstrdup(paths()->gpu);
	return argv;
}

/* Sets an option that is an integer. Returns -1 with e. */
static int set_number(struct job *job, int option, const char *value,
		      struct error *e)
{
	static const struct {
		int option;
		const char *name;
		long lowest, highest;
	} numbers[] = {
		{ 'm', "-m", 1, SIZE_MAX_ELEMENTS },
		{ 'n', "-n", 1, SIZE_MAX_ELEMENTS },
		{ 'k', "-k", 1, SIZE_MAX_ELEMENTS },
		{ LAUNCH_EVENTS, "--max-events", 1, 1l << 40 },
		{ LAUNCH_SECONDS, "--seconds", 1, 86400 },
		{ LAUNCH_TIMEOUT, "--timeout", 1, 86400 },
		{ LAUNCH_MEMORY, "--memory", 64, MEMORY_MAX },
		{ LAUNCH_SEED, "--seed", 0, INT32_MAX },
		{ LAUNCH_SHARED, "--shared", 0, SHARED_MOST },
		{ LAUNCH_SAMPLE, "--sample", 1, INT32_MAX },
	};
	size_t i = 0;
	long v;

	while (i < LENGTH(numbers) && numbers[i].option != option)
		i++;
	if (i == LENGTH(numbers))
		return error_set(e, EXIT_USAGE, "unknown option");
	if (parse_option_int(&v, value, numbers[i].lowest, numbers[i].highest,
			     numbers[i].name, e))
		return -1;
	switch (option) {
	case LAUNCH_EVENTS:
		job->max_events = (uint64_t)v;
		break;
	case LAUNCH_SECONDS:
		job->seconds = (double)v;
		break;
	case LAUNCH_TIMEOUT:
		job->timeout = (double)v;
		break;
	case LAUNCH_MEMORY:
		job->memory = (uint64_t)v;
		break;
	case LAUNCH_SEED:
		job->seed = (uint64_t)v;
		break;
	case LAUNCH_SAMPLE:
		job->sample = v;
		break;
	case LAUNCH_SHARED:
		job->kernel.shared_bytes = (uint32_t)v;
		break;
	default:
		*(option == 'm' ? &job->size.m :
		  option == 'n' ? &job->size.n : &job->size.k) = (int)v;
	}
	return 0;
}

static int other_option(struct launch_options *l, int option,
			const char *value, struct error *e)
{
	if (option >= LAUNCH_NUMBER)
		return program_option(l, option, value, e);
	return set_number(&l->job, option, value, e) ||
	       blocks_once(&l->job, e) ? -1 : 0;
}

/* Sets an option without a value. Returns false if it is another one. */
static bool set_flag(struct job *job, int option)
{
	switch (option) {
	case LAUNCH_NO_VALUES:
		job->values = false;
		return true;
	case LAUNCH_OPTIMIZED:
		job->optimized = true;
		return true;
	case LAUNCH_UNCONFINED:
		job->unconfined = true;
		return true;
	case LAUNCH_NO_CACHE:
		job->no_store = true;
		return true;
	}
	return false;
}

int launch_option(struct launch_options *l, int option, const char *value,
		  struct error *e)
{
	struct job_kernel *k = &l->job.kernel;

	/* A recorder gets UTF-8; names of files may be any bytes. */
	if (value && option != 'I' && option != LAUNCH_RUNNER &&
	    !text_is_utf8(value))
		return error_set(e, EXIT_USAGE, "not UTF-8: %s",
				 text_show(value));
	switch (option) {
	case 'D':
		return launch_define(&k->defines, value, e);
	case 'I':
		job_define(&k->folders, value, "");
		return 0;
	case LAUNCH_ON:
		return set_on(l, value, e);
	case LAUNCH_BLOCKS:
		return add_blocks(l, value, e);
	case LAUNCH_WARPS:
		return set_warps(l, value, e);
	case LAUNCH_SPACES:
		return set_spaces(l, value, e);
	case LAUNCH_SIZES:
		return set_sizes(l, value, e);
	case LAUNCH_ORDER:
		return set_order(l, value, e);
	case LAUNCH_RUNNER:
		launch_runner_free(l->runner);
		l->runner = launch_runner(value, e);
		return l->runner ? 0 : -1;
	case LAUNCH_ENTRY:
		free(l->entry);
		l->entry = xstrdup(value);
		return 0;
	case LAUNCH_BLOCK:
		k->has_block = true;
		return launch_dims(&k->block, value, "--block", e);
	case LAUNCH_GRID:
		k->has_grid = true;
		return launch_dims(&k->grid, value, "--grid", e);
	case LAUNCH_PROBLEM:
		free(l->job.problem);
		l->job.problem = strcmp(value, "auto") ? xstrdup(value) : NULL;
		return 0;
	case LAUNCH_ARG:
	case LAUNCH_ARRAY:
	case LAUNCH_VALUES:
		return add_given(&l->job, option, value, e);
	}
	if (set_flag(&l->job, option))
		return 0;
	return other_option(l, option, value, e);
}

static int set_kernel(struct launch_options *l, const char *name,
		      struct error *e)
{
	const char **names, *near;
	size_t count;

	if (kernel_find(name)) {
		free(l->job.kernel.name);
		l->job.kernel.name = xstrdup(name);
		return 0;
	}
	if (strchr(file_base(name), '.') || access(name, F_OK) == 0)
		return error_set(e, EXIT_USAGE, _("%s is neither a kernel nor "
				 "a file that gemmviz reads: .cu, .cuh, .py, "
				 ".ipynb, .gvt, or - for standard input"),
				 text_show(name));
	names = own_names(&count);
	near = nearest_name(name, names, count);
	free(names);
	return error_set(e, EXIT_USAGE,
			 near ? N_("no kernel '%s'; did you mean %s?") :
				N_("no kernel '%s'; gemmviz list shows all%s"),
			 text_show(name), near ? near : "");
}

int launch_runner_choose(struct launch_options *l, struct error *e)
{
	if (!l->on || *l->on != 'g' || l->runner)
		return 0;
	l->runner = launch_gpu(e);
	return l->runner ? 0 : -1;
}

/* Fills in the sizes that were not given. */
static void fill_missing_size(struct launch_options *l)
{
	struct job *job = &l->job;
	const struct kernel *k = job->kernel.name ?
				 kernel_find(job->kernel.name) : NULL;
	struct problem_sizes usual = { 64, 64, 64 };
	int p[KERNEL_PARAMS];

	if (k) {
		kernel_defaults(k, p);
		kernel_values(k, p, job_defined, &job->kernel.defines);
		usual = l->shown ? kernel_shown(k, p) : kernel_size(k, p);
	}
	job->open |= (job->size.m ? 0 : SIZE_M) | (job->size.n ? 0 : SIZE_N) |
		     (job->size.k ? 0 : SIZE_K);
	job->size.m = job->size.m ? job->size.m : usual.m;
	job->size.n = job->size.n ? job->size.n : usual.n;
	job->size.k = job->size.k ? job->size.k : usual.k;
}

void launch_say_source(const struct job_kernel *k)
{
	/* The cell is in the file's name. */
	if (strstr(k->file, ".ipynb:"))
		fprintf(stderr, _("gemmviz: the lines are those of %s\n"),
			text_show(k->file));
	if (k->decoded)
		fprintf(stderr, _("gemmviz: %s is not UTF-8; reading it as "
				  "GB18030 (GBK)\n"), text_show(k->file));
}

/* Sets e to the reason why a file is not run as a program, with the file beside
 * it that has the main() that it lacks. Returns -1. */
static int refuse_to_run(const struct launch_options *l, const char *what,
			 struct error *e)
{
	char *folder, *path, *found = NULL, *word;
	bool own;

	if (!l->job.kernel.text || job_program_main(l->job.kernel.text))
		return error_set(e, EXIT_USAGE, "%s is not run: the options "
				 "describe one launch of a kernel",
				 text_show(what));
	folder = xstrndup(what, (size_t)(file_base(what) - what));
	path = realpath(*folder ? folder : ".", NULL);
	if (path)
		found = seek_source(path, "main", &own);
	word = found ? text_shell_word(found) : xstrdup("");
	error_set(e, EXIT_USAGE,
		  found ? N_("%s has no main(), so that nothing is "
			     "run; %s has one: gemmviz run %s %s") :
			  N_("%s has no main(), so that nothing is run"),
		  text_show(what), word, text_show(what), word);
	free(word);
	free(found);
	free(path);
	free(folder);
	return -1;
}

/* Refuses more dynamic shared memory than a block of --arch can have. */
static int check_shared_of_arch(const struct job_kernel *k, struct error *e)
{
	struct occupancy_arch a;
	char name[16];

	snprintf(name, sizeof(name), "sm_%u", job_arch(k));
	if (occupancy_arch_get(&a, name, 0, NULL) < 0 ||
	    k->shared_bytes <= (uint32_t)a.optin_shared)
		return 0;
	return error_set(e, EXIT_USAGE, "--shared %u: a block of %s has %d "
			 "bytes of shared memory at most", k->shared_bytes,
			 name, a.optin_shared);
}

int launch_prepare(struct launch_options *l, const char *what,
		   struct trace **t, struct error *e)
{
	const struct own_program *own;

	*t = NULL;
	if (text_ends(what, ".gvt") ||
	    (strchr(what, '/') && !kernel_is_file(what))) {
		*t = trace_open(what, e);
		return *t ? 0 : -1;
	}
	own = own_program_find(what);
	if (own)
		fill_missing_size(l);
	if (own ? session_program(&l->job.kernel, own, &l->job.size, e) :
	    kernel_is_file(what) ?
		  session_source(&l->job.kernel, what, l->entry, e) :
		  set_kernel(l, what, e))
		return -1;
	/* "@3" names a cell, and no kernel in it. */
	if (l->entry && *l->entry == '@' && kernel_is_python(what)) {
		free(l->entry);
		l->entry = NULL;
	}
	if (!l->on_screen && l->job.kernel.text)
		launch_say_source(&l->job.kernel);
	if (l->job.kernel.text && program_choose(l, e))
		return -1;
	if (l->must_run && !l->job.kernel.program.run)
		return refuse_to_run(l, what, e);
	fill_missing_size(l);
	if (launch_suggest(l, e) || check_shared_of_arch(&l->job.kernel, e))
		return -1;
	return launch_runner_choose(l, e);
}

/* Asks for a second size, unless sizes are given. */
static void choose_second(struct launch_options *l)
{
	l->job.second = l->all_sizes && l->job.open == SIZE_ALL &&
			!l->job.kernel.program.run;
}

struct sizes_tried launch_sizes_tried(const struct launch_options *l)
{
	const struct job *job = &l->job;
	bool kernel = !job->kernel.program.run &&
		      (job->kernel.text || job->kernel.name);

	return (struct sizes_tried){
		.second = l->second ? trace_info(l->second) : NULL,
		.multiples = l->multiples,
		.given = kernel && job->open != SIZE_ALL,
		.chosen = kernel && job->kernel.text && job->open == SIZE_ALL,
	};
}

static void choose_values(struct launch_options *l)
{
	const struct job *j = &l->job;

	if (l->figures)
		l->job.values = j->values && j->kernel.text &&
				!j->kernel.program.run &&
				(double)j->size.m * j->size.n * j->size.k <=
				VALUES_MOST;
}

/* Files that a program is completed with, at most. */
#define ADDS_MOST 32

struct trace *launch_trace(struct launch_options *l, const char *what,
			   struct error *e)
{
	struct trace *t;

	if (launch_prepare(l, what, &t, e))
		return NULL;
	choose_values(l);
	choose_second(l);
	if (!t && l->machine)
		launch_machine_early(l);
	if (!t)
		t = launch_record_job(l, e);
	for (int i = 0; !t && i < ADDS_MOST && program_complete(l, what); i++)
		t = launch_record_job(l, e);
	if (l->program)
		launch_taken_json(l, l->program);
	return t;
}
