/*
 * gemmviz-document: makes manual pages and completions from the commands'
 * tables. It runs when the program is built, and is not installed.
 *
 *   gemmviz-document [--lang LL] man COMMAND|gemmviz [PROSE]
 *   gemmviz-document protocol PROSE
 *   gemmviz-document bash|zsh|fish
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "cli/document.h"

static const struct {
	const char *name;
	void (*print)(void);
} shells[] = {
	{ "bash", document_bash }, { "zsh", document_zsh },
	{ "fish", document_fish },
};

static const struct command *find_command(const char *name)
{
	if (!strcmp(name, "gemmviz"))
		return &command_lesson;
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	fatal("no command '%s'", name);
}

/* Returns the text of a page that is written by hand; heap. */
static char *read_prose(const char *file)
{
	struct error e;
	size_t len;
	char *prose = file ? file_read(file, 1 << 20, &len, &e) : xstrdup("");

	if (!prose)
		fatal("%s", e.text);
	return prose;
}

static void print_manual(const char *name, const char *file)
{
	char *prose = read_prose(file);

	document_manual(find_command(name), prose);
	free(prose);
}

static void print_protocol(const char *file)
{
	char *prose = read_prose(file);

	document_protocol(prose);
	free(prose);
}

int main(int argc, char **argv)
{
	const char *what;

	if (argc > 2 && !strcmp(argv[1], "--lang")) {
		setenv("LANGUAGE", argv[2], 1);
		lang_follow();
		argc -= 2;
		argv += 2;
	}
	what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "man") && argc > 2) {
		print_manual(argv[2], argc > 3 ? argv[3] : NULL);
		return command_flush(EXIT_DONE);
	}
	if (!strcmp(what, "protocol") && argc > 2) {
		print_protocol(argv[2]);
		return command_flush(EXIT_DONE);
	}
	for (size_t i = 0; i < LENGTH(shells); i++)
		if (!strcmp(what, shells[i].name)) {
			shells[i].print();
			return command_flush(EXIT_DONE);
		}
	fatal("usage: gemmviz-document man COMMAND [PROSE] | protocol "
	      "PROSE | bash|zsh|fish");
}
