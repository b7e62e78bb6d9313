#include "cli/benchmark_options.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "base/text.h"

#define MOST_SECONDS 3600

const struct option_def benchmark_option_defs[] = {
	{ "size", BENCHMARK_SIZE, "N|MxNxK",
	  N_("size of the matrices, once or more (default 1024, 2048, 4096)") },
	{ "repeat", BENCHMARK_REPEAT, "R",
	  N_("samples of each kernel and size (default 15)") },
	{ "seconds", BENCHMARK_SECONDS, "S",
	  N_("time limit for each kernel and size (default 1)") },
	{ NULL, 'D', "NAME=VALUE",
	  N_("set a parameter of the kernels, such as TILE=16") },
	{ "block", BENCHMARK_BLOCK, "16x16",
	  N_("threads of a block, for a kernel of a file") },
	{ "grid", BENCHMARK_GRID, "4x4",
	  N_("blocks of the grid, for a kernel of a file") },
	{ "shared", BENCHMARK_SHARED, "BYTES",
	  N_("dynamic shared memory, for a kernel of a file") },
	{ "entry", BENCHMARK_ENTRY, "NAME", N_("which kernel of the file") },
	{ "runner", BENCHMARK_RUNNER, "COMMAND",
	  N_("start this to time, such as 'ssh HOST gemmviz-gpu'") },
	{ "from", BENCHMARK_FROM, "FILE",
	  N_("show a recorded benchmark and run none") },
	{0}
};

void benchmark_options_init(struct benchmark_options *l)
{
	*l = (struct benchmark_options){ .defines = json_object(),
					 .shape = json_object() };
	benchmark_plan_init(&l->plan);
}

void benchmark_options_done(struct benchmark_options *l)
{
	benchmark_plan_done(&l->plan);
	json_decref(l->defines);
	json_decref(l->shape);
	launch_runner_free(l->runner);
}

static int add_define(struct benchmark_options *l, const char *value,
		      struct error *e)
{
	const char *eq = strchr(value, '=');
	char *name = xstrndup(value, eq ? (size_t)(eq - value) : 0);
	int status = 0;

	if (!*name || json_object_set_new(l->defines, name,
					  json_string(eq + 1)))
		status = error_set(e, EXIT_USAGE, "-D needs NAME=VALUE, "
				   "not '%s'", text_show(value));
	free(name);
	return status;
}

static int set_repeat(struct benchmark_options *l, const char *value,
		      struct error *e)
{
	long v;

	if (!parse_int(value, 1, TIMING_MAX_SAMPLES, &v))
		return error_set(e, EXIT_USAGE, "--repeat needs a whole "
				 "number from 1 to %d, not '%s'",
				 TIMING_MAX_SAMPLES, text_show(value));
	json_object_set_new(l->plan.request, "repeat", json_integer(v));
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
	json_object_set_new(l->plan.request, "seconds", json_real(v));
	return 0;
}

static int set_dims(struct benchmark_options *l, const char *member,
		    const char *value, const char *option, struct error *e)
{
	json_t *d = launch_dims(value, option, e);

	return d ? json_object_set_new(l->shape, member, d) : -1;
}

static int set_shared(struct benchmark_options *l, const char *value,
		      struct error *e)
{
	long v;

	if (!parse_int(value, 0, INT_MAX, &v))
		return error_set(e, EXIT_USAGE, "--shared needs a number of "
				 "bytes, not '%s'", text_show(value));
	return json_object_set_new(l->shape, "shared_bytes", json_integer(v));
}

int benchmark_option(struct benchmark_options *l, int option, const char *value,
		     struct error *e)
{
	switch (option) {
	case 'D':
		return add_define(l, value, e);
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
		return set_dims(l, "block", value, "--block", e);
	case BENCHMARK_GRID:
		return set_dims(l, "grid", value, "--grid", e);
	case BENCHMARK_SHARED:
		return set_shared(l, value, e);
	case BENCHMARK_ENTRY:
		l->entry = value;
		return 0;
	}
	return error_set(e, EXIT_USAGE, "unknown option");
}

/* "tiled" and -D TILE=32: "tiled:TILE=32". */
static char *with_defines(const struct benchmark_options *l, const char *word,
			  size_t *used)
{
	const struct kernel *k = kernel_find(word);
	struct str s = {0};
	const char *name;
	json_t *value;
	char between = ':';

	str_add(&s, word);
	json_object_foreach(l->defines, name, value) {
		if (!k || !kernel_param(k, name))
			continue;
		str_addf(&s, "%c%s=%s", between, name,
			 json_string_value(value));
		between = ',';
		++*used;
	}
	return str_take(&s);
}

/* A file's grid is of one size of matrices. */
static int add_file(struct benchmark_options *l, const char *path,
		    struct error *e)
{
	json_t *what, *source;

	if (!json_object_get(l->shape, "block") ||
	    !json_object_get(l->shape, "grid"))
		return error_set(e, EXIT_USAGE, "%s needs --block and --grid",
				 text_show(path));
	if (json_array_size(json_object_get(l->plan.request, "sizes")) != 1)
		return error_set(e, EXIT_USAGE, "the grid of %s is for one "
				 "size: give one --size", text_show(path));
	source = session_source(path, l->entry, e);
	if (!source)
		return -1;
	what = json_deep_copy(l->shape);
	json_object_set_new(what, "source", source);
	json_object_set(what, "defines", l->defines);
	return benchmark_add_case(&l->plan, what, e);
}

int benchmark_options_kernels(struct benchmark_options *l, char **words,
			      int count, struct error *e)
{
	size_t used = 0, files = 0;
	int status = 0;

	for (int i = 0; i < count && !status; i++) {
		char *word;

		if (kernel_is_file(words[i])) {
			status = add_file(l, words[i], e);
			files++;
			continue;
		}
		word = with_defines(l, words[i], &used);
		status = benchmark_add(&l->plan, word, e);
		free(word);
	}
	if (!status && !files && (json_object_size(l->shape) || l->entry))
		status = error_set(e, EXIT_USAGE, "--block, --grid, --shared "
				   "and --entry are for a FILE.cu");
	if (!status && !used && !files && json_object_size(l->defines))
		status = error_set(e, EXIT_USAGE, "-D %s: none of these "
				   "kernels has it; name one that does",
				   text_show(json_object_iter_key(
					json_object_iter(l->defines))));
	return status;
}
