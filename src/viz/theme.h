/*
 * theme: what roles look like. Colours are indices of the 256-colour
 * palette, with a fallback in the 16 and in the attributes of a terminal
 * without colour.
 */
#ifndef THEME_H
#define THEME_H

#include "canvas.h"

#define THEME_DEFAULT (-1)	/* the terminal's own colour */

struct theme_role {
	int16_t c256;		/* 0..255 or THEME_DEFAULT */
	int8_t c16;		/* 0..15 or THEME_DEFAULT */
	uint8_t attr;		/* added where there is no colour */
};
struct theme {
	const char *name;	/* "dark", "light", "mono" */
	struct theme_role role[ROLE_COUNT];
};

/* NULL when there is none of that name. */
const struct theme *theme_find(const char *name);
const char *const *theme_names(void);	/* NULL-terminated */

#endif
