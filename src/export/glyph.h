/*
 * glyph: the characters that must join with their neighbours, as rectangles:
 * lines of boxes, blocks, and braille dots. Fonts would draw them with gaps;
 * the font draws all other characters.
 */
#ifndef EXPORT_GLYPH_H
#define EXPORT_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell in units; a picture may make a unit a pixel. */
#define GLYPH_W 8
#define GLYPH_H 16

struct glyph_part { int8_t x, y, w, h; };
#define GLYPH_PARTS 16

/*
 * Fills in the rectangles of a character and, in *quarters, how much of their
 * area is coloured: 4 for blocks, 1 to 3 for shades, GLYPH_LINES for lines and
 * dots, which may be anti-aliased where a unit is not a whole number of pixels.
 * Returns the number of rectangles; 0: the font draws the character (or it is
 * blank, see glyph_drawn()).
 */
#define GLYPH_LINES 0
size_t glyph_parts(uint32_t ch, struct glyph_part parts[GLYPH_PARTS],
		   int *quarters);
/* Tells whether a character is drawn here, not by the font. */
bool glyph_drawn(uint32_t ch);

#endif
