#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"

const struct command *const commands[] = {
#define COMMAND_ENTRY(name) &command_##name,
	COMMANDS(COMMAND_ENTRY)
};
const size_t command_count = LENGTH(commands);

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(name, commands[i]->name))
			return commands[i];
	return NULL;
}

int command_unknown(const char *name)
{
	const char **names = xcalloc(command_count, sizeof(*names)), *near;

	for (size_t i = 0; i < command_count; i++)
		names[i] = commands[i]->name;
	near = nearest_name(name, names, command_count);
	free(names);
	if (near)
		return command_usage("", "no command '%s'; did you mean %s?",
				     text_show(name), near);
	return command_usage("", "no command '%s'", text_show(name));
}

void commands_print(void)
{
	printf("\n%s\n", _("commands (gemmviz COMMAND --help describes one):"));
	for (size_t i = 0; i < command_count; i++) {
		printf("  %-12s", commands[i]->name);
		command_print_words(_(commands[i]->summary), 14);
	}
}
