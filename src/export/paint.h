/* paint: the colours of a cell where there is no terminal to have its own. */
#ifndef EXPORT_PAINT_H
#define EXPORT_PAINT_H

#include "viz/theme.h"

/* Indices into the 256-colour palette, reversed already; attr has no
 * ATTR_REVERSE. */
struct paint { uint8_t fg, bg, attr; };
struct paint paint_cell(const struct theme *t, const struct cell *cell);
/* The colour behind everything. */
uint8_t paint_ground(const struct theme *t);
/* Sets those of the palette that a cell may have, of whatever roles it is. */
void paint_colours(const struct theme *t, bool used[256]);
/* Whether two cells look the same. */
bool paint_same(const struct cell *a, const struct cell *b);

#endif
