/*
 * plain_tiles: the pictures of tiles, carriers and outer products as sentences.
 */
#ifndef VIZ_PLAIN_TILES_H
#define VIZ_PLAIN_TILES_H

#include "viz/show.h"

void tiles_words(struct str *out, const struct show *s);
void outer_words(struct str *out, const struct show *s);
void carriers_words(struct str *out, const struct show *s);

/* "accum[1][2] = -34 + (-6)(-7) = 8": what the cursor's statement adds; false:
 * it adds no product. */
bool outer_line(char *buf, size_t size, const struct show *s);
/* What the focused thread is as a carrier, and as a worker (or ""); of a
 * carrier that loads, what it loads now. */
void carriers_roles(char *carrier, char *worker, size_t size,
		    const struct show *s);

#endif
