/* gemmviz [--lesson NAME], gemmviz view, gemmviz race: a reader at a terminal. */
#include <getopt.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "cli/benchmark_options.h"
#include "base/text.h"
#include "reader/ui.h"

enum { OPT_LESSON = 1, OPT_LANG, OPT_THEME, OPT_PLAIN, OPT_PRESENTER,
       OPT_ASCII, OPT_NO_MOUSE, OPT_HELP };

#define SCREEN_OPTIONS \
	{ "lang", required_argument, NULL, OPT_LANG }, \
	{ "theme", required_argument, NULL, OPT_THEME }, \
	{ "plain", no_argument, NULL, OPT_PLAIN }, \
	{ "presenter", no_argument, NULL, OPT_PRESENTER }, \
	{ "ascii", no_argument, NULL, OPT_ASCII }, \
	{ "no-mouse", no_argument, NULL, OPT_NO_MOUSE }, \
	{ "help", no_argument, NULL, OPT_HELP }

struct screen {
	struct ui_options ui;
	struct reader_options reader;
	const char *lesson;
	bool plain;
};

/* -1 with e for a theme or a language that there is not. */
static int screen_option(struct screen *s, int option, struct error *e)
{
	switch (option) {
	case OPT_LESSON:
		s->lesson = optarg;
		break;
	case OPT_LANG:		/* lang_init() has read it */
		if (!lang_known(optarg))
			return error_set(e, EXIT_USAGE, "no language '%s'; "
					 "there are %s", text_show(optarg),
					 lang_list());
		break;
	case OPT_THEME:
		s->ui.term.theme = theme_find(optarg);
		if (!s->ui.term.theme)
			return error_set(e, EXIT_USAGE, "no theme '%s'; "
					 "there are dark, light and mono",
					 text_show(optarg));
		break;
	case OPT_PLAIN:
		s->plain = true;
		break;
	case OPT_PRESENTER:
		s->reader.presenter = true;
		break;
	case OPT_ASCII:
		s->ui.term.ascii = true;
		break;
	case OPT_NO_MOUSE:
		s->ui.term.no_mouse = true;
		break;
	}
	return 0;
}

static void print_words(char *words)
{
	printf("\n%s", words);
	free(words);
}

/* Each step with its answers: there is nobody to ask. */
static void plain_lesson(struct reader *r)
{
	struct event next = { .key = K_ENTER };

	printf("%s\n", r->lesson->title);
	for (size_t i = 0; i < r->lesson->step_count; i++) {
		const struct lesson_step *s = &r->lesson->steps[i];

		reader_go_step(r, i);
		reader_reveal(r);
		print_words(frame_words(reader_settle(r, 120, 36)));
		for (size_t q = 0; q < s->question_count; q++) {
			reader_reveal(r);
			print_words(question_words(reader_show(r)));
			if (q + 1 < s->question_count)
				reader_event(r, &next);
		}
	}
}

static void plain_trace(struct reader *r)
{
	struct stage *s = reader_recording(r)->stage;
	struct cursor *p = &r->cursor[0];

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

static int run_plain(struct reader *r)
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
		plain_lesson(r);
	else
		plain_trace(r);
	return EXIT_DONE;
}

static int run(struct screen *s, struct reader *r)
{
	int status = s->plain ? command_flush(run_plain(r)) :
				ui_run(r, &s->ui);

	reader_done(r);
	return status;
}

int cmd_lesson(int argc, char **argv)
{
	static const struct option options[] = {
		{ "lesson", required_argument, NULL, OPT_LESSON },
		{ "runner", required_argument, NULL, LAUNCH_RUNNER },
		{ "on", required_argument, NULL, LAUNCH_ON },
		SCREEN_OPTIONS, {0}
	};
	struct screen s = { .reader.lang = lang_name() };
	struct reader r;
	struct launch_options l;
	struct error e;
	int o, status;

	launch_options_init(&l);

	while ((o = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (o == '?') {
			launch_options_done(&l);
			return command_option("", argv, options);
		}
		if (o >= LAUNCH_ON ? launch_option(&l, o, optarg, &e) :
				     screen_option(&s, o, &e)) {
			launch_options_done(&l);
			return command_failed(&e);
		}
	}
	if (optind < argc) {
		launch_options_done(&l);
		return command_usage("", "commands go before options: '%s'",
				     text_show(argv[optind]));
	}
	if (launch_runner_choose(&l, &e)) {
		launch_options_done(&l);
		return command_failed(&e);
	}
	s.reader.runner = l.runner;
	s.reader.on = l.on;
	reader_init(&r, &s.reader);
	if (!s.lesson) {
		reader_open_list(&r);
	} else if (reader_open_lesson(&r, s.lesson, &e)) {
		launch_options_done(&l);
		return command_failed(&e);
	}
	status = run(&s, &r);
	launch_options_done(&l);
	return status;
}

static int view_usage(void)
{
	printf(_("usage: gemmviz view KERNEL|FILE.cu|F.gvt [OPTIONS]\n\n"
		 "Steps through a trace, one warp instruction at a time. "
		 "Takes the options of\ngemmviz record and of the screen "
		 "(gemmviz --help).\n"));
	return command_flush(EXIT_DONE);
}

int cmd_view(int argc, char **argv)
{
	static const struct option options[] = {
		SCREEN_OPTIONS, LAUNCH_LONG, {0}
	};
	struct screen s = { .reader.lang = lang_name() };
	struct launch_options l;
	struct reader r;
	struct trace *t = NULL;
	struct error e;
	int o, status;

	launch_options_init(&l);
	while ((o = getopt_long(argc, argv, LAUNCH_SHORT, options,
				NULL)) != -1) {
		if (o == OPT_HELP || o == '?') {
			launch_options_done(&l);
			return o == '?' ? command_option("view", argv,
							 options) :
					  view_usage();
		}
		if (o < LAUNCH_ON && o < 'A' ? screen_option(&s, o, &e) :
					      launch_option(&l, o, optarg,
							    &e)) {
			launch_options_done(&l);
			return command_failed(&e);
		}
	}
	if (argc != optind + 1) {
		launch_options_done(&l);
		return command_usage("view", "wants one kernel or trace");
	}
	t = launch_trace(&l, argv[optind], &e);
	if (!t) {
		launch_options_done(&l);
		return command_failed(&e);
	}
	s.reader.runner = l.runner;
	reader_init(&r, &s.reader);
	reader_open_trace(&r, t);
	status = run(&s, &r);
	launch_options_done(&l);
	return status;
}

static int race_usage(void)
{
	printf(_("usage: gemmviz race [KERNEL|FILE.cu ...] [OPTIONS]\n\n"
		 "Kernels on the GPU against each other and against cuBLAS, "
		 "as they are timed; where\nthere is no GPU, as they were "
		 "recorded. Takes the options of the screen (gemmviz\n"
		 "--help), too.\n\n"));
	printf("%s", benchmark_options_help());
	return command_flush(EXIT_DONE);
}

/* The status to end with, or -1 to go on. */
static int race_arguments(struct screen *s, struct benchmark_options *l,
			  int argc, char **argv)
{
	static const struct option options[] = {
		SCREEN_OPTIONS, LAUNCH_RACE_LONG, {0}
	};
	struct error e;
	int o;

	while ((o = getopt_long(argc, argv, LAUNCH_RACE_SHORT, options,
				NULL)) != -1) {
		if (o == '?')
			return command_option("race", argv, options);
		if (o == OPT_HELP)
			return race_usage();
		if (o < 'A' ? screen_option(s, o, &e) :
			      benchmark_option(l, o, optarg, &e))
			return command_failed(&e);
	}
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

int cmd_race(int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct benchmark_options l;
	int status;

	benchmark_options_init(&l);
	status = race_arguments(&s, &l, argc, argv);
	if (status < 0)
		status = run_race(&s, &l);
	benchmark_options_done(&l);
	return status;
}
