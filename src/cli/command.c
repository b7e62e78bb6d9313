#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"

/* Columns of --help, and where what an option does is said. */
#define COLUMNS 80
#define HELP_COLUMN 24

int command_failed(const struct error *e)
{
	fflush(stdout);
	fprintf(stderr, "gemmviz: %s\n", e->text);
	return e->status;
}

int command_usage(const char *command, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "gemmviz%s%s: ", *command ? " " : "", command);
	va_start(ap, fmt);
	vfprintf(stderr, _(fmt), ap);
	va_end(ap);
	fprintf(stderr, " (gemmviz%s%s --help)\n", *command ? " " : "",
		command);
	return EXIT_USAGE;
}

int command_flush(int status)
{
	struct error e;

	if (!ferror(stdout) && !fflush(stdout))
		return status;
	/* Where an earlier write failed, errno may be another's by now. */
	if (errno == EFBIG)
		error_resource(&e, errno, EXIT_OUTPUT,
			       "cannot write the output");
	else
		error_set(&e, EXIT_OUTPUT, "cannot write the output: %m");
	return command_failed(&e);
}

void command_json(json_t *j, FILE *out)
{
	json_dumpf(j, out, JSON_REAL_PRECISION(9) | JSON_COMPACT);
	putc('\n', out);
	json_decref(j);
}

void command_json_lines(json_t *array)
{
	size_t i;
	json_t *j;

	putchar('[');
	json_array_foreach(array, i, j) {
		printf("%s", i ? ",\n " : "");
		json_dumpf(j, stdout, JSON_REAL_PRECISION(9) | JSON_COMPACT);
	}
	printf("]\n");
	json_decref(array);
}

/* ---- options ---- */

const struct option_def option_json[] = {
	{ "json", OPTION_JSON, NULL, N_("print JSON") }, {0}
};

const struct option_def option_force[] = {
	{ "force", OPTION_FORCE, NULL, N_("overwrite an existing file") },
	{0}
};

const struct option_def option_common[] = {
	{ "lang", OPTION_LANG, "LANG",
	  N_("language of lessons and messages, such as en or zh") },
	{ "help", 'h', NULL, N_("print this help") },
	{0}
};

/* Reports the option that getopt did not take. Returns EXIT_USAGE. */
static int report_unknown_option(const char *command, char **argv,
				 const struct option *options)
{
	const char *bad = argv[optind - 1], *name = bad, *near;
	const char *names[64];
	size_t n = 0, len;
	char *word;

	if (optopt && strncmp(bad, "--", 2))
		return command_usage(command, "unknown option -%s, or its "
				     "value is missing", text_show(
				     (char[]){ (char)optopt, 0 }));
	name += strspn(name, "-");
	len = strcspn(name, "=");
	word = xstrndup(name, len);
	for (; options[n].name && n < LENGTH(names); n++)
		names[n] = options[n].name;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], word)) {
			free(word);
			return command_usage(command,
					     options[i].has_arg ?
						     N_("--%s needs a value") :
						     N_("--%s takes no value"),
					     names[i]);
		}
	near = nearest_name(word, names, n);
	free(word);
	if (near)
		return command_usage(command, "unknown option %s; did you "
				     "mean --%s?", text_show(bad), near);
	return command_usage(command, "unknown option %s", text_show(bad));
}

static void add_options(struct options *o, size_t *count,
			const struct option_def *d)
{
	char *letters = o->letters + strlen(o->letters);

	for (; d && d->help; d++) {
		if (d->id < OPTION_JSON)
			letters += sprintf(letters, "%c%s", d->id,
					   d->argument ? ":" : "");
		if (!d->name)
			continue;
		if (*count == OPTIONS_MOST)
			fatal("too many options");
		o->longs[(*count)++] = (struct option){
			d->name, d->argument ? required_argument : no_argument,
			NULL, d->id };
	}
}

/* Adds a dash to nvcc's options with one dash, -std=c++17 and -arch=sm_90. */
static void dash_add(char **word)
{
	static const char *const words[] = { "-std", "-arch" };
	static char *made[16];		/* stay, as other arguments do */
	static size_t count;

	for (size_t i = 0; i < LENGTH(words); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(*word, words[i], n) || count == LENGTH(made) ||
		    ((*word)[n] && (*word)[n] != '='))
			continue;
		made[count] = xasprintf("-%s", *word);
		*word = made[count++];
		break;
	}
}

void options_init(struct options *o, const struct command *c, int argc,
		  char **argv)
{
	size_t count = 0;

	*o = (struct options){ .command = c, .argc = argc, .argv = argv };
	/* Behind `gemmviz` alone a word is no argument but a mistake. */
	if (!*c->name || c->until_argument)
		strcpy(o->letters, "+");
	else if (c->in_order)
		strcpy(o->letters, "-");
	for (size_t i = 0; i < COMMAND_GROUPS; i++)
		add_options(o, &count, c->options[i]);
	add_options(o, &count, option_common);
	for (int i = 1; i < argc && !c->until_argument &&
	     strcmp(argv[i], "--") != 0; i++)
		dash_add(&argv[i]);
}

int options_next(struct options *o)
{
	const char *name = o->command->name;
	int id;

	do {
		if (o->command->until_argument && optind < o->argc)
			dash_add(&o->argv[optind]);
		id = getopt_long(o->argc, o->argv, o->letters, o->longs, NULL);
		o->value = optarg;
		if (id == OPTION_LANG && !lang_known(optarg)) {
			o->status = command_usage(name, "no language '%s' "
						  "(available: %s)",
						  text_show(optarg),
						  lang_list());
			return OPTIONS_STOP;
		}
	} while (id == OPTION_LANG);
	if (id != 'h' && id != '?')
		return id;
	o->status = id == '?' ? report_unknown_option(name, o->argv, o->longs) :
				command_print_help(o->command);
	return OPTIONS_STOP;
}

int command_options(const struct command *c, int argc, char **argv,
		    int (*take)(void *own, int id, const char *value,
				struct error *e), void *own)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0)
		if (take(own, id, o.value, &e))
			return command_failed(&e);
	return id == OPTIONS_STOP ? o.status : -1;
}

/* ---- --help ---- */

/* Returns where a line of at most n bytes ends: at a space, or at a character
 * of a script without spaces. */
static size_t find_line_end(const char *words, size_t n)
{
	static const char *const closing[] = {
		"，", "。", "；", "：", "、", "）", "”",
	};
	size_t at = n;

	for (; at && words[at] != ' '; at--) {
		bool closes = (unsigned char)words[at] < 0xe0;

		for (size_t i = 0; i < LENGTH(closing); i++)
			closes |= !strncmp(words + at, closing[i], 3);
		if (!closes)
			break;
	}
	return at ? at : n;
}

void command_print_words(const char *words, int column)
{
	while (*words) {
		size_t line = strcspn(words, "\n");
		size_t n = text_fit(words, COLUMNS - 1 - column, NULL);

		n = n >= line ? line : words[n] ? find_line_end(words, n) : n;
		printf("%.*s\n", (int)n, words);
		words += n;
		words += *words == ' ' || *words == '\n';
		if (*words && *words != '\n')
			printf("%*s", column, "");
	}
}

/* Returns an option as in --help, "  -o, --output F.gvt"; the caller frees
 * it. */
static char *format_option(const struct option_def *d)
{
	bool letter = d->id < OPTION_JSON;
	struct str s = { 0 };

	str_add(&s, "  ");
	if (letter)
		str_addf(&s, "-%c%s", d->id, d->name ? ", " : "");
	if (d->name)
		str_addf(&s, "--%s", d->name);
	if (d->argument)
		str_addf(&s, " %s", d->argument);
	return str_take(&s);
}

/* Returns whether a list of words, such as "D block", names an option. */
static bool names_option(const char *words, const struct option_def *d)
{
	const char letter[2] = { (char)d->id, 0 };
	const char *name = d->name ? d->name : letter;
	size_t length = strlen(name);

	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == length && !strncmp(words, name, n))
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

static bool is_recording_table(const struct option_def *d)
{
	return d && d->id == OPTION_GROUP;
}

/* Lists the options that stand under no heading: all but recording options, and
 * those of them that the command names. */
static void list_main_options(const struct command *c,
			      void (*list)(const struct option_def *d))
{
	for (size_t i = 0; i < COMMAND_GROUPS; i++) {
		const struct option_def *d = c->options[i];
		bool recording = is_recording_table(d);

		for (; d && d->help; d++)
			if (!recording ||
			    (c->recording && names_option(c->recording, d)))
				list(d);
	}
	for (const struct option_def *d = option_common; d->help; d++)
		list(d);
}

void command_list_options(const struct command *c,
			  void (*list)(const struct option_def *d))
{
	list_main_options(c, list);
	for (size_t i = 0; i < COMMAND_GROUPS && !c->recording; i++) {
		const struct option_def *d = c->options[i];

		if (is_recording_table(d))
			for (; d->help; d++)
				list(d);
	}
}

static void print_option(const struct option_def *d)
{
	char *words;
	int width;

	if (d->id == OPTION_GROUP) {
		printf("\n%s\n", _(d->help));
		return;
	}
	words = format_option(d);
	width = text_width(words);
	printf("%s", words);
	if (width + 2 > HELP_COLUMN)
		putchar('\n');
	printf("%*s", width + 2 > HELP_COLUMN ? HELP_COLUMN :
		      HELP_COLUMN - width, "");
	command_print_words(_(d->help), HELP_COLUMN);
	free(words);
}

/* Prints each line after a word and the command's name. */
static void print_lines(const char *lines, const char *first,
			const char *others, const char *name)
{
	for (const char *before = first; *lines; before = others) {
		size_t n = strcspn(lines, "\n");

		printf("%sgemmviz%s%s%s%.*s\n", before, *name ? " " : "", name,
		       n ? " " : "", (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

int command_print_help(const struct command *c)
{
	printf("%s", _("usage: "));
	print_lines(c->arguments, "", "       ", c->name);
	putchar('\n');
	command_print_words(_(c->about ? c->about : c->summary), 0);
	if (c->more)
		c->more();
	printf("\n%s\n", _("options:"));
	command_list_options(c, print_option);
	if (c->recording)
		printf("\n"
		       "%s\n", _("Recording options: see gemmviz record --help "
				 "or gemmviz-record(1)."));
	printf("\n%s\n", _("examples:"));
	print_lines(c->examples, "  ", "  ", c->name);
	return command_flush(EXIT_DONE);
}
