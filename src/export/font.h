/*
 * font: characters as pixels, through FreeType: DejaVu Sans Mono, hinted for
 * two colours, and for what it lacks, such as Chinese, Unifont, whose
 * characters are bitmaps of just a cell. Or the fonts in $GEMMVIZ_FONT, between
 * colons.
 */
#ifndef EXPORT_FONT_H
#define EXPORT_FONT_H

#include "base/base.h"
#include "export/glyph.h"

struct font;
/* NULL with e: there is no font. */
struct font *font_open(struct error *e);
void font_close(struct font *f);

/* The pixels of a character of one or two columns: GLYPH_H rows of GLYPH_W *
 * columns, 1 where there is ink. One that no font has is a box. */
void font_draw(struct font *f, uint32_t ch, bool bold, int columns,
	       uint8_t *pixels);

#endif
