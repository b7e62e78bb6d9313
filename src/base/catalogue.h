/*
 * catalogue: a language's translations, from a file that msgfmt made (.mo). The
 * C library would look them up, too, but not where no locale is installed: in
 * C.UTF-8 it has been English for all since glibc 2.39.
 */
#ifndef BASE_CATALOGUE_H
#define BASE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct catalogue {
	char *data;		/* the file; NULL: nothing is translated */
	size_t len;
	bool swapped;		/* written on a machine of the other order */
	uint32_t count, originals, translations;	/* two tables' offsets */
};

/* Reads a file; one that is not there, or damaged, translates nothing. */
void catalogue_open(struct catalogue *c, const char *path);
void catalogue_close(struct catalogue *c);
/* Returns the nth plural form (from 0) of a text's translation; NULL when it
 * has none. */
const char *catalogue_find(const struct catalogue *c, const char *text,
			   unsigned form);

#endif
