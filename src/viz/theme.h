/*
 * theme: what roles look like. Colours are indices into the 256-colour palette,
 * with a fallback in the 16-colour one; where a role has no colour, attributes
 * replace it. A role has two colours: one for text, which contrasts with the
 * backgrounds that text is drawn on, and one for painting, as a background or a
 * block glyph.
 */
#ifndef VIZ_THEME_H
#define VIZ_THEME_H

#include "viz/canvas.h"

#define THEME_DEFAULT (-1)	/* the terminal's own colour */

struct theme_role {
	int16_t text256, paint256;	/* 0..255 or THEME_DEFAULT */
	int8_t text16, paint16;		/* 0..15 or THEME_DEFAULT */
};
struct theme {
	const char *name;	/* "dark", "light", "mono" */
	bool mono;		/* draw with canvas.mono */
	struct theme_role role[ROLE_COUNT];
};

/* Finds a theme by name; NULL: there is none. */
const struct theme *theme_find(const char *name);
const char *const *theme_names(void);	/* NULL-terminated */

/* What a cell looks like on a terminal with this many colours. With fewer than
 * 16, draw with canvas.mono: with 8 to 15, some roles of the matrices have no
 * background of their own, but a sign; with fewer, no role has a colour. Text
 * that does not contrast with its background by 4.5 to 1 becomes black or
 * white, and so does what has the very colour of its background. */
struct theme_look {
	int16_t fg, bg;		/* colour indices or THEME_DEFAULT */
	uint8_t attr;		/* enum attr */
};
struct theme_look theme_look(const struct theme *t, const struct cell *cell,
			     int colours);

/* Returns a colour of xterm's 256-colour palette as 0xRRGGBB. */
uint32_t theme_rgb(int colour);

#endif
