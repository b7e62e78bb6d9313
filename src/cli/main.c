/* gemmviz: options, commands, and how an error is said. */
#include <config.h>

#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "base/text.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *args, *about;
} commands[] = {
	{ "list", cmd_list, "", N_("lessons and kernels, a line each") },
	{ "record", cmd_record, "KERNEL|FILE.cu -o F.gvt",
	  N_("record a launch as a trace") },
	{ "view", cmd_view, "KERNEL|FILE.cu|F.gvt",
	  N_("step through a trace") },
	{ "report", cmd_report, "KERNEL|FILE.cu|F.gvt",
	  N_("what accesses cost, and what is wrong") },
	{ "provenance", cmd_provenance, "KERNEL|FILE.cu|F.gvt I,J",
	  N_("what an element of C was made of") },
	{ "dump", cmd_dump, "F.gvt", N_("a trace as text, and back") },
	{ "time", cmd_time, "[KERNEL ...]",
	  N_("real kernels on the GPU, beside cuBLAS") },
	{ "race", cmd_race, "[KERNEL ...]",
	  N_("the same as a moving picture, live or recorded") },
	{ "access", cmd_access, "SPACE BYTES 'EXPR of lane'",
	  N_("what one warp's access costs") },
	{ "occupancy", cmd_occupancy, "--arch sm_90 --threads T",
	  N_("blocks an SM holds, and what limits them") },
	{ "table", cmd_table, "tile-size --arch sm_90",
	  N_("what the size of a tile does") },
	{ "fragment", cmd_fragment, "SHAPE.TYPE OPERAND",
	  N_("which lane holds which element") },
};

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
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, " (gemmviz%s%s --help)\n", *command ? " " : "",
		command);
	return EXIT_USAGE;
}

int command_flush(int status)
{
	if (!ferror(stdout) && !fflush(stdout))
		return status;
	fprintf(stderr, "gemmviz: cannot write the output: %m\n");
	return EXIT_OUTPUT;
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

int command_option(const char *command, char **argv,
		   const struct option *options)
{
	const char *bad = argv[optind - 1], *name = bad, *near;
	const char *names[64];
	size_t n = 0, len;
	char *word;

	if (optopt && strncmp(bad, "--", 2))
		return command_usage(command, options ?
				     "unknown option, or no value for it: -%c" :
				     "unknown option: -%c", optopt);
	name += strspn(name, "-");
	len = strcspn(name, "=");
	word = xstrndup(name, len);
	for (; options && options[n].name && n < LENGTH(names); n++)
		names[n] = options[n].name;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], word)) {
			free(word);
			return command_usage(command, options[i].has_arg ?
					     "--%s wants a value" :
					     "--%s takes no value", names[i]);
		}
	near = nearest_name(word, names, n);
	free(word);
	if (near)
		return command_usage(command, "unknown option %s; did you "
				     "mean --%s?", text_show(bad), near);
	return command_usage(command, "unknown option %s", text_show(bad));
}

static int usage(void)
{
	printf(_("usage: gemmviz [OPTIONS]              the list of lessons\n"
		 "       gemmviz --lesson NAME [OPTIONS]  a lesson\n"
		 "       gemmviz COMMAND [ARGUMENTS]      "
		 "(COMMAND --help says more)\n\n"));
	for (size_t i = 0; i < LENGTH(commands); i++)
		printf("  %-10s %-26s %s\n", commands[i].name,
		       commands[i].args, _(commands[i].about));
	printf(_("\noptions:\n"
		 "  --lesson NAME     open a lesson (gemmviz list names them)\n"
		 "  --lang en|zh      language (else GEMMVIZ_LANG, LANG)\n"
		 "  --theme NAME      dark, light or mono\n"
		 "  --plain           all as sentences, without a screen\n"
		 "  --presenter       large pictures for a projector\n"
		 "  --ascii           only ASCII characters\n"
		 "  --no-mouse        leave the mouse to the terminal\n"
		 "  --on cpu|gpu      where to record\n"
		 "  --runner COMMAND  start this as the recorder\n"
		 "  --version, --help\n"));
	return command_flush(EXIT_DONE);
}

static int unknown_command(const char *name)
{
	const char *names[LENGTH(commands)], *near;

	for (size_t i = 0; i < LENGTH(commands); i++)
		names[i] = commands[i].name;
	near = nearest_name(name, names, LENGTH(names));
	if (near)
		return command_usage("", "no command '%s'; did you mean %s?",
				     text_show(name), near);
	return command_usage("", "no command '%s'", text_show(name));
}

/* --lang wherever it stands: the language is set before anything is said. */
static const char *wanted_language(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			break;
		if (!strncmp(argv[i], "--lang=", 7))
			return argv[i] + 7;
		if (!strcmp(argv[i], "--lang") && i + 1 < argc)
			return argv[i + 1];
	}
	return NULL;
}

int main(int argc, char **argv)
{
	lang_init(wanted_language(argc, argv));
	opterr = 0;
	/* A reader that went away is output that cannot be written. */
	signal(SIGPIPE, SIG_IGN);
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage();
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("gemmviz %s\n", PACKAGE_VERSION);
		return command_flush(EXIT_DONE);
	}
	if (argc < 2 || argv[1][0] == '-')
		return cmd_lesson(argc, argv);
	for (size_t i = 0; i < LENGTH(commands); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
