/* ui: a reader at a terminal. The one place that waits. */
#ifndef APP_UI_H
#define APP_UI_H

#include "app/reader.h"
#include "term/term.h"

/* Something else to wait for: as reader_fds(), reader_patience() and
 * reader_poll(), which gives the reader what has come. */
#define UI_WATCH_FDS 3
struct ui_watch {
	size_t (*fds)(void *ctx, struct pollfd *fds);
	int (*patience)(void *ctx);
	bool (*poll)(void *ctx, struct reader *r);
	void *ctx;
};

struct ui_options {
	struct term_options term;
	const struct ui_watch *watch;	/* NULL: nothing */
};

/*
 * A reader at a terminal, for a loop that is not ours: after ui_begin() each
 * turn takes what has arrived and moves time on, without waiting, and the frame
 * is drawn if it has changed. The next turn is due when something arrives, or
 * after as many milliseconds as ui_patience() says (-1: not before).
 */
struct ui {
	struct term *term;
	struct reader *reader;
	struct canvas canvas;
	double last;	/* up to when the reader's time has passed */
	bool dirty;	/* the frame has changed */
};
void ui_begin(struct ui *u, struct term *t, struct reader *r);
void ui_turn(struct ui *u);
void ui_draw(struct ui *u);
int ui_patience(const struct ui *u);
void ui_end(struct ui *u);

/* Runs until the reader quits or the terminal is gone; returns an exit status,
 * with a line on standard error if it is not 0. */
int ui_run(struct reader *r, const struct ui_options *o);

#endif
