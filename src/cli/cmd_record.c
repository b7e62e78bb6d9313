/* gemmviz record, report, dump: traces without a screen. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "analysis/finding_text.h"
#include "analysis/report.h"
#include "base/text.h"

enum { OPT_OUTPUT = 'o', OPT_FORCE = 1, OPT_JSON, OPT_HELP, OPT_PARSE,
       OPT_LANG, OPT_COUNTERS };

#define COMMON_OPTIONS \
	{ "json", no_argument, NULL, OPT_JSON }, \
	{ "lang", required_argument, NULL, OPT_LANG }, \
	{ "help", no_argument, NULL, OPT_HELP }

struct arguments {
	struct launch_options launch;
	const char *output;
	bool force, json, parse, counters;
};

static void print_launch_options(void)
{
	printf(_("  -m M, -n N, -k K   C is M x N, K the inner dimension "
		 "(default 64 each)\n"
		 "  -D NAME=VALUE      a macro of the kernel, such as TILE=16\n"
		 "  --on cpu|gpu       where to record\n"
		 "  --optimized        on the GPU: what the compiler made of "
		 "it\n"
		 "  --block 16x16, --grid 4x4, --shared BYTES, --entry NAME\n"
		 "                     the launch of a file's kernel\n"
		 "  --problem gemm|transpose|softmax|unknown|auto\n"
		 "                     what a file's kernel computes: its answer "
		 "is checked\n"
		 "  --blocks X,Y[:..], --warps W,.., --spaces global,shared,"
		 "register\n"
		 "                     record only these\n"
		 "  --max-events N, --seconds S\n"
		 "                     stop there\n"
		 "  --seed S, --order forward|reverse|shuffle, --no-values\n"
		 "  --runner COMMAND   start this as the recorder\n"
		 "  --json             data for programs\n"));
}

/* Reads the options; the status to end with, or -1 to go on. */
static int read_arguments(struct arguments *a, int argc, char **argv,
			  const char *letters, const struct option *options,
			  int (*usage)(void))
{
	struct error e;
	int o;

	launch_options_init(&a->launch);
	while ((o = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		switch (o) {
		case '?':
			return command_option(argv[0], argv, options);
		case OPT_HELP:
			return usage();
		case OPT_OUTPUT:
			a->output = optarg;
			break;
		case OPT_FORCE:
			a->force = true;
			break;
		case OPT_JSON:
			a->json = true;
			break;
		case OPT_PARSE:
			a->parse = true;
			break;
		case OPT_COUNTERS:
			a->counters = true;
			break;
		case OPT_LANG:
			break;
		default:
			if (launch_option(&a->launch, o, optarg, &e))
				return command_failed(&e);
		}
	}
	if (argc != optind + 1)
		return command_usage(argv[0], argc == optind ?
				     "what? a name is missing" :
				     "one at a time: there is more than one "
				     "name");
	return -1;
}

/* A fault of the kernel; that a cap was reached is only said. */
static int findings_status(const struct trace_info *i)
{
	for (size_t k = 0; k < i->finding_count; k++)
		if (i->findings[k].kind != FINDING_CAP)
			return EXIT_CHECK;
	return EXIT_DONE;
}

static void say_findings(const struct trace_info *i)
{
	for (size_t k = 0; k < i->finding_count; k++) {
		char *text = finding_text(i, &i->findings[k]);

		fprintf(stderr, "gemmviz: %s: %s\n",
			finding_name(i->findings[k].kind), text);
		free(text);
	}
}

/* Copies the trace's file to the output, whole or not at all. */
static int write_trace(struct trace *t, const char *path, bool force,
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
			error_set(e, EXIT_OUTPUT, "cannot write %s: %m",
				  text_show(path));
			file_out_abandon(&f);
			return -1;
		}
		at += n;
	}
	return file_out_commit(&f, e);
}

static int record_usage(void)
{
	printf(_("usage: gemmviz record KERNEL|FILE.cu [OPTIONS] -o F.gvt\n\n"
		 "Records every access of a launch.\n\n"
		 "  -o F.gvt           the trace; - is standard output\n"
		 "  --force            replace a file that is there\n"));
	print_launch_options();
	return command_flush(EXIT_DONE);
}

static void print_recorded(const struct arguments *a, struct trace *t)
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
	command_json(json_pack("{s:s, s:I, s:I, s:I, s:I}", "file", name,
			       "events", (json_int_t)trace_event_count(t),
			       "requests", (json_int_t)trace_request_count(t),
			       "warps", (json_int_t)trace_warp_count(t),
			       "findings", (json_int_t)i->finding_count), out);
	free(name);
}

int cmd_record(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, OPT_OUTPUT },
		{ "force", no_argument, NULL, OPT_FORCE },
		COMMON_OPTIONS, LAUNCH_LONG, {0}
	};
	struct arguments a = {0};
	struct trace *t = NULL;
	struct error e;
	int status = read_arguments(&a, argc, argv, LAUNCH_SHORT "o:",
				    options, record_usage);

	if (status < 0 && !a.output)
		status = command_usage("record", "where to? -o F.gvt is "
				       "missing");
	if (status < 0) {
		t = launch_trace(&a.launch, argv[optind], &e);
		if (!t || write_trace(t, a.output, a.force, &e)) {
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

static int report_usage(void)
{
	printf(_("usage: gemmviz report KERNEL|FILE.cu|F.gvt [OPTIONS]\n\n"
		 "Per access site: requests, sectors and their ideal, "
		 "wavefronts and their ideal;\nthen totals and what is "
		 "wrong. Ends with 1 when the recorder found a fault.\n\n"
		 "  --counters         beside it what the GPU's hardware "
		 "counts\n"));
	print_launch_options();
	return command_flush(EXIT_DONE);
}

static void print_report(const struct report *r, bool json)
{
	if (json)
		command_json(report_json(r), stdout);
	else
		report_print(r, stdout);
}

/* The report, and the counters if they are wanted; without them it is
 * printed all the same. */
static int report_whole(struct arguments *a, const struct trace_info *i,
			struct report *r)
{
	json_t *counters = NULL;
	struct error e;
	int status = findings_status(i);

	if (a->counters) {
		counters = launch_counters(&a->launch, i, &e);
		r->counters = counters;
	}
	print_report(r, a->json);
	if (a->counters && !counters)
		status = command_failed(&e);
	json_decref(counters);
	return command_flush(status);
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "counters", no_argument, NULL, OPT_COUNTERS },
		COMMON_OPTIONS, LAUNCH_LONG, {0}
	};
	struct arguments a = {0};
	struct trace *t = NULL;
	struct report r;
	struct error e;
	int status = read_arguments(&a, argc, argv, LAUNCH_SHORT, options,
				    report_usage);

	if (status < 0) {
		/* A report needs no values, and traces are smaller without. */
		json_object_set_new(a.launch.request, "values", json_false());
		t = launch_trace(&a.launch, argv[optind], &e);
		if (!t || report_build(t, &r, &e)) {
			status = command_failed(&e);
		} else {
			status = report_whole(&a, trace_info(t), &r);
			report_done(&r);
		}
	}
	trace_close(t);
	launch_options_done(&a.launch);
	return status;
}

static int dump_usage(void)
{
	printf(_("usage: gemmviz dump F.gvt\n"
		 "       gemmviz dump --parse F.txt -o F.gvt\n\n"
		 "A trace as stable text on standard output, and text as a "
		 "trace again.\n\n"
		 "  --parse            the file is text: make the trace of it\n"
		 "  -o F.gvt           where to; - is standard output\n"
		 "  --force            replace a file that is there\n"));
	return command_flush(EXIT_DONE);
}

static int parse_text(const struct arguments *a, const char *path)
{
	struct file_out f;
	struct error e;
	size_t len;
	char *text;
	int status = 0;

	if (!a->output)
		return command_usage("dump", "where to? -o F.gvt is missing");
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

int cmd_dump(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, OPT_OUTPUT },
		{ "force", no_argument, NULL, OPT_FORCE },
		{ "parse", no_argument, NULL, OPT_PARSE },
		COMMON_OPTIONS, {0}
	};
	struct arguments a = {0};
	struct trace *t;
	struct error e;
	int status = read_arguments(&a, argc, argv, "o:", options,
				    dump_usage);

	if (status < 0 && a.parse) {
		status = parse_text(&a, argv[optind]);
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
