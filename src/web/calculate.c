/* calculate: the commands that only compute, in a page: a line as after `gemmviz`
 * is run by their own code, and the page shows what they print. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "web/calculate.h"
#include "web/page.h"

#define WORDS_MOST 40

static const struct command *const calculators[] = {
	&command_access, &command_occupancy, &command_table, &command_fragment,
};

/* Splits a line into words, in place; quotes hold one together, as in a shell.
 * Returns how many there are, at most `most`. */
static int cut_words(char *line, char **words, int most)
{
	char *to = line, quote = '\0';
	int count = 0;
	bool inside = false;

	for (const char *p = line; *p; p++) {
		bool ends = !quote && (*p == ' ' || *p == '\t');

		if (!ends && !inside && count < most)
			words[count++] = to;
		if (ends && inside)
			*to++ = '\0';
		inside = !ends;
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? '\0' : *p;
		else if (!ends)
			*to++ = *p;
	}
	*to = '\0';
	return count;
}

static void print_calculators(void)
{
	for (size_t i = 0; i < LENGTH(calculators); i++) {
		const struct command *c = calculators[i];
		const char *example = c->examples;

		printf("%s: %s\n", c->name, _(c->summary));
		while (*example) {
			size_t n = strcspn(example, "\n");

			printf("    %s %.*s\n", c->name, (int)n, example);
			example += n + (example[n] == '\n');
		}
	}
	printf("\n%s\n", _("Add --help to a name for all it takes."));
}

KEEP void web_calculate(const char *typed)
{
	char *line = xstrdup(typed), *words[WORDS_MOST + 1];
	int count = cut_words(line, words, WORDS_MOST);
	char **argv = words;
	const struct command *found = NULL;

	if (count && !strcmp(words[0], "gemmviz")) {
		argv++;
		count--;
	}
	words[count + (argv - words)] = NULL;
	for (size_t i = 0; count && i < LENGTH(calculators); i++)
		if (!strcmp(argv[0], calculators[i]->name))
			found = calculators[i];
	optind = 0;	/* getopt begins afresh */
	if (found)
		found->run(found, count, argv);
	else
		print_calculators();
	fflush(stdout);
	free(line);
}
