/*
 * svg: cells as SVG. A cell is GLYPH_W x GLYPH_H units. Text stays text, in
 * whatever monospaced font there is, fitted to its cells; lines and blocks are
 * paths, which join.
 */
#ifndef EXPORT_SVG_H
#define EXPORT_SVG_H

#include "export/paint.h"

/* Begins the picture's element: title and description for readers who cannot
 * see it (desc NULL: none), a style sheet that includes the rules `style` (may
 * be ""), and the background. End it with svg_end(). */
void svg_begin(struct str *out, int w, int h, const struct theme *t,
	       const char *title, const char *desc, const char *style);
/* Adds the cells that are marked in `which` (w * h flags); NULL: all. */
void svg_cells(struct str *out, const struct canvas *c, const bool *which,
	       const struct theme *t);
void svg_end(struct str *out);

#endif
