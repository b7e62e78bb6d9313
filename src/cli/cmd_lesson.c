/* gemmviz [--lesson NAME], view, race: a reader at a terminal. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/screen_options.h"
#include "cli/benchmark_options.h"
#include "base/text.h"
#include "cli/version.h"

static void print_words(char *words)
{
	printf("\n%s", words);
	free(words);
}

static void plain_notes(struct reader *r, size_t step)
{
	const struct lesson_step *s = &r->lesson->steps[step];
	struct error e;

	for (size_t i = 0; i < s->note_count; i++) {
		char *words = lesson_words(&r->traces, step, s->notes[i].words,
					   &e);

		if (words)
			print_words(note_words(words));
		free(words);
	}
}

/* A step with its answers, for there is nobody to ask; what would give them
 * away stands behind them. */
static void plain_step(struct reader *r, size_t step)
{
	const struct lesson_step *s = &r->lesson->steps[step];
	struct event next = { .key = K_ENTER };

	reader_go_step(r, step);
	print_words(frame_words(reader_settle(r, 120, 36)));
	for (size_t q = 0; q < s->question_count; q++) {
		reader_reveal(r);
		print_words(question_words(reader_show(r)));
		if (q + 1 < s->question_count)
			reader_event(r, &next);
	}
	if (s->question_count)
		print_words(told_words(reader_settle(r, 120, 36)));
}

static void plain_lesson(struct reader *r, bool notes)
{
	printf("%s\n", r->lesson->title);
	for (size_t i = 0; i < r->lesson->step_count; i++) {
		plain_step(r, i);
		if (notes)
			plain_notes(r, i);
	}
	if (reader_learned(r))
		print_words(frame_words(reader_show(r)));
}

static void plain_trace(struct reader *r)
{
	struct stage *s = reader_recording(r)->stage;
	struct cursor *p = &r->cursor[0];

	*p = (struct cursor){0};	/* all of the first warp */
	do {
		const struct scene *sc = stage_scene(s, p);

		if (!sc->site)
			break;
		printf("%u. ", sc->cursor.request + 1);
		if (sc->site->line)
			printf(_("line %u"), sc->site->line);
		printf(": %s\n", sc->sentence ? sc->sentence : "");
	} while (cursor_step(s, p, 1));
}

/* Every size, when all is done. */
static int plain_race(struct reader *r)
{
	const struct event smaller = { .key = K_LEFT };
	const struct event larger = { .key = K_RIGHT };
	const struct benchmark_scene *s;

	reader_benchmark_finish(r);
	if (r->show.message)	/* why it is a recording */
		fprintf(stderr, "gemmviz: %s\n", r->show.message);
	reader_update(r, 120, 36);
	s = reader_show(r)->benchmark;
	for (size_t i = s->size_index; i > 0; i--)
		reader_event(r, &smaller);
	for (size_t i = 0; i < s->size_count; i++) {
		reader_update(r, 120, 36);
		print_words(frame_words(reader_show(r)));
		reader_event(r, &larger);
	}
	if (s->error)
		fprintf(stderr, "gemmviz: %s\n", s->error);
	return s->status;
}

static int run_plain(struct reader *r, bool notes)
{
	const struct error *e;

	if (r->benchmark)
		return plain_race(r);

	if (r->show.list) {
		for (int i = 0; i < r->list.count; i++)
			printf("%-14s %s\n", r->list.entries[i].name,
			       r->list.entries[i].title);
		return EXIT_DONE;
	}
	session_wait(&r->session);
	reader_poll(r);
	e = session_error(&r->session);
	if (e)
		return command_failed(e);
	if (r->lesson)
		plain_lesson(r, notes);
	else
		plain_trace(r);
	/* The lines were printed without them. */
	return r->gone.text[0] ? command_failed(&r->gone) : EXIT_DONE;
}

static int run(struct screen *s, struct reader *r)
{
	int status = s->plain ? command_flush(run_plain(r, s->notes)) :
				ui_run(r, &s->ui);

	reader_done(r);
	return status;
}

/* Of the screen or of the launch. */
static int take_option(struct screen *s, struct launch_options *l, int id,
		       const char *value, struct error *e)
{
	return screen_option_is(id) ?
	       screen_option(s, id, value, e) : launch_option(l, id, value, e);
}

/* Reads the options; the status to end with, or -1 to go on. */
static int read_arguments(struct screen *s, struct launch_options *l,
			  const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(s, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0) {
		if (id == OPT_VERSION)
			return version_print();
		if (take_option(s, l, id, o.value, &e))
			return command_failed(&e);
	}
	return id == OPTIONS_STOP ? o.status : -1;
}

/* ---- gemmviz [--lesson NAME] ---- */

/* Questions have fresh numbers each day, text has the same ones. */
static int take_seed(struct screen *s, struct error *e)
{
	const char *value = getenv("GEMMVIZ_SEED");
	long seed = s->plain ? 0 : (long)time(NULL) % INT32_MAX;

	if (value && *value && !parse_int(value, 0, INT32_MAX, &seed))
		return error_set(e, EXIT_USAGE, "GEMMVIZ_SEED takes a whole "
				 "number, not '%s'", text_show(value));
	/* A class is asked the same questions. */
	s->reader.seed = s->class ? hash_bytes(s->class, strlen(s->class)) :
				    (uint64_t)seed;
	return 0;
}

/* The file with the place of a class's teacher; NULL with e. */
static char *place_of(const char *folder, const char *class, struct error *e)
{
	if (class_name_valid(class))
		return xasprintf("%s/%s/place.json", folder, class);
	error_set(e, EXIT_USAGE, "'%s' cannot name a class: letters, digits, "
		  "- and _", text_show(class));
	return NULL;
}

/* In what the reader does with a class, if anything; -1 with e. */
static int join(const struct screen *s, struct reader *r,
		struct class_member *m, struct class_task *t,
		struct class_link *l, struct error *e)
{
	const char *folder = s->class_folder ? s->class_folder :
					       class_folder();

	*t = (struct class_task){ .member = NULL };
	if (s->class && class_join(m, folder, s->class, e))
		return -1;
	if ((s->lead && !(t->lead = place_of(folder, s->lead, e))) ||
	    (s->follow && !(t->follow = place_of(folder, s->follow, e))))
		return -1;
	t->member = r->member = s->class ? m : NULL;
	r->lead = t->lead;
	r->follow = r->following = t->follow;
	if (!t->member && !t->lead && !t->follow)
		return 0;
	r->link = l;
	return class_link_open(l, t, e);
}

/* A class has all of its member's answers at the end, if it can be reached. */
static void leave(struct class_member *m, struct class_task *t,
		  struct class_link *l)
{
	struct error e;

	if (t->member) {
		if (class_link_finish(l, &e))
			fprintf(stderr, "gemmviz: %s\n", e.text);
		class_leave(m);
	}
	class_link_close(l);
	free((char *)(uintptr_t)t->lead);
	free((char *)(uintptr_t)t->follow);
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
	return run(s, r);
}

static int open_lesson(struct screen *s, struct launch_options *l)
{
	struct class_member member;
	struct class_task task;
	struct class_link link = { .fd = -1 };
	struct reader r;
	struct error e;
	int status;

	if (s->notes && !(s->plain && s->lesson))
		return command_usage("", "--notes needs --lesson and --plain: "
				     "no screen shows them");
	if ((s->class || s->lead || s->follow) && (s->plain || s->by_itself))
		return command_usage("", "a class needs somebody at a "
				     "screen");
	if (launch_runner_choose(l, &e) || take_seed(s, &e))
		return command_failed(&e);
	s->reader.runner = l->runner;
	s->reader.on = l->on;
	reader_init(&r, &s->reader);
	if (join(s, &r, &member, &task, &link, &e))
		return command_failed(&e);
	status = read_lesson(s, &r);
	leave(&member, &task, &link);
	return status;
}

static int lesson(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct launch_options l;
	int status;

	launch_options_init(&l);
	status = read_arguments(&s, &l, c, argc, argv);
	if (status < 0 && optind < argc)
		status = command_usage("", "give the command before the "
				       "options: '%s'",
				       text_show(argv[optind]));
	if (status < 0)
		status = open_lesson(&s, &l);
	launch_options_done(&l);
	return status;
}

static const struct option_def lesson_options[] = {
	{ "lesson", OPT_LESSON, "LESSON|FILE.md",
	  N_("open a lesson from gemmviz list, or one of your own") },
	{ "on", LAUNCH_ON, "cpu|gpu", N_("where to record (default cpu)") },
	{ "runner", LAUNCH_RUNNER, "COMMAND",
	  N_("command that starts the recorder, such as 'ssh HOST "
	     "gemmviz-gpu'") },
	{ "auto", OPT_AUTO, NULL,
	  N_("let the lesson play by itself, with its answers") },
	{ "notes", OPT_NOTES, NULL,
	  N_("with --plain: print the teacher's notes, too") },
	{ "class", OPT_CLASS, "NAME",
	  N_("as one of a class (see gemmviz class): it is told where you are "
	     "and what you answer, under a pseudonym") },
	{ "lead", OPT_LEAD, "NAME",
	  N_("lead a class: those who follow see the lesson, step, thread and "
	     "picture that you see") },
	{ "follow", OPT_FOLLOW, "NAME",
	  N_("as one who goes along with the teacher of a class; any key lets "
	     "go, f goes along again") },
	{ "class-folder", OPT_CLASS_FOLDER, "FOLDER",
	  N_("where classes are (default: $GEMMVIZ_CLASS_FOLDER, else "
	     "/var/tmp/gemmviz-class)") },
	{ "version", OPT_VERSION, NULL, N_("print the version, and what was built in") },
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

/* ---- gemmviz view ---- */

/* What is to be shown: a kernel or trace, or two beside each other. */
struct viewed {
	struct launch_options launch[2];
	const char *what[2];
	int count;
};

static int open_traces(struct screen *s, struct viewed *v)
{
	struct reader_source of[2] = {0};
	struct reader r;
	struct error e;

	for (int i = 0; i < v->count; i++) {
		v->launch[i].shown = true;
		of[i].job = &v->launch[i].job;
		if (launch_prepare(&v->launch[i], v->what[i], &of[i].trace,
				   &e)) {
			trace_close(of[0].trace);
			return command_failed(&e);
		}
	}
	s->reader.runner = v->launch[0].runner;
	s->reader.on = v->launch[0].on;
	reader_init(&r, &s->reader);
	reader_open_sources(&r, of, (size_t)v->count);
	return run(s, &r);
}

/* -D belongs to the kernel that it follows, all else to both. */
static int view_option(struct screen *s, struct viewed *v, int id,
		       const char *value, struct error *e)
{
	if (screen_option_is(id))
		return screen_option(s, id, value, e);
	for (int i = 0; i < 2; i++)
		if ((id != 'D' || !v->count || v->count - 1 == i) &&
		    launch_option(&v->launch[i], id, value, e))
			return -1;
	return 0;
}

/* The status to end with, or -1 to go on. */
static int view_arguments(struct screen *s, struct viewed *v,
			  const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(s, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0) {
		if (id != OPTIONS_ARGUMENT) {
			if (view_option(s, v, id, o.value, &e))
				return command_failed(&e);
		} else if (v->count == 2) {
			return command_usage("view", "at most two kernels or "
					     "traces can be shown");
		} else {
			v->what[v->count++] = o.value;
		}
	}
	if (id == OPTIONS_STOP)
		return o.status;
	return v->count ? -1 :
	       command_usage("view", "give one kernel or trace, or two");
}

static int view(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct viewed v = { .count = 0 };
	int status;

	launch_options_init(&v.launch[0]);
	launch_options_init(&v.launch[1]);
	status = view_arguments(&s, &v, c, argc, argv);
	if (status < 0)
		status = open_traces(&s, &v);
	launch_options_done(&v.launch[0]);
	launch_options_done(&v.launch[1]);
	return status;
}

const struct command command_view = {
	.name = "view",
	.arguments = "KERNEL|FILE.cu|F.gvt [OPTIONS]\n"
		     "KERNEL [-D MACRO=VALUE] KERNEL [-D MACRO=VALUE] [OPTIONS]",
	.summary = N_("step through a trace, or through two side by side"),
	.about = N_("Steps through a trace, one warp instruction at a time. A "
		    "KERNEL or FILE.cu is recorded first. Two of them are "
		    "shown beside each other, at the same iteration of the "
		    "same tile; -D behind a kernel is for that one."),
	.examples = "tiled -m 32 -n 32 -k 32\nnaive naive_swapped\n"
		    "tiled -D TILE=16 tiled -D TILE=32\ntiled.gvt",
	.options = { screen_options, launch_option_defs,
		     program_option_defs },
	.in_order = true,
	.run = view,
};

/* ---- gemmviz race ---- */

/* The status to end with, or -1 to go on. */
static int race_arguments(struct screen *s, struct benchmark_options *l,
			  const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(s, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0)
		if (screen_option_is(id) ?
		    screen_option(s, id, o.value, &e) :
		    benchmark_option(l, id, o.value, &e))
			return command_failed(&e);
	if (id == OPTIONS_STOP)
		return o.status;
	if (benchmark_options_kernels(l, argv + optind, argc - optind, &e))
		return command_failed(&e);
	return -1;
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
	return run(s, &r);
}

static int race(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct benchmark_options l;
	int status;

	benchmark_options_init(&l);
	status = race_arguments(&s, &l, c, argc, argv);
	if (status < 0)
		status = run_race(&s, &l);
	benchmark_options_done(&l);
	return status;
}

const struct command command_race = {
	.name = "race",
	.arguments = "[KERNEL|FILE.cu ...] [OPTIONS]",
	.summary = N_("the same as an animation, live or recorded"),
	.about = N_("Shows kernels racing each other and cuBLAS as they are "
		    "timed on the GPU; where there is no GPU, plays a recorded "
		    "benchmark."),
	.examples = "naive tiled:TILE=32 cublas-fp32 --size 4096",
	.options = { benchmark_option_defs, screen_options },
	.run = race,
};
