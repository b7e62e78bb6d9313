/* mode_web: what the page has besides the terminal's keys. */
#ifndef WEB_MODE_WEB_H
#define WEB_MODE_WEB_H

#include "app/mode.h"

/* The page's own keys (reader_options.also). */
extern const struct mode mode_web;

/* Opens the map of gemmviz practice, or one of its rungs; nothing is judged.
 * Returns -1 with e. */
int web_open_practice(struct reader *r, const char *rung, struct error *e);

#endif
