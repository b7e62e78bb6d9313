/* gemmviz diff: what has changed from one kernel to another. */
#include <stdlib.h>
#include <string.h>

#include "analysis/report_diff.h"
#include "base/lang.h"
#include "cli/commands.h"
#include "cli/program_options.h"

struct side {
	struct launch_options launch;
	struct trace *trace;
	struct report report;
	bool counted;
};

struct arguments {
	struct side sides[2];
	bool json;
};

static int read_arguments(struct arguments *a, const struct command *c,
			  int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		if (id == OPTION_JSON) {
			a->json = true;
			continue;
		}
		for (int i = 0; i < 2; i++)
			if (launch_option(&a->sides[i].launch, id, o.value,
					  &e))
				return command_failed(&e);
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (argc != optind + 2)
		return command_usage(c->name, "give two: kernels, files or "
				     "traces");
	return -1;
}

static int take_side(struct side *s, const char *what, struct error *e)
{
	s->launch.job.values = false;
	s->trace = launch_trace(&s->launch, what, e);
	if (!s->trace || report_build(s->trace, &s->report, e))
		return -1;
	s->counted = true;
	return 0;
}

static void side_done(struct side *s)
{
	if (s->counted)
		report_done(&s->report);
	trace_close(s->trace);
	launch_options_done(&s->launch);
}

static int compare(const struct arguments *a)
{
	struct report_diff d;
	int status;

	report_diff_make(&d, &a->sides[0].report, &a->sides[1].report);
	status = report_diff_worse(&d) ? EXIT_CHECK : EXIT_DONE;
	if (a->json)
		command_json(report_diff_json(&d), stdout);
	else
		report_diff_print(&d, stdout);
	report_diff_done(&d);
	return command_flush(status);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct arguments a = { .json = false };
	struct error e;
	int status;

	for (int i = 0; i < 2; i++)
		launch_options_init(&a.sides[i].launch);
	status = read_arguments(&a, c, argc, argv);
	if (status < 0)
		status = take_side(&a.sides[0], argv[optind], &e) ||
			 take_side(&a.sides[1], argv[optind + 1], &e) ?
			 command_failed(&e) : compare(&a);
	for (int i = 0; i < 2; i++)
		side_done(&a.sides[i]);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.arguments = "KERNEL|FILE.cu|F.gvt KERNEL|FILE.cu|F.gvt [OPTIONS]",
	.summary = N_("what has changed from one kernel to another"),
	.about = N_("Records two kernels, or takes recordings, and shows for "
		    "each access how requests, sectors and wavefronts have "
		    "changed, then which findings are gone or new. Exits with "
		    "1 if the second has a fault that the first does not "
		    "have."),
	.examples = "tiled_bt tiled_bt_pad\n"
		    "old.gvt my.cu --block 16x16 --grid 4x4 --json",
	.options = { option_json, launch_option_defs, program_option_defs },
	.run = run,
};
