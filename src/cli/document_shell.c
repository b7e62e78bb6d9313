/* document_shell: shell completions, as functions with the commands' tables. */
#include "cli/document.h"

#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"

/* How a shell says which words belong to a name. */
struct syntax {
	const char *begin, *name, *value, *end_name, *end;
	const char *quote;	/* a quote inside quotes */
};

static const struct syntax sh = {
	"%s()\n{\n\tcase $1 in\n", "\t", ")\n\t\tprintf '%s\\n'", " ;;\n",
	"\tesac\n}\n\n", "'\\''",
};
static const struct syntax fish = {
	"function %s\n\tswitch $argv[1]\n", "\t\tcase ",
	"\n\t\t\tprintf '%s\\n'", "\n", "\tend\nend\n\n", "\\'",
};

/* Writes a word in quotes. */
static void put_quoted(const struct syntax *s, const char *word)
{
	putchar('\'');
	for (; *word; word++)
		if (*word == '\'')
			fputs(s->quote, stdout);
		else
			putchar(*word);
	putchar('\'');
}

static void put_quoted_word(const struct syntax *s, const char *word)
{
	putchar(' ');
	put_quoted(s, word);
}

static void begin(const struct syntax *s, const char *function)
{
	printf(s->begin, function);
}

static void name(const struct syntax *s, const char *word)
{
	fputs(s->name, stdout);
	put_quoted(s, word);
	fputs(s->value, stdout);
}

static void print_lists(const struct syntax *s, const char *function)
{
	begin(s, function);
	for (size_t i = 0; i < document_list_count; i++) {
		const struct document_list *l = &document_lists[i];
		const char *word;

		name(s, l->name);
		for (size_t k = 0; (word = l->word(k)); k++)
			put_quoted_word(s, word);
		fputs(s->end_name, stdout);
	}
	fputs(s->end, stdout);
}

/* Writes the macros of each kernel, with the values that are built in. */
static void print_macros(const struct syntax *s, const char *function)
{
	begin(s, function);
	for (size_t i = 0; i < kernel_count; i++) {
		if (!kernels[i].params[0].name)
			continue;
		name(s, kernels[i].name);
		for (size_t p = 0; p < kernel_params(&kernels[i]); p++) {
			const struct kernel_param *k = &kernels[i].params[p];

			for (size_t v = 0; v < LENGTH(k->values) &&
			     k->values[v]; v++)
				printf(" %s=%d", k->name, k->values[v]);
		}
		fputs(s->end_name, stdout);
	}
	fputs(s->end, stdout);
}

/* Calls a function for each option of a command. */
static void each_option(const struct command *c,
			void (*put)(const struct command *c,
				    const struct option_def *d))
{
	for (size_t i = 0; i <= COMMAND_GROUPS; i++) {
		const struct option_def *d = i < COMMAND_GROUPS ?
			c->options[i] : option_common;

		for (; d && d->help; d++)
			if (d->id != OPTION_GROUP)
				put(c, d);
	}
}

static void each_command(void (*put)(const struct command *c))
{
	put(&command_lesson);
	for (size_t i = 0; i < command_count; i++)
		put(commands[i]);
}

static bool has_letter(const struct option_def *d)
{
	return d->id < OPTION_JSON;
}

/* ---- bash ---- */

/* Writes an option, such as "--theme THEME", and its letter as another
 * option. */
static void bash_option(const struct command *c, const struct option_def *d)
{
	const char *argument = d->argument ? d->argument : "";

	(void)c;
	if (d->name)
		printf(" '--%s %s'", d->name, argument);
	if (has_letter(d))
		printf(" '-%c %s'", d->id, argument);
}

static void bash_options(const struct command *c)
{
	name(&sh, c->name);
	each_option(c, bash_option);
	fputs(sh.end_name, stdout);
}

static void bash_arguments(const struct command *c)
{
	struct document_arguments a;

	document_arguments(c, &a);
	if (a.count) {
		name(&sh, c->name);
		for (size_t i = 0; i < a.count; i++)
			put_quoted_word(&sh, a.at[i]);
		fputs(a.repeated ? " ..." : "", stdout);
		fputs(sh.end_name, stdout);
	}
	document_arguments_done(&a);
}

void document_bash(void)
{
	printf("# What gemmviz takes, from its tables.\n\n"
	       "_gemmviz_commands()\n{\n\tprintf '%%s\\n'");
	for (size_t i = 0; i < command_count; i++)
		printf(" %s", commands[i]->name);
	printf("\n}\n\n");
	begin(&sh, "_gemmviz_options");
	each_command(bash_options);
	fputs(sh.end, stdout);
	begin(&sh, "_gemmviz_arguments");
	each_command(bash_arguments);
	fputs(sh.end, stdout);
	print_lists(&sh, "_gemmviz_list");
	print_macros(&sh, "_gemmviz_macros");
}

/* ---- zsh ---- */

/* Writes words with the special characters of _arguments escaped, for use in
 * brackets or before a colon. */
static void zsh_words(const char *words)
{
	for (; *words; words++) {
		if (strchr("[]:\\", *words))
			putchar('\\');
		if (*words == '\'')
			fputs(sh.quote, stdout);
		else
			putchar(*words);
	}
}

static void zsh_action(const char *argument)
{
	putchar(':');
	zsh_words(argument);
	printf(": _gemmviz_complete \"%s\"", argument);
}

static void zsh_option_as(const char *dashes, const char *as,
			  const struct option_def *d)
{
	printf("\n\t\t\t'%s%s%s[", d->argument ? "*" : "", dashes, as);
	zsh_words(d->help);
	putchar(']');
	if (d->argument)
		zsh_action(d->argument);
	putchar('\'');
}

static void zsh_option(const struct command *c, const struct option_def *d)
{
	char letter[2] = { (char)d->id, '\0' };

	(void)c;
	if (d->name)
		zsh_option_as("--", d->name, d);
	if (has_letter(d))
		zsh_option_as("-", letter, d);
}

static void zsh_command(const struct command *c)
{
	struct document_arguments a;

	document_arguments(c, &a);
	printf("\t'%s')\n\t\tspecs=(", c->name);
	each_option(c, zsh_option);
	for (size_t i = 0; i < a.count; i++) {
		printf("\n\t\t\t'");
		if (a.repeated && i + 1 == a.count)
			putchar('*');
		else
			printf("%zu", i + 1);
		zsh_action(a.at[i]);
		putchar('\'');
	}
	printf("\n\t\t) ;;\n");
	document_arguments_done(&a);
}

void document_zsh(void)
{
	printf("#compdef gemmviz\n# What gemmviz takes, from its tables.\n\n"
	       "_gemmviz_commands()\n{\n\tcommands=(");
	for (size_t i = 0; i < command_count; i++) {
		printf("\n\t\t'%s:", commands[i]->name);
		zsh_words(commands[i]->summary);
		putchar('\'');
	}
	printf("\n\t)\n}\n\n_gemmviz_specs()\n{\n\tcase $1 in\n");
	each_command(zsh_command);
	printf("\tesac\n}\n\n");
	print_lists(&sh, "_gemmviz_list");
	print_macros(&sh, "_gemmviz_macros");
}

/* ---- fish ---- */

static void fish_line(const char *command)
{
	printf("complete -c gemmviz -n '__gemmviz_is %s'",
	       *command ? command : "\"\"");
}

static void fish_action(const char *argument)
{
	printf(" -a '(__gemmviz_complete \"%s\")'", argument);
}

static void fish_option(const struct command *c, const struct option_def *d)
{
	fish_line(c->name);
	if (has_letter(d))
		printf(" -s %c", d->id);
	if (d->name)
		printf(" -l %s", d->name);
	if (d->argument) {
		printf(" -x");
		fish_action(d->argument);
	}
	printf(" -d");
	put_quoted_word(&fish, d->help);
	putchar('\n');
}

static void fish_command(const struct command *c)
{
	struct document_arguments a;

	if (*c->name) {
		fish_line("");
		printf(" -a %s -d", c->name);
		put_quoted_word(&fish, c->summary);
		putchar('\n');
	}
	each_option(c, fish_option);
	document_arguments(c, &a);
	for (size_t i = 0; i < a.count; i++) {
		fish_line(c->name);
		fish_action(a.at[i]);
		putchar('\n');
	}
	document_arguments_done(&a);
}

void document_fish(void)
{
	printf("# What gemmviz takes, from its tables.\n\n");
	print_lists(&fish, "__gemmviz_list");
	print_macros(&fish, "__gemmviz_macros");
	printf("complete -c gemmviz -f\n");
	each_command(fish_command);
}
