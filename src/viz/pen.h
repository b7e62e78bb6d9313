/*
 * pen: turns a canvas into a terminal's bytes: only the changed cells, with few
 * moves and few changes of colour, to be sent at once.
 *
 * curses could do it, but it flushes after everything that it erases: hundreds
 * of writes a frame, each of which wakes the terminal. The terminal's sequences
 * are passed in, so that nothing here needs a terminal.
 */
#ifndef VIZ_PEN_H
#define VIZ_PEN_H

#include "viz/canvas.h"
#include "viz/theme.h"

/* terminfo's sequences, without delays; NULL: it has none. */
struct pen_terminal {
	char *clear, *plain, *bold, *underline, *reverse, *own_colours;
	char *erase_end;	/* up to the line's end; the cursor stays */
	/* With parameters: row and column, a colour, a number of columns. */
	char *move, *foreground, *background, *erase;
	const char *(*fill_in)(const char *sequence, int a, int b);
	bool erases_in_colour;	/* what is erased gets the background */
	bool scrolls;		/* behind the last cell of all */
	bool moves_plain;	/* a move in colour leaves marks */
	/* Attributes that the terminal cannot combine with colours, enum
	 * attr. */
	uint8_t no_colour;
};

/* {0} with a terminal has drawn nothing yet. */
struct pen {
	struct pen_terminal terminal;	/* ours */
	int colours;		/* how many; beyond 256 they are 0xRRGGBB */
	bool drawn;		/* the screen shows what `shown` says */
	struct canvas shown;
	struct str out;		/* to be sent, and cleared */

	int x, y;		/* of the cursor; -1: unknown */
	struct theme_look look;	/* as what follows would be drawn */
	char *known[2][256];	/* sequences of colours: text, background */
};

void pen_done(struct pen *p);
/* Adds to p->out the bytes that make the screen show the canvas. */
void pen_draw(struct pen *p, const struct canvas *c, const struct theme *theme);

#endif
