/*
 * glossary: the terms of the course, from lessons/GLOSSARY.md and, of another
 * language, lessons/LANG/GLOSSARY.md. A level-2 heading is a term, with other
 * forms of it in parentheses behind; the words below say what it means. A
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

/* The glossary of a language, else the English one. NULL with e. */
struct glossary *glossary_load(const char *lang, struct error *e);
void glossary_free(struct glossary *g);
/* The index of the term with this form, whatever its case; -1: none. */
long glossary_find(const struct glossary *g, const char *form);
/* Sets used[i] for each term i that the text uses: of terms that begin at the
 * same place the longest, in the plural, too. */
void glossary_mark(const struct glossary *g, const char *text, bool *used);

#endif
