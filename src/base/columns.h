/*
 * columns: a small table as text. The first row holds the headings; each column
 * is as wide as its widest cell on the screen, with two spaces between columns.
 */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "base/base.h"

#define COLUMNS_MOST 10

struct columns {
	char *(*rows)[COLUMNS_MOST];
	size_t count, capacity;
	unsigned left;		/* bit c: column c is left-aligned */
};

/*
 * Adds a row, whose cells the caller fills in from the left with text on the
 * heap; the first NULL cell ends it. The result is valid until the next call.
 */
char **columns_row(struct columns *t);
void columns_print(const struct columns *t, FILE *out);
void columns_done(struct columns *t);

#endif
