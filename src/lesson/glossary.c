/* glossary: see glossary.h. */
#include "lesson/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"

#define GLOSSARY_BYTES (1u << 18)

/* ---- reading ---- */

static void add_form(struct glossary_term *t, const char *text, size_t n)
{
	while (n && *text == ' ')
		text++, n--;
	while (n && text[n - 1] == ' ')
		n--;
	t->forms = xrealloc(t->forms, t->form_count + 1, sizeof(*t->forms));
	t->forms[t->form_count++] = xstrndup(text, n);
}

/* Adds the term of a heading such as "barrier (__syncthreads, syncthreads)". */
static void add_term(struct glossary *g, const char *text)
{
	size_t n = strcspn(text, "(");
	struct glossary_term *t;

	g->terms = xrealloc(g->terms, g->count + 1, sizeof(*g->terms));
	t = &g->terms[g->count++];
	*t = (struct glossary_term){ .words = xstrdup("") };
	add_form(t, text, n);
	for (text += n; *text && *text != ')'; text += n) {
		text++;
		n = strcspn(text, ",)");
		add_form(t, text, n);
	}
}

/* Adds a line to the last term's words. */
static void add_words(struct glossary *g, const char *line)
{
	struct glossary_term *t = &g->terms[g->count - 1];
	char *all = xasprintf("%s%s%s", t->words, *t->words ? " " : "", line);

	free(t->words);
	t->words = all;
}

static struct glossary *read_terms(char *text)
{
	struct glossary *g = xcalloc(1, sizeof(*g));
	char *save, *line;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "## ", 3))
			add_term(g, line + 3);
		else if (g->count && *line != '#')
			add_words(g, line);
	}
	return g;
}

struct glossary *glossary_load(const char *lang, struct error *e)
{
	char *path = xasprintf("%s/%s/GLOSSARY.md", paths()->lessons, lang);
	char *text, *clean;
	struct glossary *g;
	size_t len;

	if (!strcmp(lang, "en") || access(path, R_OK)) {
		free(path);
		path = xasprintf("%s/GLOSSARY.md", paths()->lessons);
	}
	text = file_read(path, GLOSSARY_BYTES, &len, e);
	free(path);
	if (!text)
		return NULL;
	clean = text_clean(text, len, TEXT_LINES);
	free(text);
	g = read_terms(clean);
	free(clean);
	return g;
}

void glossary_free(struct glossary *g)
{
	for (size_t i = 0; g && i < g->count; i++) {
		for (size_t k = 0; k < g->terms[i].form_count; k++)
			free(g->terms[i].forms[k]);
		free(g->terms[i].forms);
		free(g->terms[i].words);
	}
	if (g)
		free(g->terms);
	free(g);
}

/* ---- finding ---- */

long glossary_find(const struct glossary *g, const char *form)
{
	for (size_t i = 0; i < g->count; i++)
		for (size_t k = 0; k < g->terms[i].form_count; k++)
			if (!strcasecmp(form, g->terms[i].forms[k]))
				return (long)i;
	return -1;
}

/* Returns whether a letter next to this character belongs to the same word.
 * Chinese is written without spaces. */
static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the length in bytes of the form at this place of the text, or 0 if it
 * is not there. */
static size_t form_at(const char *text, const char *at, const char *form)
{
	size_t n = strlen(form);

	if (strncasecmp(at, form, n))
		return 0;
	if (!in_word(*form) || !in_word(form[n - 1]))
		return n;
	if (at > text && in_word(at[-1]) && in_word(*form))
		return 0;
	if (tolower((unsigned char)at[n]) == 's' && !in_word(at[n + 1]))
		return n + 1;
	return in_word(at[n]) ? 0 : n;
}

void glossary_mark(const struct glossary *g, const char *text, bool *used)
{
	size_t longest, best, n;

	for (const char *at = text; *at; at += longest ? longest : 1) {
		longest = best = 0;
		for (size_t i = 0; i < g->count; i++)
			for (size_t k = 0; k < g->terms[i].form_count; k++) {
				n = form_at(text, at, g->terms[i].forms[k]);
				best = n > longest ? i : best;
				longest = MAX(longest, n);
			}
		if (longest)
			used[best] = true;
	}
}
