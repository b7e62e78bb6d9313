/* gemmviz list: lessons and kernels; and whether what lessons say holds. */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "kernels/kernels.h"
#include "base/lang.h"
#include "base/text.h"
#include "reader/session.h"

enum { OPT_JSON = 1, OPT_CHECK, OPT_LANG, OPT_HELP };

static void print_json(void)
{
	json_t *all = json_object(), *lessons = json_array();
	json_t *list = json_array();

	for (const char *const *n = lesson_names(); *n; n++) {
		struct lesson *l = lesson_load(*n, lang_name(), NULL);

		json_array_append_new(lessons, json_pack(
			"{s:s, s:s}", "name", *n, "title",
			l ? l->title : *n));
		lesson_free(l);
	}
	for (size_t i = 0; i < kernel_count; i++)
		json_array_append_new(list, json_pack(
			"{s:s, s:s, s:s*}", "name", kernels[i].name, "idea",
			_(kernels[i].idea), "museum",
			kernels[i].museum ? _(kernels[i].museum) : NULL));
	json_object_set_new(all, "lessons", lessons);
	json_object_set_new(all, "kernels", list);
	command_json(all, stdout);
}

static void print_kernels(bool museum)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!kernels[i].museum == !museum)
			printf("  %-19s %s\n", kernels[i].name,
			       _(kernels[i].idea));
}

static void print_text(void)
{
	printf("%s\n", _("lessons (gemmviz --lesson NAME)"));
	for (const char *const *n = lesson_names(); *n; n++) {
		struct lesson *l = lesson_load(*n, lang_name(), NULL);

		printf("  %-19s %s\n", *n, l ? l->title : "");
		lesson_free(l);
	}
	printf("\n%s\n", _("kernels (gemmviz view NAME, report, record)"));
	print_kernels(false);
	printf("\n%s\n", _("museum of bugs: wrong kernels, to be looked at; "
			    "never raced"));
	print_kernels(true);
}

/* ---- --check ---- */

struct tally {
	const char *path;	/* of the lesson */
	size_t good, bad;
};

static void tell(void *ctx, int line, const char *what, const char *why)
{
	struct tally *t = ctx;

	t->good += !why;
	t->bad += why != NULL;
	if (why)
		printf("%s:%d: %s: %s\n", text_show(t->path), line, what, why);
}

/* EXIT_DONE when all of the lesson's traces are there. */
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
	struct tally tally = { .path = l->path };
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

/* A path is this very file, a name the lesson in the reader's language. */
static int check_lesson(const char *name)
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

/* All of them, whatever is wrong with one; the highest status. */
static int check_lessons(char *const *names, int count)
{
	const char *const *all = lesson_names();
	int status = EXIT_DONE, one;

	for (int i = 0; count ? i < count : all[i] != NULL; i++) {
		one = check_lesson(count ? names[i] : all[i]);
		status = MAX(status, one);
	}
	return command_flush(status);
}

int cmd_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, OPT_JSON },
		{ "check", no_argument, NULL, OPT_CHECK },
		{ "lang", required_argument, NULL, OPT_LANG },
		{ "help", no_argument, NULL, OPT_HELP }, {0}
	};
	bool json = false, check = false;
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (o == '?')
			return command_option("list", argv, options);
		if (o == OPT_HELP) {
			printf(_("usage: gemmviz list [--json] [--lang L]\n"
				 "       gemmviz list --check [LESSON|FILE.md "
				 "...]\n"));
			return command_flush(EXIT_DONE);
		}
		json |= o == OPT_JSON;
		check |= o == OPT_CHECK;
	}
	if (check)
		return check_lessons(argv + optind, argc - optind);
	if (optind < argc)
		return command_usage("list", "takes no names");
	if (json)
		print_json();
	else
		print_text();
	return command_flush(EXIT_DONE);
}
