/* gemmviz run: runs a program with a main(), and prints its launches. */
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_text.h"
#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "cli/program_verdict.h"
#include "analysis/finding_groups.h"
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
	a->launch.must_run = true;
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

static void take_trace_findings(struct run_findings *f, struct trace *t)
{
	const struct trace_info *i = trace_info(t);
	size_t count;
	struct told_finding *told = findings_tell(i, t, &count);

	for (size_t k = 0; k < count; k++) {
		char *kind = finding_heading(finding_name(told[k].of->kind));

		findings_add(f, t, xasprintf(_("%1$s: %2$s: %3$s"),
			     text_show(i->kernel), kind, told[k].text));
		free(kind);
	}
	findings_told_done(told, count);
}

/* Traces of more accesses than this are not looked at for warnings. */
#define WARNED_EVENTS (UINT64_C(1) << 22)

/* Adds a warning for each access whose lanes all want one bank. */
static void take_warnings(struct run_findings *f, struct trace *t)
{
	struct report r;
	struct error e;

	if (trace_event_count(t) > WARNED_EVENTS || report_build(t, &r, &e))
		return;
	for (size_t i = 0; i < r.finding_count; i++)
		if (!strcmp(r.findings[i].kind, "bank-conflict") &&
		    r.findings[i].site->max_way >= WARP_LANES)
			findings_add(f, t, xasprintf(_("%1$s: warning: line "
				     "%2$d: %3$s"), text_show(r.info->kernel),
				     (int)r.findings[i].line,
				     r.findings[i].text));
	report_done(&r);
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

/* Prints what the program did, or adds the verdict to its summary and prints
 * that. */
static void print_run(const struct run_arguments *a, const char *file,
		      const struct verdict *v)
{
	struct run_findings findings = {0};

	if (a->json) {
		command_json(verdict_json_add(json_incref(a->launch.program),
					      v), stdout);
		return;
	}
	program_print(a->launch.program, file, a->launch.output_shown, stdout);
	for (size_t i = 0; i < a->launch.trace_count; i++) {
		take_trace_findings(&findings, a->launch.traces[i]);
		take_warnings(&findings, a->launch.traces[i]);
	}
	print_run_findings(&findings, stdout);
}

/* Returns the exit status of a program that was run; EXIT_REFUSED if it is not
 * known to be wrong, and was cut short. */
static int get_run_status(const json_t *summary, const struct verdict *v)
{
	int status = verdict_status(v, false);

	if (!status && program_was_cut(summary))
		return EXIT_REFUSED;
	return status ? status : program_status(summary);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct run_arguments a = {0};
	struct verdict v = { VERDICT_NOT_JUDGED, NULL };
	struct error e;
	struct trace *t;
	int status = read_run_arguments(&a, c, argc, argv);

	if (status >= 0) {
		launch_options_done(&a.launch);
		return status;
	}
	a.launch.job.values = false;
	a.launch.output = a.launch.taken_out = a.json ? NULL : stdout;
	t = launch_trace(&a.launch, argv[optind], &e);
	if (a.launch.program) {
		v = program_verdict(a.launch.program, a.launch.traces,
				    a.launch.trace_count);
		print_run(&a, argv[optind], &v);
	}
	if (t)
		status = get_run_status(a.launch.program, &v);
	else if (a.launch.program && !program_ended(a.launch.program))
		status = e.status;	/* why is said */
	else if (a.launch.program && program_launches_nothing(a.launch.program))
		status = program_status(a.launch.program);
	else
		status = command_failed(&e);
	verdict_done(&v);
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
