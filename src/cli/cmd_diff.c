/* gemmviz diff: shows what has changed from one kernel to another. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "cli/commands.h"
#include "cli/diff_machine.h"
#include "cli/program_options.h"
#include "cli/recorded.h"

enum { OPT_MACHINE = OPTION_OWN };

struct diff_arguments {
	struct recorded sides[2];
	struct machine_launch compiled[2];
	bool json, machine;
};

/* Returns the part of A,B that a side gets, or all of it. */
static char *arch_part_of(const char *value, int side)
{
	const char *comma = strchr(value, ',');

	if (!comma)
		return xstrdup(value);
	return side ? xstrdup(comma + 1) :
		      xstrndup(value, (size_t)(comma - value));
}

/* Applies --arch, which may give each side its own. */
static int take_arch_sides(struct diff_arguments *a, const char *value,
		     struct error *e)
{
	int status = 0;

	for (int i = 0; i < 2 && !status; i++) {
		char *part = arch_part_of(value, i);

		status = launch_option(&a->sides[i].launch, LAUNCH_ARCH, part,
				       e);
		free(part);
	}
	return status;
}

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct diff_arguments *a = own;
	int status = 0;

	if (id == OPT_MACHINE) {
		a->machine = true;
		for (int i = 0; i < 2; i++)
			a->sides[i].launch.machine = true;
		return 0;
	}
	if (id == LAUNCH_ARCH)
		return take_arch_sides(a, value, e);
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

/* Prints the comparison as JSON, with the machine code if it was wanted. */
static void print_diff_json(const struct diff_arguments *a)
{
	const struct recorded *before = &a->sides[0], *after = &a->sides[1];
	json_t *o = launch_taken_json(&after->launch,
				      recorded_diff_json(before, after));

	if (a->machine)
		json_object_set_new(o, "machine", diff_machine_json(
			a->compiled, before, after));
	command_json(o, stdout);
}

static int print_comparison(struct diff_arguments *a)
{
	struct recorded *before = &a->sides[0], *after = &a->sides[1];
	struct error e;

	if (a->machine && diff_machine_make(a->compiled, before, after, &e) < 0)
		return command_failed(&e);
	if (a->json)
		print_diff_json(a);
	else
		recorded_diff_print(before, after, stdout);
	if (a->machine && !a->json)
		diff_machine_print(a->compiled, stdout);
	for (int i = 0; i < 2 && a->machine; i++)
		machine_done(&a->compiled[i]);
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

static const struct option_def diff_options[] = {
	{ "machine", OPT_MACHINE, NULL,
	  N_("also compare machine code (--arch A,B gives each its own)") },
	{0}
};

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
		    "tiled tiled --machine --arch sm_80,sm_90\n"
		    "old.gvt my.cu --block 16x16 --grid 4x4 --json",
	.options = { diff_options, option_json, launch_option_defs, program_option_defs },
	.recording = "D block grid",
	.run = run,
};
