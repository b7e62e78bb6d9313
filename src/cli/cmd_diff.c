/* gemmviz diff: shows what has changed from one kernel to another. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/recorded.h"

struct diff_arguments {
	struct recorded sides[2];
	bool json;
};

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct diff_arguments *a = own;
	int status = 0;

	a->json |= id == OPTION_JSON;
	for (int i = 0; i < 2 && id != OPTION_JSON && !status; i++)
		status = launch_option(&a->sides[i].launch, id, value, e);
	return status;
}

static int read_diff_arguments(struct diff_arguments *a,
			       const struct command *c, int argc, char **argv)
{
	int status = command_options(c, argc, argv, take_option, a);

	if (status < 0 && argc != optind + 2)
		return command_usage(c->name, "give two kernels, files or "
				     "traces");
	return status;
}

static int print_comparison(const struct diff_arguments *a)
{
	const struct recorded *before = &a->sides[0], *after = &a->sides[1];

	if (a->json)
		command_json(launch_taken_json(&after->launch,
			     recorded_diff_json(before, after)), stdout);
	else
		recorded_diff_print(before, after, stdout);
	return command_flush(recorded_worse(before, after) ? EXIT_CHECK :
							     EXIT_DONE);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct diff_arguments a = { .json = false };
	struct error e;
	int status;

	for (int i = 0; i < 2; i++)
		launch_options_init(&a.sides[i].launch);
	status = read_diff_arguments(&a, c, argc, argv);
	for (int i = 0; i < 2; i++)
		a.sides[i].launch.taken_out = a.json ? NULL : stdout;
	if (status < 0)
		status = recorded_make(&a.sides[0], argv[optind], &e) ||
			 recorded_make(&a.sides[1], argv[optind + 1], &e) ?
			 command_failed(&e) : print_comparison(&a);
	for (int i = 0; i < 2; i++)
		recorded_done(&a.sides[i]);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.arguments = "KERNEL|FILE.cu|F.gvt KERNEL|FILE.cu|F.gvt [OPTIONS]",
	.summary = N_("compare two kernels or recordings"),
	.about = N_("Records two kernels, or reads two traces, and shows how "
		    "the requests, sectors and wavefronts of each access have "
		    "changed, then which findings have disappeared or "
		    "appeared. For programs, all recorded launches are "
		    "compared. Exits with 1 if the second has an error that "
		    "the first does not have."),
	.examples = "tiled_bt tiled_bt_pad\n"
		    "old.gvt my.cu --block 16x16 --grid 4x4 --json",
	.options = { option_json, launch_option_defs, program_option_defs },
	.recording = "D block grid",
	.run = run,
};
