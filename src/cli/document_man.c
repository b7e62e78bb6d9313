/* document_man: a command's manual page, in man(7). */
#include <config.h>

#include "cli/document.h"

#include "base/lang.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Returns the bytes of the character at s that is no ASCII; 0: it is ASCII. */
static size_t wide_bytes(const char *s)
{
	size_t n = (unsigned char)*s >= 0x80;

	while (n && ((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* Tests whether no line begins with this character: a closing mark. */
static bool is_closing_mark(const char *s)
{
	static const char *const marks[] = {
		"\uff0c", "\u3002", "\uff1b", "\uff1a", "\uff1f", "\uff01",
		"\u3001", "\uff09", "\u201d", "\u2026",
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (!strncmp(s, marks[i], strlen(marks[i])))
			return true;
	return false;
}

/* Writes the character that is no ASCII at s, and that a line may end after it,
 * as in Chinese. Returns its bytes. */
static size_t put_wide(const char *s)
{
	size_t n = wide_bytes(s);
	bool opens = !strncmp(s, "\uff08", n) || !strncmp(s, "\u201c", n);

	fwrite(s, 1, n, stdout);
	if (!opens && s[n] && !strchr(" \n", s[n]) && !is_closing_mark(s + n))
		fputs("\\:", stdout);
	return n;
}

/* Writes roff text as it is, with places to break lines of Chinese, of which two
 * are joined without a space. */
static void put_roff_prose(const char *text, size_t n)
{
	const char *end = text + n;
	bool macro = *text == '.';

	while (text < end) {
		if (wide_bytes(text)) {
			text += put_wide(text);
			if (!macro && *text == '\n' && wide_bytes(text + 1))
				fputs("\\c", stdout);
			continue;
		}
		if (*text == '\n')
			macro = text[1] == '.';
		putchar(*text++);
	}
}

/* Writes text with roff's special characters escaped. */
static void put_roff_text(const char *text, size_t n)
{
	bool first = true;

	for (; n; n--, text++) {
		if (first && strchr(".'", *text))
			fputs("\\&", stdout);
		first = *text == '\n';
		if (wide_bytes(text)) {
			size_t bytes = put_wide(text);

			text += bytes - 1;
			n -= bytes - 1;
		} else if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\'')
			fputs("\\(aq", stdout);
		else
			putchar(*text);
	}
}

/* Writes a section's heading. */
static void put_section(const char *title)
{
	printf(".SH \"%s\"\n", _(title));
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
		const char *help = _(d->help);
		size_t colon = help == d->help ? 1 : strlen("\uff1a");

		printf(".SS \"%c", toupper((unsigned char)*help));
		put_roff_text(help + 1, strlen(help) - 1 - colon);
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
	put_roff_line(_(d->help));
}

static void put_options(const struct command *c)
{
	put_section(N_("OPTIONS"));
	command_list_options(c, put_option);
	if (c->recording)
		printf(_(".PP\nRecording options: see\n%s"),
		       ".BR gemmviz\\-record (1).\n");
}

static void put_commands(void)
{
	put_section(N_("COMMANDS"));
	for (size_t i = 0; i < command_count; i++) {
		printf(".TP\n\\fBgemmviz\\-%s\\fR(1)\n", commands[i]->name);
		put_roff_line(_(commands[i]->summary));
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
	put_section(N_("EXAMPLES"));
	printf(".nf\n");
	put_some(c, -1);
	for (size_t i = 0; i < command_count && !*c->name; i++)
		put_some(commands[i], 1);
	printf(".fi\n");
}

static void put_see_also(const struct command *c)
{
	if (*c->name) {
		put_section(N_("EXIT STATUS"));
		printf(_("As in\n%s"), ".BR gemmviz (1).\n");
		put_section(N_("SEE ALSO"));
		printf(".BR gemmviz (1)%s\n",
		       c->recording ? ",\n.BR gemmviz\\-record (1)" : "");
		return;
	}
	put_section(N_("SEE ALSO"));
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
	printf(" 1 \"\" \"gemmviz %s\" \"%s\"\n%s", PACKAGE_VERSION,
	       _("User Commands"), *lang_joint() ? "" : ".ad l\n");
	put_section(N_("NAME"));
	printf("gemmviz%s%s \\- ", *c->name ? "\\-" : "", c->name);
	put_roff_line(_(*c->name ? c->summary :
				   N_("see how a GPU multiplies matrices")));
	put_section(N_("SYNOPSIS"));
	put_calls(c);
	put_section(N_("DESCRIPTION"));
	put_roff_line(_(c->about ? c->about : c->summary));
	put_roff_prose(prose, (size_t)(sections - prose));
	put_more(c);
	put_options(c);
	put_roff_prose(sections, strlen(sections));
	put_examples(c);
	put_see_also(c);
}
