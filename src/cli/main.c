/* gemmviz: finds the command, and sets the language. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/commands.h"
#include "cli/config.h"
#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "timing/benchmark.h"

/* Wrong lines of the settings that are named. */
#define WARNINGS_MOST 5

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

/* Prints a warning for each wrong line of the settings. */
static void warn_settings(const struct config *s)
{
	for (size_t i = 0; i < MIN(s->ignored_count, WARNINGS_MOST); i++)
		fprintf(stderr, _("gemmviz: ignored in the settings: %s\n"),
			s->ignored[i].text);
	if (s->ignored_count > WARNINGS_MOST)
		fprintf(stderr, _("gemmviz: ignored in the settings: %zu more "
				  "lines\n"),
			s->ignored_count - WARNINGS_MOST);
}

/* Runs a command. It fails if the settings cannot be read, except for doctor,
 * which explains that, as it does wrong lines. */
static int run_command(const struct command *c, int argc, char **argv)
{
	if (c == &command_doctor)
		return c->run(c, argc, argv);
	if (config()->bad)
		return command_failed(&config()->error);
	warn_settings(config());
	return c->run(c, argc, argv);
}

int main(int argc, char **argv)
{
	const struct command *c;

	process_prepare();
	/* A lack of memory is no damaged file. */
	json_set_alloc_funcs(xmalloc, free);
	lang_init(find_language(argc, argv));
	benchmark_prefer_gpu(find_gpu());
	opterr = 0;
	if (argc < 2 || argv[1][0] == '-')
		return run_command(&command_lesson, argc, argv);
	c = command_find(argv[1]);
	return c ? run_command(c, argc - 1, argv + 1) :
		   command_unknown(argv[1]);
}
