/* gemmviz glossary: explains terms. */
#include <config.h>

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "lesson/glossary.h"

static void print_term(const struct glossary_term *t)
{
	printf("%s", t->forms[0]);
	for (size_t i = 1; i < t->form_count; i++)
		printf("%s%s%s", i == 1 ? " (" : ", ", t->forms[i],
		       i + 1 == t->form_count ? ")" : "");
	printf("\n  %s\n", t->words);
}

static json_t *term_json(const struct glossary_term *t)
{
	json_t *forms = json_array();

	for (size_t i = 1; i < t->form_count; i++)
		json_array_append_new(forms, json_string(t->forms[i]));
	return json_pack("{s:s, s:o, s:s}", "term", t->forms[0], "forms",
			 forms, "words", t->words);
}

/* Prints the terms from `first` to before `end`, as text or JSON. */
static void print_terms(const struct glossary *g, size_t first, size_t end,
			bool json)
{
	json_t *all = json_array();

	for (size_t i = first; i < end; i++) {
		if (json)
			json_array_append_new(all, term_json(&g->terms[i]));
		else
			print_term(&g->terms[i]);
	}
	if (json)
		command_json_lines(all);
	else
		json_decref(all);
}

static int fail_unknown_term(const struct glossary *g, const char *term)
{
	const char **names = xcalloc(g->count + 1, sizeof(*names)), *near;
	struct error e;

	for (size_t i = 0; i < g->count; i++)
		names[i] = g->terms[i].forms[0];
	near = nearest_name(term, names, g->count);
	free(names);
	if (near)
		error_set(&e, EXIT_USAGE, "no term '%s'; did you mean '%s'?",
			  text_show(term), near);
	else
		error_set(&e, EXIT_USAGE, _("no term '%s'; gemmviz glossary "
					   "lists all"), text_show(term));
	return command_failed(&e);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct glossary *g;
	struct options o;
	bool json = false;
	struct error e;
	long at = 0;
	int id, status = EXIT_DONE;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0)
		json |= id == OPTION_JSON;
	if (id == OPTIONS_STOP)
		return o.status;
	if (argc - optind > 1)
		return command_usage("glossary", "give one term, in quotes if "
				     "it is several words");
	g = glossary_load(lang_name(), &e);
	if (!g)
		return command_failed(&e);
	if (optind < argc)
		at = glossary_find(g, argv[optind]);
	if (at < 0)
		status = fail_unknown_term(g, argv[optind]);
	else
		print_terms(g, (size_t)at,
			    optind < argc ? (size_t)at + 1 : g->count, json);
	glossary_free(g);
	return status ? status : command_flush(EXIT_DONE);
}

const struct command command_glossary = {
	.name = "glossary",
	.arguments = "[TERM] [--json]",
	.summary = N_("explain a term"),
	.about = N_("Explains one term of the course, or all terms. On the "
		    "screen, press i."),
	.examples = "wavefront\n'bank conflict' --lang zh",
	.options = { option_json },
	.run = run,
};
