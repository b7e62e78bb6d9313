/* field: draws blocks, threads or lanes as boxes in rows and columns, with
 * numbers along the top and the left. */
#ifndef VIZ_FIELD_H
#define VIZ_FIELD_H

#include "viz/kit.h"

/* A grid of w x h things, each of `each` cells, with a gap between two where
 * there is room. A cell may stand for `scale` things each way. */
struct field {
	struct rect r;
	uint32_t w, h, scale;
	struct kit_size each;
	int gap;
};
/* Makes a grid with the largest cells that fit in r. last: the largest number
 * at the left. */
struct field field_of(struct rect r, uint32_t w, uint32_t h, uint32_t last);
struct rect field_rect(const struct field *f, uint32_t x, uint32_t y);
void field_draw(struct canvas *c, const struct field *f, uint32_t x,
		uint32_t y, const char *text, enum role role);
/* Draws the column numbers, times `across`, and the row numbers, times `down`,
 * where they fit; those of column x and row y, which are in focus, always. */
void field_rulers(struct canvas *c, const struct field *f, uint32_t x,
		  uint32_t y, uint32_t across, uint32_t down);

#endif
