/* gemmviz list: lists lessons and kernels, and checks the claims of lessons. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "kernels/programs.h"
#include "base/lang.h"
#include "base/text.h"
#include "app/session.h"

enum { OPT_CHECK = OPTION_OWN };

/* Counts words between spaces; each Chinese character is one. */
static int count_prose_words(const char *text)
{
	bool inside = false;
	int n = 0;

	for (const char *p = text ? text : ""; *p; p++) {
		bool wide = (unsigned char)*p >= 0xe3, space = *p == ' ';

		n += wide || (!inside && !space && !(*p & 0x80));
		inside = !space && !(*p & 0x80);
	}
	return n;
}

/* Counts the words of a step, with all replies to its questions. */
static int count_step_words(const struct lesson_step *s)
{
	int n = count_prose_words(s->title) +
		count_prose_words(s->learned_words);

	for (size_t i = 0; i < s->prose_count; i++)
		for (size_t k = 0; k < s->prose[i].span_count; k++)
			n += count_prose_words(s->prose[i].spans[k].text);
	for (size_t i = 0; i < s->question_count; i++) {
		const struct lesson_question *q = &s->questions[i];

		n += count_prose_words(q->words) + count_prose_words(q->right);
		for (size_t k = 0; k < q->wrong_count; k++)
			n += count_prose_words(q->wrongs[k].words);
	}
	return n;
}

static json_t *lesson_object(const char *name, const struct lesson *l)
{
	size_t questions = 0;
	int words = 0;

	for (size_t i = 0; i < l->step_count; i++) {
		questions += l->steps[i].question_count;
		words += count_step_words(&l->steps[i]);
	}
	return json_pack("{s:s, s:s, s:I, s:I, s:i}", "name", name, "title",
			 l->title, "steps", (json_int_t)l->step_count,
			 "questions", (json_int_t)questions, "words", words);
}

static void print_list_json(void)
{
	json_t *all = json_object(), *lessons = json_array();
	json_t *list = json_array();

	for (const char *const *n = lesson_names(); *n; n++) {
		struct error e;
		struct lesson *l = lesson_load(*n, lang_name(), &e);

		json_array_append_new(lessons, l ? lesson_object(*n, l) :
			json_pack("{s:s, s:n, s:s}", "name", *n, "title",
				  "error", e.text));
		lesson_free(l);
	}
	for (size_t i = 0; i < kernel_count; i++)
		json_array_append_new(list, json_pack(
			"{s:s, s:s, s:s*}", "name", kernels[i].name, "idea",
			_(kernels[i].idea), "museum",
			kernels[i].bug ? _(kernels[i].bug) : NULL));
	json_object_set_new(all, "lessons", lessons);
	json_object_set_new(all, "kernels", list);
	list = json_array();
	for (size_t i = 0; i < own_program_count; i++)
		json_array_append_new(list, json_pack(
			"{s:s, s:s}", "name", own_programs[i].name, "idea",
			_(own_programs[i].idea)));
	json_object_set_new(all, "programs", list);
	command_json(all, stdout);
}

static void print_kernels(bool museum)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!kernels[i].bug == !museum)
			printf("  %-19s %s\n", kernels[i].name,
			       _(kernels[i].idea));
}

static void print_list_text(void)
{
	printf("%s\n", _("lessons (gemmviz --lesson NAME)"));
	for (const char *const *n = lesson_names(); *n; n++) {
		struct error e;
		struct lesson *l = lesson_load(*n, lang_name(), &e);

		if (l)
			printf("  %-19s %s\n", *n, l->title);
		else
			printf(_("  %-19s cannot be read: %s\n"), *n, e.text);
		lesson_free(l);
	}
	printf("\n%s\n", _("kernels (gemmviz view NAME, report, record)"));
	print_kernels(false);
	printf("\n%s\n", _("programs for several GPUs (gemmviz run NAME, view, "
			    "report, record)"));
	for (size_t i = 0; i < own_program_count; i++)
		printf("  %-19s %s\n", own_programs[i].name,
		       _(own_programs[i].idea));
	printf("\n%s\n", _("museum of bugs: kernels that are wrong on purpose, "
			   "never timed"));
	print_kernels(true);
}

/* ---- --check ---- */

struct check_tally {
	const char *path;	/* of the lesson */
	size_t good, bad;
};

static void tell(void *ctx, int line, const char *what, const char *why)
{
	struct check_tally *t = ctx;

	t->good += !why;
	t->bad += why != NULL;
	if (why)
		printf("%s:%d: %s: %s\n", text_show(t->path), line, what, why);
}

/* Returns EXIT_DONE if all of the lesson's traces were recorded, else prints
 * why not and returns that status. */
static int check_records(const struct lesson *l, const struct session *s)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < s->count; i++) {
		const struct error *e = &s->recordings[i].error;

		if (s->recordings[i].trace)
			continue;
		printf("%s:%d: record %s: %s\n", text_show(l->path),
		       l->records[i].line, l->records[i].alias, e->text);
		status = e->status;
	}
	return status;
}

static int check_recorded(const struct lesson *l, struct session *s)
{
	struct lesson_traces t = { .lesson = l };
	struct check_tally tally = { .path = l->path };
	int status = check_records(l, s);

	if (status != EXIT_DONE)
		return status;
	for (size_t i = 0; i < s->count; i++)
		t.trace[i] = s->recordings[i].trace;
	lesson_check(&t, tell, &tally);
	lesson_traces_forget(&t);
	if (tally.bad)
		return EXIT_CHECK;
	printf(_("%s: %zu steps, %zu checks passed\n"), text_show(l->path),
	       l->step_count, tally.good);
	return EXIT_DONE;
}

/* Checks a lesson: a path names this very file, a name the lesson in the
 * reader's language. Returns an exit status. */
static int check_one_lesson(const char *name)
{
	bool path = strpbrk(name, "/.");
	struct error e;
	struct lesson *l = lesson_load(name, path ? "en" : lang_name(), &e);
	struct session s;
	int status;

	if (!l)
		return command_failed(&e);
	session_lesson(&s, l, NULL, NULL);
	session_wait(&s);
	status = check_recorded(l, &s);
	session_done(&s);
	lesson_free(l);
	return status;
}

/* Checks all lessons, even if some fail. Returns the highest exit status. */
static int check_lessons(char *const *names, int count)
{
	const char *const *all = lesson_names();
	int status = EXIT_DONE, one;

	for (int i = 0; count ? i < count : all[i] != NULL; i++) {
		one = check_one_lesson(count ? names[i] : all[i]);
		status = MAX(status, one);
	}
	return command_flush(status);
}

static int run(const struct command *c, int argc, char **argv)
{
	bool json = false, check = false;
	struct options o;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		json |= id == OPTION_JSON;
		check |= id == OPT_CHECK;
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (check)
		return check_lessons(argv + optind, argc - optind);
	if (optind < argc)
		return command_usage("list", "takes no names");
	if (json)
		print_list_json();
	else
		print_list_text();
	return command_flush(EXIT_DONE);
}

static const struct option_def options[] = {
	{ "check", OPT_CHECK, NULL,
	  N_("check every claim, answer and number in the lessons") },
	{0}
};

const struct command command_list = {
	.name = "list",
	.arguments = "[--json]\n--check [LESSON|FILE.md ...]",
	.summary = N_("list lessons and kernels, or check lessons"),
	.about = N_("Lists the lessons and the kernels, one per line. With "
		    "--check, checks lessons, including your own: records "
		    "their kernels and prints each claim or answer that does "
		    "not hold. Exits with 1 if there is one, and with 3 if a "
		    "lesson is malformed."),
	.examples = "\n--check ./mine.md",
	.options = { options, option_json },
	.run = run,
};
