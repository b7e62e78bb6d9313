/*
 * svg: cells as SVG. A cell is GLYPH_W x GLYPH_H units; its text is text, in
 * whatever monospaced font there is, fitted to its cells; lines and blocks are
 * paths, which join.
 */
#ifndef EXPORT_SVG_H
#define EXPORT_SVG_H

#include "export/paint.h"

/* The picture's element, its title and description for those who cannot see it
 * (desc NULL: none), a style sheet with `style` (rules, or "") in it, and the
 * ground. To be ended by svg_end(). */
void svg_begin(struct str *out, int w, int h, const struct theme *t,
	       const char *title, const char *desc, const char *style);
/* The cells that are marked in `which`, w * h of them; NULL: all. */
void svg_cells(struct str *out, const struct canvas *c, const bool *which,
	       const struct theme *t);
void svg_end(struct str *out);

#endif
