/* launch_runner: a recorder's command as an argument vector. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/launch_options.h"

char **launch_runner(const char *command, struct error *e)
{
	size_t capacity = 0, n = 0;
	char **argv = NULL;
	const char *p = command;

	for (;;) {
		struct str word = {0};
		char quote = 0;

		p += strspn(p, " \t");
		if (!*p)
			break;
		for (; *p && (quote || !strchr(" \t", *p)); p++) {
			if (quote ? *p == quote : *p == '\'' || *p == '"')
				quote = quote ? 0 : *p;
			else
				str_addc(&word, *p);
		}
		grow(&argv, &capacity, n + 2, sizeof(*argv));
		argv[n++] = str_take(&word);
		argv[n] = NULL;
		if (quote) {
			launch_runner_free(argv);
			error_set(e, EXIT_USAGE, "--runner: a quote is not "
				  "closed in '%s'", text_show(command));
			return NULL;
		}
	}
	if (!n)
		error_set(e, EXIT_USAGE, "--runner needs a command");
	return argv;
}

char **launch_runner_copy(char *const *argv)
{
	size_t n = 0;
	char **copy;

	while (argv && argv[n])
		n++;
	copy = argv ? xcalloc(n + 1, sizeof(*copy)) : NULL;
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(argv[i]);
	return copy;
}

void launch_runner_free(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}
