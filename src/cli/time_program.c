/*
 * time_program: see time_program.h.
 */
#include "cli/time_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/config.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "cli/time_words.h"
#include "kernels/kernels.h"
#include "runner/runner.h"
#include "timing/timing.h"

/* Seconds without a word until a runner is given up. */
#define SILENCE 300

bool time_is_program(const struct benchmark_options *o, char **words,
		     int count)
{
	struct job_kernel k = { .name = NULL };
	struct error e;
	bool is = count && kernel_is_file(words[0]) && !o->own.has_block &&
		  !o->own.has_grid && !o->entry &&
		  session_source(&k, words[0], NULL, &e) == 0 &&
		  job_program_main(k.text);

	job_kernel_done(&k);
	return is;
}

/* ---- asking ---- */

static int job_make(const struct time_program *p, char **words, int count,
		    struct error *e)
{
	struct launch_options *l = p->launch;
	struct trace *t;

	l->must_run = true;
	for (size_t i = 0; i < p->options->own.defines.count; i++)
		job_define(&l->job.kernel.defines,
			   p->options->own.defines.list[i].name,
			   p->options->own.defines.list[i].value);
	if (program_arguments(l, count, words, e) ||
	    launch_prepare(l, words[0], &t, e))
		return -1;
	l->job.kind = JOB_LAUNCHES;
	l->job.repeat = p->options->plan.job.repeat;
	l->job.sample_seconds = p->options->plan.job.seconds;
	return 0;
}

/* Asks the runner to time the program. Returns its answer, or NULL with e. */
static json_t *request_timing(const struct time_program *p, struct error *e)
{
	char **argv = p->options->runner ?
		      launch_runner_copy(p->options->runner) : launch_gpu(e);
	struct runner *r = argv ? runner_start(argv, e) : NULL;
	struct runner_event ev;
	json_t *answer = NULL;
	long id;

	launch_runner_free(argv);
	if (!r)
		return NULL;
	runner_want(r, "gpu");
	id = runner_send(r, &p->launch->job);
	if (runner_wait(r, id, runner_patience(SILENCE), &ev) < 0)
		*e = ev.error;
	else if (!runner_refused(&ev, e))
		answer = json_incref(ev.message);
	runner_event_done(&ev);
	runner_free(r);
	json_object_del(answer, "id");
	json_object_del(answer, "type");
	return answer;
}

/* ---- for people ---- */

static double get_number(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_number(v) ? json_number_value(v) : NA;
}

static const char *get_text(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s ? text_show(s) : "";
}

static char *dims_words(const json_t *o, const char *name)
{
	struct str s = { 0 };

	program_dims_add(&s, json_object_get(o, name));
	return str_take(&s);
}

static struct timing_figures get_figures(const json_t *o,
					 const struct problem_sizes *size)
{
	const json_t *list = json_object_get(o, "samples");
	size_t n = json_array_size(list);
	double *samples = xcalloc(n + 1, sizeof(*samples));
	struct timing_figures f;

	for (size_t i = 0; i < n; i++)
		samples[i] = json_number_value(json_array_get(list, i));
	f = timing_figures_of(samples, n, size);
	free(samples);
	return f;
}

/* Describes how the results differ from those on the CPU; the caller frees
 * it. */
static char *describe_difference(const json_t *launch)
{
	double error = get_number(launch, "error");
	double differ = get_number(launch, "differ");
	double elements = get_number(launch, "elements");

	if (elements == NA || json_object_get(launch, "why"))
		return xstrdup("");
	if (elements == 0)
		return xstrdup(_("n/a"));
	if (differ == 0)
		return xstrdup(_("the same"));
	return error > 0 ? xasprintf("%.1e", error) :
			   xasprintf(_("%.0f of %.0f differ"), differ,
				     elements);
}

static struct problem_sizes sides_of(const json_t *product)
{
	return (struct problem_sizes) {
		(int)json_integer_value(json_object_get(product, "m")),
		(int)json_integer_value(json_object_get(product, "n")),
		(int)json_integer_value(json_object_get(product, "k")),
	};
}

static void time_cells(char **row, const struct timing_figures *f)
{
	bool timed = f->median != NA;

	row[5] = timed ? time_words(f->median) : xstrdup(_("not timed"));
	row[6] = timed ? time_spread_words(f) : xstrdup("");
}

static void flops_cells(char **row, const struct timing_figures *f,
			const struct timing_figures *other)
{
	row[7] = f->flops == NA ? xstrdup("") :
		 xasprintf(f->flops < 1e11 ? "%.4f" : "%.2f", f->flops / 1e12);
	row[8] = f->flops == NA ? xstrdup("") :
		 xasprintf("%.1f %%", 100 * other->median / f->median);
}

/* Adds a row for cuBLAS with the same product. */
static void add_baseline_row(struct columns *t, const json_t *product)
{
	struct problem_sizes s = sides_of(product);
	struct timing_figures f = get_figures(product, &s);
	char **row = columns_row(t);

	row[0] = xstrdup("");
	row[1] = xasprintf("  %s", get_text(product, "baseline"));
	row[2] = xasprintf("%dx%dx%d", s.m, s.n, s.k);
	row[3] = xstrdup("");
	row[4] = xstrdup("");
	time_cells(row, &f);
	flops_cells(row, &f, &f);
	row[9] = xasprintf("%.1e", get_number(product, "error"));
}

static void add_launch_row(struct columns *t, const json_t *launch)
{
	const json_t *product = json_object_get(launch, "product");
	bool is_product = json_is_object(product);
	struct problem_sizes s = is_product ? sides_of(product) :
				 (struct problem_sizes){ 0 };
	struct timing_figures f = get_figures(launch, &s);
	struct timing_figures other = get_figures(product, &s);
	char **row = columns_row(t);

	row[0] = xasprintf("%.0f", get_number(launch, "launch"));
	row[1] = xstrdup(get_text(launch, "kernel"));
	row[2] = dims_words(launch, "grid");
	row[3] = dims_words(launch, "block");
	row[4] = xasprintf("%.0f", get_number(launch, "count"));
	time_cells(row, &f);
	flops_cells(row, &f, &other);
	row[9] = describe_difference(launch);
	if (is_product)
		add_baseline_row(t, product);
}

static void print_heading(const json_t *answer)
{
	const json_t *machine = json_object_get(answer, "machine");

	printf("%s", get_text(machine, "gpu"));
	if (*get_text(machine, "driver"))
		printf(_(", driver %s"), get_text(machine, "driver"));
	if (*get_text(machine, "cuda"))
		printf(", CUDA %s", get_text(machine, "cuda"));
	printf("\n\n");
}

/* Reals that differ by more than roundings do. */
#define FAR_APART 1e-2

static void print_apart(const json_t *launch)
{
	if (get_number(launch, "error") > FAR_APART)
		printf(_("\n"
			 "launch %.0f, %s: the result differs from that on the "
			 "CPU by a relative %.2g. Possible causes are a data "
			 "race, uninitialized memory and the order of "
			 "atomics.\n"),
		       get_number(launch, "launch"), get_text(launch, "kernel"),
		       get_number(launch, "error"));
}

static void print_reasons(const json_t *launches)
{
	size_t i;
	json_t *launch;

	json_array_foreach(launches, i, launch) {
		print_apart(launch);
		if (json_object_get(launch, "why"))
			printf(_("\nlaunch %.0f, %s, is not timed: %s\n"),
			       get_number(launch, "launch"),
			       get_text(launch, "kernel"),
			       get_text(launch, "why"));
	}
}

static void print_launch_table(const json_t *answer, const char *file)
{
	const json_t *list = json_object_get(answer, "launches");
	struct columns t = { .left = 1 << 1 };
	char **row = columns_row(&t);
	char *end = program_end_words(json_object_get(answer, "program"));
	size_t i;
	json_t *launch;

	print_heading(answer);
	row[0] = xstrdup(_("launch"));
	row[1] = xstrdup(_("kernel"));
	row[2] = xstrdup(_("grid"));
	row[3] = xstrdup(_("block"));
	row[4] = xstrdup(_("launches"));
	row[5] = xstrdup(_("time"));
	row[6] = xstrdup(_("spread"));
	row[7] = xstrdup("TFLOP/s");
	row[8] = xstrdup(_("of cuBLAS"));
	row[9] = xstrdup(_("against the CPU"));
	json_array_foreach(list, i, launch) add_launch_row(&t, launch);
	columns_print(&t, stdout);
	columns_done(&t);
	print_reasons(list);
	printf(_("\n%s, on the CPU: %s.\n"), text_show(file), end);
	free(end);
}

/* ---- print the answer ---- */

static int get_exit_status(const json_t *answer)
{
	const json_t *list = json_object_get(answer, "launches");
	size_t i;
	json_t *launch;

	json_array_foreach(list, i, launch)
		if (json_object_get(launch, "why"))
			return EXIT_CHECK;
	return program_status(json_object_get(answer, "program"));
}

static int print_answer_out(const struct time_program *p, const json_t *answer,
			    const char *file, struct error *e)
{
	/* Its words are somebody else's. */
	char *text = json_dumps(answer, JSON_COMPACT | JSON_ENSURE_ASCII |
						JSON_REAL_PRECISION(9));
	char *line = xasprintf("%s\n", text);
	int status = 0;

	if (p->output)
		status = file_out_text(p->output, line, p->force, e);
	if (p->json && !status)
		fputs(line, stdout);
	else if (!status && (!p->output || strcmp(p->output, "-")))
		print_launch_table(answer, file);
	free(line);
	free(text);
	return status;
}

int time_program(const struct time_program *p, char **words, int count)
{
	struct error e;
	json_t *answer = NULL;
	int status;

	if (!job_make(p, words, count, &e))
		answer = request_timing(p, &e);
	if (!answer)
		return command_failed(&e);
	status = print_answer_out(p, answer, words[0], &e) ?
			 command_failed(&e) :
			 get_exit_status(answer);
	json_decref(answer);
	return command_flush(status);
}
