/*
 * ansi: cells as a terminal of 256 colours is told them: UTF-8, with the
 * sequences of ECMA-48 that all terminals know.
 */
#ifndef EXPORT_ANSI_H
#define EXPORT_ANSI_H

#include "export/paint.h"

/* Adds one row of cells, ended by the terminal's plain look (no newline). */
void ansi_row(struct str *out, const struct canvas *c, int y,
	      const struct theme *t);
/* Adds what turns the picture `old` on the screen into c, with the cursor moved
 * to each run of cells that differ; old NULL: the screen is blank. */
void ansi_change(struct str *out, const struct canvas *c,
		 const struct canvas *old, const struct theme *t);

#endif
