/* document_words: the arguments of a command, and the lists that complete
 * them. */
#include "cli/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "drill/drill.h"
#include "export/export.h"
#include "hardware/fragment.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "lesson/glossary.h"
#include "lesson/lesson.h"
#include "practice/rung.h"
#include "scene/beat.h"
#include "viz/frame_model.h"
#include "viz/theme.h"

static const char *lesson_word(size_t i)
{
	return lesson_names()[i];
}

static const char *theme_word(size_t i)
{
	return theme_names()[i];
}

static const char *format_word(size_t i)
{
	return exporters[i] ? exporters[i]->name : NULL;
}

static const char *beat_word(size_t i)
{
	return i < BEAT_COUNT ? beat_name((enum beat)i) : NULL;
}

static const char *program_word(size_t i)
{
	return i < own_program_count ? own_programs[i].name : NULL;
}

/* Returns the name of picture i; NULL: it is no picture (source and words). */
static const char *view_word(size_t i)
{
	return views[i]->pane == PANE_PICTURE ? views[i]->name : NULL;
}

static const char *problem_word(size_t i)
{
	return i < problem_count ? problems[i]->name :
	       i == problem_count ? "auto" : NULL;
}

static const char *topic_word(size_t i)
{
	return i < drill_topic_count ? drill_topics[i]->name : NULL;
}

static const char *shape_word(size_t i)
{
	static char name[32];

	return fragment_name(i, name) ? name : NULL;
}

static const char *operand_word(size_t i)
{
	static const char *const operands[] = { "A", "B", "C", "D" };

	return i < LENGTH(operands) ? operands[i] : NULL;
}

static const char *term_word(size_t i)
{
	static struct glossary *g;
	struct error e;

	if (!g)
		g = glossary_load("en", &e);
	if (!g)
		fatal("%s", e.text);
	return i < g->count ? g->terms[i].forms[0] : NULL;
}

static const char *rung_word(size_t i)
{
	static struct rung_track track;
	struct error e;

	if (!track.count && rung_track_load(&track, NULL, "en", &e) < 0)
		fatal("%s", e.text);
	return i < track.count ? track.rungs[i]->name : NULL;
}

static const char *command_word(size_t i)
{
	return i < command_count ? commands[i]->name : NULL;
}

const struct document_list document_lists[] = {
	{ "KERNEL", own_name }, { "LESSON", lesson_word },
	{ "THEME", theme_word }, { "LANG", lang_code },
	{ "FORMAT", format_word }, { "BEAT", beat_word },
	{ "VIEW", view_word }, { "PROGRAM", program_word },
	{ "PROBLEM", problem_word }, { "TOPIC", topic_word },
	{ "RUNG", rung_word },
	{ "SHAPE.TYPE", shape_word }, { "OPERAND", operand_word },
	{ "TERM", term_word }, { "SUBCOMMAND", command_word },
};
const size_t document_list_count = LENGTH(document_lists);

/* Returns whether a word of the synopsis, such as -D or --runner, is followed
 * by its argument. */
static bool takes_argument(const struct command *c, const char *word, size_t n)
{
	for (size_t i = 0; i < COMMAND_GROUPS; i++)
		for (const struct option_def *d = c->options[i];
		     d && d->help; d++)
			if (word[1] != '-' ? n == 2 && word[1] == d->id :
			    d->name && strlen(d->name) == n - 2 &&
			    !strncmp(word + 2, d->name, n - 2))
				return d->argument != NULL;
	return false;
}

/* Adds an alternative at a position. */
static void add_alternative(struct document_arguments *a, size_t at,
			    const char *word, size_t n)
{
	char *name = xstrndup(word, n), *old;

	if (at >= DOCUMENT_ARGUMENTS)
		fatal("too many arguments");
	old = a->at[at];
	if (!old) {
		a->at[at] = name;
	} else if (strstr(old, name)) {
		free(name);
	} else {
		a->at[at] = xasprintf("%s|%s", old, name);
		free(old);
		free(name);
	}
	a->count = MAX(a->count, at + 1);
}

/* Strips brackets, quotes and "..." from a word of the synopsis. Returns the
 * bytes that remain. */
static size_t strip_word(const char **word, size_t n, bool *repeated)
{
	while (n && strchr("['", **word))
		(*word)++, n--;
	while (n && strchr("]'", (*word)[n - 1]))
		n--;
	*repeated = n >= 3 && !strncmp(*word + n - 3, "...", 3);
	return *repeated ? n - 3 : n;
}

static void add_synopsis_line(const struct command *c,
			      struct document_arguments *a, const char *p,
			      const char *end)
{
	bool value = false, repeated;
	size_t at = 0;

	while (p < end) {
		const char *word = p;
		size_t n = *p == '\'' ? strcspn(p + 1, "'") + 2 :
					strcspn(p, " \n");

		p += n + (p[n] == ' ');
		n = strip_word(&word, n, &repeated);
		a->repeated |= repeated;
		if (!strncmp(word, "ARGUMENTS", 9))
			return;
		if (*word == '-')
			value = takes_argument(c, word, n);
		else if (value)
			value = false;
		else if (n && strncmp(word, "OPTIONS", 7))
			add_alternative(a, at++, word, n);
	}
}

void document_arguments(const struct command *c, struct document_arguments *a)
{
	const char *line = c->arguments;

	*a = (struct document_arguments){ .count = 0 };
	while (*line && *c->name) {
		size_t n = strcspn(line, "\n");

		add_synopsis_line(c, a, line, line + n);
		line += n + (line[n] == '\n');
	}
}

void document_arguments_done(struct document_arguments *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->at[i]);
}
