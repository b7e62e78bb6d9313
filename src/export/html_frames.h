/*
 * html_frames: the frames as data for player.js, which draws them as SVG.
 *
 *	w, h		columns and rows
 *	styles		[[colour, ground, attributes], ...]: indices of colours
 *	glyphs		{"character": [quarters, x, y, w, h, ...]}: glyph_parts()
 *	frames		each {"s": seconds, "d": [cell, style, "text", ...]}: what
 *			changes, or, if it has "c", what is not blank
 *			"c": title	the first frame of a step
 *			"q": number	its question is open
 *			"w": words	it is at rest, and this is what it shows
 *			"l": lanes	[[[lanes, "name"], ...], [cells, name, ...]]:
 *					names and runs of cells, name 0 is none
 *
 * A wide character is followed by U+007F for its second cell.
 */
#ifndef EXPORT_HTML_FRAMES_H
#define EXPORT_HTML_FRAMES_H

#include <jansson.h>

#include "export/export.h"

struct html_colour { uint8_t dark, light; };

struct html_frames {
	struct canvas now;	/* the last frame */
	json_t *frames;
	uint32_t *styles;	/* role, role, attributes, kind of character */
	size_t style_count, style_capacity;
	struct html_colour colours[256];
	size_t colour_count;
	json_t *glyphs;
};

void html_frames_init(struct html_frames *k, int w, int h);
void html_frames_done(struct html_frames *k);
/* Adds a frame. question: the number of the open one, or -1. */
void html_frames_add(struct html_frames *k, const struct export_frame *f,
		     int question);
/* Returns everything as JSON, which the caller owns. Call once, at the end. */
json_t *html_frames_json(struct html_frames *k);
/* Returns the number of the colour that text of this role has on the page's
 * ground or, with `paint`, that its background has; one colour for both
 * themes. */
size_t html_colour(struct html_frames *k, uint8_t role, bool paint);

#endif
