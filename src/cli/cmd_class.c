/* gemmviz class: shows a class's folder, and what its members do. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/screen_options.h"

enum { OPT_NAMES = OPT_SCREEN_END, OPT_CSV };

struct class_wish {
	struct screen screen;
	const char *name, *folder;
	bool names, csv;
};

/* ---- start, send, collect ---- */

static int start(const struct class_wish *w)
{
	struct error e;

	if (class_start(w->folder, w->name, &e))
		return command_failed(&e);
	printf(_("The class %s begins in %s.\n"), w->name,
	       text_show(w->folder));
	printf(_("Participants run: gemmviz --class %s\n"), w->name);
	printf(_("To watch them, run: gemmviz class show %s\n"), w->name);
	return command_flush(EXIT_DONE);
}

static int send_log(const struct class_wish *w)
{
	struct class_member m;
	struct error e;
	size_t len;
	char *text;

	if (class_join(&m, w->folder, w->name, &e))
		return command_failed(&e);
	text = file_read(m.log, 16u << 20, &len, &e);
	class_leave(&m);
	if (!text)
		return command_failed(&e);
	fwrite(text, 1, len, stdout);
	free(text);
	return command_flush(EXIT_DONE);
}

static int collect(const struct class_wish *w)
{
	struct class_room room;
	struct error e;
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	int damaged = 0, number = 0;

	if (class_read(&room, w->folder, w->name, &e))
		return command_failed(&e);
	class_room_done(&room);
	while ((n = getline(&line, &size, stdin)) > 0) {
		struct class_event ev;

		number++;
		n -= line[n - 1] == '\n';
		if (!class_event_read(line, (size_t)n, &ev)) {
			fprintf(stderr,
				_("gemmviz class: line %d is not an "
				  "event\n"),
				number);
			damaged++;
		} else if (class_collect(w->folder, w->name, &ev, &e)) {
			free(line);
			return command_failed(&e);
		}
	}
	free(line);
	return damaged ? EXIT_INPUT : EXIT_DONE;
}

/* ---- show ---- */

#define SEPARATORS ",;:|\t"	/* where a spreadsheet may split cells */
#define STEPS_MOST 200		/* lines of --plain */

/* Returns the length of the number that begins here and ends with the cell or at
 * a separator; 0: it is no number. */
static size_t number_length(const char *s)
{
	size_t n = strspn(s, "+-");
	size_t digits = strspn(s + n, "0123456789.");

	return n <= 1 && digits && (!s[n + digits] ||
				    strchr(SEPARATORS, s[n + digits])) ?
	       n + digits : 0;
}

/* Returns the length of the first of `words` with which the text begins; 0: it
 * begins with none. */
static size_t match_sign(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(s, *words, strlen(*words)))
			return strlen(*words);
	return 0;
}

/* With which a spreadsheet begins a formula, in ASCII and full-width, and what
 * it passes over before that: quotes and spaces. */
static const char *const signs[] = {
	"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", NULL,
};
static const char *const before_signs[] = {
	" ", "\"", "'", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
	"\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
	"\u202f", "\u205f", "\u3000", NULL,
};

/* Prints a cell of RFC 4180, quoted, of clean text. An apostrophe precedes what a
 * spreadsheet would take for a formula, also after a separator, because some
 * spreadsheets split cells at other characters than commas. */
static void print_csv_cell(const char *text)
{
	char *clean = text_clean(text, strlen(text), 0);
	bool begins = true;

	putchar('"');
	for (const char *p = clean; *p;) {
		size_t number = begins ? number_length(p) : 0;
		size_t n = number ? number : begins ? match_sign(p, signs) : 0;

		if (n && !number)
			putchar('\'');
		if (!n && begins)
			n = match_sign(p, before_signs);
		begins = !number && (strchr(SEPARATORS, *p) ||
				     (begins && match_sign(p, before_signs)));
		n = MAX(n, 1);
		printf("%.*s%s", (int)n, p, *p == '"' ? "\"" : "");
		p += n;
	}
	putchar('"');
	free(clean);
}

/* Prints a name of a class, which is no number and needs no quotes. */
static void print_name(const char *name)
{
	printf("%s%s", match_sign(name, signs) ? "'" : "", name);
}

static void print_csv(const struct class_wish *w,
		      const struct class_room *room)
{
	struct lesson *lesson = NULL;
	int number = 0;

	printf("who,lesson,step,question,answer,right,words\n");
	for (size_t i = 0; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];
		char *words;

		number += !i || strcmp(ev->who, room->events[i - 1].who);
		if (!ev->answered)
			continue;
		if (w->names)
			print_name(ev->who);
		else
			printf("%d", number);
		putchar(',');
		print_name(ev->lesson);
		printf(",%d,%d,", ev->step, ev->question);
		print_csv_cell(ev->answer);
		printf(",%d,", ev->right);
		words = class_question(&lesson, ev->lesson, ev->step,
				       ev->question);
		print_csv_cell(words);
		free(words);
		putchar('\n');
	}
	lesson_free(lesson);
}

/* Prints each step that some members are at, once. */
static void print_class_steps(const struct class_wish *w,
			      const struct class_room *room)
{
	size_t count;
	struct class_group *groups = class_groups(room, &count);

	for (size_t i = 0; i < count && i < STEPS_MOST; i++) {
		const struct class_group *g = &groups[i];

		printf(_("  %s, step %d of %d: %d"), g->people[0]->lesson,
		       g->people[0]->step, g->people[0]->steps, (int)g->count);
		for (size_t k = 0; w->names && k < g->count; k++)
			printf("%s%s", k ? ", " : "  ", g->people[k]->who);
		putchar('\n');
	}
	if (count > STEPS_MOST)
		printf(_("  and %zu more steps\n"), count - STEPS_MOST);
	class_groups_done(groups);
}

#define BAR 40

static void print_poll(const struct class_room *room)
{
	struct lesson *lesson = NULL;
	struct class_poll poll;
	char *words;
	int most = 1;

	class_poll(room, &poll);
	if (!poll.answer_count)
		return;
	printf(_("\n%s, step %d, question %d: first answers\n"), poll.lesson,
	       poll.step, poll.question);
	words = class_question(&lesson, poll.lesson, poll.step, poll.question);
	if (*words)
		printf("  %s\n", words);
	free(words);
	lesson_free(lesson);
	for (int i = 0; i < poll.answer_count; i++)
		most = MAX(most, poll.answers[i].count);
	for (int i = 0; i < poll.answer_count; i++) {
		const char *text = poll.answers[i].text;
		char *clean = text_clean(*text ? text : _("(shown)"),
					 strlen(*text ? text : _("(shown)")),
					 0);

		printf("  %-12s %3d %s ", clean, poll.answers[i].count,
		       poll.answers[i].right ? "+" : " ");
		for (int k = 0; k < poll.answers[i].count * BAR / most; k++)
			putchar('#');
		putchar('\n');
		free(clean);
	}
}

/* Prints how far the class is with the rungs of gemmviz practice. */
static void print_rungs(const struct class_room *room)
{
	struct class_rungs rungs;

	class_rungs_read(room, &rungs);
	if (rungs.count)
		printf(_("\npractice: passed, at it, stuck\n"));
	for (size_t i = 0; i < rungs.count; i++) {
		const struct class_rung *r = &rungs.list[i];

		printf("  %3d %-16s %3d %3d %3d", r->place, r->name,
		       r->passed, r->at, r->stuck);
		if (r->stuck)
			printf(_("  at %s"), text_show(r->stage));
		putchar('\n');
	}
	class_rungs_done(&rungs);
}

static int show_plain(const struct class_wish *w)
{
	struct class_room room;
	struct error e;

	if (class_read(&room, w->folder, w->name, &e))
		return command_failed(&e);
	if (w->csv) {
		print_csv(w, &room);
	} else {
		printf(ngettext("%s: %zu person\n", "%s: %zu people\n",
				room.person_count), w->name,
		       room.person_count);
		print_class_steps(w, &room);
		print_poll(&room);
		print_rungs(&room);
	}
	if (room.damaged)
		fprintf(stderr,
			_("gemmviz class: %d unreadable lines and files "
			  "were skipped\n"),
			room.damaged);
	if (room.unread)
		fprintf(stderr,
			_("gemmviz class: %d files were skipped: the "
			  "class is larger than the limit\n"),
			room.unread);
	class_room_done(&room);
	return command_flush(EXIT_DONE);
}

static int show(const struct class_wish *w)
{
	const struct class_task task = { .folder = w->folder,
					 .name = w->name };
	struct class_link link;
	struct reader r;
	struct error e;
	int status;

	if (w->csv || w->screen.plain)
		return show_plain(w);
	if (class_link_open(&link, &task, &e))
		return command_failed(&e);
	reader_init(&r, &w->screen.reader);
	r.link = &link;
	reader_open_room(&r, w->name, w->names);
	status = ui_run(&r, &w->screen.ui);
	reader_done(&r);
	class_link_close(&link);
	return status;
}

/* ---- the command ---- */

static const struct verb {
	const char *name;
	int (*run)(const struct class_wish *w);
} verbs[] = {
	{ "start", start }, { "show", show }, { "send", send_log },
	{ "collect", collect },
};

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < LENGTH(verbs); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

static int class(const struct command *c, int argc, char **argv)
{
	struct class_wish w = { .screen.reader.lang = lang_name(),
				.folder = class_folder() };
	const struct verb *verb;
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(&w.screen, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0) {
		if (screen_option_is(id) &&
		    screen_option(&w.screen, id, o.value, &e))
			return command_failed(&e);
		w.names |= id == OPT_NAMES;
		w.csv |= id == OPT_CSV;
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (w.screen.class_folder)
		w.folder = w.screen.class_folder;
	if (argc - optind != 2)
		return command_usage("class", "give start, show, send or "
				     "collect, and the name of the class");
	verb = find_verb(argv[optind]);
	if (!verb)
		return command_usage("class", "'%s' is not start, show, send "
				     "or collect", text_show(argv[optind]));
	w.name = argv[optind + 1];
	if (!class_name_valid(w.name))
		return command_usage("class", "'%s' cannot name a class: "
				     "letters, digits, - and _",
				     text_show(w.name));
	return verb->run(&w);
}

static const struct option_def class_options[] = {
	{ "class-folder", OPT_CLASS_FOLDER, "FOLDER",
	  N_("folder of the classes (default: $GEMMVIZ_CLASS_FOLDER, else "
	     "/var/tmp/gemmviz-class)") },
	{ "names", OPT_NAMES, NULL, N_("show: print the participants' names") },
	{ "csv", OPT_CSV, NULL, N_("show: print all answers as a table") },
	{0}
};

const struct command command_class = {
	.name = "class",
	.arguments = "start NAME [OPTIONS]\nshow NAME [OPTIONS]\n"
		     "send NAME\ncollect NAME [OPTIONS]",
	.summary = N_("run a class: see where its participants are and what "
		      "they answer"),
	.about = N_("A class is a folder that all participants can reach. "
		    "Those who open lessons with --class NAME record there, "
		    "under a pseudonym, the step they are at and the answers "
		    "they give. gemmviz class show counts the participants at "
		    "each step, and the answers to the latest question. "
		    "Participants who cannot reach the folder send their "
		    "answers through another program: gemmviz class send NAME "
		    "| ssh HOST gemmviz class collect NAME."),
	.examples = "start monday\nshow monday\nshow monday --csv",
	.options = { class_options, screen_options },
	.run = class,
};
