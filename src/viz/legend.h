/*
 * legend: says what the colours of a picture mean. A legend names only what the
 * picture draws, so draw it last; the canvas notes which roles were named.
 */
#ifndef VIZ_LEGEND_H
#define VIZ_LEGEND_H

#include "viz/canvas.h"

/* One to four roles that mean the same. */
#define LEGEND_ROLES 4
struct legend_entry {
	uint8_t role[LEGEND_ROLES];	/* ROLE_NONE: no more */
	const char *words;
};

/* Draws the entries of which `picture` draws a role side by side, as far as
 * they fit in r. Returns the rows used. */
int legend_rows(struct canvas *c, struct rect r, struct rect picture,
		const struct legend_entry *e, size_t count);
/* Draws them one below the other, as far as they fit. Returns the rows used. */
int legend_list(struct canvas *c, struct rect r, struct rect picture,
		const struct legend_entry *e, size_t count);

#endif
