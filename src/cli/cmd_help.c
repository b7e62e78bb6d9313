/* gemmviz help: prints the help of a command. */
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "cli/commands.h"

static int run(const struct command *c, int argc, char **argv)
{
	struct options o;

	options_init(&o, c, argc, argv);
	if (options_next(&o) == OPTIONS_STOP)
		return o.status;
	if (argc > optind + 1)
		return command_usage(c->name, "%s", _("give one command"));
	if (argc == optind)
		return command_print_help(&command_lesson);
	c = command_find(argv[optind]);
	return c ? command_print_help(c) : command_unknown(argv[optind]);
}

const struct command command_help = {
	.name = "help",
	.arguments = "[SUBCOMMAND]",
	.summary = N_("describe a command"),
	.about = N_("Prints what SUBCOMMAND --help prints; without one, all "
		    "commands."),
	.examples = "report",
	.run = run,
};
