/* gemmviz record, report, dump: record and print traces without a screen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "base/resource.h"
#include "cli/launch_machine.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "cli/program_verdict.h"
#include "cli/report_code.h"
#include "analysis/finding_text.h"
#include "analysis/report.h"
#include "base/text.h"
#include "kernels/kernels.h"

enum { OPT_OUTPUT = 'o', OPT_PARSE = OPTION_OWN, OPT_COUNTERS,
       OPT_REQUIRE, OPT_MACHINE };

struct record_arguments {
	struct launch_options launch;
	const char *output;
	bool force, json, parse, counters, require_verdict, machine;
};

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct record_arguments *a = own;

	switch (id) {
	case OPT_OUTPUT:
		a->output = value;
		return 0;
	case OPTION_FORCE:
		a->force = true;
		return 0;
	case OPTION_JSON:
		a->json = true;
		return 0;
	case OPT_PARSE:
		a->parse = true;
		return 0;
	case OPT_REQUIRE:
		a->require_verdict = true;
		return 0;
	case OPT_MACHINE:
		a->machine = true;
		return 0;
	case OPT_COUNTERS:
		a->counters = true;
		return 0;
	default:
		return launch_option(&a->launch, id, value, e);
	}
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_record_arguments(struct record_arguments *a,
				 const struct command *c, int argc, char **argv)
{
	struct error e;
	int status;

	launch_options_init(&a->launch);
	status = command_options(c, argc, argv, take_option, a);
	if (status >= 0)
		return status;
	if (argc == optind)
		return command_usage(c->name,
				     "give a kernel or a file");
	/* Behind a program's file are its arguments. */
	if (argc > optind + 1 && !kernel_is_file(argv[optind]))
		return command_usage(c->name, "give only one kernel or file");
	if (program_arguments(&a->launch, argc - optind, argv + optind, &e))
		return command_failed(&e);
	return -1;
}

static int findings_status(const struct trace_info *i)
{
	for (size_t k = 0; k < i->finding_count; k++)
		if (finding_is_fault(&i->findings[k]))
			return EXIT_CHECK;
	return EXIT_DONE;
}

static void say_findings(const struct trace_info *i)
{
	for (size_t k = 0; k < i->finding_count; k++) {
		char *text = finding_text(i, &i->findings[k]);
		char *kind = finding_heading(
			finding_name(i->findings[k].kind));

		fprintf(stderr, _("gemmviz: %1$s: %2$s\n"), kind, text);
		free(kind);
		free(text);
	}
}

/* Copies the trace's file to the output, whole or not at all. Returns -1 with
 * e. */
static int copy_trace(struct trace *t, const char *path, bool force,
		      struct error *e)
{
	struct file_out f;
	char buf[65536];
	off_t at = 0;
	ssize_t n;

	if (file_out_open(&f, path, force, e))
		return -1;
	while ((n = pread(trace_fd(t), buf, sizeof(buf), at)) > 0) {
		if (write_all(f.fd, buf, (size_t)n)) {
			error_resource(e, errno, EXIT_OUTPUT, "cannot write %s",
				       text_show(path));
			file_out_abandon(&f);
			return -1;
		}
		at += n;
	}
	return file_out_commit(&f, e);
}

static void print_recorded(const struct record_arguments *a, struct trace *t)
{
	const struct trace_info *i = trace_info(t);
	FILE *out = !strcmp(a->output, "-") ? stderr : stdout;
	char *name;

	if (!a->json) {
		fprintf(out, _("%s: %llu events in %llu requests of %zu "
			       "warps\n"), text_show(a->output),
			(unsigned long long)trace_event_count(t),
			(unsigned long long)trace_request_count(t),
			trace_warp_count(t));
		return;
	}
	name = text_utf8(a->output);
	command_json(launch_taken_json(&a->launch, json_pack(
		"{s:s, s:I, s:I, s:I, s:I}", "file", name,
		"events", (json_int_t)trace_event_count(t),
		"requests", (json_int_t)trace_request_count(t),
		"warps", (json_int_t)trace_warp_count(t),
		"findings", (json_int_t)i->finding_count)), out);
	free(name);
}

static int record(const struct command *c, int argc, char **argv)
{
	struct record_arguments a = {0};
	struct trace *t = NULL;
	struct error e;
	int status = read_record_arguments(&a, c, argc, argv);

	if (status < 0 && !a.output)
		status = command_usage("record", "no output file: give "
				       "-o F.gvt");
	if (status < 0) {
		a.launch.taken_out = a.json ? NULL :
				     strcmp(a.output, "-") ? stdout : stderr;
		t = launch_trace(&a.launch, argv[optind], &e);
		if (!t || copy_trace(t, a.output, a.force, &e)) {
			status = command_failed(&e);
		} else {
			print_recorded(&a, t);
			say_findings(trace_info(t));
			status = command_flush(findings_status(trace_info(t)));
		}
	}
	trace_close(t);
	launch_options_done(&a.launch);
	return status;
}

static const struct option_def record_options[] = {
	{ "output", OPT_OUTPUT, "F.gvt",
	  N_("the trace to write; - is standard output") },
	{0}
};

const struct command command_record = {
	.name = "record",
	.arguments = "KERNEL|FILE.cu [OPTIONS] -o F.gvt [ARGUMENTS OF A PROGRAM]",
	.summary = N_("record a kernel launch as a trace"),
	.about = N_("Runs a kernel and writes every access by every thread to "
		    "a trace. Exits with 1 if there is a finding. In every "
		    "command a FILE.cu may also be a Python file or a notebook "
		    "(FILE.py, FILE.ipynb), which is searched for CUDA in its "
		    "strings and not executed, or, without a screen, -, "
		    "standard input."),
	.examples = "tiled -m 64 -n 64 -k 64 -D TILE=16 -o tiled.gvt\n"
		    "my.cu --block 16x16 --grid 4x4 -o my.gvt",
	.options = { record_options, option_force, option_json,
		     launch_option_defs, program_option_defs },
	.run = record,
};

static void print_report(const struct report *r, bool json)
{
	if (json)
		command_json(report_json(r), stdout);
	else
		report_print(r, stdout);
}

/* Adds what the machine accesses, if that is wanted; `missing` says why it is not
 * known. -1 with `missing`: the kernel does not compile. */
static int add_recorded_machine(const struct record_arguments *a, struct trace *t,
		       struct report *r, struct machine_launch *machine,
		       struct error *missing)
{
	if (!a->machine)
		return 0;
	if (launch_machine(&a->launch, t, machine, missing) == 0)
		r->machine = machine;
	else
		r->machine_missing = missing->text;
	return r->machine || missing->status == EXIT_RUNNER ? 0 : -1;
}

/* The report, and the counters if they are wanted; without them it is
 * printed all the same. */
static int report_whole(struct record_arguments *a, struct trace *t,
			struct report *r)
{
	const struct trace_info *i = trace_info(t);
	json_t *counters = NULL;
	struct advice_list advice;
	struct machine_launch machine = { .code = { .registers = NA } };
	struct error e, missing;
	int status = verdict_status(&r->verdict, a->require_verdict);

	if (launch_advice(&a->launch, t, &advice, &e))
		return command_failed(&e);
	r->advice = &advice;
	if (add_recorded_machine(a, t, r, &machine, &missing) < 0)
		return command_failed(&missing);
	if (a->counters) {
		counters = launch_counters(&a->launch, i, &e);
		r->counters = counters;
	}
	print_report(r, a->json);
	if (a->counters && !counters)
		status = command_failed(&e);
	json_decref(counters);
	machine_done(&machine);
	return command_flush(status);
}

/* Prints the report of a launch of a program, or adds it to the list as JSON.
 * Returns -1 with e. */
static int report_launch(struct record_arguments *a, struct trace *t,
			 json_t *list, struct error *e)
{
	struct machine_launch machine = { .code = { .registers = NA } };
	struct advice_list advice;
	struct error missing;
	struct report r;

	if (report_build(t, &r, e))
		return -1;
	if (launch_advice(&a->launch, t, &advice, e)) {
		report_done(&r);
		return -1;
	}
	r.advice = &advice;
	if (add_recorded_machine(a, t, &r, &machine, &missing) < 0) {
		*e = missing;
		report_done(&r);
		return -1;
	}
	if (a->json) {
		json_array_append_new(list, report_json(&r));
	} else {
		putchar('\n');
		report_print(&r, stdout);
	}
	report_done(&r);
	machine_done(&machine);
	return 0;
}

/* Prints a program's summary and the reports of its recorded launches. Returns
 * an exit status. */
static int report_program(struct record_arguments *a, const struct trace *first,
			  const char *file, struct error *e)
{
	struct launch_options *l = &a->launch;
	struct verdict v = program_verdict(l->program, l->traces,
					   l->trace_count);
	int status = MAX(program_status(l->program),
			 verdict_status(&v, a->require_verdict));
	json_t *list = json_array();

	if (!a->json) {
		report_verdict_print(&v, stdout);
		program_print(l->program, file, 0, stdout);
	}
	for (size_t i = 0; i < l->trace_count && status >= 0; i++) {
		l->at_launch = program_launch_of(l, i);
		if (report_launch(a, l->traces[i], list, e))
			status = -1;
	}
	if (a->json)
		command_json(verdict_json_add(
			json_pack("{sO sO}", "program", l->program, "reports",
				  list), &v), stdout);
	json_decref(list);
	verdict_done(&v);
	return first && status >= 0 ? command_flush(status) :
				      command_failed(e);
}

static int report(const struct command *c, int argc, char **argv)
{
	struct record_arguments a = {0};
	struct trace *t = NULL;
	struct sizes_tried tried;
	struct report r;
	struct error e;
	int status = read_record_arguments(&a, c, argc, argv);

	if (status < 0 && report_code_is(argv[optind])) {
		status = report_code(&a.launch, argv[optind], a.json);
		launch_options_done(&a.launch);
		return status;
	}
	if (status < 0) {
		/* What the machine leaves is compared with values. */
		a.launch.figures = !a.machine;
		a.launch.machine = a.machine;
		a.launch.all_sizes = true;
		a.launch.taken_out = a.json ? NULL : stdout;
		t = launch_trace(&a.launch, argv[optind], &e);
		tried = launch_sizes_tried(&a.launch);
		if (a.launch.program) {
			status = report_program(&a, t, argv[optind], &e);
		} else if (!t || report_build_tried(t, &tried, &r, &e)) {
			status = command_failed(&e);
		} else {
			status = report_whole(&a, t, &r);
			report_done(&r);
		}
	}
	trace_close(t);
	launch_options_done(&a.launch);
	return status;
}

static const struct option_def report_options[] = {
	{ "counters", OPT_COUNTERS, NULL,
	  N_("also print the GPU's hardware counters") },
	{ "machine", OPT_MACHINE, NULL,
	  N_("also compile it, and show what the machine accesses (--arch)") },
	{ "require-verdict", OPT_REQUIRE, NULL,
	  N_("also exit with 1 if the result is not judged") },
	{0}
};

const struct command command_report = {
	.name = "report",
	.arguments = "KERNEL|FILE.cu|F.gvt [OPTIONS] [ARGUMENTS OF A PROGRAM]\n"
		     "K.cubin|K.ptx|FOLDER --block B --grid G [--entry NAME] "
		     "[--arg N=V]",
	.summary = N_("report what accesses cost and which errors there are"),
	.about = N_("Shows the requests, sectors and wavefronts of each access "
		    "in the source next to the fewest possible, then totals "
		    "and findings. The first line is the verdict: right, wrong "
		    "or not judged, and why. If no size is given, a second one "
		    "is tried, which is no multiple of a tile. Exits with 1 if "
		    "the kernel is wrong."),
	.examples = "tiled -D TILE=16\nmy.cu --block 16x16 --grid 4x4 --json",
	.options = { report_options, option_json, launch_option_defs,
		     program_option_defs },
	.recording = "D block grid",
	.run = report,
};

static int write_parsed_text(const struct record_arguments *a, const char *path)
{
	struct file_out f;
	struct error e;
	size_t len;
	char *text;
	int status = 0;

	if (!a->output)
		return command_usage("dump", "no output file: give -o F.gvt");
	text = file_read(path, (size_t)1 << 30, &len, &e);
	if (!text)
		return command_failed(&e);
	if (file_out_open(&f, a->output, a->force, &e)) {
		status = -1;
	} else if (trace_parse(text, len, f.fd, &e)) {
		file_out_abandon(&f);
		status = -1;
	} else {
		status = file_out_commit(&f, &e);
	}
	free(text);
	return status ? command_failed(&e) : EXIT_DONE;
}

static int dump(const struct command *c, int argc, char **argv)
{
	struct record_arguments a = {0};
	struct trace *t;
	struct error e;
	int status = read_record_arguments(&a, c, argc, argv);

	if (status < 0 && a.parse) {
		status = write_parsed_text(&a, argv[optind]);
	} else if (status < 0) {
		t = trace_open(argv[optind], &e);
		if (!t || trace_dump(t, stdout, &e))
			status = command_failed(&e);
		else
			status = command_flush(EXIT_DONE);
		trace_close(t);
	}
	launch_options_done(&a.launch);
	return status;
}

static const struct option_def dump_options[] = {
	{ "parse", OPT_PARSE, NULL,
	  N_("convert the text file to a trace") },
	{ "output", OPT_OUTPUT, "F.gvt",
	  N_("the trace to write; - is standard output") },
	{0}
};

const struct command command_dump = {
	.name = "dump",
	.arguments = "F.gvt\n--parse F.txt -o F.gvt",
	.summary = N_("print a trace as text, or convert text to a trace"),
	.about = N_("Prints a trace as text, which is always the same for the "
		    "same trace, or converts such text to a trace."),
	.examples = "tiled.gvt\n--parse tiled.txt -o tiled.gvt",
	.options = { dump_options, option_force },
	.run = dump,
};
