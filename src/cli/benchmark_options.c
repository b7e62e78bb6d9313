#include "cli/benchmark_options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "base/lang.h"
#include "cli/config.h"
#include "cli/launch_options.h"
#include "base/text.h"

#define MOST_SECONDS 3600

const struct option_def benchmark_option_defs[] = {
	{ "size", BENCHMARK_SIZE, "N|MxNxK",
	  N_("size of the matrices; may be repeated (default 1024, 2048, "
	     "4096)") },
	{ "repeat", BENCHMARK_REPEAT, "R",
	  N_("samples for each kernel and size (default 15)") },
	{ "seconds", BENCHMARK_SECONDS, "S",
	  N_("time limit for each kernel and size (default 1)") },
	{ NULL, 'D', "MACRO=VALUE",
	  N_("set a parameter of the kernels, such as TILE=16") },
	{ "block", BENCHMARK_BLOCK, "16x16",
	  N_("threads per block, for a FILE.cu") },
	{ "grid", BENCHMARK_GRID, "4x4",
	  N_("blocks in the grid, for a FILE.cu") },
	{ "shared", BENCHMARK_SHARED, "BYTES",
	  N_("dynamic shared memory per block, for a FILE.cu") },
	{ "entry", BENCHMARK_ENTRY, "NAME",
	  N_("the kernel to time, if a FILE.cu has several") },
	{ "runner", BENCHMARK_RUNNER, "COMMAND",
	  N_("command that starts the benchmark, such as 'ssh HOST "
	     "gemmviz-gpu'") },
	{ "from", BENCHMARK_FROM, "FILE",
	  N_("show a recorded benchmark instead of running one") },
	{0}
};

void benchmark_options_init(struct benchmark_options *l)
{
	*l = (struct benchmark_options){ .entry = NULL };
	benchmark_plan_init(&l->plan);
}

void benchmark_options_done(struct benchmark_options *l)
{
	benchmark_plan_done(&l->plan);
	job_kernel_done(&l->own);
	launch_runner_free(l->runner);
}

static int set_repeat(struct benchmark_options *l, const char *value,
		      struct error *e)
{
	long v;

	if (!parse_int(value, 1, TIMING_MAX_SAMPLES, &v))
		return error_set(e, EXIT_USAGE, "--repeat needs a whole "
				 "number from 1 to %d, not '%s'",
				 TIMING_MAX_SAMPLES, text_show(value));
	l->plan.job.repeat = v;
	return 0;
}

static int set_seconds(struct benchmark_options *l, const char *value,
		       struct error *e)
{
	char *end;
	double v = strtod(value, &end);

	if (*end || end == value || !(v > 0 && v <= MOST_SECONDS))
		return error_set(e, EXIT_USAGE, "--seconds needs a number up "
				 "to %d, not '%s'", MOST_SECONDS,
				 text_show(value));
	l->plan.job.seconds = v;
	return 0;
}

static int set_shared(struct benchmark_options *l, const char *value,
		      struct error *e)
{
	long v;

	if (!parse_int(value, 0, SHARED_MOST, &v))
		return error_set(e, EXIT_USAGE, "--shared needs a whole number "
				 "from 0 to %d, not '%s'", SHARED_MOST,
				 text_show(value));
	l->own.shared_bytes = (uint32_t)v;
	l->shared = true;
	return 0;
}

int benchmark_option(struct benchmark_options *l, int option, const char *value,
		     struct error *e)
{
	switch (option) {
	case 'D':
		return launch_define(&l->own.defines, value, e);
	case BENCHMARK_SIZE:
		return benchmark_add_size(&l->plan, value, e);
	case BENCHMARK_REPEAT:
		return set_repeat(l, value, e);
	case BENCHMARK_SECONDS:
		return set_seconds(l, value, e);
	case BENCHMARK_FROM:
		l->from = value;
		return 0;
	case BENCHMARK_RUNNER:
		launch_runner_free(l->runner);
		l->runner = launch_runner(value, e);
		return l->runner ? 0 : -1;
	case BENCHMARK_BLOCK:
		l->own.has_block = true;
		return launch_dims(&l->own.block, value, "--block", e);
	case BENCHMARK_GRID:
		l->own.has_grid = true;
		return launch_dims(&l->own.grid, value, "--grid", e);
	case BENCHMARK_SHARED:
		return set_shared(l, value, e);
	case BENCHMARK_ENTRY:
		l->entry = value;
		return 0;
	}
	return error_set(e, EXIT_USAGE, "unknown option");
}

/* Returns a kernel's name with the -D options that it has, such as
 * "tiled:TILE=32"; adds to *used. The caller frees it. */
static char *append_defines(const struct benchmark_options *l, const char *word,
			    size_t *used)
{
	const struct job_defines *d = &l->own.defines;
	const struct kernel *k = kernel_find(word);
	struct str s = {0};
	char between = ':';

	str_add(&s, word);
	for (size_t i = 0; i < d->count; i++) {
		if (!k || !kernel_param(k, d->list[i].name))
			continue;
		str_addf(&s, "%c%s=%s", between, d->list[i].name,
			 d->list[i].value);
		between = ',';
		++*used;
	}
	return str_take(&s);
}

/* Adds a file as a case. It needs --block, --grid and a single size, for the
 * grid fits one size only. Returns -1 with e. */
static int add_file_case(struct benchmark_options *l, const char *path,
			 struct error *e)
{
	struct job_kernel what;

	if (!l->own.has_block || !l->own.has_grid)
		return error_set(e, EXIT_USAGE, "%s needs --block and --grid",
				 text_show(path));
	if (l->plan.job.size_count != 1)
		return error_set(e, EXIT_USAGE, "%s has a fixed grid: give "
				 "exactly one --size", text_show(path));
	what = job_kernel_copy(&l->own);
	if (!session_source(&what, path, l->entry, e)) {
		launch_say_source(&what);
		return benchmark_add_case(&l->plan, &what, e);
	}
	job_kernel_done(&what);
	return -1;
}

int benchmark_options_kernels(struct benchmark_options *l, char **words,
			      int count, struct error *e)
{
	size_t used = 0, files = 0;
	int status = 0;

	for (int i = 0; i < count && !status; i++) {
		char *word;

		if (kernel_is_file(words[i])) {
			status = add_file_case(l, words[i], e);
			files++;
			continue;
		}
		word = append_defines(l, words[i], &used);
		status = benchmark_add(&l->plan, word, e);
		free(word);
	}
	if (!status && !files && (l->own.has_block || l->own.has_grid ||
				     l->shared || l->entry))
		status = error_set(e, EXIT_USAGE, "--block, --grid, --shared "
				   "and --entry need a FILE.cu");
	if (!status && !used && !files && l->own.defines.count)
		status = error_set(e, EXIT_USAGE, "-D %s: none of the named "
				   "kernels has this parameter",
				   text_show(l->own.defines.list[0].name));
	if (!l->runner)
		l->runner = launch_runner_copy(config()->runner);
	return status;
}
