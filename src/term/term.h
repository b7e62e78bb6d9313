/*
 * term: the terminal; the only user of curses.
 *
 * term_open() fails with EXIT_TERMINAL and one line of text if there is no
 * terminal to draw on. From then on the screen is restored at every way out:
 * term_close(), exit(), fatal(), and the fatal signals (guard.h). Nothing here
 * waits: the event loop polls term_fd().
 */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include "viz/canvas.h"
#include "viz/event.h"
#include "viz/theme.h"

struct term_options {
	const struct theme *theme;	/* NULL: by the terminal */
	bool mono;			/* no colour, whatever the terminal */
	bool ascii;
	bool no_mouse;
};

/* Facts about the terminal that standard output is, found without drawing on
 * it. */
struct term_facts {
	const char *type;	/* as it would be drawn on */
	int w, h;		/* 0: standard output is no terminal */
	int colours;		/* 0: none */
};
/* Finds them out. Returns -1 with e if its type cannot be drawn on. */
int term_probe(struct term_facts *f, struct error *e);

struct term;
struct term *term_open(const struct term_options *o, struct error *e);
void term_close(struct term *t);

int term_fd(const struct term *t);
void term_size(const struct term *t, int *w, int *h);
/* Tells whether it has colours; false: draw with canvas.mono. */
bool term_colour(const struct term *t);
/* Tells whether it lacks UTF-8; true: draw with canvas.ascii. */
bool term_ascii(const struct term *t);
const char *term_notice(const struct term *t);	/* or NULL */
void term_theme(struct term *t, const struct theme *theme);

/*
 * Takes the next event that has arrived, without waiting; false: none. Call it
 * until it returns false whenever term_fd() is readable, which any of these
 * makes it: input, a resize, Ctrl-Z and resuming (handled here, followed by
 * K_RESIZE: draw everything again), the end of the terminal (K_EOF, once).
 * Ctrl-C and Ctrl-\\ are signals, not keys.
 */
bool term_event(struct term *t, struct event *ev);
/* Shows the canvas; sends only what has changed. */
void term_draw(struct term *t, const struct canvas *c);
/* Gives a text to the terminal's clipboard (OSC 52). Returns false if the
 * terminal's description does not say that it takes one. */
bool term_copy(struct term *t, const char *text);
/* Makes the next draw send everything (Ctrl-L, after a resume). */
void term_redraw(struct term *t);
/* Restores the screen and stops the process, as for Ctrl-Z; returns when it is
 * continued. */
void term_suspend(struct term *t);
/* Restores the screen and runs a program on the terminal; returns when it has
 * ended. -1 with e: it cannot be started. */
int term_run(struct term *t, char *const *argv, struct error *e);

#endif
