/*
 * columns: a small table as text: cells by row, the first row the headings,
 * each column as wide as its widest cell on the screen, two spaces between.
 */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "base/base.h"

#define COLUMNS_MOST 10

struct columns {
	char *(*rows)[COLUMNS_MOST];
	size_t count, capacity;
	unsigned left;		/* bit c: column c is aligned to the left */
};

/* A new last row, to be filled from the left with cells on the heap; the
 * first that is NULL ends it. Valid until the next one. */
char **columns_row(struct columns *t);
void columns_print(const struct columns *t, FILE *out);
void columns_done(struct columns *t);

#endif
