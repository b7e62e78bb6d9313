/* gemmviz: finds the command, and sets the language. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/config.h"
#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "timing/benchmark.h"

static int unknown_command(const char *name)
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

/* Returns the language of --lang, wherever it is on the command line, else of
 * the environment or the settings: it must be set before anything is
 * printed. */
static const char *find_language(int argc, char **argv)
{
	const char *own = getenv("GEMMVIZ_LANG");

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			break;
		if (!strncmp(argv[i], "--lang=", 7))
			return argv[i] + 7;
		if (!strcmp(argv[i], "--lang") && i + 1 < argc)
			return argv[i + 1];
	}
	return own && *own ? own : config()->lang;
}

/* Returns the GPU whose recorded times are shown, or NULL: any. */
static const char *find_gpu(void)
{
	const char *own = getenv("GEMMVIZ_GPU");

	return own && *own ? own : config()->gpu;
}

/* Runs a command. It fails if the settings are wrong, except for doctor, which
 * explains that. */
static int run_command(const struct command *c, int argc, char **argv)
{
	if (config()->bad && c != &command_doctor)
		return command_failed(&config()->error);
	return c->run(c, argc, argv);
}

int main(int argc, char **argv)
{
	process_prepare();
	lang_init(find_language(argc, argv));
	benchmark_prefer_gpu(find_gpu());
	opterr = 0;
	if (argc < 2 || argv[1][0] == '-')
		return run_command(&command_lesson, argc, argv);
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return run_command(commands[i], argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
