/* gemmviz drill: unlimited questions on a screen, line by line, or as a quiz in
 * JSON. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/screen_options.h"
#include "drill/drill.h"

enum { OPT_SEED = OPT_SCREEN_END, OPT_COUNT, OPT_LEVEL };

#define COUNT_MOST 10000
#define COUNT_JSON 20		/* where nothing else is said */

struct drill_wish {
	struct screen screen;
	const struct drill_topic *topic;	/* NULL: all */
	long seed, count, level;		/* NA: not said */
	bool json;
};

static void make_question(const struct drill_wish *w, struct drill_question *q,
			  uint32_t n, int level)
{
	if (w->level != NA)
		level = (int)w->level;
	else if (w->count != NA)
		level = drill_quiz_level(n, (uint32_t)w->count);
	drill_make(q, w->topic, level, drill_seed((uint64_t)w->seed, n));
}

/* ---- JSON ---- */

static json_t *question_json(const struct drill_question *q, uint32_t n)
{
	json_t *answers = json_array(), *replies = json_array();
	json_t *j = json_pack("{s:i, s:s, s:i, s:s}", "number", (int)n + 1,
			      "topic", q->topic->name, "level", q->level,
			      "question", q->words);

	for (int i = 0; i < q->choice_count; i++) {
		json_array_append_new(answers,
				      json_string(q->choices[i].text));
		json_array_append_new(replies, json_string(q->choices[i].why));
	}
	if (q->code)
		json_object_set_new(j, "code", json_string(q->code));
	json_object_set_new(j, "answers", answers);
	json_object_set_new(j, "right", json_integer(q->right));
	json_object_set_new(j, "replies", replies);
	return j;
}

static int run_json(struct drill_wish *w)
{
	json_t *all = json_array();

	if (w->count == NA)
		w->count = COUNT_JSON;
	for (uint32_t n = 0; n < (uint32_t)w->count; n++) {
		struct drill_question q;

		make_question(w, &q, n, 1);
		json_array_append_new(all, question_json(&q, n));
		drill_done(&q);
	}
	command_json_lines(all);
	return command_flush(EXIT_DONE);
}

/* ---- ask line by line ---- */

/* Prints a question and its choices. */
static void print_drill_question(const struct drill_question *q, uint32_t n)
{
	printf(_("%u. %s, level %d"), n + 1, _(q->topic->title), q->level);
	printf("\n\n");
	if (q->code)
		printf("%s\n\n", q->code);
	command_print_words(q->words, 0);
	for (int i = 0; i < q->choice_count; i++)
		printf("  %c  %s\n", 'a' + i, q->choices[i].text);
}

/* Reads an answer from the next line: a letter, a number, or the answer's text.
 * Returns its index; -1: the line is none of these; -2: there is no more
 * input. */
static int read_answer(const struct drill_question *q)
{
	char line[128];
	size_t len;

	printf("> ");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return -2;
	len = strcspn(line, "\r\n");
	line[len] = 0;
	if (!strcmp(line, "q"))
		return -2;
	for (int i = 0; i < q->choice_count; i++) {
		bool letter = len == 1 && line[0] == 'a' + i;

		if (letter || !strcmp(line, q->choices[i].text))
			return i;
	}
	return -1;
}

/* Asks until a choice is given. Returns false if there is no more input. */
static bool play_question(const struct drill_question *q,
			  struct drill_score *score)
{
	int answer;

	while ((answer = read_answer(q)) == -1)
		printf(_("type a letter from a to %c, or q to quit\n"),
		       'a' + q->choice_count - 1);
	if (answer < 0)
		return false;
	drill_score(score, answer == q->right);
	if (answer != q->right) {
		printf("%s ", _("No."));
		command_print_words(q->choices[answer].why, 0);
		printf("%c  %s: ", 'a' + q->right, q->choices[q->right].text);
	} else {
		printf("%s ", _("Right."));
	}
	command_print_words(q->choices[q->right].why, 0);
	putchar('\n');
	return true;
}

static int run_plain_drill(struct drill_wish *w)
{
	struct drill_score score = { .level = 1 };
	bool more = true;

	for (uint32_t n = 0; more && (w->count == NA || n < w->count); n++) {
		struct drill_question q;

		make_question(w, &q, n, score.level);
		print_drill_question(&q, n);
		more = play_question(&q, &score);
		more &= !ferror(stdout);
		drill_done(&q);
	}
	putchar('\n');
	printf(_("%d of %d right"), score.right, score.asked);
	putchar('\n');
	return command_flush(EXIT_DONE);
}

/* ---- a screen ---- */

static int run_screen(struct drill_wish *w)
{
	struct reader r;
	int status;

	reader_init(&r, &w->screen.reader);
	reader_open_drill(&r, w->topic, w->level == NA ? 1 : (int)w->level,
			  (uint64_t)w->seed);
	status = ui_run(&r, &w->screen.ui);
	reader_done(&r);
	return status;
}

/* ---- the command ---- */

static int number_option(long *to, const char *name, long least, long most,
			 const char *value, struct error *e)
{
	if (parse_int(value, least, most, to))
		return 0;
	return error_set(e, EXIT_USAGE, "%s needs a whole number from %ld to "
			 "%ld, not '%s'", name, least, most, text_show(value));
}

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct drill_wish *w = own;

	if (id == OPTION_JSON)
		w->json = true;
	else if (id == OPT_SEED)
		return number_option(&w->seed, "--seed", 0, INT32_MAX, value,
				     e);
	else if (id == OPT_COUNT)
		return number_option(&w->count, "--count", 1, COUNT_MOST,
				     value, e);
	else if (id == OPT_LEVEL)
		return number_option(&w->level, "--level", 1, DRILL_LEVELS,
				     value, e);
	else
		return screen_option(&w->screen, id, value, e);
	return 0;
}

static int unknown_topic(const char *word)
{
	const char *names[8], *near;
	char *all;
	int status;

	for (size_t i = 0; i < drill_topic_count; i++)
		names[i] = drill_topics[i]->name;
	near = nearest_name(word, names, drill_topic_count);
	if (near)
		return command_usage("drill", "no topic '%s'; did you mean "
				     "%s?", text_show(word), near);
	all = join_names(names, drill_topic_count);
	status = command_usage("drill", _("no topic '%s' (%s)"),
			       text_show(word), all);
	free(all);
	return status;
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_drill_arguments(struct drill_wish *w, const struct command *c,
				int argc, char **argv)
{
	struct error e;
	int status;

	if (screen_defaults(&w->screen, &e))
		return command_failed(&e);
	status = command_options(c, argc, argv, take_option, w);
	if (status >= 0)
		return status;
	if (optind + 1 < argc)
		return command_usage("drill", "give one topic, or none");
	if (optind < argc) {
		w->topic = drill_topic_find(argv[optind]);
		if (!w->topic)
			return unknown_topic(argv[optind]);
	}
	if (w->count != NA && !w->json && !w->screen.plain)
		return command_usage("drill", "--count needs --json or "
				     "--plain");
	return -1;
}

static int drill(const struct command *c, int argc, char **argv)
{
	struct drill_wish w = { .screen.reader.lang = lang_name(), .seed = NA,
				.count = NA, .level = NA };
	int status = read_drill_arguments(&w, c, argc, argv);

	if (status >= 0)
		return status;
	if (w.seed == NA)	/* other questions each time */
		w.seed = w.json ? 0 : (long)(time(NULL) % INT32_MAX);
	return w.json ? run_json(&w) : w.screen.plain ? run_plain_drill(&w) :
							run_screen(&w);
}

static void print_topics(void)
{
	printf("\n%s\n", _("topics and their levels:"));
	for (size_t i = 0; i < drill_topic_count; i++) {
		const struct drill_topic *t = drill_topics[i];

		printf("  %-12s%s\n", t->name, _(t->title));
		for (int level = 1; level <= DRILL_LEVELS; level++)
			printf("  %12d  %s\n", level,
			       drill_level_words(t, level));
	}
	printf("\n");
	printf(_("%d right answers in a row raise the level, %d wrong answers "
		 "lower it.\n"), DRILL_UP, DRILL_DOWN);
}

static const struct option_def drill_options[] = {
	{ "seed", OPT_SEED, "N",
	  N_("number that selects the questions (default: random; with --json "
	     "0)") },
	{ "count", OPT_COUNT, "N",
	  N_("with --json (default 20) or --plain: print a quiz of N questions "
	     "with rising levels") },
	{ "level", OPT_LEVEL, "1-4",
	  N_("level to begin with; in a quiz, the level of all questions") },
	{0}
};

const struct command command_drill = {
	.name = "drill",
	.arguments = "[TOPIC] [OPTIONS]",
	.summary = N_("practise with endless questions"),
	.about = N_("Asks what a request costs, which lane holds an element, "
		    "how many blocks an SM holds and which barrier is needed. "
		    "The model computes the answers, and explains each wrong "
		    "choice. A quiz (--seed N --count N with --json or "
		    "--plain) is the same for everyone."),
	.more = print_topics,
	.examples = "sectors\nwavefronts --level 3\n"
		    "--seed 7 --count 20 --json",
	.options = { drill_options, option_json, screen_options },
	.run = drill,
};
