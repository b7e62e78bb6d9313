/* overlay: a page over the screen that can be scrolled: help, glossary,
 * advice. */
#ifndef VIZ_OVERLAY_H
#define VIZ_OVERLAY_H

#include "viz/canvas.h"

struct show;

struct overlay {
	const char *title;	/* translated where it is drawn, as are ... */
	const char *keys;	/* ... what closes it, ... */
	const char *keys_scroll;	/* ... and what scrolls it besides */
	/* Draws the rows that are in sight, from the row `skip` on. With c
	 * NULL, draws nothing and returns how many rows all of it takes. */
	int (*draw)(struct canvas *c, struct rect r, int skip,
		    const struct show *s);
};

extern const struct overlay overlay_help, overlay_glossary,
			    overlay_advice;

/* Returns the rows that the page show.over can be scrolled by, on a screen of w
 * x h cells. */
int overlay_most(const struct show *s, int w, int h);
void overlay_draw(struct canvas *c, const struct show *s);

#endif
