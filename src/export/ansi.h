/*
 * ansi: writes cells for a terminal of 256 colours: UTF-8 with the sequences of
 * ECMA-48 that all terminals know.
 */
#ifndef EXPORT_ANSI_H
#define EXPORT_ANSI_H

#include "export/paint.h"

/* Adds row y of the cells; at its end the terminal's attributes are reset. No
 * newline is added. */
void ansi_row(struct str *out, const struct canvas *c, int y,
	      const struct theme *t);
/* Adds the bytes that turn the picture `old` on the screen into c; the cursor
 * is moved to each run of cells that differ. With old NULL the screen is
 * blank. */
void ansi_change(struct str *out, const struct canvas *c,
		 const struct canvas *old, const struct theme *t);

#endif
