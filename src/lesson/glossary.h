/*
 * glossary: the terms of the course, from lessons/GLOSSARY.md and, in another
 * language, lessons/LANG/GLOSSARY.md. A level-2 heading is a term, followed by
 * other forms of it in parentheses; the text below it explains it. A
 * translation has the English term among its forms.
 */
#ifndef LESSON_GLOSSARY_H
#define LESSON_GLOSSARY_H

#include "base/base.h"

struct glossary_term {
	char **forms;		/* the first is the term itself */
	size_t form_count;
	char *words;
};
struct glossary {
	struct glossary_term *terms;	/* in the file's order */
	size_t count;
};

/* Loads the glossary of a language, else the English one. Returns NULL with
 * e. */
struct glossary *glossary_load(const char *lang, struct error *e);
void glossary_free(struct glossary *g);
/* Returns the index of the term with this form, ignoring case; -1: none. */
long glossary_find(const struct glossary *g, const char *form);
/* Sets used[i] for each term i that the text uses: of terms that begin at the
 * same place the longest, in the plural, too. */
void glossary_mark(const struct glossary *g, const char *text, bool *used);

#endif
