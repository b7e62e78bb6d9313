/*
 * font: draws characters as pixels, through FreeType. DejaVu Sans Mono is
 * hinted for two colours. What it lacks, such as Chinese, comes from Unifont,
 * whose characters are bitmaps of exactly a cell. $GEMMVIZ_FONT names other
 * files, separated by colons.
 */
#ifndef EXPORT_FONT_H
#define EXPORT_FONT_H

#include "base/base.h"
#include "export/glyph.h"

struct font;
/* Opens the fonts. Returns NULL with e if there is none. */
struct font *font_open(struct error *e);
void font_close(struct font *f);

/* Draws a character of one or two columns: GLYPH_H rows of GLYPH_W * columns
 * pixels, 1 where there is ink. A character that no font has is drawn as a
 * box. */
void font_draw(struct font *f, uint32_t ch, bool bold, int columns,
	       uint8_t *pixels);

#endif
