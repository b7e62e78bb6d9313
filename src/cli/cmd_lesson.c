/* gemmviz [--lesson NAME], race: opens a reader at a terminal. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "cli/screen_class.h"
#include "cli/screen_run.h"
#include "cli/benchmark_options.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "cli/version.h"

/* Takes an option of the screen or of the launch. */
static int take_lesson_option(struct screen *s, struct launch_options *l,
			      int id, const char *value, struct error *e)
{
	return screen_option_is(id) ?
	       screen_option(s, id, value, e) : launch_option(l, id, value, e);
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_lesson_arguments(struct screen *s, struct launch_options *l,
				 const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(s, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0) {
		if (id == 'V')
			return version_print();
		if (take_lesson_option(s, l, id, o.value, &e))
			return command_failed(&e);
	}
	return id == OPTIONS_STOP ? o.status : -1;
}

/* ---- gemmviz [--lesson NAME] ---- */

/* Sets the seed of questions: new numbers each day on a screen, always the same
 * ones as text. */
static int set_seed(struct screen *s, struct error *e)
{
	const char *value = getenv("GEMMVIZ_SEED");
	long seed = s->plain ? 0 : (long)time(NULL) % INT32_MAX;

	if (value && *value && !parse_int(value, 0, INT32_MAX, &seed))
		return error_set(e, EXIT_USAGE, "GEMMVIZ_SEED must be a whole "
				 "number, not '%s'", text_show(value));
	/* A class is asked the same questions. */
	s->reader.seed = s->class ? hash_bytes(s->class, strlen(s->class)) :
				    (uint64_t)seed;
	return 0;
}

/* Opens it, and lets it be read; an exit status. */
static int read_lesson(struct screen *s, struct reader *r)
{
	struct error e, lost;
	bool damaged = !s->plain && !s->by_itself &&
		       reader_keep_progress(r, &lost);

	if (!s->lesson)
		reader_open_list(r, LIST_COURSE);
	else if (reader_open_lesson(r, s->lesson, &e))
		return command_failed(&e);
	if (damaged)
		reader_say(r, true, "%s", lost.text);
	if (s->by_itself && s->lesson)
		auto_begin(r);
	return screen_run(s, r);
}

static int open_lesson(struct screen *s, struct launch_options *l)
{
	struct class_member member = {0};
	struct class_task task;
	struct class_link link = { .fd = -1 };
	struct reader r;
	struct error e;
	int status;

	if (s->notes && !(s->plain && s->lesson))
		return command_usage("", "--notes needs --lesson and --plain");
	if ((s->class || s->lead || s->follow) && (s->plain || s->by_itself))
		return command_usage("", "--class, --lead and --follow need a "
				     "screen");
	if (!s->class)		/* a teacher expects the answers of these, too */
		s->class = s->follow;
	if (launch_runner_choose(l, &e) || set_seed(s, &e))
		return command_failed(&e);
	s->reader.runner = l->runner;
	s->reader.on = l->on;
	reader_init(&r, &s->reader);
	if (screen_class_join(s, &r, &member, &task, &link, &e)) {
		class_leave(&member);
		return command_failed(&e);
	}
	status = read_lesson(s, &r);
	screen_class_leave(&member, &task, &link);
	return status;
}

static int lesson(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct launch_options l;
	int status;

	launch_options_init(&l);
	status = read_lesson_arguments(&s, &l, c, argc, argv);
	if (status < 0 && optind < argc)
		status = command_usage("", "the command must come before the "
				       "options: '%s'",
				       text_show(argv[optind]));
	if (status < 0)
		status = open_lesson(&s, &l);
	launch_options_done(&l);
	return status;
}

static const struct option_def lesson_options[] = {
	{ "lesson", OPT_LESSON, "LESSON|FILE.md",
	  N_("open a lesson from gemmviz list, or a lesson file of your own") },
	{ "on", LAUNCH_ON, "cpu|gpu",
	  N_("record on the CPU or on the GPU (default cpu)") },
	{ "runner", LAUNCH_RUNNER, "COMMAND",
	  N_("command that starts the recorder, such as 'ssh HOST "
	     "gemmviz-gpu'") },
	{ "auto", OPT_AUTO, NULL,
	  N_("play the lesson automatically, with its answers") },
	{ "notes", OPT_NOTES, NULL,
	  N_("with --plain: also print the teacher's notes") },
	{ "class", OPT_CLASS, "NAME",
	  N_("join a class (see gemmviz class), which sees your step and your "
	     "answers under a pseudonym") },
	{ "lead", OPT_LEAD, "NAME",
	  N_("lead a class: followers see the lesson, step, thread and picture "
	     "that you see") },
	{ "follow", OPT_FOLLOW, "NAME",
	  N_("join a class like --class, and follow its teacher; any key stops "
	     "following, f resumes") },
	{ "class-folder", OPT_CLASS_FOLDER, "FOLDER",
	  N_("folder of the classes (default: $GEMMVIZ_CLASS_FOLDER, else "
	     "/var/tmp/gemmviz-class)") },
	{ "version", 'V', NULL,
	  N_("print the version and the features that were built in") },
	{0}
};

const struct command command_lesson = {
	.name = "",
	.arguments = "[OPTIONS]\n--lesson LESSON|FILE.md [OPTIONS]\n"
		     "COMMAND [ARGUMENTS]",
	.summary = N_("See how a GPU multiplies matrices. Without arguments "
		      "gemmviz opens the list of lessons."),
	.more = commands_print,
	.examples = "--lesson coalescing\n--lesson ./mine.md --lang zh",
	.options = { lesson_options, screen_options },
	.run = lesson,
};

/* ---- gemmviz race ---- */

struct race_wish {
	struct screen *screen;
	struct benchmark_options *race;
};

static int race_option(void *own, int id, const char *value, struct error *e)
{
	struct race_wish *w = own;

	return screen_option_is(id) ? screen_option(w->screen, id, value, e) :
	       benchmark_option(w->race, id, value, e);
}

/* Reads the options of a race. Returns the status to end with, or -1 to go
 * on. */
static int read_race_arguments(struct screen *s, struct benchmark_options *l,
			       const struct command *c, int argc, char **argv)
{
	struct race_wish w = { s, l };
	struct error e;
	int status;

	if (screen_defaults(s, &e))
		return command_failed(&e);
	status = command_options(c, argc, argv, race_option, &w);
	s->plain |= !isatty(STDOUT_FILENO);
	for (int i = optind; i < argc && status < 0 && !s->plain; i++)
		if (kernel_is_input(argv[i]))
			return screen_refuse_input("race");
	if (status < 0 &&
	    benchmark_options_kernels(l, argv + optind, argc - optind, &e))
		return command_failed(&e);
	return status;
}

static int run_race(struct screen *s, const struct benchmark_options *l)
{
	struct reader r;
	struct error e;

	s->reader.runner = l->runner;
	reader_init(&r, &s->reader);
	if (reader_open_benchmark(&r, &l->plan, l->from, &e)) {
		reader_done(&r);
		return command_failed(&e);
	}
	return screen_run(s, &r);
}

static int race(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct benchmark_options l;
	int status;

	benchmark_options_init(&l);
	status = read_race_arguments(&s, &l, c, argc, argv);
	if (status < 0)
		status = run_race(&s, &l);
	benchmark_options_done(&l);
	return status;
}

const struct command command_race = {
	.name = "race",
	.arguments = "[KERNEL|FILE.cu ...] [OPTIONS]",
	.summary = N_("show such a comparison as an animation, live or "
		      "recorded"),
	.about = N_("Shows kernels racing each other and cuBLAS while they are "
		    "timed on the GPU. Without a GPU, plays a recorded "
		    "benchmark."),
	.examples = "naive tiled:TILE=32 cublas-fp32 --size 4096",
	.options = { benchmark_option_defs, screen_options },
	.run = race,
};
