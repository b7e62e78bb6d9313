/* paint: the colours of a cell where no terminal supplies its own. */
#ifndef EXPORT_PAINT_H
#define EXPORT_PAINT_H

#include "viz/theme.h"

/* Indices into the 256-colour palette, reversed already; attr has no
 * ATTR_REVERSE. */
struct paint { uint8_t fg, bg, attr; };
struct paint paint_cell(const struct theme *t, const struct cell *cell);
/* Returns the colour of the background of the whole picture. */
uint8_t paint_ground(const struct theme *t);
/* Marks the palette's colours that a cell of any role can have. */
void paint_colours(const struct theme *t, bool used[256]);
/* Tells whether two cells look the same. */
bool paint_same(const struct cell *a, const struct cell *b);

#endif
