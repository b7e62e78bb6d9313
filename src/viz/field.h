/* field: blocks, threads or lanes as boxes in rows and columns, with numbers at
 * the top and at the left. */
#ifndef VIZ_FIELD_H
#define VIZ_FIELD_H

#include "viz/kit.h"

/* Things of a level: w x h of them, each of `each` cells; a gap stands between
 * two where there is room. A cell may stand for `scale` things each way. */
struct field {
	struct rect r;
	uint32_t w, h, scale;
	struct kit_size each;
	int gap;
};
/* As large as they fit in r; `last`: the largest number at the left. */
struct field field_of(struct rect r, uint32_t w, uint32_t h, uint32_t last);
struct rect field_rect(const struct field *f, uint32_t x, uint32_t y);
void field_draw(struct canvas *c, const struct field *f, uint32_t x,
		uint32_t y, const char *text, enum role role);
/* Numbers of columns, each times `across`, and of rows, each times `down`, at the
 * first things and the one in focus. */
void field_rulers(struct canvas *c, const struct field *f, uint32_t x,
		  uint32_t y, uint32_t across, uint32_t down);

#endif
