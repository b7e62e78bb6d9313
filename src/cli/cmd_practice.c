/* gemmviz practice: rungs that the learner writes: a map, a screen for each,
 * and commands for graders and authors. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/practice.h"

enum { OPT_FOLDER = OPT_SCREEN_END, OPT_PRACTICE_JUNIT, OPT_PRACTICE_SEED,
       OPT_YES };

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct practice_wish *w = own;
	long seed;

	switch (id) {
	case OPTION_JSON:
		w->json = true;
		return 0;
	case OPTION_FORCE:
		w->force = true;
		return 0;
	case OPT_FOLDER:
		w->folder = value;
		return 0;
	case OPT_PRACTICE_JUNIT:
		w->junit = value;
		return 0;
	case OPT_YES:
		w->yes = true;
		return 0;
	case OPT_PRACTICE_SEED:
		if (!parse_int(value, 0, INT32_MAX, &seed))
			return error_set(e, EXIT_USAGE, "--seed needs a whole "
					 "number, not '%s'", text_show(value));
		w->seed = (uint64_t)seed;
		return 0;
	default:
		return screen_option(&w->screen, id, value, e);
	}
}

static const struct {
	const char *name;
	int (*run)(const struct practice_wish *w, const char *what);
} actions[] = {
	{ "check", practice_check }, { "verify", practice_verify },
	{ "reset", practice_reset },
};

static int run_practice(struct practice_wish *w, int argc, char **argv)
{
	for (size_t i = 0; i < LENGTH(actions); i++)
		if (argc && !strcmp(argv[0], actions[i].name)) {
			if (argc > 2)
				return command_usage("practice",
						     "give one rung, or none");
			w->own = argc > 1 && practice_is_path(argv[1]);
			return actions[i].run(w, argc > 1 ? argv[1] : NULL);
		}
	if (argc > 1)
		return command_usage("practice", "give one rung, or none");
	w->own = argc && practice_is_path(argv[0]);
	return practice_open(w, argc ? argv[0] : NULL);
}

static int practice(const struct command *c, int argc, char **argv)
{
	struct practice_wish w = {
		.screen.reader.lang = lang_name(), .folder = PRACTICE_FOLDER,
		.seed = (uint64_t)(time(NULL) ^ (long)getpid() << 16) %
			INT32_MAX,
	};
	struct error e;
	int status;

	if (screen_defaults(&w.screen, &e))
		return command_failed(&e);
	status = command_options(c, argc, argv, take_option, &w);
	return status >= 0 ? status :
	       run_practice(&w, argc - optind, argv + optind);
}

static const struct option_def practice_options[] = {
	{ "folder", OPT_FOLDER, "FOLDER",
	  N_("folder of your files (default: ./gemmviz-practice)") },
	{ "seed", OPT_PRACTICE_SEED, "N",
	  N_("number that selects the inputs (default: random)") },
	{ "junit", OPT_PRACTICE_JUNIT, "FILE",
	  N_("with check: write the rungs as JUnit XML") },
	{ "class", OPT_CLASS, "NAME",
	  N_("tell a class (see gemmviz class) each verdict, under a "
	     "pseudonym, and never your text") },
	{ "lead", OPT_LEAD, "NAME",
	  N_("lead a class: followers come to the rung that you open") },
	{ "follow", OPT_FOLLOW, "NAME",
	  N_("join a class like --class, and follow its teacher; from a rung "
	     "that fails only when you press f") },
	{ "class-folder", OPT_CLASS_FOLDER, "FOLDER",
	  N_("folder of the classes (default: $GEMMVIZ_CLASS_FOLDER, else "
	     "/var/tmp/gemmviz-class)") },
	{ "yes", OPT_YES, NULL, N_("with reset: ask no question") },
	{0}
};

const struct command command_practice = {
	.name = "practice",
	.arguments = "[RUNG|FILE.md|FOLDER] [OPTIONS]\n"
		     "check [RUNG|all] [OPTIONS]\n"
		     "reset RUNG|all [--yes]\n"
		     "verify FILE.md|FOLDER",
	.summary = N_("write kernels yourself, and have them judged"),
	.about = N_("Opens a map of exercises, or one of them by its number or "
		    "name: your editor writes the kernel, and each time you "
		    "save the file it is judged without a GPU: whether it is "
		    "right at several sizes, with fresh inputs, and what it "
		    "costs. check judges files without a screen and without "
		    "hints, and keeps no progress, reset begins a file anew "
		    "and keeps the old one, and verify checks an exercise "
		    "that you have written."),
	.examples = "\n5\ncheck all --json\n./week3/",
	.options = { practice_options, option_json, option_force,
		     screen_options },
	.run = practice,
};
