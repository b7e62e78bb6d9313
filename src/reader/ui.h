/* ui: a reader at a terminal. The one place that waits. */
#ifndef READER_UI_H
#define READER_UI_H

#include "reader/reader.h"
#include "viz/term.h"

/* Something else to wait for: when it is ready and has changed, the reader is
 * told so, and given what is new. */
struct ui_watch {
	int fd;
	bool (*changed)(void *ctx);
	void (*again)(void *ctx, struct reader *r);
	void *ctx;
};

struct ui_options {
	struct term_options term;
	const struct ui_watch *watch;	/* NULL: nothing */
};

/* Runs until the reader quits or the terminal is gone; returns an exit status,
 * with a line on standard error if it is not 0. */
int ui_run(struct reader *r, const struct ui_options *o);

#endif
