/* gemmviz calibrate: measures the GPU, and compares it with the model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/launch_options.h"
#include "runner/runner.h"
#include "timing/calibration.h"

/* Seconds without a word until a runner is given up. */
#define SILENCE 120
#define DEVIATIONS_SHOWN 5

enum { OPT_OUTPUT = 'o', OPT_RUNNER = OPTION_OWN };

struct calibrate_arguments {
	char **runner;
	const char *output;
	bool json, force;
};

/* ---- asking ---- */

/* Asks the runner for a calibration. Returns NULL with e. */
static json_t *request_calibration(struct runner *r, json_t *patterns,
				   struct error *e)
{
	json_t *answer = NULL;
	struct runner_event ev;
	long id = runner_send_message(r, json_pack(
		"{ss sO so}", "type", "calibrate", "patterns", patterns,
		"ways", calibration_ways()));

	runner_want(r, "gpu");
	if (runner_wait(r, id, runner_patience(SILENCE), &ev) < 0)
		*e = ev.error;
	else if (!runner_refused(&ev, e))
		answer = json_incref(ev.message);
	runner_event_done(&ev);
	return answer;
}

/* Measures everything, then all but the patterns once more. Returns NULL with
 * e. */
static struct calibration *ask_twice(struct runner *r, json_t *patterns,
				     struct error *e)
{
	struct calibration *c = NULL;
	json_t *none = json_array(),
	       *answer = request_calibration(r, patterns, e);
	json_t *again = answer ? request_calibration(r, none, e) : NULL;

	if (again) {
		calibration_again(answer, again);
		c = calibration_new(answer, patterns, e);
	}
	json_decref(none);
	json_decref(answer);
	json_decref(again);
	return c;
}

/* Measures the GPU with the patterns of the shipped file. Returns NULL with
 * e. */
static struct calibration *run_calibration(const struct calibrate_arguments *a,
					   struct error *e)
{
	char *path = xasprintf("%s/access-h200.jsonl", paths()->data);
	json_t *patterns = calibration_patterns(path, e);
	struct calibration *c = NULL;
	struct runner *r;

	free(path);
	if (!patterns)
		return NULL;
	r = runner_start(a->runner, e);
	if (r)
		c = ask_twice(r, patterns, e);
	runner_free(r);
	json_decref(patterns);
	return c;
}

/* ---- for people ---- */

static char *format_amount(double v, const char *unit)
{
	return v == NA ? xstrdup(_("n/a")) :
	       xasprintf(v >= 1000 ? "%.0f%s%s" : "%.4g%s%s", v,
			 *unit ? " " : "", unit);
}

static char *format_spread(const struct calibration_figure *f)
{
	if (!(f->high > f->low))
		return xstrdup("");
	return xasprintf(lang_utf8() ? "\xc2\xb1%.1f %%" : "%.1f %%",
			 (f->high - f->low) / f->median * 50);
}

static char *format_deviation(const struct calibration_row *r)
{
	if (r->model == NA)
		return xstrdup("");
	return xasprintf("%+.1f %%", 100 * (r->measured.median / r->model -
					    1));
}

static void print_rows(const struct calibration *c)
{
	struct columns t = { .left = 1 | 1 << 5 };
	char **row = columns_row(&t);

	row[0] = xstrdup("");
	row[1] = xstrdup(_("measured"));
	row[2] = xstrdup(_("spread"));
	row[3] = xstrdup(_("model"));
	row[4] = xstrdup(_("deviation"));
	for (size_t i = 0; i < c->row_count; i++) {
		const struct calibration_row *r = &c->rows[i];

		row = columns_row(&t);
		row[0] = xstrdup(_(r->name));
		row[1] = format_amount(r->measured.median, r->unit);
		row[2] = format_spread(&r->measured);
		row[3] = r->model == NA ? xstrdup("") :
					  format_amount(r->model, r->unit);
		row[4] = format_deviation(r);
		row[5] = xstrdup(calibration_row_deviates(r) ?
				 _("differs from the model") : "");
	}
	columns_print(&t, stdout);
	columns_done(&t);
}

/* Returns the arguments of gemmviz access for an instruction, such as "shared
 * ld 8"; the caller frees them. */
static char *instruction_words(enum access_space space, enum op op,
			  uint32_t bytes, bool trans)
{
	static const char *const spaces[] = {
		[ACCESS_GLOBAL] = "global", [ACCESS_SHARED] = "shared",
		[ACCESS_LDMATRIX] = "ldmatrix",
	};

	if (space == ACCESS_LDMATRIX)
		return xasprintf("%s%s", spaces[space], trans ? " trans" : "");
	return xasprintf("%s %s %u", spaces[space],
			 op == OP_ST ? "st" : "ld", bytes);
}

static char *line_words(const struct calibration_rule *r)
{
	const char *unit = _(calibration_unit(r));

	if (r->each == NA)
		return xstrdup(_("n/a"));
	if (r->floor != NA)
		return xasprintf("max(%.2f, %.2f + %.2f * %s)", r->floor,
				 r->base, r->each, unit);
	return xasprintf("%.2f + %.2f * %s", r->base, r->each, unit);
}

static void print_rules(const struct calibration *c)
{
	struct columns t = { .left = 1 | 1 << 2 };
	char **row = columns_row(&t);

	row[0] = xstrdup("");
	row[1] = xstrdup(_("patterns"));
	row[2] = xstrdup(_("cycles"));
	row[3] = xstrdup(_("worst"));
	row[4] = xstrdup(_("hidden"));
	row[5] = xstrdup(_("deviate"));
	for (size_t i = 0; i < c->rule_count; i++) {
		const struct calibration_rule *r = &c->rules[i];

		row = columns_row(&t);
		row[0] = instruction_words(r->space, r->op, r->bytes, r->trans);
		row[1] = xasprintf("%zu", r->patterns);
		row[2] = line_words(r);
		row[3] = xasprintf("%.2f", r->worst);
		row[4] = xasprintf("%zu", r->hidden);
		row[5] = xasprintf("%zu", r->deviating);
	}
	putchar('\n');
	columns_print(&t, stdout);
	columns_done(&t);
}

/* Prints a pattern as a line for gemmviz access --stdin. */
static void print_pattern(const struct calibration *c, size_t i)
{
	json_t *o = json_copy(json_array_get(json_object_get(c->file,
							     "deviations"),
					     i));
	static const char *const others[] = { "trans", "cycles", "model",
					      "measured" };

	for (size_t k = 0; k < LENGTH(others); k++)
		json_object_del(o, others[k]);
	command_json(o, stdout);
}

static void print_deviations(const struct calibration *c)
{
	for (size_t i = 0; i < MIN(c->deviation_count, DEVIATIONS_SHOWN);
	     i++) {
		const struct calibration_deviation *d = &c->deviations[i];
		char *words = instruction_words(d->access.space, d->access.op,
					   d->access.bytes, d->trans);

		printf(_("\n%1$s: %2$.2f cycles, or %3$.2f by the line above; "
			 "the model predicts %4$d:\n"), words, d->cycles, d->measured,
		       d->model);
		print_pattern(c, i);
		free(words);
	}
	if (c->deviation_count > DEVIATIONS_SHOWN)
		printf(_("\nThe file lists all %zu.\n"),
		       c->deviation_count);
}

/* Counts the patterns that are not hidden by a limit. */
static size_t judged_count(const struct calibration *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->rule_count; i++)
		n += c->rules[i].patterns - c->rules[i].hidden;
	return n;
}

/* Prints the measurements as tables. */
static void print_calibration(const struct calibration *c)
{
	size_t n = judged_count(c);

	printf("%s", text_show(c->machine.gpu));
	if (c->machine.driver)
		printf(_(", driver %s"), c->machine.driver);
	printf(", %s\n\n", c->date);
	print_rows(c);
	print_rules(c);
	if (c->deviation_count)
		printf(_("\n%1$zu of the %2$zu access patterns that are not "
			 "hidden differ from the model.\n"),
		       c->deviation_count, n);
	else
		printf(_("\nAll %zu access patterns that are not hidden cost "
			 "what the model predicts.\n"), n);
	print_deviations(c);
}

/* ---- the file ---- */

/* Writes the file to --output, or to the path where the program looks for it.
 * Returns -1 with e. */
static int write_calibration(const struct calibrate_arguments *a,
			     const struct calibration *c, const char *path,
			     struct error *e)
{
	char *text = json_dumps(c->file, JSON_COMPACT |
				JSON_REAL_PRECISION(6));
	char *line = xasprintf("%s\n", text);
	int status = path ? file_write(path, line, e) :
			    file_out_text(a->output, line, a->force, e);

	free(line);
	free(text);
	return status;
}

static int save_calibration(const struct calibrate_arguments *a,
			    const struct calibration *c)
{
	char *path = NULL;
	struct error e;
	int status;

	if (!a->output)
		path = calibration_path(c->machine.gpu, &e);
	if (!a->output && !path)
		return command_failed(&e);
	status = write_calibration(a, c, path, &e);
	if (status)
		status = command_failed(&e);
	else if (!a->json)
		printf(_("\nSaved in %s.\n"),
		       text_show(path ? path : a->output));
	free(path);
	return status;
}

static int report_calibration(const struct calibrate_arguments *a,
			      const struct calibration *c)
{
	bool streamed = a->output && !strcmp(a->output, "-");
	int status;

	if (a->json || streamed)
		command_json(json_incref(c->file), stdout);
	else
		print_calibration(c);
	status = streamed ? EXIT_DONE : save_calibration(a, c);
	if (!status && calibration_deviating(c))
		status = EXIT_CHECK;
	return command_flush(status);
}

/* ---- the command ---- */

static int take_option(void *own, int id, const char *value, struct error *e)
{
	struct calibrate_arguments *a = own;

	switch (id) {
	case OPT_OUTPUT:
		a->output = value;
		return 0;
	case OPTION_JSON:
		a->json = true;
		return 0;
	case OPTION_FORCE:
		a->force = true;
		return 0;
	default:
		launch_runner_free(a->runner);
		a->runner = launch_runner(value, e);
		return a->runner ? 0 : -1;
	}
}

static int run(const struct command *c, int argc, char **argv)
{
	struct calibrate_arguments a = { .output = NULL };
	int status = command_options(c, argc, argv, take_option, &a);
	struct calibration *found = NULL;
	struct error e;

	if (status < 0 && optind < argc)
		status = command_usage("calibrate", "takes no names");
	if (status < 0 && !a.runner)
		a.runner = launch_gpu(&e);
	if (status < 0 && a.runner)
		found = run_calibration(&a, &e);
	if (status < 0)
		status = found ? report_calibration(&a, found) :
				 command_failed(&e);
	calibration_free(found);
	launch_runner_free(a.runner);
	return status;
}

static const struct option_def options[] = {
	{ "output", OPT_OUTPUT, "FILE",
	  N_("save the measurements to this file; - is standard output") },
	{ "runner", OPT_RUNNER, "COMMAND",
	  N_("measure the GPU of this runner, such as 'ssh HOST "
	     "gemmviz-gpu'") },
	{0}
};

const struct command command_calibrate = {
	.name = "calibrate",
	.arguments = "[-o FILE] [--force] [--runner COMMAND] [--json]",
	.summary = N_("measure your GPU and compare it with the model"),
	.about = N_("Measures the GPU's clocks, its launch overhead, the "
		    "latency and bandwidth of each level of memory, the size "
		    "of a sector, and the cycles of several thousand access "
		    "patterns. The times come from the SMs' clock and from "
		    "events, so no privileges are needed. Prints the "
		    "measurements next to the model's figures, and saves them "
		    "in a file that lessons and pictures use for this GPU. "
		    "Exits with 1 if a measurement differs from the model."),
	.examples = "\n-o my-gpu.json\n--runner 'ssh lab gemmviz-gpu'",
	.options = { options, option_json, option_force },
	.run = run,
};
