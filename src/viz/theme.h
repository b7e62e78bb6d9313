/*
 * theme: what roles look like. Colours are indices of the 256-colour
 * palette, with a fallback in the 16; where a role has no colour, attributes
 * stand in for it. A role has two colours: one to write in, with enough
 * contrast on the backgrounds that text stands on, and one to paint with,
 * as a background or a block glyph.
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

/* NULL when there is none of that name. */
const struct theme *theme_find(const char *name);
const char *const *theme_names(void);	/* NULL-terminated */

/*
 * What a cell looks like where there are that many colours. With 8 to 15 the
 * roles of the matrices (ROLE_FIELD to ROLE_FADE3) have no colour, with less
 * no role has: then draw with canvas.mono.
 */
struct theme_look {
	int16_t fg, bg;		/* colour indices or THEME_DEFAULT */
	uint8_t attr;		/* enum attr */
};
struct theme_look theme_look(const struct theme *t, const struct cell *cell,
			     int colours);

/* 0xRRGGBB of a colour of the 256 palette, as xterm has it. */
uint32_t theme_rgb(int colour);

#endif
