#include "cli/launch_options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "kernels/kernels.h"
#include "base/text.h"

#define SIZE_MAX_ELEMENTS 16384
/* Seconds without a sign of life before a recorder counts as hung. */
#define PATIENCE 120

const struct option_def launch_option_defs[] = {
	{ NULL, 'm', "M", N_("rows of C (default 64)") },
	{ NULL, 'n', "N", N_("columns of C (default 64)") },
	{ NULL, 'k', "K", N_("inner dimension (default 64)") },
	{ NULL, 'D', "NAME=VALUE",
	  N_("define a macro of the kernel, such as TILE=16") },
	{ "on", LAUNCH_ON, "cpu|gpu", N_("where to record (default cpu)") },
	{ "optimized", LAUNCH_OPTIMIZED, NULL,
	  N_("on the GPU: record what the compiler makes of the kernel with "
	     "optimization") },
	{ "block", LAUNCH_BLOCK, "16x16",
	  N_("threads of a block, for a kernel of a file") },
	{ "grid", LAUNCH_GRID, "4x4",
	  N_("blocks of the grid, for a kernel of a file") },
	{ "shared", LAUNCH_SHARED, "BYTES",
	  N_("dynamic shared memory, for a kernel of a file") },
	{ "entry", LAUNCH_ENTRY, "NAME", N_("which kernel of the file") },
	{ "problem", LAUNCH_PROBLEM, "NAME",
	  N_("what a file's kernel computes, so that its answer is checked: "
	     "gemm, transpose, softmax, unknown or auto") },
	{ "blocks", LAUNCH_BLOCKS, "X,Y[:X,Y]",
	  N_("record only these blocks") },
	{ "warps", LAUNCH_WARPS, "W,W", N_("record only these warps") },
	{ "spaces", LAUNCH_SPACES, "global,shared,register",
	  N_("record only accesses to these kinds of memory") },
	{ "max-events", LAUNCH_EVENTS, "N",
	  N_("stop after this many accesses") },
	{ "seconds", LAUNCH_SECONDS, "S", N_("stop after this time") },
	{ "seed", LAUNCH_SEED, "S",
	  N_("seed of the inputs and of a shuffled order") },
	{ "order", LAUNCH_ORDER, "forward|reverse|shuffle",
	  N_("order in which the CPU runs threads") },
	{ "no-values", LAUNCH_NO_VALUES, NULL,
	  N_("do not record the values") },
	{ "runner", LAUNCH_RUNNER, "COMMAND",
	  N_("start this as the recorder, such as 'ssh HOST gemmviz-gpu'") },
	{0}
};

void launch_options_init(struct launch_options *l)
{
	*l = (struct launch_options){ .request = session_request(NULL, 64, 64,
								 64, NULL, 0) };
}

void launch_options_done(struct launch_options *l)
{
	json_decref(l->request);
	launch_runner_free(l->runner);
	free(l->entry);
}

static int set_int(struct launch_options *l, const char *member,
		   const char *value, long lowest, long highest,
		   const char *option, struct error *e)
{
	long v;

	if (!parse_int(value, lowest, highest, &v))
		return error_set(e, EXIT_USAGE, "%s needs a whole number "
				 "from %ld to %ld, not '%s'", option, lowest,
				 highest, text_show(value));
	json_object_set_new(l->request, member, json_integer(v));
	return 0;
}

/* "1,2" or "16x16" with up to `most` numbers; missing ones are `rest`. */
static json_t *parse_dims(const char *text, char between, int most,
			  long lowest, long highest, int rest)
{
	json_t *list = json_array();
	char *copy = xstrdup(text), *p = copy;

	while (p && list) {
		char *next = strchr(p, between);
		long v;

		if (next)
			*next++ = 0;
		if (!parse_int(p, lowest, highest, &v) ||
		    (int)json_array_size(list) == most) {
			json_decref(list);
			list = NULL;
			break;
		}
		json_array_append_new(list, json_integer(v));
		p = next;
	}
	while (list && rest >= 0 && (int)json_array_size(list) < most)
		json_array_append_new(list, json_integer(rest));
	free(copy);
	return list;
}

json_t *launch_dims(const char *value, const char *option, struct error *e)
{
	json_t *d = parse_dims(value, 'x', 3, 1, INT32_MAX, 1);

	if (!d)
		error_set(e, EXIT_USAGE, "%s needs sizes such as 16x16, not "
			  "'%s'", option, text_show(value));
	return d;
}

static int set_dims(struct launch_options *l, const char *member,
		    const char *value, const char *option, struct error *e)
{
	json_t *d = launch_dims(value, option, e);

	return d ? json_object_set_new(l->request, member, d) : -1;
}

/* --blocks 0,0 may come several times, or as 0,0:1,0. */
static int add_blocks(struct launch_options *l, const char *value,
		      struct error *e)
{
	json_t *all = json_object_get(l->request, "blocks");
	char *copy = xstrdup(value), *save, *p;
	int status = 0;

	if (!all) {
		all = json_array();
		json_object_set_new(l->request, "blocks", all);
	}
	for (p = strtok_r(copy, ":", &save); p && !status;
	     p = strtok_r(NULL, ":", &save)) {
		json_t *b = parse_dims(p, ',', 3, 0, INT32_MAX, 0);

		if (b)
			json_array_append_new(all, b);
		else
			status = error_set(e, EXIT_USAGE, "--blocks needs "
					   "blocks such as 0,0:1,0, not '%s'",
					   text_show(value));
	}
	free(copy);
	return status;
}

static int set_warps(struct launch_options *l, const char *value,
		     struct error *e)
{
	json_t *w = parse_dims(value, ',', 32, 0, 31, -1);

	if (!w)
		return error_set(e, EXIT_USAGE, "--warps needs numbers such "
				 "as 0,1, not '%s'", text_show(value));
	json_object_set_new(l->request, "warps", w);
	return 0;
}

static int set_spaces(struct launch_options *l, const char *value,
		      struct error *e)
{
	json_t *list = json_array();
	char *copy = xstrdup(value), *save, *p;
	int status = 0;

	for (p = strtok_r(copy, ",", &save); p && !status;
	     p = strtok_r(NULL, ",", &save)) {
		if (space_from(p) < 0)
			status = error_set(e, EXIT_USAGE, "--spaces needs "
					   "global, shared, register or some "
					   "of them, not '%s'",
					   text_show(value));
		json_array_append_new(list, json_string(p));
	}
	json_object_set_new(l->request, "spaces", list);
	free(copy);
	return status;
}

static int add_define(struct launch_options *l, const char *value,
		      struct error *e)
{
	json_t *d = json_object_get(l->request, "defines");
	const char *eq = strchr(value, '=');
	char *name = xstrndup(value, eq ? (size_t)(eq - value) :
				     strlen(value));

	if (!eq || !*name || json_object_set_new(d, name,
						 json_string(eq + 1))) {
		free(name);
		return error_set(e, EXIT_USAGE, "-D needs NAME=VALUE, "
				 "not '%s'", text_show(value));
	}
	free(name);
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
	char **argv;

	if (access(paths()->gpu, X_OK)) {
		error_set(e, EXIT_GPU, "gemmviz-gpu, which runs kernels on a "
			  "GPU, was not built here; another machine's can be "
			  "used: --runner 'ssh HOST gemmviz-gpu'");
		return NULL;
	}
	argv = xcalloc(2, sizeof(*argv));
	argv[0] = xstrdup(paths()->gpu);
	return argv;
}

int launch_option(struct launch_options *l, int option, const char *value,
		  struct error *e)
{
	switch (option) {
	case 'm':
		return set_int(l, "m", value, 1, SIZE_MAX_ELEMENTS, "-m", e);
	case 'n':
		return set_int(l, "n", value, 1, SIZE_MAX_ELEMENTS, "-n", e);
	case 'k':
		return set_int(l, "k", value, 1, SIZE_MAX_ELEMENTS, "-k", e);
	case 'D':
		return add_define(l, value, e);
	case LAUNCH_ON:
		return set_on(l, value, e);
	case LAUNCH_BLOCKS:
		return add_blocks(l, value, e);
	case LAUNCH_WARPS:
		return set_warps(l, value, e);
	case LAUNCH_SPACES:
		return set_spaces(l, value, e);
	case LAUNCH_EVENTS:
		return set_int(l, "max_events", value, 1, INT64_MAX / 2,
			       "--max-events", e);
	case LAUNCH_SECONDS:
		return set_int(l, "seconds", value, 1, 86400, "--seconds", e);
	case LAUNCH_SEED:
		return set_int(l, "seed", value, 0, INT32_MAX, "--seed", e);
	case LAUNCH_ORDER:
		json_object_set_new(l->request, "order", json_string(value));
		return 0;
	case LAUNCH_NO_VALUES:
		json_object_set_new(l->request, "values", json_false());
		return 0;
	case LAUNCH_RUNNER:
		launch_runner_free(l->runner);
		l->runner = launch_runner(value, e);
		return l->runner ? 0 : -1;
	case LAUNCH_ENTRY:
		free(l->entry);
		l->entry = xstrdup(value);
		return 0;
	case LAUNCH_BLOCK:
		return set_dims(l, "block", value, "--block", e);
	case LAUNCH_GRID:
		return set_dims(l, "grid", value, "--grid", e);
	case LAUNCH_SHARED:
		return set_int(l, "shared_bytes", value, 0, INT32_MAX,
			       "--shared", e);
	case LAUNCH_PROBLEM:
		if (strcmp(value, "auto") != 0)
			json_object_set_new(l->request, "problem",
					    json_string(value));
		return 0;
	case LAUNCH_OPTIMIZED:
		json_object_set_new(l->request, "optimized", json_true());
		return 0;
	}
	return error_set(e, EXIT_USAGE, "unknown option");
}

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && !strcmp(name + n - k, end);
}

static int add_source(struct launch_options *l, const char *path,
		      struct error *e)
{
	json_t *source = session_source(path, l->entry, e);

	return source ? json_object_set_new(l->request, "source", source) : -1;
}

static int add_kernel(struct launch_options *l, const char *name,
		      struct error *e)
{
	const char **names = xcalloc(kernel_count, sizeof(*names));
	const char *near;

	if (kernel_find(name)) {
		free(names);
		json_object_set_new(l->request, "kernel", json_string(name));
		return 0;
	}
	for (size_t i = 0; i < kernel_count; i++)
		names[i] = kernels[i].name;
	near = nearest_name(name, names, kernel_count);
	error_set(e, EXIT_USAGE, near ? "no kernel '%s'; did you mean %s?" :
		  "no kernel '%s'; gemmviz list names them%s",
		  text_show(name), near ? near : "");
	free(names);
	return -1;
}

/* An "error" message, or anything else that was not asked for. */
static void refused(const json_t *message, struct error *e)
{
	json_int_t status = json_integer_value(
		json_object_get(message, "status"));
	const char *text = json_string_value(
		json_object_get(message, "message"));

	error_set(e, status > 0 && status < 256 ?
		  (enum exit_status)status : EXIT_RUNNER, "%s",
		  text ? text : "the recorder gave no answer");
}

/* The answer to the request in ev; -1 with e when there is none. */
static int ask(struct runner *r, json_t *request, struct runner_event *ev,
	       struct error *e)
{
	long id = runner_send(r, request);

	if (runner_wait(r, id, runner_patience(PATIENCE), ev)) {
		*e = ev->error;
		return -1;
	}
	return 0;
}

static struct trace *record(struct launch_options *l, struct error *e)
{
	struct runner *r = runner_start(l->runner, e);
	struct runner_event ev = {0};
	struct trace *t = NULL;

	if (!r)
		return NULL;
	runner_want(r, l->on);
	if (ask(r, json_incref(l->request), &ev, e)) {
		;
	} else if (ev.kind == RUNNER_TRACE) {
		t = runner_trace(r, ev.fd, e);
	} else {
		refused(ev.message, e);
		json_decref(ev.message);
	}
	runner_free(r);
	return t;
}

int launch_runner_choose(struct launch_options *l, struct error *e)
{
	if (!l->on || *l->on != 'g' || l->runner)
		return 0;
	l->runner = launch_gpu(e);
	return l->runner ? 0 : -1;
}

struct trace *launch_trace(struct launch_options *l, const char *what,
			   struct error *e)
{
	if (ends_in(what, ".gvt") ||
	    (strchr(what, '/') && !kernel_is_file(what)))
		return trace_open(what, e);
	if (kernel_is_file(what) ? add_source(l, what, e) :
				     add_kernel(l, what, e))
		return NULL;
	return launch_runner_choose(l, e) ? NULL : record(l, e);
}

/* The trace's own launch; what the text is of a reader's kernel, it says
 * itself. */
static json_t *counters_request(const struct launch_options *l,
				const struct trace_info *i)
{
	json_t *r = session_request(NULL, (int)i->m, (int)i->n, (int)i->k,
				    i->defines, i->define_count);
	json_t *optimized = json_object_get(l->request, "optimized");

	json_object_set_new(r, "type", json_string("counters"));
	if (kernel_find(i->kernel)) {
		json_object_set_new(r, "kernel", json_string(i->kernel));
	} else {
		json_object_set_new(r, "source", json_pack("{s:s, s:s, s:s}",
			"file", i->file, "text", i->text,
			"entry", i->kernel));
		json_object_set_new(r, "block", json_pack("[i,i,i]",
			i->block.x, i->block.y, i->block.z));
		json_object_set_new(r, "grid", json_pack("[i,i,i]",
			i->grid.x, i->grid.y, i->grid.z));
	}
	if (optimized)
		json_object_set(r, "optimized", optimized);
	return r;
}

json_t *launch_counters(struct launch_options *l, const struct trace_info *i,
			struct error *e)
{
	char *const *argv = l->runner;
	char **own = NULL;
	struct runner_event ev = {0};
	struct runner *r;
	json_t *counters = NULL;

	if (!argv) {
		own = launch_gpu(e);
		if (!own)
			return NULL;
		argv = own;
	}
	r = runner_start(argv, e);
	launch_runner_free(own);
	if (!r)
		return NULL;
	if (ask(r, counters_request(l, i), &ev, e) == 0) {
		counters = json_incref(json_object_get(ev.message,
						       "counters"));
		if (!json_is_object(counters)) {
			refused(ev.message, e);
			counters = NULL;
		}
		json_decref(ev.message);
	}
	runner_free(r);
	return counters;
}

char **launch_runner(const char *command, struct error *e)
{
	size_t capacity = 0, n = 0;
	char **argv = NULL;
	const char *p = command;

	for (;;) {
		struct str word = {0};
		char quote = 0;

		p += strspn(p, " \t");
		if (!*p)
			break;
		for (; *p && (quote || !strchr(" \t", *p)); p++) {
			if (quote ? *p == quote : *p == '\'' || *p == '"')
				quote = quote ? 0 : *p;
			else
				str_addc(&word, *p);
		}
		grow(&argv, &capacity, n + 2, sizeof(*argv));
		argv[n++] = str_take(&word);
		argv[n] = NULL;
		if (quote) {
			launch_runner_free(argv);
			error_set(e, EXIT_USAGE, "--runner: a quote is not "
				  "closed in '%s'", text_show(command));
			return NULL;
		}
	}
	if (!n)
		error_set(e, EXIT_USAGE, "--runner needs a command");
	return argv;
}

void launch_runner_free(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}
