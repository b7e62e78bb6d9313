/* gemmviz list: lessons and kernels, a line each. */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "kernels/kernels.h"
#include "base/lang.h"
#include "lesson/lesson.h"

enum { OPT_JSON = 1, OPT_LANG, OPT_HELP };

static void print_json(void)
{
	json_t *all = json_object(), *lessons = json_array();
	json_t *list = json_array();

	for (const char *const *n = lesson_names(); *n; n++) {
		struct lesson *l = lesson_load(*n, lang_name(), NULL);

		json_array_append_new(lessons, json_pack(
			"{s:s, s:s}", "name", *n, "title",
			l ? l->title : *n));
		lesson_free(l);
	}
	for (size_t i = 0; i < kernel_count; i++)
		json_array_append_new(list, json_pack(
			"{s:s, s:s, s:s*}", "name", kernels[i].name, "idea",
			_(kernels[i].idea), "museum",
			kernels[i].museum ? _(kernels[i].museum) : NULL));
	json_object_set_new(all, "lessons", lessons);
	json_object_set_new(all, "kernels", list);
	json_dumpf(all, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(all);
}

static void print_kernels(bool museum)
{
	for (size_t i = 0; i < kernel_count; i++)
		if (!kernels[i].museum == !museum)
			printf("  %-19s %s\n", kernels[i].name,
			       _(kernels[i].idea));
}

static void print_text(void)
{
	printf("%s\n", _("lessons (gemmviz --lesson NAME)"));
	for (const char *const *n = lesson_names(); *n; n++) {
		struct lesson *l = lesson_load(*n, lang_name(), NULL);

		printf("  %-19s %s\n", *n, l ? l->title : "");
		lesson_free(l);
	}
	printf("\n%s\n", _("kernels (gemmviz view NAME, report, record)"));
	print_kernels(false);
	printf("\n%s\n", _("museum of bugs: wrong kernels, to be looked at; "
			    "never raced"));
	print_kernels(true);
}

int cmd_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, OPT_JSON },
		{ "lang", required_argument, NULL, OPT_LANG },
		{ "help", no_argument, NULL, OPT_HELP }, {0}
	};
	bool json = false;
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (o == '?')
			return command_option("list", argv, options);
		if (o == OPT_HELP) {
			printf(_("usage: gemmviz list [--json] [--lang L]\n"));
			return command_flush(EXIT_DONE);
		}
		json |= o == OPT_JSON;
	}
	if (optind < argc)
		return command_usage("list", "takes no names");
	if (json)
		print_json();
	else
		print_text();
	return command_flush(EXIT_DONE);
}
