/* overlay: a page over the screen that can be scrolled: help, glossary,
 * advice. */
#ifndef VIZ_OVERLAY_H
#define VIZ_OVERLAY_H

#include "viz/canvas.h"

struct frame_model;

struct overlay {
	const char *title;	/* translated where it is drawn, as are ... */
	const char *keys;	/* ... what closes it, ... */
	const char *keys_scroll;	/* ... and what scrolls it besides */
	/* Draws the rows that are in sight, from the row `skip` on. With c
	 * NULL, draws nothing and returns how many rows all of it takes. */
	int (*draw)(struct canvas *c, struct rect r, int skip,
		    const struct frame_model *s);
};

extern const struct overlay overlay_help, overlay_glossary,
			    overlay_advice, overlay_topics;

/* Returns the part of a screen of w x h cells in which a page is drawn. */
struct rect overlay_inside(int w, int h);
/* Returns the row of the glossary's page, drawn in r, in which a term stands
 * among all terms. */
int glossary_row(const struct frame_model *s, struct rect r, size_t term);

/* Returns the rows that the page show.over can be scrolled by, on a screen of w
 * x h cells. */
int overlay_most(const struct frame_model *s, int w, int h);
void overlay_draw(struct canvas *c, const struct frame_model *s);

#endif
