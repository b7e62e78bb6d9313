/* view_sectors: what the files of this picture share. */
#ifndef VIZ_PICTURES_SECTORS_VIEW_SECTORS_H
#define VIZ_PICTURES_SECTORS_VIEW_SECTORS_H

#include "viz/frame_model.h"
#include "viz/pictures/sectors/scene_sector_lines.h"

/* Columns below which rows have no labels. */
#define SECTORS_NARROW 60

/* Draws what the request costs, in numbers and bars, once the part `lit` (0 to
 * 1) of its sectors is there. */
void sectors_meter(struct canvas *c, const struct scene *sc, double lit,
		   struct rect r);
/* Draws in a row, with its name, the sectors of a recording's lines that the
 * other has, too, to one scale; false: there is no more than one of these, or
 * no room. */
bool sectors_lines(struct canvas *c, struct rect r, const char *name,
		   const struct scene *sc, const struct scene *other,
		   double lit);
/* Draws in a row the sectors of a recording, of which the scale has `most`. */
void sectors_bar(struct canvas *c, struct rect r, const char *name,
		 const struct scene *sc, double lit, int most);

#endif
