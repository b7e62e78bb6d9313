/* term_web: what a page tells its terminal. */
#ifndef WEB_TERM_WEB_H
#define WEB_TERM_WEB_H

#include "term/term.h"

/* Makes the screen w x h cells large, each at least 1. */
void term_resize(struct term *t, int w, int h);
/* Adds a key or the mouse to what term_event() returns. */
void term_post(struct term *t, const struct event *ev);

#endif
