/* document_man: a command's manual page, in man(7). */
#include <config.h>

#include "cli/document.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Writes text with roff's special characters escaped. */
static void put_roff_text(const char *text, size_t n)
{
	bool first = true;

	for (; n; n--, text++) {
		if (first && strchr(".'", *text))
			fputs("\\&", stdout);
		first = *text == '\n';
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\'')
			fputs("\\(aq", stdout);
		else
			putchar(*text);
	}
}

static void put_roff_line(const char *text)
{
	put_roff_text(text, strlen(text));
	putchar('\n');
}

/* Writes a synopsis: literal words are bold, names in capitals italic. */
static void put_synopsis(const char *words, size_t n)
{
	const char *font = "";

	for (size_t i = 0; i < n; i++) {
		bool inside = !strcmp(font, "\\fI");
		const char *next = strchr(" []|", words[i]) ? "\\fR" :
			inside || isupper((unsigned char)words[i]) ? "\\fI" :
			"\\fB";

		if (strcmp(next, font))
			fputs(next, stdout);
		font = next;
		put_roff_text(words + i, 1);
	}
	fputs("\\fR", stdout);
}

static void put_calls(const struct command *c)
{
	const char *line = c->arguments;

	for (;;) {
		size_t n = strcspn(line, "\n");

		printf("\\fBgemmviz%s%s\\fR ", *c->name ? " " : "", c->name);
		put_synopsis(line, n);
		putchar('\n');
		line += n;
		if (!*line++)
			return;
		printf(".br\n");
	}
}

/* Writes an option, or a heading without its colon. */
static void put_option(const struct option_def *d)
{
	if (d->id == OPTION_GROUP) {
		printf(".SS \"%c", toupper((unsigned char)*d->help));
		put_roff_text(d->help + 1, strlen(d->help) - 2);
		printf("\"\n");
		return;
	}
	printf(".TP\n");
	if (d->id < OPTION_JSON)
		printf("\\fB\\-%c\\fR%s", d->id, d->name ? ", " : "");
	if (d->name) {
		printf("\\fB");
		put_roff_text("--", 2);
		put_roff_text(d->name, strlen(d->name));
		printf("\\fR");
	}
	if (d->argument) {
		printf(" \\fI");
		put_roff_text(d->argument, strlen(d->argument));
		printf("\\fR");
	}
	putchar('\n');
	put_roff_line(d->help);
}

static void put_options(const struct command *c)
{
	printf(".SH OPTIONS\n");
	command_list_options(c, put_option);
	if (c->recording)
		printf(".PP\n"
		       "Recording options: see\n"
		       ".BR gemmviz\\-record (1).\n");
}

static void put_commands(void)
{
	printf(".SH COMMANDS\n");
	for (size_t i = 0; i < command_count; i++) {
		printf(".TP\n\\fBgemmviz\\-%s\\fR(1)\n", commands[i]->name);
		put_roff_line(commands[i]->summary);
	}
}

/* Writes what --help prints below the options, unchanged. */
static void put_more(const struct command *c)
{
	if (!*c->name) {
		put_commands();
	} else if (c->more) {
		printf(".PP\n.in 0\n.nf\n");
		c->more();
		printf(".fi\n.in\n");
	}
}

/* Writes at most `most` of a command's examples. */
static void put_some(const struct command *c, int most)
{
	const char *line = c->examples;

	do {
		size_t n = strcspn(line, "\n");

		printf("gemmviz%s%s%s", *c->name ? " " : "", c->name,
		       n ? " " : "");
		put_roff_text(line, n);
		putchar('\n');
		line += n;
	} while (*line++ && --most);
}

static void put_examples(const struct command *c)
{
	printf(".SH EXAMPLES\n.nf\n");
	put_some(c, -1);
	for (size_t i = 0; i < command_count && !*c->name; i++)
		put_some(commands[i], 1);
	printf(".fi\n");
}

static void put_see_also(const struct command *c)
{
	if (*c->name) {
		printf(".SH EXIT STATUS\n"
		       "As in\n"
		       ".BR gemmviz (1).\n"
		       ".SH SEE ALSO\n"
		       ".BR gemmviz (1)%s\n",
		       c->recording ? ",\n.BR gemmviz\\-record (1)" : "");
		return;
	}
	printf(".SH SEE ALSO\n");
	for (size_t i = 0; i < command_count; i++)
		printf("%s.BR gemmviz\\-%s (1)", i ? ",\n" : "",
		       commands[i]->name);
	printf(",\n.BR gemmviz\\-course (1)\n");
}

void document_manual(const struct command *c, const char *prose)
{
	const char *sections = strstr(prose, ".SH ");

	if (!sections)
		sections = prose + strlen(prose);
	printf("'\\\" t\n.TH GEMMVIZ%s", *c->name ? "\\-" : "");
	for (const char *p = c->name; *p; p++)
		putchar(toupper((unsigned char)*p));
	printf(" 1 \"\" \"gemmviz %s\" \"User Commands\"\n.SH NAME\n"
	       "gemmviz%s%s \\- ", PACKAGE_VERSION, *c->name ? "\\-" : "",
	       c->name);
	put_roff_line(*c->name ? c->summary :
				 "see how a GPU multiplies matrices");
	printf(".SH SYNOPSIS\n");
	put_calls(c);
	printf(".SH DESCRIPTION\n");
	put_roff_line(c->about ? c->about : c->summary);
	printf("%.*s", (int)(sections - prose), prose);
	put_more(c);
	put_options(c);
	fputs(sections, stdout);
	put_examples(c);
	put_see_also(c);
}
