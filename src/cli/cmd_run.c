/* gemmviz run: runs a program with a main(), and prints its launches. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "analysis/finding_text.h"
#include "analysis/report.h"
#include "base/text.h"

struct run_arguments {
	struct launch_options launch;
	bool json;
};

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct run_arguments *a = own;

	a->json |= id == OPTION_JSON;
	return id == OPTION_JSON ? 0 : launch_option(&a->launch, id, value, e);
}

static int read_run_arguments(struct run_arguments *a, const struct command *c,
			      int argc, char **argv)
{
	struct error e;
	int status;

	launch_options_init(&a->launch);
	status = command_options(c, argc, argv, take_option, a);
	if (status >= 0)
		return status;
	if (optind == argc)
		return command_usage(c->name, "give a program");
	if (program_arguments(&a->launch, argc - optind, argv + optind, &e))
		return command_failed(&e);
	return -1;
}

/* A finding with the launches that have it. */
struct run_finding {
	char *text;
	const struct trace *first;
	size_t launches;
};

struct run_findings {
	struct run_finding *list;
	size_t count, capacity;
};

static void findings_add(struct run_findings *f, const struct trace *t,
			 char *text)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].text, text)) {
			f->list[i].launches++;
			free(text);
			return;
		}
	grow(&f->list, &f->capacity, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = (struct run_finding){ text, t, 1 };
}

static int take_trace_findings(struct run_findings *f, const struct trace *t)
{
	const struct trace_info *i = trace_info(t);
	int status = EXIT_DONE;

	for (size_t k = 0; k < i->finding_count; k++) {
		char *text = finding_text(i, &i->findings[k]);

		findings_add(f, t, xasprintf("%s: %s: %s",
			     text_show(i->kernel),
			     finding_name(i->findings[k].kind), text));
		if (finding_is_fault(&i->findings[k]))
			status = EXIT_CHECK;
		free(text);
	}
	return status;
}

/* Prints the findings, separated by a blank line where the first launch with
 * them changes. */
static void print_run_findings(struct run_findings *f, FILE *out)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct run_finding *o = &f->list[i];

		fprintf(out, "%s%s", i && o[-1].first == o->first ? "" : "\n",
			o->text);
		if (o->launches > 1)
			fprintf(out, _("; in %zu launches"), o->launches);
		fputc('\n', out);
		free(o->text);
	}
	free(f->list);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct run_arguments a = {0};
	struct run_findings findings = {0};
	struct error e;
	struct trace *t;
	int status = read_run_arguments(&a, c, argc, argv), found = EXIT_DONE;

	if (status >= 0) {
		launch_options_done(&a.launch);
		return status;
	}
	a.launch.job.values = false;
	a.launch.must_run = true;
	a.launch.output = a.launch.taken_out = a.json ? NULL : stdout;
	t = launch_trace(&a.launch, argv[optind], &e);
	if (a.launch.program && a.json) {
		command_json(json_incref(a.launch.program), stdout);
	} else if (a.launch.program) {
		program_print(a.launch.program, argv[optind],
			      a.launch.output_shown, stdout);
		for (size_t i = 0; i < a.launch.trace_count; i++)
			found |= take_trace_findings(&findings,
						     a.launch.traces[i]);
		print_run_findings(&findings, stdout);
	}
	if (t)
		status = found | program_status(a.launch.program);
	else if (a.launch.program && !program_ended(a.launch.program))
		status = e.status;	/* why is said */
	else
		status = command_failed(&e);
	trace_close(t);
	launch_options_done(&a.launch);
	/* That the output cannot be written is said once. */
	return !t && e.status == EXIT_OUTPUT ? status : command_flush(status);
}

const struct command command_run = {
	.name = "run",
	.arguments = "[OPTIONS] PROGRAM|FILE.cu... [ARGUMENTS OF THE "
		     "PROGRAM]",
	.summary = N_("run a CUDA program on the CPU and list its launches"),
	.about = N_("Compiles a program with a main() for the CPU, runs it, "
		    "and records the launches of its kernels with their own "
		    "grids, arguments and data. A PROGRAM is one of those that "
		    "gemmviz list names. Exits with 1 if there is a finding."),
	.examples = "matmul.cu\nmatmul.cu 512 512 512\n-I inc --launch 3 "
		    "main.cu kernels.cu\n--devices 4 across_gpus 256 256 256",
	.options = { program_option_defs, option_json, launch_option_defs },
	.recording = "launch devices allow-write D I",
	.until_argument = true,
	.run = run,
};
