#include "cli/commands.h"

#include <stdio.h>

#include "base/lang.h"

const struct command *const commands[] = {
#define COMMAND_ENTRY(name) &command_##name,
	COMMANDS(COMMAND_ENTRY)
};
const size_t command_count = LENGTH(commands);

void commands_print(void)
{
	printf("\n%s\n", _("commands (gemmviz COMMAND --help describes one):"));
	for (size_t i = 0; i < command_count; i++) {
		printf("  %-12s", commands[i]->name);
		command_print_words(_(commands[i]->summary), 14);
	}
}
